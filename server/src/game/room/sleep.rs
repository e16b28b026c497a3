//! Falling asleep: a game by correspondence that nobody is at, and in which nothing is to happen soon, leaves memory. Its
//! next deadline and its line in lists go into the storage; whoever asks for the game, or the deadline, wakes it.
//!
//! Invariant: a room lets go of a sleeping game only if its log and what is stored beside it are all there is to know.

use super::journal::Writing;
use super::{Participant, Room, RoomEffect};
use crate::game::lines;
use crate::storage::{AppendError, Rest};

impl<P: Participant> Room<P> {
    /// The next deadline, if until then there is nothing to do, nothing to wait for and nothing to remember but the log.
    fn quiet_until(&self) -> Option<i64> {
        let state = self.game.state();
        let is_deserted =
            self.attendance.is_empty() && self.queue.is_empty() && self.open.is_empty();
        // Only of these games an outage is not credited, so that nobody need know how long one slept.
        let is_by_correspondence = state.options().clock.is_correspondence();
        let is_settled = self.doubted.is_empty()
            && self.credit_from.is_none()
            && !self.is_paused
            && !self.is_stopping
            // Nothing is held back from spectators any more: lists show the same to all.
            && self.delayed.as_ref().is_none_or(|delayed| delayed.next_at().is_none());
        let is_quiet =
            is_deserted && is_by_correspondence && is_settled && !self.house.has_work(state);
        let until = self.game.next_deadline().filter(|_| is_quiet)?;
        Some(until.0)
    }

    /// Says until when the room may leave memory at `now`, if it may.
    fn may_sleep(&self, now: i64) -> Option<i64> {
        let least_ms = self.parts.bounds.sleep_min_ms;
        self.quiet_until()
            .filter(|until| until.saturating_sub(now) >= least_ms)
    }

    /// When the room falls asleep if nothing happens before.
    pub(super) fn sleeps_at(&self) -> Option<i64> {
        let at = self.busy_at + self.parts.bounds.sleep_idle_ms;
        self.may_sleep(at).map(|_| at)
    }

    /// Asks the storage to keep the game from here on, if it is time.
    pub(super) fn fall_asleep(&mut self, now: i64, out: &mut Vec<RoomEffect<P>>) {
        let is_time = self.sleeps_at().is_some_and(|at| at <= now);
        if !is_time || !matches!(self.writing, Writing::Idle) {
            return;
        }
        let Some(wakes_at) = self.may_sleep(now) else {
            // This tick came too late for it: the deadline is near.
            self.busy_at = now;
            return;
        };
        let summary = self.summary();
        out.push(RoomEffect::Rest(Box::new(Rest {
            game: self.parts.facts.game.0.clone(),
            after: self.game.state().seq().0,
            wakes_at,
            is_listed: !summary.private && summary.started_at.is_some(),
            line: lines::encode(&summary),
        })));
        self.writing = Writing::Resting { since: now };
    }

    /// The storage has answered. Returns whether it keeps the game.
    pub(super) fn rested(
        &mut self,
        now: i64,
        outcome: &Result<(), AppendError>,
        out: &mut Vec<RoomEffect<P>>,
    ) -> bool {
        let Writing::Resting { since } = std::mem::replace(&mut self.writing, Writing::Idle) else {
            debug_assert!(false, "a rest was answered that was not in flight");
            return false;
        };
        // On a failure the game goes on, and tries again when it has been idle for as long once more. Should the storage
        // keep it after all, nothing is wrong: the next append wakes it.
        self.unpause(now, since, out);
        outcome.is_ok()
    }

    /// Lets go of a game that the storage keeps, unless somebody has come, or something is to happen, meanwhile.
    pub(super) fn leave_asleep(&self, now: i64, out: &mut Vec<RoomEffect<P>>) {
        if matches!(self.writing, Writing::Idle) && self.may_sleep(now).is_some() {
            out.push(RoomEffect::Stop);
        }
    }
}
