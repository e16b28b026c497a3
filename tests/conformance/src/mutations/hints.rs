//! Servers that break what the protocol says about hints.

use serde_json::{Value, json};

use super::{Mutation, changes};

/// Every such server.
pub(super) const ALL: &[Mutation] = &[
    Mutation::of(
        "says more than the grade of a hint",
        "hints/grades",
        changed!(says_the_line),
    ),
    Mutation::of(
        "forgets used hints",
        "hints/in-snapshots",
        changed!(|message| changes::without_in_snapshots(message, "hints")),
    ),
    Mutation::of(
        "tells everybody what a hint says",
        "hints/secret",
        changed!(tells_all),
    ),
    Mutation::of(
        "shows a hint that cannot be played",
        "hints/told",
        changed!(shows_another_score),
    ),
];

fn says_the_line(message: &mut Value) -> Vec<Value> {
    if message[0] == "hint" {
        message[2]["line"] = json!("8");
        message[2]["start"] = json!("8H");
    }
    vec![message.take()]
}

fn tells_all(message: &mut Value) -> Vec<Value> {
    if message[0] == "event" && message[2]["kind"] == "hint_used" {
        message[2]["theme"] = json!("bonus");
    }
    vec![message.take()]
}

fn shows_another_score(message: &mut Value) -> Vec<Value> {
    if message[0] == "hint" {
        message[2]["theme"] = json!("play");
        message[2]["score"] = json!(-1);
    }
    vec![message.take()]
}
