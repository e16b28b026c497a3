//! Scripts about questions of the opponent (to abort a rated game, a nudge), given time, a vacation, a pause, new ratings, and
//! players with ratings.
//! The game behind them is not rated.

use serde_json::{Value, json};

use super::super::raw::Frame;
use super::super::relay::{Connection, Side, Tap};

/// The seat of the client, which has opened the seek.
const CLIENT: u64 = 0;
/// The seat of the opponent.
const OPPONENT: u64 = 1;
/// The turn before which both seats have completed one.
const BOTH_HAVE_PLAYED: u64 = 3;
/// The time for an answer, ms.
const ANSWER_MS: i64 = 60_000;
/// The time that the client is given, ms.
const GIFT_MS: i64 = 15_000;
/// How long the opponent is on vacation, ms.
const VACATION_MS: i64 = 5 * 24 * 3_600_000;

/// An event that the server did not send.
struct Inserted {
    /// The number of the server's event before it.
    after: u64,
    event: Value,
}

/// The opponent's request or gift.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Question {
    /// To abort the game, in the first turn. The request is declined by the client, or when both have played.
    #[default]
    Abort,
    /// Whether the client is still there, in its first turn. The client answers, or ends its turn.
    Nudge,
    /// Nothing: it gives the client time, in its first turn.
    Gift,
    /// Nothing: it is on vacation, from the client's first turn on.
    Vacation,
    /// Nothing: an operator pauses the game in the client's first turn, and lets it go on at once.
    Pause,
}

/// The opponent asks or gives something that the server does not know of.
///
/// The relay inserts the events, so the client knows other numbers than the server: they are translated on the way.
#[derive(Default)]
pub struct Asker {
    inserted: Vec<Inserted>,
    /// The header of the server's last event.
    last: Value,
    question: Question,
    /// Whether the client can answer a nudge.
    is_nudged: bool,
    /// The client loses the connection while it is asked, and gets a snapshot when it comes back.
    is_cut: bool,
    dead: Option<usize>,
}

impl Asker {
    /// The client also loses its connection while it is asked.
    #[must_use]
    pub fn and_cut() -> Self {
        Self {
            is_cut: true,
            ..Self::default()
        }
    }

    /// The client is nudged instead.
    #[must_use]
    pub fn by_nudge() -> Self {
        Self {
            question: Question::Nudge,
            ..Self::default()
        }
    }

    /// The client is given time instead.
    #[must_use]
    pub fn by_gift() -> Self {
        Self {
            question: Question::Gift,
            ..Self::default()
        }
    }

    /// The opponent goes on vacation instead.
    #[must_use]
    pub fn by_vacation() -> Self {
        Self {
            question: Question::Vacation,
            ..Self::default()
        }
    }

    /// An operator pauses the game instead.
    #[must_use]
    pub fn by_pause() -> Self {
        Self {
            question: Question::Pause,
            ..Self::default()
        }
    }

    /// The client's number of a server's event.
    fn told(&self, seq: u64) -> u64 {
        seq + self
            .inserted
            .iter()
            .filter(|known| known.after < seq)
            .count() as u64
    }

    /// The client's number of the last event up to a server's event.
    fn told_up_to(&self, seq: u64) -> u64 {
        self.told(seq + 1) - 1
    }

    /// The server's number of the last event that the client has if it has this one.
    fn meant(&self, seq: u64) -> u64 {
        let earlier = self.inserted.iter().zip(1..);
        let earlier = earlier.filter(|(known, count)| known.after + count <= seq);
        seq - earlier.count() as u64
    }

    /// The server's number from which a client goes on that has this event. If an inserted event follows, the server tells
    /// the one before it again, and the client drops that.
    fn resumed(&self, seq: u64) -> u64 {
        let server = self.meant(seq);
        let is_before = |known: &Inserted| known.after == server && self.told(server) == seq;
        server - u64::from(self.inserted.iter().any(is_before))
    }

    /// The open request, as snapshots show it.
    fn request(&self) -> Option<Value> {
        let [only] = self.inserted.as_slice() else {
            return None;
        };
        if self.question != Question::Abort {
            return None;
        }
        Some(json!({ "seat": only.event["seat"], "until": only.event["until"] }))
    }

