//! The history of each game: what all clients saw of it and what the server acknowledged, compared with the log that the
//! database has in the end.
//!
//! The auditor replays a game from the messages of its clients. This checker does not know the rules; it asks for one
//! sequence that explains everything that anybody saw, whichever server said it.

mod comparison;
mod log;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use std::hash::{DefaultHasher, Hash, Hasher};

use tilewire_protocol::{
    ClientMessage, CmdId, Codec, Event, EventBody, ServerMessage, encode_server,
};

pub use comparison::{Comparison, Frame, Traffic, compare};
pub use log::LogLine;

/// Events from the first one that a command causes to the one that carries it out: a window may close before it.
const CAUSED_WITHIN: u64 = 6;
/// The kinds of events that use a turn.
const TURNS: [&str; 4] = ["play_made", "exchanged", "passed", "turn_lost"];

/// An event as a client sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// Its number.
    pub seq: u64,
    /// When it took effect, unix ms.
    pub at: i64,
    /// Its kind.
    pub kind: &'static str,
    /// The hash of its public form.
    pub hash: u64,
}

impl Sight {
    /// Returns an event as a client sees it.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        Self {
            seq: event.seq,
            at: event.at,
            kind: known_kind(event.body.kind()),
            hash: public_hash(event),
        }
    }
}

/// Returns the hash of an event in its public form.
#[must_use]
pub fn public_hash(event: &Event) -> u64 {
    let mut event = event.clone();
    match &mut event.body {
        EventBody::TilesDrawn(drawn) => drawn.tiles = None,
        EventBody::Exchanged(exchanged) => exchanged.tiles = None,
        _ => {}
    }
    let mut hasher = DefaultHasher::new();
    encode_server(Codec::MsgPack, 0, &ServerMessage::Event(event)).hash(&mut hasher);
    hasher.finish()
}

fn known_kind(kind: &str) -> &'static str {
    let mut known = EventBody::KINDS.iter();
    known
        .find(|known| **known == kind)
        .copied()
        .unwrap_or("unknown")
}

/// The event that carries out a command.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    kind: &'static str,
    seat: u64,
    turn_no: Option<u64>,
    play_id: Option<u64>,
}

/// A violation that the checker found in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Two clients saw different events under one number.
    Forked {
        /// The incarnation of the game.
        epoch: u64,
        /// The number.
        seq: u64,
    },
    /// The game was seen in two incarnations, though nobody restored a backup.
    Restored {
        /// How many incarnations were seen.
        epochs: usize,
    },
    /// A client saw an event that is not in the log.
    Unlogged {
        /// The number of the event.
        seq: u64,
    },
    /// The log has another event under the number of one that a client saw.
    Replaced {
        /// The number of the event.
        seq: u64,
    },
    /// The log has a gap or an event twice.
    Broken {
        /// The number of the event.
        seq: u64,
    },
    /// An acknowledged command is not in the log at its place.
    Lost {
        /// The command.
        command: CmdId,
    },
    /// A command is in the log twice.
    Doubled {
        /// The number of the event.
        seq: u64,
    },
}

/// The events of a game that clients saw, and the commands that servers acknowledged. `At` is a moment at which an event was seen.
#[derive(Debug)]
pub struct History<At> {
    seen: BTreeMap<(u64, u64), (Sight, At)>,
    acknowledged: BTreeMap<CmdId, (u64, Effect)>,
    faults: Vec<Fault>,
}

impl<At> Default for History<At> {
    fn default() -> Self {
        Self {
            seen: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            faults: Vec::new(),
        }
    }
}

impl<At: Copy + Ord> History<At> {
    /// Adds an event that a client got.
    pub fn saw(&mut self, epoch: u64, sight: Sight, now: At) {
        let place = (epoch, sight.seq);
        let (known, _) = *self.seen.entry(place).or_insert((sight, now));
        let fault = Fault::Forked {
            epoch,
            seq: sight.seq,
        };
        if known != sight && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Adds a command of a seat that was acknowledged with the number of its first event.
    pub fn acknowledged(&mut self, seat: u8, command: &ClientMessage, seq: u64) {
        if let Some((cmd_id, effect)) = Effect::of(seat, command) {
            self.acknowledged.insert(cmd_id, (seq, effect));
        }
    }

    /// Returns when the first event after `head` was seen; `None` if none was.
    #[must_use]
    pub fn continued(&self, head: u64) -> Option<At> {
        let mut later = self.seen.iter().filter(|((_, seq), _)| *seq > head);
        let first = later.next().map(|(_, (_, heard))| *heard)?;
        Some(later.fold(first, |first, (_, (_, heard))| first.min(*heard)))
    }

    /// Whether the game is being played: somebody saw the first turn, and nobody the end.
    #[must_use]
    pub fn is_played(&self) -> bool {
        let has = |kind| self.seen.values().any(|(sight, _)| sight.kind == kind);
        has("turn_started") && !has("ended")
    }

    /// The number of acknowledged commands.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.acknowledged.len()
    }

