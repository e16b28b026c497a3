//! The endgame: with an empty bag the opponent's rack is known, so a search finds the best turn.
//!
//! Alpha-beta with iterative deepening. If the node limit is reached, the best turn of the last complete search is
//! used.

use crate::alphabet::Tile;
use crate::board::Board;
use crate::movegen::{Generator, Scored, WordGraph};

use super::{BotTurn, Seen};

/// The number of positions searched for one turn.
const NODES: u32 = 6_000;
/// The largest search depth in turns: both racks one tile at a time, and passes.
const DEEPEST: u32 = 16;
/// A value greater than any difference of scores.
const INFINITE: i32 = 1_000_000;

pub(super) fn turn(generator: &mut Generator, graph: &WordGraph, seen: &Seen<'_>) -> BotTurn {
    solve(generator, graph, seen).0
}

/// The best turn, and the points that it gains over the opponent; `None` if the node limit was reached.
pub(super) fn solve(
    generator: &mut Generator,
    graph: &WordGraph,
    seen: &Seen<'_>,
) -> (BotTurn, Option<i32>) {
    let mut ending = Ending {
        generator,
        graph,
        seen,
        board: seen.board.clone(),
        racks: [seen.rack.to_vec(), seen.unseen()],
        nodes: NODES,
        was_cut: false,
    };
    let mut turns: Vec<Option<Scored>> = ending.plays(0).into_iter().map(Some).collect();
    turns.push(None);
    let mut exact = None;
    for depth in 1..=DEEPEST {
        ending.was_cut = false;
        let Some((best, value)) = ending.best_of(&turns, depth) else {
            break;
        };
        // The best turn goes first in the next search: it causes more cutoffs.
        turns[..=best].rotate_right(1);
        if !ending.was_cut {
            exact = Some(value);
            break;
        }
    }
    let best = turns.swap_remove(0);
    let turn = best.map_or(BotTurn::Pass, |play| BotTurn::Play(play.placement));
    (turn, exact)
}

struct Ending<'a> {
    generator: &'a mut Generator,
    graph: &'a WordGraph,
    seen: &'a Seen<'a>,
    board: Board,
    /// The own rack, then the opponent's.
    racks: [Vec<Tile>; 2],
    nodes: u32,
    /// Whether the last search ended at a position before the end of the game.
    was_cut: bool,
}

impl Ending<'_> {
    /// The plays of a side in the order of their immediate gain: points, and the gain of going out.
    fn plays(&mut self, side: usize) -> Vec<Scored> {
        let rack = &self.racks[side];
        let out_gain = 2 * self.seen.rules.tiles.sum(&self.racks[1 - side]);
        let mut plays = Vec::new();
        self.generator
            .for_each(self.graph, self.seen.rules, &self.board, rack, |found| {
                let gain = if found.laid == rack.len() {
                    out_gain
                } else {
                    0
                };
                plays.push((found.score + gain, found.to_owned()));
            });
        plays.sort_by(|(one, a), (other, b)| {
            let by_place = || a.placement.start.cmp(&b.placement.start);
            other.cmp(one).then_with(by_place)
        });
        plays.into_iter().map(|(_, play)| play).collect()
    }

    /// The index of the best turn and its value; `None` if the node limit was reached before all were compared.
    fn best_of(&mut self, turns: &[Option<Scored>], depth: u32) -> Option<(usize, i32)> {
        let (mut best, mut alpha) = (0, -INFINITE);
        for (index, turn) in turns.iter().enumerate() {
            let value = match turn {
                Some(play) => self.after(0, play, depth, (alpha, INFINITE))?,
                None => -self.search(1, depth - 1, (-INFINITE, -alpha), 1)?,
            };
            if value > alpha {
                (best, alpha) = (index, value);
            }
        }
        Some((best, alpha))
    }

    /// The points that `side` gains over the opponent with this play and its best continuation.
    fn after(
        &mut self,
        side: usize,
        play: &Scored,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let mut laid = Vec::new();
        for (square, placed) in play.placement.squares() {
            self.board.place(square, placed);
            let rack = &mut self.racks[side];
            if let Some(at) = rack.iter().position(|tile| *tile == placed.tile) {
                laid.push((square, rack.swap_remove(at)));
            }
        }
        let window = (play.score - beta, play.score - alpha);
        let value = if self.racks[side].is_empty() {
            Some(-2 * self.unplayed(1 - side))
        } else {
            self.search(1 - side, depth - 1, window, 0)
        };
        for (square, tile) in laid {
            self.board.remove(square);
            self.racks[side].push(tile);
        }
        value.map(|value| play.score - value)
    }

    /// The points that `side`, on turn, gains over the opponent from here on, bounded by `alpha` and `beta`.
    fn search(
        &mut self,
        side: usize,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        passes: u32,
    ) -> Option<i32> {
        self.nodes = self.nodes.checked_sub(1)?;
        if depth == 0 {
            self.was_cut = true;
            return Some(self.racks_counted(side));
        }
        let mut best = -INFINITE;
        for play in self.plays(side) {
            let value = self.after(side, &play, depth, (alpha, beta))?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                return Some(best);
            }
        }
        let passed = if passes == 0 {
            -self.search(1 - side, depth - 1, (-beta, -alpha), 1)?
        } else {
            self.racks_counted(side)
        };
        Some(best.max(passed))
    }

    /// The difference by unplayed tiles if no side goes out.
    fn racks_counted(&self, side: usize) -> i32 {
        self.unplayed(1 - side) - self.unplayed(side)
    }

    fn unplayed(&self, side: usize) -> i32 {
        self.seen.rules.tiles.sum(&self.racks[side])
    }
}
