//! The search of an ending: null windows over a table of positions, with a list of replies that refutes most turns at once.

use crate::alphabet::Tile;
use crate::board::Board;
use crate::movegen::{Generator, WordGraph};

use super::EndPosition;
use super::idle::Idle;
use super::replies::{Refuted, Replies};
use super::table::{Bound, Compact, FINAL, Known, Table};

/// A value greater than any difference of scores.
pub(super) const INFINITE: i32 = i32::MAX / 4;

/// Entries for plays that refuted another, for each side.
pub(super) const PLAYS: usize = 1 << 12;

/// Between two questions whether to stop, so many positions are searched.
const STOP_EVERY: u64 = 64;

/// The search ended before it had a value: its budget is spent, or the caller stopped it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The value of a position for the side on turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// The points that the side still gains over the other.
    pub(super) points: i32,
    /// Whether a deeper search can change it.
    pub(super) is_cut: bool,
}

impl Value {
    /// The value for the other side, before a turn with this score.
    fn before(self, score: i32) -> Self {
        Self {
            points: score - self.points,
            ..self
        }
    }
}

/// A position to search. The search has its board and its racks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The side on turn.
    pub(super) side: usize,
    /// How many turns to look ahead.
    pub(super) depth: u8,
    pub(super) idle: Idle,
    /// The search tells values apart that are greater than this.
    pub(super) alpha: i32,
    /// The search tells values apart that are less than this.
    pub(super) beta: i32,
}

impl Node {
    pub(super) fn bound(&self, points: i32) -> Bound {
        match points {
            points if points >= self.beta => Bound::Lower,
            points if points > self.alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// The value of a known position, if it answers this question.
    fn answer(&self, known: &Known) -> Option<Value> {
        let is_enough = match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.value >= self.beta,
            Bound::Upper => known.value <= self.alpha,
        };
        (is_enough && known.depth >= self.depth).then_some(Value {
            points: known.value,
            is_cut: known.depth != FINAL,
        })
    }
}

/// The best turn of a position so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    turn: Compact,
    points: i32,
    is_cut: bool,
    is_first: bool,
}

impl Best {
    const NONE: Self = Self {
        turn: Compact::PASS,
        points: -INFINITE,
        is_cut: false,
        is_first: true,
    };

    /// A turn that was not searched is worth no more than this.
    fn no_more_than(&mut self, most: i32, is_cut: bool) {
        self.points = self.points.max(most);
        self.is_cut |= is_cut;
    }
}

