//! The pure courier: decides which letters are looked at, sent, put off and given up.
//!
//! The outbox keeps every letter; the machine holds the few that are in work. The shell reads, looks and sends, and reports.
//! Before each sending the storage counts it ([`Effect::Begin`]), and a known outcome takes the count back. So a letter whose
//! sending a crash or a silent mail server hid is sent once more under the same `Message-ID`, and never a third time.

use std::collections::BTreeMap;

use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use super::backoff::doubled;
use tilewire_store::Settlement;

/// A day.
const DAY_MS: i64 = 24 * 3_600_000;
/// The number of times that a letter is sent without a known outcome.
const UNKNOWN_MOST: u32 = 2;
/// The time between two looks at the outbox.
const LOOK_EVERY: Millis = Millis(1_000);
/// The time for which what was found about a letter holds: after that the shell looks again before it sends.
const FRESH: Millis = Millis(5_000);

/// The bounds of the courier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Letters in work.
    pub(crate) window: usize,
    /// Letters that are sent at the same time.
    pub(crate) connections: usize,
    /// Letters about games to one player in a day.
    pub(crate) per_day: u32,
    /// The first wait after a failure.
    pub(crate) retry_ms: Millis,
    /// The longest wait after a failure.
    pub(crate) retry_max_ms: Millis,
    /// The time after which a letter that is put off is given up.
    pub(crate) give_up_ms: Millis,
    /// Refusals in a row that disable a mailbox.
    pub(crate) refusals: u32,
}

/// The machine's record of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name.
    pub(crate) key: String,
    /// Its kind.
    pub(crate) kind: LetterKind,
    /// When it was first due.
    pub(crate) at: Timestamp,
    /// When it is out of date.
    pub(crate) until: Timestamp,
    /// How often it was put off.
    pub(crate) tries: u32,
    /// How often it was sent without a known outcome.
    pub(crate) unknown: u32,
}

/// The facts that the shell finds when it looks at a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are independent facts about a letter"
)]
pub(crate) struct Look {
    /// Whether there is an address.
    pub(crate) has_address: bool,
    /// Whether the address is disabled.
    pub(crate) is_disabled: bool,
    /// Whether the player wants letters of this kind, from this sender.
    pub(crate) is_wanted: bool,
    /// Whether the letter is still true: a turn of the past is not.
    pub(crate) is_current: bool,
    /// Whether the player is connected.
    pub(crate) is_present: bool,
    /// The letters that the player got today.
    pub(crate) sent_today: u32,
}

/// How the sending of a letter ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The mail server has taken it.
    Sent,
    /// The mail server cannot take this letter now.
    Later,
    /// The mail server refuses the reader or the letter for good.
    Refused,
    /// The mail server could not be reached, or lets this server send nothing.
    Unreachable,
    /// The letter was handed over, and no answer came.
    Unknown,
}

/// Why a letter is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The player has no address.
    NoAddress,
    /// Mail servers have refused the address.
    Disabled,
    /// The player does not want it.
    Unwanted,
    /// It is out of date.
    Past,
    /// The player is here.
    Present,
    /// The mail server has put it off for too long.
    GivenUp,
    /// It was sent twice, and the outcome is unknown.
    Unknown,
}

impl Reason {
    /// Returns the name in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NoAddress => "no_address",
            Self::Disabled => "disabled",
            Self::Unwanted => "unwanted",
            Self::Past => "past",
            Self::Present => "present",
            Self::GivenUp => "given_up",
            Self::Unknown => "unknown",
        }
    }
}

/// An input of the courier machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Time has passed.
    Tick,
    /// The server stops: nothing new begins.
    Stop,
    /// The letters that are due, the oldest first; `None`: the storage does not answer.
    Due(Option<Vec<Entry>>),
    /// The shell has looked at a letter; `None`: the storage does not answer.
    Looked(String, Option<Look>),
    /// The storage has counted a sending. `false`: the letter is gone, or the storage does not answer.
    Begun(String, bool),
    /// A sending has ended.
    Ended(String, Outcome),
    /// The fate of a letter is stored, or the storage does not answer; then the letter is due again.
    Settled(String),
}

