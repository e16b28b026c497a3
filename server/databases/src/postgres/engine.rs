//! Commits groups of changes. Appends to games that are awake are one statement; all other changes of a group are one
//! transaction, and the statements of both are those of the stores.
//!
//! After a lost connection, the server does not know whether the database stored the last group. The next group opens another connection and replaces the
//! incarnation of the lease; after that nothing of the lost one can be stored any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use super::append::{Appended, Appends};
use super::cluster;
use super::lease::Lease;
use crate::sqlite;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::traces::TARGET;
use tilewire_sql as sql;
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::session::Session;
use tilewire_sql::write_queue;
use tilewire_sql::write_queue::GroupCommit;
use tilewire_sql::{Database, Purpose};
use tilewire_store::{AppendError, Give, Part, Term};

type Outcome = write_queue::Outcome<Done>;

/// The writing connection.
pub(super) struct Engine {
    session: Session,
    lease: Lease,
    /// Whether another server has taken the lease. It is final.
    is_fenced: bool,
    /// Shared with the readers: whether something of a lost connection may still be stored.
    is_unsettled: Arc<AtomicBool>,
    /// Told after a commit that ended a game.
    ended: Arc<Notify>,
}

impl Engine {
    pub(super) fn new(
        session: Session,
        lease: Lease,
        is_unsettled: Arc<AtomicBool>,
        ended: Arc<Notify>,
    ) -> Self {
        Self {
            session,
            lease,
            is_fenced: false,
            is_unsettled,
            ended,
        }
    }

    /// Makes sure that there is a connection with an incarnation of its own.
    fn make_ready(&mut self) -> Result<(), AppendError> {
        if self.is_fenced {
            return Err(AppendError::Fenced);
        }
        if !self.session.is_open() {
            self.lease.lose();
            self.session
                .connect()
                .map_err(|error| unavailable(&error))?;
        }
        if !self.lease.is_fresh() {
            let replaced = self.lease.replace(&self.session);
            if !replaced.map_err(|error| unavailable(&error))? {
                return Err(self.fence());
            }
            self.is_unsettled.store(false, Ordering::Release);
        }
        Ok(())
    }

    /// Notes that another server has taken the lease.
    fn fence(&mut self) -> AppendError {
        if !self.is_fenced {
            let place = self.session.place();
            tracing::error!(
                place,
                "another server has taken over the database; this one stores nothing more"
            );
        }
        self.is_fenced = true;
        AppendError::Fenced
    }

    /// Returns the outcome of what failed after it was sent.
    fn failed(&mut self, error: &PostgresError) -> AppendError {
        if error.is_fenced() {
            return self.fence();
        }
        if error.is_lost() {
            // Before the callers know of it: a reader that asks then waits.
            self.is_unsettled.store(true, Ordering::Release);
            self.lease.lose();
            return AppendError::OutcomeUnknown(error.to_string());
        }
        unavailable(error)
    }

    /// Stores the appends to games that are awake.
    fn append(&mut self, changes: &[Change], outcomes: &mut [Option<Outcome>]) {
        let appends = Appends::of(changes);
        if appends.places.is_empty() {
            return;
        }
        match appends.store(&self.session, &self.lease) {
            Ok(Appended::Stored(stored)) => {
                for place in stored {
                    outcomes[place] = Some(Ok(Done::Stored));
                }
            }
            Ok(Appended::Fenced) => {
                let error = self.fence();
                set(outcomes, &appends.places, &error);
            }
            // One of them failed, and all with it: each is tried alone.
            Err(error @ PostgresError::Refused { .. }) if !error.is_fenced() => {
                tracing::warn!(%error, "a group of appends was refused; each is tried alone");
            }
            Err(error) => {
                let error = self.failed(&error);
                set(outcomes, &appends.places, &error);
            }
        }
    }

    /// Makes the changes that are no transaction: gives parts away, and tells those who wait for the end of an earlier group.
    fn answer(&mut self, changes: &[Change], outcomes: &mut [Option<Outcome>]) {
        for (change, outcome) in changes.iter().zip(outcomes) {
            match change {
                Change::Give(give) => *outcome = Some(self.give(give)),
                Change::Settle => *outcome = Some(self.make_ready().map(|()| Done::Stored)),
                _ => {}
            }
        }
    }

    fn give(&mut self, give: &Give) -> Outcome {
        self.make_ready()?;
        if !give.begin() {
            return Err(AppendError::Unavailable("it was called off".to_owned()));
        }
        let given = cluster::give(
            &self.session,
            (self.lease.node(), self.lease.number()),
            give,
        );
        given.map(Done::Given).map_err(|error| self.failed(&error))
    }

