//! The pure part of deliveries: decides which events are read, sent, put off and given up.
//!
//! The outbox keeps every event and shows of each lane only the first, so the events of a game are sent in order. Each webhook
//! has its own place here: one that does not answer holds up no other. After a failure the whole webhook waits, and so does
//! the event.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::time::{Millis, Timestamp};

use crate::backoff::{doubled, or_asked};
use tilewire_store::{HookFate, HookKey};

/// The time between two looks at the outbox.
const LOOK_EVERY: Millis = Millis(1_000);

/// The bounds of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Events of one webhook in work.
    pub(crate) window: usize,
    /// Events that are sent to one webhook at the same time.
    pub(crate) connections: usize,
    /// The first wait after a failure.
    pub(crate) retry_ms: Millis,
    /// The longest wait after a failure.
    pub(crate) retry_max_ms: Millis,
}

/// The machine's record of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its place; `target` in it is the webhook.
    pub(crate) key: HookKey,
    /// When it has failed.
    pub(crate) until: Timestamp,
    /// How often it could not be delivered.
    pub(crate) tries: u32,
}

/// How a delivery ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The webhook has taken the event.
    Delivered,
    /// It has not, and asks for this wait, or for none.
    Failed(Option<Millis>),
}

/// An input of the delivery machine. Webhooks have numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Time has passed.
    Tick,
    /// The server stops: nothing new begins.
    Stop,
    /// The events of a webhook that are due; `None`: the storage does not answer.
    Due(usize, Option<Vec<Entry>>),
    /// A delivery has ended.
    Ended(usize, HookKey, Outcome),
    /// The storage has the fate of an event, or does not answer; then the event is due again.
    Settled(usize, HookKey),
}

/// An effect that the shell carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Read due events of a webhook, up to a limit.
    Read(usize, usize),
    /// Send an event.
    Send(usize, HookKey),
    /// Store the fate of an event.
    Settle(usize, HookKey, HookFate),
}

/// The state of an event in work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Sending,
    Settling,
}

#[derive(Debug)]
struct Held {
    entry: Entry,
    stage: Stage,
}

/// A webhook with its events in work.
#[derive(Debug)]
struct Target {
    held: BTreeMap<HookKey, Held>,
    is_reading: bool,
    /// Events that were settled since the read began: the answer can still have them.
    settled: BTreeSet<HookKey>,
    looks_at: Timestamp,
    /// Failures in a row.
    failures: u32,
    paused_until: Timestamp,
}

/// The deliveries to all webhooks.
#[derive(Debug)]
pub(crate) struct Deliveries {
    bounds: Bounds,
    targets: Vec<Target>,
    is_stopping: bool,
}

impl Deliveries {
    /// Returns deliveries to this number of webhooks.
    pub(crate) fn new(bounds: Bounds, targets: usize) -> Self {
        let target = |_| Target {
            held: BTreeMap::new(),
            is_reading: false,
            settled: BTreeSet::new(),
            looks_at: Timestamp::MIN,
            failures: 0,
            paused_until: Timestamp::MIN,
        };
        Self {
            bounds,
            targets: (0..targets).map(target).collect(),
            is_stopping: false,
        }
    }

    /// Returns when the machine wants the next [`Input::Tick`]. A webhook that reads, or whose window is full, waits for reports.
    pub(crate) fn wakes_at(&self) -> Timestamp {
        let targets = self.targets.iter();
        let idle =
            targets.filter(|target| !target.is_reading && target.held.len() < self.bounds.window);
        let wakes = idle.map(Target::wakes_at);
        wakes.min().unwrap_or(Timestamp::MAX)
    }

    /// Says whether an event is in work.
    pub(crate) fn holds(&self, key: &HookKey) -> bool {
        self.targets
            .iter()
            .any(|target| target.held.contains_key(key))
    }

