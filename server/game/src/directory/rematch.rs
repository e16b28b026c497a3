//! The directory's services for rematches: whether a game exists, and a message to the clients of an old game.

use tilewire_protocol::{GameId, RematchChanged};

use super::{Directory, FindError};
use crate::placement::Location;
use crate::room::RoomInput;

impl Directory {
    /// Says whether a game exists: in memory or in the journal.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn has(&self, game: &GameId) -> Result<bool, FindError> {
        if self.in_memory(game).is_some() {
            return Ok(true);
        }
        match self.stored(game).await {
            Ok(_) | Err(FindError::Broken) => Ok(true),
            Err(FindError::Unknown) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Tells all clients that are attached to a game of its rematch, on the node that has the game.
    pub fn tell_rematch(&self, changed: RematchChanged) {
        match (self.place(&changed.game), &self.others) {
            (Location::Elsewhere(_), Some(others)) => others.tell_rematch(&changed),
            _ => self.tell_rematch_here(changed),
        }
    }

    /// Tells all clients that are attached to a game of its rematch. A game that is not in memory has none.
    pub fn tell_rematch_here(&self, changed: RematchChanged) {
        if let Some(handle) = self.in_memory(&changed.game) {
            // A full mailbox loses a notice, not a game: the players learn of their game from the lobby.
            handle.post(RoomInput::Rematch(Box::new(changed))).ok();
        }
    }
}
