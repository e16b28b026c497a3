//! The check that no player is charged for lost time: outages and stalls, awake or asleep.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::time::Timestamp;

use super::adjourn::{rests, rests_after};
use super::{Auditor, Log};

/// How much earlier than a stall its credit can begin, ms: the server does not notice more often that it runs.
const BEAT_MS: i64 = 200;

/// An outage or a stall.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost {
    pub(super) from: i64,
    to: i64,
    /// When the server was ready at the latest.
    ready_at: i64,
}

impl Lost {
    pub(super) const fn new(from: i64, to: i64) -> Self {
        Self {
            from,
            to,
            ready_at: to,
        }
    }

    pub(super) const fn ended_at(&self) -> i64 {
        self.to
    }

    /// The server that ended it was ready at `now`.
    pub(super) const fn ends_by(&mut self, now: i64) {
        self.ready_at = now;
    }
}

impl Auditor {
    /// The server stood still. `awaited`: the games for which it awaited the storage, and since when.
    pub fn stalled(
        &mut self,
        from: i64,
        to: i64,
        asleep: &BTreeSet<GameId>,
        awaited: &BTreeMap<GameId, Timestamp>,
    ) {
        self.stalls.push((from, to));
        self.stall_count += 1;
        self.lost.push(Lost::new(from, to));
        // The server answers now what came during the stall, and its timers fire now.
        self.ready_at = to;
        for (game, log) in self.logs.iter_mut().filter(|(_, log)| log.is_credited()) {
            log.has_slept = asleep.contains(game);
            log.awaited_since = awaited.get(game).copied();
            if log.has_slept {
                log.owes_stalls.clear();
            } else {
                log.owes_stalls.push((from, to));
            }
        }
    }
}

impl Log {
    /// Checks that every event after lost time credits it, and that a game that slept gets no more than that. Returns how many
    /// credits there were for games that slept.
    pub(super) fn check_lost(&mut self, fresh: &[Record], lost: &[Lost], asked_at: i64) -> u64 {
        let mut credits = 0;
        let mut last_at = self.records.last().map_or(i64::MAX, |record| record.at.0);
        let mut rests_now = rests(self.records.iter());
        for record in fresh {
            let did_rest = rests_now;
            rests_now = rests_after(record).unwrap_or(rests_now);
            // An append may have been in flight when the server stopped.
            let between = |one: &&Lost| one.to <= record.at.0 && one.to > last_at;
            let between: Vec<&Lost> = lost.iter().filter(between).collect();
            let least = between.iter().map(|one| one.to - one.from.max(last_at));
            let least: i64 = least.sum();
            let least = (least - std::mem::take(&mut self.lived_again_ms)).max(0);
            last_at = record.at.0;
            // No clock runs in a game that rests, and its end follows the wall clock.
            self.has_slept &= !did_rest;
            if least == 0 || did_rest || !self.is_credited() {
                continue;
            }
            let Event::Public(PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                ..
            }) = &record.event
            else {
                panic!("{between:?} are not credited: {record:?}");
            };
            let credited = resumed_at.0 - stopped_at.0;
            assert!(
                credited >= least,
                "{credited} of {least} ms are credited: {record:?}"
            );
            if std::mem::take(&mut self.has_slept) {
                let most = between.iter().map(|one| one.ready_at - one.from + BEAT_MS);
                let most: i64 = most.sum();
                // A game that the storage has asleep can be awake: it gets the time that the storage took, too.
                let awaited = self.awaited_since.take().zip(between.first());
                let most = most + awaited.map_or(0, |(since, one)| (one.from - since.0).max(0));
                // The storage may have taken its time after that.
                let credited = asked_at.min(resumed_at.0) - stopped_at.0;
                assert!(
                    credited <= most,
                    "{credited} instead of at most {most} ms are credited: {record:?}"
                );
                credits += 1;
            }
        }
        credits
    }
}
