//! `docs/protocol/messages.md`: every message with its fields, and an example in both encodings.

use std::collections::BTreeSet;
use std::fmt::Write;

use data_encoding::HEXLOWER;
use serde_json::Value;
use tilewire_protocol::{Codec, ServerMessage};

use super::{Side, check, schema};
use crate::examples::{self, Example, Message};

/// Begins a part of the document that a reader opens.
const FOLDED: &str = "<details><summary>in MessagePack</summary>";

/// Bytes in a line of hexadecimal digits.
const HEX_LINE: usize = 48;

#[test]
fn the_list_of_messages_is_that_of_the_code() {
    check("messages.md", &Book::new().write());
}

struct Book {
    schema: Value,
    text: String,
}

impl Book {
    fn new() -> Self {
        Self {
            schema: schema(),
            text: String::new(),
        }
    }

    fn write(mut self) -> String {
        self.text.push_str(INTRODUCTION);
        self.section("Requests", Side::Client);
        self.section("Answers and pushes", Side::Server);
        self.events();
        self.parts();
        self.text.truncate(self.text.trim_end().len());
        self.text + "\n"
    }

    fn section(&mut self, title: &str, side: Side) {
        write!(self.text, "## {title}\n\n").unwrap();
        for message in side.described().messages {
            let envelope = self
                .definition(&format!("{}.{}", side.name(), message.name))
                .clone();
            write!(self.text, "### `{}`\n\n{}\n\n", message.name, message.doc).unwrap();
            if message.name != "event" {
                let body = envelope["prefixItems"][2].clone();
                let body = self.resolved(&body).clone();
                self.fields(&body);
                self.examples(
                    |example| named(example, side, message.name),
                    message.name == "ok",
                );
            } else {
                self.text
                    .push_str("Its fields are those of its [kind](#events).\n\n");
            }
        }
    }

    fn events(&mut self) {
        self.text
            .push_str("## Events\n\nEach is the body of an `event`.\n\n");
        for kind in Side::Server.described().events {
            let body = self.definition(&format!("event.{}", kind.name)).clone();
            write!(self.text, "### `{}`\n\n{}\n\n", kind.name, kind.doc).unwrap();
            self.fields(&body);
            self.examples(|example| of_kind(example, kind.name), false);
        }
    }

    /// The maps inside messages, in the order of their names.
    fn parts(&mut self) {
        self.text.push_str("## Parts\n\nMaps inside messages.\n\n");
        let mut written = BTreeSet::new();
        for side in Side::BOTH {
            let prefix = format!("{}.type.", side.name());
            let definitions = self.schema["$defs"].as_object().unwrap().clone();
            for (key, part) in definitions {
                let Some(name) = key.strip_prefix(&prefix) else {
                    continue;
                };
                let is_map = part.get("properties").is_some();
                if is_map && self.is_used(&key) && written.insert(name.to_owned()) {
                    let doc = part["description"].as_str().unwrap_or_default();
                    write!(self.text, "### {name}\n\n{}\n\n", plain(doc)).unwrap();
                    self.fields(&part);
                }
            }
        }
    }

    /// Says whether a definition is a part of another, not the body of a message alone.
    fn is_used(&self, key: &str) -> bool {
        let reference = format!("#/$defs/{key}");
        let definitions = self.schema["$defs"].as_object().unwrap();
        definitions.values().any(|definition| {
            let properties = definition.get("properties");
            properties.is_some_and(|fields| fields.to_string().contains(&format!("{reference:?}")))
        })
    }

    fn fields(&mut self, body: &Value) {
        let Some(fields) = body.get("properties").and_then(Value::as_object) else {
            self.text.push_str("No fields.\n\n");
            return;
        };
        let required: Vec<&str> = body["required"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut table = "| field | type | | |\n|---|---|---|---|\n".to_owned();
        let optional = fields.keys().map(String::as_str);
        let optional = optional.filter(|name| !required.contains(name));
        for name in required.iter().copied().chain(optional) {
            let field = &fields[name];
            let presence = if required.contains(&name) {
                ""
            } else {
                "optional"
            };
            let doc = field["description"].as_str().unwrap_or_default();
            let kind = self.kind(name, field);
            writeln!(table, "| `{name}` | {kind} | {presence} | {} |", plain(doc)).unwrap();
        }
        self.text.push_str(&table);
        self.text.push('\n');
    }

    /// The type of a field in words, with its range.
    fn kind(&self, name: &str, field: &Value) -> String {
        if let Some(reference) = field.get("$ref").and_then(Value::as_str) {
            let (_, short) = reference.rsplit_once('.').unwrap();
            let target = self.definition(reference.trim_start_matches("#/$defs/"));
            return if target.get("properties").is_some() {
                format!("[{short}](#{})", short.to_lowercase())
            } else {
                self.kind(name, target)
            };
        }
        if let Some(constant) = field.get("const").and_then(Value::as_str) {
            return format!("`{constant}`");
        }
        let open = field
            .get("anyOf")
            .and_then(|choices| choices[0].get("enum"));
        if let Some(values) = open.or_else(|| field.get("enum")).and_then(Value::as_array) {
            let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            return if values.len() > 20 {
                "a [code](../PROTOCOL.md#errors)".to_owned()
            } else {
                format!("one of `{}`", values.join("`, `"))
            };
        }
        match field["type"].as_str() {
            Some("string") => text_kind(field),
            Some("integer") => integer_kind(name, field),
            Some("boolean") => "true or false".to_owned(),
            Some("array") if field.get("prefixItems").is_some() => {
                let items = field["prefixItems"].as_array().unwrap();
                let items: Vec<String> = items.iter().map(|item| self.kind(name, item)).collect();
                format!("[{}]", items.join(", "))
            }
            Some("array") => {
                let most = field
                    .get("maxItems")
                    .map(|most| format!(" (at most {most})"));
                let items = self.kind(name, &field["items"]);
                format!("list of {items}{}", most.unwrap_or_default())
            }
            other => panic!("{name} is of the type {other:?}: {field}"),
        }
    }

    fn examples(&mut self, is_meant: impl Fn(&Example) -> bool, all: bool) {
        let mut shown: Vec<Example> = examples::all().into_iter().filter(is_meant).collect();
        if !all {
            // The longest shows the most fields.
            shown.sort_by_key(|example| std::cmp::Reverse(example.encode(Codec::Json).len()));
            shown.truncate(1);
        }
        for example in shown {
            let json = String::from_utf8(example.encode(Codec::Json)).unwrap();
            let packed = example.encode(Codec::MsgPack);
            write!(self.text, "```json\n{json}\n```\n\n{FOLDED}\n\n```\n").unwrap();
            for line in packed.chunks(HEX_LINE) {
                writeln!(self.text, "{}", HEXLOWER.encode(line)).unwrap();
            }
            self.text.push_str("```\n\n</details>\n\n");
        }
    }

    fn definition(&self, key: &str) -> &Value {
        &self.schema["$defs"][key]
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.definition(reference.trim_start_matches("#/$defs/")),
            None => schema,
        }
    }
}

