//! R-ADJ: adjourning by consent, sleeping, resuming, and the policy for players who are away.

use super::*;
use crate::clock::ClockKind;
use crate::event::{AbortDecline, EndReason};
use crate::options::VanishPolicy;
use crate::state::{AdjournRequest, Adjournment};

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
const THREE: &[&str] = &["HORNFAM", "PASTEOB", "AEINRTU"];
const ANSWER_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 3_600_000;
const SLEEP_MS: i64 = 14 * DAY_MS;

fn declined(table: &Table) -> Option<AbortDecline> {
    table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::AdjournDeclined { reason, .. }) => Some(*reason),
        _ => None,
    })
}

fn sleep(table: &Table) -> &Adjournment {
    table.state().adjournment().expect("the game is adjourned")
}

/// The game of `setup`, adjourned by all after A has thought for 7 seconds.
fn asleep(setup: Setup) -> Table {
    let mut table = setup.start();
    table.wait(7_000);
    let seats: Vec<Seat> = table.state().active().collect();
    for seat in seats {
        table.ok(seat, "adjourn");
    }
    table
}

#[test]
fn a_game_is_adjourned_when_all_agree() {
    let mut table = Setup::new(THREE).start();
    let asked_at = table.now;
    table.ok(B, "adjourn");
    assert_eq!(table.last_kinds(), ["adjourn requested"]);
    let mut open = AdjournRequest {
        seat: B,
        until: asked_at.plus(ANSWER_MS),
        agreed: Vec::new(),
    };
    assert_eq!(table.state().adjourn_request(), Some(&open));
    assert_eq!(table.game.next_deadline(), Some(open.until));
    assert_eq!(table.refused(B, "adjourn-yes"), Rejection::NoAdjournRequest);
    let until = Some(open.until);
    assert_eq!(
        table.refused(B, "adjourn"),
        Rejection::CannotAdjourn { until }
    );
    table.ok(C, "adjourn-yes");
    assert_eq!(table.last_kinds(), ["adjourn agreed"]);
    open.agreed.push(C);
    assert_eq!(table.state().adjourn_request(), Some(&open));
    assert_eq!(table.refused(C, "adjourn-no"), Rejection::NoAdjournRequest);
    table.ok(A, "adjourn");
    assert_eq!(table.last_kinds(), ["adjourned"]);
    assert_eq!(table.state().adjourn_request(), None);
    let until = table.now.plus(SLEEP_MS);
    let expected = Adjournment {
        until,
        claim_until: until.plus(DAY_MS),
        vanished: None,
        ready: Vec::new(),
        willing: Vec::new(),
    };
    assert_eq!(sleep(&table), &expected);
    assert_eq!(table.state().clocks().running, None);
    assert_eq!(table.game.next_deadline(), Some(until));
}

#[test]
fn a_request_ends_without_an_adjournment() {
    let check = |end: &dyn Fn(&mut Table), reason: Option<AbortDecline>| {
        let mut table = Setup::new(THREE).start();
        table.ok(B, "adjourn");
        end(&mut table);
        assert_eq!(declined(&table), reason);
        assert_eq!(table.state().adjourn_request(), None);
        assert_eq!(table.state().adjournment(), None);
        assert_eq!(table.refused(C, "adjourn-yes"), Rejection::NoAdjournRequest);
    };
    check(
        &|table| {
            table.ok(C, "adjourn-no");
        },
        Some(AbortDecline::Refused),
    );
    check(
        &|table| {
            table.wait(ANSWER_MS);
        },
        Some(AbortDecline::Expired),
    );
    check(
        &|table| {
            table.ok(A, "pass");
        },
        Some(AbortDecline::Played),
    );
    check(
        &|table| {
            table.ok(B, "resign");
        },
        None,
    );
}

#[test]
fn a_game_is_adjourned_while_no_play_can_be_challenged() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    let until = Some(table.now.plus(20_000));
    for seat in [A, B] {
        assert_eq!(
            table.refused(seat, "adjourn"),
            Rejection::CannotAdjourn { until }
        );
    }
    table.ok(B, "accept");
    table.ok(A, "adjourn");
    table.ok(B, "adjourn-yes");
    assert_eq!(table.last_kinds(), ["adjourned"]);
}

