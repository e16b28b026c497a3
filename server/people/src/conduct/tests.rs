//! Tests of the marks that games give, and of the points and waiting times that follow.

use proptest::prelude::*;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{EndReason, Retirement};
use tilewire_rules::time::{Millis, Timestamp};

use super::Offence::{Abandoned, Aborted, Idle, NeverStarted, ResignedEarly};
use super::{
    CLEAN_GAMES, Conduct, FORGOTTEN_AFTER, LONGEST_WAIT, Mark, Offence, POINTS_MOST, wait_after,
    waiting,
};
use crate::moderation::{Restraint, restrained};
use crate::pools::PlayerKind;
use crate::results::tests::log::{Final, Log};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const WON: [Final; 2] = [(300, 0, 0, 1), (200, 0, 0, 2)];
const VOID: [Final; 2] = [(0, 0, 0, 0), (0, 0, 0, 0)];
const CLEAN: Option<Mark> = Some(Mark::Clean);
const LIVE: ClockKind = ClockKind::SuddenDeath {
    initial_ms: 1_500_000,
};
const LONG: ClockKind = ClockKind::PerMove {
    limit_ms: 72 * 3_600_000,
    bank_ms: 0,
};

const fn point(offence: Offence) -> Option<Mark> {
    Some(Mark::Point(offence))
}

/// A live game without a turn.
fn begun() -> Log {
    let mut log = Log::new("classic", 2);
    log.options.clock = LIVE;
    log
}

/// A live game in which both players have played.
fn played() -> Log {
    let mut log = begun();
    log.play(0, "horn", 14, 0);
    log.play(1, "farm", 9, 0);
    log
}

/// Checks the marks of both seats of a game that ends so.
#[track_caller]
fn check(mut log: Log, reason: EndReason, expected: [Option<Mark>; 2]) {
    let finals = if reason.has_result() { WON } else { VOID };
    let result = log.result(reason, &finals);
    let marks: Vec<_> = result.seats.iter().map(|seat| seat.conduct).collect();
    assert_eq!(marks, expected, "{reason:?}");
}

/// Checks a game that Anna leaves in a way, after a turn of this number of seconds.
#[track_caller]
fn check_leaving(mut log: Log, seconds: i64, why: Retirement, expected: Option<Mark>) {
    log.turn(0, seconds);
    log.retire(0, why);
    check(log, why.ends_game_as(), [expected, CLEAN]);
}

#[test]
fn a_game_that_is_played_out_is_clean() {
    check(played(), EndReason::OutPlay, [CLEAN, CLEAN]);
    // Ben has done nothing yet.
    let mut log = begun();
    log.play(0, "horn", 14, 0);
    check(log, EndReason::OutPlay, [CLEAN, None]);
}

#[test]
fn leaving_gives_a_point_if_the_player_was_silent_or_early() {
    use Retirement::{Flagged, Resigned};
    for (seconds, why, expected) in [
        (299, Resigned, CLEAN),
        (300, Resigned, point(Idle)),
        (299, Flagged, CLEAN),
        (300, Flagged, point(Idle)),
        (1, Retirement::Abandoned, point(Abandoned)),
    ] {
        check_leaving(played(), seconds, why, expected);
    }
    let mut silent = played();
    silent.claim_silent(0, 1);
    check(silent, EndReason::Abandonment, [point(Abandoned), CLEAN]);
    // Off turn the silence is that of the other player.
    let mut waiting = played();
    waiting.turn(1, 900);
    waiting.retire(0, Resigned);
    check(waiting, EndReason::Resignation, [CLEAN, CLEAN]);
    // Turn 2 is early, and one game gives one point.
    let mut early = begun();
    early.play(0, "horn", 14, 0);
    early.turn(1, 900);
    early.retire(1, Resigned);
    check(early, EndReason::Resignation, [CLEAN, point(ResignedEarly)]);
}

