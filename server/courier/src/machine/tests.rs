//! The steps of the courier machine, one by one.

use super::*;
use crate::outbox::{self, FRESH, LOOK_EVERY, Outbox};

type Courier = Outbox<Bounds>;
type Entry = outbox::Entry<Bounds>;
type Input = outbox::Input<Bounds>;
type Effect = outbox::Effect<Bounds>;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// A moment in the middle of a day.
const NOON: i64 = 20_000 * DAY_MS + 12 * HOUR;

const BOUNDS: Bounds = Bounds {
    window: 4,
    connections: 2,
    per_day: 50,
    retry_ms: Millis(MINUTE),
    retry_max_ms: Millis(HOUR),
    give_up_ms: Millis(24 * HOUR),
    refusals: 3,
};

const FINE: LetterFacts = LetterFacts {
    has_address: true,
    is_disabled: false,
    is_wanted: true,
    is_current: true,
    is_present: false,
    sent_today: 0,
};

fn entry(key: &str, kind: LetterKind) -> Entry {
    Entry {
        key: key.to_owned(),
        destination: (),
        kind,
        at: Timestamp(NOON),
        until: Timestamp(NOON + 72 * HOUR),
        tries: 0,
        unknown: 0,
    }
}

fn read(most: usize) -> Effect {
    let without = Vec::new();
    Effect::Read { most, without }
}

/// A courier that holds one letter, which it looks at.
fn looking(entry: Entry) -> Courier {
    let mut courier = Courier::new(BOUNDS);
    let now = Timestamp(NOON);
    assert_eq!(courier.handle(now, Input::Tick), [read(4)]);
    let key = entry.key.clone();
    let effects = courier.handle(now, Input::Due(Some(vec![entry])));
    assert_eq!(effects, [Effect::Look(key)]);
    courier
}

/// A courier that sends one letter.
fn sending(entry: Entry) -> Courier {
    let (mut courier, key) = (looking(entry.clone()), entry.key);
    let now = Timestamp(NOON);
    let effects = courier.handle(now, Input::Looked(key.clone(), Some(FINE)));
    assert_eq!(effects, [Effect::Begin(key.clone())]);
    let effects = courier.handle(now, Input::Begun(key.clone(), true));
    assert_eq!(effects, [Effect::Send(key)]);
    courier
}

#[track_caller]
fn check_look(kind: LetterKind, look: LetterFacts, expected: &[Effect]) {
    let mut courier = looking(entry("a", kind));
    let effects = courier.handle(Timestamp(NOON), Input::Looked("a".to_owned(), Some(look)));
    assert_eq!(effects, expected, "{kind:?} {look:?}");
}

fn dropped(kind: LetterKind, reason: Reason) -> [Effect; 2] {
    [
        Effect::Drop(kind, reason),
        Effect::Settle("a".to_owned(), Settlement::Dropped),
    ]
}

#[test]
fn a_letter_that_is_not_wanted_or_not_true_any_more_is_dropped() {
    let cases: [(LetterFacts, Reason, bool); 5] = [
        (
            LetterFacts {
                has_address: false,
                ..FINE
            },
            Reason::NoAddress,
            true,
        ),
        (
            LetterFacts {
                is_current: false,
                ..FINE
            },
            Reason::Past,
            true,
        ),
        (
            LetterFacts {
                is_disabled: true,
                ..FINE
            },
            Reason::Disabled,
            false,
        ),
        (
            LetterFacts {
                is_wanted: false,
                ..FINE
            },
            Reason::Unwanted,
            false,
        ),
        (
            LetterFacts {
                is_present: true,
                ..FINE
            },
            Reason::Present,
            false,
        ),
    ];
    for (look, reason, is_of_account_too) in cases {
        for kind in LetterKind::ALL {
            match kind.is_about_account() && !is_of_account_too {
                true => check_look(kind, look, &[Effect::Begin("a".to_owned())]),
                false => check_look(kind, look, &dropped(kind, reason)),
            }
        }
    }
}

