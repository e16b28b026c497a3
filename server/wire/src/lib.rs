//! Conversion between the types of the rules and of the protocol, and the catalogue of rule sets and lexica.
//!
//! Invariant: it knows no running game, no client and no storage.
//!
//! It is the only place that converts between both. [`from_wire`] converts a client's messages, and [`to_wire`] the
//! rules' views. Every match is exhaustive without a wildcard: a new variant on either side does not compile until its
//! meaning on the other side is decided.

mod adjourn;
pub mod catalogue;
pub mod describe;
pub mod from_wire;
pub mod hint;
pub mod lexica;
pub mod options;
pub mod pieces;
pub mod rejection;
pub mod snapshot;
pub mod to_wire;

#[cfg(test)]
mod tests;

pub use pieces::{
    end_reason, kind_from_wire, kind_to_wire, level, level_from_wire, rating_to_wire, turn_waiting,
};

use tilewire_people::pools::Unrated;
use tilewire_protocol::{ErrorBody, ErrorCode, ErrorDetail};
use tilewire_rules::time::Millis;

/// A request that cannot be converted: the error for the client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    /// For programs.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
    /// Details for the client's next step.
    pub detail: Box<ErrorDetail>,
}

impl Refusal {
    /// Returns a refusal without a detail.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            detail: Box::default(),
        }
    }

    /// Returns a refusal that names a field by its path in the request, such as `options.clock.delay_ms`.
    pub fn field(code: ErrorCode, field: &str, message: impl Into<String>) -> Self {
        let mut refusal = Self::new(code, message);
        refusal.detail.field = Some(field.to_owned());
        refusal
    }

    /// Returns the same refusal as seen from the map that holds `parent`.
    /// Adds when the client may ask again.
    pub fn retry_after(mut self, retry_after_ms: Millis) -> Self {
        self.detail.retry_after_ms = Some(retry_after_ms.0);
        self
    }

    fn under(mut self, parent: &str) -> Self {
        if let Some(field) = &mut self.detail.field {
            *field = format!("{parent}.{field}");
        }
        self
    }

    /// Returns the refusal of a rated game, with the code of the reason.
    pub fn not_rateable(reason: Unrated) -> Self {
        let mut refusal = Self::new(ErrorCode::NotRateable, reason.to_string());
        refusal.detail.reason = Some(reason.code().to_owned());
        refusal
    }

    /// Returns a refusal that names a face.
    pub(crate) fn tile(code: ErrorCode, face: &str, message: impl Into<String>) -> Self {
        let mut refusal = Self::new(code, message);
        refusal.detail.tiles = Some(vec![face.to_owned()]);
        refusal
    }
}

impl From<ErrorBody> for Refusal {
    fn from(body: ErrorBody) -> Self {
        Self {
            code: body.code,
            message: body.message,
            detail: body.detail.unwrap_or_default(),
        }
    }
}

impl From<Refusal> for ErrorBody {
    fn from(refusal: Refusal) -> Self {
        let body = Self::new(refusal.code, refusal.message);
        if *refusal.detail == ErrorDetail::default() {
            body
        } else {
            body.with_detail(*refusal.detail)
        }
    }
}
