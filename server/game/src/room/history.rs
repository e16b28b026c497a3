//! The recent events of a game, for clients that resume.
//!
//! The records of the last append are kept decoded, because they are about to be sent. Earlier ones are kept as stored
//! rows, a fifth of the size; few clients need them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use tilewire_protocol::ServerMessage;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::game::Game;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{ReplayError, ReplayProblem, State};
use tilewire_rules::time::{Seq, Timestamp};
use tilewire_rules::view::Audience;

use tilewire_store::{RecordBatch, RecordRow};
use tilewire_wire::to_wire;
use tilewire_wire::to_wire::{Aftermath, GameFacts};

/// A record with the facts of the state after it.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) record: Cow<'a, Record>,
    aftermath: Aftermath,
}

/// The last events: up to the capacity, plus those in the same row as the first of them.
#[derive(Debug)]
pub(super) struct History {
    /// The records of the last append, while they are being sent.
    latest: Option<RecordBatch>,
    /// The rows before them, oldest first.
    earlier: VecDeque<RecordRow>,
    /// The facts of the states after both, by event number, where they are not `plain`.
    aftermaths: VecDeque<(u64, Aftermath)>,
    /// The facts of the states after most events.
    plain: Aftermath,
    /// Number of the last event that is no longer kept.
    forgotten: u64,
    head: u64,
    capacity: u64,
}

impl History {
    /// Returns the history of a log, and the state after it. `rows` are the records as they are stored, if they are
    /// known.
    pub(super) fn replay(
        rules: &Arc<RuleSet>,
        records: Vec<Record>,
        rows: Vec<RecordRow>,
        capacity: usize,
    ) -> Result<(Self, State), ReplayError> {
        let Some((first, others)) = records.split_first() else {
            return Err(ReplayError {
                seq: Seq(1),
                problem: ReplayProblem::NoCreation,
            });
        };
        let mut state = State::begin(Arc::clone(rules), first)?;
        let mut history = Self {
            latest: None,
            earlier: rows.into(),
            aftermaths: VecDeque::new(),
            plain: Aftermath::of(&state, first),
            forgotten: 0,
            head: first.seq.0,
            capacity: u64::try_from(capacity.max(1)).unwrap_or(u64::MAX),
        };
        history.apply(&mut state, others)?;
        if history.earlier.is_empty() {
            history.earlier.push_back(RecordBatch::from(records).into());
        }
        history.forget_oldest();
        Ok((history, state))
    }

    /// Adds records to the history and to `state`, the state before them.
    pub(super) fn extend(
        &mut self,
        state: &mut State,
        records: RecordBatch,
    ) -> Result<(), ReplayError> {
        self.pack();
        self.apply(state, &records)?;
        self.latest = Some(records);
        Ok(())
    }

    /// Adds records to the history of a game that was in the state `before`, and whose state after them is known. They
    /// are replayed only if their facts need the state right after one of them.
    pub(super) fn follow(&mut self, before: Game, records: RecordBatch) -> Result<(), ReplayError> {
        if records.iter().any(Aftermath::needs_state) {
            return self.extend(&mut before.into_state(), records);
        }
        self.pack();
        self.head = records.last().map_or(self.head, |last| last.seq.0);
        self.latest = Some(records);
        Ok(())
    }

    fn apply(&mut self, state: &mut State, records: &[Record]) -> Result<(), ReplayError> {
        for record in records {
            state.apply(record)?;
            self.head = record.seq.0;
            let aftermath = Aftermath::of(state, record);
            if aftermath != self.plain {
                self.aftermaths.push_back((self.head, aftermath));
            }
        }
        Ok(())
    }

    /// Packs the records that have been sent.
    pub(super) fn pack(&mut self) {
        if let Some(latest) = self.latest.take() {
            self.earlier.push_back(latest.into());
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let (head, capacity) = (self.head, self.capacity);
        while let Some(oldest) = self.earlier.pop_front_if(|row| head - row.last >= capacity) {
            self.forgotten = oldest.last;
            let is_gone = |(seq, _): &mut (u64, Aftermath)| *seq <= oldest.last;
            while self.aftermaths.pop_front_if(is_gone).is_some() {}
        }
    }

    /// Returns the number of the last event.
    pub(super) const fn head(&self) -> u64 {
        self.head
    }

    /// Returns the last record.
    pub(super) fn last(&self) -> Option<Cow<'_, Record>> {
        let last = self.from(self.head.saturating_sub(1)).last()?;
        Some(last.record)
    }

    /// Returns the events after `seq`; `None` if some are no longer kept, or `seq` is in the future.
    pub(super) fn after(&self, seq: u64) -> Option<impl Iterator<Item = Entry<'_>>> {
        let missed = self.head.checked_sub(seq)?;
        if missed > self.capacity || seq < self.forgotten {
            return None;
        }
        Some(self.from(seq))
    }

    /// Returns all kept events.
    pub(super) fn all(&self) -> impl Iterator<Item = Entry<'_>> {
        self.from(self.forgotten)
    }

    /// Returns the events after `seq`, which are all kept.
    fn from(&self, seq: u64) -> impl Iterator<Item = Entry<'_>> {
        let rows = self.earlier.iter().filter(move |row| row.last > seq);
        let earlier = rows.flat_map(|row| {
            row.records()
                .expect("it was read, or made here, before it was kept")
        });
        let latest = self.latest.iter().flat_map(|latest| latest.iter());
        earlier
            .map(Cow::Owned)
            .chain(latest.map(Cow::Borrowed))
            .filter(move |record| record.seq.0 > seq)
            .map(|record| Entry {
                aftermath: self.aftermath(record.seq.0),
                record,
            })
    }

    fn aftermath(&self, seq: u64) -> Aftermath {
        let found = self.aftermaths.binary_search_by_key(&seq, |(seq, _)| *seq);
        found.map_or_else(|_| self.plain.clone(), |at| self.aftermaths[at].1.clone())
    }
}

impl Entry<'_> {
    /// Returns the event as an audience sees it.
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
            &self.aftermath,
            audience,
        ))
    }
}

/// Returns when the first turn of a log began.
pub(super) fn first_turn_at<'a>(
    records: impl IntoIterator<Item = &'a Record>,
) -> Option<Timestamp> {
    records.into_iter().find_map(|record| match &record.event {
        Event::Public(PublicEvent::TurnStarted { .. }) => Some(record.at),
        Event::Public(_)
        | Event::Created(_)
        | Event::BagShuffled { .. }
        | Event::TilesDrawn { .. }
        | Event::Exchanged { .. } => None,
    })
}
