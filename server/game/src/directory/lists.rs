//! Lists of games: those in memory, and those that sleep.
//!
//! A woken game stays asleep in the storage until its next event; its entry in memory counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tilewire_protocol::limits::FINISHED_GAMES;
use tilewire_protocol::{GameId, GameSummary, OkBody, Phase, ServerMessage};
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::Mutex;

use super::Directory;
use crate::listing::{Listing, is_deserted};
use crate::placement::Location;
use crate::reported::Listed;
use crate::stored_summary;
use tilewire_delivery::outbound::{EncodedAnswer, Presence};
use tilewire_delivery::shares::{ListOwner, fair};
use tilewire_store::{SleeperLine, StoreError};

/// The time for which a list of live games is reused if no game begins or ends.
const LISTED_FOR_MS: Millis = Millis(200);

/// Summaries by game, each with the game's creation time.
type Lines = BTreeMap<GameId, (Timestamp, GameSummary)>;

/// The games of an identity as the storage has them; completed by [`Directory::of_identity_with`].
#[derive(Debug, Default)]
pub struct Sleeping {
    found: Lines,
    /// Games in memory here that another node has ended: this one does not know yet that it has lost them.
    over: BTreeSet<GameId>,
}

/// The public games that sleep, as of the last read.
#[derive(Debug, Default)]
pub(super) struct SleepingPublic(Mutex<Option<SleepingRead>>);

/// The public games that sleep, and what tells whether they can have changed since.
#[derive(Debug)]
struct SleepingRead {
    /// How many games had left memory.
    departures: u64,
    /// The lost time, which their clocks contain.
    lost_ms: Millis,
    lines: Arc<Lines>,
}

/// A game in the list of an operator.
#[derive(Debug, Clone)]
pub struct KnownGame {
    /// When it was created; of a finished game that is not in memory, when it began.
    pub created_at: Timestamp,
    /// Whether it is in memory.
    pub is_awake: bool,
    /// Whether it takes no commands: an operator has paused it, or it waits for the storage. Only its server knows.
    pub is_paused: bool,
    /// Its summary, without the delay for spectators.
    pub summary: GameSummary,
}

/// The source of an entry in a list.
enum ListSource {
    Kept(Arc<Listing>),
    Stored(Box<GameSummary>),
    Reported(Listed),
}

impl ListSource {
    fn owner(&self) -> ListOwner {
        match self {
            Self::Kept(listing) => listing.owner().clone(),
            Self::Reported(listed) => listed.owner.clone(),
            Self::Stored(summary) => {
                let opener = summary.seats.first();
                ListOwner::of(None, opener.map_or("", |seat| seat.identity.0.as_str()))
            }
        }
    }

    fn summary(self) -> GameSummary {
        match self {
            Self::Kept(listing) => listing.summary(),
            Self::Stored(summary) => *summary,
            Self::Reported(listed) => GameSummary::clone(&listed.summary),
        }
    }
}

/// The list of live games that was made last.
#[derive(Debug, Default)]
pub(super) struct LastLive(Mutex<Option<Arc<LiveGames>>>);

/// The public games in progress at one moment.
#[derive(Debug)]
pub struct LiveGames {
    made_at: Timestamp,
    /// News about games so far.
    news: u64,
    answer: EncodedAnswer,
}

impl LiveGames {
    /// Returns the answer to a request for the list; all clients share its encodings.
    pub const fn answer(&self) -> &EncodedAnswer {
        &self.answer
    }
}

