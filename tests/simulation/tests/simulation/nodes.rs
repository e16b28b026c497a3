//! Several servers of one simulation share the games.

use tilewire_simulation::flaws::Flaw;
use tilewire_simulation::{NodeCounts, Options, Outcome, run};

/// Seeds in which a bug of several servers has to be found.
const FOUND_WITHIN: u64 = 400;

/// Checks that servers are lost and games move, often enough for the auditor's checks to mean something.
pub(super) fn check_nodes(outcomes: &[Outcome]) {
    let sum = |count: fn(&NodeCounts) -> u64| -> u64 {
        outcomes.iter().map(|outcome| count(&outcome.nodes)).sum()
    };
    let counts = [
        ("servers that were killed", sum(|counts| counts.killed), 25),
        ("servers that stood still", sum(|counts| counts.held), 15),
        ("servers that were cut off", sum(|counts| counts.cut), 15),
        ("cuts beyond the lease", sum(|counts| counts.dropped), 5),
        (
            "servers that stopped in order",
            sum(|counts| counts.drained),
            5,
        ),
        ("servers that were fenced", sum(|counts| counts.fenced), 15),
        ("outages of the disk", sum(|counts| counts.outages), 5),
        ("games with another owner", sum(|counts| counts.moved), 10),
        (
            "credits for a lost server",
            sum(|counts| counts.credited),
            5,
        ),
    ];
    for (what, count, least) in counts {
        assert!(count > least, "too few {what}: {count}");
    }
}

#[test]
fn a_bug_of_several_servers_is_found() {
    for flaw in Flaw::OF_NODES {
        let options = Options {
            flaw: Some(flaw),
            several_nodes: Some(true),
            ..Options::default()
        };
        let found = (0..FOUND_WITHIN).find(|seed| run(*seed, options).broken.is_some());
        assert!(
            found.is_some(),
            "{flaw:?} is not found within {FOUND_WITHIN} seeds"
        );
    }
}
