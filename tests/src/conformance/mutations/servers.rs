//! Broken servers.

use serde_json::{Value, json};

use super::super::client::scripts::{self, Changed};
use super::super::raw::{CLOSE, Frame, MASK, PONG};
use super::super::relay::{Side, Tap, Wire};
use super::Mutation;

/// One row of the list: a change of what the server says.
macro_rules! changed {
    ($change:expr) => {
        || Box::new(Changed($change))
    };
}

/// Every broken server.
pub(super) const ALL: &[Mutation] = &[
    Mutation {
        name: "answers twice",
        case: "messages/one-answer-each",
        tap: changed!(answers_twice),
    },
    Mutation {
        name: "forgets an answer",
        case: "messages/one-answer-each",
        tap: changed!(forgets_answers),
    },
    Mutation {
        name: "sends null",
        case: "auth/guest",
        tap: changed!(sends_null),
    },
    Mutation {
        name: "leaves out a number",
        case: "views/contiguous",
        tap: changed!(renumbers),
    },
    Mutation {
        name: "loses an event",
        case: "views/contiguous",
        tap: changed!(loses_events),
    },
    Mutation {
        name: "tells events twice",
        case: "resume/from-every-position",
        tap: changed!(scripts::twice),
    },
    Mutation {
        name: "shows a rack",
        case: "views/hidden",
        tap: changed!(shows_racks),
    },
    Mutation {
        name: "shows the secret",
        case: "views/hidden",
        tap: changed!(shows_the_secret),
    },
    Mutation {
        name: "shows racks in snapshots",
        case: "views/snapshot-is-the-fold",
        tap: changed!(shows_racks_in_snapshots),
    },
    Mutation {
        name: "miscounts the bag",
        case: "views/snapshot-is-the-fold",
        tap: changed!(miscounts_the_bag),
    },
    Mutation {
        name: "forgets turns in snapshots",
        case: "views/snapshot-is-the-fold",
        tap: changed!(forgets_turns),
    },
    Mutation {
        name: "lets time go back",
        case: "views/same-events-for-all",
        tap: changed!(lets_time_go_back),
    },
    Mutation {
        name: "confuses error codes",
        case: "commands/stale",
        tap: changed!(confuses_codes),
    },
    Mutation {
        name: "calls errors retryable",
        case: "messages/error-shape",
        tap: changed!(calls_retryable),
    },
    Mutation {
        name: "names the wrong field",
        case: "messages/bad-field",
        tap: changed!(names_wrong_field),
    },
    Mutation {
        name: "changes epochs",
        case: "resume/all-at-once",
        tap: changed!(changes_epochs),
    },
    Mutation {
        name: "changes identities",
        case: "auth/token",
        tap: changed!(changes_identities),
    },
    Mutation {
        name: "commits to something else",
        case: "bags/commitment",
        tap: changed!(commits_to_other),
    },
    Mutation {
        name: "deals in another order",
        case: "bags/recomputed",
        tap: changed!(deals_in_other_order),
    },
    Mutation {
        name: "charges nothing",
        case: "clocks/counted",
        tap: changed!(charges_nothing),
    },
    Mutation {
        name: "lets flags fall late",
        case: "clocks/flag",
        tap: changed!(flags_late),
    },
    Mutation {
        name: "hides bad words",
        case: "challenges/upheld",
        tap: changed!(hides_bad_words),
    },
    Mutation {
        name: "asks the wrong seat",
        case: "challenges/upheld",
        tap: changed!(asks_wrong_seat),
    },
    Mutation {
        name: "forgets whose hold it was",
        case: "challenges/hold",
        tap: changed!(runs_the_wrong_clock),
    },
    Mutation {
        name: "announces more than it takes",
        case: "limits/rate",
        tap: changed!(announces_too_much),
    },
    Mutation {
        name: "leaves defaults out",
        case: "lobby/defaults",
        tap: changed!(leaves_defaults_out),
    },
    Mutation {
        name: "closes with another code",
        case: "frames/unmasked",
        tap: || Box::new(Controls(other_code)),
    },
    Mutation {
        name: "keeps silent about pings",
        case: "frames/ping-payload",
        tap: || Box::new(Controls(no_pong)),
    },
    Mutation {
        name: "answers pings with nothing",
        case: "frames/ping-payload",
        tap: || Box::new(Controls(empty_pong)),
    },
    Mutation {
        name: "closes without a word",
        case: "auth/first",
        tap: || Box::new(Controls(no_close)),
    },
    Mutation {
        name: "masks its frames",
        case: "handshake/accepted",
        tap: || Box::new(Masking),
    },
    Mutation {
        name: "answers the key wrongly",
        case: "handshake/accepted",
        tap: || Box::new(Heads(wrong_accept)),
    },
    Mutation {
        name: "takes its own favourite",
        case: "handshake/order-of-offers",
        tap: || Box::new(Heads(favourite)),
    },
    Mutation {
        name: "agrees on extensions",
        case: "handshake/no-extension",
        tap: || Box::new(Heads(extension)),
    },
    Mutation {
        name: "takes frames of any size",
        case: "frames/oversize",
        tap: || Box::new(Requests(takes_any_size)),
    },
    Mutation {
        name: "knows no fragments",
        case: "frames/fragments",
        tap: || Box::new(Requests(no_fragments)),
    },
    Mutation {
        name: "refuses unknown fields",
        case: "messages/unknown-fields",
        tap: || Box::new(Requests(refuses_unknown)),
    },
    Mutation {
        name: "does everything again",
        case: "commands/sent-again",
        tap: || Box::new(Again(0)),
    },
    Mutation {
        name: "sends the snapshot first",
        case: "resume/after-the-answer",
        tap: || Box::new(SnapshotFirst(None)),
    },
];

