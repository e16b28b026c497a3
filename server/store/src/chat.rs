//! The contract for the lines of chat rooms.

use std::fmt::Debug;

use tilewire_rules::time::Timestamp;

use super::StoreFuture;

/// A line of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLine {
    /// The room.
    pub room: String,
    /// Its number in the room: 1, 2, 3 … without gaps.
    pub line: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The identity that wrote it.
    pub identity: String,
    /// Its display name at that time.
    pub name: String,
    /// The seat of the writer, in the room of a game's players.
    pub seat: Option<u8>,
    /// The writer's id for the line.
    pub cmd_id: String,
    /// The text.
    pub text: String,
    /// Whether a moderator has hidden it: nobody reads it, and it keeps its number.
    pub is_hidden: bool,
}

/// Two identities with a direct room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectPair {
    /// The room.
    pub room: String,
    /// The two identities.
    pub pair: [String; 2],
}

/// A direct room of an identity, for lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectLine {
    /// The room.
    pub room: String,
    /// The other identity.
    pub other: String,
    /// The handle that the other player has now.
    pub handle: String,
    /// The number of the last line.
    pub last: u64,
    /// When it was written.
    pub at: Timestamp,
}

/// New lines, all or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChatChange {
    /// The direct rooms among the rooms of the lines.
    pub pairs: Vec<DirectPair>,
    /// The lines.
    pub lines: Vec<StoredLine>,
}

/// The lines of all rooms.
pub trait ChatStore: Send + Sync + Debug {
    /// Returns the newest lines of a room after a number, at most `most`, the oldest first.
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        most: usize,
    ) -> StoreFuture<'a, Vec<StoredLine>>;

    /// Returns the direct rooms of an identity that have lines, at most `most`, the one with the newest line first. Both
    /// players of a room are registered.
    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> StoreFuture<'a, Vec<DirectLine>>;

    /// Stores lines. Making the same change again is harmless. If a room has another line with one of the numbers, nothing
    /// is stored.
    ///
    /// # Errors
    /// When the storage does not take them. They may be stored all the same if the storage failed in the middle; the caller
    /// reads the rooms to find out.
    fn say(&self, change: ChatChange) -> StoreFuture<'_, ()>;
}
