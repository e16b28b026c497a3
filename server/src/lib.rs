//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod app;
mod erasure_task;
mod listening;
mod open_files;
mod refresh;
pub mod run;
mod sampling;
mod sighup;

pub use run::{relay_over, run};
