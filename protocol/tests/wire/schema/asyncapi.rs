//! `docs/protocol/asyncapi.json`: the same messages as an AsyncAPI 3 document, which refers to the schema.

use serde_json::{Map, Value, json};
use tilewire_protocol::schema::Described;
use tilewire_protocol::{PROTOCOL_VERSION, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, WEBSOCKET_PATH};

use super::{Side, check, path, pretty, schema};

/// Names the official schema of AsyncAPI 3.0.0, for the test that needs it.
const OFFICIAL: &str = "ASYNCAPI_SCHEMA";

#[test]
fn the_asyncapi_document_is_that_of_the_code() {
    check("asyncapi.json", &pretty(&document()));
}

#[test]
fn every_reference_leads_somewhere() {
    let (document, schema) = (document(), schema());
    let mut references = Vec::new();
    collect(&document, &mut references);
    collect(&schema, &mut references);
    assert!(references.len() > 200);
    for reference in references {
        let found = match reference.strip_prefix("./schema.json#") {
            Some(pointer) => schema.pointer(pointer),
            None => {
                let pointer = reference.strip_prefix('#').unwrap();
                document
                    .pointer(pointer)
                    .or_else(|| schema.pointer(pointer))
            }
        };
        assert!(found.is_some(), "{reference} leads nowhere");
    }
}

/// `tests/run` fetches the official schema and runs this test.
#[test]
#[ignore = "needs the official schema of AsyncAPI"]
fn the_asyncapi_document_is_one() {
    let official = std::fs::read_to_string(std::env::var_os(OFFICIAL).unwrap()).unwrap();
    let official: Value = serde_json::from_str(&official).unwrap();
    let validator = jsonschema::validator_for(&official).unwrap();
    let document = std::fs::read_to_string(path("asyncapi.json")).unwrap();
    let mut document: Value = serde_json::from_str(&document).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document["operations"]["auth"]["action"] = json!("shout");
    assert!(
        !validator.is_valid(&document),
        "the validator sees what is wrong"
    );
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(reference) if key == "$ref" => found.push(reference.clone()),
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

fn document() -> Value {
    let mut messages = Map::new();
    let mut operations = Map::new();
    for side in Side::BOTH {
        for message in side.described().messages {
            messages.insert(key(side, &message), described(side, &message));
            if let Some((name, operation)) = operation(side, &message) {
                operations.insert(name, operation);
            }
        }
    }
    let in_channel: Map<String, Value> = messages
        .keys()
        .map(|key| {
            (
                key.clone(),
                json!({ "$ref": format!("#/components/messages/{key}") }),
            )
        })
        .collect();
    json!({
        "asyncapi": "3.0.0",
        "id": "urn:tilewire:protocol",
        "info": {
            "title": "Tilewire",
            "version": format!("{PROTOCOL_VERSION}"),
            "description": "Play and watch crossword board games. docs/PROTOCOL.md says what the messages mean and when they come.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "localhost:7780",
                "protocol": "ws",
                "description": "A server as it starts without configuration.",
            },
        },
        "channels": {
            "connection": {
                "address": WEBSOCKET_PATH,
                "title": "One connection of one player",
                "description": "Messages are described in JSON (text frames); MessagePack (binary frames) carries the same values.",
                "messages": in_channel,
                "bindings": { "ws": {
                    "method": "GET",
                    "headers": {
                        "type": "object",
                        "required": ["Sec-WebSocket-Protocol"],
                        "properties": { "Sec-WebSocket-Protocol": {
                            "type": "string",
                            "enum": [SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK],
                        } },
                    },
                } },
            },
        },
        "operations": operations,
        "components": { "messages": messages },
    })
}

fn key(side: Side, message: &Described) -> String {
    format!("{}.{}", side.name(), message.name)
}

fn described(side: Side, message: &Described) -> Value {
    json!({
        "name": message.name,
        "summary": message.doc,
        "contentType": "application/json",
        "payload": {
            "schemaFormat": "application/schema+json;version=2020-12",
            "schema": { "$ref": format!("./schema.json#/$defs/{}", key(side, message)) },
        },
    })
}

/// A request with its answers, or a push.
fn operation(side: Side, message: &Described) -> Option<(String, Value)> {
    let reference = |key: &str| json!({ "$ref": format!("#/channels/connection/messages/{key}") });
    let channel = json!({ "$ref": "#/channels/connection" });
    let own = reference(&key(side, message));
    match (side, message.name) {
        (Side::Client, name) => {
            let answer = if name == "auth" {
                "server.welcome"
            } else {
                "server.ok"
            };
            let operation = json!({
                "action": "receive",
                "channel": channel,
                "summary": message.doc,
                "messages": [own],
                "reply": {
                    "channel": channel,
                    "messages": [reference(answer), reference("server.error")],
                },
            });
            Some((name.to_owned(), operation))
        }
        (Side::Server, "welcome" | "ok" | "error") => None,
        (Side::Server, name) => {
            let operation = json!({
                "action": "send",
                "channel": channel,
                "summary": message.doc,
                "messages": [own],
            });
            Some((format!("push.{name}"), operation))
        }
    }
}
