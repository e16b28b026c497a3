//! `docs/protocol/schema.json`: all messages as JSON Schema, made from the types. `UPDATE_DOCS=1` rewrites it.

mod agreement;
mod asyncapi;
mod build;
mod messages;
mod tables;

pub(crate) use build::{Side, schema};

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

#[test]
fn the_schema_is_that_of_the_code() {
    check("schema.json", &pretty(&schema()));
}

#[test]
fn the_schema_is_a_schema() {
    jsonschema::draft202012::meta::validate(&schema()).unwrap();
}

#[test]
fn no_duration_is_negative() {
    let mut durations = 0;
    each_property(&schema(), &mut |name, property| {
        let types = property["type"].to_string();
        if name.ends_with("_ms") && types.contains("integer") {
            durations += 1;
            let least = property["minimum"].as_f64();
            assert!(least >= Some(0.0), "{name} can be negative: {property}");
        }
    });
    assert!(durations > 10, "only {durations} durations");
}

/// Calls `visit` with every property that a schema describes.
fn each_property(schema: &Value, visit: &mut impl FnMut(&str, &Value)) {
    let inner: Vec<&Value> = match schema {
        Value::Array(values) => values.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => return,
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        visit(name, property);
    }
    for value in inner {
        each_property(value, visit);
    }
}

/// A file of `docs/protocol`.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/protocol")
        .join(name)
}

/// Compares a generated text with its file, or writes the file if `UPDATE_DOCS` is set.
fn check(name: &str, expected: &str) {
    let path = path(name);
    let found = fs::read_to_string(&path).unwrap_or_default();
    if found != expected && std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        found == expected,
        "docs/protocol/{name} is not up to date; UPDATE_DOCS=1 rewrites it"
    );
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}
