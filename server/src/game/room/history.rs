//! The recent events of a game, kept for clients that resume.

use std::collections::VecDeque;

use tilewire_protocol::ServerMessage;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::mutants::{self, Mutant};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{ReplayError, ReplayProblem, State};
use tilewire_rules::time::Seq;
use tilewire_rules::view::Audience;

use crate::wire::to_wire::{self, Aftermath, GameFacts};
use std::sync::Arc;

/// A record with what the state after it adds.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) aftermath: Aftermath,
}

/// The last events, at most so many.
#[derive(Debug)]
pub(super) struct History {
    entries: VecDeque<Entry>,
    capacity: usize,
}

impl History {
    /// Returns the history of a log, and the state after it.
    pub(super) fn replay(
        rules: &Arc<RuleSet>,
        records: impl IntoIterator<Item = Record>,
        capacity: usize,
    ) -> Result<(Self, State), ReplayError> {
        let mut history = Self {
            entries: VecDeque::new(),
            capacity: capacity.max(1),
        };
        let mut records = records.into_iter();
        let Some(first) = records.next() else {
            return Err(ReplayError {
                seq: Seq(1),
                problem: ReplayProblem::NoCreation,
            });
        };
        let mut state = State::begin(Arc::clone(rules), &first)?;
        history.push(&state, first);
        history.extend(&mut state, records)?;
        Ok((history, state))
    }

    /// Adds records to the history, and to `state`, which is the state before them.
    pub(super) fn extend(
        &mut self,
        state: &mut State,
        records: impl IntoIterator<Item = Record>,
    ) -> Result<(), ReplayError> {
        for record in records {
            state.apply(&record)?;
            self.push(state, record);
        }
        Ok(())
    }

    fn push(&mut self, after: &State, record: Record) {
        if self.entries.len() == self.capacity {
            self.entries.pop_front();
        }
        let aftermath = Aftermath::of(after, &record);
        self.entries.push_back(Entry { record, aftermath });
    }

    /// Returns the number of the last event.
    pub(super) fn head(&self) -> u64 {
        self.entries.back().map_or(0, |entry| entry.record.seq.0)
    }

    /// Returns the last record.
    pub(super) fn last(&self) -> Option<&Record> {
        self.entries.back().map(|entry| &entry.record)
    }

    /// Returns the events after `seq`, or `None` when some of them are kept no longer, or `seq` is yet to come.
    pub(super) fn after(&self, seq: u64) -> Option<impl Iterator<Item = &Entry>> {
        let oldest = self.entries.front()?.record.seq.0;
        let skip = seq.checked_add(1)?.checked_sub(oldest)?;
        let skip = usize::try_from(skip).ok()?;
        let skip = skip + usize::from(mutants::is(Mutant::ResumeSkipsOne));
        (skip <= self.entries.len()).then(|| self.entries.iter().skip(skip))
    }

    /// Returns everything kept.
    pub(super) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}

impl Entry {
    /// Returns the event as `audience` sees it.
    pub(super) fn seen_by(
        &self,
        facts: &GameFacts,
        rules: &RuleSet,
        audience: Audience,
    ) -> ServerMessage {
        ServerMessage::Event(to_wire::event(
            facts,
            rules,
            &self.record,
            self.aftermath,
            audience,
        ))
    }
}

/// Returns when the first turn of a log began.
pub(super) fn first_turn_at<'a>(records: impl IntoIterator<Item = &'a Record>) -> Option<i64> {
    records.into_iter().find_map(|record| match &record.event {
        Event::Public(PublicEvent::TurnStarted { .. }) => Some(record.at.0),
        Event::Public(_)
        | Event::Created(_)
        | Event::BagShuffled { .. }
        | Event::TilesDrawn { .. }
        | Event::Exchanged { .. } => None,
    })
}