    /// Makes changes in one transaction. If one fails, each is made in a transaction of its own.
    fn transact(&mut self, changes: &[&Change]) -> Vec<Outcome> {
        match self.together(changes) {
            Ok(done) => done.into_iter().map(Ok).collect(),
            Err(Failure::Made(error)) if error.is_not_owned() && changes.len() == 1 => {
                vec![Err(AppendError::Fenced)]
            }
            Err(Failure::Made(error)) if error.is_not_owned() => {
                changes.iter().map(|change| self.alone(change)).collect()
            }
            Err(Failure::Made(error)) => {
                let error = self.failed(&error);
                changes.iter().map(|_| Err(error.clone())).collect()
            }
            Err(Failure::NotMade(error)) if changes.len() == 1 => vec![Err(unavailable(&error))],
            Err(Failure::NotMade(_)) => changes.iter().map(|change| self.alone(change)).collect(),
        }
    }

    fn alone(&mut self, change: &Change) -> Outcome {
        self.make_ready()?;
        self.transact(&[change])
            .pop()
            .unwrap_or_else(|| Err(AppendError::Unavailable("nothing was made".to_owned())))
    }

    fn together(&self, changes: &[&Change]) -> Result<Vec<Done>, Failure> {
        let db = &self.session;
        db.begin(Purpose::Change).map_err(Failure::NotMade)?;
        let made: sql::Result<Vec<Done>> = changes.iter().map(|change| change.apply(db)).collect();
        let done = made.map_err(|error| {
            db.roll_back();
            Failure::NotMade(error)
        })?;
        reached(Point::BeforeCommit);
        let owned = changes.iter().filter_map(|change| change.owned());
        let mut parts: Vec<(Part, Term)> = owned.collect();
        parts.sort_unstable();
        parts.dedup();
        let is_alive = changes.iter().any(|change| change.is_stamp());
        db.batch(&self.lease.commit(&parts, is_alive))
            .map_err(|error| {
                db.roll_back();
                Failure::Made(error)
            })?;
        Ok(done)
    }
}

/// Why a transaction is not known to be stored.
enum Failure {
    /// Before its commit was sent: nothing is stored.
    NotMade(sql::Error),
    /// At its commit.
    Made(PostgresError),
}

impl GroupCommit for Engine {
    type Change = Change;
    type Done = Done;

    fn commit(&mut self, changes: &[Change]) -> Vec<Outcome> {
        let _span =
            tracing::trace_span!(target: TARGET, "commit", changes = changes.len()).entered();
        if let Err(error) = self.make_ready() {
            return changes.iter().map(|_| Err(error.clone())).collect();
        }
        let mut outcomes: Vec<Option<Outcome>> = vec![None; changes.len()];
        self.append(changes, &mut outcomes);
        self.answer(changes, &mut outcomes);
        let open = |(place, outcome): (usize, &Option<Outcome>)| outcome.is_none().then_some(place);
        let places: Vec<usize> = outcomes.iter().enumerate().filter_map(open).collect();
        let rest: Vec<&Change> = places.iter().map(|place| &changes[*place]).collect();
        if !rest.is_empty() {
            let made = match self.make_ready() {
                Ok(()) => self.transact(&rest),
                Err(error) => rest.iter().map(|_| Err(error.clone())).collect(),
            };
            for (place, outcome) in places.into_iter().zip(made) {
                outcomes[place] = Some(outcome);
            }
        }
        reached(Point::AfterCommit);
        let unknown = || AppendError::OutcomeUnknown("nothing was made".to_owned());
        let outcomes = outcomes.into_iter();
        let outcomes: Vec<Outcome> = outcomes
            .map(|outcome| outcome.unwrap_or_else(|| Err(unknown())))
            .collect();
        let ends = |(change, outcome): (&Change, &Outcome)| {
            change.ends_game() && matches!(outcome, Ok(Done::Stored))
        };
        if changes.iter().zip(&outcomes).any(ends) {
            self.ended.notify_one();
        }
        outcomes
    }

    fn between_groups(&mut self) {}

    fn finish(&mut self) {
        self.session.disconnect();
    }

    fn panicked(&mut self) {
        sqlite::end_process("the writing thread panicked");
    }
}

fn set(outcomes: &mut [Option<Outcome>], places: &[usize], error: &AppendError) {
    for place in places {
        outcomes[*place] = Some(Err(error.clone()));
    }
}

fn unavailable(error: &dyn std::fmt::Display) -> AppendError {
    AppendError::Unavailable(error.to_string())
}
