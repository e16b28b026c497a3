//! Finds the best play without listing all plays.
//!
//! Every anchor has an upper bound for the score of its plays, computed from the premium squares within reach and the
//! highest tiles of the rack. The search visits anchors in the order of their bounds, and stops when the best play so
//! far beats the next bound.

use std::ops::ControlFlow;

use crate::alphabet::Placed;
use crate::board::{Direction, Square};

use super::bounds::Reach;
use super::cells::Cell;
use super::lane::{LANE, Lane};
use super::search::{Position, Scratch, Search, Visit};
use super::{Found, Scored};

/// The best play so far.
#[derive(Debug)]
struct Best {
    start: Square,
    direction: Direction,
    tiles: [Option<Placed>; LANE],
    /// Squares of its main word; 0 before the first play.
    len: usize,
    laid: usize,
    score: i32,
}

impl Best {
    const NONE: Self = Self {
        start: Square { row: 0, col: 0 },
        direction: Direction::Across,
        tiles: [None; LANE],
        len: 0,
        laid: 0,
        score: i32::MIN,
    };

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

impl Visit for &mut Best {
    fn visit(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let better = found.score > self.score
            || self
                .found()
                .is_none_or(|best| found.score == best.score && found.order(&best).is_lt());
        if better {
            (self.start, self.direction) = (found.start, found.direction);
            (self.len, self.laid, self.score) = (found.tiles.len(), found.laid, found.score);
            self.tiles[..self.len].copy_from_slice(found.tiles);
        }
        ControlFlow::Continue(())
    }

    fn floor(&self) -> i32 {
        self.score
    }
}

/// An anchor and the upper bound for the score of its plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    most: i32,
    lane: u8,
    anchor: u8,
}

/// Returns the play with the highest score; of several, the first in the order of plays.
pub(super) fn best<C: Cell>(
    position: Position<'_, C>,
    lanes: &[Lane],
    scratch: &mut Scratch,
    bounds: &mut Vec<Bound>,
) -> Option<Scored> {
    let mut reach = Reach::new(&position);
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
    bounds.sort_unstable_by(|one, other| other.cmp(one));
    let mut best = Best::NONE;
    let mut search = Search::new(position, lanes.first()?, scratch, &mut best);
    for bound in bounds {
        if bound.most < search.visit.floor() {
            break;
        }
        let lane = &lanes[usize::from(bound.lane)];
        let anchor = usize::from(bound.anchor);
        let befores = reach.befores(lane, anchor, search.visit.floor());
        let flow = search.anchor(lane, anchor, befores);
        debug_assert!(flow.is_continue(), "the best play is found at the end");
    }
    best.found().map(|found| found.to_owned())
}
