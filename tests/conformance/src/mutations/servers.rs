//! Broken servers: a real server behind a relay that changes its messages.

use serde_json::{Value, json};

use super::super::client::scripts;
use super::super::raw::{CLOSE, Frame, MASK, PONG};
use super::super::relay::{Connection, Side, Tap};
use super::{Mutation, changes};

/// Every broken server.
pub(super) const ALL: &[Mutation] = &[
    Mutation::of(
        "answers twice",
        "messages/one-answer-each",
        changed!(changes::answers_twice),
    ),
    Mutation::of(
        "forgets an answer",
        "messages/one-answer-each",
        changed!(changes::forgets_answers),
    ),
    Mutation::of("sends null", "auth/guest", changed!(changes::sends_null)),
    Mutation::of(
        "leaves out a number",
        "views/contiguous",
        changed!(changes::renumbers),
    ),
    Mutation::of(
        "loses an event",
        "views/contiguous",
        changed!(changes::loses_events),
    ),
    Mutation::of(
        "tells events twice",
        "resume/from-every-position",
        changed!(scripts::twice),
    ),
    Mutation::of(
        "shows a rack",
        "views/hidden",
        changed!(changes::shows_racks),
    ),
    Mutation::of(
        "shows the secret",
        "views/hidden",
        changed!(changes::shows_the_secret),
    ),
    Mutation::of(
        "shows racks in snapshots",
        "views/snapshot-is-the-fold",
        changed!(changes::shows_racks_in_snapshots),
    ),
    Mutation::of(
        "shows racks before turns in snapshots",
        "views/snapshot-is-the-fold",
        changed!(changes::shows_racks_of_turns),
    ),
    Mutation::of(
        "forgets challengers in snapshots",
        "views/snapshot-is-the-fold",
        changed!(changes::forgets_challengers),
    ),
    Mutation::of(
        "miscounts the bag",
        "views/snapshot-is-the-fold",
        changed!(changes::miscounts_the_bag),
    ),
    Mutation::of(
        "forgets turns in snapshots",
        "views/snapshot-is-the-fold",
        changed!(changes::forgets_turns),
    ),
    Mutation::of(
        "does not say that a turn waits",
        "waiting/told-to-everybody",
        changed!(changes::hides_waiting_turns),
    ),
    Mutation::of(
        "lets time go back",
        "views/same-events-for-all",
        changed!(changes::lets_time_go_back),
    ),
    Mutation::of(
        "confuses error codes",
        "commands/stale",
        changed!(changes::confuses_codes),
    ),
    Mutation::of(
        "calls errors retryable",
        "messages/error-shape",
        changed!(changes::calls_retryable),
    ),
    Mutation::of(
        "names the wrong field",
        "messages/bad-field",
        changed!(changes::names_wrong_field),
    ),
    Mutation::of(
        "changes epochs",
        "resume/all-at-once",
        changed!(changes::changes_epochs),
    ),
    Mutation::of(
        "changes identities",
        "auth/token",
        changed!(changes::changes_identities),
    ),
    Mutation::of(
        "commits to something else",
        "bags/commitment",
        changed!(changes::commits_to_other),
    ),
    Mutation::of(
        "deals in another order",
        "bags/recomputed",
        changed!(changes::deals_in_other_order),
    ),
    Mutation::of(
        "charges nothing",
        "clocks/counted",
        changed!(changes::charges_nothing),
    ),
    Mutation::of(
        "lets flags fall late",
        "clocks/flag",
        changed!(changes::flags_late),
    ),
    Mutation::of(
        "hides bad words",
        "challenges/upheld",
        changed!(changes::hides_bad_words),
    ),
    Mutation::of(
        "asks the wrong seat",
        "challenges/upheld",
        changed!(changes::asks_wrong_seat),
    ),
    Mutation::of(
        "forgets whose hold it was",
        "challenges/hold",
        changed!(changes::runs_the_wrong_clock),
    ),
    Mutation::of(
        "announces more than it takes",
        "limits/rate",
        changed!(changes::announces_too_much),
    ),
    Mutation::of(
        "leaves defaults out",
        "lobby/defaults",
        changed!(changes::leaves_defaults_out),
    ),
    Mutation::of("closes with another code", "frames/unmasked", || {
        Box::new(Controls(other_code))
    }),
    Mutation::of("keeps silent about pings", "frames/ping-payload", || {
        Box::new(Controls(no_pong))
    }),
    Mutation::of("answers pings with nothing", "frames/ping-payload", || {
        Box::new(Controls(empty_pong))
    }),
    Mutation::of("closes without a word", "auth/first", || {
        Box::new(Controls(no_close))
    }),
    Mutation::of("masks its frames", "handshake/accepted", || {
        Box::new(Masking)
    }),
    Mutation::of("answers the key wrongly", "handshake/accepted", || {
        Box::new(Heads(wrong_accept))
    }),
    Mutation::of(
        "takes its own favourite",
        "handshake/order-of-offers",
        || Box::new(Heads(favourite)),
    ),
    Mutation::of("agrees on extensions", "handshake/no-extension", || {
        Box::new(Heads(extension))
    }),
    Mutation::of("takes frames of any size", "frames/oversize", || {
        Box::new(Requests(takes_any_size))
    }),
    Mutation::of("knows no fragments", "frames/fragments", || {
        Box::new(Requests(no_fragments))
    }),
    Mutation::of("refuses unknown fields", "messages/unknown-fields", || {
        Box::new(Requests(refuses_unknown))
    }),
    Mutation::of("does everything again", "commands/sent-again", || {
        Box::new(Again(0))
    }),
    Mutation::of(
        "sends the snapshot first",
        "resume/after-the-answer",
        || Box::new(SnapshotFirst(None)),
    ),
];

/// Changes control frames of the server.
struct Controls(fn(Frame) -> Option<Frame>);

impl Tap for Controls {
    fn reads_client(&self) -> bool {
        false
    }

    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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

/// Masks the server's frames.
struct Masking;

impl Tap for Masking {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        match from {
            Side::Server => wire.raw_to_client(&frame.bytes(Some(MASK))),
            Side::Client => wire.pass(from, frame),
        }
    }
}

/// Changes the answer to the handshake.
struct Heads(fn(&str) -> String);

impl Tap for Heads {
    fn reads_client(&self) -> bool {
        false
    }

    fn head(&mut self, head: String) -> String {
        (self.0)(&head)
    }

    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        wire.pass(from, frame);
    }
}

fn wrong_accept(head: &str) -> String {
    head.replace(
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "HSmrc0sMlYUkAGmm5OPpG2HaGWk=",
    )
}

fn favourite(head: &str) -> String {
    head.replace("tilewire.v1.msgpack", "tilewire.v1.json")
}

fn extension(head: &str) -> String {
    head.replacen(
        "\r\n",
        "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
        1,
    )
}

/// Intercepts requests: decides the fate of each, or passes it on to the server.
struct Requests(fn(&Frame, &Value) -> Option<Vec<Value>>);

impl Tap for Requests {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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

/// Answers an `attach` only after the messages that should follow the answer.
struct SnapshotFirst(Option<Frame>);

impl Tap for SnapshotFirst {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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
