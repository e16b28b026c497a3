//! The courier in virtual time with a network that fails, a server that dies, and an auditor.
//!
//! The outbox here is the slow and obvious one: a row for each letter. The auditor counts what the mail server has taken.

use std::collections::{BTreeMap, VecDeque};

use tilewire_rules::stream::{Seed, Stream};

use super::*;
use crate::outbox::{self, Outbox};

type Courier = Outbox<Bounds>;
type Entry = outbox::Entry<Bounds>;
type Input = outbox::Input<Bounds>;
type Effect = outbox::Effect<Bounds>;

const HOUR: i64 = 3_600_000;
const START: i64 = 20_000 * DAY_MS;
const LETTERS: usize = 40;
/// Virtual time after which everything is settled: a day of tries, and the day of the digest.
const END: i64 = START + 4 * DAY_MS;

const BOUNDS: Bounds = Bounds {
    window: 8,
    connections: 3,
    per_day: 5,
    retry_ms: Millis(60_000),
    retry_max_ms: Millis(HOUR),
    give_up_ms: Millis(DAY_MS),
    refusals: 3,
};

/// A letter of the outbox.
#[derive(Debug, Clone)]
struct Row {
    entry: Entry,
    due_at: Timestamp,
    digest: Option<i64>,
}

/// The auditor's record of a letter.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// How often the mail server has taken it.
    taken: u32,
    /// Sendings whose outcome the courier cannot know: no answer came, or the server died.
    hidden: u32,
    /// Whether it was sent for the first time after its turn was over.
    is_past: bool,
}

struct World {
    random: Stream,
    now: Timestamp,
    courier: Courier,
    outbox: BTreeMap<String, Row>,
    seen: BTreeMap<String, Seen>,
    /// The turn of a letter is over from this time on.
    over: BTreeMap<String, Timestamp>,
    sent_today: (i64, u32),
    /// Effects whose answer the courier waits for.
    work: VecDeque<Effect>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("letters");
        let (mut outbox, mut over) = (BTreeMap::new(), BTreeMap::new());
        for number in 0..LETTERS {
            let key = format!("letter {number:02}");
            let kinds = [LetterKind::Turn, LetterKind::Reminder, LetterKind::Security];
            let kind = kinds[number % kinds.len()];
            let at = Timestamp(START + i64::from(random.next_u32() % 12) * HOUR);
            let entry = Entry {
                key: key.clone(),
                destination: (),
                kind,
                at,
                until: at + Millis(3 * DAY_MS),
                tries: 0,
                unknown: 0,
            };
            let row = Row {
                entry,
                due_at: at,
                digest: None,
            };
            outbox.insert(key.clone(), row);
            over.insert(key, at + Millis(i64::from(random.next_u32() % 40) * HOUR));
        }
        Self {
            random,
            now: Timestamp(START),
            courier: Courier::new(BOUNDS),
            outbox,
            seen: BTreeMap::new(),
            over,
            sent_today: (0, 0),
            work: VecDeque::new(),
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.next_u32() % 100 < percent
    }

    fn tell(&mut self, input: Input) {
        let effects = self.courier.handle(self.now, input);
        assert!(self.courier.in_work() <= BOUNDS.window);
        self.work.extend(effects);
        let sending = self.work.iter();
        let sending = sending.filter(|effect| matches!(effect, Effect::Send(_)));
        assert!(sending.count() <= BOUNDS.connections);
    }

    /// The server dies and comes back: what it held and what it waited for is gone, the outbox is not.
    fn crash(&mut self) {
        for effect in std::mem::take(&mut self.work) {
            match effect {
                Effect::Send(key) => {
                    // The letter may be on its way.
                    let is_taken = self.chance(50);
                    self.hide(&key, is_taken);
                }
                // The outcome was known, and is lost.
                Effect::Settle(
                    key,
                    Settlement::Sent { .. }
                    | Settlement::Refused { .. }
                    | Settlement::Later { is_known: true, .. },
                ) => self.hide(&key, false),
                _ => {}
            }
        }
        self.courier = Courier::new(BOUNDS);
    }

    /// The mail server has a letter or not, and the courier gets no answer.
    fn hide(&mut self, key: &str, is_taken: bool) {
        if is_taken {
            self.take(key);
        }
        self.seen.entry(key.to_owned()).or_default().hidden += 1;
    }

    /// The mail server takes a letter.
    fn take(&mut self, key: &str) {
        let seen = self.seen.entry(key.to_owned()).or_default();
        seen.taken += 1;
    }

