//! Finds the best play without listing all plays: that with the highest score, or with the highest score and leave.
//!
//! Every anchor has an upper bound for the worth of its plays, computed from the premium squares within reach, the
//! highest tiles of the rack and the best tiles to keep. The search visits anchors in the order of their bounds, and
//! stops when the best play so far beats the next bound.

use std::ops::ControlFlow;

use crate::alphabet::Placed;
use crate::board::{Direction, Square};

use super::bounds::Reach;
use super::cells::Cell;
use super::kept::{Kept, POINT};
use super::lane::{LANE, Lane};
use super::search::{Position, Scratch, Search, Visit};
use super::{Found, Scored};

/// The best play so far.
#[derive(Debug)]
struct Best<'a> {
    /// The values of leaves, if they count.
    kept: Option<&'a Kept>,
    /// The most that the leave is worth, by number of tiles laid.
    leaves: [i64; LANE],
    start: Square,
    direction: Direction,
    tiles: [Option<Placed>; LANE],
    /// Squares of its main word; 0 before the first play.
    len: usize,
    laid: usize,
    score: i32,
    /// Score and leave in hundredths of a point; before the first play the least that counts.
    worth: i64,
    /// Its anchor, and the one being searched.
    anchor: (u8, u8),
    searched: (u8, u8),
}

impl Best<'_> {
    fn found(&self) -> Option<Found<'_>> {
        (self.len > 0).then(|| Found {
            start: self.start,
            direction: self.direction,
            tiles: &self.tiles[..self.len],
            laid: self.laid,
            score: self.score,
        })
    }
}

impl Visit for &mut Best<'_> {
    fn visit(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let worth = match self.kept {
            Some(kept) => kept.worth(&found),
            None => i64::from(found.score) * POINT,
        };
        let first = |best: Found<'_>| match self.kept {
            Some(_) => self.searched < self.anchor,
            None => found.order(&best).is_lt(),
        };
        let better = worth > self.worth || worth == self.worth && self.found().is_none_or(first);
        if better {
            (self.worth, self.anchor) = (worth, self.searched);
            (self.start, self.direction) = (found.start, found.direction);
            (self.len, self.laid, self.score) = (found.tiles.len(), found.laid, found.score);
            self.tiles[..self.len].copy_from_slice(found.tiles);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn wants(&self, points: i32, laid: usize) -> bool {
        i64::from(points) * POINT + self.leaves[laid] >= self.worth
    }
}

/// An anchor and the upper bound for the worth of its plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    most: i64,
    lane: u8,
    anchor: u8,
}

/// Returns the best play that is worth at least this much; of several, the first in the order of plays, or the first of the list if
/// leaves count.
pub(super) fn best<C: Cell>(
    position: Position<'_, C>,
    lanes: &[Lane],
    scratch: &mut Scratch,
    bounds: &mut Vec<Bound>,
    (kept, least): (Option<&Kept>, i64),
) -> Option<Scored> {
    let mut reach = Reach::new(&position, kept);
    bounds.clear();
    for (number, lane) in (0..).zip(lanes) {
        for anchor in lane.live_anchors() {
            bounds.push(Bound {
                most: reach.most(lane, anchor),
                lane: number,
                anchor: u8::try_from(anchor).unwrap_or(u8::MAX),
            });
        }
    }
    bounds.sort_unstable_by_key(|bound| std::cmp::Reverse(bound.most));
    let mut best = Best {
        kept,
        leaves: reach.leaves(),
        start: Square { row: 0, col: 0 },
        direction: Direction::Across,
        tiles: [None; LANE],
        len: 0,
        laid: 0,
        score: 0,
        worth: least,
        anchor: (0, 0),
        searched: (0, 0),
    };
    let mut search = Search::new(position, lanes.first()?, scratch, &mut best);
    for bound in bounds {
        if bound.most < search.visit.worth {
            break;
        }
        let lane = &lanes[usize::from(bound.lane)];
        let anchor = usize::from(bound.anchor);
        let befores = reach.befores(lane, anchor, search.visit.worth);
        search.visit.searched = (bound.lane, bound.anchor);
        let flow = search.anchor(lane, anchor, befores);
        debug_assert!(flow.is_continue(), "the best play is found at the end");
    }
    best.found().map(|found| found.to_owned())
}
