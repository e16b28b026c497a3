//! The expert: equity while the bag has many tiles, rollouts when it has few, and an exact search when it is empty. In a race
//! (R-END-13) rollouts begin when a player is near the target.

use crate::movegen::{Generator, WordGraph};
use crate::stream::Stream;

use super::equity::best_by_equity;
use super::leave::Leaves;
use super::{BotTurn, Seen, endgame, rollout};

/// The number of turns that get a rollout when the bag runs low.
const CLOSE_LOOK: usize = 8;
/// The points that a player lacks near the end of a race: those of about two turns.
const WITHIN_REACH: i32 = 60;

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
    if let Some(lack) = seen.lacks(seen.seat) {
        return race(generator, graph, leaves, seen, lack, chance);
    }
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

/// The turn of a race in which the own seat lacks some points: the play that wins. Without one, the turn with the highest equity
/// while the target is far, and near it the turn that most often wins.
fn race(
    generator: &mut Generator,
    graph: &WordGraph,
    leaves: &Leaves,
    seen: &Seen<'_>,
    lack: i32,
    chance: &mut Stream,
) -> BotTurn {
    if let Some(best) = generator.best(graph, seen.rules, seen.board, seen.rack)
        && best.score >= lack
    {
        return BotTurn::Play(best.placement);
    }
    let is_near = |lacks: [i32; 2]| lacks.iter().any(|lack| *lack <= WITHIN_REACH);
    if !seen.race().is_some_and(is_near) {
        return by_equity(generator, graph, leaves, seen);
    }
    let mut candidates = best_by_equity(generator, graph, leaves, seen, CLOSE_LOOK);
    let best = rollout::choose(generator, graph, seen, &candidates, chance);
    candidates.swap_remove(best).turn
}
