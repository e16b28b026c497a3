//! The inputs and effects of the pure courier of pushes.

use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use tilewire_store::PushSettlement;

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

/// The machine's record of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name.
    pub(crate) key: String,
    /// The push service.
    pub(crate) service: String,
    /// The kind of the letter that it repeats.
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

/// The facts that the shell finds when it looks at a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
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

/// Why a push is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The player does not want it.
    Unwanted,
    /// It is out of date.
    Past,
    /// The player is here.
    Present,
    /// The device had as many as allowed today.
    TooMany,
    /// The browser has ended the subscription.
    Gone,
    /// The push service refuses it.
    Refused,
    /// The push service has put it off for too long.
    GivenUp,
    /// It was sent twice, and the outcome is unknown.
    Unknown,
}

impl Reason {
    /// Returns the name in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Unwanted => "unwanted",
            Self::Past => "past",
            Self::Present => "present",
            Self::TooMany => "too_many",
            Self::Gone => "gone",
            Self::Refused => "refused",
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
    /// The pushes that are due, the oldest first; `None`: the storage does not answer.
    Due(Option<Vec<Entry>>),
    /// The shell has looked at a push; `None`: the storage does not answer.
    Looked(String, Option<Look>),
    /// The storage has counted a sending. `false`: the push is gone, or the storage does not answer.
    Begun(String, bool),
    /// A sending has ended.
    Ended(String, Outcome),
    /// The fate of a push is stored, or the storage does not answer; then the push is due again.
    Settled(String),
}

/// An effect that the shell carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Read pushes that are due.
    Read {
        /// The most.
        most: usize,
        /// The push services that have no room.
        without: Vec<String>,
    },
    /// Look at a push.
    Look(String),
    /// Count a sending of a push.
    Begin(String),
    /// Send a push.
    Send(String),
    /// Store the fate of a push.
    Settle(String, PushSettlement),
    /// Report that a push is not sent.
    Drop(LetterKind, Reason),
}