impl Directory {
    /// Returns the list of live games. It may be a fifth of a second old if no game has begun or ended since: the list of
    /// thousands of games takes milliseconds, and many clients ask for it.
    pub async fn live_games(&self, presence: &dyn Presence) -> Arc<LiveGames> {
        let mut last = self.live.0.lock().await;
        let (now, news) = (self.shared.clock.now(), self.shared.news.count());
        let known = last.as_ref();
        if let Some(known) =
            known.filter(|last| last.news == news && now - last.made_at < LISTED_FOR_MS)
        {
            return Arc::clone(known);
        }
        let ok = OkBody {
            games: Some(self.live(presence).await),
            ..OkBody::default()
        };
        let fresh = Arc::new(LiveGames {
            made_at: now,
            news,
            answer: EncodedAnswer::new(ServerMessage::Ok(Box::new(ok))),
        });
        *last = Some(Arc::clone(&fresh));
        fresh
    }

    /// Returns the public games in progress, the oldest first, up to the limit of a list: of more games, some of every
    /// opener. Sleeping games are missing while the storage does not answer. Only the node with the lobby knows the games that
    /// other nodes have in memory. Deserted games are left out.
    pub async fn live(&self, presence: &dyn Presence) -> Vec<GameSummary> {
        self.live_and_left(presence).await.0
    }

    /// Returns the games of [`Directory::live`], and the deserted ones. The next [`Directory::live_games`] is made anew: a game
    /// that is found deserted here is in no later list.
    pub async fn live_again(
        &self,
        presence: &dyn Presence,
    ) -> (Vec<GameSummary>, Vec<GameSummary>) {
        let mut last = self.live.0.lock().await;
        *last = None;
        self.live_and_left(presence).await
    }

    async fn live_and_left(&self, presence: &dyn Presence) -> (Vec<GameSummary>, Vec<GameSummary>) {
        let mut sleeping = Lines::clone(&*self.sleeping_public().await);
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for entry in &self.games.in_memory {
            sleeping.remove(entry.key());
            if !entry.listing.is_listed() {
                continue;
            }
            if entry.listing.is_deserted(presence) {
                left.push(entry.listing.summary());
                continue;
            }
            let line = ListSource::Kept(Arc::clone(&entry.listing));
            found.push((entry.listing.created_at(), entry.key().clone(), line));
        }
        for (game, listed) in self.reported().listed() {
            if self.games.in_memory.contains_key(game) {
                continue;
            }
            sleeping.remove(game);
            if is_deserted(&listed.summary, presence) {
                left.push(GameSummary::clone(&listed.summary));
                continue;
            }
            let created_at = listed.created_at;
            found.push((created_at, game.clone(), ListSource::Reported(listed)));
        }
        sleeping.retain(|game, _| !self.games.broken.contains(game));
        for (game, (created_at, summary)) in sleeping {
            if is_deserted(&summary, presence) {
                left.push(summary);
            } else {
                found.push((created_at, game, ListSource::Stored(Box::new(summary))));
            }
        }
        found.sort_unstable_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let found = fair(found, self.list_entries, |(_, _, line)| line.owner());
        let found = found.into_iter().map(|(_, _, line)| line.summary());
        (found.collect(), left)
    }

    /// Returns the games in memory, private ones too, and the public games that sleep, for an operator: the newest first. The
    /// sleeping games are as many as the limit of a list. The node with the lobby adds the public games of other nodes.
    pub async fn known(&self) -> Vec<KnownGame> {
        let mut sleeping = Lines::clone(&*self.sleeping_public().await);
        let mut found = Vec::new();
        for entry in &self.games.in_memory {
            sleeping.remove(entry.key());
            found.push(KnownGame {
                created_at: entry.listing.created_at(),
                is_awake: true,
                is_paused: entry.listing.is_paused(),
                summary: entry.listing.latest(),
            });
        }
        for (game, listed) in self.reported().listed() {
            if !self.games.in_memory.contains_key(game) {
                sleeping.remove(game);
                found.push(KnownGame {
                    created_at: listed.created_at,
                    is_awake: true,
                    is_paused: false,
                    summary: GameSummary::clone(&listed.summary),
                });
            }
        }
        let asleep = sleeping.into_values();
        found.extend(asleep.map(|(created_at, summary)| KnownGame {
            created_at,
            is_awake: false,
            is_paused: false,
            summary,
        }));
        newest_first(found)
    }

