//! A play as the search reports it, and a copy that outlives the search.

use std::cmp::Ordering;

use crate::alphabet::{Placed, Tile};
use crate::board::{Board, Direction, Square};
use crate::play::{Placement, PlacementError, Play};
use crate::ruleset::RuleSet;

/// A play as the search reports it; valid until the visitor returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// First square of the main word.
    pub start: Square,
    /// The direction of the main word; for a single tile that of the longer word, across if both are equal.
    pub direction: Direction,
    /// The main word square by square; `None` where a tile lay before.
    pub tiles: &'a [Option<Placed>],
    /// Number of tiles laid.
    pub laid: usize,
    /// Score of the turn in points: all words and the bonus.
    pub score: i32,
}

impl Found<'_> {
    /// The tiles the play takes from the rack.
    pub fn laid_tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiles.iter().flatten().map(|placed| placed.tile)
    }

    /// Returns the play as a placement; resolving it gives the same start, direction, tiles and score.
    #[must_use]
    pub fn placement(&self) -> Placement {
        Placement {
            start: self.start,
            direction: self.direction,
            tiles: self.tiles.to_vec(),
        }
    }

    /// Returns a copy that outlives the search.
    #[must_use]
    pub fn to_owned(&self) -> Scored {
        Scored {
            placement: self.placement(),
            score: self.score,
        }
    }

    /// The order of plays: by first square, then direction, then tiles.
    pub(super) fn order(&self, other: &Found<'_>) -> Ordering {
        let place = |found: &Found<'_>| (found.start, found.direction);
        let by_place = place(self).cmp(&place(other));
        by_place.then_with(|| self.tiles.cmp(other.tiles))
    }
}

/// A play with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The tiles, from the first square of the main word to its last.
    pub placement: Placement,
    /// Score of the turn in points.
    pub score: i32,
}

impl Scored {
    /// Resolves the play to get every word that it forms.
    ///
    /// # Errors
    /// Names the rule that the play breaks in another position.
    pub fn resolve(
        &self,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> Result<Play, PlacementError> {
        Play::resolve(rules, board, rack, &self.placement)
    }

    pub(crate) fn found(&self) -> Found<'_> {
        Found {
            start: self.placement.start,
            direction: self.placement.direction,
            tiles: &self.placement.tiles,
            laid: self.placement.laid().count(),
            score: self.score,
        }
    }
}
