//! The way to the other nodes that have games, for a node among several.

use std::fmt::Debug;

use tilewire_protocol::{GameId, RematchChanged};
use tilewire_rules::time::Seat;

/// The way to the other nodes that have games. Each message can get lost.
pub trait GameNodes: Debug + Send + Sync {
    /// Asks the node that has a game to load it.
    fn wake(&self, game: &GameId);

    /// Makes the node of a game resign for the seat of an erased player.
    fn resign(&self, game: &GameId, seat: Seat);

    /// Tells the clients that are attached to a game of another node of its rematch.
    fn tell_rematch(&self, changed: &RematchChanged);
}
