//! The pure outbox worker: decides which items are looked at, sent, put off and given up.
//!
//! The outbox keeps every item; the machine holds the few that are in work. The shell reads, looks and sends, and reports.
//! A [`Channel`] says what letters, pushes and webhooks have of their own.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::time::{Millis, Timestamp};
use tilewire_store::Attempt;

use super::channel::{
    Channel, Effect, Ending, Entry, Health, Input, LOOK_EVERY, Limits, Promise, Reason,
};

/// The number of times that an item is sent without a known outcome.
const UNKNOWN_MOST: u32 = 2;
/// The time for which what was found about an item holds: after that the shell looks again before it sends.
pub(crate) const FRESH: Millis = Millis(5_000);
/// Destinations whose failures are remembered.
pub(crate) const DESTINATIONS: usize = 1_024;

/// The state of an item in work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Looking,
    Ready,
    Sending,
    Settling,
}

/// An item in work.
#[derive(Debug)]
struct InWork<C: Channel> {
    entry: Entry<C>,
    stage: Stage,
    looked_at: Timestamp,
}

/// A destination that has failed.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    /// Failures in a row.
    failures: u32,
    paused_until: Timestamp,
}

/// The items in work.
#[derive(Debug)]
pub(crate) struct Outbox<C: Channel> {
    pub(crate) bounds: C,
    limits: Limits,
    held: BTreeMap<C::Key, InWork<C>>,
    troubles: BTreeMap<C::Destination, Trouble>,
    is_reading: bool,
    is_stopping: bool,
    /// Items that were settled since the read began: the answer can still have them.
    settled: BTreeSet<C::Key>,
    looks_at: Timestamp,
}

impl<C: Channel> Outbox<C> {
    /// Returns a worker without items.
    pub(crate) fn new(bounds: C) -> Self {
        Self {
            limits: bounds.limits(),
            bounds,
            held: BTreeMap::new(),
            troubles: BTreeMap::new(),
            is_reading: false,
            is_stopping: false,
            settled: BTreeSet::new(),
            looks_at: Timestamp::MIN,
        }
    }

    /// Returns when the machine wants the next [`Input::Tick`]. While it reads, or its window is full, it waits for reports.
    pub(crate) fn wakes_at(&self) -> Timestamp {
        if self.is_reading || self.held.len() >= self.limits.window {
            return Timestamp::MAX;
        }
        self.reads_at()
    }

    /// Says whether an item is in work.
    pub(crate) fn holds(&self, key: &C::Key) -> bool {
        self.held.contains_key(key)
    }

    /// Returns the number of items in work.
    #[cfg(test)]
    pub(crate) fn in_work(&self) -> usize {
        self.held.len()
    }

    /// Returns the number of destinations whose failures are remembered.
    #[cfg(test)]
    pub(crate) fn failing(&self) -> usize {
        self.troubles.len()
    }

    /// Applies an input at server time `now`.
    pub(crate) fn handle(&mut self, now: Timestamp, input: Input<C>) -> Vec<Effect<C>> {
        let mut effects = match input {
            Input::Tick => Vec::new(),
            Input::Stop => {
                self.is_stopping = true;
                Vec::new()
            }
            Input::Due(found) => self.due(now, found),
            Input::Looked(key, look) => self.looked(now, &key, look),
            Input::Begun(key, true) => vec![Effect::Send(key)],
            Input::Begun(key, false) => {
                self.held.remove(&key);
                Vec::new()
            }
            Input::Ended(key, outcome) => self.ended(now, &key, outcome),
            Input::Settled(key) => {
                self.held.remove(&key);
                self.go_on(now, key);
                Vec::new()
            }
        };
        if !self.is_stopping {
            effects.extend(self.begin_ready(now));
            effects.extend(self.read(now));
        }
        effects
    }

    /// Returns when the outbox is read again. A pause of the only destination is a pause of the reads too.
    fn reads_at(&self) -> Timestamp {
        let pauses = self.troubles.values().map(|trouble| trouble.paused_until);
        let pause = pauses.filter(|_| C::HAS_ONE_DESTINATION).max();
        pause.map_or(self.looks_at, |pause| pause.max(self.looks_at))
    }

    /// Reads items if there is room and somebody is expected to take them.
    fn read(&mut self, now: Timestamp) -> Option<Effect<C>> {
        let has_room = self.held.len() < self.limits.window;
        if self.is_reading || !has_room || now < self.reads_at() {
            return None;
        }
        self.is_reading = true;
        let share = self.limits.share;
        let full = self.counts(|_| true).into_iter();
        let full = full.filter(|(_, count)| *count >= share);
        Some(Effect::Read {
            most: self.bounds.reads(self.held.len()),
            without: full.map(|(destination, _)| destination).collect(),
        })
    }