/// An effect that the shell carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Read due letters, up to a limit.
    Read(usize),
    /// Look at a letter.
    Look(String),
    /// Count a sending of a letter.
    Begin(String),
    /// Send a letter.
    Send(String),
    /// Store the fate of a letter.
    Settle(String, Settlement),
    /// Report that a letter is not sent.
    Drop(LetterKind, Reason),
}

/// The state of a letter in work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Looking,
    Ready,
    Sending,
    Settling,
}

#[derive(Debug)]
struct Held {
    entry: Entry,
    stage: Stage,
    looked_at: Timestamp,
}

/// The letters in work.
#[derive(Debug)]
pub(crate) struct Courier {
    bounds: Bounds,
    held: BTreeMap<String, Held>,
    is_reading: bool,
    is_stopping: bool,
    looks_at: Timestamp,
    /// Conversations in a row that could not begin.
    failures: u32,
    paused_until: Timestamp,
}

impl Courier {
    /// Returns a courier without letters.
    pub(crate) const fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            held: BTreeMap::new(),
            is_reading: false,
            is_stopping: false,
            looks_at: Timestamp::MIN,
            failures: 0,
            paused_until: Timestamp::MIN,
        }
    }

    /// Returns when the machine wants the next [`Input::Tick`].
    pub(crate) fn wakes_at(&self) -> Timestamp {
        self.looks_at.max(self.paused_until)
    }

    /// Says whether a letter is in work.
    pub(crate) fn holds(&self, key: &str) -> bool {
        self.held.contains_key(key)
    }

    /// Applies an input at server time `now`.
    pub(crate) fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut effects = match input {
            Input::Tick => Vec::new(),
            Input::Stop => {
                self.is_stopping = true;
                Vec::new()
            }
            Input::Due(found) => self.due(now, found),
            Input::Looked(key, look) => self.looked(now, key, look),
            Input::Begun(key, true) => vec![Effect::Send(key)],
            Input::Begun(key, false) | Input::Settled(key) => {
                self.held.remove(&key);
                Vec::new()
            }
            Input::Ended(key, outcome) => self.ended(now, key, outcome),
        };
        if !self.is_stopping {
            effects.extend(self.begin_ready(now));
            effects.extend(self.read(now));
        }
        effects
    }

    /// Reads letters if there is room and the mail server is expected to answer.
    fn read(&mut self, now: Timestamp) -> Option<Effect> {
        let is_due = now >= self.wakes_at() && self.held.len() < self.bounds.window;
        if self.is_reading || !is_due {
            return None;
        }
        self.is_reading = true;
        Some(Effect::Read(self.bounds.window))
    }

    fn due(&mut self, now: Timestamp, found: Option<Vec<Entry>>) -> Vec<Effect> {
        self.is_reading = false;
        self.looks_at = now + LOOK_EVERY;
        let mut effects = Vec::new();
        for entry in found.into_iter().flatten() {
            let has_room = self.held.len() < self.bounds.window;
            if !has_room || self.held.contains_key(&entry.key) {
                continue;
            }
            let key = entry.key.clone();
            let reason = match (entry.unknown >= UNKNOWN_MOST, now >= entry.until) {
                (true, _) => Some(Reason::Unknown),
                (false, true) => Some(Reason::Past),
                (false, false) => None,
            };
            let held = Held {
                entry,
                stage: Stage::Looking,
                looked_at: now,
            };
            self.held.insert(key.clone(), held);
            match reason {
                Some(reason) => effects.extend(self.drop_letter(&key, reason)),
                None => effects.push(Effect::Look(key)),
            }
        }
        effects
    }

    fn looked(&mut self, now: Timestamp, key: String, look: Option<Look>) -> Vec<Effect> {
        let Some(held) = self.held.get_mut(&key) else {
            return Vec::new();
        };
        let Some(look) = look else {
            self.held.remove(&key);
            return Vec::new();
        };
        let kind = held.entry.kind;
        if let Some(reason) = refused(kind, look) {
            return self.drop_letter(&key, reason);
        }
        let is_bounded = !kind.is_about_account() && kind != LetterKind::Digest;
        if is_bounded && look.sent_today >= self.bounds.per_day {
            held.stage = Stage::Settling;
            let day = day_of(now);
            let due_at = Timestamp((day + 1).saturating_mul(DAY_MS));
            let until = due_at + Millis(DAY_MS);
            let settlement = Settlement::Digest { day, due_at, until };
            return vec![Effect::Settle(key, settlement)];
        }
        held.stage = Stage::Ready;
        held.looked_at = now;
        Vec::new()
    }

    /// Begins to send letters, the names in order. While the mail server does not answer, letters leave the machine instead:
    /// what was found about them would be old.
    fn begin_ready(&mut self, now: Timestamp) -> Vec<Effect> {
        if now < self.paused_until {
            self.held.retain(|_, held| held.stage != Stage::Ready);
            return Vec::new();
        }
        let stages = self.held.values().map(|held| held.stage);
        let sending = stages.filter(|stage| *stage == Stage::Sending).count();
        let free = self.bounds.connections.saturating_sub(sending);
        let ready = self.held.iter_mut();
        let ready = ready.filter(|(_, held)| held.stage == Stage::Ready);
        let begun = ready.take(free).map(|(key, held)| {
            if now > held.looked_at + FRESH {
                held.stage = Stage::Looking;
                return Effect::Look(key.clone());
            }
            held.stage = Stage::Sending;
            Effect::Begin(key.clone())
        });
        begun.collect()
    }

    fn ended(&mut self, now: Timestamp, key: String, outcome: Outcome) -> Vec<Effect> {
        let Some(held) = self.held.get_mut(&key) else {
            return Vec::new();
        };
        held.stage = Stage::Settling;
        let (tries, unknown) = (held.entry.tries, held.entry.unknown);
        let given_up_at = held.entry.at + self.bounds.give_up_ms;
        match outcome {
            Outcome::Unreachable => {
                self.failures = self.failures.saturating_add(1);
                self.paused_until = now + self.wait(self.failures - 1);
            }
            Outcome::Sent | Outcome::Later | Outcome::Refused => self.failures = 0,
            Outcome::Unknown => {}
        }
        let is_known = match outcome {
            Outcome::Sent => {
                let day = day_of(now);
                return vec![Effect::Settle(key, Settlement::Sent { day })];
            }
            Outcome::Refused => {
                let most = self.bounds.refusals;
                return vec![Effect::Settle(key, Settlement::Refused { at: now, most })];
            }
            Outcome::Unknown if unknown + 1 >= UNKNOWN_MOST => {
                return self.drop_letter(&key, Reason::Unknown);
            }
            Outcome::Unknown => false,
            Outcome::Later | Outcome::Unreachable => true,
        };
        let due_at = now + self.wait(tries);
        if due_at > given_up_at {
            return self.drop_letter(&key, Reason::GivenUp);
        }
        let settlement = Settlement::Later { due_at, is_known };
        vec![Effect::Settle(key, settlement)]
    }

    fn drop_letter(&mut self, key: &str, reason: Reason) -> Vec<Effect> {
        let Some(held) = self.held.get_mut(key) else {
            return Vec::new();
        };
        held.stage = Stage::Settling;
        vec![
            Effect::Drop(held.entry.kind, reason),
            Effect::Settle(key.to_owned(), Settlement::Dropped),
        ]
    }

    /// Returns the wait after this number of failures before.
    fn wait(&self, failures: u32) -> Millis {
        doubled(self.bounds.retry_ms, self.bounds.retry_max_ms, failures)
    }
}

/// Returns why a letter is not sent, if it is not.
const fn refused(kind: LetterKind, look: Look) -> Option<Reason> {
    if !look.has_address {
        return Some(Reason::NoAddress);
    }
    if !look.is_current {
        return Some(Reason::Past);
    }
    if kind.is_about_account() {
        return None;
    }
    if look.is_disabled {
        return Some(Reason::Disabled);
    }
    if !look.is_wanted {
        return Some(Reason::Unwanted);
    }
    if look.is_present {
        return Some(Reason::Present);
    }
    None
}

/// Returns the number of days since 1970, in UTC.
pub(crate) const fn day_of(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