    /// Inserts an event behind the server's last one.
    fn insert(&mut self, kind: &str, mut fields: Value, wire: &mut Connection) -> u64 {
        let after = self.last["seq"].as_u64().unwrap_or(0);
        let seq = self.told_up_to(after) + 1;
        fields["game"] = self.last["game"].clone();
        fields["at"] = self.last["at"].clone();
        // A pause is not a player's.
        let is_players = !matches!(kind, "paused" | "resumed");
        if is_players && fields.get("seat").is_none() {
            fields["seat"] = json!(OPPONENT);
        }
        fields["kind"] = json!(kind);
        fields["seq"] = json!(seq);
        wire.say(Side::Server, &json!(["event", 0, fields]));
        self.inserted.push(Inserted {
            after,
            event: fields,
        });
        seq
    }

    /// Translates the numbers of a message of the server.
    fn translate(&self, message: &mut Value) {
        let shift = |value: Option<&mut Value>| {
            if let Some(value) = value
                && let Some(seq) = value.as_u64()
            {
                *value = json!(self.told(seq));
            }
        };
        let is_snapshot = message[0] == "snapshot";
        let body = &mut message[2];
        let last = if is_snapshot { "seq" } else { "head" };
        if let Some(seq) = body[last].as_u64() {
            body[last] = json!(self.told_up_to(seq));
        }
        for field in ["seq", "play_id"]
            .into_iter()
            .filter(|field| *field != last)
        {
            shift(body.get_mut(field));
        }
        if is_snapshot {
            shift(
                body.get_mut("window")
                    .and_then(|window| window.get_mut("play_id")),
            );
            for turn in body["turns"].as_array_mut().into_iter().flatten() {
                shift(turn.get_mut("play_id"));
            }
            if let Some(request) = self.request() {
                body["abort_request"] = request;
            }
        }
    }

    fn server(&mut self, mut message: Value, wire: &mut Connection) {
        let is_event = message[0] == "event";
        let seq = message[2]["seq"].as_u64().unwrap_or(0);
        let is_new = is_event && self.last["seq"].as_u64().is_none_or(|last| last < seq);
        let is_turn = is_new && message[2]["kind"] == "turn_started";
        let is_clients = message[2]["seat"] == CLIENT;
        let is_late = message[2]["turn_no"].as_u64() >= Some(BOTH_HAVE_PLAYED);
        let is_abort = self.question == Question::Abort;
        // The client ends its turn before anything else happens: the nudge is over.
        self.is_nudged &= !is_new;
        if is_turn && is_late && is_abort && self.inserted.len() == 1 {
            self.insert("abort_declined", json!({ "reason": "played" }), wire);
        }
        if is_new {
            let body = &message[2];
            self.last = json!({ "game": body["game"], "seq": seq, "at": body["at"] });
        }
        let known = self.inserted.iter().find(|known| known.after == seq);
        let again = known.filter(|_| is_event && !is_new);
        let again = again.map(|known| json!(["event", 0, known.event]));
        self.translate(&mut message);
        wire.say(Side::Server, &message);
        if let Some(again) = again {
            wire.say(Side::Server, &again);
        }
        let is_asked = is_turn && (is_abort || is_clients);
        if is_asked && self.inserted.is_empty() {
            self.ask(&message, wire);
        }
    }

    /// Asks or gives when the turn of `message` has started.
    fn ask(&mut self, message: &Value, wire: &mut Connection) {
        let until = self.last["at"].as_i64().unwrap_or(0) + ANSWER_MS;
        match self.question {
            Question::Abort => {
                self.insert("abort_requested", json!({ "until": until }), wire);
                if self.is_cut {
                    self.dead = Some(wire.connection);
                    wire.cut();
                }
            }
            Question::Nudge => {
                let fields = json!({ "target": CLIENT, "claim_at": until });
                self.insert("nudged", fields, wire);
                self.is_nudged = true;
            }
            Question::Gift => {
                let mut clocks = message[2]["clocks"].clone();
                let main_ms = clocks["main_ms"].as_array_mut();
                if let Some(left) = main_ms.and_then(|main_ms| main_ms.first_mut()) {
                    *left = json!(left.as_i64().unwrap_or(0) + GIFT_MS);
                }
                let fields = json!({ "target": CLIENT, "time_ms": GIFT_MS, "clocks": clocks });
                self.insert("time_given", fields, wire);
            }
            Question::Vacation => {
                let until = until + VACATION_MS;
                let fields = json!({ "until": until, "clocks": message[2]["clocks"] });
                self.insert("vacation", fields, wire);
            }
            Question::Pause => {
                let running = &message[2]["clocks"];
                let mut stopped = running.clone();
                if let Some(clocks) = stopped.as_object_mut() {
                    clocks.remove("running");
                }
                let fields = json!({ "until": until, "clocks": stopped });
                self.insert("paused", fields, wire);
                let game = json!({ "game": self.last["game"] });
                wire.say(Side::Server, &json!(["paused", 0, game]));
                wire.say(Side::Server, &json!(["unpaused", 0, game]));
                self.insert("resumed", json!({ "clocks": running }), wire);
            }
        }
    }

