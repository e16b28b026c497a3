//! The rules of crossword board games as a pure machine: no clock, no I/O, no randomness of its own.
//!
//! Time, chance and words are handed in. Everything in here is a function of its arguments, which is what makes a
//! game replayable from its record and testable without a server. `docs/rules.md` states the rules in words; its ids
//! (`R-PLAY-3`) are cited where a rule is carried out.

pub mod alphabet;
pub mod board;
pub mod bot;
pub mod choices;
mod data;
pub mod lexicon;
pub mod movegen;
pub mod notation;
pub mod play;
pub mod ruleset;
mod score;
pub mod stream;
pub mod tile_sets;

pub mod clock;
pub mod event;
pub mod game;
pub mod options;
pub mod record;
pub mod rejection;
pub mod state;
pub mod tiles;
pub mod time;
pub mod view;
