//! The engine that analyses positions: what a turn is worth, and which one is best.
//!
//! It gets its effort as numbers of positions, never as a time, so that the same question has the same answer on every machine. The
//! caller can stop it between two positions.

mod after;
mod before_end;
mod chance;
mod decide;
mod ending;
mod engine;
pub(crate) mod equity;
mod evaluate;
mod idle;
mod last_turn;
pub(crate) mod leave;
mod luck;
mod replies;
mod report;
mod rest_of_game;
mod sample;
mod search;
mod seen;
mod standing;
mod table;
mod tiles;

#[cfg(test)]
mod before_end_tests;
#[cfg(test)]
mod report_tests;
#[cfg(test)]
mod sample_tests;
#[cfg(test)]
mod tests;

pub use before_end::{BeforeEnd, BeforeEndBudget, Decided, MAX_BAG};
pub use chance::{ChanceRow, ChanceTables, Chances};
pub(crate) use chance::{LEVELS, UNIT};
pub use decide::{BudgetError, MAX_SAMPLES, Next, Reason, SampleBudget, next};
pub use ending::{Ending, EndingBudget, EndingSearch, EndingTurn, Proof};
pub use engine::Engine;
pub use equity::Candidate;
pub(crate) use equity::best_by_equity;
pub use evaluate::{Effort, Evaluation, Sureness, Worth};
pub use leave::{Centipoints, LeaveTable, Leaves};
pub use report::{Figures, Grade, Judged, Size, accuracy_of, figures, grade};
pub use sample::{Estimate, MAX_CANDIDATES, MAX_PLIES, Simulation, Tallies};
pub use seen::Seen;
pub use standing::{CERTAIN, decided};

use crate::alphabet::Tile;
use crate::board::Board;
use crate::choices::InactivityRule;
use crate::play::Placement;
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

/// A turn that a player can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotTurn {
    /// Lay tiles.
    Play(Placement),
    /// Exchange tiles.
    Exchange(Vec<Tile>),
    /// Pass.
    Pass,
}