    /// Answers a `here` in the server's place.
    fn answer_here(&mut self, message: &Value, wire: &mut Connection) {
        let is_open = std::mem::take(&mut self.is_nudged);
        let answered =
            is_open.then(|| self.insert("nudge_answered", json!({ "seat": CLIENT }), wire));
        let answer = match answered {
            Some(seq) => json!(["ok", message[1], { "game": message[2]["game"], "seq": seq }]),
            None => {
                let error =
                    json!({ "code": "no_nudge", "message": "too late", "retryable": false });
                json!(["error", message[1], error])
            }
        };
        wire.say(Side::Server, &answer);
    }

    /// Answers an `answer_abort` in the server's place.
    fn answer(&mut self, message: &Value, wire: &mut Connection) {
        let refuses = message[2]["accept"] == false;
        let reason = if refuses { "refused" } else { "expired" };
        let declined = (self.inserted.len() == 1)
            .then(|| self.insert("abort_declined", json!({ "reason": reason }), wire));
        let game = &message[2]["game"];
        let answer = match declined.filter(|_| refuses) {
            Some(seq) => json!(["ok", message[1], { "game": game, "seq": seq }]),
            None => {
                let error = json!({ "code": "no_abort_request", "message": "too late", "retryable": false });
                json!(["error", message[1], error])
            }
        };
        wire.say(Side::Server, &answer);
    }
}

impl Tap for Asker {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        if self.dead == Some(wire.connection) {
            return;
        }
        let Some(mut message) = wire.message(&frame) else {
            return wire.pass(from, frame);
        };
        if from == Side::Server {
            return self.server(message, wire);
        }
        if message[0] == "answer_abort" {
            wire.note_only(from, &frame);
            return self.answer(&message, wire);
        }
        if message[0] == "here" {
            wire.note_only(from, &frame);
            return self.answer_here(&message, wire);
        }
        let is_attach = message[0] == "attach";
        let wants_snapshot = is_attach && self.dead.is_some() && self.inserted.len() == 1;
        if let Some(seq) = message[2]["seq"].as_u64() {
            message[2]["seq"] = json!(self.resumed(seq));
        }
        if let Some(play) = message[2]["play_id"].as_u64() {
            message[2]["play_id"] = json!(self.meant(play));
        }
        if wants_snapshot {
            for field in ["epoch", "seq"] {
                message[2]
                    .as_object_mut()
                    .map(|fields| fields.remove(field));
            }
        }
        wire.note_only(from, &frame);
        wire.say_unheard(from, &message);
    }
}

/// Tells the client of new ratings: of an earlier game while this one begins, and of this one when it has ended.
pub fn new_ratings(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    let rating = |game: &Value| {
        let after = json!({ "value": 1_520, "deviation": 290, "provisional": true });
        let pool = "classic/wordnik/standard";
        json!(["rating", 0, { "game": game, "pool": pool, "before": 1_500, "after": after }])
    };
    match message[2]["kind"].as_str() {
        Some("turn_started") => vec![rating(&json!("an-earlier-game")), message],
        Some("ended") => {
            let told = rating(&message[2]["game"]);
            vec![message, told]
        }
        _ => vec![message],
    }
}

/// Says that all players are registered and have ratings.
pub fn rated_players(message: &mut Value) -> Vec<Value> {
    fn add(value: &mut Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(add),
            Value::Object(fields) => {
                fields.values_mut().for_each(add);
                if fields.contains_key("identity") && fields.contains_key("name") {
                    fields.insert("kind".to_owned(), json!("registered"));
                    let rating = json!({ "value": 1_731, "deviation": 60 });
                    fields.insert("rating".to_owned(), rating);
                }
            }
            _ => {}
        }
    }
    if message[0] == "welcome" {
        message[2]["registered"] = json!(true);
    }
    for field in ["seek", "setup", "games"] {
        if let Some(value) = message[2].get_mut(field) {
            add(value);
        }
    }
    vec![message.take()]
}
