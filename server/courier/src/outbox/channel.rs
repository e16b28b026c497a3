//! The differences between letters, pushes and webhooks, and the inputs and effects of the machine.

use std::fmt::Debug;

use tilewire_base::backoff::{doubled, or_asked};
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_store::Attempt;

/// The time between two looks at the outbox.
pub(crate) const LOOK_EVERY: Millis = Millis(1_000);

/// The promise of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promise {
    /// In any order, and at most twice under one name. An item is looked at before it is sent: it may be untrue by then. The
    /// storage counts each sending before it ([`Effect::Begin`]), and a known outcome takes the count back. So an item whose
    /// sending a crash or a silent peer hid is sent once more, and never a third time.
    AtMostTwice,
    /// At least once under one id. The outbox shows of each lane only the first item, so a lane is sent in order.
    AtLeastOnceInOrder,
}

/// The bounds of a channel that the machine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Items in work.
    pub(crate) window: usize,
    /// Items in work for one destination.
    pub(crate) share: usize,
    /// Items that are sent at the same time.
    pub(crate) connections: usize,
    /// The first wait after a failure.
    pub(crate) retry_ms: Millis,
    /// The longest wait after a failure.
    pub(crate) retry_max_ms: Millis,
}

impl Limits {
    /// Returns the wait after this number of failures before, or the one that the destination asks for, within its bound.
    pub(crate) fn wait(&self, failures: u32, asked: Option<Millis>) -> Millis {
        let most = self.retry_max_ms;
        or_asked(doubled(self.retry_ms, most, failures), most, asked)
    }
}

/// Letters, pushes or webhooks: the window, the order and the refusals.
pub(crate) trait Channel: Debug + Clone + PartialEq + Eq + Send + 'static {
    /// The promise.
    const PROMISE: Promise;
    /// Whether everything has the same destination. While that one is left alone, nothing is read.
    const HAS_ONE_DESTINATION: bool;

    /// The name of an item.
    type Key: Debug + Clone + Ord + Send + 'static;
    /// The place that items are sent to; failures are counted for each.
    type Destination: Debug + Clone + Ord + Send + 'static;
    /// The kind of an item.
    type Kind: Debug + Clone + Copy + PartialEq + Eq;
    /// The facts that the shell finds when it looks at an item.
    type Facts: Debug + Clone + PartialEq + Eq + Send + 'static;
    /// How the sending of an item ended.
    type Outcome: Debug + Clone + Copy + PartialEq + Eq + Send + 'static;
    /// The fate of an item in the storage.
    type Fate: Debug + Clone + PartialEq + Eq + Send + 'static;

    /// Returns the bounds.
    fn limits(&self) -> Limits;
    /// Returns the most items of a read while so many are in work.
    fn reads(&self, in_work: usize) -> usize;
    /// Returns the connections to one destination after so many failures of it in a row.
    fn connections_after(&self, failures: u32) -> usize;
    /// Returns the time after which an item that is put off is given up.
    fn given_up_at(&self, entry: &Entry<Self>) -> Timestamp;
    /// Returns the ending of an item that is not sent because of what was found about it.
    fn judged(&self, now: Timestamp, kind: Self::Kind, facts: Self::Facts) -> Option<Ending<Self>>;
    /// Returns the meaning of an outcome for the destination and for the item.
    fn meaning(&self, now: Timestamp, outcome: Self::Outcome) -> (Health, Ending<Self>);
    /// Returns the fate of an item that is sent later.
    fn later(due_at: Timestamp, attempt: Attempt) -> Self::Fate;
    /// Returns the fate of an item that is not sent any more.
    fn dropped(now: Timestamp) -> Self::Fate;
}

/// The machine's record of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry<C: Channel> {
    /// Its name.
    pub(crate) key: C::Key,
    /// Its destination.
    pub(crate) destination: C::Destination,
    /// Its kind.
    pub(crate) kind: C::Kind,
    /// When it was first due.
    pub(crate) at: Timestamp,
    /// When it is out of date.
    pub(crate) until: Timestamp,
    /// How often it was put off.
    pub(crate) tries: u32,
    /// How often it was sent without a known outcome.
    pub(crate) unknown: u32,
}

/// The news of an outcome about its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// It works: a pause ends.
    Up,
    /// It has answered: the failures in a row end, and a pause goes on.
    Answers,
    /// Nothing.
    Unsure,
    /// It has failed, and perhaps says for how long it wants to be left alone.
    Down(Option<Millis>),
}

/// The end of the work on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending<C: Channel> {
    /// It has this fate.
    Settled(C::Fate),
    /// It is dropped.
    Dropped(Reason),
    /// It is not sent, and has this fate.
    Lost(Reason, C::Fate),
    /// It is sent again, unless it is given up.
    Again {
        /// The wait that the destination asks for.
        asked: Option<Millis>,
        /// Whether the outcome is known.
        attempt: Attempt,
    },
}

/// Why an item is not sent.
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
    /// The device had as many as allowed today.
    TooMany,
    /// The browser has ended the subscription.
    Gone,
    /// The destination refuses it.
    Refused,
    /// The destination has put it off for too long.
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
            Self::TooMany => "too_many",
            Self::Gone => "gone",
            Self::Refused => "refused",
            Self::GivenUp => "given_up",
            Self::Unknown => "unknown",
        }
    }
}

/// An input of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input<C: Channel> {
    /// Time has passed.
    Tick,
    /// The server stops: nothing new begins.
    Stop,
    /// The items that are due, the oldest first; `None`: the storage does not answer.
    Due(Option<Vec<Entry<C>>>),
    /// The shell has looked at an item; `None`: the storage does not answer.
    Looked(C::Key, Option<C::Facts>),
    /// The storage has counted a sending. `false`: the item is gone, or the storage does not answer.
    Begun(C::Key, bool),
    /// A sending has ended.
    Ended(C::Key, C::Outcome),
    /// The fate of an item is stored, or the storage does not answer; then the item is due again.
    Settled(C::Key),
}

/// An effect that the shell carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect<C: Channel> {
    /// Read items that are due.
    Read {
        /// The most.
        most: usize,
        /// The destinations that have no room.
        without: Vec<C::Destination>,
    },
    /// Look at an item.
    Look(C::Key),
    /// Count a sending of an item.
    Begin(C::Key),
    /// Send an item.
    Send(C::Key),
    /// Store the fate of an item.
    Settle(C::Key, C::Fate),
    /// Report that an item is not sent.
    Drop(C::Kind, Reason),
}