fn is_event(message: &Value, kind: &str) -> bool {
    message[0] == "event" && message[2]["kind"] == kind
}

fn answers_twice(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    let again = (message[0] == "ok").then(|| message.clone());
    std::iter::once(message).chain(again).collect()
}

fn forgets_answers(message: &mut Value) -> Vec<Value> {
    let is_lost = message[0] == "ok" && message[2].get("games").is_some();
    if is_lost {
        Vec::new()
    } else {
        vec![message.take()]
    }
}

fn sends_null(message: &mut Value) -> Vec<Value> {
    if message[0] == "welcome" {
        message[2]["later"] = Value::Null;
    }
    vec![message.take()]
}

fn renumbers(message: &mut Value) -> Vec<Value> {
    if message[0] == "event"
        && let Some(seq) = message[2]["seq"].as_u64().filter(|seq| *seq > 10)
    {
        message[2]["seq"] = json!(seq + 1);
    }
    vec![message.take()]
}

fn loses_events(message: &mut Value) -> Vec<Value> {
    if is_event(message, "bag_shuffled") {
        Vec::new()
    } else {
        vec![message.take()]
    }
}

fn shows_racks(message: &mut Value) -> Vec<Value> {
    if is_event(message, "tiles_drawn") && message[2].get("tiles").is_none() {
        message[2]["tiles"] = json!(["A", "B"]);
    }
    vec![message.take()]
}

fn shows_the_secret(message: &mut Value) -> Vec<Value> {
    if is_event(message, "created") {
        message[2]["secret"] = json!("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
    }
    vec![message.take()]
}

fn shows_racks_in_snapshots(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot" {
        for seat in message[2]["seats"].as_array_mut().into_iter().flatten() {
            seat["rack"] = json!(["A"]);
        }
    }
    vec![message.take()]
}

fn miscounts_the_bag(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot"
        && let Some(bag) = message[2]["bag"].as_u64()
    {
        message[2]["bag"] = json!(bag + 1);
    }
    vec![message.take()]
}

