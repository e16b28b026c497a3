//! The steps of the courier of pushes, one by one.

use super::*;
use crate::outbox::{self, DESTINATIONS, Outbox};

type Courier = Outbox<Bounds>;
type Entry = outbox::Entry<Bounds>;
type Input = outbox::Input<Bounds>;
type Effect = outbox::Effect<Bounds>;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// A moment in the middle of a day.
const DAY: i64 = 20_000;
const NOON: i64 = (DAY * 24 + 12) * HOUR;
const FCM: &str = "fcm.example:443";
const OTHER: &str = "other.example:443";

const BOUNDS: Bounds = Bounds {
    window: 8,
    connections: 3,
    per_service: 2,
    per_day: 50,
    retry_ms: Millis(MINUTE),
    retry_max_ms: Millis(HOUR),
    give_up_ms: Millis(24 * HOUR),
    refusals: 3,
};

const FINE: PushFacts = PushFacts {
    is_wanted: true,
    is_current: true,
    is_present: false,
    sent_today: 0,
};

fn entry(key: &str, service: &str) -> Entry {
    Entry {
        key: key.to_owned(),
        destination: service.to_owned(),
        kind: LetterKind::Turn,
        at: Timestamp(NOON),
        until: Timestamp(NOON + 72 * HOUR),
        tries: 0,
        unknown: 0,
    }
}

