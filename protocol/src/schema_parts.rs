//! Parts of JSON Schemas that the wire types use to describe themselves (feature `schema`).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::limits;

/// One message or kind of event.
#[derive(Debug, Clone)]
pub struct Described {
    /// Its op or kind.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub doc: &'static str,
    /// The schema of its body, which refers to the definitions.
    pub body: Schema,
}

/// The schema of an enumeration.
pub(crate) fn one_of(values: impl Iterator<Item = &'static str>) -> Schema {
    json_schema!({ "type": "string", "enum": values.collect::<Vec<_>>() })
}

/// 32 bytes.
pub(crate) struct Hash;

/// At most 32 bytes.
pub(crate) struct Nonce;

impl JsonSchema for Hash {
    fn schema_name() -> Cow<'static, str> {
        "Hash".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let chars = base64_chars(limits::HASH_BYTES);
        json_schema!({
            "type": "string",
            "contentEncoding": "base64url",
            "pattern": format!("^[A-Za-z0-9_-]{{{chars}}}$"),
            "description": "32 bytes."
        })
    }
}

impl JsonSchema for Nonce {
    fn schema_name() -> Cow<'static, str> {
        "Nonce".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let chars = base64_chars(limits::NONCE_MAX_BYTES);
        json_schema!({
            "type": "string",
            "contentEncoding": "base64url",
            "pattern": format!("^[A-Za-z0-9_-]{{0,{chars}}}$"),
            "description": "At most 32 bytes."
        })
    }
}

/// The length of this number of bytes in base64 without padding.
const fn base64_chars(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}
