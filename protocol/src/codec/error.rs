//! What decoding refuses, and what it can say about it.

use crate::error_code::ErrorCode;
use crate::server::{ErrorBody, ErrorDetail};

/// Longest text of an error, characters: enough to name the fault, too little to echo a frame back.
const TEXT_MAX_CHARS: usize = 200;

/// A frame that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct DecodeError {
    /// What to answer.
    pub code: ErrorCode,
    /// What is wrong, for people.
    pub message: String,
    /// The path of the field concerned, such as `options.clock.kind`.
    pub field: Option<String>,
    /// The request's id, when it could be read.
    pub id: Option<u64>,
}

impl DecodeError {
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

/// A fault on its way up; each level it passes adds its part of the path.
#[derive(Debug)]
pub(super) struct Fault {
    code: ErrorCode,
    text: String,
    path: String,
}

impl Fault {
    pub(super) fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            path: String::new(),
        }
    }

    /// A fault of the field at `path`.
    pub(super) fn at(code: ErrorCode, path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            path: path.into(),
        }
    }

    /// The same fault, seen from the map that holds `key`.
    pub(super) fn under_key(mut self, key: &str) -> Self {
        let key: String = key.chars().take(TEXT_MAX_CHARS).collect();
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{key}{joint}{}", self.path);
        self
    }

    /// The same fault, seen from the array that holds it at `index`.
    pub(super) fn under_index(mut self, index: usize) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("[{index}]{joint}{}", self.path);
        self
    }

    /// The same fault, or `whole` in place of a faulty value: op and id are no fields that could be named.
    pub(super) fn in_envelope(self, whole: Self) -> Self {
        match self.code {
            ErrorCode::BadField => whole,
            _ => self,
        }
    }

    /// The same fault, or `whole` when it is about the body itself and not about a field in it.
    pub(super) fn in_body(self, whole: Self) -> Self {
        if self.path.is_empty() {
            self.in_envelope(whole)
        } else {
            self
        }
    }

    /// Turns what serde says about a body into a fault that names the field.
    pub(super) fn from_serde(path: &str, text: &str) -> Self {
        let path = path.trim_start_matches('.');
        let missing = text
            .strip_prefix("missing field `")
            .and_then(|rest| rest.split('`').next());
        let path = match (path.is_empty(), missing) {
            (_, None) => path.to_owned(),
            (true, Some(name)) => name.to_owned(),
            (false, Some(name)) => format!("{path}.{name}"),
        };
        Self {
            code: ErrorCode::BadField,
            text: text.to_owned(),
            path,
        }
    }

    pub(super) fn into_error(self, id: Option<u64>) -> DecodeError {
        let text = if self.path.is_empty() {
            self.text
        } else {
            format!("`{}`: {}", self.path, self.text)
        };
        let field: String = self.path.chars().take(TEXT_MAX_CHARS).collect();
        DecodeError {
            code: self.code,
            message: text.chars().take(TEXT_MAX_CHARS).collect(),
            field: (!field.is_empty()).then_some(field),
            id,
        }
    }
}

/// The faults both encodings share, so that they say the same.
pub(super) mod common {
    use super::Fault;
    use crate::error_code::ErrorCode;
    use crate::limits;

    pub(in crate::codec) fn null() -> Fault {
        Fault::new(
            ErrorCode::BadField,
            "null is never sent; leave the field out",
        )
    }

    pub(in crate::codec) fn no_integer() -> Fault {
        Fault::new(
            ErrorCode::BadField,
            "numbers are integers, without fraction or exponent",
        )
    }

    pub(in crate::codec) fn integer_range() -> Fault {
        Fault::new(ErrorCode::BadField, "the integer is beyond 2^53 - 1")
    }

    pub(in crate::codec) fn too_deep() -> Fault {
        Fault::new(
            ErrorCode::BadFrame,
            format!("nested deeper than {}", limits::NESTING_MAX),
        )
    }

    pub(in crate::codec) fn too_many_entries() -> Fault {
        Fault::new(
            ErrorCode::TooLarge,
            format!("a map with more than {} entries", limits::MAP_ENTRIES_MAX),
        )
    }

    pub(in crate::codec) fn duplicate_key(key: &str) -> Fault {
        Fault::new(ErrorCode::BadMessage, "the key comes twice").under_key(key)
    }

    pub(in crate::codec) fn no_envelope() -> Fault {
        Fault::new(
            ErrorCode::BadMessage,
            "a message is an array [op, id, body]",
        )
    }

    pub(in crate::codec) fn op_no_text() -> Fault {
        Fault::new(ErrorCode::BadMessage, "the op is a string")
    }

    pub(in crate::codec) fn id_no_integer() -> Fault {
        Fault::new(
            ErrorCode::BadMessage,
            "the id is an integer from 0 to 2^53 - 1",
        )
    }

    pub(in crate::codec) fn body_no_map() -> Fault {
        Fault::new(ErrorCode::BadMessage, "the body is a map")
    }
}
