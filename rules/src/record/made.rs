//! The turns of a score sheet with the position before each of them, for the analysis of a game.

use crate::alphabet::Tile;
use crate::analysis::{BotTurn, Seen};
use crate::board::Board;
use crate::choices::InactivityRule;
use crate::options::ChallengeKind;
use crate::ruleset::RuleSet;
use crate::state::Runs;
use crate::time::Seat;

/// A turn of a score sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeTurn {
    /// The line of the file, counted from 1; 0 if it is not from a file.
    pub line: usize,
    /// The seat, counted from 0.
    pub seat: usize,
    /// The tiles on the board before the turn.
    pub board: Board,
    /// The rack before the turn, as far as the sheet names it.
    pub rack: Vec<Tile>,
    /// The points of each seat before the turn.
    pub scores: Vec<i32>,
    /// The tiles on each rack before the turn; 0 for a seat that has left.
    pub rack_counts: Vec<usize>,
    /// The tiles in the bag before the turn.
    pub bag: usize,
    /// The turns without score before the turn.
    pub runs: Runs,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// The turn; `None` if the sheet does not name the tiles.
    pub turn: Option<BotTurn>,
    /// The points of the turn.
    pub score: i32,
    /// Words of the play that the lexicon does not have.
    pub phonies: Vec<String>,
    /// Whether the play was challenged off.
    pub is_off: bool,
    /// Whether the player could not choose: a turn lost by a challenge, or a pass after the last play of the game.
    pub is_forced: bool,
}

impl MadeTurn {
    /// Returns whether the sheet names the whole rack, so that the turn can be compared with others.
    #[must_use]
    pub fn is_known(&self) -> bool {
        let is_whole = self.rack_counts.get(self.seat) == Some(&self.rack.len());
        is_whole && !self.rack.is_empty() && !self.is_forced && self.turn.is_some()
    }

    /// Returns the position before the turn as its player sees it. In a race `targets` has the points that each seat needs.
    #[must_use]
    pub fn seen<'a>(&'a self, rules: &'a RuleSet, targets: &[i32]) -> Seen<'a> {
        Seen {
            rules,
            challenge: ChallengeKind::Void,
            board: &self.board,
            rack: &self.rack,
            seat: Seat(u8::try_from(self.seat).unwrap_or(u8::MAX)),
            scores: self.scores.clone(),
            targets: targets.to_vec(),
            rack_counts: self.rack_counts.clone(),
            known: Vec::new(),
            bag: self.bag,
            turn_no: 1,
            inactivity: self.inactivity,
            runs: self.runs,
        }
    }
}
