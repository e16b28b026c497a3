//! The pure courier of pushes: decides which pushes are looked at, sent, put off and given up.
//!
//! It is like that of letters ([`crate::machine`]), with one difference: there are many push services, and some belong
//! to strangers. So failures and bounds are counted for each of them, and a slow one holds up no other.

use std::collections::BTreeMap;

use tilewire_rules::time::{Millis, Timestamp};

use super::terms::{Bounds, Effect, Entry, Input, Look, Outcome, Reason};
use crate::backoff::{doubled, or_asked};
use crate::machine::day_of;
use tilewire_store::{PushSettlement, Tried};

/// The number of times that a push is sent without a known outcome.
const UNKNOWN_MOST: u32 = 2;
/// The time between two looks at the pushes that wait.
const LOOK_EVERY: Millis = Millis(1_000);
/// The time for which what was found about a push holds: after that the shell looks again before it sends.
const FRESH: Millis = Millis(5_000);
/// Push services whose failures are remembered.
const SERVICES: usize = 1_024;
/// One push service gets at most this part of the window.
const SHARE: usize = 4;

/// The state of a push in work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Looking,
    Ready,
    Sending,
    Settling,
}

#[derive(Debug)]
struct Held {
    entry: Entry,
    stage: Stage,
    looked_at: Timestamp,
}

/// A push service that has failed.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    /// Failures in a row.
    failures: u32,
    paused_until: Timestamp,
}

/// The pushes in work.
#[derive(Debug)]
pub(crate) struct Courier {
    bounds: Bounds,
    held: BTreeMap<String, Held>,
    troubles: BTreeMap<String, Trouble>,
    is_reading: bool,
    is_stopping: bool,
    looks_at: Timestamp,
}

