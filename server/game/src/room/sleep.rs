//! Sleep: a game without clients and without a near deadline leaves memory. The storage keeps its next deadline, its
//! summary and the lost time that it knows of; the deadline or a client wakes it.
//!
//! Invariant: a sleeping game has no state besides its log and its entry in the storage. All lost time until then is in its
//! log.

use tilewire_rules::time::Timestamp;

use super::journal::Writing;
use super::{Participant, Room, RoomEffect};
use crate::stored_summary;
use tilewire_store::{AppendError, Rest};

impl<P: Participant> Room<P> {
    /// Returns the next deadline, if until then the room has nothing to do, to wait for, or to remember besides the
    /// log.
    fn quiet_until(&self) -> Option<Timestamp> {
        let state = self.game.state();
        let is_deserted = self.attached.is_empty() && self.queue.is_empty() && self.open.is_empty();
        let is_settled = self.unconfirmed.is_empty()
            && self.credit_from.is_none()
            && !self.is_paused
            // So one order lets every paused game go on.
            && self.game.state().pause().is_none()
            && !self.is_stopping
            && self.next_vanishing().is_none()
            // Nothing is held back from spectators: all lists show the same.
            && self.delayed.as_ref().is_none_or(|delayed| delayed.next_at().is_none());
        let is_quiet = is_deserted && is_settled && !self.bots.has_work(state);
        self.game.next_deadline().filter(|_| is_quiet)
    }

    /// Returns until when the room may leave memory at `now`, if it may.
    fn may_sleep(&self, now: Timestamp) -> Option<Timestamp> {
        let least_ms = self.parts.bounds.sleep_min_ms;
        self.quiet_until().filter(|until| *until - now >= least_ms)
    }

    /// Returns when the room falls asleep if nothing happens before.
    pub(super) fn sleeps_at(&self) -> Option<Timestamp> {
        let at = self.busy_at + self.parts.bounds.sleep_idle_ms;
        self.may_sleep(at).map(|_| at)
    }

    /// Asks the storage to keep the game, if it is time.
    pub(super) fn fall_asleep(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        let is_time = self.sleeps_at().is_some_and(|at| at <= now);
        if !is_time || !matches!(self.writing, Writing::Idle) {
            return;
        }
        let Some(wakes_at) = self.may_sleep(now) else {
            // This tick came too late: the deadline is near.
            self.busy_at = now;
            return;
        };
        out.push(RoomEffect::Rest(Box::new(self.rest(wakes_at))));
        self.writing = Writing::Resting { since: now };
    }

    /// Returns how a game that is created at `now` for another node sleeps. It wakes at its first deadline at the latest.
    pub(crate) fn first_rest(&self, now: Timestamp) -> Rest {
        self.rest(self.game.next_deadline().unwrap_or(now))
    }

    fn rest(&self, wakes_at: Timestamp) -> Rest {
        let summary = self.summary();
        let is_credited = !self.game.state().options().clock.is_correspondence();
        Rest {
            game: self.parts.facts.game.clone(),
            after: self.game.state().seq().0,
            wakes_at,
            is_listed: !summary.private && summary.started_at.is_some(),
            line: stored_summary::encode(&summary, is_credited.then_some(self.lost_ms)),
            lost_ms: self.lost_ms,
        }
    }

    /// Takes the storage's answer. Returns whether it keeps the game.
    pub(super) fn rested(
        &mut self,
        now: Timestamp,
        outcome: &Result<(), AppendError>,
        out: &mut Vec<RoomEffect<P>>,
    ) -> bool {
        let Writing::Resting { since } = std::mem::replace(&mut self.writing, Writing::Idle) else {
            debug_assert!(false, "a rest was answered that was not in flight");
            return false;
        };
        if *outcome == Err(AppendError::Fenced) {
            self.drop_fenced(out);
            return false;
        }
        // After a failure the game goes on, and tries again when it has been idle as long again. If the storage keeps
        // it after all, the next append wakes it.
        self.unpause(now, since, out);
        outcome.is_ok()
    }

    /// Ends the room of a sleeping game, unless a client has come or a deadline is near meanwhile.
    pub(super) fn leave_asleep(&self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        if matches!(self.writing, Writing::Idle) && self.may_sleep(now).is_some() {
            out.push(RoomEffect::Stop);
        }
    }
}
