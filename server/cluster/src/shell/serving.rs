//! The services of a node, and the callbacks for changes of its state.

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;

use tilewire_game::Directory;

/// The work that only one node at a time does: the lobby, and all tasks that maintain stored data.
pub trait LobbyWork: Debug + Send + Sync {
    /// Begins, with what is stored; tries again until it can.
    fn start(&self) -> BoxFuture<'_, ()>;

    /// Ends; when this returns, nothing of it stores anything any more.
    fn stop(&self) -> BoxFuture<'_, ()>;

    /// Ends at once.
    fn abort(&self);
}

/// The services of a node, and its callbacks.
#[derive(Debug)]
pub struct Serving {
    /// The games.
    pub directory: Arc<Directory>,
    /// The lobby, and the tasks that run on its node.
    pub lobby: Arc<dyn LobbyWork>,
    /// Sends the clients away: the database does not answer this node.
    pub on_cut_off: Callback,
    /// Tells the other nodes that parts have other owners.
    pub on_change: Callback,
}

/// Is called when something has happened to a node.
pub struct Callback(pub Box<dyn Fn() + Send>);

impl Debug for Callback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Callback")
    }
}
