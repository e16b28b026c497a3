//! The way of a message to a client: outboxes, writers, sessions, rates, fair shares of an address, and overload
//! control.
//!
//! Invariant: it knows no game, no account and no database; it delivers the frames that others give it.

pub mod outbound;
pub mod overload;
pub mod session;
pub mod shares;
pub mod wrong_entries;
