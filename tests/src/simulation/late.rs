//! Late changes: a database may store a change after its client has lost the connection and was told that the outcome is
//! unknown.

use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_server::storage::{Append, AppendError, GameMeta};

use super::disk::State;
use super::flaws::Flaw;

/// The longest time until a late change is stored, ms.
const LATE_MS: i64 = 3_000;

/// A change of a game's log.
#[derive(Debug, Clone)]
pub(super) enum LogChange {
    Create(Box<(GameMeta, Record)>),
    Append(Append),
}

impl LogChange {
    /// Says whether it stores the end of a game.
    pub(super) const fn ends_a_game(&self) -> bool {
        matches!(self, Self::Append(append) if append.is_finished)
    }

    fn game(&self) -> &GameId {
        match self {
            Self::Create(created) => &created.0.game,
            Self::Append(append) => &append.game,
        }
    }
}

/// A change that is stored at some time, unless the database gives it up.
#[derive(Debug)]
pub(super) struct Late {
    change: LogChange,
    request: u64,
    at: Timestamp,
}

impl State {
    pub(super) fn apply(&mut self, change: LogChange) -> Result<(), AppendError> {
        match change {
            LogChange::Create(created) => {
                let (meta, first) = *created;
                self.create(meta, first)
            }
            LogChange::Append(append) => self.append(append),
        }
    }

    /// Stores a change later.
    pub(super) fn delay(&mut self, change: LogChange) {
        let at = self.clock.now() + Millis(self.lateness.ms(0, LATE_MS));
        let request = self.request;
        self.late.push(Late {
            change,
            request,
            at,
        });
    }

    /// Stores the late changes that are due.
    pub(super) fn commit_late(&mut self) {
        let now = self.clock.now();
        for late in self
            .late
            .extract_if(.., |late| late.at <= now)
            .collect::<Vec<_>>()
        {
            self.store(late);
        }
    }

    fn store(&mut self, late: Late) {
        self.request = late.request;
        self.apply(late.change).ok(); // no task waits for the outcome
    }

    /// The barrier before a read of a game: each late change of it is stored now or never.
    pub(super) fn settle(&mut self, game: &GameId) {
        if self.flaw == Some(Flaw::LoadIsNoBarrier) {
            return;
        }
        let of_game = |late: &mut Late| late.change.game() == game;
        let late: Vec<Late> = self.late.extract_if(.., of_game).collect();
        self.store_or_drop(late);
    }

    /// A server starts: the database has finished or dropped the requests of the previous server.
    pub(super) fn settle_all(&mut self) {
        let late = std::mem::take(&mut self.late);
        self.store_or_drop(late);
    }

    fn store_or_drop(&mut self, late: Vec<Late>) {
        for late in late {
            if self.lateness.one_in(2) {
                self.store(late);
            }
        }
    }
}
