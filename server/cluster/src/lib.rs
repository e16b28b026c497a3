//! How several servers share the work: which node owns which part, takes it over, and hands it on.
//!
//! [`Node`] is pure: it gets the time, the answers of the database and the reports of the shell, and says what to do. The
//! database decides: a node keeps nothing in memory that lets it store, each change names the term that it replaces, and only
//! the database's clock counts between nodes. A node's own clock measures lengths of time only.
//!
//! [`Member`] is its shell, and [`Owners`] tells the rest of the server which node has what.

mod bounds;
mod node;
#[cfg(test)]
mod postgres_tests;
mod rendezvous;
mod shell;

pub use bounds::Bounds;
pub use node::{Effect, Identity, Input, Node, StopReason};

pub use rendezvous::first as home;
pub use shell::{Answer, Answered, Ask, Callback, Hints, Joining, LobbyWork, Member, Serving};