#[test]
fn beyond_the_bound_of_a_day_letters_wait_for_the_digest() {
    let full = LetterFacts {
        sent_today: BOUNDS.per_day,
        ..FINE
    };
    let settlement = Settlement::Digest {
        day: 20_000,
        due_at: Timestamp(20_001 * DAY_MS),
        until: Timestamp(20_002 * DAY_MS),
    };
    let digest = [Effect::Settle("a".to_owned(), settlement)];
    let send = [Effect::Begin("a".to_owned())];
    for kind in LetterKind::ALL {
        let is_bounded = !kind.is_about_account() && kind != LetterKind::Digest;
        let expected = if is_bounded { &digest } else { &send };
        check_look(kind, full, expected);
        let last = LetterFacts {
            sent_today: BOUNDS.per_day - 1,
            ..FINE
        };
        check_look(kind, last, &send);
    }
}

#[track_caller]
fn check_end(entry: &Entry, after_ms: i64, outcome: Outcome, expected: &[Effect]) {
    let (mut courier, key) = (sending(entry.clone()), entry.key.clone());
    let now = Timestamp(NOON + after_ms);
    let mut effects = courier.handle(now, Input::Ended(key, outcome));
    effects.retain(|effect| !matches!(effect, Effect::Read { .. }));
    assert_eq!(effects, expected, "{entry:?} {outcome:?}");
}

fn later(after_ms: i64, is_known: bool) -> Effect {
    let due_at = Timestamp(NOON + after_ms);
    Effect::Settle("a".to_owned(), Settlement::Later { due_at, is_known })
}

#[test]
fn an_outcome_decides_what_becomes_of_a_letter() {
    let turn = entry("a", LetterKind::Turn);
    let again = |tries, unknown| Entry {
        tries,
        unknown,
        ..turn.clone()
    };
    let settled = |settlement| vec![Effect::Settle("a".to_owned(), settlement)];
    let refused = Settlement::Refused {
        at: Timestamp(NOON),
        most: 3,
    };
    let given_up = dropped(LetterKind::Turn, Reason::GivenUp);
    let lost = dropped(LetterKind::Turn, Reason::Unknown);
    let day = 20_000;
    for (entry, after_ms, outcome, expected) in [
        (
            again(0, 0),
            0,
            Outcome::Sent,
            settled(Settlement::Sent { day }),
        ),
        (again(0, 0), 0, Outcome::Refused, settled(refused)),
        (again(0, 0), 0, Outcome::Later, vec![later(MINUTE, true)]),
        (
            again(3, 0),
            0,
            Outcome::Later,
            vec![later(8 * MINUTE, true)],
        ),
        (again(90, 0), 0, Outcome::Later, vec![later(HOUR, true)]),
        (
            again(0, 0),
            0,
            Outcome::Unreachable,
            vec![later(MINUTE, true)],
        ),
        (again(0, 0), 0, Outcome::Unknown, vec![later(MINUTE, false)]),
        (again(0, 1), 0, Outcome::Unknown, lost.to_vec()),
        (
            again(9, 0),
            23 * HOUR,
            Outcome::Later,
            vec![later(24 * HOUR, true)],
        ),
        (
            again(9, 0),
            23 * HOUR + 1,
            Outcome::Later,
            given_up.to_vec(),
        ),
    ] {
        check_end(&entry, after_ms, outcome, &expected);
    }
}

/// The count of a sending is stored before it; two such counts without an outcome are enough.
#[test]
fn a_letter_that_was_sent_twice_without_an_outcome_is_not_sent_again() {
    for (unknown, is_sent) in [(0, true), (1, true), (2, false)] {
        let mut courier = Courier::new(BOUNDS);
        courier.handle(Timestamp(NOON), Input::Tick);
        let letter = Entry {
            unknown,
            ..entry("a", LetterKind::Turn)
        };
        let effects = courier.handle(Timestamp(NOON), Input::Due(Some(vec![letter])));
        let expected = match is_sent {
            true => vec![Effect::Look("a".to_owned())],
            false => dropped(LetterKind::Turn, Reason::Unknown).to_vec(),
        };
        assert_eq!(effects, expected, "{unknown}");
    }
}

#[test]
fn a_letter_whose_time_is_over_is_not_looked_at() {
    let mut courier = Courier::new(BOUNDS);
    let letter = entry("a", LetterKind::Reminder);
    let late = letter.until;
    courier.handle(late, Input::Tick);
    let effects = courier.handle(late, Input::Due(Some(vec![letter])));
    assert_eq!(effects, dropped(LetterKind::Reminder, Reason::Past));
}

