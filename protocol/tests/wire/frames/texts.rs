//! Decoders of both directions refuse bytes in place of text, and the reverse, in every known field (P-MSG-15).

use serde_json::json;
use tilewire_protocol::{Codec, decode_client, decode_server};

use super::Case;
use crate::examples::{self, Message};
use crate::tree::Tree;

pub(super) fn all() -> Vec<Case> {
    let rename = json!(["rename", 1, { "name": "Anna" }]);
    let auth = json!(["auth", 1, { "token": "eyJ", "client": "c" }]);
    let play = json!(["play", 1, { "game": "g", "cmd_id": "c", "turn_no": 1, "start": "8F", "tiles": ["A", "B"] }]);
    let seek = json!(["seek", 1, { "cmd_id": "c", "options": { "rule_set": "classic", "seats": 2, "lexicon": "wordnik",
        "clock": { "kind": "untimed" } } }]);
    let later = json!(["time", 1, { "x": "text" }]);
    let presence = json!(["presence", 0, { "game": "g", "seat": 0, "connected": true }]);
    let event = json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "kind": "passed", "turn_no": 3, "seat": 1 }]);
    let refusal = json!(["error", 7, { "code": "busy", "message": "m", "retryable": true }]);
    let client = [
        ("bytes for a name", &rename, "name", "bad_field"),
        ("bytes for a token", &auth, "token", "bad_field"),
        ("bytes for an id", &play, "game", "bad_field"),
        ("bytes for a command id", &play, "cmd_id", "bad_field"),
        ("bytes for a face in a list", &play, "tiles", "bad_field"),
        (
            "bytes for a text within a map",
            &seek,
            "options.rule_set",
            "bad_field",
        ),
        (
            "bytes for a value of an enumeration",
            &seek,
            "options.clock.kind",
            "bad_field",
        ),
        ("bytes in an unknown field", &later, "x", "ok"),
    ];
    let server = [
        (
            "bytes for an id, of a server",
            &presence,
            "game",
            "bad_field",
        ),
        (
            "bytes for the kind of an event",
            &event,
            "kind",
            "bad_field",
        ),
        (
            "bytes for the code of an error",
            &refusal,
            "code",
            "bad_field",
        ),
        (
            "bytes for the text of an error",
            &refusal,
            "message",
            "bad_field",
        ),
    ];
    let case = |(name, message, path, expect): &(&str, &serde_json::Value, &str, &'static str)| {
        let mut tree = Tree::of(message);
        let place = match tree.body().at(path) {
            Tree::List(values) => &mut values[1],
            place => place,
        };
        swap(place);
        Case::packed(name, &tree.write(), expect)
    };
    let server = server.iter().map(|given| case(given).of_server());
    client.iter().map(case).chain(server).collect()
}

/// Turns a text into bytes, and bytes into a text.
fn swap(value: &mut Tree) {
    *value = match value {
        Tree::Text(text) => Tree::Bytes(text.clone().into_bytes()),
        Tree::Bytes(bytes) => Tree::Text("A".repeat(bytes.len())),
        other => panic!("{other:?} is neither"),
    };
}

/// Swaps each text and each bytes value of the body, one at a time, and calls `seen` with each frame.
fn each_swapped(tree: &Tree, mut seen: impl FnMut(&[u8])) {
    let leaves = leaves(&mut tree.clone(), usize::MAX);
    for wanted in 0..leaves {
        let mut changed = tree.clone();
        self::leaves(changed.body(), wanted);
        if changed != *tree {
            seen(&changed.write());
        }
    }
}

/// Counts the text and bytes values in a value, and swaps the one with the number `wanted`.
fn leaves(value: &mut Tree, wanted: usize) -> usize {
    fn walk(value: &mut Tree, wanted: usize, count: &mut usize) {
        match value {
            Tree::Text(_) | Tree::Bytes(_) => {
                if *count == wanted {
                    swap(value);
                }
                *count += 1;
            }
            Tree::List(values) => values
                .iter_mut()
                .for_each(|value| walk(value, wanted, count)),
            Tree::Map(fields) => fields
                .iter_mut()
                .for_each(|(_, value)| walk(value, wanted, count)),
            Tree::Bool(_) | Tree::Int(_) | Tree::Uint(_) => {}
        }
    }
    let mut count = 0;
    walk(value, wanted, &mut count);
    count
}

/// [P-MSG-15] The decoders refuse a swapped value in every known field of every message.
#[test]
fn neither_stands_for_the_other_anywhere() {
    let mut tried = 0;
    for example in examples::all() {
        let tree = Tree::read(&example.encode(Codec::MsgPack));
        each_swapped(&tree, |frame| {
            let refusal = match &example.message {
                Message::Client(_) => decode_client(Codec::MsgPack, frame).map(drop),
                Message::Server(_) => decode_server(Codec::MsgPack, frame).map(drop),
            };
            let refusal = refusal.expect_err(example.name);
            assert_eq!(refusal.code.as_str(), "bad_field", "{}", example.name);
            assert!(refusal.field.is_some(), "{}: {refusal}", example.name);
            assert_eq!(refusal.id, Some(example.id), "{}", example.name);
            tried += 1;
        });
    }
    assert!(tried > 500, "only {tried} fields were tried");
}
