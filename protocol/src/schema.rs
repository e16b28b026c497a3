//! Descriptions of the wire types as JSON Schema, derived from the types themselves (feature `schema`).
//!
//! A schema says what the decoders check of a single message, but for what JSON Schema cannot say: lengths are in bytes on
//! the wire and in characters here, and `1.0` is an integer here alone.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::bytes::{Bytes, Token};
use crate::client::ClientMessage;
use crate::error_code::ErrorCode;
use crate::event::{Event, EventBody, EventHeader};
use crate::limits;
use crate::server::ServerMessage;

/// One message or kind of event.
#[derive(Debug, Clone)]
pub struct Described {
    /// Its op or kind.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// The schema of its body, which refers to the definitions.
    pub body: Schema,
}

/// All messages of one direction, with the definitions they refer to.
#[derive(Debug)]
pub struct Direction {
    /// The messages, in the order of the document.
    pub messages: Vec<Described>,
    /// The kinds of events, in the order of the document; none from clients.
    pub events: Vec<Described>,
    /// The fields that every event has; `None` from clients.
    pub event_header: Option<Schema>,
    /// What is referred to, by name.
    pub definitions: serde_json::Map<String, serde_json::Value>,
}

/// Describes what clients send.
#[must_use]
pub fn client() -> Direction {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    Direction {
        messages: ClientMessage::described(&mut generator),
        events: Vec::new(),
        event_header: None,
        definitions: generator.take_definitions(true),
    }
}

/// Describes what servers send.
#[must_use]
pub fn server() -> Direction {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    Direction {
        messages: ServerMessage::described(&mut generator),
        events: EventBody::described(&mut generator),
        event_header: Some(generator.subschema_for::<EventHeader>()),
        definitions: generator.take_definitions(true),
    }
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

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64url", "pattern": "^[A-Za-z0-9_-]*$" })
    }
}

impl JsonSchema for Token {
    fn schema_name() -> Cow<'static, str> {
        "Token".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "maxLength": limits::TOKEN_MAX_BYTES })
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(Self::ALL.iter().map(|code| code.as_str()))
    }
}

impl JsonSchema for Event {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<EventHeader>()
    }
}

/// The length of so many bytes in base64 without padding.
const fn base64_chars(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}
