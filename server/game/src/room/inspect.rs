//! The operator's view of a room, and the orders of operators.

use std::collections::VecDeque;

use tilewire_protocol::ServerMessage;
use tilewire_rules::event::Record;
use tilewire_rules::game::{Input, Order};
use tilewire_rules::state::Pause;
use tilewire_rules::time::Timestamp;

use super::journal::Writing;
use super::{Participant, Room, RoomEffect};
use crate::operator::{Asker, Inspection, StorageWait};

/// Orders that wait at most; a further one is answered without an effect.
const WAITING_MOST: usize = 8;

/// An order that waits for the append in flight.
#[derive(Debug)]
pub(super) struct Ordered {
    asker: Asker,
    /// The number of the last event that the operator has seen.
    seq: Option<u64>,
    order: Order,
}

/// The pending orders of operators.
#[derive(Debug, Default)]
pub(super) struct Orders {
    waiting: VecDeque<Ordered>,
    /// The operators to answer when nothing is in flight and no order waits, each with the record of the order if it was
    /// possible.
    askers: Vec<(Asker, Option<Record>)>,
}

impl Orders {
    pub(super) fn push(&mut self, asker: Asker, seq: Option<u64>, order: Order) {
        if self.waiting.len() < WAITING_MOST {
            self.waiting.push_back(Ordered { asker, seq, order });
        } else {
            self.askers.push((asker, None));
        }
    }

    /// Takes the next order.
    pub(super) fn next(&mut self) -> Option<Ordered> {
        self.waiting.pop_front()
    }
}

impl<P: Participant> Room<P> {
    /// Carries out an order if the game has not moved on since the operator has seen it.
    pub(super) fn carry_out_order(
        &mut self,
        now: Timestamp,
        ordered: Ordered,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Ordered { asker, seq, order } = ordered;
        let mut record = None;
        if seq.is_none_or(|seq| seq == self.game.state().seq().0) {
            let transition = self
                .game
                .handle(&self.context(), now, Input::Ordered(order));
            let mut records = transition.records.iter();
            record = records
                .find(|record| order.is_done_by(&record.event))
                .cloned();
            self.begin(now, transition, None, out);
        }
        self.orders.askers.push((asker, record));
    }

    /// Answers the operators whose orders were carried out or had no effect: they see the durable game.
    pub(super) fn answer_operators(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        if !self.orders.waiting.is_empty() {
            return;
        }
        for (asker, record) in std::mem::take(&mut self.orders.askers) {
            let took_effect = record.is_some_and(|record| self.has_stored(&record));
            let inspection = Box::new(Inspection {
                took_effect,
                ..self.inspection(now)
            });
            out.push(RoomEffect::Inspected(asker, inspection));
        }
    }

    /// Returns whether the log has a record. An append whose outcome was unknown may have been lost.
    fn has_stored(&self, record: &Record) -> bool {
        let stored = self.history.after(record.seq.0 - 1);
        let stored = stored.and_then(|mut stored| stored.next());
        stored.is_some_and(|stored| stored.record.event == record.event)
    }

    /// Tells clients that an operator has paused the game or let it go on. `before` is the pause before the last events. Nobody
    /// was away in the pause.
    pub(super) fn tell_pause(
        &mut self,
        now: Timestamp,
        before: Option<Pause>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let paused = self.game.state().pause();
        if let Some(before) = before.filter(|before| Some(*before) != paused) {
            self.attached.excuse(now, now - before.since);
            self.tell_unpaused(now, out);
        }
        if paused.is_some() && paused != before {
            let paused = ServerMessage::Paused(self.game_ref());
            self.fan_out(now, paused, out);
        }
    }

    /// Returns whether clients were told that the game takes no commands: it waits for the storage, or is paused.
    pub(crate) fn stands_still(&self) -> bool {
        self.is_paused || self.game.state().pause().is_some()
    }

    /// Returns the game at this moment: durable events only.
    pub(super) fn inspection(&self, now: Timestamp) -> Inspection {
        Inspection {
            position: self.position(now),
            queued: self.queue.len(),
            unanswered: self.open.len(),
            watching: self.attached.spectators(),
            storage: match &self.writing {
                Writing::Idle => StorageWait::Idle,
                Writing::Appending(_) => StorageWait::Appending,
                Writing::Waiting { .. } => StorageWait::Refused,
                Writing::Reloading(_) => StorageWait::Reading,
                Writing::Resting { .. } => StorageWait::Resting,
            },
            is_paused: self.stands_still(),
            next_deadline: self.next_deadline(),
            took_effect: false,
        }
    }
}
