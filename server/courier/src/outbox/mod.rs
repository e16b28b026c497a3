//! The outbox worker that letters, pushes and webhooks share.
//!
//! [`machine`] decides and is pure; [`task`] carries out what it decides. A [`Channel`] holds what differs in the decisions
//! (window, order and refusals), a [`Service`] what differs in the work (storage and senders).

mod channel;
mod machine;
mod task;

pub(crate) use channel::{Channel, Ending, Entry, Health, Limits, Promise, Reason};
pub(crate) use task::{Looked, Service, known, run};

#[cfg(test)]
pub(crate) use channel::{Effect, Input, LOOK_EVERY};
#[cfg(test)]
pub(crate) use machine::{DESTINATIONS, FRESH, Outbox};