    /// Compares the history with the log.
    #[must_use]
    pub fn judge(&self, log: &[LogLine]) -> Vec<Fault> {
        let mut faults = self.faults.clone();
        let mut epochs: Vec<u64> = self.seen.keys().map(|(epoch, _)| *epoch).collect();
        epochs.dedup();
        if epochs.len() > 1 {
            faults.push(Fault::Restored {
                epochs: epochs.len(),
            });
        }
        let numbered = (1..).zip(log);
        let broken = numbered.filter(|(seq, line)| line.seq != *seq);
        faults.extend(broken.take(1).map(|(seq, _)| Fault::Broken { seq }));
        for (sight, _) in self.seen.values() {
            let seq = sight.seq;
            match log.iter().find(|line| line.seq == seq) {
                None => faults.push(Fault::Unlogged { seq }),
                Some(line) if (line.at, line.kind.as_str()) != (sight.at, sight.kind) => {
                    faults.push(Fault::Replaced { seq });
                }
                Some(_) => {}
            }
        }
        faults.extend(turns_doubled(log));
        faults.extend(self.judge_commands(log));
        faults
    }

    /// Each acknowledged command is in the log once, and no two are the same event.
    fn judge_commands(&self, log: &[LogLine]) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut carried_out = BTreeMap::new();
        for (command, (first, effect)) in &self.acknowledged {
            let is_near = |line: &LogLine| {
                line.seq
                    .checked_sub(*first)
                    .is_some_and(|far| far < CAUSED_WITHIN)
            };
            let matching: Vec<&LogLine> = log.iter().filter(|line| effect.is(line)).collect();
            match matching.as_slice() {
                [line] if is_near(line) && carried_out.insert(line.seq, command).is_none() => {}
                [] | [_] => faults.push(Fault::Lost {
                    command: command.clone(),
                }),
                [_, second, ..] => faults.push(Fault::Doubled { seq: second.seq }),
            }
        }
        faults
    }
}

/// A player uses a turn once, by a command of any kind.
fn turns_doubled(log: &[LogLine]) -> Vec<Fault> {
    let mut used = BTreeMap::new();
    let turns = log
        .iter()
        .filter(|line| TURNS.contains(&line.kind.as_str()));
    let again = turns.filter(|line| {
        let turn = line.turn_no;
        turn.is_some_and(|turn| used.insert(turn, line.seq).is_some())
    });
    again.map(|line| Fault::Doubled { seq: line.seq }).collect()
}

impl Effect {
    /// Returns the effect of a command; `None` for those that are no commands of a game.
    fn of(seat: u8, command: &ClientMessage) -> Option<(CmdId, Self)> {
        let of_turn = |kind, turn: u32| (kind, Some(u64::from(turn)), None);
        let of_play = |kind, play: u64| (kind, None, Some(play));
        let (kind, turn_no, play_id) = match command {
            ClientMessage::Ready(_) => ("seat_ready", None, None),
            ClientMessage::Play(asked) => of_turn("play_made", asked.turn_no),
            ClientMessage::Exchange(asked) => of_turn("exchanged", asked.turn_no),
            ClientMessage::Pass(asked) => of_turn("passed", asked.turn_no),
            ClientMessage::Accept(asked) => of_play("accepted", asked.play_id),
            ClientMessage::Challenge(asked) => of_play("challenge_decided", asked.play_id),
            ClientMessage::Resign(_) => ("seat_retired", None, None),
            _ => return None,
        };
        let (_, cmd_id) = command.game_command()?;
        let effect = Self {
            kind,
            seat: seat.into(),
            turn_no,
            play_id,
        };
        Some((cmd_id.clone(), effect))
    }

    fn is(&self, line: &LogLine) -> bool {
        line.kind == self.kind
            && line.seat == Some(self.seat)
            && self.turn_no.is_none_or(|turn| line.turn_no == Some(turn))
            && self.play_id.is_none_or(|play| line.play_id == Some(play))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forked { epoch, seq } => {
                write!(
                    f,
                    "clients were told different events {seq} of epoch {epoch}"
                )
            }
            Self::Restored { epochs } => write!(f, "clients saw {epochs} epochs"),
            Self::Unlogged { seq } => {
                write!(f, "a client was told event {seq}, which is not in the log")
            }
            Self::Replaced { seq } => {
                write!(f, "the log has another event {seq} than a client was told")
            }
            Self::Broken { seq } => write!(f, "the log has no event {seq} at its place"),
            Self::Lost { command } => write!(f, "acknowledged but not in the log: {}", command.0),
            Self::Doubled { seq } => {
                write!(f, "event {seq} of the log carries out a command again")
            }
        }
    }
}
