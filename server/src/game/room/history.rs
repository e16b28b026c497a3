//! The recent events of a game, kept for clients that resume.
//!
//! What became durable last is there as it is: it is about to be told. What came before is packed, a fifth of the size;
//! few ask for it.

use std::borrow::Cow;
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
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) aftermath: Aftermath,
}

/// An entry as it waits to be asked for.
#[derive(Debug)]
struct Packed {
    record: Box<[u8]>,
    aftermath: Aftermath,
}

/// The last events, at most so many.
#[derive(Debug)]
pub(super) struct History {
    /// Those that became durable together last.
    latest: Vec<Entry>,
    /// Those before them, the oldest first.
    earlier: VecDeque<Packed>,
    head: u64,
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
            latest: Vec::new(),
            earlier: VecDeque::new(),
            head: 0,
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
        history.add(&mut state, records)?;
        history.pack();
        Ok((history, state))
    }

    /// Adds records to the history, and to `state`, which is the state before them.
    pub(super) fn extend(
        &mut self,
        state: &mut State,
        records: impl IntoIterator<Item = Record>,
    ) -> Result<(), ReplayError> {
        self.pack();
        self.add(state, records)
    }

    fn add(
        &mut self,
        state: &mut State,
        records: impl IntoIterator<Item = Record>,
    ) -> Result<(), ReplayError> {
        for record in records {
            state.apply(&record)?;
            self.push(state, record);
        }
        let spare = self.len().saturating_sub(self.capacity);
        self.earlier.drain(..spare.min(self.earlier.len()));
        Ok(())
    }

    fn push(&mut self, after: &State, record: Record) {
        self.head = record.seq.0;
        let aftermath = Aftermath::of(after, &record);
        self.latest.push(Entry { record, aftermath });
    }

    /// Packs what has been told.
    pub(super) fn pack(&mut self) {
        let latest = std::mem::take(&mut self.latest);
        self.earlier
            .extend(latest.into_iter().map(|entry| entry.packed()));
        let spare = self.earlier.len().saturating_sub(self.capacity);
        self.earlier.drain(..spare);
    }

    /// Returns the number of the last event.
    pub(super) const fn head(&self) -> u64 {
        self.head
    }

    /// Returns the last record.
    pub(super) fn last(&self) -> Option<Cow<'_, Record>> {
        self.all().next_back().map(|entry| match entry {
            Cow::Borrowed(entry) => Cow::Borrowed(&entry.record),
            Cow::Owned(entry) => Cow::Owned(entry.record),
        })
    }

    /// Returns the events after `seq`, or `None` when some of them are kept no longer, or `seq` is yet to come.
    pub(super) fn after(&self, seq: u64) -> Option<impl Iterator<Item = Cow<'_, Entry>>> {
        let missed = usize::try_from(self.head.checked_sub(seq)?).ok()?;
        if missed > self.capacity {
            return None;
        }
        let skip = self.len().checked_sub(missed)?;
        let skip = skip + usize::from(mutants::is(Mutant::ResumeSkipsOne));
        (skip <= self.len()).then(|| self.from(skip))
    }

    /// Returns everything kept.
    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = Cow<'_, Entry>> {
        self.from(0)
    }

    fn len(&self) -> usize {
        self.earlier.len() + self.latest.len()
    }

    fn from(&self, skip: usize) -> impl DoubleEndedIterator<Item = Cow<'_, Entry>> {
        let latest = skip.saturating_sub(self.earlier.len());
        let earlier = self.earlier.range(skip.min(self.earlier.len())..);
        let earlier = earlier.map(|packed| Cow::Owned(packed.unpacked()));
        earlier.chain(self.latest[latest..].iter().map(Cow::Borrowed))
    }
}

impl Packed {
    fn unpacked(&self) -> Entry {
        Entry {
            record: rmp_serde::from_slice(&self.record)
                .expect("it was a record before it was packed"),
            aftermath: self.aftermath,
        }
    }
}

impl Entry {
    fn packed(&self) -> Packed {
        let record = rmp_serde::to_vec_named(&self.record);
        Packed {
            record: record.expect("a record is plain data").into(),
            aftermath: self.aftermath,
        }
    }

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
