//! The tables of requests, commands and events in `docs/PROTOCOL.md` name the fields that the types have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tilewire_protocol::EventBody;

use super::{Side, schema};
use crate::document;

/// Fields by name, and whether each may be absent.
type Fields = BTreeMap<String, bool>;

#[test]
fn requests_and_commands_have_the_fields_of_the_document() {
    check("| request | body | `ok` |", Side::Client, &[]);
    let common = ["game", "cmd_id"];
    check(
        "| command | body beside `game`, `cmd_id` | |",
        Side::Client,
        &common,
    );
}

#[test]
fn events_have_the_fields_of_the_document() {
    let common = ["game", "seq", "at", "kind"];
    let told = check("| kind | fields | |", Side::Server, &common);
    let kinds = EventBody::KINDS.iter().map(|&kind| kind.to_owned());
    assert_eq!(told, kinds.collect::<BTreeSet<_>>());
}

/// Compares a table with the types, and returns the names in it.
fn check(head: &str, side: Side, common: &[&str]) -> BTreeSet<String> {
    let schema = schema();
    let rows = rows(head);
    assert!(rows.len() > 5, "{head}");
    for (name, told) in &rows {
        let mut fields = of_types(&schema, side, name);
        fields.retain(|field, _| !common.contains(&field.as_str()));
        assert_eq!(&fields, told, "`{name}` in docs/PROTOCOL.md");
    }
    rows.into_keys().collect()
}

/// The rows below `head`: the name in the first column and the fields in the second.
fn rows(head: &str) -> BTreeMap<String, Fields> {
    let text = document::text();
    let mut lines = text.lines().skip_while(|line| *line != head).skip(2);
    let table = lines.by_ref().take_while(|line| line.starts_with('|'));
    table
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|');
            let name = cells.next().unwrap().trim().trim_matches('`').to_owned();
            (name, fields(cells.next().unwrap_or_default().trim()))
        })
        .collect()
}

/// Reads a list of fields such as "`seat`, `tiles`?, `points`: [{`seat`, `points`}]".
fn fields(cell: &str) -> Fields {
    let mut depth = 0_i32;
    let pieces = cell.split(|c| {
        depth += i32::from("[{(".contains(c)) - i32::from("]})".contains(c));
        c == ',' && depth == 0
    });
    let field = |piece: &str| {
        let (name, rest) = piece.trim().strip_prefix('`')?.split_once('`')?;
        Some((name.to_owned(), rest.starts_with('?')))
    };
    pieces.filter_map(field).collect()
}

/// The fields of a message, or of an event by its kind.
fn of_types(schema: &Value, side: Side, name: &str) -> Fields {
    let definitions = &schema["$defs"];
    let message = &definitions[format!("{}.{name}", side.name())];
    let body = match side {
        Side::Client => &message["prefixItems"][2],
        Side::Server => &definitions[format!("event.{name}")],
    };
    let body = match body.get("$ref").and_then(Value::as_str) {
        Some(reference) => &definitions[reference.trim_start_matches("#/$defs/")],
        None => body,
    };
    let required = body["required"].as_array().cloned().unwrap_or_default();
    let properties = body["properties"].as_object().cloned().unwrap_or_default();
    let optional = |name: &String| !required.iter().any(|one| one == name);
    properties
        .keys()
        .map(|name| (name.clone(), optional(name)))
        .collect()
}
