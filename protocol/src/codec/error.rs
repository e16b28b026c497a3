//! The error of decoding.

use crate::error_code::ErrorCode;
use crate::server::{ErrorBody, ErrorDetail};
use crate::wire::Fault;

/// A frame that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct DecodeError {
    /// The code of the error answer.
    pub code: ErrorCode,
    /// A description of the problem, for people.
    pub message: String,
    /// The path of the field concerned, such as `options.clock.kind`.
    pub field: Option<String>,
    /// The request's id, when it could be read.
    pub id: Option<u64>,
}

impl DecodeError {
    /// The error of a frame with this fault; `id` is the request's, when it could be read.
    pub(super) fn new(fault: Fault, id: Option<u64>) -> Self {
        let (code, field, message) = fault.into_parts();
        Self {
            code,
            message,
            field: (!field.is_empty()).then_some(field),
            id,
        }
    }

    /// The body of the error message that answers the frame.
    #[must_use]
    pub fn to_body(&self) -> ErrorBody {
        let body = ErrorBody::new(self.code, self.message.clone());
        match &self.field {
            None => body,
            Some(field) => body.with_detail(ErrorDetail {
                field: Some(field.clone()),
                ..ErrorDetail::default()
            }),
        }
    }
}
