//! The simulation: many seeds, identical runs for a seed, a crash at every boundary.

mod delayed;
mod disk;
mod fresh;
mod hours;
mod mutants;
mod nodes;
mod planted;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilewire_protocol::EventBody;
use tilewire_simulation::flaws::Flaw;
use tilewire_simulation::invited::{Does, invited};
use tilewire_simulation::{
    DealingCounts, LetterCounts, Options, Outcome, REPEAT, WebhookCounts, run,
};

/// Seeds of the test run.
const SEEDS: u64 = 600;
/// Crashes of a run with letters or webhooks, evenly between its beginning and its end.
const CRASHES: u64 = 40;
/// Seeds in which a bug that was put in on purpose has to be found.
const FOUND_WITHIN: u64 = 250;

/// Runs seeds on two threads, and says which break a promise and how to repeat them.
fn all(seeds: &[u64]) -> (Vec<Outcome>, Vec<String>) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push((*seed, run(*seed, Options::default())));
        }
        outcomes
    };
    let outcomes = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut own = work();
        own.extend(other.join().expect("it does not panic"));
        own
    });
    let broken = outcomes.iter().filter_map(|(seed, outcome)| {
        let broken = outcome.broken.as_ref()?;
        Some(format!(
            "seed {seed}: {broken}\nrepeat it with {REPEAT} --start {seed}"
        ))
    });
    let broken = broken.collect();
    (
        outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
        broken,
    )
}

#[test]
fn no_seed_breaks_a_promise() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (outcomes, broken) = all(&seeds);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let seen: BTreeSet<&str> = outcomes
        .iter()
        .flat_map(|outcome| outcome.kinds.keys().copied())
        .collect();
    let unseen: Vec<&str> = EventBody::KINDS
        .iter()
        .filter(|kind| !seen.contains(**kind))
        .copied()
        .collect();
    // Boards are fixed here.
    assert_eq!(
        unseen,
        ["board_drawn"],
        "everything else has to happen in some seed"
    );
    let starts: usize = outcomes.iter().map(|outcome| outcome.starts).sum();
    assert!(
        starts > outcomes.len() * 2,
        "servers have to crash: {starts} starts"
    );
    let rests: u64 = outcomes.iter().map(|outcome| outcome.rests).sum();
    assert!(rests > 25, "games have to sleep: {rests} did");
    let stalls: usize = outcomes.iter().map(|outcome| outcome.stalls).sum();
    assert!(stalls > 25, "servers have to stand still: {stalls} did");
    let slept: u64 = outcomes.iter().map(|outcome| outcome.slept_through).sum();
    assert!(slept > 2, "games have to sleep through them: {slept} did");
    let rated: usize = outcomes.iter().map(|outcome| outcome.rated).sum();
    assert!(rated > 5, "games have to change ratings: {rated} did");
    let points: usize = outcomes.iter().map(|outcome| outcome.points).sum();
    assert!(points > 0, "players have to leave games: {points} points");
    let waits: usize = outcomes.iter().map(|outcome| outcome.waits).sum();
    assert!(waits > 0, "some players have to wait");
    let chatted: usize = outcomes.iter().map(|outcome| outcome.chat_lines).sum();
    assert!(chatted > 250, "people have to chat: {chatted} lines");
    let invitations: usize = outcomes.iter().map(|outcome| outcome.invitations).sum();
    assert!(
        invitations > 0,
        "invitations have to become games: {invitations} did"
    );
    let rematches: u64 = outcomes.iter().map(|outcome| outcome.rematches).sum();
    assert!(
        rematches > 2,
        "people have to play again: {rematches} times"
    );
    let with_criteria: u64 = outcomes.iter().map(|outcome| outcome.with_criteria).sum();
    assert!(
        with_criteria > 0,
        "seeks for certain players have to become games: {with_criteria} did"
    );
    let asked: u64 = outcomes.iter().map(|outcome| outcome.asked).sum();
    assert!(asked > 250, "people have to see to accounts: {asked} times");
    check_dealings(&outcomes);
    check_letters(&outcomes);
    check_webhooks(&outcomes);
    nodes::check_nodes(&outcomes);
    let jumps: usize = outcomes.iter().map(|outcome| outcome.jumps).sum();
    assert!(jumps > 5, "clocks have to jump: {jumps} did");
}

/// Checks that people block each other and that moderators act, often enough for the auditor's checks to mean something.
fn check_dealings(outcomes: &[Outcome]) {
    let sum = |count: fn(&DealingCounts) -> u64| -> u64 {
        outcomes
            .iter()
            .map(|outcome| count(&outcome.dealings))
            .sum()
    };
    let counts = [
        ("blocks", sum(|counts| counts.blocked), 10),
        ("ends of blocks", sum(|counts| counts.unblocked), 5),
        ("lines kept back", sum(|counts| counts.kept_back), 0),
        ("direct rooms", sum(|counts| counts.direct_rooms), 0),
        ("restrictions", sum(|counts| counts.restricted), 10),
        ("suspensions", sum(|counts| counts.suspended), 0),
        ("undoings", sum(|counts| counts.undone), 0),
        ("lines of muted players", sum(|counts| counts.muted), 0),
        (
            "games of restricted players",
            sum(|counts| counts.refused),
            0,
        ),
    ];
    for (what, count, least) in counts {
        assert!(count > least, "too few {what}: {count}");
    }
}

