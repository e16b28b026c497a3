//! Scripts: each disturbs the connection of a client in one way and passes all other traffic unchanged.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::raw::{CONTINUATION, FIN, Frame, PING, frame};
use super::super::relay::{Connection, Side, Tap};

/// Requests that act in a game or on a seek.
#[must_use]
pub fn is_command(message: &Value) -> bool {
    message[2].get("cmd_id").is_some()
}

/// Changes the messages of the server one by one.
pub struct Changed(pub fn(&mut Value) -> Vec<Value>);

impl Tap for Changed {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        match (from, wire.message(&frame)) {
            (Side::Server, Some(mut message)) => {
                for message in (self.0)(&mut message) {
                    wire.say(Side::Server, &message);
                }
            }
            _ => wire.pass(from, frame),
        }
    }
}

/// Adds fields of a later version to every map the server sends.
pub fn unknown_fields(message: &mut Value) -> Vec<Value> {
    fn add(value: &mut Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(add),
            Value::Object(fields) => {
                fields.values_mut().for_each(add);
                fields.insert(
                    "zz_later".to_owned(),
                    json!({ "version": 7, "list": [1, "two", false] }),
                );
                fields.insert("aa_later".to_owned(), json!("x".repeat(40)));
            }
            _ => {}
        }
    }
    add(&mut message[2]);
    vec![message.take()]
}

/// Puts messages of a later version between those of the server, and kinds of pushes the client may never have seen.
pub fn unknown_messages(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    if message[0] == "hello" || message[0] == "welcome" {
        return vec![message];
    }
    let game = &message[2]["game"];
    let mut all = vec![
        json!(["weather", 0, { "sky": "blue", "wind": [3, 4] }]),
        json!(["notice", 0, { "code": "later_notice", "text": "Something new." }]),
        json!(["lobby", 0, { "change": "seek_painted", "seek_id": "s" }]),
        json!(["lobby", 0, { "change": "seek_removed", "seek_id": "nosuchseek" }]),
        json!(["lag", 0, { "lag_ms": 3 }]),
    ];
    if game.is_string() {
        all.push(json!(["crowd", 0, { "game": game, "watching": 120 }]));
        all.push(json!(["presence", 0, { "game": game, "seat": 1, "connected": true }]));
    }
    all.push(message);
    all
}

/// Kinds the client does not need become kinds it cannot know; their numbers count.
pub fn unknown_kinds(message: &mut Value) -> Vec<Value> {
    if message[0] == "event" && message[2]["kind"] == "bag_shuffled" {
        message[2]["kind"] = json!("bag_painted");
    }
    vec![message.take()]
}

/// Removes optional fields.
pub fn without_optional(message: &mut Value) -> Vec<Value> {
    if message[0] == "hello" {
        for list in ["lexica", "rule_sets"] {
            for entry in message[2][list].as_array_mut().into_iter().flatten() {
                for field in ["language", "summary", "languages"] {
                    entry.as_object_mut().map(|fields| fields.remove(field));
                }
            }
        }
        message[2]
            .as_object_mut()
            .map(|fields| fields.remove("bots"));
    }
    if message[0] == "error" {
        message[2]
            .as_object_mut()
            .map(|fields| fields.remove("detail"));
    }
    if ["lag", "crowd", "presence"].contains(&message[0].as_str().unwrap_or_default()) {
        return Vec::new();
    }
    vec![message.take()]
}

/// Every event twice.
pub fn twice(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    if message[0] == "event" {
        vec![message.clone(), message]
    } else {
        vec![message]
    }
}

/// Clocks at their edges: nothing left, overtime, more than a game can use.
pub fn odd_clocks(message: &mut Value) -> Vec<Value> {
    let seq = message[2]["seq"].as_u64().unwrap_or(0);
    if let Some(clocks) = message[2].get_mut("clocks") {
        let main = [0, -1, -8_500, (1_i64 << 53) - 1][usize::try_from(seq % 4).unwrap_or(0)];
        for value in clocks["main_ms"].as_array_mut().into_iter().flatten() {
            *value = json!(main);
        }
        for value in clocks["allowance_ms"].as_array_mut().into_iter().flatten() {
            *value = json!(0);
        }
        if seq.is_multiple_of(3)
            && let Some(running) = clocks.get_mut("running")
        {
            running["since"] = json!(1_000);
        }
    }
    vec![message.take()]
}

/// Every message in three frames, with pings in between.
pub struct InPieces;

impl Tap for InPieces {
    fn frame(&mut self, from: Side, whole: Frame, wire: &mut Connection) {
        let is_message = from == Side::Server && whole.opcode == wire.encoding.opcode();
        if !is_message || whole.payload.len() < 9 {
            return wire.pass(from, whole);
        }
        let third = whole.payload.len() / 3;
        let payload = &whole.payload;
        wire.raw_to_client(&frame(whole.opcode, &payload[..third], None));
        wire.pass(from, Frame::whole(PING, format!("{}", payload.len())));
        wire.raw_to_client(&frame(CONTINUATION, &payload[third..2 * third], None));
        wire.raw_to_client(&frame(FIN | CONTINUATION, &payload[2 * third..], None));
        wire.note_only(from, &whole);
    }
}

/// Loses one event.
#[derive(Default)]
pub struct Gap {
    events: u32,
}

impl Tap for Gap {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        if from == Side::Server
            && wire
                .message(&frame)
                .is_some_and(|message| message[0] == "event")
        {
            self.events += 1;
            if self.events == 9 {
                return;
            }
        }
        wire.pass(from, frame);
    }
}

