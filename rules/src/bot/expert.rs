//! The expert: equity while the bag has many tiles, rollouts when it has few, and an exact search when it is empty.

use crate::movegen::{Generator, WordGraph};
use crate::stream::Stream;

use super::equity::best_by_equity;
use super::leave::Leaves;
use super::{BotTurn, Seen, endgame, rollout};

/// The number of turns that get a rollout when the bag runs low.
const CLOSE_LOOK: usize = 8;

/// The turn with the highest equity.
pub(super) fn by_equity(
    generator: &mut Generator,
    graph: &WordGraph,
    leaves: &Leaves,
    seen: &Seen<'_>,
) -> BotTurn {
    let mut candidates = best_by_equity(generator, graph, leaves, seen, 1);
    candidates.swap_remove(0).turn
}

pub(super) fn turn(
    generator: &mut Generator,
    graph: &WordGraph,
    leaves: &Leaves,
    seen: &Seen<'_>,
    chance: &mut Stream,
) -> BotTurn {
    if seen.is_duel() && seen.bag == 0 {
        return endgame::turn(generator, graph, seen);
    }
    let is_near_end = seen.is_duel() && seen.bag <= usize::from(seen.rules.rack_size);
    let most = if is_near_end { CLOSE_LOOK } else { 1 };
    let mut candidates = best_by_equity(generator, graph, leaves, seen, most);
    if is_near_end && candidates.len() > 1 {
        let best = rollout::choose(generator, graph, seen, &candidates, chance);
        return candidates.swap_remove(best).turn;
    }
    candidates.swap_remove(0).turn
}
