//! The Tilewire reference client: play and watch in a terminal, or from scripts.
//!
//! The core does no I/O: [`model`] folds what the server tells into what is known of a game, [`app`] decides what to do
//! about it, [`command`] reads what is typed, [`screen`] draws. [`shell`] owns the socket, the terminal, the clock and
//! the randomness. [`bots`] and [`lexicon`] need no server.

pub mod app;
pub mod args;
pub mod bots;
pub mod command;
pub mod lexicon;
pub mod random;
pub mod record;
pub mod screen;
pub mod shell;
pub mod text;
pub mod trust;
