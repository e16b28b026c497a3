//! Bugs put into the server on purpose are found by the simulation; needs the feature `mutants`.
//!
//! `TILEWIRE_MUTANTS=all` tries every one, else a few; each has to be found within so many seeds.
#![cfg(feature = "mutants")]

use tilewire_rules::mutants::Mutant;
use tilewire_tests::simulation::{Options, run};

/// Seeds in which a bug has to be found.
const FOUND_WITHIN: u64 = 400;
/// Those of every test run.
const FEW: [Mutant; 5] = [
    Mutant::AnsweredBeforeStored,
    Mutant::CommandsForgotten,
    Mutant::WindowOffByOne,
    Mutant::TilesShown,
    Mutant::DeadlineForgotten,
];

#[test]
fn every_bug_is_found() {
    let is_all = std::env::var("TILEWIRE_MUTANTS").is_ok_and(|which| which == "all");
    let mutants = if is_all { Mutant::ALL } else { &FEW };
    let mut missed = Vec::new();
    for mutant in mutants {
        let options = Options {
            mutant: Some(*mutant),
            ..Options::default()
        };
        let found = (0..FOUND_WITHIN).find_map(|seed| Some((seed, run(seed, options).broken?)));
        match found {
            Some((seed, broken)) => println!("{mutant:?}: seed {seed}: {}", first_words(&broken)),
            None => missed.push(mutant),
        }
    }
    assert!(
        missed.is_empty(),
        "not found within {FOUND_WITHIN} seeds: {missed:?}"
    );
}

fn first_words(broken: &str) -> String {
    broken
        .lines()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(160)
        .collect()
}
