//! The composition of the server: it makes the parts of all crates, gives each the services it uses, and stops them in
//! order.
//!
//! Invariant: it knows no rule of a game, no statement of a database and no route: the parts that it makes decide.

pub mod app;
mod erasure_task;
mod listening;
mod local;
mod open_files;
mod refresh;
mod run;
mod sampling;
mod sighup;

pub use local::faults;
pub use run::{RelayOver, relay_over, run};
