//! The contract for the results of finished games: what the chronicle follows and writes, and what is read from it.
//!
//! Results outlive the logs of their games. One [`Chapter`] has the results of several games, the ratings that follow from
//! them and the place up to which the journal was read; a storage takes all of it or nothing, so every game counts once.

use std::collections::BTreeMap;
use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::audit::Action;
use tilewire_people::conduct::Conduct;
use tilewire_people::leaderboards::CountedSeat;
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_people::results::GameResult;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::{ResultFilter, ResultPage, StoreError, StoreFuture};

/// A place in the journal's order of arrival. It is no name of a record: after old games were removed, new records can get
/// places that were used before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival(pub u64);

/// A game that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The place of its last record.
    pub arrival: Arrival,
    /// The game.
    pub game: GameId,
}

/// The games that ended in a part of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endings {
    /// The games, in the order in which their last records arrived. Games with a result are left out.
    pub games: Vec<Ending>,
    /// The place up to which the journal was looked through.
    pub until: Arrival,
    /// Whether that is its end.
    pub is_end: bool,
}

/// How far the chronicle has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The place up to which the journal is written into results.
    pub arrival: Arrival,
    /// The number of changes of results, ratings and this cursor.
    pub edition: u64,
}

/// A change of a rating by one game, as players see it: in whole points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingChange {
    /// The player.
    pub identity: String,
    /// The rating before the game.
    pub before: i64,
    /// The rating after it.
    pub after: i64,
    /// The deviation after it.
    pub deviation: i64,
}

/// The result of a game, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResult {
    /// The result.
    pub result: GameResult,
    /// Whether only the players may see it.
    pub is_private: bool,
    /// How the game changed the ratings of its players, if it is rated.
    pub changes: Vec<RatingChange>,
}

/// The rating of a player in a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingRow {
    /// The pool.
    pub pool: Pool,
    /// The player.
    pub identity: String,
    /// The rating.
    pub rating: PlayerRating,
}

/// Results, the ratings and the conduct after them, and the new place in the journal: stored together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// The cursor from which the chapter was computed.
    pub after: Cursor,
    /// The new place in the journal.
    pub until: Arrival,
    /// The results, in the order of arrival.
    pub results: Vec<NewResult>,
    /// The ratings that have changed.
    pub ratings: Vec<RatingRow>,
    /// The conduct of players that has changed.
    pub conduct: Vec<ConductRow>,
    /// The waiting times that begin, in the order of the results.
    pub waits: Vec<NewWait>,
}

/// The conduct of a player, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConductRow {
    /// The player.
    pub identity: String,
    /// The version of the stored conduct from which it was computed; 0 if there was none.
    pub expected: u64,
    /// The conduct.
    pub conduct: Conduct,
}

/// A waiting time that begins: an entry of the audit, a restriction, and a message to the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWait {
    /// When the game ended that caused it.
    pub at: Timestamp,
    /// The action for the audit; its target is the player.
    pub action: Action,
}

/// Why a chapter was not stored. Nothing of it was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChapterError {
    /// The cursor, or the conduct of a player, has changed since it was read. Read all again, and compute the chapter anew.
    #[error("the chronicle has changed meanwhile")]
    Stale,
    /// The storage failed; it may have stored the chapter. Read the cursor again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The number of the result: 1, 2, 3 … in the order in which the chronicle wrote them.
    pub number: u64,
    /// The result.
    pub result: GameResult,
    /// Whether only the players may see it.
    pub is_private: bool,
    /// How the game changed the ratings of its players, if it is rated.
    pub changes: Vec<RatingChange>,
}

/// A point of a rating curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    /// When the game ended.
    pub at: Timestamp,
    /// The rating after it, in whole points.
    pub rating: i64,
    /// The deviation after it, in whole points.
    pub deviation: i64,
}

/// The counted seats of rated games in a part of the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedSeats {
    /// The seats of each pool.
    pub pools: BTreeMap<Pool, Vec<CountedSeat>>,
    /// The number up to which the results were looked through.
    pub until: u64,
    /// Whether that is the last result.
    pub is_end: bool,
}

/// The ends of games, in the order in which they became durable, and the results and ratings that follow from them.
pub trait ResultStore: Send + Sync + Debug {
    /// Looks through at most `rows` stored rows of records behind `after`, and returns at most `games` games that ended in
    /// them.
    fn endings(&self, after: Arrival, rows: usize, games: usize) -> StoreFuture<'_, Endings>;

    /// Waits until the end of a game becomes durable. It can return without one. Only one task may wait.
    fn ended(&self) -> BoxFuture<'_, ()>;

    /// Returns how far the chronicle has come.
    fn cursor(&self) -> StoreFuture<'_, Cursor>;

    /// Stores a chapter in one transaction.
    ///
    /// # Errors
    /// When the cursor or the conduct of a player has changed since, or the storage fails.
    fn write(&self, chapter: Chapter) -> BoxFuture<'_, Result<(), ChapterError>>;

    /// Returns the ratings of players, one for each key; `None` for a player without a game in the pool.
    fn ratings(&self, keys: Vec<(Pool, String)>) -> StoreFuture<'_, Vec<Option<PlayerRating>>>;

    /// Returns the first `limit` ratings behind a key, in the order of pools and identities.
    fn ratings_after(
        &self,
        after: Option<(Pool, String)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RatingRow>>;

    /// Returns the ratings of a player in all pools, in the order of the pools.
    fn ratings_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<RatingRow>>;

    /// Returns the last `limit` points of a player's rating curve in a pool, the oldest first.
    fn curve<'a>(
        &'a self,
        identity: &'a str,
        pool: &'a Pool,
        limit: usize,
    ) -> StoreFuture<'a, Vec<CurvePoint>>;

    /// Returns the counted seats of rated games among the next `results` results behind a number.
    fn counted_seats(&self, after: u64, results: u64) -> StoreFuture<'_, CountedSeats>;

    /// Returns the result of a game; `None` if it has none yet.
    fn result<'a>(&'a self, game: &'a GameId) -> StoreFuture<'a, Option<StoredResult>>;

    /// Returns the newest `limit` results that fit, before a number if one is given. It looks at [`super::SCANNED_RESULTS`] results
    /// at most: of the player, if the filter names one.
    fn page(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'_, ResultPage>;
}
