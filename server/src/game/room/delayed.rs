//! What spectators see of a delayed game: the game as it was a while ago, until it is over.
//!
//! Beside the durable game the room keeps a second one, the fold of the records that are old enough, and the records
//! that are not yet. Everything that leaves the room for anybody but the players comes from the second one, so that
//! nothing of the first can slip through: hub, history, snapshots, the line in lists. When the game ends, what is still
//! held back is shown at once: the end reveals everything anyway.

use std::collections::VecDeque;
use std::sync::Arc;

use tilewire_protocol::{GameSummary, ServerMessage};
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::options::SpectatorView;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{Phase, ReplayError, State};
use tilewire_rules::view::Audience;

use super::history::{self, History};
use super::{HubInput, HubStart, Participant, Publication, Room, RoomEffect, RoomParts};
use crate::game::position::Position;
use crate::wire::snapshot;
use crate::wire::to_wire::GameFacts;

/// The game as spectators see it, and what they do not see yet.
#[derive(Debug)]
pub(super) struct Delayed {
    delay_ms: i64,
    audience: Audience,
    state: Arc<State>,
    history: History,
    started_at: Option<i64>,
    /// Durable records that are too young to be shown, the oldest first. No more than the game has.
    held: VecDeque<Record>,
}

/// What has become old enough.
#[derive(Debug, Clone, Copy)]
struct Ripe {
    /// The last event that was shown before.
    before: u64,
    /// Whether the first turn is part of it.
    has_started: bool,
}

impl Delayed {
    /// Makes the delayed game of a log, if it is one. The creation is shown at once: it says nothing that the seek did not.
    pub(super) fn of(
        parts: &RoomParts,
        records: &[Record],
        now: i64,
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
            delay_ms,
            audience: created.options.watchers(),
            state: Arc::new(state),
            history,
            started_at: None,
            held: VecDeque::new(),
        };
        delayed.hold(rest);
        delayed.ripen(now);
        Ok(Some(delayed))
    }

    /// Takes in records that have become durable.
    pub(super) fn hold(&mut self, records: &[Record]) {
        let known = self
            .held
            .back()
            .map_or(self.history.head(), |last| last.seq.0);
        let fresh = records.iter().filter(|record| record.seq.0 > known);
        self.held.extend(fresh.cloned());
    }

    /// When the oldest of what is held back is to be shown.
    pub(super) fn next_at(&self) -> Option<i64> {
        let oldest = self.held.front()?;
        Some(oldest.at.0.saturating_add(self.delay_ms))
    }

    /// How many of the records that are held back can be shown.
    fn due(&self, now: i64) -> usize {
        let is_end = |record: &Record| matches!(record.event, Event::Public(PublicEvent::Ended(_)));
        if self.held.back().is_some_and(is_end) {
            return self.held.len();
        }
        let is_old = |record: &Record| record.at.0.saturating_add(self.delay_ms) <= now;
        self.held.partition_point(is_old)
    }

    /// Moves what is old enough into the game that is shown; says what, if anything.
    fn ripen(&mut self, now: i64) -> Option<Ripe> {
        let due = self.due(now);
        if due == 0 {
            return None;
        }
        let before = self.history.head();
        let was_started = self.started_at.is_some();
        let ripe: Vec<Record> = self.held.drain(..due).collect();
        if !was_started {
            self.started_at = history::first_turn_at(&ripe);
        }
        self.history
            .extend(Arc::make_mut(&mut self.state), ripe.into())
            .expect("the durable game has taken these records already");
        Some(Ripe {
            before,
            has_started: !was_started && self.started_at.is_some(),
        })
    }

    fn is_over(&self) -> bool {
        self.state.phase() == Phase::Ended
    }

    fn position(&self, facts: &GameFacts, now: i64) -> Position {
        let at = if self.is_over() {
            now
        } else {
            now.saturating_sub(self.delay_ms)
                .max(self.state.last_at().0)
        };
        // Who is here now would tell of what has not been shown: only what the events told is.
        let connected = self
            .state
            .seats()
            .iter()
            .map(|seat| seat.claim_at.is_none());
        Position {
            facts: facts.clone(),
            state: Arc::clone(&self.state),
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
        now: i64,
    ) -> Vec<ServerMessage> {
        match self.history.after(after) {
            Some(entries) => entries
                .map(|entry| entry.seen_by(facts, rules, self.audience))
                .collect(),
            // More than is kept has become old enough at once.
            None => {
                let snapshot = self.position(facts, now).seen_by(self.audience);
                vec![ServerMessage::Snapshot(Box::new(snapshot))]
            }
        }
    }

    /// What a hub begins with.
    pub(super) fn hub_start(&self, parts: &RoomParts, now: i64) -> HubStart {
        let entries = self.history.all();
        HubStart {
            history: entries
                .map(|entry| entry.seen_by(&parts.facts, &parts.rules, self.audience))
                .collect(),
            position: self.position(&parts.facts, now),
        }
    }

    /// The game's line in the lists of others than its players.
    pub(super) fn summary(&self, facts: &GameFacts, watching: u32) -> GameSummary {
        snapshot::summary(facts, &self.state, self.started_at, watching)
    }
}

impl<P: Participant> Room<P> {
    /// Shows what has become old enough to everybody but the players.
    pub(super) fn show_ripe(&mut self, now: i64, out: &mut Vec<RoomEffect<P>>) {
        let Some(delayed) = &mut self.delayed else {
            return;
        };
        let Some(ripe) = delayed.ripen(now) else {
            return;
        };
        let (has_started, is_over) = (ripe.has_started, delayed.is_over());
        let (facts, rules) = (&self.parts.facts, &self.parts.rules);
        let messages = delayed.messages(facts, rules, ripe.before, now);
        delayed.history.pack();
        self.publish_delayed(now, messages, out);
        self.tell_public_list(has_started, is_over, out);
    }

    /// Shows messages to the spectators of a delayed game. That the game waits for the storage is not said: it would
    /// tell that something has just happened.
    pub(super) fn publish_delayed(
        &self,
        now: i64,
        messages: Vec<ServerMessage>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Some(delayed) = &self.delayed else {
            return;
        };
        if self.attendance.spectators() > 0 && !messages.is_empty() {
            out.push(RoomEffect::Hub(HubInput::Publish(Publication {
                messages,
                position: delayed.position(&self.parts.facts, now),
                is_paused: false,
            })));
        }
    }
}

/// Whether spectators of a delayed game may hear of this at once: of themselves, not of the game.
pub(super) fn may_be_told_at_once(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Crowd(_))
}