#[test]
fn an_abort_gives_a_point_after_the_deal_and_without_consent() {
    // The first seat aborts.
    let abort = |prepare: fn(&mut Log), expected| {
        let mut log = begun();
        prepare(&mut log);
        check(log, EndReason::Aborted, [expected, None]);
    };
    abort(|_| (), None);
    let begin: fn(&mut Log) = |log| {
        log.turn(0, 5);
    };
    abort(begin, point(Aborted));
    abort(
        |log| {
            log.turn(1, 299);
        },
        point(Aborted),
    );
    abort(
        |log| {
            log.turn(1, 300);
        },
        None,
    );
    abort(
        |log| {
            log.turn(0, 5);
            log.vanish(1);
        },
        None,
    );
    abort(
        |log| {
            log.options.rated = true;
            log.turn(0, 5);
        },
        None,
    );
}

#[test]
fn a_player_who_is_not_ready_never_starts() {
    let mut log = begun();
    log.ready(0);
    check(log, EndReason::Cancelled, [None, point(NeverStarted)]);
    let never = point(NeverStarted);
    check(begun(), EndReason::Cancelled, [never, never]);
}

/// A player with days for each turn need not be present: only the end of the limit, and a claim, give a point.
#[test]
fn long_games_count_only_as_abandoned() {
    for clock in [LONG, ClockKind::Untimed] {
        let long = |turns: fn() -> Log| {
            let mut log = turns();
            log.options.clock = clock;
            log
        };
        check(long(played), EndReason::OutPlay, [CLEAN, CLEAN]);
        check_leaving(long(played), 90_000, Retirement::Resigned, CLEAN);
        check_leaving(long(played), 90_000, Retirement::Expired, point(Abandoned));
        check_leaving(
            long(played),
            90_000,
            Retirement::Abandoned,
            point(Abandoned),
        );
        let mut early = long(begun);
        early.turn(0, 5);
        early.retire(0, Retirement::Resigned);
        check(early, EndReason::Resignation, [None, None]);
        let mut aborted = long(begun);
        aborted.turn(0, 5);
        check(aborted, EndReason::Aborted, [None, None]);
        check(long(begun), EndReason::Cancelled, [None, None]);
    }
}

/// Nobody knows what the players saw of a server that was down.
#[test]
fn an_outage_gives_no_points() {
    let mut log = played();
    log.turn(0, 5);
    log.outage(60);
    log.retire(0, Retirement::Abandoned);
    check(log, EndReason::Abandonment, [None, CLEAN]);
}

/// A change of a game, and the marks of both seats after it.
type Case = (fn(&mut Log), [Option<Mark>; 2]);

#[test]
fn games_with_bots_or_guests_and_private_games_say_nothing_about_them() {
    let of = |change: fn(&mut Log)| {
        let mut log = played();
        change(&mut log);
        log.turn(0, 5);
        log.retire(0, Retirement::Abandoned);
        log
    };
    let cases: [Case; 5] = [
        (|log| log.is_private = true, [None, None]),
        (|log| log.players[1] = PlayerKind::HouseBot, [None, None]),
        (|log| log.players[1] = PlayerKind::ExternalBot, [None, None]),
        (|log| log.players[0] = PlayerKind::Guest, [None, CLEAN]),
        (
            |log| log.players[1] = PlayerKind::Guest,
            [point(Abandoned), None],
        ),
    ];
    for (change, expected) in cases {
        check(of(change), EndReason::Abandonment, expected);
    }
}

/// Checks points, clean games and waiting times after marks: `x` for a point, `.` for a clean game, an hour after each other.
#[track_caller]
fn check_fold(marks: &str, expected: (u8, u8, u8)) {
    let mut conduct = Conduct::default();
    for (mark, hour) in marks.chars().zip(0..) {
        let mark = match mark {
            'x' => Mark::Point(Aborted),
            _ => Mark::Clean,
        };
        conduct = conduct.after(mark, NOW + Millis(hour * 3_600_000)).0;
    }
    let found = (conduct.points, conduct.clean, conduct.waits);
    assert_eq!(found, expected, "{marks}");
}

