//! Broken clients: a correct client behind a relay that changes its messages.

use serde_json::{Value, json};

use super::super::client::scripts::is_command;
use super::super::raw::{Frame, PONG};
use super::super::relay::{Connection, Side, Tap};
use super::Mutation;

/// Every broken client.
pub(super) const ALL: &[Mutation] = &[
    Mutation::of("tries again under a new cmd_id", "cut/command-lost", || {
        Box::new(Spoiled(new_cmd_ids))
    }),
    Mutation::of("forgets its token", "cut/while-waiting", || {
        Box::new(Spoiled(forgets_token))
    }),
    Mutation::of(
        "resumes from the wrong place",
        "cut/in-the-others-turn",
        || Box::new(Spoiled(resumes_beyond)),
    ),
    Mutation::of("loses its place", "cut/answer-lost", || {
        Box::new(Spoiled(resumes_from_nowhere))
    }),
    Mutation::of("sends null", "plays/a-game", || {
        Box::new(Spoiled(sends_null))
    }),
    Mutation::of("says everything twice", "plays/a-game", || {
        Box::new(Spoiled(says_twice))
    }),
    Mutation::of("greets before auth", "plays/a-game", || {
        Box::new(Spoiled(greets_first))
    }),
    Mutation::of("does not answer pings", "plays/pings", || Box::new(NoPongs)),
    Mutation::of(
        "faints at what it does not know",
        "later/unknown-messages",
        || Box::new(Faints(|message| message[0] == "weather")),
    ),
    Mutation::of(
        "faints when it is asked to abort",
        "rated/abort-requested",
        || Box::new(Faints(|message| message[2]["kind"] == "abort_requested")),
    ),
    Mutation::of("faints when it is nudged", "nudges/nudged", || {
        Box::new(Faints(|message| message[2]["kind"] == "nudged"))
    }),
    Mutation::of("faints when it is given time", "gifts/given", || {
        Box::new(Faints(|message| message[2]["kind"] == "time_given"))
    }),
    Mutation::of("faints at a vacation", "vacations/told", || {
        Box::new(Faints(|message| message[2]["kind"] == "vacation"))
    }),
    Mutation::of("faints at a pause", "paused/by-an-operator", || {
        Box::new(Faints(|message| message[2]["kind"] == "paused"))
    }),
    Mutation::of("faints at a new rating", "rated/new-ratings", || {
        Box::new(Faints(|message| message[0] == "rating"))
    }),
    Mutation::of("leaves without a word", "plays/farewell", || {
        Box::new(Leaves)
    }),
    Mutation::of(
        "answers a request to adjourn without an answer",
        "adjourning/agreed",
        || Box::new(Spoiled(answers_nothing)),
    ),
    Mutation::of("plays in an adjourned game", "adjourning/agreed", || {
        Box::new(Spoiled(passes_asleep))
    }),
    Mutation::of(
        "faints at an adjourned game",
        "adjourning/asleep-in-a-snapshot",
        || Box::new(Faints(|message| message[2].get("adjourned").is_some())),
    ),
];

/// Changes a message of the client; the flag tells whether this is a later connection.
struct Spoiled(fn(Value, bool) -> Vec<Value>);

impl Tap for Spoiled {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        match wire.message(&frame).filter(|_| from == Side::Client) {
            Some(message) => {
                for message in (self.0)(message, wire.connection > 0) {
                    wire.say(from, &message);
                }
            }
            None => wire.pass(from, frame),
        }
    }
}

fn new_cmd_ids(mut message: Value, is_later: bool) -> Vec<Value> {
    if is_later && is_command(&message) {
        let cmd_id = message[2]["cmd_id"].as_str().unwrap_or_default();
        message[2]["cmd_id"] = json!(format!("{cmd_id}-again"));
    }
    vec![message]
}

fn forgets_token(mut message: Value, is_later: bool) -> Vec<Value> {
    if is_later && message[0] == "auth" {
        message[2]
            .as_object_mut()
            .map(|fields| fields.remove("token"));
    }
    vec![message]
}

fn resumes_beyond(mut message: Value, is_later: bool) -> Vec<Value> {
    if let Some(seq) = message[2]["seq"]
        .as_u64()
        .filter(|_| is_later && message[0] == "attach")
    {
        message[2]["seq"] = json!(seq + 1);
    }
    vec![message]
}

fn resumes_from_nowhere(mut message: Value, is_later: bool) -> Vec<Value> {
    if is_later && message[0] == "attach" {
        for field in ["epoch", "seq"] {
            message[2]
                .as_object_mut()
                .map(|fields| fields.remove(field));
        }
    }
    vec![message]
}

fn sends_null(mut message: Value, _: bool) -> Vec<Value> {
    if message[0] == "attach" {
        message[2]["code"] = Value::Null;
    }
    vec![message]
}

fn says_twice(message: Value, _: bool) -> Vec<Value> {
    let again = is_command(&message).then(|| {
        let mut again = message.clone();
        let id = again[1].as_u64().unwrap_or(0);
        again[1] = json!(id + 100_000);
        again
    });
    std::iter::once(message).chain(again).collect()
}

fn greets_first(message: Value, _: bool) -> Vec<Value> {
    if message[0] == "auth" {
        vec![json!(["time", 90_000, {}]), message]
    } else {
        vec![message]
    }
}

fn answers_nothing(mut message: Value, _: bool) -> Vec<Value> {
    if message[0] == "answer_adjourn" {
        message[2]
            .as_object_mut()
            .map(|fields| fields.remove("agree"));
    }
    vec![message]
}

fn passes_asleep(mut message: Value, _: bool) -> Vec<Value> {
    if message[0] == "resume_game" {
        message[0] = json!("pass");
        message[2]["turn_no"] = json!(1);
    }
    vec![message]
}

struct NoPongs;

impl Tap for NoPongs {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        if from == Side::Server || frame.opcode != PONG {
            wire.pass(from, frame);
        }
    }
}

/// Ends at a message of the server.
struct Faints(fn(&Value) -> bool);

impl Tap for Faints {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).filter(|_| from == Side::Server);
        if message.is_some_and(|message| (self.0)(&message)) {
            return wire.pass(from, Frame::close(1002, "what is that?"));
        }
        wire.pass(from, frame);
    }
}

struct Leaves;

impl Tap for Leaves {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        if from == Side::Client && frame.opcode == super::super::raw::CLOSE {
            return wire.cut();
        }
        wire.pass(from, frame);
    }
}