const INTRODUCTION: &str = "# The messages of Tilewire, version 1

Every message, every kind of event and every map inside them, with their fields; made from the types of the reference
implementation. [PROTOCOL.md](../PROTOCOL.md) says what they mean and when they come, [schema.json](schema.json) and
[asyncapi.json](asyncapi.json) say the same as here for programs.

A field is there unless it is optional; then it is left out when there is nothing to say. Integers without a range lie within
\u{b1}(2^53 \u{2212} 1), or from 0 to that. A time is unix time on the server's clock. Lengths of text are in bytes of UTF-8.

The examples show shapes, with as many fields as possible; the values need not fit one another. Each stands in JSON and,
folded, in MessagePack, in hexadecimal.

";

fn named(example: &Example, side: Side, op: &str) -> bool {
    match (&example.message, side) {
        (Message::Client(message), Side::Client) => message.op() == op,
        (Message::Server(message), Side::Server) => message.op() == op,
        _ => false,
    }
}

fn of_kind(example: &Example, kind: &str) -> bool {
    matches!(&example.message, Message::Server(ServerMessage::Event(event)) if event.body.kind() == kind)
}

fn text_kind(field: &Value) -> String {
    if field.get("contentEncoding").is_some() {
        return match field["description"].as_str() {
            Some(doc) if doc.ends_with("32 bytes.") => {
                format!(
                    "bytes, {}",
                    if doc.starts_with("At most") || doc.contains("at most") {
                        "at most 32"
                    } else {
                        "32"
                    }
                )
            }
            _ => "bytes".to_owned(),
        };
    }
    match (
        field["minLength"].as_u64(),
        field["maxLength"].as_u64(),
        field["pattern"].as_str(),
    ) {
        (Some(least), Some(most), _) => format!("text, {least} to {most} bytes"),
        (None, Some(most), _) => format!("text, at most {most} bytes"),
        (_, _, Some("^.{1,32}$")) => "id, 1 to 32 bytes".to_owned(),
        (_, _, Some(pattern)) => format!("text, `{pattern}`"),
        _ => "text".to_owned(),
    }
}

/// The names of times, and the endings of others (P-MSG-10).
const TIMES: [&str; 4] = ["at", "since", "until", "server_time"];
const TIME_ENDINGS: [&str; 3] = ["_at", "_by", "_until"];
/// The ending of the names of durations (P-MSG-10).
const DURATION_ENDING: &str = "_ms";

#[test]
fn times_and_durations_have_the_names_of_the_clause() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/PROTOCOL.md");
    let document = std::fs::read_to_string(path).unwrap();
    let (_, from) = document.split_once("**P-MSG-10** ").unwrap();
    let (clause, _) = from.split_once("\n\n").unwrap();
    let named: Vec<&str> = clause.split('`').skip(1).step_by(2).collect();
    let used = [&TIMES[..], &TIME_ENDINGS, &[DURATION_ENDING]].concat();
    assert_eq!(named, used);
}

fn integer_kind(name: &str, field: &Value) -> String {
    if TIMES.contains(&name) || TIME_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return "time, ms".to_owned();
    }
    if name.ends_with(DURATION_ENDING) {
        return "duration, ms".to_owned();
    }
    let (least, most) = (
        field["minimum"].as_i64().unwrap(),
        field["maximum"].as_i64().unwrap(),
    );
    match (least, most) {
        (0, most) if most >= i64::from(u32::MAX) => "integer from 0".to_owned(),
        (least, _) if least < -i64::from(i16::MAX) => "integer".to_owned(),
        _ => format!("integer, {least} to {most}"),
    }
}

/// A comment without what only rustdoc understands, in one line.
fn plain(doc: &str) -> String {
    doc.replace("[`", "`")
        .replace("`]", "`")
        .replace('\n', " ")
        .replace('|', "\\|")
}