#[test]
fn points_come_one_by_one_and_go_with_two_clean_games() {
    for (marks, expected) in [
        ("", (0, 0, 0)),
        ("...", (0, 0, 0)),
        ("x", (1, 0, 0)),
        ("x.", (1, 1, 0)),
        ("x..", (0, 0, 0)),
        ("x.x.", (2, 1, 0)),
        ("xxx", (3, 0, 0)),
        ("xxxx", (4, 0, 1)),
        ("xxxxx", (4, 0, 2)),
        ("xxxx..x", (4, 0, 2)),
        ("xxxx....x", (3, 0, 1)),
    ] {
        check_fold(marks, expected);
    }
}

#[test]
fn each_waiting_time_is_three_times_as_long_up_to_two_days() {
    let minutes = [10, 30, 90, 270, 810, 2_430, 2_880, 2_880];
    for (waits, expected) in (0..).zip(minutes) {
        assert_eq!(wait_after(waits), Millis(expected * 60_000), "{waits}");
    }
    assert_eq!(wait_after(u8::MAX), LONGEST_WAIT);
}

#[test]
fn a_waiting_time_long_ago_is_forgotten() {
    let until = NOW + Millis(1);
    let before = Conduct {
        points: POINTS_MOST,
        clean: 1,
        waits: 3,
        until: Some(until),
    };
    for (at, waits) in [
        (until + FORGOTTEN_AFTER - Millis(1), 3),
        (until + FORGOTTEN_AFTER, 0),
    ] {
        let (after, ends) = before.after(Mark::Point(Idle), at);
        assert_eq!(ends, Some(at + wait_after(waits)));
        let expected = Conduct {
            points: POINTS_MOST,
            clean: 0,
            waits: waits + 1,
            until: ends,
        };
        assert_eq!(after, expected);
    }
}

#[test]
fn the_player_reads_which_game_caused_the_waiting_time() {
    for offence in Offence::ALL {
        let action = waiting("eve", "g7", offence, NOW);
        assert_eq!(restrained(&action.action), Some(Restraint::Wait));
        let reason = action.reason;
        assert!(
            reason.starts_with("waiting time") && reason.contains("game g7"),
            "{reason}"
        );
    }
}

fn any_mark() -> impl Strategy<Value = Mark> {
    prop_oneof![
        Just(Mark::Clean),
        (0..Offence::ALL.len()).prop_map(|which| Mark::Point(Offence::ALL[which])),
    ]
}

proptest! {
    /// Points stay between 0 and the most; a waiting time begins exactly with a point that reaches the most, lasts at least the
    /// first and at most the longest time, and its end never moves back.
    #[test]
    fn points_are_bounded_and_waiting_times_never_move_back(
        marks in prop::collection::vec((any_mark(), 0_i64..4_000_000_000), 0..60),
    ) {
        let mut conduct = Conduct::default();
        for (mark, after) in marks {
            let at = NOW + Millis(after);
            let (next, until) = conduct.after(mark, at);
            prop_assert!(next.points <= POINTS_MOST && next.clean < CLEAN_GAMES);
            prop_assert!(next.until >= conduct.until);
            let is_point = mark != Mark::Clean;
            prop_assert_eq!(until.is_some(), is_point && conduct.points + 1 >= POINTS_MOST);
            if let Some(until) = until {
                prop_assert!(until >= at + wait_after(0) && next.until == Some(until));
                prop_assert!(until <= conduct.until.max(Some(at + LONGEST_WAIT)).expect("some"));
            } else {
                prop_assert_eq!(next.until, conduct.until);
                prop_assert!(next.points.abs_diff(conduct.points) <= 1);
            }
            conduct = next;
        }
    }
}
