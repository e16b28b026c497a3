//! `tilewire bot-match`: many games between two bots, with each bag played from both seats.

use std::io::{Write, stdout};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tilewire_rules::bot::{Bot, BotLevel, Match, MatchResult, play_game};
use tilewire_rules::lexicon::{FstLexicon, Lexicon, WordGraphs};
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;

use super::rule_set;
use super::stats::{Estimate, average};

/// Flags of `bot-match`.
#[derive(Debug, Clone, Args)]
pub struct MatchArgs {
    /// The first bot: beginner, casual, improver, club, expert or master
    #[arg(value_name = "A")]
    one: BotLevel,
    /// The second bot
    #[arg(value_name = "B")]
    other: BotLevel,
    /// Number of games; each bag is played twice, with the seats swapped
    #[arg(long, value_name = "N", default_value = "200")]
    games: NonZeroU64,
    /// Rule set
    #[arg(long, value_name = "NAME", default_value = "classic")]
    rules: String,
    /// Seed of all bags and choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// The result of a match, from the first bot's side.
#[derive(Debug, Serialize)]
struct Outcome {
    a: &'static str,
    b: &'static str,
    rules: String,
    seed: u64,
    games: u64,
    wins_a: u64,
    wins_b: u64,
    draws: u64,
    /// Whether both bots are equal. Then the second game with each bag repeats the first, and the results do not compare
    /// the bots.
    repeats: bool,
    /// Wins plus half the draws, as a share of all games.
    win_share_a: Option<Estimate>,
    /// The mean spread: points of A minus points of B.
    spread_a: Option<Estimate>,
    average_a: f64,
    average_b: f64,
}

/// The two games with one bag, as (points of A, points of B).
type Pair = [(i32, i32); 2];

/// Plays the match and prints the result; returns the exit status.
///
/// # Errors
/// Returns an error if the rule set is unknown or stdout is closed.
pub(crate) fn run(args: &MatchArgs, as_json: bool) -> Result<u8> {
    let rules = rule_set(&args.rules)?;
    let pairs = play_all(args, &rules)?;
    let outcome = outcome(args, &pairs);
    let mut out = stdout().lock();
    if as_json {
        writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
    } else {
        write_text(&mut out, &outcome)?;
    }
    Ok(0)
}

fn play_all(args: &MatchArgs, rules: &Arc<RuleSet>) -> Result<Vec<Pair>> {
    let lexicon = FstLexicon::builtin();
    let words = Arc::new(WordGraphs::new(&lexicon));
    let bags = args.games.get().div_ceil(2);
    let next = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let played = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut pairs = Vec::new();
                    loop {
                        let bag = next.fetch_add(1, Ordering::Relaxed);
                        if bag >= bags {
                            return Ok(pairs);
                        }
                        pairs.push((bag, play_pair(args, rules, &*lexicon, &words, bag)?));
                    }
                })
            })
            .collect();
        let joined = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.collect::<Result<Vec<_>>>()
    })?;
    let mut pairs: Vec<(u64, Pair)> = played.into_iter().flatten().collect();
    pairs.sort_unstable_by_key(|(bag, _)| *bag);
    Ok(pairs.into_iter().map(|(_, pair)| pair).collect())
}

fn play_pair(
    args: &MatchArgs,
    rules: &Arc<RuleSet>,
    lexicon: &dyn Lexicon,
    words: &Arc<WordGraphs>,
    bag: u64,
) -> Result<Pair> {
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = 2;
    let of = Match {
        rules: Arc::clone(rules),
        options,
        seed: args.seed.wrapping_add(bag),
    };
    let play = |first: BotLevel, second: BotLevel| -> Result<MatchResult> {
        let mut bots = [first, second].map(|level| Bot::new(level, Arc::clone(words)));
        play_game(&of, lexicon, &mut bots, |_, _| {}).context("bots cannot play this rule set")
    };
    let points = |result: &MatchResult, seat: Seat| result.ended.results[seat.index()].final_score;
    let straight = play(args.one, args.other)?;
    let (first, second) = (points(&straight, Seat(0)), points(&straight, Seat(1)));
    if args.one == args.other {
        return Ok([(first, second), (second, first)]);
    }
    let mirrored = play(args.other, args.one)?;
    let swapped = (points(&mirrored, Seat(1)), points(&mirrored, Seat(0)));
    Ok([(first, second), swapped])
}

fn outcome(args: &MatchArgs, pairs: &[Pair]) -> Outcome {
    let games: Vec<(i32, i32)> = pairs.iter().flatten().copied().collect();
    let count = |wanted: fn(&(i32, i32)) -> bool| {
        u64::try_from(games.iter().filter(|game| wanted(game)).count()).unwrap_or(u64::MAX)
    };
    // The two games with one bag depend on each other; different bags are independent.
    let per_bag = |of: fn((i32, i32)) -> f64| -> Vec<f64> {
        pairs
            .iter()
            .map(|pair| pair.iter().map(|game| of(*game)).sum::<f64>() / 2.0)
            .collect()
    };
    let shares = per_bag(|(a, b)| match a.cmp(&b) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    let spreads = per_bag(|(a, b)| f64::from(a) - f64::from(b));
    let repeats = args.one == args.other;
    Outcome {
        a: args.one.name(),
        b: args.other.name(),
        rules: args.rules.clone(),
        seed: args.seed,
        games: u64::try_from(games.len()).unwrap_or(u64::MAX),
        wins_a: count(|(a, b)| a > b),
        wins_b: count(|(a, b)| a < b),
        draws: count(|(a, b)| a == b),
        repeats,
        win_share_a: (!repeats).then(|| Estimate::share(&shares)),
        spread_a: Estimate::mean(&spreads).filter(|_| !repeats),
        average_a: average(&per_bag(|(a, _)| f64::from(a))),
        average_b: average(&per_bag(|(_, b)| f64::from(b))),
    }
}

fn write_text(out: &mut impl Write, outcome: &Outcome) -> std::io::Result<()> {
    let Outcome { a, b, .. } = outcome;
    writeln!(
        out,
        "{a} against {b}, {} games of {}",
        outcome.games, outcome.rules
    )?;
    writeln!(
        out,
        "  {a} won {}, {b} won {}, {} drawn",
        outcome.wins_a, outcome.wins_b, outcome.draws
    )?;
    if outcome.repeats {
        writeln!(
            out,
            "  the bots are equal: the second game with each bag repeats the first, so {} games are different",
            outcome.games / 2
        )?;
    }
    if let Some(share) = &outcome.win_share_a {
        writeln!(
            out,
            "  {a} wins {:.1} % (95 % confidence: {:.1} to {:.1})",
            share.mean * 100.0,
            share.low * 100.0,
            share.high * 100.0
        )?;
    }
    if let Some(spread) = &outcome.spread_a {
        writeln!(
            out,
            "  mean spread of {a} {:+.1} points (95 % confidence: {:+.1} to {:+.1})",
            spread.mean, spread.low, spread.high
        )?;
    }
    writeln!(
        out,
        "  average score {:.1} to {:.1}",
        outcome.average_a, outcome.average_b
    )
}