fn forgets_turns(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot"
        && let Some(turns) = message[2]["turns"].as_array_mut()
    {
        turns.retain(|turn| turn["kind"] != "lost_turn");
    }
    vec![message.take()]
}

fn lets_time_go_back(message: &mut Value) -> Vec<Value> {
    if is_event(message, "play_made")
        && let Some(at) = message[2]["at"].as_i64()
    {
        message[2]["at"] = json!(at - 60_000);
    }
    vec![message.take()]
}

fn confuses_codes(message: &mut Value) -> Vec<Value> {
    if message[2]["code"] == "not_your_turn" {
        message[2]["code"] = json!("wrong_position");
    }
    vec![message.take()]
}

fn calls_retryable(message: &mut Value) -> Vec<Value> {
    if message[0] == "error" {
        message[2]["retryable"] = json!(true);
    }
    vec![message.take()]
}

fn names_wrong_field(message: &mut Value) -> Vec<Value> {
    if message[2]["detail"].get("field").is_some() {
        message[2]["detail"]["field"] = json!("elsewhere");
    }
    vec![message.take()]
}

fn changes_epochs(message: &mut Value) -> Vec<Value> {
    if message[0] == "ok"
        && let Some(epoch) = message[2]["epoch"].as_u64()
    {
        message[2]["epoch"] = json!(epoch + 1);
    }
    vec![message.take()]
}

fn changes_identities(message: &mut Value) -> Vec<Value> {
    if message[0] == "welcome" {
        let token = message[2]["token"].as_str().unwrap_or_default().len();
        let games = message[2]["games"].as_array().map_or(0, Vec::len);
        message[2]["identity"] = json!(format!("i{token}{games}"));
    }
    vec![message.take()]
}

fn commits_to_other(message: &mut Value) -> Vec<Value> {
    if is_event(message, "created") {
        message[2]["setup"]["commitment"] = json!("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
    }
    vec![message.take()]
}

fn deals_in_other_order(message: &mut Value) -> Vec<Value> {
    if is_event(message, "tiles_drawn")
        && let Some(tiles) = message[2].get_mut("tiles").and_then(Value::as_array_mut)
    {
        tiles.rotate_left(1);
    }
    vec![message.take()]
}

fn charges_nothing(message: &mut Value) -> Vec<Value> {
    if is_event(message, "turn_started") {
        let seats = message[2]["clocks"]["main_ms"].as_array_mut();
        seats
            .into_iter()
            .flatten()
            .for_each(|ms| *ms = json!(600_000));
    }
    vec![message.take()]
}

fn flags_late(message: &mut Value) -> Vec<Value> {
    if is_event(message, "ended")
        && let Some(at) = message[2]["at"].as_i64()
    {
        message[2]["at"] = json!(at + 1);
    }
    vec![message.take()]
}

fn hides_bad_words(message: &mut Value) -> Vec<Value> {
    if is_event(message, "challenge_decided") {
        message[2]["bad_words"] = json!([]);
    }
    vec![message.take()]
}

fn asks_wrong_seat(message: &mut Value) -> Vec<Value> {
    if is_event(message, "play_made") {
        message[2]["window"]["eligible"] = json!([0]);
    }
    vec![message.take()]
}

fn runs_the_wrong_clock(message: &mut Value) -> Vec<Value> {
    if is_event(message, "hold_started") {
        message[2]["clocks"]["running"]["seat"] = json!(1);
    }
    vec![message.take()]
}

fn announces_too_much(message: &mut Value) -> Vec<Value> {
    if message[0] == "hello"
        && let Some(burst) = message[2]["limits"]["message_burst"].as_u64()
    {
        message[2]["limits"]["message_burst"] = json!(burst + 30);
    }
    vec![message.take()]
}

fn leaves_defaults_out(message: &mut Value) -> Vec<Value> {
    let options = message[2]
        .get_mut("seek")
        .and_then(|seek| seek.get_mut("options"));
    if let Some(options) = options.and_then(Value::as_object_mut) {
        options.remove("ties");
    }
    vec![message.take()]
}

/// Changes control frames of the server.
struct Controls(fn(Frame) -> Option<Frame>);

impl Tap for Controls {
    fn reads_client(&self) -> bool {
        false
    }

    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        if let Some(frame) = (self.0)(frame) {
            wire.pass(from, frame);
        }
    }
}

