//! The simulation finds each planted bug.
//!
//! This test needs the copy of the workspace that contains the bugs: see `tests/run` and [`tilewire_simulation::planted`].
//! `TILEWIRE_MUTANTS=all` tries every bug, `few` or nothing tries a few, a name tries that one.

use std::process::Command;

use tilewire_simulation::planted::{BUGS, Bug, IS_PLANTED, SWITCH};
use tilewire_simulation::{Options, run};

/// The number of seeds within which a bug has to be found.
const FOUND_WITHIN: u64 = 1_000;
/// The bugs of every test run.
const FEW: [&str; 5] = [
    "AnsweredBeforeStored",
    "CommandsForgotten",
    "WindowOffByOne",
    "TilesShown",
    "DeadlineForgotten",
];

#[test]
fn the_simulation_finds_every_planted_bug() {
    if !IS_PLANTED {
        println!("no bugs are planted in this copy of the sources; see tests/run");
        return;
    }
    let which = std::env::var("TILEWIRE_MUTANTS").unwrap_or_default();
    let is_wanted = |bug: &&Bug| match which.as_str() {
        "all" => true,
        "few" | "" => FEW.contains(&bug.name),
        name => bug.name == name,
    };
    let wanted: Vec<&Bug> = BUGS.iter().filter(is_wanted).collect();
    assert!(!wanted.is_empty(), "no bug is called {which}");
    let missed: Vec<&str> = wanted
        .into_iter()
        .filter(|bug| !is_found(bug))
        .map(|bug| bug.name)
        .collect();
    assert!(
        missed.is_empty(),
        "not found within {FOUND_WITHIN} seeds: {missed:?}"
    );
}

/// Runs the simulation with one bug, in a process of its own.
fn is_found(bug: &Bug) -> bool {
    let program = std::env::current_exe().expect("the path of this test");
    let mut command = Command::new(program);
    command.args([
        "--exact",
        "mutants::one_bug_is_found",
        "--ignored",
        "--nocapture",
    ]);
    let status = command.env(SWITCH, bug.name).status();
    status.expect("this test runs").success()
}

#[test]
#[ignore = "needs a planted bug; the other test runs it once for each"]
fn one_bug_is_found() {
    let bug = std::env::var(SWITCH).expect("the name of a bug");
    let broken = |seed| run(seed, Options::default()).broken;
    let found = (0..FOUND_WITHIN).find_map(|seed| Some((seed, broken(seed)?)));
    let (seed, broken) = found.expect("the bug is found");
    println!("{bug}: found by seed {seed}: {}", first_words(&broken));
}

/// Returns the beginning of a report.
fn first_words(broken: &str) -> String {
    let lines: Vec<&str> = broken.lines().take(2).collect();
    lines.join(" ").chars().take(160).collect()
}
