//! The Tilewire server: one actor per game, a durable journal, WebSockets.

pub mod app;
mod erasing;
mod listening;
mod open_files;
mod refresh;
mod reloading;
mod run;
mod sampling;

pub use run::{RelayOver, relay_over, run};
