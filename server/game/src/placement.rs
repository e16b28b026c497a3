//! The question which node runs a game.

use std::fmt::Debug;
use std::sync::LazyLock;

use tilewire_protocol::GameId;
use tokio::sync::watch;

use tilewire_store::{NodeId, Shards};

/// Where a game, or the lobby, runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// On this node, which answers for it now.
    Mine,
    /// On another node, as far as this one knows; `None` while no node answers for it, such as during a takeover. A request is
    /// worth another attempt after the next change.
    Elsewhere(Option<NodeId>),
}

/// Decides which node runs a game. The directory asks before it loads or creates one.
pub trait Placement: Debug + Send + Sync {
    /// Says whether there are no other nodes, so that no game can have gone to one without this node's knowledge.
    fn is_alone(&self) -> bool {
        false
    }

    /// Returns the shards whose games this node runs: those for which [`Placement::place`] says [`Location::Mine`].
    fn mine(&self) -> Shards;

    /// Returns where a game runs.
    fn place(&self, game: &GameId) -> Location;

    /// Returns the shards that new games may have: the own ones, and those of other nodes that can read and load them.
    fn new_games(&self) -> Shards {
        self.mine()
    }

    /// Returns where the lobby runs.
    fn lobby(&self) -> Location;

    /// Returns the number of changes of any place so far. The receiver wakes its holder with each.
    fn changes(&self) -> watch::Receiver<u64>;
}

/// The placement of a server that runs alone: every game is its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleNode;

/// The change counter of a placement that never changes. It is never dropped, so it wakes no waiting task.
static NO_CHANGES: LazyLock<watch::Sender<u64>> = LazyLock::new(|| watch::Sender::new(0));

impl Placement for SingleNode {
    fn is_alone(&self) -> bool {
        true
    }

    fn mine(&self) -> Shards {
        Shards::ALL
    }

    fn place(&self, _game: &GameId) -> Location {
        Location::Mine
    }

    fn lobby(&self) -> Location {
        Location::Mine
    }

    fn changes(&self) -> watch::Receiver<u64> {
        NO_CHANGES.subscribe()
    }
}
