//! The database of a server that needs more than one machine: PostgreSQL 15 or later, named by `storage.url`.
//!
//! The stores are those of `sql`, and their statements are translated (`dialect`). One thread writes (`engine`, behind
//! `write_queue`): the appends of a group are one statement that also renews the server's lease (`append`), and its other
//! changes are one transaction that proves the lease with its commit (`lease`). Some threads read, each with a connection of
//! its own. A server among several asks for changes of the cluster with one more connection (`cluster`). `copy` moves everything between this database and SQLite.
//!
//! A lost connection leaves the outcome of a group unknown, and the server goes on: see `lease`.

mod append;
mod archive;
mod cluster;
mod copy;
mod engine;
mod lease;
mod open;
mod schema;
#[cfg(test)]
mod tests;

pub use archive::{PostgresArchive, copy_from};
pub use cluster::{ClusterTables, Joined};

pub use lease::READS_FORM;
pub use open::{OpenNode, migrate, open, open_for_operator, open_node, problem};
