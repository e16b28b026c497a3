//! The contract for what concerns one player in all tables: the export, and the erasure.

use std::fmt::Debug;

use serde_json::Value;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::StoreFuture;

/// The start of every identity that stands for an erased player.
pub const GONE: &str = "gone-";
/// The reason of everything that shuts an erased player out. Players read a text of their own instead.
pub const REASON: &str = "the player asked to be erased";

/// The wish of a player to be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The player.
    pub identity: String,
    /// When the player asked.
    pub asked_at: Timestamp,
    /// When it takes effect.
    pub due_at: Timestamp,
    /// Whether it has taken effect: nobody can take it back any more.
    pub has_begun: bool,
}

/// A change about an erasure. All of them can be repeated.
#[derive(Clone, PartialEq, Eq)]
pub enum ErasureChange {
    /// A player asks. A later wish changes nothing.
    Ask {
        /// The wish.
        erasure: Erasure,
        /// The secret from which the new names follow.
        secret: [u8; 32],
    },
    /// A player takes the wish back.
    TakeBack(String),
    /// The wish of a player takes effect: the player is shut out, and the audit has an entry.
    Begin(String, Timestamp),
    /// Some more of a player goes away.
    Step(String, Timestamp),
}

impl Debug for ErasureChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the secret.
        f.write_str(match self {
            Self::Ask { .. } => "Ask",
            Self::TakeBack(_) => "TakeBack",
            Self::Begin(..) => "Begin",
            Self::Step(..) => "Step",
        })
    }
}

/// How far an erasure has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing was changed: there is no such wish, or it has taken effect.
    Unchanged,
    /// Something was done, and more is to be done.
    More,
    /// The rest waits until games of the player are over and have their results, and seeks are closed.
    Waiting,
    /// Nothing of the player is left.
    Finished,
}

/// Rows of one table that concern a player.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonalRows {
    /// The table.
    pub table: &'static str,
    /// The rows, by the names of their columns.
    pub rows: Vec<Value>,
    /// The columns that are left out, with the reasons.
    pub withheld: &'static [(&'static str, &'static str)],
    /// Why the rows stay when the player is erased, if they do.
    pub kept: Option<&'static str>,
}

/// Everything about one player, in all tables.
pub trait PersonalStore: Send + Sync + Debug {
    /// Returns at most `most` rows of a table after the first `skip` ones, as the player may have them; `None` behind the last
    /// table. Tables without the player's data have none.
    fn personal<'a>(
        &'a self,
        identity: &'a str,
        table: usize,
        skip: usize,
        most: usize,
    ) -> StoreFuture<'a, Option<PersonalRows>>;

    /// Returns the ids of the games of a player behind one, over or not, at most `most`, in the order of the ids.
    fn games_of<'a>(
        &'a self,
        identity: &'a str,
        behind: Option<&'a GameId>,
        most: usize,
    ) -> StoreFuture<'a, Vec<GameId>>;

    /// Returns the wish of a player to be erased, if there is one.
    fn erasure<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<Erasure>>;

    /// Returns wishes that take effect until `now` or have done so, at most `most`, those that are due first.
    fn due_erasures(&self, now: Timestamp, most: usize) -> StoreFuture<'_, Vec<Erasure>>;

    /// Returns rooms and numbers of lines that a player has written, at most `most`.
    fn lines_of<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> StoreFuture<'a, Vec<(String, u64)>>;

    /// Makes a change, in one transaction.
    fn erase(&self, change: ErasureChange) -> StoreFuture<'_, Progress>;
}
