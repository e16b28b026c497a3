//! The expert: equity while the bag has many tiles, rollouts when it has few, and the search of endings when it is empty. In a race
//! (R-END-13) rollouts begin when a player is near the target.

use crate::alphabet::Tile;
use crate::analysis::{EndingBudget, EndingSearch, best_by_equity};
use crate::movegen::{Generator, WordGraph};
use crate::stream::Stream;

use super::{BotTurn, Leaves, Seen, rollout};

/// The number of turns that get a rollout when the bag runs low.
const CLOSE_LOOK: usize = 8;
/// The points that a player lacks near the end of a race: those of about two turns.
const WITHIN_REACH: i32 = 60;
/// Positions searched for a turn of an ending.
const ENDING_NODES: u64 = 100_000;
/// Positions that the search of an ending keeps.
const ENDING_TABLE: usize = 1 << 16;

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
    (leaves, endings): (&Leaves, &mut Option<EndingSearch>),
    seen: &Seen<'_>,
    chance: &mut Stream,
) -> BotTurn {
    if let Some(lack) = seen.lacks(seen.seat) {
        return race(generator, graph, leaves, seen, lack, chance);
    }
    if let Some(other) = seen.other_rack() {
        let endings = endings.get_or_insert_with(|| EndingSearch::with_table(ENDING_TABLE));
        return ending(generator, graph, endings, seen, &other);
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

/// The best turn when both racks are known.
fn ending(
    generator: &mut Generator,
    graph: &WordGraph,
    endings: &mut EndingSearch,
    seen: &Seen<'_>,
    other: &[Tile],
) -> BotTurn {
    let position = seen.ending(other);
    let budget = EndingBudget {
        turns: 1,
        nodes: ENDING_NODES,
        stop: &|| false,
    };
    let ending = endings.solve(generator, graph, &position, budget);
    let best = ending.turns.into_iter().next();
    best.and_then(|turn| turn.play)
        .map_or(BotTurn::Pass, |play| BotTurn::Play(play.placement))
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
