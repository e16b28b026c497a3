//! The delivery of events, step by step, and in virtual time with webhooks that fail.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::GameId;

use super::*;
use crate::outbox;

type Entry = outbox::Entry<Bounds>;

const START: Timestamp = Timestamp(1_000_000);
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

const BOUNDS: Bounds = Bounds {
    window: 3,
    connections: 2,
    retry_ms: Millis(5 * SECOND),
    retry_max_ms: Millis(10 * MINUTE),
};

fn key(game: &str, seq: u64) -> WebhookKey {
    WebhookKey::of_game("shop", &GameId::from(game), seq)
}

fn entry(game: &str, tries: u32) -> Entry {
    Entry {
        key: key(game, 1),
        destination: (),
        kind: (),
        at: START,
        unknown: 0,
        until: START.plus(24 * 60 * MINUTE),
        tries,
    }
}

/// An input of the machines; webhooks have numbers.
enum Input {
    Tick,
    Stop,
    Due(usize, Option<Vec<Entry>>),
    Ended(usize, WebhookKey, Outcome),
    Settled(usize, WebhookKey),
}

/// An effect of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Effect {
    Read(usize, usize),
    Send(usize, WebhookKey),
    Settle(usize, WebhookKey, WebhookFate),
}

/// The queues of webhooks, as the task keeps them.
struct Deliveries(Vec<outbox::Outbox<Bounds>>);

impl Deliveries {
    fn new(bounds: Bounds, targets: usize) -> Self {
        let queues = (0..targets).map(|_| outbox::Outbox::new(bounds));
        Self(queues.collect())
    }

    fn wakes_at(&self) -> Timestamp {
        let wakes = self.0.iter().map(outbox::Outbox::wakes_at);
        wakes.min().unwrap_or(Timestamp::MAX)
    }

    fn holds(&self, key: &WebhookKey) -> bool {
        self.0.iter().any(|queue| queue.holds(key))
    }

    fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let (number, input) = match input {
            Input::Tick => (None, outbox::Input::Tick),
            Input::Stop => (None, outbox::Input::Stop),
            Input::Due(number, found) => (Some(number), outbox::Input::Due(found)),
            Input::Ended(number, key, outcome) => {
                (Some(number), outbox::Input::Ended(key, outcome))
            }
            Input::Settled(number, key) => (Some(number), outbox::Input::Settled(key)),
        };
        let queues = self.0.iter_mut().enumerate();
        let told = queues.filter(|(other, _)| number.is_none_or(|number| number == *other));
        let effects = told.flat_map(|(number, queue)| {
            let effects = queue.handle(now, input.clone()).into_iter();
            effects.map(move |effect| numbered(number, effect))
        });
        effects.collect()
    }
}

fn numbered(number: usize, effect: outbox::Effect<Bounds>) -> Effect {
    match effect {
        outbox::Effect::Read { most, .. } => Effect::Read(number, most),
        outbox::Effect::Send(key) => Effect::Send(number, key),
        outbox::Effect::Settle(key, fate) => Effect::Settle(number, key, fate),
        other => panic!("an event has no {other:?}"),
    }
}

/// Deliveries to one webhook, to which this event is being sent.
fn sending(entry: Entry) -> Deliveries {
    let mut deliveries = Deliveries::new(BOUNDS, 1);
    assert_eq!(deliveries.handle(START, Input::Tick), [Effect::Read(0, 3)]);
    let key = entry.key.clone();
    let effects = deliveries.handle(START, Input::Due(0, Some(vec![entry])));
    assert_eq!(effects, [Effect::Send(0, key)]);
    deliveries
}

/// Checks the fate of an event after this many failures, and the end of the pause of its webhook.
#[track_caller]
fn check(tries: u32, until_ms: i64, outcome: Outcome, fate: WebhookFate, paused_ms: i64) {
    let entry = Entry {
        until: START.plus(until_ms),
        ..entry("a", tries)
    };
    let mut deliveries = sending(entry);
    let effects = deliveries.handle(START, Input::Ended(0, key("a", 1), outcome));
    assert_eq!(effects, [Effect::Settle(0, key("a", 1), fate)]);
    let effects = deliveries.handle(START, Input::Settled(0, key("a", 1)));
    let paused = START.plus(paused_ms);
    let reads = vec![Effect::Read(0, 3)];
    assert_eq!(
        effects,
        if paused_ms == 0 {
            reads.clone()
        } else {
            Vec::new()
        }
    );
    if paused_ms > 0 {
        assert_eq!(deliveries.wakes_at(), paused);
        assert_eq!(deliveries.handle(paused.plus(-1), Input::Tick), []);
        assert_eq!(deliveries.handle(paused, Input::Tick), reads);
    }
}

