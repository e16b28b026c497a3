//! Exact endings: with an empty bag each player knows the rack of the other, so a search finds the best turn and proves it.
//!
//! The search goes deeper turn by turn. A position below which no line was cut short has its value for every depth; as soon as
//! that holds for the first position, the value is proved. Passes follow the game's own rule for turns without score.

use crate::movegen::{Generator, Scored, WordGraph};

use super::EndPosition;
use super::idle::Idle;
use super::search::{INFINITE, Node, PLAYS, Search};
use super::table::{Bound, Compact, FINAL, Known, Table};

/// Positions that the table keeps.
const TABLE: usize = 1 << 20;
/// Most turns of a line: both racks one tile at a time, and passes between.
const DEEPEST: u8 = 60;
/// Positions that may be searched again to find the line of a proved value.
const LINE_NODES: u64 = 20_000;

/// How sure the value of an ending is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No other line of play is better for either player.
    Exact,
    /// The best that a search of this number of turns has found.
    Depth(u8),
}

/// A turn of an ending and its worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingTurn {
    /// The play; `None` is a pass.
    pub play: Option<Scored>,
    /// The points that the player still gains over the other with this turn and the best play of both after it, with unplayed tiles.
    pub value: i32,
}

/// The result of a search of an ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The best turns, the best one first; one at least.
    pub turns: Vec<EndingTurn>,
    /// How sure the values are.
    pub proof: Proof,
    /// The turns with the best play of both, the next one first; `None` is a pass. Only the next one is sure to be there.
    pub line: Vec<Option<Scored>>,
    /// How many positions were searched.
    pub nodes: u64,
}

/// How much to search.
#[derive(Clone, Copy)]
pub struct EndingBudget<'a> {
    /// How many turns to rank; 0 counts as 1.
    pub turns: usize,
    /// Most positions.
    pub nodes: u64,
    /// Asked between two positions: whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// Searches endings; owns the memory, so that further searches need no allocation.
#[derive(Debug)]
pub struct EndingSearch {
    table: Table,
    plays: Vec<(i32, Compact)>,
    refuting: Box<[[u32; PLAYS]; 2]>,
}

impl Default for EndingSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl EndingSearch {
    /// Returns a search with a table of 2^20 positions.
    #[must_use]
    pub fn new() -> Self {
        Self::with_table(TABLE)
    }

    /// Returns a search with a table of about this number of positions. Its size changes the time, never a proved value.
    #[must_use]
    pub fn with_table(positions: usize) -> Self {
        Self {
            table: Table::new(positions.clamp(1, TABLE)),
            plays: Vec::new(),
            refuting: Box::new([[0; PLAYS]; 2]),
        }
    }

    /// Searches an ending. Turns that the budget does not reach are left out, but for the best one.
    pub fn solve(
        &mut self,
        generator: &mut Generator,
        graph: &WordGraph,
        position: &EndPosition<'_>,
        budget: EndingBudget<'_>,
    ) -> Ending {
        let EndPosition { board, racks, .. } = *position;
        let spelled = graph.within_lines(board, &racks.concat());
        self.solve_within(generator, &spelled, position, budget, None)
    }

    /// Searches an ending with a graph that has every word of it. The value counts only as far as it lies between both bounds of the
    /// window: one at or below the lower bound is at most that, one at or above the upper bound is at least that. Without a window
    /// the line of play is found too.
    pub(super) fn solve_within(
        &mut self,
        generator: &mut Generator,
        spelled: &WordGraph,
        position: &EndPosition<'_>,
        budget: EndingBudget<'_>,
        window: Option<(i32, i32)>,
    ) -> Ending {
        let EndPosition { board, racks, .. } = *position;
        let bounds = window.unwrap_or((-INFINITE, INFINITE));
        self.table.clear();
        self.plays.clear();
        *self.refuting = [[0; PLAYS]; 2];
        let mut search = Search {
            generator,
            graph: spelled,
            table: &mut self.table,
            plays: &mut self.plays,
            refuting: &mut self.refuting,
            position: *position,
            board: board.clone(),
            racks: racks.map(<[_]>::to_vec),
            key: 0,
            nodes: budget.nodes,
            stop: budget.stop,
        };
        let idle = Idle::of(position);
        let mut turns = first_turns(&mut search);
        let mut found = (0, Proof::Depth(0));
        let mut is_stopped = false;
        for depth in 1..=DEEPEST {
            let Some(best) = best_of(&mut search, &turns, depth, (idle, bounds)) else {
                is_stopped = true;
                break;
            };
            // The best turn goes first in the next search: the others are compared with it.
            turns[..=best.index].rotate_right(1);
            found = (best.points, best.proof(depth));
            is_stopped = best.is_stopped;
            if is_stopped || found.1 == Proof::Exact {
                break;
            }
        }
        let most = if is_stopped { 1 } else { budget.turns };
        let ranked = rank(&mut search, turns, idle, found, most);
        let nodes = budget.nodes - search.nodes;
        let line = match window {
            None => search.line(ranked[0].0, idle, found),
            Some(_) => Vec::new(),
        };
        let turns = ranked.into_iter().map(|(turn, value)| EndingTurn {
            play: turn.scored(board),
            value,
        });
        Ending {
            turns: turns.collect(),
            proof: found.1,
            line,
            nodes,
        }
    }
}