#[test]
fn a_seat_asks_three_times_and_only_in_a_live_game() {
    let mut table = Setup::new(TWO).start();
    for _ in 0..3 {
        table.ok(B, "adjourn");
        table.ok(A, "adjourn-no");
    }
    assert_eq!(table.refused(B, "adjourn"), Rejection::AdjournsUsed);
    table.ok(A, "adjourn");
    let day = ClockKind::PerMove {
        limit_ms: DAY_MS,
        bank_ms: 0,
    };
    for clock in [ClockKind::Untimed, day] {
        let mut table = Setup::new(TWO)
            .with(|options| options.clock = clock)
            .start();
        let until = None;
        assert_eq!(
            table.refused(A, "adjourn"),
            Rejection::CannotAdjourn { until }
        );
        assert_eq!(table.refused(A, "adjourn-yes"), Rejection::NoAdjournRequest);
        assert_eq!(table.refused(A, "resume"), Rejection::NotAdjourned);
    }
}

#[test]
fn an_adjourned_game_takes_no_play_and_goes_on_with_the_same_clocks() {
    let mut table = asleep(Setup::new(TWO));
    let until = sleep(&table).until;
    let (main_ms, rack) = (table.state().clocks().main_ms.clone(), table.rack(A));
    assert_eq!(main_ms, [1_493_000, 1_500_000]);
    table.wait(5 * DAY_MS);
    for text in [
        "8F HORN",
        "pass",
        "adjourn",
        "adjourn-no",
        "nudge",
        "abort",
        "ready",
    ] {
        assert_eq!(
            table.refused(A, text),
            Rejection::Adjourned { until },
            "{text}"
        );
    }
    // An outage moves nothing, because no clock runs.
    let stopped_at = table.now;
    table.now = table.now.plus(DAY_MS);
    table.input(Input::Resumed { stopped_at });
    assert_eq!(table.last_kinds(), [""; 0]);
    assert_eq!(sleep(&table).until, until);
    table.ok(B, "resume");
    assert_eq!(table.last_kinds(), ["ready to resume"]);
    assert_eq!(sleep(&table).ready, [B]);
    assert_eq!(table.refused(B, "resume"), Rejection::AlreadyReady);
    table.ok(A, "resume");
    assert_eq!(table.last_kinds(), ["ready to resume", "resumed"]);
    assert_eq!(table.state().adjournment(), None);
    assert_eq!(table.rack(A), rack);
    table.wait(3_000);
    table.ok(A, "8F HORN");
    assert_eq!(table.state().clocks().main_ms, [1_490_000, 1_500_000]);
}

/// A player says once to be ready. The game goes on when all who are ready are here.
#[test]
fn the_wish_to_go_on_outlives_an_absence() {
    let mut table = asleep(Setup::new(TWO));
    table.input(Input::Vanished(A));
    assert_eq!(table.last_kinds(), [""; 0]);
    table.ok(B, "resume");
    table.input(Input::Vanished(B));
    assert_eq!(table.last_kinds(), ["not ready"]);
    assert!(sleep(&table).ready.is_empty());
    assert_eq!(sleep(&table).willing, [B]);
    table.ok(A, "resume");
    assert_eq!(table.last_kinds(), ["ready to resume"]);
    table.input(Input::Returned(A));
    assert_eq!(table.last_kinds(), [""; 0]);
    table.input(Input::Returned(B));
    assert_eq!(table.last_kinds(), ["ready to resume", "resumed"]);
    assert_eq!(table.state().clocks().running.expect("a clock").seat, A);
}

/// A player who was away when the game was adjourned is not away when it goes on.
#[test]
fn an_adjournment_ends_what_is_open_between_the_players() {
    let mut table = Setup::new(TWO)
        .with(|options| options.timing.nudge.quiet_ms = 0)
        .start();
    table.input(Input::Vanished(B));
    table.ok(B, "nudge");
    table.ok(B, "adjourn");
    table.ok(A, "adjourn");
    assert_eq!(table.last_kinds(), ["adjourned"]);
    assert_eq!(table.state().nudge(), None);
    assert_eq!(table.state().seats()[B.index()].claim_at, None);
}

