//! Lists the plays of a position: every placement that is legal and forms only words of a lexicon.
//!
//! A [`WordGraph`] contains the words in the form that the search needs; it is built once per lexicon. A [`Generator`]
//! owns the memory of the search and serves any number of positions, one after the other.
//! [`Play::resolve`](crate::play::Play::resolve) defines which plays are legal and what they score; the search computes
//! the same in another way, and tests compare both.

mod best;
mod blanks;
mod bounds;
mod cells;
mod found;
mod from_stems;
mod graph;
mod grid;
mod kept;
mod lane;
mod pack;
mod premiums;
mod rack;
mod search;
mod spellings;
mod stems;
mod subset;
mod worth;

pub use cells::MAX_LETTER;
pub use found::{Found, Scored};
pub use graph::WordGraph;
pub(crate) use kept::Kept;

use std::ops::ControlFlow;

use crate::alphabet::Tile;
use crate::board::Board;
use crate::ruleset::RuleSet;

use best::Bound;
use cells::{Cell, Cells, Narrow, Wide};
use graph::Form;
use grid::Grid;
use lane::{LANE, Lane};
use premiums::{Premiums, lane_of};
use rack::Rack;
use search::{Position, Scratch, Search, Visit};
use spellings::Spellings;
use stems::Stems;

/// A task for a position that is ready to be searched.
trait Task {
    type Output;

    fn run<C: Cell>(
        self,
        position: Position<'_, C>,
        lanes: &[Lane],
        scratch: &mut Scratch,
    ) -> Self::Output;
}

/// Reports every play.
struct List<V>(V);

impl<V: Visit> Task for List<V> {
    type Output = ();

    fn run<C: Cell>(self, position: Position<'_, C>, lanes: &[Lane], scratch: &mut Scratch) {
        let Some(first) = lanes.first() else {
            return;
        };
        let mut search = Search::new(position, first, scratch, self.0);
        for lane in lanes.iter().filter(|lane| lane.anchors != 0) {
            if search.lane(lane).is_break() {
                return;
            }
        }
    }
}

/// Finds the play with the highest score, or with the highest score and leave.
struct FindBest<'a> {
    bounds: &'a mut Vec<Bound>,
    kept: Option<&'a Kept>,
    /// The least that the play must be worth, in hundredths of a point.
    least: i64,
}

impl Task for FindBest<'_> {
    type Output = Option<Scored>;

    fn run<C: Cell>(
        self,
        position: Position<'_, C>,
        lanes: &[Lane],
        scratch: &mut Scratch,
    ) -> Option<Scored> {
        best::best(
            position,
            lanes,
            scratch,
            self.bounds,
            (self.kept, self.least),
        )
    }
}

/// Finds plays; owns the memory of the search, so that further positions need no allocation.
#[derive(Debug)]
pub struct Generator {
    grid: Grid,
    rack: Rack,
    premiums: Premiums,
    lanes: Vec<Lane>,
    bonus: [i32; LANE],
    narrow: Stems<Narrow>,
    wide: Stems<Wide>,
    scratch: Scratch,
    bounds: Vec<Bound>,
    kept: Kept,
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    /// Returns a generator for any rule set and lexicon.
    #[must_use]
    pub fn new() -> Self {
        Self {
            grid: Grid::new(),
            rack: Rack::new(),
            premiums: Premiums::default(),
            lanes: Vec::new(),
            bonus: [0; LANE],
            narrow: Stems::new(),
            wide: Stems::new(),
            scratch: Scratch::default(),
            bounds: Vec::new(),
            kept: Kept::new(),
        }
    }

    /// Returns the memory for the leaves of a rack; it is given back with [`Self::keep`].
    pub(crate) fn kept(&mut self) -> Kept {
        std::mem::replace(&mut self.kept, Kept::new())
    }

    pub(crate) fn keep(&mut self, kept: Kept) {
        self.kept = kept;
    }

    /// Calls `visit` with every play of the position, each once, in no particular order.
    ///
    /// It ignores tiles of the rack that the rule set does not have, and letters above [`MAX_LETTER`].
    pub fn for_each(
        &mut self,
        graph: &WordGraph,
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

    /// Calls `visit` with every play of the position until it returns `Break`.
    pub fn try_for_each<B>(
        &mut self,
        graph: &WordGraph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        mut visit: impl FnMut(Found<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut result = ControlFlow::Continue(());
        let visit = |found: Found<'_>| match visit(found) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            stop @ ControlFlow::Break(_) => {
                result = stop;
                ControlFlow::Break(())
            }
        };
        self.run(graph, rules, board, rack, List(visit));
        result
    }

