//! Descriptions of the wire types as JSON Schema, derived from the types themselves (feature `schema`).
//!
//! A schema states the checks that the decoders make on a single message. JSON Schema cannot state two of them exactly: it
//! counts lengths in characters (the protocol counts bytes), and it accepts `1.0` as an integer.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::bytes::{Bytes, Token};
use crate::client::ClientMessage;
use crate::error_code::ErrorCode;
use crate::event::{Event, EventBody, EventHeader};
use crate::limits;
use crate::schema_parts::one_of;
use crate::server::ServerMessage;

pub use crate::schema_parts::Described;

/// All messages of one direction, with the definitions they refer to.
#[derive(Debug)]
pub struct Direction {
    /// The messages, in the order of the document.
    pub messages: Vec<Described>,
    /// The kinds of events, in the order of the document; none from clients.
    pub events: Vec<Described>,
    /// The fields that every event has; `None` from clients.
    pub event_header: Option<Schema>,
    /// The definitions, by name.
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