#[test]
fn a_failure_puts_the_event_and_the_webhook_off() {
    let (day, later) = (24 * 60 * MINUTE, |ms| WebhookFate::Later(START.plus(ms)));
    let (failed, asks) = (Outcome::Failed(None), |ms| {
        Outcome::Failed(Some(Millis(ms)))
    });
    check(0, day, Outcome::Delivered, WebhookFate::Delivered, 0);
    check(0, day, failed, later(5 * SECOND), 5 * SECOND);
    // The event doubles its wait with each failure; the webhook with each failure in a row.
    check(3, day, failed, later(40 * SECOND), 5 * SECOND);
    check(30, day, failed, later(10 * MINUTE), 5 * SECOND);
    // `Retry-After` counts, up to the longest wait.
    check(0, day, asks(MINUTE), later(MINUTE), MINUTE);
    check(0, day, asks(1), later(5 * SECOND), 5 * SECOND);
    check(0, day, asks(60 * MINUTE), later(10 * MINUTE), 10 * MINUTE);
    // The next try would be too late.
    check(0, 5 * SECOND, failed, later(5 * SECOND), 5 * SECOND);
    check(
        0,
        5 * SECOND - 1,
        failed,
        WebhookFate::Failed(START),
        5 * SECOND,
    );
    // An event that waited too long is tried once all the same.
    check(0, -MINUTE, Outcome::Delivered, WebhookFate::Delivered, 0);
}

#[test]
fn an_event_that_was_settled_during_a_read_is_not_sent_again() {
    let mut deliveries = sending(entry("a", 0));
    // The read of the next second begins while the event is being sent.
    let now = START.plus(SECOND);
    assert_eq!(deliveries.handle(now, Input::Tick), [Effect::Read(0, 3)]);
    let effects = deliveries.handle(now, Input::Ended(0, key("a", 1), Outcome::Delivered));
    assert_eq!(
        effects,
        [Effect::Settle(0, key("a", 1), WebhookFate::Delivered)]
    );
    assert_eq!(deliveries.handle(now, Input::Settled(0, key("a", 1))), []);
    // The answer is from before; the lane can have its next event, so the machine reads again.
    let found = Some(vec![entry("a", 0)]);
    let effects = deliveries.handle(now, Input::Due(0, found));
    assert_eq!(effects, [Effect::Read(0, 3)]);
    let found = Some(vec![entry("a", 0)]);
    let effects = deliveries.handle(now, Input::Due(0, found));
    assert_eq!(
        effects,
        [Effect::Send(0, key("a", 1))],
        "this answer is new"
    );
}

#[test]
fn the_bounds_hold_and_a_webhook_that_failed_is_tried_with_one_event() {
    let mut deliveries = Deliveries::new(BOUNDS, 1);
    deliveries.handle(START, Input::Tick);
    let five = ["a", "b", "c", "d", "e"]
        .map(|game| entry(game, 0))
        .to_vec();
    let effects = deliveries.handle(START, Input::Due(0, Some(five.clone())));
    assert_eq!(
        effects,
        [Effect::Send(0, key("a", 1)), Effect::Send(0, key("b", 1))]
    );
    assert!(deliveries.holds(&key("c", 1)) && !deliveries.holds(&key("d", 1)));
    assert_eq!(deliveries.wakes_at(), Timestamp::MAX, "the window is full");
    deliveries.handle(START, Input::Ended(0, key("a", 1), Outcome::Failed(None)));
    assert!(!deliveries.holds(&key("c", 1)), "it is read again later");
    deliveries.handle(START, Input::Ended(0, key("b", 1), Outcome::Failed(None)));
    for game in ["a", "b"] {
        deliveries.handle(START, Input::Settled(0, key(game, 1)));
    }
    // Two failures in a row.
    let now = START.plus(10 * SECOND);
    assert_eq!(deliveries.wakes_at(), now);
    assert_eq!(deliveries.handle(now, Input::Tick), [Effect::Read(0, 3)]);
    let effects = deliveries.handle(now, Input::Due(0, Some(five)));
    assert_eq!(effects, [Effect::Send(0, key("a", 1))]);
    let effects = deliveries.handle(now, Input::Ended(0, key("a", 1), Outcome::Delivered));
    let expected = [
        Effect::Settle(0, key("a", 1), WebhookFate::Delivered),
        Effect::Send(0, key("b", 1)),
        Effect::Send(0, key("c", 1)),
    ];
    assert_eq!(effects, expected);
}

#[test]
fn nothing_begins_when_the_server_stops() {
    let mut deliveries = sending(entry("a", 0));
    assert_eq!(deliveries.handle(START, Input::Stop), []);
    let later = START.plus(MINUTE);
    assert_eq!(deliveries.handle(later, Input::Tick), []);
    let effects = deliveries.handle(later, Input::Ended(0, key("a", 1), Outcome::Delivered));
    assert_eq!(
        effects,
        [Effect::Settle(0, key("a", 1), WebhookFate::Delivered)]
    );
}

