//! The composition of the server: it makes the parts of all crates, gives each the services it uses, and stops them in
//! order.
//!
//! Invariant: it knows no rule of a game, no statement of a database and no route: the parts that it makes decide.

pub mod app;
mod erasing;
mod listening;
mod open_files;
mod refresh;
mod reloading;
pub mod run;
mod sampling;

pub use run::{relay_over, run};
