//! What happens to a client on the way: each script is one kind of trouble, and the rest of the traffic passes as it is.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::raw::{CLOSE, CONTINUATION, FIN, Frame, PING, frame};
use super::super::relay::{Side, Tap, Wire};

/// Requests that act in a game or on a seek.
#[must_use]
pub fn is_command(message: &Value) -> bool {
    message[2].get("cmd_id").is_some()
}

/// Changes the messages of the server one by one.
pub struct Changed(pub fn(&mut Value) -> Vec<Value>);

impl Tap for Changed {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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

/// Leaves out what may be missing.
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

/// Clocks at their edges: nothing left, overtime, more than anybody will ever use.
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
        if seq % 3 == 0
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
    fn frame(&mut self, from: Side, whole: Frame, wire: &mut Wire) {
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        let message = wire.message(&frame).filter(|_| from == Side::Server);
        match message {
            // Only the answer of an `attach` has to come before what follows from it.
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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

/// At which moment a connection is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The offer was sent, its answer is lost.
    SeekAnswer,
    /// The offer is answered, nothing has happened yet.
    Offered,
    /// The game is asked for, the answer is lost.
    AttachAnswer,
    /// A command is sent and does not arrive.
    CommandLost,
    /// A command arrives, its answer and its events are lost.
    AnswerLost,
    /// The events of a command have come, its answer is lost.
    EventsOnly,
    /// In the middle of a frame.
    InAFrame,
    /// After an event of somebody else's turn.
    OtherTurn,
    /// A few messages after the connection was opened.
    EveryFew,
}

/// Loses the connection at a moment, once or again and again.
pub struct Cut {
    moment: Moment,
    times: u32,
    /// The request that is watched.
    watched: Option<u64>,
    dead: Option<usize>,
    /// Messages of the server on this connection.
    heard: u32,
}

impl Cut {
    /// Loses the connection at this moment.
    #[must_use]
    pub const fn at(moment: Moment) -> Self {
        Self {
            moment,
            times: 1,
            watched: None,
            dead: None,
            heard: 0,
        }
    }

    /// Loses it again and again.
    #[must_use]
    pub const fn often(moment: Moment, times: u32) -> Self {
        Self {
            moment,
            times,
            watched: None,
            dead: None,
            heard: 0,
        }
    }

    fn is_watched(&self, message: &Value) -> bool {
        let op = message[0].as_str().unwrap_or_default();
        match self.moment {
            Moment::SeekAnswer | Moment::Offered => {
                ["seek", "quick_match", "join_seek"].contains(&op)
            }
            Moment::AttachAnswer => op == "attach",
            _ => ["play", "exchange", "pass"].contains(&op),
        }
    }

    /// Whether answers are not what it waits for.
    fn is_patient(&self) -> bool {
        matches!(self.moment, Moment::OtherTurn | Moment::EveryFew)
    }

    fn cut(&mut self, wire: &mut Wire) {
        self.times -= 1;
        self.watched = None;
        self.dead = Some(wire.connection);
        wire.cut();
    }
}

impl Tap for Cut {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        if self.dead == Some(wire.connection) {
            return;
        }
        let message = wire.message(&frame).unwrap_or_default();
        if self.times == 0 {
            return wire.pass(from, frame);
        }
        if from == Side::Client {
            if self.is_watched(&message) && self.watched.is_none() {
                self.watched = message[1].as_u64();
                if self.moment == Moment::CommandLost {
                    // It was said, and nobody heard it.
                    wire.leave_server();
                    wire.pass(from, frame);
                    return self.cut(wire);
                }
            }
            return wire.pass(from, frame);
        }
        let is_answer = self.watched.is_some() && message[1].as_u64() == self.watched;
        self.heard = if message[0] == "hello" {
            0
        } else {
            self.heard + 1
        };
        match self.moment {
            Moment::EveryFew if self.heard == 12 => {
                wire.pass(from, frame);
                self.cut(wire);
            }
            Moment::Offered if is_answer => {
                wire.pass(from, frame);
                self.cut(wire);
            }
            Moment::EventsOnly if is_answer => {
                // Until the events have come, the answer stays away.
                let seq = message[2]["seq"].as_u64().unwrap_or(0);
                self.watched = Some(u64::MAX - seq);
            }
            Moment::EventsOnly
                if message[0] == "event" && self.watched.is_some_and(|seq| seq > u64::MAX / 2) =>
            {
                wire.pass(from, frame);
                self.cut(wire);
            }
            Moment::AnswerLost if self.watched.is_some() && message[0] == "event" => {}
            Moment::InAFrame if self.watched.is_some() => {
                let bytes = frame.bytes(None);
                wire.raw_to_client(&bytes[..bytes.len() / 2]);
                self.cut(wire);
            }
            Moment::OtherTurn if message[2]["kind"] == "passed" && message[2]["seat"] == 1 => {
                wire.pass(from, frame);
                self.cut(wire);
            }
            _ if is_answer && !self.is_patient() => self.cut(wire),
            _ => wire.pass(from, frame),
        }
    }
}

/// Closes with a code, in the middle of the game.
pub struct Closing {
    code: u16,
    reason: &'static str,
    turns: u32,
    done: bool,
    dead: Option<usize>,
}

impl Closing {
    /// Closes once, with this code and reason.
    #[must_use]
    pub const fn with(code: u16, reason: &'static str) -> Self {
        Self {
            code,
            reason,
            turns: 0,
            done: false,
            dead: None,
        }
    }
}

impl Tap for Closing {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        if self.dead == Some(wire.connection) {
            // The client answers the close frame and says no more that counts.
            if from == Side::Client && frame.opcode == CLOSE {
                wire.cut();
            }
            return;
        }
        let message = wire.message(&frame).unwrap_or_default();
        wire.pass(from, frame);
        if !self.done && from == Side::Server && message[2]["kind"] == "turn_started" {
            self.turns += 1;
            if self.turns == 2 {
                self.done = true;
                self.dead = Some(wire.connection);
                wire.pass(Side::Server, Frame::close(self.code, self.reason));
                wire.leave_server();
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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

/// The client resumes, and the server cannot tell what it missed: it gets a snapshot.
#[derive(Default)]
pub struct Forgetful {
    cut: Option<usize>,
}

impl Tap for Forgetful {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        if self.cut == Some(wire.connection) {
            return;
        }
        let message = wire.message(&frame).unwrap_or_default();
        if from == Side::Server && self.cut.is_none() && message[2]["kind"] == "play_made" {
            wire.pass(from, frame);
            self.cut = Some(wire.connection);
            return wire.cut();
        }
        if from == Side::Client && self.cut.is_some() && message[0] == "attach" {
            let mut bare = message.clone();
            for field in ["epoch", "seq"] {
                bare[2].as_object_mut().map(|fields| fields.remove(field));
            }
            wire.note_only(from, &frame);
            return wire.say_unheard(from, &bare);
        }
        wire.pass(from, frame);
    }
}

/// A snapshot comes that nobody asked for: the relay asks in the client's place.
#[derive(Default)]
pub struct Unasked {
    turns: u32,
}

impl Unasked {
    const ID: u64 = 900_000;
}

impl Tap for Unasked {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
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