#[test]
fn work_is_bounded() {
    let mut courier = Courier::new(BOUNDS);
    let now = Timestamp(NOON);
    courier.handle(now, Input::Tick);
    let all = ["a", "b", "c", "d", "e"].map(|key| entry(key, LetterKind::Turn));
    let effects = courier.handle(now, Input::Due(Some(all.to_vec())));
    assert_eq!(effects.len(), BOUNDS.window, "{effects:?}");
    let mut begun = 0;
    for key in ["a", "b", "c", "d"] {
        let effects = courier.handle(now, Input::Looked(key.to_owned(), Some(FINE)));
        begun += effects.len();
    }
    assert_eq!(begun, BOUNDS.connections);
    // No letter is read while all places are taken.
    let later = Timestamp(NOON + MINUTE);
    assert_eq!(courier.handle(later, Input::Tick), []);
    courier.handle(later, Input::Begun("a".to_owned(), true));
    // The letters that waited are looked at again; then there is room to read.
    courier.handle(later, Input::Ended("a".to_owned(), Outcome::Sent));
    let effects = courier.handle(later, Input::Settled("a".to_owned()));
    assert_eq!(effects, [Effect::Look("d".to_owned()), read(4)]);
}

/// A letter that waited for a place is looked at again: its turn may be over.
#[test]
fn what_was_found_holds_for_a_moment_only() {
    for (after_ms, is_again) in [(FRESH.0, false), (FRESH.0 + 1, true)] {
        let mut courier = Courier::new(BOUNDS);
        let now = Timestamp(NOON);
        courier.handle(now, Input::Tick);
        let all = ["a", "b", "c"].map(|key| entry(key, LetterKind::Turn));
        courier.handle(now, Input::Due(Some(all.to_vec())));
        for key in ["a", "b", "c"] {
            courier.handle(now, Input::Looked(key.to_owned(), Some(FINE)));
        }
        courier.handle(now, Input::Begun("a".to_owned(), true));
        let later = Timestamp(NOON + after_ms);
        let effects = courier.handle(later, Input::Ended("a".to_owned(), Outcome::Sent));
        let next = match is_again {
            true => Effect::Look("c".to_owned()),
            false => Effect::Begin("c".to_owned()),
        };
        assert!(effects.contains(&next), "{effects:?}");
    }
}

#[test]
fn a_mail_server_that_does_not_answer_is_left_alone_for_a_while() {
    let mut courier = Courier::new(BOUNDS);
    let now = Timestamp(NOON);
    courier.handle(now, Input::Tick);
    let all = ["a", "b", "c"].map(|key| entry(key, LetterKind::Turn));
    courier.handle(now, Input::Due(Some(all.to_vec())));
    for key in ["a", "b", "c"] {
        courier.handle(now, Input::Looked(key.to_owned(), Some(FINE)));
    }
    courier.handle(now, Input::Begun("a".to_owned(), true));
    let effects = courier.handle(now, Input::Ended("a".to_owned(), Outcome::Unreachable));
    // `c` was ready; it leaves the machine and stays in the outbox.
    assert_eq!(effects, [later(MINUTE, true)]);
    assert_eq!(courier.wakes_at(), Timestamp(NOON + MINUTE));
    let early = Timestamp(NOON + MINUTE - 1);
    assert_eq!(courier.handle(early, Input::Settled("a".to_owned())), []);
    let effects = courier.handle(Timestamp(NOON + MINUTE), Input::Tick);
    assert_eq!(effects, [read(4)]);
}

/// The storage keeps the letter; the machine forgets it and reads it again.
#[test]
fn a_storage_that_does_not_answer_delays_a_letter() {
    for input in [
        Input::Looked("a".to_owned(), None),
        Input::Begun("a".to_owned(), false),
    ] {
        let mut courier = looking(entry("a", LetterKind::Turn));
        assert_eq!(courier.handle(Timestamp(NOON), input), []);
        let next = courier.wakes_at();
        assert_eq!(courier.handle(next, Input::Tick), [read(4)]);
        let again = Input::Due(Some(vec![entry("a", LetterKind::Turn)]));
        let effects = courier.handle(next, again);
        assert_eq!(effects, [Effect::Look("a".to_owned())]);
    }
    let mut courier = Courier::new(BOUNDS);
    courier.handle(Timestamp(NOON), Input::Tick);
    assert_eq!(courier.handle(Timestamp(NOON), Input::Due(None)), []);
    assert_eq!(courier.wakes_at(), Timestamp(NOON) + LOOK_EVERY);
}