    /// Counts the items in work that fit, by destination.
    fn counts(&self, fits: impl Fn(&InWork<C>) -> bool) -> BTreeMap<C::Destination, usize> {
        let mut counts = BTreeMap::new();
        for held in self.held.values().filter(|held| fits(held)) {
            *counts.entry(held.entry.destination.clone()).or_default() += 1;
        }
        counts
    }

    /// Returns until when a destination is left alone; `None` if it is not.
    pub(crate) fn paused_until(
        &self,
        destination: &C::Destination,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let trouble = self.troubles.get(destination)?;
        (now < trouble.paused_until).then_some(trouble.paused_until)
    }

    /// After an item of a lane is settled, the lane can have its next one.
    fn go_on(&mut self, now: Timestamp, key: C::Key) {
        if C::PROMISE != Promise::AtLeastOnceInOrder {
            return;
        }
        if self.is_reading {
            self.settled.insert(key);
        } else {
            self.looks_at = now;
        }
    }

    fn due(&mut self, now: Timestamp, found: Option<Vec<Entry<C>>>) -> Vec<Effect<C>> {
        self.is_reading = false;
        let settled = std::mem::take(&mut self.settled);
        // The lanes of these can have their next items.
        let is_behind = !settled.is_empty();
        self.looks_at = if is_behind { now } else { now + LOOK_EVERY };
        let mut effects = Vec::new();
        for entry in found.into_iter().flatten() {
            let is_old = settled.contains(&entry.key) || self.held.contains_key(&entry.key);
            let has_room = self.held.len() < self.limits.window;
            if is_old || !has_room {
                continue;
            }
            let to = &entry.destination;
            let others = self.held.values();
            let others = others.filter(|held| held.entry.destination == *to);
            if others.count() >= self.limits.share {
                continue; // it is due again at the next look
            }
            effects.extend(self.take_up(now, entry));
        }
        effects
    }

    /// Takes an item that is due into work.
    fn take_up(&mut self, now: Timestamp, entry: Entry<C>) -> Vec<Effect<C>> {
        let key = entry.key.clone();
        let is_counted = C::PROMISE == Promise::AtMostTwice;
        let reason = match (entry.unknown >= UNKNOWN_MOST, now >= entry.until) {
            _ if !is_counted => None,
            (true, _) => Some(Reason::Unknown),
            (false, true) => Some(Reason::Past),
            (false, false) => None,
        };
        let paused_until = self.paused_until(&entry.destination, now);
        let stage = match is_counted {
            true => Stage::Looking,
            false => Stage::Ready,
        };
        let held = InWork {
            entry,
            stage,
            looked_at: now,
        };
        self.held.insert(key.clone(), held);
        match (reason, paused_until) {
            (Some(reason), _) => self.drop_item(now, &key, reason),
            (None, Some(until)) if !C::HAS_ONE_DESTINATION => self.put_off(&key, until),
            (None, _) if is_counted => vec![Effect::Look(key)],
            (None, _) => Vec::new(),
        }
    }

    fn looked(&mut self, now: Timestamp, key: &C::Key, look: Option<C::Facts>) -> Vec<Effect<C>> {
        let Some(held) = self.held.get_mut(key) else {
            return Vec::new();
        };
        let Some(look) = look else {
            self.held.remove(key);
            return Vec::new();
        };
        if let Some(ending) = self.bounds.judged(now, held.entry.kind, look) {
            return self.end(now, key, ending, now);
        }
        held.stage = Stage::Ready;
        held.looked_at = now;
        Vec::new()
    }

    /// Begins to send items, the names in order. Those to a destination that is left alone are put off; if there is no other
    /// destination, they leave the machine: what was found about them would be old.
    fn begin_ready(&mut self, now: Timestamp) -> Vec<Effect<C>> {
        let mut busy = self.counts(|held| held.stage == Stage::Sending);
        let mut free = self.limits.connections;
        free = free.saturating_sub(busy.values().sum());
        let ready = self.held.iter();
        let ready = ready.filter(|(_, held)| held.stage == Stage::Ready);
        let ready = ready.map(|(key, held)| (key.clone(), held.entry.destination.clone()));
        let ready: Vec<(C::Key, C::Destination)> = ready.collect();
        let mut effects = Vec::new();
        for (key, destination) in ready {
            match self.paused_until(&destination, now) {
                Some(_) if C::HAS_ONE_DESTINATION => {
                    self.held.remove(&key);
                    continue;
                }
                Some(until) => {
                    effects.extend(self.put_off(&key, until));
                    continue;
                }
                None => {}
            }
            let trouble = self.troubles.get(&destination);
            let failures = trouble.map_or(0, |trouble| trouble.failures);
            let count = busy.entry(destination).or_default();
            if free == 0 || *count >= self.bounds.connections_after(failures) {
                continue;
            }
            (free, *count) = (free - 1, *count + 1);
            effects.extend(self.begin(now, key));
        }
        effects
    }

