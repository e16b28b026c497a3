//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod app;
mod erasure_task;
mod listening;
mod open_files;
mod refresh;
mod reloading;
pub mod run;
mod sampling;

pub use run::{relay_over, run};
