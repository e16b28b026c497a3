//! The contract for the logs of games.

use std::fmt::{self, Debug};

use futures::future::BoxFuture;
use tilewire_rules::event::Record;

use super::{AppendError, RecordBatch, RecordRow, StoreError};

/// What is known of a game beside its log.
#[derive(Clone, PartialEq, Eq)]
pub struct GameMeta {
    /// Its id.
    pub game: String,
    /// The incarnation of its log; another one means that clients must not resume by `seq`.
    pub epoch: u64,
    /// Id of the rule set it is played by.
    pub rule_set: String,
    /// The code that lets people watch a private game; `None` is a public game.
    pub private_code: Option<String>,
    /// The identities of its players, in seat order.
    pub players: Vec<String>,
    /// When it was created, unix ms.
    pub created_at: i64,
}

impl Debug for GameMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the code: it is a secret among the players and whom they tell.
        f.debug_struct("GameMeta")
            .field("game", &self.game)
            .field("epoch", &self.epoch)
            .field("rule_set", &self.rule_set)
            .field("players", &self.players)
            .field("created_at", &self.created_at)
            .finish_non_exhaustive()
    }
}

/// A game as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// What is known of it beside its log.
    pub meta: GameMeta,
    /// Its log: `seq` 1, 2, 3 … without gaps.
    pub records: Vec<Record>,
    /// The same as it is stored, where that is at hand: all of it or nothing.
    pub rows: Vec<RecordRow>,
    /// Whether the game is over.
    pub is_finished: bool,
}

/// Records to be added to a game's log, all or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The game.
    pub game: String,
    /// `seq` of the last record the writer knows to be stored.
    pub after: u64,
    /// The records that follow; not empty, and without gaps from `after + 1`.
    pub records: RecordBatch,
    /// Whether the game is over with them.
    pub is_finished: bool,
}

/// A game that leaves memory until somebody asks for it, at the latest until its next deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The game.
    pub game: String,
    /// `seq` of the last record the writer knows to be stored.
    pub after: u64,
    /// Its next deadline, unix ms.
    pub wakes_at: i64,
    /// Its line in lists of games, as the directory encoded it.
    pub line: Vec<u8>,
    /// Whether it is in the list of public games being played.
    pub is_listed: bool,
}

/// A sleeping game, by the moment that wakes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sleeper {
    /// Its next deadline, unix ms.
    pub wakes_at: i64,
    /// The game.
    pub game: String,
}

/// A sleeping game's line in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SleeperLine {
    /// The game.
    pub game: String,
    /// When it was created, unix ms.
    pub created_at: i64,
    /// The line, as the directory encoded it.
    pub line: Vec<u8>,
}

/// The log of every game, and which of them sleep.
///
/// An unfinished game is awake or asleep; a new one is awake. One that sleeps is not read when a server starts. An append
/// wakes it, in one step with the records.
///
/// Every future may be dropped; what was asked may then still be done.
pub trait Journal: Send + Sync + Debug {
    /// Stores a new game and the first record of its log.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] with the end of its log if there is such a game already; else as
    /// [`Journal::append`].
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Adds records to a log that ends at `append.after`.
    ///
    /// # Errors
    /// Says whether nothing was stored or whether that is not known.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Reads a game; `None` when there is none, or it is kept no longer.
    ///
    /// # Errors
    /// When the storage does not answer, or the game cannot be understood.
    fn load<'a>(&'a self, game: &'a str) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>>;

    /// Puts a game to sleep whose log ends at `rest.after`; one that sleeps already gets the new moment and line.
    ///
    /// # Errors
    /// As [`Journal::append`]; a game that is over is a conflict too.
    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Returns the ids of all games that are neither over nor asleep, the oldest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn awake(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>>;

    /// Returns the first `limit` sleeping games after `after`, those to be woken first before others.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn sleepers(
        &self,
        after: Option<Sleeper>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Sleeper>, StoreError>>;

    /// Returns how many games sleep.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn asleep(&self) -> BoxFuture<'_, Result<usize, StoreError>>;

    /// Returns the lines of the sleeping games of `identity`, the oldest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn asleep_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<SleeperLine>, StoreError>>;

    /// Returns the lines of the first `limit` sleeping games with [`Rest::is_listed`], the oldest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn asleep_listed(&self, limit: usize) -> BoxFuture<'_, Result<Vec<SleeperLine>, StoreError>>;
}
