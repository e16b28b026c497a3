//! Three relays in virtual time over a bus that loses batches, with owners that change, requests over HTTP, and an auditor.
//!
//! The games behind them are the slow and obvious ones: a list of commands for each game, which all nodes share, and an owner that
//! alone may add to it. The auditor is the clients: each knows what it asked, and what it has seen of each game.

mod client;
mod games;
mod requests;
mod world;

use world::World;

/// Seeds of the simulation.
const SEEDS: u64 = 300;
/// Seeds within which a planted bug is found.
const FLAW_SEEDS: u64 = 60;

/// A bug that is planted around the relays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    /// The numbers of batches do not show that some are missing.
    GapIsHidden,
    /// A node does not learn of a new term of the same owner.
    TermIsHidden,
    /// An owner that was fenced goes on to serve.
    FencedServes,
    /// A node repeats a request over HTTP that has another effect the second time.
    OrderIsRepeated,
}

fn run(seed: u64, flaw: Option<Flaw>) -> Vec<String> {
    let mut world = World::new(seed, flaw);
    world.play();
    world.problems()
}

#[test]
fn no_request_is_lost_or_answered_twice() {
    for seed in 0..SEEDS {
        let problems = run(seed, None);
        assert!(problems.is_empty(), "seed {seed}: {problems:#?}");
    }
}

#[test]
fn every_planted_bug_is_found() {
    for flaw in [
        Flaw::GapIsHidden,
        Flaw::TermIsHidden,
        Flaw::FencedServes,
        Flaw::OrderIsRepeated,
    ] {
        let finds = |seed| !run(seed, Some(flaw)).is_empty();
        assert!((0..FLAW_SEEDS).any(finds), "{flaw:?} was not found");
    }
}