    fn begin(&mut self, now: Timestamp, key: C::Key) -> Option<Effect<C>> {
        let held = self.held.get_mut(&key)?;
        if C::PROMISE == Promise::AtLeastOnceInOrder {
            held.stage = Stage::Sending;
            return Some(Effect::Send(key));
        }
        if now > held.looked_at + FRESH {
            held.stage = Stage::Looking;
            return Some(Effect::Look(key));
        }
        held.stage = Stage::Sending;
        Some(Effect::Begin(key))
    }

    fn ended(&mut self, now: Timestamp, key: &C::Key, outcome: C::Outcome) -> Vec<Effect<C>> {
        let Some(held) = self.held.get(key) else {
            return Vec::new();
        };
        let destination = held.entry.destination.clone();
        let (health, ending) = self.bounds.meaning(now, outcome);
        let paused_until = self.note(now, &destination, health);
        self.end(now, key, ending, paused_until)
    }

    /// Notes the health of a destination; returns until when it is left alone.
    pub(crate) fn note(
        &mut self,
        now: Timestamp,
        destination: &C::Destination,
        health: Health,
    ) -> Timestamp {
        let before = self.troubles.get(destination).copied();
        let asked = match health {
            Health::Up => {
                self.troubles.remove(destination);
                return now;
            }
            Health::Answers => {
                if let Some(trouble) = self.troubles.get_mut(destination) {
                    trouble.failures = 0;
                }
                return now;
            }
            Health::Unsure => return now,
            Health::Down(asked) => asked,
        };
        let failures = before.map_or(0, |trouble| trouble.failures);
        let paused_until = now + self.limits.wait(failures, asked);
        let trouble = Trouble {
            failures: failures.saturating_add(1),
            paused_until: before.map_or(paused_until, |it| it.paused_until.max(paused_until)),
        };
        self.troubles.insert(destination.clone(), trouble);
        if self.troubles.len() > DESTINATIONS {
            // The one that may be tried soonest: it is the least loss to forget.
            let soonest = self.troubles.iter();
            let soonest = soonest.min_by_key(|(_, trouble)| trouble.paused_until);
            if let Some(destination) = soonest.map(|(destination, _)| destination.clone()) {
                self.troubles.remove(&destination);
            }
        }
        trouble.paused_until
    }

    fn end(
        &mut self,
        now: Timestamp,
        key: &C::Key,
        ending: Ending<C>,
        paused_until: Timestamp,
    ) -> Vec<Effect<C>> {
        let Some(held) = self.held.get(key) else {
            return Vec::new();
        };
        let entry = &held.entry;
        let (asked, attempt) = match ending {
            Ending::Settled(fate) => return self.settle(key, fate),
            Ending::Dropped(reason) => return self.drop_item(now, key, reason),
            Ending::Lost(reason, fate) => return self.lose(key, reason, fate),
            Ending::Again { asked, attempt } => (asked, attempt),
        };
        if attempt == Attempt::Unknown && entry.unknown + 1 >= UNKNOWN_MOST {
            return self.drop_item(now, key, Reason::Unknown);
        }
        let mut due_at = now + self.limits.wait(entry.tries, asked);
        if !C::HAS_ONE_DESTINATION {
            due_at = due_at.max(paused_until);
        }
        if due_at > self.bounds.given_up_at(entry) {
            return self.drop_item(now, key, Reason::GivenUp);
        }
        self.settle(key, C::later(due_at, attempt))
    }

    fn put_off(&mut self, key: &C::Key, due_at: Timestamp) -> Vec<Effect<C>> {
        self.settle(key, C::later(due_at, Attempt::NotMade))
    }

    fn drop_item(&mut self, now: Timestamp, key: &C::Key, reason: Reason) -> Vec<Effect<C>> {
        self.lose(key, reason, C::dropped(now))
    }

    fn lose(&mut self, key: &C::Key, reason: Reason, fate: C::Fate) -> Vec<Effect<C>> {
        // An event that fails stays in the outbox, and its fate says so.
        let is_reported = C::PROMISE == Promise::AtMostTwice;
        let kind = self.held.get(key).map(|held| held.entry.kind);
        let report = kind.filter(|_| is_reported);
        let report = report.map(|kind| Effect::Drop(kind, reason));
        let settle = self.settle(key, fate);
        report.into_iter().chain(settle).collect()
    }

    fn settle(&mut self, key: &C::Key, fate: C::Fate) -> Vec<Effect<C>> {
        let Some(held) = self.held.get_mut(key) else {
            return Vec::new();
        };
        held.stage = Stage::Settling;
        vec![Effect::Settle(key.clone(), fate)]
    }
}
