//! The master: it simulates its best turns, plays every draw when few tiles are in the bag, and searches endings.
//!
//! Its effort is a number of turns and positions, so that it answers within two seconds of one thread.

use crate::analysis::{
    BeforeEndBudget, Candidate, EndingBudget, Engine, Next, SampleBudget, Simulation, Tallies, next,
};

use super::{BotTurn, Seen};

/// The turns that are simulated.
const CANDIDATES: usize = 15;
/// Turns after the candidate in a sample.
const PLIES: u8 = 2;
/// Most samples of a candidate.
const SAMPLES: u32 = 2_000;
/// Most candidates that are played in all samples together; and those that are played to the end of the game.
const PLAYED: usize = 2_400;
const PLAYED_TO_THE_END: usize = 1_200;
/// With this many unseen tiles samples go to the end of the game.
const TO_THE_END: usize = 14;
/// Most tiles in the bag with which every draw is played.
const EVERY_DRAW: usize = 2;
/// Positions searched before the end, and in an ending.
const NODES: u64 = 100_000;
/// Positions that the search of an ending keeps.
pub(super) const ENDING_TABLE: usize = 1 << 16;

pub(super) fn turn(engine: &mut Engine, seen: &Seen<'_>, seed: u64) -> BotTurn {
    if let Some(lack) = seen.lacks(seen.seat)
        && let Some(best) = engine.highest(seen).filter(|best| best.score >= lack)
    {
        return BotTurn::Play(best.placement);
    }
    let stop = &|| false;
    if seen.targets.is_empty() {
        if let Some(other) = seen.other_rack() {
            let budget = EndingBudget {
                turns: 1,
                nodes: NODES,
                stop,
            };
            let best = engine.ending(&seen.ending(&other), budget).turns;
            let play = best.into_iter().next().and_then(|turn| turn.play);
            return play.map_or(BotTurn::Pass, |play| BotTurn::Play(play.placement));
        }
        let budget = BeforeEndBudget {
            kept: None,
            nodes: NODES,
            stop,
        };
        let found = (seen.bag <= EVERY_DRAW).then(|| engine.before_end(seen, budget));
        if let Some(found) = found.flatten()
            && let Some(best) = found.turns.into_iter().next()
        {
            return best.candidate.turn;
        }
    }
    let candidates = engine.list(seen, CANDIDATES);
    simulate(engine, seen, candidates, seed)
}

/// The turn that most often wins in a simulation.
fn simulate(
    engine: &mut Engine,
    seen: &Seen<'_>,
    mut candidates: Vec<Candidate>,
    seed: u64,
) -> BotTurn {
    let of = Simulation {
        seen,
        candidates: &candidates,
        plies: PLIES,
        seed,
    };
    let budget = SampleBudget {
        samples: SAMPLES,
        kept: None,
    };
    let mut left = match seen.unseen().len() > TO_THE_END {
        true => PLAYED,
        false => PLAYED_TO_THE_END,
    };
    let mut tallies = Tallies::new(candidates.len());
    if candidates.len() > 1 {
        while let Next::Sample(live, samples) = next(&tallies, &budget) {
            let played = live.len() * samples.len();
            let Some(rest) = left.checked_sub(played) else {
                break;
            };
            left = rest;
            match engine.sample(&of, &live, samples, &|| false) {
                Some(more) => tallies.add(&more),
                None => break,
            }
        }
    }
    let best = tallies.leader();
    match best < candidates.len() {
        true => candidates.swap_remove(best).turn,
        false => BotTurn::Pass,
    }
}