impl Courier {
    /// Returns a courier without pushes.
    pub(crate) const fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            held: BTreeMap::new(),
            troubles: BTreeMap::new(),
            is_reading: false,
            is_stopping: false,
            looks_at: Timestamp::MIN,
        }
    }

    /// Returns when the machine wants the next [`Input::Tick`].
    pub(crate) const fn wakes_at(&self) -> Timestamp {
        self.looks_at
    }

    /// Says whether a push is in work.
    pub(crate) fn holds(&self, key: &str) -> bool {
        self.held.contains_key(key)
    }

    /// Applies an input at server time `now`.
    pub(crate) fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut effects = match input {
            Input::Tick => Vec::new(),
            Input::Stop => {
                self.is_stopping = true;
                Vec::new()
            }
            Input::Due(found) => self.due(now, found),
            Input::Looked(key, look) => self.looked(now, &key, look),
            Input::Begun(key, true) => vec![Effect::Send(key)],
            Input::Begun(key, false) | Input::Settled(key) => {
                self.held.remove(&key);
                Vec::new()
            }
            Input::Ended(key, outcome) => self.ended(now, &key, outcome),
        };
        if !self.is_stopping {
            effects.extend(self.begin_ready(now));
            effects.extend(self.read(now));
        }
        effects
    }

    /// Reads pushes if there is room.
    fn read(&mut self, now: Timestamp) -> Option<Effect> {
        let most = self.bounds.window.saturating_sub(self.held.len());
        if self.is_reading || now < self.looks_at || most == 0 {
            return None;
        }
        self.is_reading = true;
        let full = self.counts(|_| true).into_iter();
        let full = full.filter(|(_, count)| *count >= self.share());
        let without = full.map(|(service, _)| service.to_owned()).collect();
        Some(Effect::Read { most, without })
    }

    /// Returns the pushes that one push service may have in work.
    fn share(&self) -> usize {
        (self.bounds.window / SHARE).max(1)
    }

    /// Counts the pushes in work that fit, by push service.
    fn counts(&self, fits: impl Fn(&Held) -> bool) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for held in self.held.values().filter(|held| fits(held)) {
            *counts.entry(held.entry.service.as_str()).or_default() += 1;
        }
        counts
    }

    fn paused_until(&self, service: &str, now: Timestamp) -> Option<Timestamp> {
        let trouble = self.troubles.get(service)?;
        (now < trouble.paused_until).then_some(trouble.paused_until)
    }

    fn due(&mut self, now: Timestamp, found: Option<Vec<Entry>>) -> Vec<Effect> {
        self.is_reading = false;
        self.looks_at = now + LOOK_EVERY;
        let mut effects = Vec::new();
        for entry in found.into_iter().flatten() {
            let has_room = self.held.len() < self.bounds.window;
            if !has_room || self.held.contains_key(&entry.key) {
                continue;
            }
            let of_service = self.counts(|_| true).get(entry.service.as_str()).copied();
            if of_service.unwrap_or_default() >= self.share() {
                continue; // it is due again at the next look
            }
            let key = entry.key.clone();
            let paused_until = self.paused_until(&entry.service, now);
            let reason = match (entry.unknown >= UNKNOWN_MOST, now >= entry.until) {
                (true, _) => Some(Reason::Unknown),
                (false, true) => Some(Reason::Past),
                (false, false) => None,
            };
            let held = Held {
                entry,
                stage: Stage::Looking,
                looked_at: now,
            };
            self.held.insert(key.clone(), held);
            match (reason, paused_until) {
                (Some(reason), _) => effects.extend(self.drop_push(&key, reason)),
                (None, Some(until)) => effects.extend(self.put_off(&key, until, Tried::Not)),
                (None, None) => effects.push(Effect::Look(key)),
            }
        }
        effects
    }

    fn looked(&mut self, now: Timestamp, key: &str, look: Option<Look>) -> Vec<Effect> {
        let per_day = self.bounds.per_day;
        let Some(held) = self.held.get_mut(key) else {
            return Vec::new();
        };
        let Some(look) = look else {
            self.held.remove(key);
            return Vec::new();
        };
        if let Some(reason) = refused(look, per_day) {
            return self.drop_push(key, reason);
        }
        held.stage = Stage::Ready;
        held.looked_at = now;
        Vec::new()
    }

    /// Begins to send pushes, the names in order. Those to a push service that has failed meanwhile are put off.
    fn begin_ready(&mut self, now: Timestamp) -> Vec<Effect> {
        let sending = self.counts(|held| held.stage == Stage::Sending);
        let mut free = self.bounds.connections;
        free = free.saturating_sub(sending.values().sum());
        let mut busy: BTreeMap<String, usize> = sending
            .into_iter()
            .map(|(service, count)| (service.to_owned(), count))
            .collect();
        let ready = self.held.iter();
        let ready = ready.filter(|(_, held)| held.stage == Stage::Ready);
        let ready: Vec<String> = ready.map(|(key, _)| key.clone()).collect();
        let mut effects = Vec::new();
        for key in ready {
            let Some(held) = self.held.get(&key) else {
                continue;
            };
            let service = held.entry.service.clone();
            if let Some(until) = self.paused_until(&service, now) {
                effects.extend(self.put_off(&key, until, Tried::Not));
                continue;
            }
            let count = busy.entry(service).or_default();
            if free == 0 || *count >= self.bounds.per_service {
                continue;
            }
            let Some(held) = self.held.get_mut(&key) else {
                continue;
            };
            if now > held.looked_at + FRESH {
                held.stage = Stage::Looking;
                effects.push(Effect::Look(key));
                continue;
            }
            held.stage = Stage::Sending;
            (free, *count) = (free - 1, *count + 1);
            effects.push(Effect::Begin(key));
        }
        effects
    }

    fn ended(&mut self, now: Timestamp, key: &str, outcome: Outcome) -> Vec<Effect> {
        let Some(held) = self.held.get(key) else {
            return Vec::new();
        };
        let (tries, unknown) = (held.entry.tries, held.entry.unknown);
        let (service, at) = (held.entry.service.clone(), held.entry.at);
        let until = self.note(now, &service, outcome);
        match outcome {
            Outcome::Sent => {
                let settlement = PushSettlement::Sent {
                    at: now,
                    day: day_of(now),
                };
                self.settle(key, settlement)
            }
            Outcome::Gone => self.lost(key, Reason::Gone, PushSettlement::Gone),
            Outcome::Refused => {
                let most = self.bounds.refusals;
                self.lost(key, Reason::Refused, PushSettlement::Refused { most })
            }
            Outcome::Unknown if unknown + 1 >= UNKNOWN_MOST => self.drop_push(key, Reason::Unknown),
            Outcome::Later(_) | Outcome::Down(_) | Outcome::Unreachable | Outcome::Unknown => {
                let asked = match outcome {
                    Outcome::Later(asked) | Outcome::Down(asked) => asked,
                    _ => None,
                };
                let due_at = (now + self.wait(tries, asked)).max(until);
                if due_at > at + self.bounds.give_up_ms {
                    return self.drop_push(key, Reason::GivenUp);
                }
                let tried = match outcome {
                    Outcome::Unknown => Tried::Unknown,
                    _ => Tried::Refused,
                };
                self.put_off(key, due_at, tried)
            }
        }
    }

    /// Notes what an outcome says about a push service; returns until when it is paused.
    fn note(&mut self, now: Timestamp, service: &str, outcome: Outcome) -> Timestamp {
        let asked = match outcome {
            Outcome::Down(asked) => asked,
            Outcome::Unreachable | Outcome::Unknown => None,
            Outcome::Sent | Outcome::Gone | Outcome::Refused | Outcome::Later(_) => {
                self.troubles.remove(service);
                return now;
            }
        };
        let before = self.troubles.get(service).copied();
        let failures = before.map_or(0, |trouble| trouble.failures);
        let paused_until = now + self.wait(failures, asked);
        let trouble = Trouble {
            failures: failures.saturating_add(1),
            paused_until: before.map_or(paused_until, |it| it.paused_until.max(paused_until)),
        };
        self.troubles.insert(service.to_owned(), trouble);
        if self.troubles.len() > SERVICES {
            // The one that may be tried soonest: it is the least loss to forget.
            let soonest = self.troubles.iter();
            let soonest = soonest.min_by_key(|(_, trouble)| trouble.paused_until);
            if let Some(service) = soonest.map(|(service, _)| service.clone()) {
                self.troubles.remove(&service);
            }
        }
        trouble.paused_until
    }

    /// Returns the wait after this number of failures before, or the one that the push service asks for, within its bound.
    fn wait(&self, failures: u32, asked: Option<Millis>) -> Millis {
        let most = self.bounds.retry_max_ms;
        let own = doubled(self.bounds.retry_ms, most, failures);
        or_asked(own, most, asked)
    }

    fn put_off(&mut self, key: &str, due_at: Timestamp, tried: Tried) -> Vec<Effect> {
        self.settle(key, PushSettlement::Later { due_at, tried })
    }

    fn drop_push(&mut self, key: &str, reason: Reason) -> Vec<Effect> {
        self.lost(key, reason, PushSettlement::Dropped)
    }

    fn lost(&mut self, key: &str, reason: Reason, settlement: PushSettlement) -> Vec<Effect> {
        let kind = self.held.get(key).map(|held| held.entry.kind);
        let report = kind.map(|kind| Effect::Drop(kind, reason));
        let settle = self.settle(key, settlement);
        report.into_iter().chain(settle).collect()
    }

    fn settle(&mut self, key: &str, settlement: PushSettlement) -> Vec<Effect> {
        let Some(held) = self.held.get_mut(key) else {
            return Vec::new();
        };
        held.stage = Stage::Settling;
        vec![Effect::Settle(key.to_owned(), settlement)]
    }
}

/// Returns why a push is not sent, if it is not.
const fn refused(look: Look, per_day: u32) -> Option<Reason> {
    if !look.is_current {
        return Some(Reason::Past);
    }
    if !look.is_wanted {
        return Some(Reason::Unwanted);
    }
    if look.is_present {
        return Some(Reason::Present);
    }
    if look.sent_today >= per_day {
        return Some(Reason::TooMany);
    }
    None
}

#[cfg(test)]
mod tests;
