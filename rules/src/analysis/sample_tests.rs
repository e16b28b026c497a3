//! Simulations: equal for any split over threads, equal to every possible draw, and stopped when the question is settled.

use std::sync::Arc;

use super::rest_of_game::{Hidden, Outcome};
use super::*;
use crate::alphabet::Tile;
use crate::bot::{Bot, BotLevel, Candidate, Match, Seen, play_game};
use crate::lexicon::{FstLexicon, Lexicon, WordGraphs};
use crate::options::GameOptions;
use crate::ruleset::RuleSet;

pub(super) fn words() -> Arc<WordGraphs> {
    static WORDS: std::sync::OnceLock<Arc<WordGraphs>> = std::sync::OnceLock::new();
    Arc::clone(WORDS.get_or_init(|| Arc::new(WordGraphs::new(&FstLexicon::builtin()))))
}

/// Calls `check` with every position of a game of bots.
pub(super) fn watch(
    rules: &Arc<RuleSet>,
    (seats, seed): (u8, u64),
    mut check: impl FnMut(&Seen<'_>),
) {
    let lexicon = FstLexicon::builtin();
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = seats;
    let of = Match {
        rules: Arc::clone(rules),
        options,
        seed,
    };
    let mut bots: Vec<Bot> = (0..seats)
        .map(|_| Bot::new(BotLevel::Club, words()))
        .collect();
    play_game(&of, &*lexicon, &mut bots, |seen, _| check(seen)).unwrap();
}

/// Calls `check` with the first position of a game of bots that is as wanted.
pub(super) fn first(
    rules: &Arc<RuleSet>,
    game: (u8, u64),
    wanted: impl Fn(&Seen<'_>) -> bool,
    mut check: impl FnMut(&Seen<'_>),
) {
    let mut is_done = false;
    watch(rules, game, |seen| {
        if !is_done && wanted(seen) {
            is_done = true;
            check(seen);
        }
    });
    assert!(is_done, "no such position");
}

fn simulation<'a>(seen: &'a Seen<'a>, candidates: &'a [Candidate]) -> Simulation<'a> {
    Simulation {
        seen,
        candidates,
        plies: 2,
        seed: 5,
    }
}

#[test]
fn any_split_of_the_samples_gives_the_same_tallies() {
    for (rules, seats) in [
        ("classic", 2),
        ("super", 2),
        ("classic", 3),
        ("wordfeud", 2),
    ] {
        let rules = RuleSet::builtin(rules).unwrap();
        first(
            &rules,
            (seats, 4),
            |seen| seen.turn_no > 4,
            |seen| {
                let candidates = Engine::new(words(), &rules).list(seen, 4);
                let of = simulation(seen, &candidates);
                let split = |parts: u32| {
                    let mut tallies = Tallies::new(candidates.len());
                    for part in 0..parts {
                        let mut engine = Engine::new(words(), &rules);
                        let samples = 32 * part / parts..32 * (part + 1) / parts;
                        let own = engine.sample(&of, &[0, 1, 2, 3], samples, &|| false);
                        tallies.add(&own.unwrap());
                    }
                    tallies
                };
                let whole = split(1);
                assert_eq!(whole.samples(), 32);
                assert_eq!(whole, split(2));
                assert_eq!(whole, split(16));
                let other = Simulation { seed: 6, ..of };
                let mut engine = Engine::new(words(), &rules);
                let other = engine.sample(&other, &[0, 1, 2, 3], 0..32, &|| false);
                assert_ne!(other.unwrap(), whole);
                assert_eq!(engine.sample(&of, &[0], 0..32, &|| true), None);
            },
        );
    }
}

/// The mean and the variance of what a candidate gains over all ways in which the last two tiles and the other rack can lie.
#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 cases")]
fn over_all_draws(
    engine: &mut Engine,
    seen: &Seen<'_>,
    candidate: &Candidate,
    of: fn(&Outcome) -> i64,
) -> (f64, f64) {
    let unseen = seen.unseen();
    let mut gains = Vec::new();
    for one in 0..unseen.len() {
        for other in (0..unseen.len()).filter(|other| *other != one) {
            let rack: Vec<Tile> = (0..unseen.len())
                .filter(|at| ![one, other].contains(at))
                .map(|at| unseen[at])
                .collect();
            let order: Vec<Tile> = rack
                .into_iter()
                .chain([unseen[one], unseen[other]])
                .collect();
            let outcome = engine.outcome(seen, candidate, &Hidden::deal(seen, &order));
            gains.push(of(&outcome) as f64);
        }
    }
    let count = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / count;
    let squares: f64 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
    (mean, squares / count)
}

#[test]
fn with_two_tiles_in_the_bag_the_samples_agree_with_every_draw() {
    const SAMPLES: u32 = 400;
    let mut checked = 0;
    let rules = RuleSet::classic();
    for seed in 0..6 {
        first(
            &rules,
            (2, seed),
            |seen| seen.bag == 2 || seen.bag == 0,
            |seen| {
                // Not every game has two tiles in the bag at a turn.
                if seen.bag == 0 {
                    return;
                }
                checked += 1;
                let mut engine = Engine::new(words(), &rules);
                let candidates = engine.list(seen, 3);
                let of = simulation(seen, &candidates);
                let all: Vec<usize> = (0..candidates.len()).collect();
                let tallies = engine.sample(&of, &all, 0..SAMPLES, &|| false).unwrap();
                for (at, candidate) in candidates.iter().enumerate() {
                    let sum = tallies.sum(at);
                    for (sampled, of) in [
                        (sum.win, (|of| of.win) as fn(&Outcome) -> i64),
                        (sum.lead, |of| of.lead),
                    ] {
                        let (mean, variance) = over_all_draws(&mut engine, seen, candidate, of);
                        let errors = (variance / f64::from(SAMPLES)).sqrt();
                        #[expect(clippy::cast_precision_loss, reason = "a sum of 400 results")]
                        let found = sampled as f64 / f64::from(SAMPLES);
                        assert!(
                            (found - mean).abs() <= 3.0 * errors + 1e-6,
                            "seed {seed}, candidate {at}: {found}, not {mean} ± {errors}"
                        );
                    }
                }
            },
        );
    }
    assert!(checked > 1, "{checked} positions");
}

/// Decides a simulation of one position.
fn decided(seen: &Seen<'_>, candidates: &[Candidate], budget: SampleBudget) -> (Tallies, Reason) {
    budget.check(candidates.len()).unwrap();
    let mut engine = Engine::new(words(), seen.rules);
    let of = simulation(seen, candidates);
    let mut tallies = Tallies::new(candidates.len());
    loop {
        match next(&tallies, &budget) {
            Next::Sample(live, samples) => {
                assert!(samples.end <= budget.samples && !samples.is_empty());
                tallies.add(&engine.sample(&of, &live, samples, &|| false).unwrap());
            }
            Next::Done(reason) => return (tallies, reason),
        }
    }
}

#[test]
fn a_simulation_stops_when_one_is_best_or_all_are_equal_and_the_move_made_stays() {
    let rules = RuleSet::classic();
    first(
        &rules,
        (2, 1),
        |seen| seen.turn_no > 3,
        |seen| {
            let mut engine = Engine::new(words(), &rules);
            let list = engine.list(seen, 1_000);
            let (best, worst) = (list[0].clone(), list[list.len() - 1].clone());
            let pair = [best.clone(), worst.clone()];
            let budget = |samples, kept| SampleBudget { samples, kept };
            let (tallies, reason) = decided(seen, &pair, budget(2_000, None));
            assert_eq!((reason, tallies.leader()), (Reason::Best, 0));
            assert!(tallies.samples() < 1_000);
            let estimates = tallies.estimates();
            assert_eq!(estimates[0].loss, 0);
            assert!(!estimates[1].is_equal && estimates[1].loss > estimates[1].error);
            // The move that was made has samples enough for its loss.
            let (kept, reason) = decided(seen, &pair, budget(2_000, Some(1)));
            assert_eq!(reason, Reason::Best);
            assert!(kept.estimates()[1].samples >= 512);
            // Two equal candidates never differ; the first of them leads.
            let twins = [best.clone(), best.clone()];
            let (tallies, reason) = decided(seen, &twins, budget(2_000, None));
            assert_eq!((reason, tallies.leader()), (Reason::Equal, 0));
            assert!(tallies.estimates()[1].is_equal);
            let (tallies, reason) = decided(seen, &list[..2], budget(10, None));
            assert_eq!((reason, tallies.samples()), (Reason::Samples, 10));
        },
    );
}

#[test]
fn a_budget_without_samples_or_candidates_is_refused() {
    let check = |samples, candidates| {
        let budget = SampleBudget {
            samples,
            kept: None,
        };
        budget.check(candidates).map_err(|error| error.code())
    };
    assert_eq!(check(0, 2), Err("samples"));
    assert_eq!(check(MAX_SAMPLES + 1, 2), Err("samples"));
    assert_eq!(check(100, 0), Err("candidates"));
    assert_eq!(check(100, MAX_CANDIDATES + 1), Err("candidates"));
    assert_eq!(check(1, MAX_CANDIDATES), Ok(()));
    let budget = SampleBudget {
        samples: 0,
        kept: None,
    };
    assert_eq!(next(&Tallies::new(2), &budget), Next::Done(Reason::Samples));
    assert!(Tallies::new(2).estimates().is_empty());
}
