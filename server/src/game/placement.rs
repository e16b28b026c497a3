//! The question which node runs a game.

use std::fmt::Debug;
use tilewire_protocol::GameId;

use crate::storage::Shards;

/// Where a game runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On this node: its directory loads or creates the game.
    Mine,
    /// On another node.
    Elsewhere,
}

/// Decides which node runs a game. The directory asks before it loads or creates one.
pub trait Placement: Debug + Send + Sync {
    /// Returns the shards whose games this node runs.
    fn mine(&self) -> Shards;

    /// Returns where a game runs.
    fn place(&self, game: &GameId) -> Place {
        match self.mine().contain(game) {
            true => Place::Mine,
            false => Place::Elsewhere,
        }
    }
}

/// The placement of a server that runs alone: every game is its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleNode;

impl Placement for SingleNode {
    fn mine(&self) -> Shards {
        Shards::ALL
    }
}
