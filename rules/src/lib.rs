//! The rules of crossword board games as a pure state machine: it reads no clock, does no I/O and has no randomness of
//! its own.
//!
//! The caller passes in the time, the secret that shuffles follow from, and the lexicon. Every function depends on its
//! arguments only, so a game can be replayed from its record and tested without a server. `docs/rules.md` states the
//! rules in words; the code cites their ids (`R-PLAY-3`).

pub mod alphabet;
pub mod analysis;
pub mod board;
pub mod bot;
pub mod choices;
mod data;
pub mod lexicon;
pub mod movegen;
pub mod notation;
pub mod play;
pub mod quoted;
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