    /// Carries out an effect as the shell does.
    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Read { most, .. } => {
                let answers = !self.chance(5);
                let mut due: Vec<&Row> = self
                    .outbox
                    .values()
                    .filter(|row| row.digest.is_none() && row.due_at <= self.now)
                    .collect();
                due.sort_by_key(|row| row.due_at);
                let due: Vec<Entry> = due
                    .into_iter()
                    .take(most)
                    .map(|row| row.entry.clone())
                    .collect();
                self.tell(Input::Due(answers.then_some(due)));
            }
            Effect::Look(key) => {
                let today = day_of(self.now);
                let is_current = self.is_current(&key);
                let look = LetterFacts {
                    has_address: true,
                    is_disabled: false,
                    is_wanted: true,
                    is_current,
                    is_present: self.chance(3),
                    sent_today: match self.sent_today {
                        (day, sent) if day == today => sent,
                        _ => 0,
                    },
                };
                let look = (!self.chance(5)).then_some(look);
                self.tell(Input::Looked(key, look));
            }
            Effect::Begin(key) => {
                let row = self.outbox.get_mut(&key);
                let is_there = row.is_some_and(|row| {
                    row.entry.unknown += 1;
                    true
                });
                self.tell(Input::Begun(key, is_there));
            }
            Effect::Send(key) => self.send(key),
            Effect::Settle(key, settlement) => {
                self.settle(&key, settlement);
                self.tell(Input::Settled(key));
            }
            Effect::Drop(..) => {}
        }
    }

    fn is_current(&self, key: &str) -> bool {
        let is_of_account = self
            .outbox
            .get(key)
            .is_some_and(|row| row.entry.kind.is_about_account());
        is_of_account || self.over.get(key).is_none_or(|over| self.now < *over)
    }

    fn send(&mut self, key: String) {
        if !self.is_current(&key) {
            self.seen.entry(key.clone()).or_default().is_past = true;
        }
        let outcome = match self.random.next_u32() % 10 {
            0..=2 => Outcome::Sent,
            3 | 4 => Outcome::Later,
            5 => Outcome::Refused,
            6 | 7 => Outcome::Unreachable,
            _ => Outcome::Unknown,
        };
        match outcome {
            Outcome::Sent => self.take(&key),
            Outcome::Unknown => {
                let is_taken = self.chance(50);
                self.hide(&key, is_taken);
            }
            Outcome::Later | Outcome::Refused | Outcome::Unreachable => {}
        }
        self.tell(Input::Ended(key, outcome));
    }

    fn settle(&mut self, key: &str, settlement: Settlement) {
        let kind = self.outbox.get(key).map(|row| row.entry.kind);
        match settlement {
            Settlement::Sent { day } => {
                self.outbox.remove(key);
                let sent = match self.sent_today {
                    (known, sent) if known == day => sent + 1,
                    _ => 1,
                };
                self.sent_today = (day, sent);
            }
            Settlement::Refused { .. } | Settlement::Dropped => {
                self.outbox.remove(key);
            }
            Settlement::Later { due_at, is_known } => {
                let row = self.outbox.get_mut(key).expect("it is in work");
                row.due_at = due_at;
                row.entry.tries += 1;
                row.entry.unknown -= u32::from(is_known);
            }
            Settlement::Digest { day, .. } => {
                assert!(kind.is_some_and(|kind| !kind.is_about_account()));
                self.outbox.get_mut(key).expect("it is in work").digest = Some(day);
            }
        }
    }

    /// Lets everything happen until the end of time.
    fn run(&mut self) {
        while self.now.0 < END {
            match self.work.pop_front() {
                Some(effect) => self.carry_out(effect),
                None => {
                    let wakes = self.courier.wakes_at();
                    self.now = wakes.max(self.now.plus(60_000));
                    self.tell(Input::Tick);
                }
            }
            if self.random.next_u32().is_multiple_of(500) {
                self.crash();
            }
        }
    }

    /// Checks what came of every letter.
    fn audit(&self, seed: u64) {
        for (key, seen) in &self.seen {
            let context = format!("seed {seed}, {key}: {seen:?}");
            assert!(seen.taken <= 2, "{context}");
            assert!(seen.hidden <= 2, "{context}");
            // A second letter follows only from a sending that hid its outcome.
            assert!(seen.taken <= 1 + seen.hidden, "{context}");
            assert!(!seen.is_past, "{context}");
        }
        let left = self.outbox.values().filter(|row| row.digest.is_none());
        assert_eq!(left.count(), 0, "seed {seed}: {:?}", self.outbox);
    }
}

#[test]
fn letters_survive_a_failing_network_and_crashes() {
    let (mut repeated, mut crossed) = (0, 0);
    for seed in 0..60 {
        let mut world = World::new(seed);
        world.run();
        world.audit(seed);
        let seen = world.seen.values();
        repeated += seen.filter(|seen| seen.taken == 2).count();
        crossed += world.outbox.len();
    }
    // The runs have reached what they are for.
    assert!(repeated > 10, "{repeated} letters came twice");
    assert!(crossed > 10, "{crossed} letters wait for a digest");
}
