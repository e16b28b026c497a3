//! The way of a message to a client: outboxes, sessions, rates, fair shares of an address, and overload control.
//!
//! Invariant: it knows no game, no lobby and no socket; it delivers what others give it.

pub mod outbound;
pub mod overload;
pub mod session;
pub mod shares;
pub mod wrong_entries;