/// A storage that does not answer loses nothing.
#[test]
fn a_read_without_an_answer_is_repeated() {
    let mut deliveries = Deliveries::new(BOUNDS, 1);
    deliveries.handle(START, Input::Tick);
    assert_eq!(deliveries.handle(START, Input::Due(0, None)), []);
    let next = START.plus(SECOND);
    assert_eq!(deliveries.wakes_at(), next);
    assert_eq!(deliveries.handle(next, Input::Tick), [Effect::Read(0, 3)]);
}

/// An outbox of a few lanes for each webhook, as the storage keeps it.
#[derive(Default)]
struct Outbox {
    /// Due time and tries of what waits.
    waiting: BTreeMap<(usize, WebhookKey), (Timestamp, u32)>,
    failed: Vec<WebhookKey>,
    sent: Vec<(usize, WebhookKey, Timestamp)>,
}

impl Outbox {
    fn due(&self, number: usize, now: Timestamp) -> Vec<Entry> {
        let of_target = self
            .waiting
            .iter()
            .filter(|((other, _), _)| *other == number);
        let mut lanes = BTreeSet::new();
        of_target
            .filter(|((_, key), _)| lanes.insert(key.lane.clone()))
            .filter(|(_, (due_at, _))| *due_at <= now)
            .map(|((_, key), (_, tries))| Entry {
                key: key.clone(),
                destination: (),
                kind: (),
                at: START,
                unknown: 0,
                until: START.plus(60 * MINUTE),
                tries: *tries,
            })
            .collect()
    }

    fn settle(&mut self, number: usize, key: &WebhookKey, fate: WebhookFate) {
        let place = (number, key.clone());
        match fate {
            WebhookFate::Delivered => drop(self.waiting.remove(&place)),
            WebhookFate::Later(due_at) => {
                let tries = self.waiting[&place].1;
                self.waiting.insert(place, (due_at, tries + 1));
            }
            WebhookFate::Failed(_) => {
                self.waiting.remove(&place);
                self.failed.push(key.clone());
            }
        }
    }
}

/// Webhook 0 takes everything; webhook 1 answers after `down_ms`, or never.
fn simulate(down_ms: i64) -> Outbox {
    let mut outbox = Outbox::default();
    for number in 0..2 {
        for (game, seq) in ["a", "b", "c", "d"]
            .into_iter()
            .flat_map(|game| (1..6).map(move |seq| (game, seq)))
        {
            outbox.waiting.insert((number, key(game, seq)), (START, 0));
        }
    }
    let mut deliveries = Deliveries::new(BOUNDS, 2);
    let mut now = START;
    while now < START.plus(100 * MINUTE) && !outbox.waiting.is_empty() {
        let mut effects = deliveries.handle(now, Input::Tick);
        while let Some(effect) = effects.pop() {
            let input = match effect {
                Effect::Read(number, most) => {
                    let mut due = outbox.due(number, now);
                    due.truncate(most);
                    Input::Due(number, Some(due))
                }
                Effect::Send(number, key) => {
                    outbox.sent.push((number, key.clone(), now));
                    let is_down = number == 1 && now < START.plus(down_ms);
                    let outcome = if is_down {
                        Outcome::Failed(None)
                    } else {
                        Outcome::Delivered
                    };
                    Input::Ended(number, key, outcome)
                }
                Effect::Settle(number, key, fate) => {
                    outbox.settle(number, &key, fate);
                    Input::Settled(number, key)
                }
            };
            effects.extend(deliveries.handle(now, input));
        }
        now = now.plus(100);
    }
    outbox
}

#[test]
fn a_webhook_that_is_down_holds_up_no_other_and_gets_everything_in_order() {
    let outbox = simulate(20 * MINUTE);
    assert!(outbox.waiting.is_empty() && outbox.failed.is_empty());
    let sent = |number| {
        outbox
            .sent
            .iter()
            .filter(move |(other, ..)| *other == number)
    };
    assert_eq!(sent(0).count(), 20, "each event once");
    assert!(sent(0).all(|(.., at)| *at < START.plus(10 * SECOND)));
    for number in 0..2 {
        let mut places: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, key, _) in sent(number) {
            let last = places.insert(&key.lane, key.place).unwrap_or(0);
            assert!(
                key.place == last || key.place == last + 1,
                "{key:?} after {last}"
            );
        }
        assert!(places.values().all(|last| *last == 5));
    }
    // 5 s, 10 s, 20 s … and at most 10 min between two tries: few are wasted.
    assert!(sent(1).count() < 20 + 15, "{}", sent(1).count());
}

#[test]
fn events_fail_after_their_time() {
    let outbox = simulate(i64::MAX / 2);
    let of_other = outbox.sent.iter().filter(|(number, ..)| *number == 1);
    assert!(!outbox.failed.is_empty());
    let last = of_other.map(|(.., at)| *at).max();
    assert!(
        last.is_some_and(|last| last > START.plus(50 * MINUTE)),
        "{last:?}"
    );
}
