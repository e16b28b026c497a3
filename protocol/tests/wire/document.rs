//! The tables of `docs/PROTOCOL.md` are those of the code. `UPDATE_DOCS=1` rewrites them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use serde_json::Value;
use tilewire_protocol::{
    ClientMessage, CloseCode, Codec, ErrorCode, EventBody, ServerMessage, limits,
};

use crate::examples::{self, Example, Message};

#[test]
fn the_tables_are_those_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PROTOCOL.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let mut expected = document.clone();
    for (name, table) in [
        ("limits", limits_table()),
        ("errors", errors_table()),
        ("closes", closes_table()),
        ("examples", examples_list()),
    ] {
        expected = replace(&expected, name, &table);
    }
    if expected != document && std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert!(
        expected == document,
        "docs/PROTOCOL.md is not up to date; UPDATE_DOCS=1 rewrites its tables"
    );
}

#[test]
fn every_message_and_kind_is_described() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PROTOCOL.md");
    let document = std::fs::read_to_string(path).unwrap();
    for name in ClientMessage::OPS
        .iter()
        .chain(ServerMessage::OPS)
        .chain(EventBody::KINDS)
    {
        let heading = format!("`{name}`");
        assert!(
            document.contains(&heading),
            "{name} is not in docs/PROTOCOL.md"
        );
    }
}

