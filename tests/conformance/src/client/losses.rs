//! Connections that are lost at every moment and with every close code.

use super::super::raw::{CLOSE, Frame};
use super::super::relay::{Connection, Side, Tap};
use serde_json::Value;

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
    /// After an event of an opponent's turn.
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

    /// Whether the loss does not depend on an answer.
    fn is_patient(&self) -> bool {
        matches!(self.moment, Moment::OtherTurn | Moment::EveryFew)
    }

    fn cut(&mut self, wire: &mut Connection) {
        self.times -= 1;
        self.watched = None;
        self.dead = Some(wire.connection);
        wire.cut();
    }
}

impl Tap for Cut {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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
                    // The client sent it, but the server never gets it.
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
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
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

/// The client loses its connection behind an event of a kind. It resumes, and the server no longer has the missed events: it
/// sends a snapshot.
pub struct Forgetful {
    kind: &'static str,
    cut: Option<usize>,
}

impl Forgetful {
    /// Loses the connection behind the first event of this kind.
    #[must_use]
    pub const fn after(kind: &'static str) -> Self {
        Self { kind, cut: None }
    }
}

impl Tap for Forgetful {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        if self.cut == Some(wire.connection) {
            return;
        }
        let message = wire.message(&frame).unwrap_or_default();
        if from == Side::Server && self.cut.is_none() && message[2]["kind"] == self.kind {
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
