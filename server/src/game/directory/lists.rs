//! Lists of games: those in memory, and the lines of those that sleep.
//!
//! A game that is woken sleeps on in the storage until something happens in it; what memory says goes first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tilewire_protocol::{GameSummary, Phase};
use tokio::sync::Mutex;

use super::Directory;
use crate::game::lines;
use crate::game::shelf::Shelf;
use crate::storage::{SleeperLine, StoreError};

/// Lines by game, each with when the game was created.
type Lines = BTreeMap<String, (i64, GameSummary)>;

/// Somebody's games that sleep, or did a moment ago; completed by [`Directory::of_identity_with`].
#[derive(Debug, Default)]
pub struct Sleeping(Lines);

/// The public games that sleep, as they were read last.
#[derive(Debug, Default)]
pub(super) struct SleepingPublic(Mutex<Option<(u64, Arc<Lines>)>>);

/// Where a line in a list comes from.
enum Line {
    Kept(Arc<Shelf>),
    Stored(GameSummary),
}

impl Line {
    fn summary(self) -> GameSummary {
        match self {
            Self::Kept(shelf) => shelf.summary(),
            Self::Stored(summary) => summary,
        }
    }
}

impl Directory {
    /// Returns the public games being played, the oldest first, as many as are listed at once. Those that sleep are left
    /// out while the storage does not answer.
    pub async fn live(&self) -> Vec<GameSummary> {
        let mut sleeping = Lines::clone(&*self.sleeping_public().await);
        let mut found = Vec::new();
        for entry in &self.games.in_memory {
            sleeping.remove(entry.key());
            if !entry.shelf.is_finished() {
                let line = Line::Kept(Arc::clone(&entry.shelf));
                found.push((entry.shelf.created_at(), entry.key().clone(), line));
            }
        }
        let stored = sleeping
            .into_iter()
            .map(|(game, (created_at, summary))| (created_at, game, Line::Stored(summary)));
        found.extend(stored.filter(|(_, game, _)| !self.games.broken.contains(game)));
        found.sort_unstable_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        found
            .into_iter()
            .map(|(_, _, line)| line.summary())
            .filter(|summary| !summary.private && summary.started_at.is_some())
            .take(self.list_entries)
            .collect()
    }

    /// Reads the public games that sleep, if that can have changed: none falls asleep without leaving memory, and those
    /// that wake are there.
    async fn sleeping_public(&self) -> Arc<Lines> {
        let mut known = self.sleeping_public.0.lock().await;
        let departures = self.games.departures.load(Ordering::SeqCst);
        match &*known {
            Some((at, lines)) if *at == departures => return Arc::clone(lines),
            Some(_) | None => {}
        }
        match self.around.journal.asleep_listed(self.list_entries).await {
            Ok(read) => {
                let lines = Arc::new(decoded(read));
                *known = Some((departures, Arc::clone(&lines)));
                lines
            }
            Err(error) => {
                tracing::warn!(%error, "the sleeping games could not be read for a list");
                let last = known.as_ref().map(|(_, lines)| Arc::clone(lines));
                last.unwrap_or_default()
            }
        }
    }

    /// Returns the unfinished games of an identity, the oldest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn of_identity(&self, identity: &str) -> Result<Vec<GameSummary>, StoreError> {
        let sleeping = self.sleeping_of(identity).await?;
        Ok(self.of_identity_with(identity, sleeping))
    }

    /// Reads the games of an identity that sleep.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn sleeping_of(&self, identity: &str) -> Result<Sleeping, StoreError> {
        // One that falls asleep meanwhile is here or there.
        let before = self.shelves_of(identity);
        let mut found = decoded(self.around.journal.asleep_of(identity).await?);
        put_over(&mut found, &before);
        Ok(Sleeping(found))
    }

    /// Returns the unfinished games of an identity, the oldest first, when those that sleep have just been read.
    #[must_use]
    pub fn of_identity_with(&self, identity: &str, sleeping: Sleeping) -> Vec<GameSummary> {
        let Sleeping(mut found) = sleeping;
        put_over(&mut found, &self.shelves_of(identity));
        self.oldest_first(found)
    }

    fn shelves_of(&self, identity: &str) -> Vec<(String, Arc<Shelf>)> {
        let games = self.games.by_identity.get(identity);
        let ids = games.map(|ids| ids.clone()).unwrap_or_default();
        let shelf = |id: String| {
            let shelf = Arc::clone(&self.games.in_memory.get(&id)?.shelf);
            Some((id, shelf))
        };
        ids.into_iter().filter_map(shelf).collect()
    }

    /// Leaves out what is over or cannot be played on, and puts the rest in order.
    fn oldest_first(&self, found: Lines) -> Vec<GameSummary> {
        let is_played = |game: &str, summary: &GameSummary| {
            summary.phase != Phase::Ended && !self.games.broken.contains(game)
        };
        let mut games: Vec<(i64, GameSummary)> = found
            .into_iter()
            .filter(|(game, (_, summary))| is_played(game, summary))
            .map(|(_, line)| line)
            .collect();
        // By id already, so that games of the same moment stay in the order of their ids.
        games.sort_by_key(|(created_at, _)| *created_at);
        games.into_iter().map(|(_, summary)| summary).collect()
    }
}

fn decoded(read: Vec<SleeperLine>) -> Lines {
    let line = |stored: SleeperLine| {
        let summary = lines::decode(&stored)?;
        Some((stored.game, (stored.created_at, summary)))
    };
    read.into_iter().filter_map(line).collect()
}

fn put_over(found: &mut Lines, shelves: &[(String, Arc<Shelf>)]) {
    for (game, shelf) in shelves {
        match shelf.own_unfinished() {
            Some(line) => found.insert(game.clone(), (shelf.created_at(), line)),
            None => found.remove(game),
        };
    }
}