#[test]
fn an_adjourned_game_that_nobody_resumes_is_aborted() {
    let mut table = asleep(Setup::new(TWO).with(|options| options.rated = true));
    table.wait(SLEEP_MS - 1);
    assert_eq!(table.last_kinds(), [""; 0]);
    table.wait(1);
    assert_eq!(table.last_kinds(), ["ended"]);
    assert_eq!(table.outcome().reason, EndReason::Aborted);
    assert_eq!(table.outcome().aborter, None);
    assert!(table.outcome().winners.is_empty());
    assert!(table.state().has_ended_adjourned());
}

#[test]
fn after_the_adjournment_a_ready_player_claims() {
    let mut table = asleep(Setup::new(TWO));
    let until = sleep(&table).until;
    table.wait(SLEEP_MS - 1);
    let not_ready = Rejection::CannotClaim { claim_at: None };
    let early = Rejection::CannotClaim {
        claim_at: Some(until),
    };
    assert_eq!(table.refused(A, "claim 1"), early);
    assert_eq!(table.refused(A, "claim 0"), not_ready);
    table.ok(A, "resume");
    assert_eq!(table.refused(A, "claim 1"), early);
    assert_eq!(table.refused(B, "claim 0"), early);
    table.wait(1);
    // The right to claim needs no presence.
    table.input(Input::Vanished(A));
    assert_eq!(table.last_kinds(), ["not ready"]);
    assert_eq!(table.game.next_deadline(), Some(until.plus(DAY_MS)));
    assert_eq!(table.refused(B, "claim 0"), not_ready);
    assert_eq!(table.refused(A, "claim 0"), not_ready);
    table.ok(A, "claim 1");
    assert_eq!(table.last_kinds(), ["retired", "ended"]);
    assert_eq!(table.outcome().reason, EndReason::Abandonment);
    assert_eq!(table.outcome().winners, [A]);
}

#[test]
fn a_late_player_can_still_resume_until_somebody_claims() {
    let mut table = asleep(Setup::new(TWO));
    table.ok(A, "resume");
    table.wait(SLEEP_MS);
    table.ok(B, "resume");
    assert_eq!(table.last_kinds(), ["ready to resume", "resumed"]);
    let mut table = asleep(Setup::new(TWO));
    table.ok(A, "resume");
    table.wait(SLEEP_MS + DAY_MS);
    assert_eq!(table.last_kinds(), ["retired", "ended"]);
    assert_eq!(table.outcome().winners, [A], "nobody has to claim");
}

/// The server adjourns a rated game for B. Some say once that they are ready, and all are away when the time is over.
#[test]
fn nobody_has_to_be_here_when_the_time_is_over() {
    for (ready, winners, after) in [
        (&[][..], &[A][..], SLEEP_MS),
        (&[A], &[A], SLEEP_MS),
        (&[B], &[B], SLEEP_MS + DAY_MS),
        // They never met, and the server waited for B.
        (&[A, B], &[A], SLEEP_MS + DAY_MS),
    ] {
        let mut table = Setup::new(TWO)
            .with(|options| {
                options.rated = true;
                options.vanish = VanishPolicy::Adjourn;
            })
            .start();
        table.input(Input::Vanished(B));
        table.wait(60_000);
        assert_eq!(table.last_kinds(), ["adjourned"]);
        for seat in ready {
            table.ok(*seat, "resume");
            table.input(Input::Vanished(*seat));
            assert_eq!(table.last_kinds(), ["not ready"]);
        }
        table.wait(after - 1);
        assert_eq!(table.last_kinds(), [""; 0], "{ready:?}");
        table.wait(1);
        assert_eq!(table.last_kinds(), ["retired", "ended"], "{ready:?}");
        assert_eq!(table.outcome().reason, EndReason::Abandonment);
        assert_eq!(table.outcome().winners, winners, "{ready:?}");
    }
}

/// A late player is here at the very end: the time is over first.
#[test]
fn the_end_of_the_time_comes_before_a_player_who_is_late() {
    let mut table = asleep(Setup::new(TWO));
    for seat in [A, B] {
        table.ok(seat, "resume");
        table.input(Input::Vanished(seat));
    }
    table.now = table.now.plus(SLEEP_MS + DAY_MS);
    table.input(Input::Returned(A));
    assert_eq!(table.last_kinds(), ["ended"]);
    assert_eq!(table.outcome().reason, EndReason::Aborted);
}

