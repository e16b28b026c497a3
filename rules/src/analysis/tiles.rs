//! The tiles of a search: laying a turn and taking it back, and what racks count for.

use crate::alphabet::Tile;
use crate::board::Square;

use super::idle::Idle;
use super::search::{PLAYS, Search};
use super::table::{Compact, MAX_LAID, laid_key, mix, tile_key};

/// A turn to take back.
pub(super) struct Undo {
    key: u64,
    laid: [Option<(Square, Tile)>; MAX_LAID],
}

impl Search<'_> {
    /// The key of the position with `side` on turn.
    pub(super) fn key_of(&self, side: usize, idle: Idle) -> u64 {
        mix(self.key ^ idle.key() ^ mix(u64::from(side == 1)))
    }

    /// Lists the plays of a side behind those of the positions before, those that promise most first.
    pub(super) fn list(&mut self, side: usize) {
        let (base, rack) = (self.plays.len(), &self.racks[side]);
        let (rules, size) = (self.position.rules, rack.len());
        let out = 2 * rules.tiles.sum(&self.racks[1 - side]);
        let (plays, refuting) = (&mut *self.plays, &self.refuting[side]);
        let visit = |found: crate::movegen::Found<'_>| {
            let Some(play) = Compact::of(&found) else {
                return;
            };
            let laid: i32 = found.laid_tiles().map(|tile| rules.tiles.value(tile)).sum();
            let more = if found.laid == size { out } else { laid };
            let refuted = refuting[play.entry() % PLAYS];
            plays.push((-(play.score + more + bonus(refuted)), play));
        };
        self.generator
            .for_each(self.graph, rules, &self.board, rack, visit);
        plays[base..].sort_unstable();
    }

    /// Lays the tiles of a turn.
    pub(super) fn lay(&mut self, side: usize, turn: &Compact) -> Undo {
        let mut undo = Undo {
            key: self.key,
            laid: [None; MAX_LAID],
        };
        let squares = turn.squares(&self.board);
        for (laid, (square, placed)) in undo.laid.iter_mut().zip(squares.into_iter().flatten()) {
            let rack = &mut self.racks[side];
            let Some(at) = rack.iter().position(|tile| *tile == placed.tile) else {
                debug_assert!(false, "the rack has the tiles of its plays");
                continue;
            };
            let tile = rack.swap_remove(at);
            let left = rack.iter().filter(|other| **other == tile).count();
            let left = u8::try_from(left).unwrap_or(u8::MAX);
            self.key ^= tile_key(square, placed) ^ laid_key(side, tile, left);
            self.board.place(square, placed);
            *laid = Some((square, tile));
        }
        undo
    }

    /// Takes the tiles of the last turn back.
    pub(super) fn take_back(&mut self, side: usize, undo: &Undo) {
        self.key = undo.key;
        for (square, tile) in undo.laid.iter().rev().flatten() {
            self.board.remove(*square);
            self.racks[side].push(*tile);
        }
    }

    /// Returns the turns that count towards the end after a turn that was laid.
    ///
    /// # Errors
    /// The points that the other side still gains, if the game has ended with the turn.
    pub(super) fn follows(&self, side: usize, turn: &Compact, idle: Idle) -> Result<Idle, i32> {
        if self.racks[side].is_empty() && !turn.is_pass() {
            return Err(-2 * self.unplayed(1 - side));
        }
        let next = idle.after(turn, self.position.inactivity);
        next.ok_or_else(|| self.if_all_pass(1 - side))
    }

    /// The points of `side` if nobody plays again.
    pub(super) fn if_all_pass(&self, side: usize) -> i32 {
        self.unplayed(1 - side) - self.unplayed(side)
    }

    /// The points of the tiles on a rack.
    pub(super) fn unplayed(&self, side: usize) -> i32 {
        self.position.rules.tiles.sum(&self.racks[side])
    }
}

/// Returns the points that the search adds to the promise of a play that has refuted others.
fn bonus(refuted: u32) -> i32 {
    i32::try_from(3 * (u32::BITS - refuted.leading_zeros())).unwrap_or(0)
}