/// The best turns with their values, after the first of them was found with its value.
fn rank(
    search: &mut Search<'_>,
    mut turns: Vec<Compact>,
    idle: Idle,
    (value, proof): (i32, Proof),
    most: usize,
) -> Vec<(Compact, i32)> {
    let depth = match proof {
        Proof::Exact => DEEPEST,
        Proof::Depth(depth) => depth,
    };
    let mut ranked = vec![(turns[0], value)];
    for rank in 1..turns.len().min(most) {
        let Some(best) = best_of(search, &turns[rank..], depth, (idle, (-INFINITE, INFINITE)))
            .filter(|best| !best.is_stopped)
        else {
            break;
        };
        turns[rank..=rank + best.index].rotate_right(1);
        ranked.push((turns[rank], best.points));
    }
    ranked
}

/// The plays of the first position, those that promise most first, and a pass.
fn first_turns(search: &mut Search<'_>) -> Vec<Compact> {
    search.list(0);
    let plays = search.plays.drain(..).map(|(_, play)| play);
    plays.chain([Compact::PASS]).collect()
}

/// The best of some turns.
struct Best {
    index: usize,
    points: i32,
    is_cut: bool,
    /// Whether the search was stopped before all turns were compared.
    is_stopped: bool,
}

impl Best {
    const fn proof(&self, depth: u8) -> Proof {
        match self.is_cut || self.is_stopped {
            true => Proof::Depth(depth),
            false => Proof::Exact,
        }
    }
}

/// Compares turns until one reaches the upper bound of the window; `None` if the search was stopped before the first had a value.
fn best_of(
    search: &mut Search<'_>,
    turns: &[Compact],
    depth: u8,
    (idle, (low, high)): (Idle, (i32, i32)),
) -> Option<Best> {
    let mut best = Best {
        index: 0,
        points: -INFINITE,
        is_cut: false,
        is_stopped: false,
    };
    for (index, turn) in turns.iter().enumerate() {
        let node = Node {
            side: 0,
            depth,
            idle,
            alpha: best.points.max(low),
            beta: high,
        };
        let Ok(value) = search.after(node, turn, index == 0) else {
            best.is_stopped = true;
            return (index > 0).then_some(best);
        };
        best.is_cut |= value.is_cut;
        if value.points > best.points {
            (best.index, best.points) = (index, value.points);
        }
        if best.points >= high {
            // The others do not matter.
            best.is_cut = value.is_cut;
            break;
        }
    }
    Some(best)
}

impl Search<'_> {
    /// The line of play that begins with this turn of a position with this value. A proved line goes on to the end of the game, if
    /// some more positions suffice to find what the table has forgotten.
    fn line(
        &mut self,
        first: Compact,
        idle: Idle,
        (value, proof): (i32, Proof),
    ) -> Vec<Option<Scored>> {
        let (mut turn, mut value, mut idle, mut side) = (first, value, idle, 0);
        let mut line = Vec::new();
        self.nodes = LINE_NODES;
        while line.len() < usize::from(DEEPEST) {
            line.push(turn.scored(&self.board));
            self.lay(side, &turn);
            let Some(next) = self
                .follows(side, &turn, idle)
                .ok()
                .filter(|_| proof == Proof::Exact)
            else {
                break;
            };
            idle = next;
            (side, value) = (1 - side, turn.score - value);
            let Some(next) = self.proved_turn(side, value, idle) else {
                break;
            };
            turn = next;
        }
        line
    }

    /// A turn of a position that reaches its proved value.
    fn proved_turn(&mut self, side: usize, value: i32, idle: Idle) -> Option<Compact> {
        let reaches = |known: &Known| {
            known.depth == FINAL && known.bound != Bound::Upper && known.value == value
        };
        let key = self.key_of(side, idle);
        if let Some(known) = self.table.get(key).filter(reaches) {
            return Some(known.best);
        }
        let node = Node {
            side,
            depth: DEEPEST,
            idle,
            alpha: value - 1,
            beta: value + 1,
        };
        self.value(node).ok()?;
        self.table.get(key).filter(reaches).map(|known| known.best)
    }
}
