//! A position after a turn, before tiles are drawn.

use crate::alphabet::Tile;
use crate::board::Board;
use crate::state::Runs;
use crate::tiles::without;

use super::{BotTurn, Candidate, EndPosition, Seen};

/// The board and the rack that a turn leaves.
#[derive(Clone, Debug)]
pub(super) struct After {
    pub(super) board: Board,
    /// The tiles that the player keeps; all of them after an exchange, which an ending does not have.
    pub(super) rack: Vec<Tile>,
    runs: Runs,
    is_all_zero: bool,
}

impl After {
    pub(super) fn new(seen: &Seen<'_>, made: &Candidate) -> Self {
        let (mut board, mut rack) = (seen.board.clone(), seen.rack.to_vec());
        let runs = match &made.turn {
            BotTurn::Play(placement) => {
                for (square, placed) in placement.squares() {
                    if board.get(square).is_none() && board.contains(square) {
                        board.place(square, placed);
                    }
                }
                let used: Vec<Tile> = placement.laid().map(|placed| placed.tile).collect();
                rack = without(&rack, &used).unwrap_or_default();
                match made.score {
                    0 => seen.runs.after_play_worth_nothing(),
                    _ => Runs::default(),
                }
            }
            BotTurn::Exchange(_) => seen.runs.after_scoreless(),
            BotTurn::Pass => seen.runs.after_pass(),
        };
        Self {
            board,
            rack,
            runs,
            is_all_zero: made.score == 0 && seen.scores.iter().all(|score| *score == 0),
        }
    }

    /// Whether turns without score end the game of two players here.
    pub(super) fn is_idle(&self, seen: &Seen<'_>) -> bool {
        let rule = seen.inactivity;
        rule.ends(self.runs, 2, self.is_all_zero).is_some()
    }

    /// Returns the ending as the opponent sees it, who is on turn. `own` is the rack of the mover with the drawn tiles.
    pub(super) fn ending<'a>(
        &'a self,
        seen: &'a Seen<'_>,
        other: &'a [Tile],
        own: &'a [Tile],
    ) -> EndPosition<'a> {
        EndPosition {
            rules: seen.rules,
            inactivity: seen.inactivity,
            runs: self.runs,
            is_all_zero: self.is_all_zero,
            board: &self.board,
            racks: [other, own],
        }
    }
}
