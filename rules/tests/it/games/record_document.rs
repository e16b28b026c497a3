//! `docs/records.md` describes the native record: it names every field, kind and word that a record can have.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tilewire_oracle::walk::walks;
use tilewire_rules::record::native;

/// Fields whose text is a name, or is chosen by the game and not by the format.
const FREE_TEXT: [&str; 15] = [
    "format",
    "game",
    "rule_set",
    "language",
    "lexicon",
    "identity",
    "name",
    "level",
    "label",
    "layout",
    "word",
    "bad_words",
    "lexicon_hash",
    "commitment",
    "secret",
];

#[test]
fn the_native_record_is_described_completely() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/records.md");
    let text = fs::read_to_string(path).expect("the document of the records");
    let (_, section) = text.split_once("## The native record").expect("a section");
    let mut missing = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for walk in walks(12) {
        let written = native::write(&walk.log, None).expect("a log begins with the creation");
        for line in written.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            kinds.extend(kind(&line));
            names(&line, "", &mut missing);
        }
    }
    missing.retain(|name| !section.contains(&format!("`{name}`")));
    assert!(
        missing.is_empty(),
        "docs/records.md does not name {missing:?}"
    );
    assert!(kinds.len() >= 20, "the games have {kinds:?} only");
}

fn kind(line: &Value) -> Option<String> {
    let event = line["event"].as_object()?;
    let (kind, fields) = event.iter().next()?;
    match fields.as_object() {
        Some(inner) if kind == "public" => inner.keys().next().cloned(),
        _ => Some(kind.clone()),
    }
}

/// Collects the keys of a value, and the texts that are words of the format.
fn names(value: &Value, key: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                names(value, key, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                names(value, key, found);
            }
        }
        Value::String(text) if !FREE_TEXT.contains(&key) && !is_hash(text) => {
            found.insert(text.clone());
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
