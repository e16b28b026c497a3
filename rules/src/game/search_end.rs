//! Ends that a search for plays finds: no seat has a legal play left, or the trailing seat cannot catch up (R-END-14,
//! R-END-15). Only for games that validate plays: elsewhere such an end would reveal which words are valid.

use super::step::Step;
use crate::alphabet::Tile;
use crate::board::Board;
use crate::clock::ClockKind;
use crate::event::EndReason;
use crate::movegen::{Generator, Scored, WordGraph};
use crate::ruleset::RuleSet;
use crate::state::State;
use crate::time::Seat;

/// The number of positions after which the search for a way to catch up gives up. It bounds the time of a turn to some
/// tens of milliseconds.
const CATCH_UP_NODES: u32 = 2_000;

impl Step<'_> {
    /// Returns the reason for the end if no play is left or the trailing seat cannot catch up.
    pub(super) fn search_end(&self) -> Option<EndReason> {
        let options = self.options();
        let is_asked = options.all_played || options.uncatchable;
        if !is_asked || self.state.has_challenges() || !self.state.tiles().bag().is_empty() {
            return None;
        }
        let graphs = self.ctx.lexicon.graphs()?;
        let words = graphs.all();
        if options.all_played && !self.anybody_can_play(words) {
            return Some(EndReason::AllPlayed);
        }
        let hopeless = options.uncatchable && self.is_hopeless(words);
        hopeless.then_some(EndReason::Uncatchable)
    }

    fn anybody_can_play(&self, words: &WordGraph) -> bool {
        let (rules, tiles) = (self.state.rules(), self.state.tiles());
        let mut generator = Generator::new();
        self.state
            .active()
            .any(|seat| generator.any(words, rules, tiles.board(), tiles.rack(seat)))
    }

    /// Whether the trailing of two seats could not reach the other's final score even if both seats helped it.
    fn is_hopeless(&self, words: &WordGraph) -> bool {
        // Overtime to come could cost the leading seat any number of points.
        let has_overtime = matches!(self.clock_kind(), ClockKind::Overtime { .. });
        !has_overtime && can_catch_up(&self.state, words, CATCH_UP_NODES) == Some(false)
    }
}

/// Returns whether the trailing of two seats can reach the other's final score if both seats help it; `None` if the
/// search gives up after this number of positions, or for more seats. The bag has to be empty.
#[must_use]
pub fn can_catch_up(state: &State, words: &WordGraph, positions: u32) -> Option<bool> {
    let seats = state.seats();
    let [one, other] = seats else {
        return None;
    };
    let (trailing, leading) = if one.score <= other.score {
        (Seat(0), Seat(1))
    } else {
        (Seat(1), Seat(0))
    };
    let tiles = state.tiles();
    let mut hope = Hope {
        generator: Generator::new(),
        words,
        rules: state.rules(),
        board: tiles.board().clone(),
        racks: [tiles.rack(trailing).to_vec(), tiles.rack(leading).to_vec()],
        lead: seats[leading.index()].score - seats[trailing.index()].score,
        nodes: positions,
    };
    hope.exists()
}

/// A search in which both seats help the trailing seat. Turns need not alternate, because a seat can pass: the search
/// covers every course that the game can take.
struct Hope<'a> {
    generator: Generator,
    words: &'a WordGraph,
    rules: &'a RuleSet,
    board: Board,
    /// The trailing seat's rack, then the leading one's.
    racks: [Vec<Tile>; 2],
    /// How far the leading seat is ahead.
    lead: i32,
    nodes: u32,
}

impl Hope<'_> {
    /// Whether the trailing seat can reach a tie or better; `None` if the search gives up.
    fn exists(&mut self) -> Option<bool> {
        self.nodes = self.nodes.checked_sub(1)?;
        if self.lead_at_end() <= 0 {
            return Some(true);
        }
        if self.racks.iter().any(Vec::is_empty) {
            return Some(false);
        }
        for side in [0, 1] {
            let plays = self
                .generator
                .all(self.words, self.rules, &self.board, &self.racks[side]);
            for play in plays {
                if self.exists_after(side, &play)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    fn exists_after(&mut self, side: usize, play: &Scored) -> Option<bool> {
        let rack = self.racks[side].clone();
        let gained = if side == 0 { play.score } else { -play.score };
        for (square, placed) in play.placement.squares() {
            self.board.place(square, placed);
            if let Some(at) = self.racks[side]
                .iter()
                .position(|tile| *tile == placed.tile)
            {
                self.racks[side].swap_remove(at);
            }
        }
        self.lead -= gained;
        let exists = self.exists();
        self.lead += gained;
        for (square, _) in play.placement.squares() {
            self.board.remove(square);
        }
        self.racks[side] = rack;
        exists
    }

    /// The lead if the game ended here: by passes, or because a rack is empty.
    fn lead_at_end(&self) -> i32 {
        let [trailing, leading] = self.racks.each_ref().map(|rack| self.rules.tiles.sum(rack));
        let out = |side: usize, other: i32| {
            if self.racks[side].is_empty() {
                other
            } else {
                0
            }
        };
        let trailing_change = out(0, leading) - trailing;
        let leading_change = out(1, trailing) - leading;
        self.lead + leading_change - trailing_change
    }
}