/// Checks that letters are written, sent, repeated and given up, often enough for the auditor's checks to mean something.
fn check_letters(outcomes: &[Outcome]) {
    let sum = |count: fn(&LetterCounts) -> u64| -> u64 {
        outcomes.iter().map(|outcome| count(&outcome.letters)).sum()
    };
    let counts = [
        ("letters", sum(|counts| counts.written), 100),
        ("messages", sum(|counts| counts.taken), 30),
        ("repeated messages", sum(|counts| counts.repeated), 0),
        (
            "letters to present players",
            sum(|counts| counts.present),
            5,
        ),
        ("letters beyond a day", sum(|counts| counts.beyond), 0),
        ("letters from others", sum(|counts| counts.from_others), 0),
        ("letters of nudges", sum(|counts| counts.nudges), 0),
        ("letters of the past", sum(|counts| counts.past), 0),
    ];
    for (what, count, least) in counts {
        assert!(count > least, "too few {what}: {count}");
    }
}

/// Checks that events for webhooks are delivered, refused, repeated and given up, often enough for the auditor's checks to mean
/// something.
fn check_webhooks(outcomes: &[Outcome]) {
    let sum = |count: fn(&WebhookCounts) -> u64| -> u64 {
        outcomes
            .iter()
            .map(|outcome| count(&outcome.webhooks))
            .sum()
    };
    let counts = [
        ("events", sum(|counts| counts.taken), 100),
        ("repeated events", sum(|counts| counts.repeated), 5),
        ("refused events", sum(|counts| counts.refused), 10),
        ("events that have failed", sum(|counts| counts.failed), 0),
        ("events pushed out", sum(|counts| counts.pushed_out), 0),
        ("events held back", sum(|counts| counts.held_back), 5),
        ("events of private games", sum(|counts| counts.private), 0),
        ("events of accounts", sum(|counts| counts.of_accounts), 0),
    ];
    for (what, count, least) in counts {
        assert!(count > least, "too few {what}: {count}");
    }
}

/// The machine goes down between two steps of a run with letters, those of the mail server included.
#[test]
fn the_machine_can_crash_at_the_steps_of_letters() {
    crash_at_the_steps(|outcome| outcome.letters.taken > 5);
}

/// The machine goes down between two steps of a run with webhooks, those of the programs behind them included.
#[test]
fn the_machine_can_crash_at_the_steps_of_webhooks() {
    crash_at_the_steps(|outcome| outcome.webhooks.taken > 20);
}

/// Lets the machine go down between two steps of the first run that is wanted.
fn crash_at_the_steps(is_wanted: fn(&Outcome) -> bool) {
    let with = |crash_at| Options {
        crash_at: Some(crash_at),
        ..Options::default()
    };
    let mut runs = (0..SEEDS).map(|seed| (seed, run(seed, with(0))));
    let found = runs.find(|(_, outcome)| is_wanted(outcome));
    let (seed, whole) = found.expect("some seed is wanted");
    let step = usize::try_from(whole.boundaries / CRASHES + 1).expect("a small number");
    for crash_at in (1..=whole.boundaries).step_by(step) {
        let broken = run(seed, with(crash_at)).broken;
        assert_eq!(broken, None, "seed {seed}, down at {crash_at}");
    }
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let options = Options {
        is_told: true,
        ..Options::default()
    };
    for seed in 0..12 {
        let (first, again) = (run(seed, options), run(seed, options));
        let differs = first
            .lines
            .iter()
            .zip(&again.lines)
            .find(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.hash, again.hash, "seed {seed}");
    }
    assert_ne!(run(0, options).hash, run(1, options).hash);
}

/// Twins that differ only in what players write to each other look the same to spectators: the same bytes at the same times.
#[test]
fn spectators_cannot_tell_what_players_write() {
    let own = Options {
        several_nodes: Some(false),
        ..Options::default()
    };
    let other = Options {
        other_words: true,
        ..own
    };
    let mut differ = 0;
    for seed in 0..60 {
        let (one, twin) = (run(seed, own), run(seed, other));
        assert_eq!((&one.broken, &twin.broken), (&None, &None), "seed {seed}");
        assert_eq!(one.spectators, twin.spectators, "seed {seed}");
        differ += u32::from(one.hash != twin.hash);
    }
    assert!(differ > 20, "players write in {differ} seeds");
}

/// Twins of an invitation that nobody answers: the invited player is silent, blocks the sender, or takes no invitations.
#[test]
fn a_sender_cannot_tell_why_nobody_answers() {
    let silent = invited(Does::Nothing);
    assert!(silent.is_heard);
    // Each of two invitations was open, and expired.
    assert!(silent.of_invitations >= 4, "{silent:?}");
    for (does, is_heard) in [
        (Does::Blocks, false),
        (Does::IsUnwilling, false),
        (Does::BlocksLater, true),
    ] {
        let twin = invited(does);
        assert_eq!(twin.sender, silent.sender, "{does:?}");
        assert_eq!(twin.is_heard, is_heard, "{does:?}");
    }
}

#[test]
fn the_machine_can_crash_at_every_boundary() {
    for seed in [3, 5] {
        let boundaries = run(
            seed,
            Options {
                crash_at: Some(0),
                ..Options::default()
            },
        )
        .boundaries;
        assert!(boundaries > 40, "seed {seed} has only {boundaries}");
        for crash_at in 1..=boundaries.min(250) {
            let options = Options {
                crash_at: Some(crash_at),
                ..Options::default()
            };
            let broken = run(seed, options).broken;
            assert_eq!(broken, None, "seed {seed}, down at {crash_at}");
        }
    }
}

#[test]
fn a_storage_that_breaks_its_contract_is_found() {
    for flaw in Flaw::ALL {
        let options = Options {
            flaw: Some(flaw),
            ..Options::default()
        };
        let found = (0..FOUND_WITHIN).find(|seed| run(*seed, options).broken.is_some());
        assert!(
            found.is_some(),
            "{flaw:?} is not found within {FOUND_WITHIN} seeds"
        );
    }
}
