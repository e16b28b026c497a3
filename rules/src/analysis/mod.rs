//! The engine that analyses positions: what a turn is worth, and which one is best.
//!
//! It gets its effort as numbers of positions, never as a time, so that the same question has the same answer on every machine. The
//! caller can stop it between two positions.

mod ending;
mod idle;
mod last_turn;
mod replies;
mod search;
mod table;
mod tiles;

#[cfg(test)]
mod tests;

pub use ending::{Ending, EndingBudget, EndingSearch, EndingTurn, Proof};

use crate::alphabet::Tile;
use crate::board::Board;
use crate::choices::InactivityRule;
use crate::ruleset::RuleSet;
use crate::state::Runs;

/// A position of two players after the last tile was drawn: each knows the rack of the other.
#[derive(Clone, Copy, Debug)]
pub struct EndPosition<'a> {
    /// Board, tiles and numbers; the premium squares are those of this game.
    pub rules: &'a RuleSet,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// The turns without score so far.
    pub runs: Runs,
    /// Whether every score is 0 (R-END-12).
    pub is_all_zero: bool,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The rack of the player on turn, then that of the other.
    pub racks: [&'a [Tile]; 2],
}
