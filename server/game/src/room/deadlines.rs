//! When the deadlines of a game fire, and what happens while nothing is being written.

use tilewire_rules::game::Input;
use tilewire_rules::time::{Millis, Timestamp};

use super::commands::Request;
use super::{Delayed, Participant, Room, RoomEffect, Writing, refuse_revoked};

/// Whether due deadlines may fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deadlines {
    Fire,
    Wait,
}

impl<P: Participant> Room<P> {
    /// Returns when [`super::RoomInput::Tick`] is due.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let at_rest = [
            self.fires_at(),
            self.next_vanishing(),
            self.evict_at(),
            self.sleeps_at(),
        ];
        let of_game = match &self.writing {
            Writing::Idle if self.awaits_until.is_some() => self.awaits_until,
            Writing::Idle => at_rest.into_iter().flatten().min(),
            Writing::Appending(flight) => {
                (!self.is_paused).then(|| flight.since + self.parts.bounds.storage_stall_ms)
            }
            Writing::Resting { since } => {
                (!self.is_paused).then(|| *since + self.parts.bounds.storage_stall_ms)
            }
            Writing::Waiting { retry_at, .. } => Some(*retry_at),
            Writing::Reloading(reload) => reload.retry_at(),
        };
        let ripens = self.delayed.as_ref().and_then(Delayed::next_at);
        let presence = self
            .attached
            .presence_due(self.parts.bounds.presence_every_ms);
        [of_game, self.attached.crowd_due, presence, ripens]
            .into_iter()
            .flatten()
            .min()
    }

    /// Returns when the next deadline of the game fires (P-GAME-6). A command that another node has read before it may still be
    /// on its way here.
    fn fires_at(&self) -> Option<Timestamp> {
        self.game
            .next_deadline()
            .map(|at| at + self.deadline_wait())
    }

    fn deadline_wait(&self) -> Millis {
        match self.attached.has_player_elsewhere() {
            true => self.parts.bounds.deadline_wait_ms,
            false => Millis::ZERO,
        }
    }

    /// Returns the deadline that is over and does not fire yet, if there is one. Everything else at or behind it waits too: it would
    /// make the deadline fire.
    fn awaited_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        let deadline = self.game.next_deadline().filter(|at| *at <= now)?;
        (now < deadline + self.deadline_wait()).then_some(deadline)
    }

    fn next_received_before(&mut self, deadline: Timestamp) -> Option<Request<P>> {
        let mut queue = self.queue.iter();
        let at = queue.position(|request| request.asked.received_at < deadline)?;
        self.queue.remove(at)
    }

    fn ask(&mut self, now: Timestamp, request: Request<P>, out: &mut Vec<RoomEffect<P>>) {
        match request.asked.peer.is_revoked() {
            true => refuse_revoked(out, request.asked.peer, request.asked.request_id),
            false => self.carry_out(now, request, out),
        }
    }

    /// Does everything that is possible while nothing is being written. Deadlines fire only with a tick, so that
    /// commands received before them go first.
    pub(super) fn advance(
        &mut self,
        now: Timestamp,
        deadlines: Deadlines,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        self.awaits_until = None;
        while matches!(self.writing, Writing::Idle) && !self.is_stopping {
            if let Some(stopped_at) = self.credit_from.take() {
                self.step(now, Input::Resumed { stopped_at }, out);
            } else if let Some(deadline) = self.awaited_deadline(now) {
                let Some(request) = self.next_received_before(deadline) else {
                    self.awaits_until = Some(deadline + self.deadline_wait());
                    return;
                };
                self.ask(now, request, out);
            } else if let Some(ordered) = self.orders.next() {
                self.carry_out_order(now, ordered, out);
            } else if let Some(request) = self.queue.pop_front() {
                self.ask(now, request, out);
            } else if let Some(reply) = self.bots.next_reply() {
                self.bot_acts(now, &reply, out);
            } else if let Some(seat) = self.returned_seat() {
                self.step(now, Input::Returned(seat), out);
            } else if deadlines == Deadlines::Wait {
                return;
            } else if self.fires_at().is_some_and(|due| due <= now) {
                self.step(now, Input::Tick, out);
            } else if let Some(seat) = self.vanished_seat(now) {
                self.attached.reported(seat);
                self.step(now, Input::Vanished(seat), out);
            } else {
                return;
            }
        }
    }
}
