//! Choosing a turn by score, or by equity: score plus the value of the leave.

use crate::movegen::{Generator, Kept, Scored, WordGraph};

use super::leave::{Centipoints, Leaves};
use super::{BotTurn, Seen};

/// Centipoints per point.
pub(crate) const POINT: Centipoints = 100;

/// A turn with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Returns the best turns by equity, the best first, including exchanges and the pass. Of equal turns a play goes before an exchange,
/// and of equal plays the first that the generator finds.
pub(crate) fn best_by_equity(
    generator: &mut Generator,
    graph: &WordGraph,
    leaves: &Leaves,
    seen: &Seen<'_>,
    most: usize,
) -> Vec<Candidate> {
    let mut kept = generator.kept();
    kept.read(seen.rules, seen.rack);
    // With an empty bag a leave has no value: no tiles are drawn to it.
    if seen.bag > 0 {
        leaves.value_all(&mut kept);
    }
    let exchange = best_exchange(&kept, seen);
    let mut candidates = match most {
        // The best turn alone needs no list.
        1 => {
            let position = (seen.rules, seen.board, seen.rack);
            let least = i64::from(exchange.equity);
            let best = generator.best_worth(graph, position, &kept, least);
            best.map(|play| candidate(kept.worth(&play.found()), play))
                .into_iter()
                .collect()
        }
        _ => list(generator, graph, &kept, seen, most),
    };
    generator.keep(kept);
    candidates.push(exchange);
    // Stable, so that a play goes before an exchange of equal value.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.equity));
    candidates.truncate(most);
    candidates
}

/// The best plays.
fn list(
    generator: &mut Generator,
    graph: &WordGraph,
    kept: &Kept,
    seen: &Seen<'_>,
    most: usize,
) -> Vec<Candidate> {
    let mut best: Vec<(Scored, i64)> = Vec::with_capacity(most + 1);
    generator.for_each(graph, seen.rules, seen.board, seen.rack, |found| {
        let worth = kept.worth(&found);
        let is_full = best.len() == most;
        if is_full && best.last().is_none_or(|(_, worst)| *worst >= worth) {
            return;
        }
        let at = best.partition_point(|(_, other)| *other >= worth);
        best.insert(at, (found.to_owned(), worth));
        best.truncate(most);
    });
    let best = best.into_iter();
    best.map(|(play, worth)| candidate(worth, play)).collect()
}

fn candidate(worth: i64, play: Scored) -> Candidate {
    let bound = |limit: Centipoints| i64::from(limit);
    let worth = worth.clamp(bound(Centipoints::MIN), bound(Centipoints::MAX));
    Candidate {
        turn: BotTurn::Play(play.placement),
        score: play.score,
        equity: Centipoints::try_from(worth).unwrap_or(Centipoints::MAX),
    }
}

/// The exchange that keeps the best tiles, or the pass if no exchange is allowed.
fn best_exchange(kept: &Kept, seen: &Seen<'_>) -> Candidate {
    let mut best = Candidate {
        turn: BotTurn::Pass,
        score: 0,
        // A pass keeps all tiles; it is the last resort.
        equity: kept.values[0].min(0) - 20 * POINT,
    };
    let mut choice = None;
    for (number, (equity, count)) in kept.values.iter().zip(&kept.counts).enumerate().skip(1) {
        let count = usize::try_from(*count).unwrap_or(0);
        if *equity > best.equity && seen.can_exchange(count) {
            best.equity = *equity;
            choice = Some(number);
        }
    }
    if let Some(number) = choice {
        best.turn = BotTurn::Exchange(kept.tiles(number));
    }
    best
}
