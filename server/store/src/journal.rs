//! The contract for the logs of games.

use std::fmt::{self, Debug};
use tilewire_protocol::GameId;

use futures::future::BoxFuture;
use tilewire_rules::event::Record;
use tilewire_rules::time::{Millis, Timestamp};

use super::{AppendError, RecordBatch, RecordRow, Shards, StoreError, StoreFuture};

/// The facts about a game that its log does not hold.
#[derive(Clone, PartialEq, Eq)]
pub struct GameMeta {
    /// The id.
    pub game: GameId,
    /// The incarnation of the log. If it changes, clients must not resume by `seq`.
    pub epoch: u64,
    /// The id of the rule set.
    pub rule_set: String,
    /// The code that spectators of a private game need; `None` for a public game.
    pub private_code: Option<String>,
    /// The identities of the players, in seat order.
    pub players: Vec<String>,
    /// When the game was created.
    pub created_at: Timestamp,
}

impl Debug for GameMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the code, which is a secret.
        f.debug_struct("GameMeta")
            .field("game", &self.game)
            .field("epoch", &self.epoch)
            .field("rule_set", &self.rule_set)
            .field("players", &self.players)
            .field("created_at", &self.created_at)
            .finish_non_exhaustive()
    }
}

/// A stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The facts that the log does not hold.
    pub meta: GameMeta,
    /// The log: `seq` 1, 2, 3 … without gaps.
    pub records: Vec<Record>,
    /// The log in its stored form, or empty if the database does not have it at hand.
    pub rows: Vec<RecordRow>,
    /// Whether the game is over.
    pub is_finished: bool,
    /// [`Rest::lost_ms`], if the game sleeps.
    pub lost_ms: Option<Millis>,
}

/// The end of a game's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogTail {
    /// The records, without gaps.
    pub records: Vec<Record>,
    /// Whether the game is over.
    pub is_finished: bool,
}

/// Records to append to a game's log, all or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The game.
    pub game: GameId,
    /// `seq` of the last record that the caller knows to be stored.
    pub after: u64,
    /// The records from `after + 1` on, without gaps; not empty.
    pub records: RecordBatch,
    /// Whether the last record ends the game.
    pub is_finished: bool,
}

/// A game that leaves memory until a client needs it, at the latest until its next deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The game.
    pub game: GameId,
    /// `seq` of the last record that the caller knows to be stored.
    pub after: u64,
    /// The next deadline of the game.
    pub wakes_at: Timestamp,
    /// The line of the game in lists, as the directory encoded it.
    pub line: Vec<u8>,
    /// Whether the list of running public games contains it.
    pub is_listed: bool,
    /// The lost time that the game knows of: of outages and stalls after it the game gets credit when it wakes.
    pub lost_ms: Millis,
}

/// A sleeping game, ordered by its deadline.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sleeper {
    /// The next deadline of the game.
    pub wakes_at: Timestamp,
    /// The game.
    pub game: GameId,
}

/// A sleeping game's line in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SleeperLine {
    /// The game.
    pub game: GameId,
    /// When it was created.
    pub created_at: Timestamp,
    /// The line, as the directory encoded it.
    pub line: Vec<u8>,
}

/// The logs of all games, and which games sleep.
///
/// An unfinished game is awake or asleep. A new game is awake. [`Journal::rest`] puts it to sleep; an append wakes it, in
/// one step with the records. A server does not load sleeping games when it starts.
///
/// A caller may drop any future; the call may still take effect.
///
/// Several nodes share one journal by shards: a node appends only to games of shards it owns, and reads the lists of
/// these shards only. The node with the lobby creates games of all shards ([`Journal::create_asleep`]). A single server owns [`Shards::ALL`].
pub trait Journal: Send + Sync + Debug {
    /// Stores a new game and the first record of its log.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] with the end of its log if the game exists; otherwise as [`Journal::append`].
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Stores a new game of a shard that another node has. It sleeps at once, with `rest`. Only the node with the lobby may do
    /// that, and it proves that it has the lobby. A journal of one node refuses it.
    ///
    /// # Errors
    /// As [`Journal::create`]; [`AppendError::Fenced`] if the node does not have the lobby.
    fn create_asleep(
        &self,
        _meta: GameMeta,
        _first: Record,
        _rest: Rest,
    ) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(async { Err(AppendError::Fenced) })
    }

    /// Adds records to a log that ends at `append.after`, all or none.
    ///
    /// # Errors
    /// The error says whether nothing was stored or the outcome is unknown.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Reads a game; `None` if it does not exist or was pruned.
    ///
    /// The call is a barrier. If an earlier change of the game has ended with [`AppendError::OutcomeUnknown`], the database
    /// may still be working on it. `load` first makes sure that it is stored or can never be stored, and reads after that.
    /// So its answer is final: only later changes can extend the log.
    ///
    /// # Errors
    /// When the storage does not answer, or the game cannot be decoded.
    fn load<'a>(&'a self, game: &'a GameId) -> StoreFuture<'a, Option<StoredGame>>;

    /// Reads several games in one request. Returns one result for each id, in order, each as from [`Journal::load`].
    fn load_many<'a>(
        &'a self,
        games: &'a [GameId],
    ) -> BoxFuture<'a, Vec<Result<Option<StoredGame>, StoreError>>>;

    /// Reads the records of a log behind `after`, for a node that has loaded the game before; `None` if the game does not
    /// exist. A barrier, as [`Journal::load`].
    ///
    /// # Errors
    /// As [`Journal::load`].
    fn load_tail<'a>(&'a self, game: &'a GameId, after: u64) -> StoreFuture<'a, Option<LogTail>>;

    /// Puts a game to sleep whose log ends at `rest.after`. If it sleeps already, `rest` replaces its deadline and line.
    ///
    /// # Errors
    /// As [`Journal::append`]; a finished game is a conflict too.
    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Returns the ids of all games in `shards` that are neither finished nor asleep, the oldest first.
    fn awake(&self, shards: Shards) -> StoreFuture<'_, Vec<GameId>>;

    /// Returns the first `limit` sleeping games in `shards` behind `after`, in the order of their deadlines.
    fn sleepers(
        &self,
        shards: Shards,
        after: Option<Sleeper>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Sleeper>>;

    /// Returns how many games sleep, in all shards.
    fn asleep(&self) -> StoreFuture<'_, usize>;

    /// Returns the lines of the sleeping games of `identity` in all shards, the oldest first.
    fn asleep_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<SleeperLine>>;

    /// Returns the ids of the unfinished games of `identity` in all shards, awake or asleep, the oldest first. The cost grows
    /// with the number of all games of the identity.
    fn unfinished_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<GameId>>;

    /// Returns the ids of the last `limit` finished games of `identity` in all shards, the one that ended last first; with
    /// `before`, of those that ended before that game. The cost grows with the number of all games of the identity.
    fn finished_of<'a>(
        &'a self,
        identity: &'a str,
        before: Option<&'a GameId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<GameId>>;

    /// Returns the lines of the first `limit` sleeping games with [`Rest::is_listed`] in all shards, the oldest first.
    fn asleep_listed(&self, limit: usize) -> StoreFuture<'_, Vec<SleeperLine>>;
}
