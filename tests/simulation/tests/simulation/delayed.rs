//! Spectators of a delayed game learn nothing before its time.
//!
//! The test plays pairs of games in real rooms with real hubs. Up to some moment both are the same; from then on
//! everything may differ: moves, connections of players, failures of the storage. Until that moment is as old as the
//! delay, spectators must get the same bytes at the same time, and the lists must be the same. A second kind of pair is
//! played with other tiles: spectators without racks must see no difference at all.

use tilewire_oracle::chance::Chance;
use tilewire_protocol::GameSummary;
use tilewire_rules::options::SpectatorView;
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_simulation::room::{Course, FrameLog, LENGTH_MS, Leak, PlayedRoom, START};

/// Pairs with another future for each way to show a game.
const FUTURES: u64 = 500;
/// Pairs with other tiles for each way to show a game.
const DEALS: u64 = 60;
/// The ways to show a game.
const VIEWS: [SpectatorView; 4] = [
    SpectatorView {
        delay_ms: 1_500,
        racks: false,
    },
    SpectatorView {
        delay_ms: 45_000,
        racks: false,
    },
    SpectatorView {
        delay_ms: 60_000,
        racks: true,
    },
    SpectatorView {
        delay_ms: 100_000,
        racks: true,
    },
];

/// The updates of the lists, with their times.
type Lists = Vec<(Timestamp, &'static str, GameSummary)>;

/// The messages to spectators before `limit`, by connection, and the updates of the lists.
fn public(room: &PlayedRoom, limit: Timestamp) -> (Vec<(u64, FrameLog)>, Lists) {
    let lists = room.lists.iter().filter(|(at, _, _)| *at < limit);
    (room.watched(limit), lists.cloned().collect())
}

/// How much was compared, and whether the games differ after all.
#[derive(Default)]
struct Compared {
    frames: usize,
    differ: usize,
    pairs: usize,
}

/// Compares the messages of two games before `limit`, or before the first end of either after `since`.
fn compare(
    one: &PlayedRoom,
    other: &PlayedRoom,
    since: Timestamp,
    limit: Timestamp,
    sum: &mut Compared,
) {
    let ends = [one.ended_at, other.ended_at].into_iter().flatten();
    let limit = ends.filter(|end| *end >= since).fold(limit, Timestamp::min);
    let (left, right) = (public(one, limit), public(other, limit));
    let view = one.course.view;
    for ((id, left), (_, right)) in left.0.iter().zip(&right.0) {
        for ((at, left), (_, right)) in left.iter().zip(right) {
            assert!(
                left == right,
                "{view:?}, seed {}: {id} at {}",
                one.course.seed,
                *at - START
            );
        }
    }
    assert!(
        left == right,
        "{view:?}, seed {}: other times or lists",
        one.course.seed
    );
    sum.frames += left.0.iter().map(|(_, told)| told.len()).sum::<usize>();
    sum.differ += usize::from(public(one, Timestamp::MAX) != public(other, Timestamp::MAX));
    sum.pairs += 1;
}

/// Two games that are the same up to a moment.
fn other_future(seed: u64, view: SpectatorView, leak: Option<Leak>, sum: &mut Compared) {
    let fork = Chance::new(seed, "fork").ms(5_000, LENGTH_MS - view.delay_ms - 1);
    let course = |way| Course {
        seed,
        view,
        leak,
        secret: 9,
        fork: (fork, way),
        is_blind: false,
    };
    let (one, other) = (
        PlayedRoom::played(course("one")),
        PlayedRoom::played(course("other")),
    );
    let since = START + Millis(fork);
    compare(&one, &other, since, since + Millis(view.delay_ms), sum);
}

/// Two games with other tiles in which the same is done.
fn other_deal(seed: u64, view: SpectatorView, leak: Option<Leak>, sum: &mut Compared) {
    let course = |secret| Course {
        seed,
        view,
        leak,
        secret,
        fork: (LENGTH_MS, "one"),
        is_blind: true,
    };
    let (one, other) = (PlayedRoom::played(course(1)), PlayedRoom::played(course(2)));
    compare(&one, &other, START, START + Millis(LENGTH_MS), sum);
}

#[test]
fn no_event_is_sent_before_its_delay() {
    let mut sum = Compared::default();
    for view in VIEWS {
        for seed in 0..FUTURES {
            other_future(seed, view, None, &mut sum);
        }
    }
    println!(
        "{} pairs, {} frames, {} differ later",
        sum.pairs, sum.frames, sum.differ
    );
    assert!(sum.frames > 20 * sum.pairs, "{} frames", sum.frames);
    assert!(
        sum.differ * 10 > sum.pairs * 6,
        "{} differ later",
        sum.differ
    );
}

#[test]
fn spectators_without_racks_see_no_tiles() {
    let mut sum = Compared::default();
    for view in VIEWS.iter().filter(|view| !view.racks) {
        for seed in 0..DEALS {
            other_deal(seed, *view, None, &mut sum);
        }
    }
    println!("{} pairs, {} frames", sum.pairs, sum.frames);
    assert!(sum.frames > 20 * sum.pairs, "{} frames", sum.frames);
}

#[test]
fn a_leak_is_found() {
    let futures = |leak| {
        let mut sum = Compared::default();
        (0..20).for_each(|seed| other_future(seed, VIEWS[1], Some(leak), &mut sum));
    };
    let deals = |leak| {
        let mut sum = Compared::default();
        (0..20).for_each(|seed| other_deal(seed, VIEWS[0], Some(leak), &mut sum));
    };
    type Pairs<'a> = &'a (dyn Fn(Leak) + std::panic::RefUnwindSafe);
    let leaks: [(Leak, Pairs<'_>); 3] = [
        (Leak::Undelayed, &futures),
        (Leak::LiveSummary, &futures),
        (Leak::Racks, &deals),
    ];
    for (leak, pairs) in leaks {
        let found = std::panic::catch_unwind(|| pairs(leak));
        assert!(found.is_err(), "{leak:?}");
    }
}
