//! The schema and the decoders agree about every example, also with one invalid field.

use jsonschema::Validator;
use serde_json::{Value, json};
use tilewire_protocol::{Codec, decode_client, decode_server};

use super::{Side, schema};
use crate::examples::{self, Example, Message};

/// The schema of one direction.
fn validator(side: Side) -> Validator {
    let mut schema = schema();
    schema.as_object_mut().unwrap().remove("anyOf");
    schema["$ref"] = json!(format!("#/$defs/{}", side.name()));
    jsonschema::draft202012::new(&schema).unwrap()
}

fn side(example: &Example) -> Side {
    match example.message {
        Message::Client(_) => Side::Client,
        Message::Server(_) => Side::Server,
    }
}

fn decodes(side: Side, frame: &Value) -> bool {
    let bytes = frame.to_string().into_bytes();
    match side {
        Side::Client => decode_client(Codec::Json, &bytes).is_ok(),
        Side::Server => decode_server(Codec::Json, &bytes).is_ok(),
    }
}

fn value(example: &Example) -> Value {
    serde_json::from_slice(&example.encode(Codec::Json)).unwrap()
}

#[test]
fn every_example_fits_the_schema() {
    let [client, server] = Side::BOTH.map(validator);
    for example in examples::all() {
        let validator = match side(&example) {
            Side::Client => &client,
            Side::Server => &server,
        };
        let value = value(&example);
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", example.name);
    }
}

/// Every field of every example is once of every wrong type, once absent, once null: the schema and the decoder agree on
/// whether that is a message.
#[test]
fn schema_and_decoders_refuse_the_same() {
    let [client, server] = Side::BOTH.map(validator);
    let (mut refused, mut differ) = (0, Vec::new());
    for example in examples::all() {
        let side = side(&example);
        let validator = match side {
            Side::Client => &client,
            Side::Server => &server,
        };
        let right = value(&example);
        let mut paths = Vec::new();
        places(&right[2], "/2", &mut paths);
        for path in paths {
            let was = right.pointer(&path).unwrap();
            for wrong in wrong_values(was) {
                let mut changed = right.clone();
                *changed.pointer_mut(&path).unwrap() = wrong;
                let (fits, reads) = (validator.is_valid(&changed), decodes(side, &changed));
                if fits || reads {
                    differ.push(format!("schema {fits}, decoder {reads}: {changed}"));
                }
                refused += 1;
            }
            let (parent, key) = path.rsplit_once('/').unwrap();
            let mut without = right.clone();
            if let Some(Value::Object(fields)) = without.pointer_mut(parent) {
                fields.remove(key);
                let (fits, reads) = (validator.is_valid(&without), decodes(side, &without));
                if fits != reads {
                    differ.push(format!("schema {fits}, decoder {reads}: {without}"));
                }
            }
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(refused > 5_000, "only {refused} were tried");
}

/// The pointers to every value of the body but the body.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), value))
            .collect(),
        Value::Array(values) => (0..).map(|i: usize| i.to_string()).zip(values).collect(),
        _ => Vec::new(),
    };
    for (key, value) in inner {
        let path = format!("{path}/{key}");
        places(value, &path, found);
        found.push(path);
    }
}

/// One value of every other type.
fn wrong_values(was: &Value) -> Vec<Value> {
    let kind = std::mem::discriminant(was);
    [
        json!(null),
        json!(true),
        json!(7),
        json!("\u{2026}"),
        json!([[]]),
        json!({ "a": 1 }),
        json!(1.5),
    ]
    .into_iter()
    .filter(|wrong| std::mem::discriminant(wrong) != kind || wrong.is_f64())
    .collect()
}
