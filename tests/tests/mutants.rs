//! Bugs put into the server on purpose are found by the simulation; needs the feature `mutants`.
//!
//! `TILEWIRE_MUTANTS=all` tries every one, a name that one, else a few; each has to be found within so many seeds.
#![cfg(feature = "mutants")]

use tilewire_rules::mutants::Mutant;
use tilewire_tests::simulation::{Options, run};

/// Seeds in which a bug has to be found.
const FOUND_WITHIN: u64 = 1_000;
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
    let which = std::env::var("TILEWIRE_MUTANTS").unwrap_or_default();
    let is_wanted = |mutant: &&Mutant| match which.as_str() {
        "all" => true,
        "few" | "" => FEW.contains(mutant),
        name => format!("{mutant:?}") == name,
    };
    let mut missed = Vec::new();
    for mutant in Mutant::ALL.iter().filter(is_wanted) {
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