/// Every field that ever appears is named in the text, not only in an example.
#[test]
fn every_field_is_described() {
    fn keys(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    found.insert(key.clone());
                    keys(value, found);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PROTOCOL.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut found = BTreeSet::new();
    for example in examples::all() {
        keys(
            &serde_json::from_slice(&example.encode(Codec::Json)).unwrap(),
            &mut found,
        );
    }
    // Limits are named by the example of `hello` alone.
    let limits = [
        "client_frame_bytes",
        "requests_in_flight",
        "attached_games",
        "messages_per_second",
        "message_burst",
        "open_seeks",
    ];
    let missing: Vec<_> = found
        .iter()
        .filter(|key| !limits.contains(&key.as_str()))
        .filter(|key| !document.contains(&format!("`{key}`")))
        .collect();
    assert!(missing.is_empty(), "not in docs/PROTOCOL.md: {missing:?}");
}

/// Puts a table between its markers.
fn replace(document: &str, name: &str, table: &str) -> String {
    let (begin, end) = (
        format!("<!-- {name} begin -->\n"),
        format!("<!-- {name} end -->"),
    );
    let (before, rest) = document
        .split_once(&begin)
        .unwrap_or_else(|| panic!("no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{begin}{table}{end}{after}")
}

fn limits_table() -> String {
    let mut table = "| what | limit |\n|---|---|\n".to_owned();
    let rows: &[(&str, i64)] = &[
        (
            "bytes of a client's frame",
            size(limits::CLIENT_FRAME_MAX_BYTES),
        ),
        (
            "bytes of a server's frame",
            size(limits::SERVER_FRAME_MAX_BYTES),
        ),
        ("nesting of maps and arrays", size(limits::NESTING_MAX)),
        ("entries of a map", size(limits::MAP_ENTRIES_MAX)),
        ("largest integer, either sign", limits::INTEGER_MAX),
        ("bytes of an id", size(limits::ID_MAX_BYTES)),
        ("characters of a `cmd_id`", size(limits::CMD_ID_MAX_BYTES)),
        ("bytes of a token", size(limits::TOKEN_MAX_BYTES)),
        ("characters of a display name", size(limits::NAME_MAX_CHARS)),
        (
            "bytes of the name of a client program",
            size(limits::CLIENT_NAME_MAX_BYTES),
        ),
        ("bytes of a private code", size(limits::CODE_MAX_BYTES)),
        (
            "bytes of the name of a rule set or lexicon",
            size(limits::CATALOGUE_NAME_MAX_BYTES),
        ),
        ("tiles in one request", size(limits::REQUEST_TILES_MAX)),
        ("bytes of a face", size(limits::FACE_MAX_BYTES)),
        (
            "characters of the start of a play",
            size(limits::COORDINATE_MAX_BYTES),
        ),
        ("bytes of a nonce", size(limits::NONCE_MAX_BYTES)),
        (
            "accepted commands remembered for each seat",
            size(limits::SEAT_COMMANDS_KEPT),
        ),
        (
            "how long seek commands are remembered, ms",
            limits::SEEK_COMMANDS_KEPT_MS,
        ),
        ("time for `auth`, ms *", limits::AUTH_WITHIN_MS),
        ("interval of pings, ms *", limits::HEARTBEAT_MS),
        (
            "silence that ends a connection, ms *",
            limits::HEARTBEAT_LOST_MS,
        ),
        (
            "unanswered requests *",
            size(limits::REQUESTS_IN_FLIGHT_MAX),
        ),
        (
            "games attached on one connection *",
            size(limits::ATTACHED_GAMES_MAX),
        ),
        (
            "messages per second in the long run *",
            i64::from(limits::MESSAGES_PER_SECOND),
        ),
        (
            "messages at once after a rest *",
            i64::from(limits::MESSAGE_BURST),
        ),
        ("open seeks of one identity *", size(limits::OPEN_SEEKS_MAX)),
    ];
    for (what, limit) in rows {
        writeln!(table, "| {what} | {limit} |").unwrap();
    }
    table
}

fn size(size: usize) -> i64 {
    i64::try_from(size).unwrap()
}

fn errors_table() -> String {
    let mut table =
        "| code | meaning | again? | what a client does |\n|---|---|---|---|\n".to_owned();
    for code in ErrorCode::ALL {
        let again = if code.retryable() { "later" } else { "no" };
        let (meaning, remedy) = (code.meaning(), code.remedy().as_str());
        writeln!(table, "| `{code}` | {meaning} | {again} | {remedy} |").unwrap();
    }
    table
}

fn closes_table() -> String {
    let mut table =
        "| code | name | meaning | what a client does |\n|---|---|---|---|\n".to_owned();
    for code in CloseCode::ALL {
        let (number, name) = (code.as_u16(), code.as_str());
        writeln!(
            table,
            "| {number} | {name} | {} | {} |",
            code.meaning(),
            code.advice()
        )
        .unwrap();
    }
    table
}

/// The longest example of each op and kind, which shows the most fields; every example of `ok`.
fn examples_list() -> String {
    let all = examples::all();
    let named = |direction: fn(&Message) -> Option<String>, name: &str| {
        let of_name = |example: &&Example| direction(&example.message).as_deref() == Some(name);
        all.iter().filter(of_name).collect::<Vec<_>>()
    };
    let op_of_client = |message: &Message| match message {
        Message::Client(message) => Some(message.op().to_owned()),
        Message::Server(_) => None,
    };
    let op_of_server = |message: &Message| match message {
        Message::Server(message) => Some(message.op().to_owned()),
        Message::Client(_) => None,
    };
    let kind = |message: &Message| match message {
        Message::Server(ServerMessage::Event(event)) => Some(event.body.kind().to_owned()),
        _ => None,
    };
    let mut text = String::new();
    let mut section = |title: &str, names: &[&str], direction: fn(&Message) -> Option<String>| {
        writeln!(text, "{title}:\n\n```json").unwrap();
        for name in names.iter().filter(|&&name| name != "event") {
            let mut shown: Vec<String> = named(direction, name)
                .iter()
                .map(|example| String::from_utf8(example.encode(Codec::Json)).unwrap())
                .collect();
            if *name != "ok" {
                shown.sort_by_key(|json| std::cmp::Reverse(json.len()));
                shown.truncate(1);
            }
            for json in shown {
                writeln!(text, "{json}").unwrap();
            }
        }
        text.push_str("```\n\n");
    };
    section("Requests", ClientMessage::OPS, op_of_client);
    section("Answers and pushes", ServerMessage::OPS, op_of_server);
    section("Events", EventBody::KINDS, kind);
    text.truncate(text.trim_end().len());
    text + "\n"
}