/// Answers come in another order than their requests, and late.
pub struct Late {
    /// How late.
    pub by: Duration,
    /// Whether the order is turned around: every second answer waits twice as long.
    pub shuffled: bool,
    answers: u32,
}

impl Late {
    /// Answers late, and out of order if `shuffled`.
    #[must_use]
    pub const fn new(by: Duration, shuffled: bool) -> Self {
        Self {
            by,
            shuffled,
            answers: 0,
        }
    }
}

impl Tap for Late {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).filter(|_| from == Side::Server);
        match message {
            // Only the answer of an `attach` must precede the messages that follow from it.
            Some(message)
                if message[1] != 0
                    && message[0] != "welcome"
                    && message[2].get("outcome").is_none() =>
            {
                self.answers += 1;
                let twice = self.shuffled && self.answers % 2 == 1;
                wire.say_later(message, if twice { self.by * 2 } else { self.by });
            }
            _ => wire.pass(from, frame),
        }
    }
}

/// Events wait until the command that caused them is answered.
#[derive(Default)]
pub struct AnswersFirst {
    open: Vec<u64>,
    held: Vec<Frame>,
}

impl Tap for AnswersFirst {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).unwrap_or_default();
        let id = message[1].as_u64().unwrap_or(0);
        if from == Side::Client {
            if is_command(&message) {
                self.open.push(id);
            }
            return wire.pass(from, frame);
        }
        if message[0] == "event" && !self.open.is_empty() {
            return self.held.push(frame);
        }
        self.open.retain(|open| *open != id);
        wire.pass(from, frame);
        if self.open.is_empty() {
            for frame in std::mem::take(&mut self.held) {
                wire.pass(Side::Server, frame);
            }
        }
    }
}

/// Refuses commands in the server's place, without its ever hearing of them.
pub struct Refusing {
    error: fn() -> Value,
    times: u32,
}

impl Refusing {
    /// Refuses so many commands of the game with this error.
    #[must_use]
    pub const fn with(error: fn() -> Value, times: u32) -> Self {
        Self { error, times }
    }
}

impl Tap for Refusing {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).unwrap_or_default();
        let op = message[0].as_str().unwrap_or_default();
        let is_turn = from == Side::Client && ["play", "exchange", "pass"].contains(&op);
        if is_turn && self.times > 0 {
            self.times -= 1;
            wire.note_only(from, &frame);
            return wire.say(Side::Server, &json!(["error", message[1], (self.error)()]));
        }
        wire.pass(from, frame);
    }
}

/// The client gets a snapshot that it did not request: the relay requests it.
#[derive(Default)]
pub struct Unasked {
    turns: u32,
}

impl Unasked {
    const ID: u64 = 900_000;
}

impl Tap for Unasked {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).unwrap_or_default();
        if from == Side::Server && message[1] == Self::ID {
            return;
        }
        wire.pass(from, frame);
        if from == Side::Server && message[2]["kind"] == "turn_started" {
            self.turns += 1;
            if self.turns == 2 {
                let game = json!({ "game": message[2]["game"] });
                wire.say_unheard(Side::Client, &json!(["attach", Self::ID, game]));
            }
        }
    }
}

/// The server ends the stream of the game, for now.
#[derive(Default)]
pub struct Detaching {
    turns: u32,
    silent: bool,
}

impl Tap for Detaching {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        let message = wire.message(&frame).unwrap_or_default();
        if from == Side::Client {
            self.silent &= message[0] != "attach";
            return wire.pass(from, frame);
        }
        if self.silent && (message[0] == "event" || message[0] == "snapshot") {
            return;
        }
        wire.pass(from, frame);
        if message[2]["kind"] == "turn_started" {
            self.turns += 1;
            if self.turns == 2 {
                self.silent = true;
                let game = &message[2]["game"];
                let body = json!({ "game": game, "code": "busy", "message": "too much to do" });
                wire.say(Side::Server, &json!(["detached", 0, body]));
            }
        }
    }
}

/// Says that the game is a rematch, and offers the next one when it has ended.
pub fn rematches(message: &mut Value) -> Vec<Value> {
    let mut message = message.take();
    if let Some(setup) = message[2].get_mut("setup") {
        let seats = setup["seats"].as_array().map_or(0, Vec::len);
        let score = vec![1; seats];
        setup["series"] =
            json!({ "first_game": "an-earlier-game", "number": 2, "score": score, "first": 0 });
    }
    let game = message[2]["game"].clone();
    if message[2]["kind"] != "ended" {
        return vec![message];
    }
    let told = |body: Value| {
        let mut body = body;
        body["game"] = game.clone();
        json!(["rematch", 0, body])
    };
    let offered = told(json!({ "agreed": [1], "expires_at": message[2]["at"] }));
    let ended = told(json!({ "end": "expired" }));
    let begun = told(json!({ "next": "the-next-game" }));
    vec![message, offered, ended, begun]
}

/// Tells of an invitation, and of its end, when a game is created.
pub fn invitations(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    let Some(setup) = message[2].get("setup") else {
        return vec![message];
    };
    let player = |seat: &Value| json!({ "identity": seat["identity"], "name": seat["name"] });
    let mut told = json!({
        "invitation": "an-invitation", "from": player(&setup["seats"][1]), "to": player(&setup["seats"][0]),
        "options": setup["options"], "created_at": setup["created_at"], "expires_at": setup["created_at"],
    });
    let open = json!(["invitation", 0, told]);
    told["end"] = json!("declined");
    told["reason"] = json!("busy");
    let ended = json!(["invitation", 0, told]);
    vec![message, open, ended]
}
