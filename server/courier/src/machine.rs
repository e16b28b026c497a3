//! The decisions of letters: which are looked at, sent, put off and given up.
//!
//! A letter is sent at most twice under the same `Message-ID`, and a letter about a turn of the past is not sent.

use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use super::outbox::{Channel, Ending, Entry, Health, Limits, Promise, Reason};
use tilewire_store::{Attempt, Settlement};

/// A day.
const DAY_MS: i64 = 24 * 3_600_000;

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

/// The facts that the shell finds when it looks at a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are independent facts about a letter"
)]
pub(crate) struct LetterFacts {
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

impl Channel for Bounds {
    const PROMISE: Promise = Promise::AtMostTwice;
    const HAS_ONE_DESTINATION: bool = true;

    type Key = String;
    type Destination = ();
    type Kind = LetterKind;
    type Facts = LetterFacts;
    type Outcome = Outcome;
    type Fate = Settlement;

    fn limits(&self) -> Limits {
        Limits {
            window: self.window,
            share: self.window,
            connections: self.connections,
            retry_ms: self.retry_ms,
            retry_max_ms: self.retry_max_ms,
        }
    }

    fn reads(&self, _in_work: usize) -> usize {
        self.window
    }

    fn connections_after(&self, _failures: u32) -> usize {
        self.connections
    }

    fn given_up_at(&self, entry: &Entry<Self>) -> Timestamp {
        entry.at + self.give_up_ms
    }

    fn judged(&self, now: Timestamp, kind: LetterKind, look: LetterFacts) -> Option<Ending<Self>> {
        if let Some(reason) = refused(kind, look) {
            return Some(Ending::Dropped(reason));
        }
        let is_bounded = !kind.is_about_account() && kind != LetterKind::Digest;
        if is_bounded && look.sent_today >= self.per_day {
            let day = day_of(now);
            let due_at = Timestamp((day + 1).saturating_mul(DAY_MS));
            let until = due_at + Millis(DAY_MS);
            return Some(Ending::Settled(Settlement::Digest { day, due_at, until }));
        }
        None
    }

    fn meaning(&self, now: Timestamp, outcome: Outcome) -> (Health, Ending<Self>) {
        let again = |attempt| Ending::Again {
            asked: None,
            attempt,
        };
        let most = self.refusals;
        match outcome {
            Outcome::Sent => {
                let day = day_of(now);
                (Health::Answers, Ending::Settled(Settlement::Sent { day }))
            }
            Outcome::Refused => {
                let refused = Settlement::Refused { at: now, most };
                (Health::Answers, Ending::Settled(refused))
            }
            Outcome::Later => (Health::Answers, again(Attempt::Refused)),
            Outcome::Unreachable => (Health::Down(None), again(Attempt::Refused)),
            Outcome::Unknown => (Health::Unsure, again(Attempt::Unknown)),
        }
    }

    fn later(due_at: Timestamp, attempt: Attempt) -> Settlement {
        let is_known = attempt != Attempt::Unknown;
        Settlement::Later { due_at, is_known }
    }

    fn dropped(_now: Timestamp) -> Settlement {
        Settlement::Dropped
    }
}

/// Returns why a letter is not sent, if it is not.
const fn refused(kind: LetterKind, look: LetterFacts) -> Option<Reason> {
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