    /// Returns the games of an identity that [`Directory::known`] shows, its private games that sleep, and the last ones that are
    /// over.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn known_of(&self, identity: &str) -> Result<Vec<KnownGame>, StoreError> {
        let finished = self.finished_of(identity, None).await?;
        let unfinished = self.of_identity(identity).await?;
        let found = unfinished.into_iter().chain(finished).map(|summary| {
            let entry = self.games.in_memory.get(&summary.game);
            let created_at = entry.as_ref().map(|entry| entry.listing.created_at());
            let began_at = Timestamp(summary.started_at.or(summary.ended_at).unwrap_or_default());
            KnownGame {
                created_at: created_at.unwrap_or(began_at),
                is_awake: entry.is_some(),
                is_paused: entry.is_some_and(|entry| entry.listing.is_paused()),
                summary,
            }
        });
        Ok(newest_first(found.collect()))
    }

    /// Reads the public games that sleep, if they can have changed: a game that falls asleep leaves memory first, and a
    /// woken one is in memory.
    async fn sleeping_public(&self) -> Arc<Lines> {
        let mut known = self.sleeping_public.0.lock().await;
        let departures = self.games.departures.load(Ordering::SeqCst);
        let lost_ms = self.lost_mark();
        if let Some(read) = &*known
            && (read.departures, read.lost_ms) == (departures, lost_ms)
        {
            return Arc::clone(&read.lines);
        }
        match self.shared.journal.asleep_listed(self.list_entries).await {
            Ok(read) => {
                let lines = Arc::new(self.decoded(read));
                *known = Some(SleepingRead {
                    departures,
                    lost_ms,
                    lines: Arc::clone(&lines),
                });
                lines
            }
            Err(error) => {
                tracing::warn!(%error, "the sleeping games could not be read for a list");
                let last = known.as_ref().map(|read| Arc::clone(&read.lines));
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

    /// Returns the finished games of an identity, the one that ended last first, up to the limit of such a list; with
    /// `before`, those that ended before that game. A game that cannot be read is left out.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn finished_of(
        &self,
        identity: &str,
        before: Option<&GameId>,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let journal = &self.shared.journal;
        let games = journal.finished_of(identity, before, FINISHED_GAMES);
        let read = journal.load_many(&games.await?).await;
        let games = read.into_iter().filter_map(|game| match game {
            Ok(stored) => stored.as_ref().and_then(crate::finished::finished),
            Err(error) => {
                tracing::warn!(%error, "a finished game could not be read for a list");
                None
            }
        });
        Ok(games.collect())
    }

    /// Reads the games of an identity that sleep.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn sleeping_of(&self, identity: &str) -> Result<Sleeping, StoreError> {
        // A game that falls asleep meanwhile is in memory or in the storage.
        let before = self.listings_of(identity);
        let read = self.shared.journal.asleep_of(identity).await?;
        let mut sleeping = Sleeping {
            found: self.decoded(read),
            over: BTreeSet::new(),
        };
        if !self.placement.is_alone() {
            let stored = self.shared.journal.unfinished_of(identity).await?;
            let before = before.iter().map(|(game, _)| game);
            sleeping.over = before
                .filter(|game| !stored.contains(game))
                .cloned()
                .collect();
            self.add_elsewhere(stored, &mut sleeping.found).await;
        }
        sleeping.put_over(&before);
        Ok(sleeping)
    }

    /// Adds those of the games that other nodes have in memory, as they are stored.
    async fn add_elsewhere(&self, mut games: Vec<GameId>, found: &mut Lines) {
        games.retain(|game| !found.contains_key(game) && self.place(game) != Location::Mine);
        games.truncate(self.list_entries);
        for game in games {
            if let (game, Some(Ok(loaded))) = Arc::clone(&self.loader).load(game).await {
                let room = &loaded.room;
                let line = room.own_summary().unwrap_or_else(|| room.summary());
                found.insert(game, (loaded.meta.created_at, line));
            }
        }
    }

    /// Returns the unfinished games of an identity, the oldest first, after its sleeping games have been read.
    #[must_use]
    pub fn of_identity_with(&self, identity: &str, mut sleeping: Sleeping) -> Vec<GameSummary> {
        sleeping.put_over(&self.listings_of(identity));
        self.oldest_first(sleeping.found)
    }

    /// Returns the number of unfinished games of an identity.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn count_of_identity(&self, identity: &str) -> Result<usize, StoreError> {
        if self.placement.is_alone() {
            return Ok(self.of_identity(identity).await?.len());
        }
        // The games of other nodes need not be read for this.
        let games = self.shared.journal.unfinished_of(identity).await?;
        Ok(games.len())
    }

    /// Returns the public game in progress that an identity plays; of several, the one that was created last. A game that
    /// sleeps is not played at the moment. Only the node with the lobby knows the games of other nodes.
    #[must_use]
    pub fn public_game_of(&self, identity: &str) -> Option<GameId> {
        let listings = self.listings_of(identity).into_iter();
        let listed = listings.filter(|(_, listing)| listing.is_listed());
        let own = listed.map(|(game, listing)| (listing.created_at(), game));
        let last = own.chain(self.reported().public_game_of(identity)).max();
        last.map(|(_, game)| game)
    }

    /// Says whether an identity has a seat in a game that is in memory.
    #[must_use]
    pub fn plays(&self, identity: &str) -> bool {
        self.games.by_identity.contains_key(identity)
    }

    /// Returns the lines after the lost time until now.
    fn decoded(&self, read: Vec<SleeperLine>) -> Lines {
        let line = |stored: SleeperLine| {
            let summary = stored_summary::decode(&stored, self.lost_of(&stored.game))?;
            Some((stored.game, (stored.created_at, summary)))
        };
        read.into_iter().filter_map(line).collect()
    }

    fn listings_of(&self, identity: &str) -> Vec<(GameId, Arc<Listing>)> {
        let games = self.games.by_identity.get(identity);
        let ids = games.map(|ids| ids.clone()).unwrap_or_default();
        let listing = |id: GameId| {
            let listing = Arc::clone(&self.games.in_memory.get(&id)?.listing);
            Some((id, listing))
        };
        ids.into_iter().filter_map(listing).collect()
    }

    /// Omits games that are over or set aside, and sorts the rest.
    fn oldest_first(&self, found: Lines) -> Vec<GameSummary> {
        let is_played = |game: &GameId, summary: &GameSummary| {
            summary.phase != Phase::Ended && !self.games.broken.contains(game)
        };
        let mut games: Vec<(Timestamp, GameSummary)> = found
            .into_iter()
            .filter(|(game, (_, summary))| is_played(game, summary))
            .map(|(_, line)| line)
            .collect();
        // Sorted by id already, so that games of the same moment stay in that order.
        games.sort_by_key(|(created_at, _)| *created_at);
        games.into_iter().map(|(_, summary)| summary).collect()
    }
}

fn newest_first(mut games: Vec<KnownGame>) -> Vec<KnownGame> {
    games.sort_unstable_by(|one, other| {
        let key = |game: &KnownGame| (game.created_at, game.summary.game.clone());
        key(other).cmp(&key(one))
    });
    games
}

impl Sleeping {
    /// Replaces the stored lines of games by those in memory.
    fn put_over(&mut self, listings: &[(GameId, Arc<Listing>)]) {
        let is_over = |game| self.over.contains(game);
        for (game, listing) in listings.iter().filter(|(game, _)| !is_over(game)) {
            match listing.own_unfinished() {
                Some(line) => self
                    .found
                    .insert(game.clone(), (listing.created_at(), line)),
                None => self.found.remove(game),
            };
        }
    }
}
