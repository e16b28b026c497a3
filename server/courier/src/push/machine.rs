//! The decisions of pushes: which are looked at, sent, put off and given up.
//!
//! They are like those of letters ([`crate::machine`]), with one difference: there are many push services, and some belong
//! to strangers. So failures and bounds are counted for each of them, and a slow one holds up no other.

use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use crate::machine::day_of;
use crate::outbox::{Channel, Ending, Entry, Health, Limits, Promise, Reason};
use tilewire_store::{Attempt, PushSettlement};

/// One push service gets at most this part of the window.
const SHARE: usize = 4;

/// The bounds of pushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Pushes in work.
    pub(crate) window: usize,
    /// Pushes that are sent at the same time.
    pub(crate) connections: usize,
    /// Pushes that are sent to one push service at the same time.
    pub(crate) per_service: usize,
    /// Pushes to one device in a day.
    pub(crate) per_day: u32,
    /// The first wait after a failure.
    pub(crate) retry_ms: Millis,
    /// The longest wait after a failure.
    pub(crate) retry_max_ms: Millis,
    /// The time after which a push that is put off is given up.
    pub(crate) give_up_ms: Millis,
    /// Refusals in a row that remove a device.
    pub(crate) refusals: u32,
}

/// The facts that the shell finds when it looks at a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PushFacts {
    /// Whether the player wants pushes of this kind, from this sender.
    pub(crate) is_wanted: bool,
    /// Whether the push is still true: a turn of the past is not.
    pub(crate) is_current: bool,
    /// Whether the player is connected.
    pub(crate) is_present: bool,
    /// The pushes that the device got today.
    pub(crate) sent_today: u32,
}

/// How the sending of a push ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The push service has taken it.
    Sent,
    /// The browser has ended the subscription.
    Gone,
    /// The push service refuses this push for good.
    Refused,
    /// The push service cannot take this push now, and perhaps says for how long.
    Later(Option<Millis>),
    /// The push service cannot take any push now, and perhaps says for how long.
    Down(Option<Millis>),
    /// The push service could not be reached: it has seen nothing.
    Unreachable,
    /// The push was handed over, and no answer came.
    Unknown,
}

impl Channel for Bounds {
    const PROMISE: Promise = Promise::AtMostTwice;
    const HAS_ONE_DESTINATION: bool = false;

    type Key = String;
    /// The push service.
    type Destination = String;
    /// The kind of the letter that it repeats.
    type Kind = LetterKind;
    type Facts = PushFacts;
    type Outcome = Outcome;
    type Fate = PushSettlement;

    fn limits(&self) -> Limits {
        Limits {
            window: self.window,
            share: (self.window / SHARE).max(1),
            connections: self.connections,
            retry_ms: self.retry_ms,
            retry_max_ms: self.retry_max_ms,
        }
    }

    fn reads(&self, in_work: usize) -> usize {
        self.window.saturating_sub(in_work)
    }

    fn connections_after(&self, _failures: u32) -> usize {
        self.per_service
    }

    fn given_up_at(&self, entry: &Entry<Self>) -> Timestamp {
        entry.at + self.give_up_ms
    }

    fn judged(&self, _now: Timestamp, _kind: LetterKind, look: PushFacts) -> Option<Ending<Self>> {
        refused(look, self.per_day).map(Ending::Dropped)
    }

    fn meaning(&self, now: Timestamp, outcome: Outcome) -> (Health, Ending<Self>) {
        let again = |asked, attempt| Ending::Again { asked, attempt };
        match outcome {
            Outcome::Sent => {
                let (at, day) = (now, day_of(now));
                (
                    Health::Up,
                    Ending::Settled(PushSettlement::Sent { at, day }),
                )
            }
            Outcome::Gone => (Health::Up, Ending::Lost(Reason::Gone, PushSettlement::Gone)),
            Outcome::Refused => {
                let most = self.refusals;
                let refused = PushSettlement::Refused { most };
                (Health::Up, Ending::Lost(Reason::Refused, refused))
            }
            Outcome::Later(asked) => (Health::Up, again(asked, Attempt::Refused)),
            Outcome::Down(asked) => (Health::Down(asked), again(asked, Attempt::Refused)),
            Outcome::Unreachable => (Health::Down(None), again(None, Attempt::Refused)),
            Outcome::Unknown => (Health::Down(None), again(None, Attempt::Unknown)),
        }
    }

    fn later(due_at: Timestamp, attempt: Attempt) -> PushSettlement {
        PushSettlement::Later { due_at, attempt }
    }

    fn dropped(_now: Timestamp) -> PushSettlement {
        PushSettlement::Dropped
    }
}

/// Returns why a push is not sent, if it is not.
const fn refused(look: PushFacts, per_day: u32) -> Option<Reason> {
    if !look.is_current {
        return Some(Reason::Past);
    }
    if !look.is_wanted {
        return Some(Reason::Unwanted);
    }
    if look.is_present {
        return Some(Reason::Present);
    }
    if look.sent_today >= per_day {
        return Some(Reason::TooMany);
    }
    None
}

#[cfg(test)]
mod tests;
