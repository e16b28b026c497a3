//! The decisions of deliveries: which events are sent, put off and given up.
//!
//! The outbox shows of each lane only the first event, so the events of a game are sent in order. Each webhook has a queue of
//! its own: one that does not answer holds up no other. After a failure the whole webhook waits, and so does the event.

use tilewire_rules::time::{Millis, Timestamp};

use crate::outbox::{Channel, Ending, Entry, Health, Limits, Promise};
use tilewire_store::{Attempt, WebhookFate, WebhookKey};

/// The bounds of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Events of one webhook in work.
    pub(crate) window: usize,
    /// Events that are sent to one webhook at the same time.
    pub(crate) connections: usize,
    /// The first wait after a failure.
    pub(crate) retry_ms: Millis,
    /// The longest wait after a failure.
    pub(crate) retry_max_ms: Millis,
}

/// How a delivery ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The webhook has taken the event.
    Delivered,
    /// It has not, and asks for this wait, or for none.
    Failed(Option<Millis>),
}

impl Channel for Bounds {
    const PROMISE: Promise = Promise::AtLeastOnceInOrder;
    const HAS_ONE_DESTINATION: bool = true;

    type Key = WebhookKey;
    type Destination = ();
    type Kind = ();
    type Facts = ();
    type Outcome = Outcome;
    type Fate = WebhookFate;

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

    /// A webhook that has failed is tried with one event first.
    fn connections_after(&self, failures: u32) -> usize {
        if failures > 0 { 1 } else { self.connections }
    }

    /// An event that waited too long is tried once all the same.
    fn given_up_at(&self, entry: &Entry<Self>) -> Timestamp {
        entry.until
    }

    fn judged(&self, _now: Timestamp, _kind: (), _facts: ()) -> Option<Ending<Self>> {
        None
    }

    fn meaning(&self, _now: Timestamp, outcome: Outcome) -> (Health, Ending<Self>) {
        let asked = match outcome {
            Outcome::Delivered => return (Health::Up, Ending::Settled(WebhookFate::Delivered)),
            Outcome::Failed(asked) => asked,
        };
        let attempt = Attempt::Refused;
        (Health::Down(asked), Ending::Again { asked, attempt })
    }

    fn later(due_at: Timestamp, _attempt: Attempt) -> WebhookFate {
        WebhookFate::Later(due_at)
    }

    fn dropped(now: Timestamp) -> WebhookFate {
        WebhookFate::Failed(now)
    }
}

#[cfg(test)]
mod tests;