/// One search.
pub(super) struct Search<'a> {
    pub(super) generator: &'a mut Generator,
    pub(super) graph: &'a WordGraph,
    pub(super) table: &'a mut Table,
    /// The plays of the positions on the way from the first to the current one.
    pub(super) plays: &'a mut Vec<(i32, Compact)>,
    /// How often a play was so good that no other had to be searched, by side and play.
    pub(super) refuting: &'a mut [[u32; PLAYS]; 2],
    pub(super) position: EndPosition<'a>,
    pub(super) board: Board,
    pub(super) racks: [Vec<Tile>; 2],
    /// The key of the tiles on the board and on the racks.
    pub(super) key: u64,
    /// Positions that may still be searched.
    pub(super) nodes: u64,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// The value of a position for the side on turn.
    pub(super) fn value(&mut self, node: Node) -> Result<Value, Stopped> {
        if node.depth == 0 {
            return Ok(Value {
                points: self.if_all_pass(node.side),
                is_cut: true,
            });
        }
        let key = self.key_of(node.side, node.idle);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|known| node.answer(&known)) {
            return Ok(value);
        }
        self.nodes = self.nodes.checked_sub(1).ok_or(Stopped)?;
        if self.nodes.is_multiple_of(STOP_EVERY) && (self.stop)() {
            return Err(Stopped);
        }
        if node.depth == 1 {
            return Ok(self.last_turn(node, key));
        }
        let best = self.best(node, known.map(|known| known.best))?;
        if best.points >= node.beta {
            let count = &mut self.refuting[node.side][best.turn.entry() % PLAYS];
            *count = count.saturating_add(u32::from(node.depth) * u32::from(node.depth));
        }
        let depth = if best.is_cut { node.depth } else { FINAL };
        let bound = node.bound(best.points);
        self.table.put(key, best.points, bound, depth, best.turn);
        Ok(Value {
            points: best.points,
            is_cut: best.is_cut,
        })
    }

    /// The best turn of a position. The one that was best before goes first, then those that promise most.
    fn best(&mut self, mut node: Node, before: Option<Compact>) -> Result<Best, Stopped> {
        let mut best = Best::NONE;
        if let Some(turn) = before {
            self.consider(&mut best, &mut node, &turn)?;
            if best.points >= node.beta {
                return Ok(best);
            }
        }
        let mut replies = None;
        let base = self.plays.len();
        self.list(node.side);
        let end = self.plays.len();
        for index in base..=end {
            let turn = match index == end {
                true => Compact::PASS,
                false => self.plays[index].1,
            };
            if before == Some(turn) {
                continue;
            }
            // The first turn is mostly good, so there is no list of replies for it.
            let refuted = match index > base {
                true => self.refuted(&node, &turn, &mut replies),
                false => None,
            };
            let passed =
                (turn.is_pass() && node.idle.is_short()).then(|| self.if_all_pass(node.side));
            match (refuted, passed) {
                (Some(Refuted { most, is_cut }), _) => best.no_more_than(most, is_cut),
                // The other side passes too, or does better than that.
                (None, Some(most)) if most <= node.alpha => best.no_more_than(most, false),
                (None, _) => self.consider(&mut best, &mut node, &turn)?,
            }
            if best.points >= node.beta {
                break;
            }
        }
        self.plays.truncate(base);
        Ok(best)
    }

    /// Says what a turn gains at most, if a reply that it leaves untouched is enough against it.
    fn refuted(
        &mut self,
        node: &Node,
        turn: &Compact,
        replies: &mut Option<Replies>,
    ) -> Option<Refuted> {
        let (own, other) = (&self.racks[node.side], &self.racks[1 - node.side]);
        let is_out = usize::from(turn.laid) == own.len();
        let ends = is_out || turn.is_pass() && node.idle.ends_with_pass(self.position.inactivity);
        if ends || !node.idle.is_short() {
            return None;
        }
        let replies = replies.get_or_insert_with(|| {
            let (rules, board) = (self.position.rules, &self.board);
            let position = (rules, board, other.as_slice());
            Replies::new(self.generator, self.graph, position, node.depth == 2)
        });
        let tiles = &self.position.rules.tiles;
        let laid: i32 = turn.tiles().map(|placed| tiles.value(placed.tile)).sum();
        replies.refute(turn, &self.board, tiles.sum(own) - laid, node.alpha)
    }

    /// Compares a turn with the best so far.
    fn consider(
        &mut self,
        best: &mut Best,
        node: &mut Node,
        turn: &Compact,
    ) -> Result<(), Stopped> {
        let value = self.after(*node, turn, best.is_first)?;
        best.is_first = false;
        // A turn that is too good for the other side is the only reason for the value.
        best.is_cut = value.is_cut || best.is_cut && value.points < node.beta;
        if value.points > best.points {
            (best.points, best.turn) = (value.points, *turn);
        }
        node.alpha = node.alpha.max(value.points);
        Ok(())
    }

    /// The value of a turn. All but the first are only compared with `alpha`, unless they are better.
    pub(super) fn after(
        &mut self,
        node: Node,
        turn: &Compact,
        is_first: bool,
    ) -> Result<Value, Stopped> {
        let undo = self.lay(node.side, turn);
        let value = match self.follows(node.side, turn, node.idle) {
            Ok(idle) => self.compare(Node { idle, ..node }, turn.score, is_first),
            Err(points) => {
                let is_cut = false;
                Ok(Value { points, is_cut }.before(turn.score))
            }
        };
        self.take_back(node.side, &undo);
        value
    }

    /// The value of a turn that was laid; `node` is the position before it, and what counts after it.
    fn compare(&mut self, node: Node, score: i32, is_first: bool) -> Result<Value, Stopped> {
        let mut child = |beta: i32| {
            let child = Node {
                side: 1 - node.side,
                depth: node.depth - 1,
                idle: node.idle,
                alpha: score - beta,
                beta: score - node.alpha,
            };
            self.value(child).map(|value| value.before(score))
        };
        if is_first {
            return child(node.beta);
        }
        let narrow = child(node.alpha + 1)?;
        match narrow.points > node.alpha && narrow.points < node.beta {
            true => child(node.beta),
            false => Ok(narrow),
        }
    }
}