/// The turn passes on without a clock, and the game goes on when the others are ready.
#[test]
fn a_seat_that_leaves_an_adjourned_game_is_not_waited_for() {
    let mut table = asleep(Setup::new(THREE));
    table.ok(A, "resign");
    assert_eq!(table.last_kinds(), ["retired", "turn"]);
    assert_eq!(table.state().clocks().running, None);
    assert_eq!(table.on_turn(), B);
    table.ok(B, "resume");
    table.ok(C, "resign");
    assert_eq!(table.outcome().winners, [B]);
    let mut table = asleep(Setup::new(THREE));
    table.ok(B, "resume");
    table.ok(C, "resume");
    table.ok(A, "resign");
    assert_eq!(table.last_kinds(), ["retired", "turn", "resumed"]);
    let running = table.state().clocks().running.expect("a clock runs");
    assert_eq!(running.seat, B);
}

/// The server was down at the end of the adjournment: nobody is charged for that time.
#[test]
fn a_game_that_goes_on_after_an_adjournment_goes_on_now() {
    let mut table = asleep(Setup::new(THREE));
    table.ok(B, "resume");
    table.ok(C, "resume");
    let before = table.state().clocks().main_ms.clone();
    table.wait(SLEEP_MS + 2 * DAY_MS);
    assert_eq!(table.last_kinds(), ["retired", "turn", "resumed"]);
    let clocks = table.state().clocks();
    let running = clocks.running.expect("a clock runs");
    assert_eq!((running.seat, running.since), (B, table.now));
    assert_eq!(clocks.main_ms, before);
}

#[test]
fn bots_of_the_server_agree_and_are_ready() {
    let mut table = Setup::new(TWO).bots(&[B]).start();
    table.ok(A, "adjourn");
    assert_eq!(table.last_kinds(), ["adjourned"]);
    table.ok(A, "resume");
    assert_eq!(table.last_kinds(), ["ready to resume", "resumed"]);
}

#[test]
fn the_server_adjourns_for_a_seat_once() {
    let mut table = Setup::new(TWO)
        .with(|options| options.vanish = VanishPolicy::Adjourn)
        .start();
    table.input(Input::Vanished(B));
    table.wait(59_999);
    let claim_at = None;
    assert_eq!(
        table.refused(A, "claim 1"),
        Rejection::CannotClaim { claim_at }
    );
    table.wait(1);
    assert_eq!(table.last_kinds(), ["adjourned"]);
    table.ok(B, "resume");
    table.ok(A, "resume");
    table.input(Input::Vanished(B));
    table.wait(60_000);
    assert_eq!(table.last_kinds(), [""; 0]);
    table.ok(A, "claim 1");
    assert_eq!(table.outcome().winners, [A]);
}

/// A play that can be challenged is decided first.
#[test]
fn the_server_adjourns_when_the_window_has_closed() {
    let mut table = Setup::new(TWO)
        .with(|options| {
            options.vanish = VanishPolicy::Adjourn;
            options.timing.vanish_claim_ms = 5_000;
        })
        .start();
    table.input(Input::Vanished(B));
    table.ok(A, "8F HORN");
    table.wait(19_999);
    assert_eq!(table.state().adjournment(), None);
    table.wait(1);
    let kinds = table.last_kinds();
    assert_eq!(kinds.last(), Some(&"adjourned"), "{kinds:?}");
}

#[test]
fn the_clock_decides_where_the_players_want_it() {
    let mut table = Setup::new(TWO)
        .with(|options| options.vanish = VanishPolicy::PlayOn)
        .start();
    table.input(Input::Vanished(B));
    assert_eq!(table.last_kinds(), [""; 0]);
    table.wait(60_000);
    let claim_at = None;
    assert_eq!(
        table.refused(A, "claim 1"),
        Rejection::CannotClaim { claim_at }
    );
}

#[test]
fn a_policy_needs_a_live_game() {
    let mut options = GameOptions::classic("all-but");
    options.vanish = VanishPolicy::PlayOn;
    assert!(options.validate(&RuleSet::classic()).is_ok());
    options.clock = ClockKind::Untimed;
    let error = options.validate(&RuleSet::classic()).unwrap_err();
    assert_eq!(error.field, "vanish");
}
