//! Seeds that nobody chose before, in every run; and those among them that have found something.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use tilewire_simulation::{Options, run};

use super::all;

/// Fresh seeds of a run; `tests/run --full` has thousands.
const FRESH: u64 = 50;
/// The first fresh seed, to repeat a run.
const START: &str = "SIMULATION_START";
/// The command that repeats the fresh seeds.
const COMMAND: &str = "cargo nextest run -p tilewire-simulation fresh_seeds";

/// Seeds that found something when they were fresh, and their finds.
const KEPT: [(u64, &str); 20] = [
    (
        700_100_252,
        "a stall began before the last stamp, and a game that slept after it missed some of the outage",
    ),
    (
        700_400_325,
        "the auditor took a stall of an earlier server, whose clock was ahead, from the silence of a client",
    ),
    (
        700_500_153,
        "a stall during the creation of a game was not credited",
    ),
    (
        811_000_216,
        "the oracle counted what an operator gives among the gifts of the seat",
    ),
    (811_003_069, "the same"),
    (
        811_004_172,
        "a stall during the creation of a game was not credited",
    ),
    (
        1_795_855_000_998,
        "the auditor took the first look of a game's creator at its log for a takeover",
    ),
    (
        911_855_000_074,
        "the auditor took a read for a list for the one with which a game enters memory",
    ),
    (
        4_700_201_040,
        "the auditor waited for the credit of a game that a late write of the server before had ended",
    ),
    (4_700_204_425, "the same"),
    (
        4_700_203_282,
        "the auditor took a client for attached whose server stood still, while a turn waited",
    ),
    (
        6_100_003_299,
        "the disk refused the first read of a game after all faults had ended",
    ),
    (
        1_795_880_714_028,
        "the auditor wanted the answer to a turn that waited for a hold",
    ),
    (
        1_795_880_716_158,
        "the auditor took a turn behind a closed window for one that waited for the window",
    ),
    (
        1_795_880_720_168,
        "the auditor did not wait for an event of a clock that was an hour ahead",
    ),
    (
        1_795_880_719_747,
        "the auditor took a game for asleep whose first event after its sleep was in flight",
    ),
    (
        1_795_921_719_100,
        "an adjournment ended during a stall, and the clock of the next seat was charged for the rest of the stall",
    ),
    (
        1_795_921_719_743,
        "the auditor took an event of a clock that was an hour ahead for a later one",
    ),
    (
        1_795_921_722_899,
        "the auditor forgot that a server whose stamp was old charges nobody until its clock is at the last event again",
    ),
    (
        1_795_921_727_237,
        "the disk was asked too often for a run of half an hour, in a run of half a day",
    ),
];
/// The same for seeds with several servers that have one server otherwise.
const KEPT_OF_NODES: [(u64, &str); 3] = [
    (
        6_100_004_896,
        "requests to a server that stood still arrived after the end of their connection",
    ),
    (
        1_795_921_729_916,
        "the auditor took the end of a window by a release for a deadline",
    ),
    (
        1_795_921_730_753,
        "a sleeping game was woken ten seconds after an outage of the database",
    ),
];

/// Returns the first fresh seed: that of the environment, or the time.
#[expect(clippy::disallowed_methods, reason = "each run draws other seeds")]
fn start() -> u64 {
    if let Ok(start) = std::env::var(START) {
        return start.parse().expect("a number of a seed");
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(now.expect("it is later").as_millis()).expect("a time of this age")
}

#[test]
fn fresh_seeds_break_no_promise() {
    let start = start();
    let repeat = format!("{START}={start} {COMMAND}");
    writeln!(
        io::stderr(),
        "{FRESH} fresh seeds; repeat them with {repeat}"
    )
    .ok();
    let seeds: Vec<u64> = (start..start.saturating_add(FRESH)).collect();
    let (_, broken) = all(&seeds);
    assert!(
        broken.is_empty(),
        "{}\nrepeat all of them with {repeat}\nWhen a seed is mended, it is kept in tests/simulation/tests/simulation/fresh.rs.",
        broken.join("\n")
    );
}

#[test]
fn kept_seeds_break_no_promise() {
    let seeds = KEPT.map(|(seed, _)| seed);
    let (_, broken) = all(&seeds);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let options = Options {
        several_nodes: Some(true),
        ..Options::default()
    };
    for (seed, _) in KEPT_OF_NODES {
        assert_eq!(run(seed, options).broken, None, "seed {seed}");
    }
}
