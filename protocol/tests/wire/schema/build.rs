//! Puts the schema of all messages together from the descriptions of the types.

use serde_json::{Map, Value, json};
use tilewire_protocol::limits;
use tilewire_protocol::schema::{self, Described, Direction};

/// The sender of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Server,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Client, Self::Server];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    pub(crate) fn described(self) -> Direction {
        match self {
            Self::Client => schema::client(),
            Self::Server => schema::server(),
        }
    }
}

/// The whole schema.
pub(crate) fn schema() -> Value {
    let mut definitions = Map::new();
    for side in Side::BOTH {
        add(side, &mut definitions);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:tilewire:protocol:v1",
        "title": "Tilewire protocol, version 1",
        "description": "Every message in its JSON encoding, made from the types of the reference implementation. \
            What a server sends is described openly: values of enumerations that are not listed are of a later version. \
            Lengths are in bytes on the wire and in characters here; numbers are written without fraction and exponent.",
        "anyOf": [{ "$ref": "#/$defs/client" }, { "$ref": "#/$defs/server" }],
        "$defs": definitions,
    })
}

fn add(side: Side, definitions: &mut Map<String, Value>) {
    let direction = side.described();
    let name = side.name();
    let all: Vec<Value> = direction
        .messages
        .iter()
        .map(|message| json!({ "$ref": format!("#/$defs/{name}.{}", message.name) }))
        .collect();
    let description = match side {
        Side::Client => "What a client sends.",
        Side::Server => {
            "What a server sends. A message whose op is not listed is of a later version."
        }
    };
    let whole = json!({ "description": description, "oneOf": all });
    definitions.insert(name.to_owned(), whole);
    for message in &direction.messages {
        let envelope = envelope(side, message);
        definitions.insert(format!("{name}.{}", message.name), envelope);
    }
    let mut types = direction.definitions.clone();
    if let Some(header) = &direction.event_header {
        let header = resolve(header.as_value(), &types).clone();
        for kind in &direction.events {
            let body = resolve(kind.body.as_value(), &types).clone();
            let flat = tidied(side, flat_event(kind, &header, &body));
            definitions.insert(format!("event.{}", kind.name), flat);
        }
        for only_flat in ["Event", "EventHeader"] {
            types.remove(only_flat);
        }
    }
    for (type_name, schema) in types {
        // Events are described by kind.
        if !direction
            .events
            .iter()
            .any(|kind| refers_to(kind, &type_name))
            || type_name == "GameResult"
        {
            definitions.insert(format!("{name}.type.{type_name}"), tidied(side, schema));
        }
    }
}

fn refers_to(kind: &Described, name: &str) -> bool {
    kind.body.get("$ref") == Some(&json!(format!("#/$defs/{name}")))
}

fn resolve<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => &definitions[reference.trim_start_matches("#/$defs/")],
        None => schema,
    }
}

/// `[op, id, body]`.
fn envelope(side: Side, message: &Described) -> Value {
    let id = match (side, message.name) {
        (Side::Client, _) | (Side::Server, "welcome" | "ok") => {
            json!({ "type": "integer", "minimum": 1, "maximum": limits::INTEGER_MAX })
        }
        (Side::Server, "error") => {
            json!({ "type": "integer", "minimum": 0, "maximum": limits::INTEGER_MAX })
        }
        (Side::Server, _) => json!({ "const": 0 }),
    };
    let body = match message.name {
        "event" => {
            let kinds: Vec<Value> = side
                .described()
                .events
                .iter()
                .map(|kind| json!({ "$ref": format!("#/$defs/event.{}", kind.name) }))
                .collect();
            json!({ "oneOf": kinds })
        }
        _ => tidied(side, message.body.as_value().clone()),
    };
    json!({
        "title": message.name,
        "description": message.doc,
        "type": "array",
        "prefixItems": [{ "const": message.name }, id, body],
        "minItems": 3,
        "maxItems": 3,
    })
}

/// The fields of the header and those of the kind in one map.
fn flat_event(kind: &Described, header: &Value, body: &Value) -> Value {
    let mut flat = header.clone();
    flat["description"] = json!(kind.doc);
    flat["title"] = json!(kind.name);
    flat["properties"]["kind"] = json!({ "const": kind.name });
    for (name, field) in body["properties"].as_object().unwrap() {
        flat["properties"][name] = field.clone();
    }
    if let Some(required) = body.get("required").and_then(Value::as_array) {
        flat["required"]
            .as_array_mut()
            .unwrap()
            .extend(required.iter().cloned());
    }
    flat
}

/// A generated schema as the protocol means it: no null, integers within their bounds, references by side, and what a
/// server sends open to later versions.
fn tidied(side: Side, schema: Value) -> Value {
    match schema {
        Value::Object(fields) => tidied_map(side, fields),
        Value::Array(values) => values
            .into_iter()
            .map(|value| tidied(side, value))
            .collect(),
        other => other,
    }
}

fn tidied_map(side: Side, mut fields: Map<String, Value>) -> Value {
    if let Some(Value::Array(types)) = fields.get("type") {
        let kept = types.iter().find(|kind| **kind != "null").cloned();
        fields.insert("type".to_owned(), kept.unwrap());
    }
    if let Some(Value::Array(choices)) = fields.get("anyOf").cloned()
        && let [choice, null] = choices.as_slice()
        && *null == json!({ "type": "null" })
    {
        fields.remove("anyOf");
        fields.extend(choice.as_object().unwrap().clone());
    }
    if fields.get("default") == Some(&Value::Null) {
        fields.remove("default");
    }
    if let Some(format) = fields.get("format").and_then(Value::as_str)
        && let Some((least, most)) = bounds(format)
    {
        fields.remove("format");
        fields.entry("minimum").or_insert(json!(least));
        fields.entry("maximum").or_insert(json!(most));
    }
    if let Some(Value::String(reference)) = fields.get_mut("$ref") {
        *reference = reference.replace("#/$defs/", &format!("#/$defs/{}.type.", side.name()));
    }
    if side == Side::Server
        && let Some(known) = fields.remove("enum")
    {
        // Additions of a later version have the same form as the existing values.
        let later = json!({ "type": "string", "pattern": "^[a-z0-9_]*$" });
        fields.remove("type");
        fields.insert("anyOf".to_owned(), json!([{ "enum": known }, later]));
        return Value::Object(fields);
    }
    fields
        .into_iter()
        .map(|(key, value)| (key, tidied(side, value)))
        .collect::<Map<_, _>>()
        .into()
}

/// The smallest and largest value of an integer type.
fn bounds(format: &str) -> Option<(i64, i64)> {
    Some(match format {
        "uint8" => (0, i64::from(u8::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "uint64" => (0, limits::INTEGER_MAX),
        "int64" => (-limits::INTEGER_MAX, limits::INTEGER_MAX),
        _ => return None,
    })
}
