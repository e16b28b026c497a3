//! Measures the search for "cannot catch up" (R-END-15) in Wordfeud: how often it finds an answer, and how long it takes.
//!
//! `cargo bench -p tilewire-rules --bench catch_up` plays games of bots and searches after every turn with an empty bag,
//! with the number of positions that a game allows and with more.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::event::{Event, PublicEvent};
use tilewire_rules::game::can_catch_up;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::movegen::WordGraph;
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;

const GAMES: u64 = 40;
/// Positions after which a search gives up; the first is the limit of a game.
const LIMITS: [u32; 3] = [2_000, 20_000, 200_000];

/// The results of the searches with one limit.
#[derive(Default)]
struct Found {
    turns: usize,
    hopeless: usize,
    unknown: usize,
    /// Games in which a search proved at some turn that the trailing seat cannot catch up.
    games: usize,
    times: Vec<Duration>,
}

fn main() {
    let lexicon = FstLexicon::builtin();
    let graphs = lexicon.graphs().unwrap();
    let games: Vec<Vec<State>> = (0..GAMES).map(turns_without_bag).collect();
    println!(
        "positions  turns  hopeless  unknown  games of {GAMES}  median      99 %        longest"
    );
    for limit in LIMITS {
        let mut found = Found::default();
        for states in &games {
            search(&mut found, states, graphs.all(), limit);
        }
        found.times.sort_unstable();
        let at = |share: usize| found.times[(found.times.len() - 1) * share / 100];
        println!(
            "{limit:>9}  {:>5}  {:>8}  {:>7}  {:>11}  {:>10.1?}  {:>10.1?}  {:>10.1?}",
            found.turns,
            found.hopeless,
            found.unknown,
            found.games,
            at(50),
            at(99),
            at(100)
        );
    }
}

fn search(found: &mut Found, states: &[State], words: &WordGraph, limit: u32) {
    let mut is_decided = false;
    for state in states {
        let start = Instant::now();
        let answer = can_catch_up(state, words, limit);
        found.times.push(start.elapsed());
        found.turns += 1;
        match answer {
            Some(true) => {}
            Some(false) => {
                found.hopeless += 1;
                is_decided = true;
            }
            None => found.unknown += 1,
        }
    }
    found.games += usize::from(is_decided);
}

/// The states at the start of each turn with an empty bag in a game of a good and a weak bot.
fn turns_without_bag(seed: u64) -> Vec<State> {
    let (lexicon, rules) = (FstLexicon::builtin(), RuleSet::builtin("wordfeud").unwrap());
    let mut options = GameOptions::usual(&rules, lexicon.name());
    options.uncatchable = false;
    let words = lexicon.graphs().unwrap();
    let levels = [BotLevel::Club, BotLevel::Beginner];
    let mut bots = levels.map(|level| Bot::new(level, Arc::clone(&words)));
    let of = Match {
        rules: Arc::clone(&rules),
        options,
        seed,
    };
    let played = play_game(&of, &*lexicon, &mut bots, |_, _| {}).unwrap();
    let mut state = State::begin(rules, &played.records[0]).unwrap();
    let mut states = Vec::new();
    for record in &played.records[1..] {
        state.apply(record).unwrap();
        let begins = matches!(record.event, Event::Public(PublicEvent::TurnStarted { .. }));
        if begins && state.tiles().bag().is_empty() {
            states.push(state.clone());
        }
    }
    states
}
