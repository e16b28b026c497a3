//! Choosing a turn by score, or by equity: score plus the value of the leave.

use crate::alphabet::Tile;
use crate::movegen::{Found, Generator, Scored, WordGraph};

use super::leave::{Centipoints, Leaves, kind};
use super::{BotTurn, Seen};

/// Centipoints per point.
pub(crate) const POINT: Centipoints = 100;

/// A turn with its value.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The turn.
    pub turn: BotTurn,
    /// The score of the turn in points.
    pub score: i32,
    /// The score plus the value of the leave, in centipoints.
    pub equity: Centipoints,
}

/// Returns the play with the highest score, or an exchange of as many tiles as allowed if there is no play.
pub(crate) fn highest_score(
    generator: &mut Generator,
    graph: &WordGraph,
    seen: &Seen<'_>,
) -> BotTurn {
    match generator.best(graph, seen.rules, seen.board, seen.rack) {
        Some(best) => BotTurn::Play(best.placement),
        None => exchange_all_or_pass(seen),
    }
}

/// Returns the turn without a play: an exchange of all tiles if the bag allows it, otherwise a pass.
pub(crate) fn exchange_all_or_pass(seen: &Seen<'_>) -> BotTurn {
    if seen.can_exchange(seen.rack.len()) {
        BotTurn::Exchange(seen.rack.to_vec())
    } else {
        BotTurn::Pass
    }
}

/// Returns the best turns by equity, the best first, including exchanges and the pass.
pub(crate) fn best_by_equity(
    generator: &mut Generator,
    graph: &WordGraph,
    leaves: &Leaves,
    seen: &Seen<'_>,
    most: usize,
) -> Vec<Candidate> {
    let kept = Kept::new(leaves, seen);
    let mut best: Vec<(Scored, Centipoints)> = Vec::with_capacity(most + 1);
    generator.for_each(graph, seen.rules, seen.board, seen.rack, |found| {
        let equity = found.score.saturating_mul(POINT) + kept.after(&found);
        let is_full = best.len() == most;
        if is_full && best.last().is_some_and(|(_, worst)| *worst >= equity) {
            return;
        }
        let at = best.partition_point(|(_, other)| *other >= equity);
        best.insert(at, (found.to_owned(), equity));
        best.truncate(most);
    });
    let mut candidates: Vec<Candidate> = best
        .into_iter()
        .map(|(play, equity)| Candidate {
            turn: BotTurn::Play(play.placement),
            score: play.score,
            equity,
        })
        .collect();
    candidates.push(kept.best_exchange(seen));
    // Stable, so that a play goes before an exchange of equal value.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.equity));
    candidates.truncate(most);
    candidates
}

/// The value of every leave of a rack.
struct Kept<'a> {
    /// The different tiles of the rack with their counts.
    kinds: Vec<(Tile, u8)>,
    /// Value by the number of each kind used, in mixed radix.
    values: Vec<Centipoints>,
    leaves: &'a Leaves,
}

impl<'a> Kept<'a> {
    fn new(leaves: &'a Leaves, seen: &Seen<'_>) -> Self {
        let mut rack = seen.rack.to_vec();
        rack.sort_unstable();
        let mut kinds: Vec<(Tile, u8)> = Vec::new();
        for tile in rack {
            match kinds.last_mut() {
                Some((last, count)) if *last == tile => *count += 1,
                _ => kinds.push((tile, 1)),
            }
        }
        let mut kept = Self {
            kinds,
            values: Vec::new(),
            leaves,
        };
        // With an empty bag a leave has no value: no tiles are drawn to it.
        let counts_for_something = seen.bag > 0;
        kept.values = (0..kept.len())
            .map(|used| {
                if counts_for_something {
                    kept.leaves.value(&kept.counts_without(used))
                } else {
                    0
                }
            })
            .collect();
        kept
    }

    fn len(&self) -> usize {
        self.kinds
            .iter()
            .map(|(_, count)| usize::from(*count) + 1)
            .product()
    }

    /// The number of tiles left of each kind if the given numbers (mixed radix) are used.
    fn counts_without(&self, mut used: usize) -> Vec<u8> {
        let mut counts = vec![0; usize::from(u8::MAX) + 1];
        for (tile, count) in &self.kinds {
            let radix = usize::from(*count) + 1;
            let gone = u8::try_from(used % radix).unwrap_or(*count);
            counts[kind(*tile)] = count - gone;
            used /= radix;
        }
        counts
    }

    fn index_of(&self, used: impl Iterator<Item = Tile>) -> usize {
        let mut index = 0;
        for tile in used {
            let mut step = 1;
            for (other, count) in &self.kinds {
                if *other == tile {
                    index += step;
                    break;
                }
                step *= usize::from(*count) + 1;
            }
        }
        index
    }

    fn after(&self, found: &Found<'_>) -> Centipoints {
        self.values[self.index_of(found.laid_tiles())]
    }

    /// The exchange that keeps the best tiles, or the pass if no exchange is allowed.
    fn best_exchange(&self, seen: &Seen<'_>) -> Candidate {
        let mut best = Candidate {
            turn: BotTurn::Pass,
            score: 0,
            // A pass keeps all tiles; it is the last resort.
            equity: self.values[0].min(0) - 20 * POINT,
        };
        for used in 1..self.len() {
            let tiles = self.tiles(used);
            let equity = self.values[used];
            if seen.can_exchange(tiles.len()) && equity > best.equity {
                best = Candidate {
                    turn: BotTurn::Exchange(tiles),
                    score: 0,
                    equity,
                };
            }
        }
        best
    }

    fn tiles(&self, mut used: usize) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for (tile, count) in &self.kinds {
            let radix = usize::from(*count) + 1;
            tiles.extend(std::iter::repeat_n(*tile, used % radix));
            used /= radix;
        }
        tiles
    }
}
