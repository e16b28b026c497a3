//! The contract for the lobby: open seeks and answered commands.

use std::fmt::Debug;

use tilewire_rules::time::Timestamp;

use super::{NewLetter, StoreFuture};

/// An open seek: its id and its content, as the lobby encoded it.
pub type StoredSeek = (String, Vec<u8>);

/// The key of a command of the lobby.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandKey {
    /// The sender.
    pub identity: String,
    /// The sender's id for it; unique per identity.
    pub cmd_id: String,
}

/// An accepted command of the lobby with its answer, so that a retry gets the first answer again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCommand {
    /// Its name.
    pub key: CommandKey,
    /// Digest of its content.
    pub digest: u64,
    /// The answer, as the lobby encoded it.
    pub answer: Vec<u8>,
    /// When it was accepted.
    pub at: Timestamp,
}

/// A change of the lobby, all or nothing: first `put`, then `remove`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LobbyChange {
    /// Seeks to store, in this order: id and content; replaces what was stored under the id.
    pub put: Vec<(String, Vec<u8>)>,
    /// Ids of seeks to remove.
    pub remove: Vec<String>,
    /// The commands that caused it.
    pub commands: Vec<StoredCommand>,
    /// The letters that tell of it.
    pub letters: Vec<NewLetter>,
}

/// The seeks of the lobby and the commands it has answered.
pub trait LobbyStore: Send + Sync + Debug {
    /// Returns all open seeks, by id.
    fn seeks(&self) -> StoreFuture<'_, Vec<StoredSeek>>;

    /// Returns the commands that were accepted under `keys`, each in the place of its key, as long as they are kept.
    fn commands(&self, keys: Vec<CommandKey>) -> StoreFuture<'_, Vec<Option<StoredCommand>>>;

    /// Returns the commands accepted from `identity`, as long as they are kept, the oldest first.
    fn commands_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<StoredCommand>>;

    /// Stores a change.
    ///
    /// # Errors
    /// When the storage does not take it. It may be stored all the same if the storage failed in the middle; making
    /// the same change again is harmless.
    fn commit(&self, change: LobbyChange) -> StoreFuture<'_, ()>;
}
