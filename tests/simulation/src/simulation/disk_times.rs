//! The times of the requests to the simulated disk and of its answers; the auditor compares the server's actions with them.

use tilewire_rules::time::Timestamp;

use super::disk::{State, Stored};
use tilewire_protocol::GameId;
use tilewire_store::RecordRow;

/// When a game's appends were requested and answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) asked_at: Option<Timestamp>,
    free_at: Timestamp,
    /// Whether the server has asked for an append since it has the game.
    has_asked: bool,
}

impl State {
    pub(super) fn news(&mut self, game: &GameId, records: &RecordRow) {
        self.version += 1;
        let now = self.clock.now();
        let times = self.times.get(game);
        let asked_at = times.and_then(|times| times.asked_at).unwrap_or(now);
        let free_at = times.map_or(self.started_at, |times| times.free_at);
        let records = records.records().expect("the server has encoded them");
        let count = u64::try_from(records.len()).unwrap_or(0);
        let version = self.version;
        // A server may read a log while its game appends, but not after it was told that the outcome is unknown.
        let loads = match self.by.is_some() && !self.is_late {
            true => &self.takeovers,
            false => &self.loads,
        };
        let loaded = loads.get(game).copied().unwrap_or(0);
        self.stored.push(Stored {
            game: game.clone(),
            head: self.durable.head(game),
            count,
            asked_at,
            free_at,
            version,
            request: self.request,
            loaded,
            by: self.by,
        });
    }

    /// Numbers a request that reads a log or changes one.
    pub(super) const fn next_request(&mut self) -> u64 {
        self.requests += 1;
        self.requests
    }

    /// The server gets the log of a game. Changes that it requested before are not stored afterwards.
    pub(super) fn loaded(&mut self, game: &GameId, is_takeover: bool) {
        let request = self.next_request();
        self.loads.insert(game.clone(), request);
        if is_takeover {
            self.takeovers.insert(game.clone(), request);
        }
    }

    /// The server asks for an append.
    pub(super) fn asked(&mut self, game: &GameId) {
        let (now, free_at) = (self.clock.now(), self.started_at);
        let times = self.times.entry(game.clone()).or_insert(Times {
            asked_at: None,
            free_at,
            has_asked: true,
        });
        times.asked_at.get_or_insert(now);
        times.has_asked = true;
    }

    /// A server has read a game. Its owner can do nothing for it before it has read it in order to play, and the disk does not know
    /// which read that is: lists are read too, and any read can be slow. So every read counts until the owner asks for its first
    /// append, and while the game sleeps.
    pub(super) fn was_read(&mut self, game: &GameId, is_owner: bool) {
        let free_at = self.clock.now();
        let may_begin = is_owner && self.times.get(game).is_some_and(|times| !times.has_asked);
        if may_begin || self.durable.asleep.contains_key(game) {
            self.is_free(game);
        }
        self.times.entry(game.clone()).or_insert(Times {
            asked_at: None,
            free_at,
            has_asked: false,
        });
    }

    /// The server asks the disk to keep a sleeping game.
    pub(super) fn asked_to_rest(&mut self, game: &GameId) {
        let now = self.clock.now();
        self.resting.insert(game.clone(), now);
    }

    /// The server learns whether the disk keeps a sleeping game.
    pub(super) fn rested(&mut self, game: &GameId) {
        self.resting.remove(game);
        self.is_free(game);
    }

    /// From here on the server can append to a game.
    fn is_free(&mut self, game: &GameId) {
        let free_at = self.clock.now();
        let times = self.times.entry(game.clone()).or_insert(Times {
            asked_at: None,
            free_at,
            has_asked: false,
        });
        times.free_at = free_at;
    }

    /// The server learns that an append is stored.
    pub(super) fn answered(&mut self, game: &GameId) {
        let free_at = self.clock.now();
        self.times.insert(
            game.clone(),
            Times {
                asked_at: None,
                free_at,
                has_asked: true,
            },
        );
    }
}
