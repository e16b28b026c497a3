//! Lists the plays of a position: every placement that is legal and forms only words of a lexicon.
//!
//! [`Graph`] holds the words in the form the search wants, made once per lexicon. A [`Generator`] owns the memory a
//! search needs and is used for any number of positions, one after the other. What is legal and what it scores is
//! defined by [`Play::resolve`]; the search arrives at the same by other means, which the tests compare.

mod blanks;
mod graph;
mod lane;
mod pack;
mod rack;
mod search;
mod stems;

pub use graph::{Graph, MAX_LETTER};

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::alphabet::{Placed, Tile};
use crate::board::{Board, Direction, Square};
use crate::play::{Placement, PlacementError, Play};
use crate::ruleset::RuleSet;

use graph::{Cell, Cells, Form, Narrow, Wide};
use lane::{Grid, LANE, Lane};
use rack::Rack;
use search::{Position, Scratch, Search};
use stems::Stems;

/// A play as the search reports it; valid until the visitor returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// First square of the main word.
    pub start: Square,
    /// The way the main word runs; for a single tile the longer word's, across if both are equal.
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

    /// The play as a placement; resolving it gives the same start, direction, tiles and score.
    #[must_use]
    pub fn placement(&self) -> Placement {
        Placement {
            start: self.start,
            direction: self.direction,
            tiles: self.tiles.to_vec(),
        }
    }

    /// A copy that outlives the search.
    #[must_use]
    pub fn to_owned(&self) -> Scored {
        Scored {
            placement: self.placement(),
            score: self.score,
        }
    }

    /// The order of plays: by first square, then direction, then tiles.
    fn order(&self, other: &Found<'_>) -> Ordering {
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
    /// The play with every word it forms.
    ///
    /// # Errors
    /// The rule it breaks in another position than the one it was found in.
    pub fn resolve(
        &self,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> Result<Play, PlacementError> {
        Play::resolve(rules, board, rack, &self.placement)
    }

    fn found(&self) -> Found<'_> {
        Found {
            start: self.placement.start,
            direction: self.placement.direction,
            tiles: &self.placement.tiles,
            laid: self.placement.laid().count(),
            score: self.score,
        }
    }
}

/// Finds plays; owns the memory a search needs, so that one position after the other costs no allocation.
#[derive(Debug)]
pub struct Generator {
    grid: Grid,
    rack: Rack,
    lanes: Vec<Lane>,
    bonus: [i32; LANE],
    narrow: Stems<Narrow>,
    wide: Stems<Wide>,
    scratch: Scratch,
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    /// A generator for any rule set and lexicon.
    #[must_use]
    pub fn new() -> Self {
        Self {
            grid: Grid::new(),
            rack: Rack::new(),
            lanes: Vec::new(),
            bonus: [0; LANE],
            narrow: Stems::new(),
            wide: Stems::new(),
            scratch: Scratch::default(),
        }
    }

    /// Calls `visit` with every play of the position, each once, in no particular order.
    ///
    /// A tile of the rack that the rule set does not know is left out of account; so is a letter above [`MAX_LETTER`].
    pub fn for_each(
        &mut self,
        graph: &Graph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        mut visit: impl FnMut(Found<'_>),
    ) {
        let flow = self.try_for_each(graph, rules, board, rack, |found| {
            visit(found);
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue(), "nothing stops it");
    }

    /// Calls `visit` with every play of the position until it breaks off.
    pub fn try_for_each<B>(
        &mut self,
        graph: &Graph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        mut visit: impl FnMut(Found<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut result = None;
        let visit = |found: Found<'_>| match visit(found) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(value) => {
                result = Some(value);
                ControlFlow::Break(())
            }
        };
        let flow = match &graph.form {
            Form::Narrow(cells) => {
                let mut stems = std::mem::replace(&mut self.narrow, Stems::new());
                let flow = self.search(cells, &mut stems, rules, board, rack, visit);
                self.narrow = stems;
                flow
            }
            Form::Wide(cells) => {
                let mut stems = std::mem::replace(&mut self.wide, Stems::new());
                let flow = self.search(cells, &mut stems, rules, board, rack, visit);
                self.wide = stems;
                flow
            }
        };
        debug_assert_eq!(flow.is_break(), result.is_some());
        result.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn search<C: Cell>(
        &mut self,
        cells: &Cells<C>,
        stems: &mut Stems<C>,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        visit: impl FnMut(Found<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.grid.read(rules, board);
        self.rack.read(rules, rack);
        self.read_lanes(cells, rules, board);
        for (laid, bonus) in self.bonus.iter_mut().enumerate() {
            *bonus = rules.bingo_bonus(laid);
        }
        let longest = self.rack.len.min(self.grid.longest_side());
        stems.spell(cells, &self.rack, longest);
        let position = Position {
            graph: cells,
            rack: &self.rack,
            stems,
            bonus: &self.bonus,
            least: if board.is_empty() {
                usize::from(rules.opening_min_tiles)
            } else {
                1
            },
        };
        let mut search = Search::new(position, &self.lanes[0], &mut self.scratch, visit);
        for lane in self.lanes.iter().filter(|lane| lane.anchors != 0) {
            search.run(lane)?;
        }
        ControlFlow::Continue(())
    }

    fn read_lanes<C: Cell>(&mut self, cells: &Cells<C>, rules: &RuleSet, board: &Board) {
        let numbers = self.grid.lanes();
        self.lanes.resize_with(numbers.clone().count(), Lane::new);
        let start = rules.layout.start();
        for (lane, number) in self.lanes.iter_mut().zip(numbers) {
            lane.read(rules, &self.grid, number, cells, &self.rack);
            if board.is_empty() {
                let (of_lane, at) = match number.0 {
                    Direction::Across => (start.row, start.col),
                    Direction::Down => (start.col, start.row),
                };
                if number.1 == of_lane && usize::from(at) < lane.len {
                    lane.anchors = 1 << at;
                }
            }
        }
    }

    /// Every play of the position, in the order of first square, direction and tiles.
    #[must_use]
    pub fn all(
        &mut self,
        graph: &Graph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> Vec<Scored> {
        let mut plays = Vec::new();
        self.for_each(graph, rules, board, rack, |found| {
            plays.push(found.to_owned());
        });
        plays.sort_unstable_by(|one, other| one.found().order(&other.found()));
        plays
    }

    /// Whether the position has a play at all.
    #[must_use]
    pub fn any(&mut self, graph: &Graph, rules: &RuleSet, board: &Board, rack: &[Tile]) -> bool {
        self.try_for_each(graph, rules, board, rack, |_| ControlFlow::Break(()))
            .is_break()
    }
}
