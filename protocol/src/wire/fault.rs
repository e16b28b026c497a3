//! A fault in a frame: the error code, a text for people, and the path of the field.

use crate::error_code::ErrorCode;

/// Longest text of an error, characters: enough to name the fault, too little to echo a frame back.
const TEXT_MAX_CHARS: usize = 200;

/// A fault on its way up; each level that it passes adds its part of the path.
#[derive(Debug)]
pub(crate) struct Fault {
    code: ErrorCode,
    text: String,
    path: String,
}

impl Fault {
    pub(crate) fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            path: String::new(),
        }
    }

    /// Returns the text for people.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A fault of the field at `path`.
    pub(crate) fn at(code: ErrorCode, path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            path: path.into(),
        }
    }

    /// The same fault, seen from the map that holds `key`.
    pub(crate) fn under_key(mut self, key: &str) -> Self {
        let key: String = key.chars().take(TEXT_MAX_CHARS).collect();
        self.path = format!("{key}{}{}", self.joint(), self.path);
        self
    }

    /// The same fault, seen from the array that holds it at `index`.
    pub(crate) fn under_index(mut self, index: usize) -> Self {
        self.path = format!("[{index}]{}{}", self.joint(), self.path);
        self
    }

    /// Returns the separator between the path so far and a part before it.
    fn joint(&self) -> &'static str {
        if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        }
    }

    /// The same fault, or `whole` in place of a faulty value: op and id are not fields, so the path cannot name them.
    pub(crate) fn in_envelope(self, whole: Self) -> Self {
        match self.code {
            ErrorCode::BadField => whole,
            _ => self,
        }
    }

    /// The same fault, or `whole` if the fault is in the body itself and not in a field of it.
    pub(crate) fn in_body(self, whole: Self) -> Self {
        if self.path.is_empty() {
            self.in_envelope(whole)
        } else {
            self
        }
    }

    /// The code, the path (empty: none) and a text that names the path.
    pub(crate) fn into_parts(self) -> (ErrorCode, String, String) {
        let text = if self.path.is_empty() {
            self.text
        } else {
            format!("`{}`: {}", self.path, self.text)
        };
        let short = |text: String| text.chars().take(TEXT_MAX_CHARS).collect();
        (self.code, short(self.path), short(text))
    }
}

/// The faults both encodings share, so that they say the same.
pub(crate) mod common {
    use super::Fault;
    use crate::error_code::ErrorCode;
    use crate::limits;

    pub(crate) fn null() -> Fault {
        Fault::new(
            ErrorCode::BadField,
            "null is never sent; leave the field out",
        )
    }

    pub(crate) fn no_integer() -> Fault {
        Fault::new(
            ErrorCode::BadField,
            "numbers are integers, without fraction or exponent",
        )
    }

    pub(crate) fn integer_range() -> Fault {
        Fault::new(ErrorCode::BadField, "the integer is beyond 2^53 - 1")
    }

    pub(crate) fn too_deep() -> Fault {
        Fault::new(
            ErrorCode::BadFrame,
            format!("nested deeper than {}", limits::NESTING_MAX),
        )
    }

    pub(crate) fn too_many_entries() -> Fault {
        Fault::new(
            ErrorCode::TooLarge,
            format!("a map with more than {} entries", limits::MAP_ENTRIES_MAX),
        )
    }

    pub(crate) fn duplicate_key(key: &str) -> Fault {
        Fault::new(ErrorCode::BadMessage, "the key comes twice").under_key(key)
    }

    pub(crate) fn no_envelope() -> Fault {
        Fault::new(
            ErrorCode::BadMessage,
            "a message is an array [op, id, body]",
        )
    }

    pub(crate) fn op_no_text() -> Fault {
        Fault::new(ErrorCode::BadMessage, "the op is a string")
    }

    pub(crate) fn id_no_integer() -> Fault {
        Fault::new(
            ErrorCode::BadMessage,
            "the id is an integer from 0 to 2^53 - 1",
        )
    }

    pub(crate) fn body_no_map() -> Fault {
        Fault::new(ErrorCode::BadMessage, "the body is a map")
    }
}