fn other_code(frame: Frame) -> Option<Frame> {
    let is_error = frame.opcode == CLOSE && frame.close_code() == Some(1002);
    Some(if is_error {
        Frame::close(1008, "")
    } else {
        frame
    })
}

fn no_pong(frame: Frame) -> Option<Frame> {
    (frame.opcode != PONG).then_some(frame)
}

fn empty_pong(frame: Frame) -> Option<Frame> {
    Some(if frame.opcode == PONG {
        Frame::whole(PONG, "")
    } else {
        frame
    })
}

fn no_close(frame: Frame) -> Option<Frame> {
    (frame.opcode != CLOSE).then_some(frame)
}

/// Masks what it sends.
struct Masking;

impl Tap for Masking {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        match from {
            Side::Server => wire.raw_to_client(&frame.bytes(Some(MASK))),
            Side::Client => wire.pass(from, frame),
        }
    }
}

/// Changes the answer to the handshake.
struct Heads(fn(String) -> String);

impl Tap for Heads {
    fn reads_client(&self) -> bool {
        false
    }

    fn head(&mut self, head: String) -> String {
        (self.0)(head)
    }

    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        wire.pass(from, frame);
    }
}

fn wrong_accept(head: String) -> String {
    head.replace(
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "HSmrc0sMlYUkAGmm5OPpG2HaGWk=",
    )
}

fn favourite(head: String) -> String {
    head.replace("tilewire.v1.msgpack", "tilewire.v1.json")
}

fn extension(head: String) -> String {
    head.replacen(
        "\r\n",
        "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
        1,
    )
}

/// Keeps requests from the server: says what becomes of each, or passes it on.
struct Requests(fn(&Frame, &Value) -> Option<Vec<Value>>);

impl Tap for Requests {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        if from == Side::Client {
            let message = wire.message(&frame).unwrap_or_default();
            if let Some(answers) = (self.0)(&frame, &message) {
                return answers
                    .iter()
                    .for_each(|answer| wire.say(Side::Server, answer));
            }
        }
        wire.pass(from, frame);
    }
}

fn takes_any_size(frame: &Frame, _: &Value) -> Option<Vec<Value>> {
    (frame.payload.len() > 16_384).then(Vec::new)
}

fn no_fragments(frame: &Frame, _: &Value) -> Option<Vec<Value>> {
    (!frame.fin).then(Vec::new)
}

fn refuses_unknown(_: &Frame, message: &Value) -> Option<Vec<Value>> {
    let error = json!({ "code": "bad_field", "message": "unknown", "retryable": false });
    let is_unknown = message[2].get("unknown").is_some();
    is_unknown.then(|| vec![json!(["error", message[1], error])])
}

/// Takes a command that comes again for a new one.
struct Again(u32);

impl Tap for Again {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        match wire.message(&frame).filter(|_| from == Side::Client) {
            Some(mut message) if message[2]["cmd_id"] == "once" => {
                self.0 += 1;
                message[2]["cmd_id"] = json!(format!("once-{}", self.0));
                wire.say(from, &message);
            }
            _ => wire.pass(from, frame),
        }
    }
}

/// Answers an `attach` when what follows from it has been sent.
struct SnapshotFirst(Option<Frame>);

impl Tap for SnapshotFirst {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Wire) {
        let message = wire.message(&frame).unwrap_or_default();
        if from == Side::Server && message[2]["outcome"] == "snapshot" {
            self.0 = Some(frame);
            return;
        }
        wire.pass(from, frame);
        if message[0] == "snapshot"
            && let Some(answer) = self.0.take()
        {
            wire.pass(Side::Server, answer);
        }
    }
}