    /// Returns the play with the highest score; of several, the first by square, direction and tiles.
    ///
    /// It searches only where such a play can be, which takes a fraction of the time of listing all plays.
    pub fn best(
        &mut self,
        graph: &WordGraph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> Option<Scored> {
        self.find(graph, (rules, board, rack), None, i64::MIN)
    }

    /// Returns the play with the highest score and leave that is worth at least so much, in hundredths of a point; of several, the
    /// first that [`Self::for_each`] reports.
    pub(crate) fn best_worth(
        &mut self,
        graph: &WordGraph,
        (rules, board, rack): (&RuleSet, &Board, &[Tile]),
        kept: &Kept,
        least: i64,
    ) -> Option<Scored> {
        self.find(graph, (rules, board, rack), Some(kept), least)
    }

    fn find(
        &mut self,
        graph: &WordGraph,
        (rules, board, rack): (&RuleSet, &Board, &[Tile]),
        kept: Option<&Kept>,
        least: i64,
    ) -> Option<Scored> {
        let mut bounds = std::mem::take(&mut self.bounds);
        let task = FindBest {
            bounds: &mut bounds,
            kept,
            least,
        };
        let best = self.run(graph, rules, board, rack, task);
        self.bounds = bounds;
        best
    }

    /// Prepares a position and carries out a task in it.
    fn run<T: Task>(
        &mut self,
        graph: &WordGraph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        task: T,
    ) -> T::Output {
        match &graph.form {
            Form::Narrow(cells) => {
                let mut stems = std::mem::replace(&mut self.narrow, Stems::new());
                let output = self.run_in(
                    (cells, &graph.spellings),
                    &mut stems,
                    (rules, board, rack),
                    task,
                );
                self.narrow = stems;
                output
            }
            Form::Wide(cells) => {
                let mut stems = std::mem::replace(&mut self.wide, Stems::new());
                let output = self.run_in(
                    (cells, &graph.spellings),
                    &mut stems,
                    (rules, board, rack),
                    task,
                );
                self.wide = stems;
                output
            }
        }
    }

    fn run_in<C: Cell, T: Task>(
        &mut self,
        (cells, spellings): (&Cells<C>, &Spellings),
        stems: &mut Stems<C>,
        (rules, board, rack): (&RuleSet, &Board, &[Tile]),
        task: T,
    ) -> T::Output {
        self.grid.read(rules, board);
        self.rack.read(rules, rack);
        self.premiums.read(&rules.layout, &self.grid);
        let small = self.premiums.is_small(rules);
        if !small {
            self.grid.forget_points();
            self.rack.forget_points();
            self.premiums.forget();
        }
        self.read_lanes(cells, rules, board);
        for (laid, bonus) in self.bonus.iter_mut().enumerate() {
            *bonus = rules.bingo_bonus(laid);
        }
        let longest = self.rack.len.min(self.grid.longest_side());
        stems.spell(cells, &self.rack, longest);
        let position = Position {
            graph: cells,
            spellings,
            rack: &self.rack,
            stems,
            bonus: &self.bonus,
            least: if board.is_empty() {
                usize::from(rules.opening_min_tiles)
            } else {
                1
            },
            large: (!small).then_some((rules, board, rack)),
        };
        task.run(position, &self.lanes, &mut self.scratch)
    }

    fn read_lanes<C: Cell>(&mut self, cells: &Cells<C>, rules: &RuleSet, board: &Board) {
        let numbers = self.grid.lanes();
        self.lanes.resize_with(numbers.clone().count(), Lane::new);
        for (index, (lane, number)) in self.lanes.iter_mut().zip(numbers).enumerate() {
            let worth = self.premiums.lane(index);
            lane.read(&self.grid, number, worth, cells, &self.rack);
            let (holds_start, at) = lane_of(number.0, rules.layout.start());
            if board.is_empty() && number.1 == holds_start {
                lane.begin(&self.grid, at, worth, &self.rack);
            }
        }
    }

    /// Returns every play of the position, in the order of first square, direction and tiles.
    #[must_use]
    pub fn all(
        &mut self,
        graph: &WordGraph,
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

    /// Returns the `n` plays with the highest value, the highest first; equal values are ordered by square, direction
    /// and tiles.
    ///
    /// `value` rates a play, for instance by its score and its leave.
    #[must_use]
    pub fn best_n<K: Ord>(
        &mut self,
        graph: &WordGraph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
        n: usize,
        mut value: impl FnMut(&Found<'_>) -> K,
    ) -> Vec<(K, Scored)> {
        let mut best: Vec<(K, Scored)> = Vec::with_capacity(n.min(1024) + 1);
        self.for_each(graph, rules, board, rack, |found| {
            let worth = value(&found);
            let before = |other: &(K, Scored)| {
                let order = other.0.cmp(&worth).reverse();
                order.then_with(|| other.1.found().order(&found)).is_lt()
            };
            if best.len() == n && best.last().is_none_or(before) {
                return;
            }
            let at = best.partition_point(before);
            best.insert(at, (worth, found.to_owned()));
            best.truncate(n);
        });
        best
    }

    /// Returns whether the position has a play.
    #[must_use]
    pub fn any(
        &mut self,
        graph: &WordGraph,
        rules: &RuleSet,
        board: &Board,
        rack: &[Tile],
    ) -> bool {
        self.try_for_each(graph, rules, board, rack, |_| ControlFlow::Break(()))
            .is_break()
    }
}