fn read(most: usize, without: &[&str]) -> Effect {
    Effect::Read {
        most,
        without: without.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// A courier that looks at pushes.
fn looking(entries: Vec<Entry>) -> Courier {
    let mut courier = Courier::new(BOUNDS);
    let now = Timestamp(NOON);
    assert_eq!(courier.handle(now, Input::Tick), [read(8, &[])]);
    let looks: Vec<Effect> = entries
        .iter()
        .map(|entry| Effect::Look(entry.key.clone()))
        .collect();
    assert_eq!(courier.handle(now, Input::Due(Some(entries))), looks);
    courier
}

/// A courier that sends one push.
fn sending(entry: Entry) -> Courier {
    let key = entry.key.clone();
    let mut courier = looking(vec![entry]);
    let now = Timestamp(NOON);
    let effects = courier.handle(now, Input::Looked(key.clone(), Some(FINE)));
    assert_eq!(effects, [Effect::Begin(key.clone())]);
    let effects = courier.handle(now, Input::Begun(key.clone(), true));
    assert_eq!(effects, [Effect::Send(key)]);
    courier
}

fn settled(settlement: PushSettlement) -> Effect {
    Effect::Settle("a".to_owned(), settlement)
}

fn later(minutes: i64, attempt: Attempt) -> Effect {
    settled(PushSettlement::Later {
        due_at: Timestamp(NOON + minutes * MINUTE),
        attempt,
    })
}

fn dropped(reason: Reason) -> [Effect; 2] {
    [
        Effect::Drop(LetterKind::Turn, reason),
        settled(PushSettlement::Dropped),
    ]
}

/// How a sending of one push ends, and what follows.
#[track_caller]
fn check_end(entry: Entry, outcome: Outcome, expected: &[Effect]) {
    let mut courier = sending(entry);
    let ended = Input::Ended("a".to_owned(), outcome);
    let effects = courier.handle(Timestamp(NOON), ended);
    assert_eq!(effects, expected, "{outcome:?}");
}

#[test]
fn a_push_that_is_not_wanted_or_not_true_any_more_is_dropped() {
    let cases = [
        (
            PushFacts {
                is_current: false,
                ..FINE
            },
            Reason::Past,
        ),
        (
            PushFacts {
                is_wanted: false,
                ..FINE
            },
            Reason::Unwanted,
        ),
        (
            PushFacts {
                is_present: true,
                ..FINE
            },
            Reason::Present,
        ),
        (
            PushFacts {
                sent_today: 50,
                ..FINE
            },
            Reason::TooMany,
        ),
    ];
    for (look, reason) in cases {
        let mut courier = looking(vec![entry("a", FCM)]);
        let looked = Input::Looked("a".to_owned(), Some(look));
        let effects = courier.handle(Timestamp(NOON), looked);
        assert_eq!(effects, dropped(reason), "{look:?}");
    }
    let mut courier = looking(vec![entry("a", FCM)]);
    let look = PushFacts {
        sent_today: 49,
        ..FINE
    };
    let effects = courier.handle(Timestamp(NOON), Input::Looked("a".to_owned(), Some(look)));
    assert_eq!(effects, [Effect::Begin("a".to_owned())]);
}

#[test]
fn each_outcome_has_its_settlement() {
    let sent = PushSettlement::Sent {
        at: Timestamp(NOON),
        day: DAY,
    };
    check_end(entry("a", FCM), Outcome::Sent, &[settled(sent)]);
    check_end(
        entry("a", FCM),
        Outcome::Gone,
        &[
            Effect::Drop(LetterKind::Turn, Reason::Gone),
            settled(PushSettlement::Gone),
        ],
    );
    check_end(
        entry("a", FCM),
        Outcome::Refused,
        &[
            Effect::Drop(LetterKind::Turn, Reason::Refused),
            settled(PushSettlement::Refused { most: 3 }),
        ],
    );
    for outcome in [
        Outcome::Later(None),
        Outcome::Down(None),
        Outcome::Unreachable,
    ] {
        check_end(entry("a", FCM), outcome, &[later(1, Attempt::Refused)]);
    }
    check_end(
        entry("a", FCM),
        Outcome::Unknown,
        &[later(1, Attempt::Unknown)],
    );
}

#[test]
fn the_wait_doubles_and_the_push_service_can_ask_for_a_longer_one() {
    let tried = |tries| Entry {
        tries,
        ..entry("a", FCM)
    };
    let refused = |minutes| [later(minutes, Attempt::Refused)];
    check_end(tried(3), Outcome::Later(None), &refused(8));
    check_end(tried(20), Outcome::Later(None), &refused(60));
    let asked = |minutes| Some(Millis(minutes * MINUTE));
    check_end(tried(0), Outcome::Later(asked(5)), &refused(5));
    check_end(tried(3), Outcome::Later(asked(5)), &refused(8));
    check_end(tried(0), Outcome::Down(asked(5)), &refused(5));
    // It cannot ask for more than the bound.
    check_end(tried(0), Outcome::Down(asked(10_000)), &refused(60));
}

#[test]
fn a_push_is_given_up_after_its_time_and_after_two_unknown_outcomes() {
    let old = Entry {
        at: Timestamp(NOON - 24 * HOUR),
        ..entry("a", FCM)
    };
    check_end(old, Outcome::Unreachable, &dropped(Reason::GivenUp));
    let lost = Entry {
        unknown: 1,
        ..entry("a", FCM)
    };
    check_end(lost, Outcome::Unknown, &dropped(Reason::Unknown));
    let past = Entry {
        until: Timestamp(NOON),
        ..entry("a", FCM)
    };
    let unknown = Entry {
        unknown: 2,
        ..entry("a", FCM)
    };
    for (entry, reason) in [(past, Reason::Past), (unknown, Reason::Unknown)] {
        let mut courier = Courier::new(BOUNDS);
        courier.handle(Timestamp(NOON), Input::Tick);
        let effects = courier.handle(Timestamp(NOON), Input::Due(Some(vec![entry])));
        assert_eq!(effects, dropped(reason));
    }
}

/// One push service that does not answer is left alone; the others get their pushes.
#[test]
fn a_push_service_that_is_down_holds_up_no_other() {
    let entries = vec![entry("a", FCM), entry("b", FCM), entry("c", OTHER)];
    let mut courier = looking(entries);
    let now = Timestamp(NOON);
    let begin = |key: &str| Effect::Begin(key.to_owned());
    let effects = courier.handle(now, Input::Looked("a".to_owned(), Some(FINE)));
    assert_eq!(effects, [begin("a")]);
    courier.handle(now, Input::Begun("a".to_owned(), true));
    let effects = courier.handle(now, Input::Ended("a".to_owned(), Outcome::Unreachable));
    assert_eq!(effects, [later(1, Attempt::Refused)]);
    let put_off = |key: &str| {
        let due_at = Timestamp(NOON + MINUTE);
        let attempt = Attempt::NotMade;
        Effect::Settle(key.to_owned(), PushSettlement::Later { due_at, attempt })
    };
    let effects = courier.handle(now, Input::Looked("b".to_owned(), Some(FINE)));
    assert_eq!(effects, [put_off("b")]);
    let effects = courier.handle(now, Input::Looked("c".to_owned(), Some(FINE)));
    assert_eq!(effects, [begin("c")]);
    // A push that is read meanwhile is put off too, without counting a try.
    for key in ["a", "b"] {
        courier.handle(now, Input::Settled(key.to_owned()));
    }
    let soon = Timestamp(NOON + 1_000);
    assert_eq!(courier.handle(soon, Input::Tick), [read(7, &[])]);
    let due = vec![entry("d", FCM), entry("e", OTHER)];
    let effects = courier.handle(soon, Input::Due(Some(due)));
    assert_eq!(effects, [put_off("d"), Effect::Look("e".to_owned())]);
}

/// The second failure of a push service makes the pause longer, and an answer ends it.
#[test]
fn the_pause_of_a_push_service_doubles_until_it_answers() {
    let mut courier = sending(entry("a", FCM));
    let end = |courier: &mut Courier, outcome| {
        let ended = Input::Ended("a".to_owned(), outcome);
        courier.handle(Timestamp(NOON), ended)
    };
    let again = |courier: &mut Courier| {
        courier.handle(Timestamp(NOON), Input::Settled("a".to_owned()));
        courier.paused_until(&FCM.to_owned(), Timestamp(NOON))
    };
    end(&mut courier, Outcome::Down(None));
    assert_eq!(again(&mut courier), Some(Timestamp(NOON + MINUTE)));
    let note = |courier: &mut Courier, outcome| {
        let (health, _) = BOUNDS.meaning(Timestamp(NOON), outcome);
        courier.note(Timestamp(NOON), &FCM.to_owned(), health)
    };
    let until = note(&mut courier, Outcome::Down(None));
    assert_eq!(until, Timestamp(NOON + 2 * MINUTE));
    note(&mut courier, Outcome::Later(None));
    assert_eq!(again(&mut courier), None);
}

#[test]
fn requests_are_bounded_for_all_and_for_each_push_service() {
    let entries = vec![entry("a", FCM), entry("b", FCM), entry("c", OTHER)];
    let mut courier = looking(entries);
    let now = Timestamp(NOON);
    let mut begun = Vec::new();
    for key in ["a", "b", "c"] {
        let looked = Input::Looked(key.to_owned(), Some(FINE));
        begun.extend(courier.handle(now, looked));
    }
    let begin = |key: &str| Effect::Begin(key.to_owned());
    assert_eq!(begun, [begin("a"), begin("b"), begin("c")]);
    // A push service has a share of the window, and a full one is not read.
    let soon = Timestamp(NOON + 1_000);
    assert_eq!(courier.handle(soon, Input::Tick), [read(5, &[FCM])]);
    let due = vec![entry("d", FCM), entry("e", OTHER), entry("f", OTHER)];
    let effects = courier.handle(soon, Input::Due(Some(due)));
    assert_eq!(effects, [Effect::Look("e".to_owned())]);
    // All requests are in use.
    let effects = courier.handle(soon, Input::Looked("e".to_owned(), Some(FINE)));
    assert_eq!(effects, []);
    let effects = courier.handle(soon, Input::Ended("a".to_owned(), Outcome::Sent));
    let sent = PushSettlement::Sent { at: soon, day: DAY };
    assert_eq!(effects, [settled(sent), begin("e")]);
}

#[test]
fn a_look_that_is_old_is_repeated() {
    let entries = vec![entry("a", FCM), entry("b", FCM)];
    let mut courier = looking(entries);
    courier.bounds.per_service = 1;
    let now = Timestamp(NOON);
    for key in ["a", "b"] {
        courier.handle(now, Input::Looked(key.to_owned(), Some(FINE)));
    }
    let later = Timestamp(NOON + 5_001);
    let effects = courier.handle(later, Input::Ended("a".to_owned(), Outcome::Sent));
    let sent = PushSettlement::Sent {
        at: later,
        day: DAY,
    };
    let expected = [settled(sent), Effect::Look("b".to_owned()), read(6, &[FCM])];
    assert_eq!(effects, expected);
}

#[test]
fn a_storage_that_does_not_answer_loses_nothing() {
    let mut courier = looking(vec![entry("a", FCM)]);
    let now = Timestamp(NOON);
    assert_eq!(courier.handle(now, Input::Looked("a".to_owned(), None)), []);
    assert!(!courier.holds(&"a".to_owned()));
    let mut courier = sending(entry("a", FCM));
    assert_eq!(courier.handle(now, Input::Settled("a".to_owned())), []);
    let soon = Timestamp(NOON + 1_000);
    assert_eq!(courier.handle(soon, Input::Tick), [read(8, &[])]);
    assert_eq!(courier.handle(soon, Input::Due(None)), []);
    let next = Timestamp(NOON + 2_000);
    assert_eq!(courier.handle(next, Input::Tick), [read(8, &[])]);
}

#[test]
fn a_stop_begins_nothing() {
    let mut courier = looking(vec![entry("a", FCM)]);
    let now = Timestamp(NOON);
    assert_eq!(courier.handle(now, Input::Stop), []);
    let looked = Input::Looked("a".to_owned(), Some(FINE));
    assert_eq!(courier.handle(now, looked), []);
    let late = Timestamp(NOON + HOUR);
    assert_eq!(courier.handle(late, Input::Tick), []);
}

/// Strangers name push services: the memory of their failures is bounded.
#[test]
fn failures_of_so_many_push_services_are_remembered() {
    let mut courier = Courier::new(BOUNDS);
    for number in 0..2 * DESTINATIONS {
        let service = format!("{number}.example:443");
        courier.note(Timestamp(NOON), &service, Health::Down(None));
        assert!(courier.failing() <= DESTINATIONS);
    }
}
