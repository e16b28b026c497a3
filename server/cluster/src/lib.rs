//! The membership of a server in a cluster: the node's lease, its parts, and how it takes over and hands on.
//!
//! Invariant: it knows no client and no event of a game: its parts are the lobby, and shards with numbers.
//!
//! [`Node`] is pure: it gets the time, the answers of the database and the reports of the shell, and says what to do.
//! The database decides: a node keeps nothing in memory that lets it store, each change names the term that it
//! replaces, and only the database's clock counts between nodes. A node's own clock measures lengths of time only.
//!
//! [`Member`] is its shell, and [`Owners`](tilewire_game::owners::Owners) tells the rest of the server which node has
//! which part.

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
