//! The question which node runs a game.

use std::fmt::Debug;

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
    /// Returns where a game runs.
    fn place(&self, game: &str) -> Place;
}

/// The placement of a server that runs alone: every game is its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleNode;

impl Placement for SingleNode {
    fn place(&self, _game: &str) -> Place {
        Place::Mine
    }
}
