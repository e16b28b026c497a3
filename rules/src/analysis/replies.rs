//! Replies of the other side that a turn elsewhere on the board cannot prevent.
//!
//! A reply stays legal, and scores the same, unless a tile comes on one of few squares: those on which it lays tiles, and the empty
//! ones next to its words. So one list of replies refutes most turns of a position, and the positions after them need no search.

use crate::alphabet::Tile;
use crate::board::{Board, Direction, MAX_SIDE, Square};
use crate::movegen::{Generator, WordGraph};
use crate::ruleset::RuleSet;

use super::table::Compact;

/// Replies of each kind that are kept, the best ones.
const KEPT: usize = 24;
/// Words of a set of squares.
const WORDS: usize = (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(64);

/// A set of squares.
#[derive(Clone, Copy, Debug)]
struct Squares([u64; WORDS]);

impl Squares {
    fn index(square: Square) -> (usize, u64) {
        let at = usize::from(square.row) * usize::from(MAX_SIDE) + usize::from(square.col);
        (at / 64, 1 << (at % 64))
    }

    fn add(&mut self, square: Square) {
        let (word, bit) = Self::index(square);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn has(&self, square: Square) -> bool {
        let (word, bit) = Self::index(square);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// A reply.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// The points that it gains, without those of the rack of the side on turn.
    points: i32,
    /// The empty squares that it needs as they are.
    needs: Squares,
}

/// The best replies of a position.
#[derive(Debug)]
pub(super) struct Replies {
    /// Those that end the game: they gain twice the rack of the side on turn.
    out: Vec<Reply>,
    /// The others, if the search looks no further: they gain that rack once.
    on: Vec<Reply>,
}

/// The most that a turn gains, because of a reply to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refuted {
    pub(super) most: i32,
    /// Whether a deeper search can change it.
    pub(super) is_cut: bool,
}

impl Replies {
    /// Lists the replies of the side that is not on turn, with its rack. `is_last`: the search looks no further than a reply.
    pub(super) fn new(
        generator: &mut Generator,
        graph: &WordGraph,
        (rules, board, rack): (&RuleSet, &Board, &[Tile]),
        is_last: bool,
    ) -> Self {
        let tiles = &rules.tiles;
        let held = tiles.sum(rack);
        let (mut out, mut on) = (Vec::new(), Vec::new());
        generator.for_each(graph, rules, board, rack, |found| {
            let is_out = found.laid == rack.len();
            if !is_out && !is_last {
                return;
            }
            let Some(play) = Compact::of(&found) else {
                return;
            };
            let laid: i32 = found.laid_tiles().map(|tile| tiles.value(tile)).sum();
            match is_out {
                true => out.push((-play.score, play)),
                false => on.push((held - laid - play.score, play)),
            }
        });
        let best = |mut plays: Vec<(i32, Compact)>| {
            plays.sort_unstable();
            let kept = plays.into_iter().take(KEPT);
            let reply = |(points, play): (i32, Compact)| Reply {
                points: -points,
                needs: needs(&play, board),
            };
            kept.map(reply).collect()
        };
        Self {
            out: best(out),
            on: best(on),
        }
    }

    /// Says what a turn gains at most, if a reply leaves it no more than `alpha`. `left`: what is left on the rack after the turn.
    pub(super) fn refute(
        &self,
        turn: &Compact,
        board: &Board,
        left: i32,
        alpha: i32,
    ) -> Option<Refuted> {
        let squares = turn.squares(board);
        for (replies, factor, is_cut) in [(&self.out, 2, false), (&self.on, 1, true)] {
            for reply in replies {
                let most = turn.score - reply.points - factor * left;
                if most > alpha {
                    break;
                }
                if !squares
                    .iter()
                    .flatten()
                    .any(|(square, _)| reply.needs.has(*square))
                {
                    return Some(Refuted { most, is_cut });
                }
            }
        }
        None
    }
}

/// The empty squares that a play needs as they are.
fn needs(play: &Compact, board: &Board) -> Squares {
    let mut squares = Squares([0; WORDS]);
    let across = match play.direction {
        Direction::Across => Direction::Down,
        Direction::Down => Direction::Across,
    };
    let mut last = play.start;
    for (square, _) in play.squares(board).into_iter().flatten() {
        squares.add(square);
        squares.add(end(board, square, across));
        if let Some(before) = start(board, square, across) {
            squares.add(before);
        }
        last = square;
    }
    squares.add(end(board, last, play.direction));
    if let Some(before) = play.start.before(play.direction) {
        squares.add(before);
    }
    squares
}

/// The first empty square behind a square.
fn end(board: &Board, square: Square, direction: Direction) -> Square {
    let mut at = square.ahead(direction, 1);
    while board.get(at).is_some() {
        at = at.ahead(direction, 1);
    }
    at
}

/// The first empty square before a square.
fn start(board: &Board, square: Square, direction: Direction) -> Option<Square> {
    let mut at = square.before(direction)?;
    while board.get(at).is_some() {
        at = at.before(direction)?;
    }
    Some(at)
}
