//! A delayed game as spectators see it: the game as it was some time ago, until it is over.
//!
//! Besides the durable game, the room keeps a second one: the fold of the records that are old enough, and the younger
//! records. Everything that the room sends to others than players comes from the second one, so that nothing of the
//! first can leak: hub, history, snapshots, summaries. When the game ends, the held records are shown immediately,
//! because the end reveals everything.

use std::collections::VecDeque;
use std::sync::Arc;

use tilewire_protocol::{GameSummary, ServerMessage};
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::options::SpectatorView;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{Phase, ReplayError, State};
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_rules::view::Audience;

use super::history::{self, History};
use super::{HubInput, HubStart, Participant, Publication, Room, RoomEffect, RoomParts};
use crate::position::Position;
use tilewire_wire::snapshot;
use tilewire_wire::to_wire::GameFacts;

/// The game as spectators see it, and the records that they do not see yet.
#[derive(Debug)]
pub(super) struct Delayed {
    delay_ms: Millis,
    audience: Audience,
    state: Arc<State>,
    history: History,
    started_at: Option<Timestamp>,
    /// Durable records that are too young to be shown, oldest first. Bounded by the length of the game.
    held: VecDeque<Record>,
}

/// Records that have just become old enough.
#[derive(Debug, Clone, Copy)]
struct Due {
    /// The last event before them.
    before: u64,
    /// Whether they contain the first turn.
    has_started: bool,
}

impl Delayed {
    /// Returns the delayed game of a log, if its options ask for a delay. The creation is shown immediately: it says no
    /// more than the seek did.
    pub(super) fn of(
        parts: &RoomParts,
        records: &[Record],
        now: Timestamp,
    ) -> Result<Option<Self>, ReplayError> {
        let Some((first, rest)) = records.split_first() else {
            return Ok(None);
        };
        let Event::Created(created) = &first.event else {
            return Ok(None);
        };
        let Some(SpectatorView { delay_ms, racks: _ }) = created.options.spectators else {
            return Ok(None);
        };
        let capacity = parts.bounds.history_events;
        let (history, state) =
            History::replay(&parts.rules, vec![first.clone()], Vec::new(), capacity)?;
        let mut delayed = Self {
            delay_ms: Millis(delay_ms),
            audience: created.options.watchers(),
            state: Arc::new(state),
            history,
            started_at: None,
            held: VecDeque::new(),
        };
        delayed.hold(rest);
        delayed.advance(now);
        Ok(Some(delayed))
    }

    /// Adds records that have become durable.
    pub(super) fn hold(&mut self, records: &[Record]) {
        let known = self
            .held
            .back()
            .map_or(self.history.head(), |last| last.seq.0);
        let fresh = records.iter().filter(|record| record.seq.0 > known);
        self.held.extend(fresh.cloned());
    }

    /// Returns when the oldest held record is due.
    pub(super) fn next_at(&self) -> Option<Timestamp> {
        let oldest = self.held.front()?;
        Some(oldest.at + self.delay_ms)
    }

    /// Returns how many of the held records are due.
    fn due(&self, now: Timestamp) -> usize {
        let is_end = |record: &Record| matches!(record.event, Event::Public(PublicEvent::Ended(_)));
        if self.held.back().is_some_and(is_end) {
            return self.held.len();
        }
        let is_old = |record: &Record| record.at + self.delay_ms <= now;
        self.held.partition_point(is_old)
    }

    /// Shows the due records; returns what changed, if there are any.
    fn advance(&mut self, now: Timestamp) -> Option<Due> {
        let due = self.due(now);
        if due == 0 {
            return None;
        }
        let before = self.history.head();
        let was_started = self.started_at.is_some();
        let due_records: Vec<Record> = self.held.drain(..due).collect();
        if !was_started {
            self.started_at = history::first_turn_at(&due_records);
        }
        self.history
            .extend(Arc::make_mut(&mut self.state), due_records.into())
            .expect("the durable game has taken these records already");
        Some(Due {
            before,
            has_started: !was_started && self.started_at.is_some(),
        })
    }

    fn is_over(&self) -> bool {
        self.state.phase() == Phase::Ended
    }

    fn position(&self, facts: &GameFacts, now: Timestamp) -> Position {
        let at = if self.is_over() {
            now
        } else {
            (now - self.delay_ms).max(self.state.last_at())
        };
        // The present connections would reveal recent events; the shown events count.
        let connected = self
            .state
            .seats()
            .iter()
            .map(|seat| seat.claim_at.is_none());
        Position {
            facts: facts.clone(),
            state: Arc::clone(&self.state),
            waiting: None,
            connected: connected.collect(),
            watchers: self.audience,
            at,
        }
    }

    fn messages(
        &self,
        facts: &GameFacts,
        rules: &RuleSet,
        after: u64,
        now: Timestamp,
    ) -> Vec<ServerMessage> {
        match self.history.after(after) {
            Some(entries) => entries
                .map(|entry| entry.seen_by(facts, rules, self.audience))
                .collect(),
            // More events than the history keeps became due together.
            None => {
                let snapshot = self.position(facts, now).seen_by(self.audience);
                vec![ServerMessage::Snapshot(Box::new(snapshot))]
            }
        }
    }

    /// Returns the state that a hub starts with.
    pub(super) fn hub_start(&self, parts: &RoomParts, now: Timestamp) -> HubStart {
        let entries = self.history.all();
        HubStart {
            history: entries
                .map(|entry| entry.seen_by(&parts.facts, &parts.rules, self.audience))
                .collect(),
            position: self.position(&parts.facts, now),
            // It would reveal that something happened.
            is_paused: false,
        }
    }

    /// Returns the game's summary for others than its players.
    pub(super) fn summary(&self, facts: &GameFacts, watching: u32) -> GameSummary {
        snapshot::summary(facts, &self.state, self.started_at, watching)
    }
}

impl<P: Participant> Room<P> {
    /// Publishes the due records to all but the players.
    pub(super) fn publish_due(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        let Some(delayed) = &mut self.delayed else {
            return;
        };
        let Some(due) = delayed.advance(now) else {
            return;
        };
        let (has_started, is_over) = (due.has_started, delayed.is_over());
        let (facts, rules) = (&self.parts.facts, &self.parts.rules);
        let messages = delayed.messages(facts, rules, due.before, now);
        delayed.history.pack();
        self.publish_delayed(now, messages, out);
        self.update_public_list(has_started, is_over, out);
    }

    /// Publishes messages to the spectators of a delayed game. A pause is not announced: it would reveal that something
    /// has just happened.
    pub(super) fn publish_delayed(
        &self,
        now: Timestamp,
        messages: Vec<ServerMessage>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Some(delayed) = &self.delayed else {
            return;
        };
        if self.attached.spectators() > 0 && !messages.is_empty() {
            out.push(RoomEffect::Hub(HubInput::Publish(Publication {
                messages,
                position: delayed.position(&self.parts.facts, now),
                is_paused: false,
            })));
        }
    }
}

/// Says whether spectators of a delayed game may get this message immediately: it is about them, or about a game that has
/// ended and hides nothing any more.
pub(super) fn may_be_told_at_once(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Crowd(_) | ServerMessage::Rematch(_))
}