    /// Applies an input at server time `now`.
    pub(crate) fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        match input {
            Input::Tick => {}
            Input::Stop => self.is_stopping = true,
            Input::Due(number, found) => {
                if let Some(target) = self.targets.get_mut(number) {
                    target.due(now, found, self.bounds);
                }
            }
            Input::Ended(number, key, outcome) => {
                if let Some(target) = self.targets.get_mut(number) {
                    let fate = target.ended(now, &key, outcome, self.bounds);
                    effects.extend(fate.map(|fate| Effect::Settle(number, key, fate)));
                }
            }
            Input::Settled(number, key) => {
                if let Some(target) = self.targets.get_mut(number) {
                    target.settled(now, key);
                }
            }
        }
        if !self.is_stopping {
            for (number, target) in self.targets.iter_mut().enumerate() {
                effects.extend(target.begin(now, number, self.bounds));
            }
        }
        effects
    }
}

impl Target {
    fn wakes_at(&self) -> Timestamp {
        self.looks_at.max(self.paused_until)
    }

    fn due(&mut self, now: Timestamp, found: Option<Vec<Entry>>, bounds: Bounds) {
        self.is_reading = false;
        self.looks_at = now + LOOK_EVERY;
        for entry in found.into_iter().flatten() {
            let is_old = self.settled.contains(&entry.key) || self.held.contains_key(&entry.key);
            if is_old || self.held.len() >= bounds.window {
                continue;
            }
            let (key, stage) = (entry.key.clone(), Stage::Waiting);
            self.held.insert(key, Held { entry, stage });
        }
        if !self.settled.is_empty() {
            // The lanes of these can have their next events.
            self.looks_at = now;
        }
        self.settled.clear();
    }

    fn ended(
        &mut self,
        now: Timestamp,
        key: &HookKey,
        outcome: Outcome,
        bounds: Bounds,
    ) -> Option<HookFate> {
        let held = self.held.get_mut(key)?;
        held.stage = Stage::Settling;
        let asked = match outcome {
            Outcome::Delivered => {
                self.failures = 0;
                self.paused_until = now;
                return Some(HookFate::Delivered);
            }
            Outcome::Failed(asked) => asked,
        };
        let tries = held.entry.tries;
        let until = held.entry.until;
        self.paused_until = now + bounds.wait(self.failures, asked);
        self.failures = self.failures.saturating_add(1);
        let due_at = now + bounds.wait(tries, asked);
        Some(match due_at > until {
            true => HookFate::Failed(now),
            false => HookFate::Later(due_at),
        })
    }

    fn settled(&mut self, now: Timestamp, key: HookKey) {
        self.held.remove(&key);
        if self.is_reading {
            self.settled.insert(key);
        } else {
            // The lane can have its next event.
            self.looks_at = now;
        }
    }

    /// Begins to send, and reads if there is room. While the webhook is left alone, events that wait leave the machine: others
    /// can be due first then.
    fn begin(&mut self, now: Timestamp, number: usize, bounds: Bounds) -> Vec<Effect> {
        if now < self.paused_until {
            self.held.retain(|_, held| held.stage != Stage::Waiting);
            return Vec::new();
        }
        let stages = self.held.values().map(|held| held.stage);
        let sending = stages.filter(|stage| *stage == Stage::Sending).count();
        // A webhook that has failed is tried with one event first.
        let most = if self.failures > 0 {
            1
        } else {
            bounds.connections
        };
        let waiting = self
            .held
            .iter_mut()
            .filter(|(_, held)| held.stage == Stage::Waiting);
        let begun = waiting
            .take(most.saturating_sub(sending))
            .map(|(key, held)| {
                held.stage = Stage::Sending;
                Effect::Send(number, key.clone())
            });
        let mut effects: Vec<Effect> = begun.collect();
        let has_room = self.held.len() < bounds.window;
        if !self.is_reading && has_room && now >= self.wakes_at() {
            self.is_reading = true;
            effects.push(Effect::Read(number, bounds.window));
        }
        effects
    }
}

impl Bounds {
    /// Returns the wait after this number of failures before, or the one that the webhook asks for, within its bound.
    fn wait(&self, failures: u32, asked: Option<Millis>) -> Millis {
        let most = self.retry_max_ms;
        or_asked(doubled(self.retry_ms, most, failures), most, asked)
    }
}

#[cfg(test)]
mod tests;
