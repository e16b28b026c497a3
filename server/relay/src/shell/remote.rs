//! Serves the clients of other nodes, and answers their requests over HTTP.

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use tilewire_protocol::GameId;

use crate::asks::message::{HttpAnswer, HttpRequest};
use crate::channel::Waiting;
use crate::message::{Client, End};
use crate::owner::{Key, Served};
use tilewire_delivery::outbound::Peer;

/// Serves clients of other nodes as it serves those of this node.
pub trait RemoteService: Debug + Send + Sync {
    /// Begins to serve a client over a channel. What it is told goes to `waiting`.
    fn begin(&self, key: Key, client: &Client, waiting: Arc<Waiting>) -> Box<dyn RemoteClient>;

    /// Lets a client that has left a game on another node leave its chat rooms.
    fn left(&self, peer: &Peer, game: &GameId);

    /// Answers a request over HTTP that another node has passed on.
    fn answer(&self, request: HttpRequest) -> BoxFuture<'static, HttpAnswer>;
}

/// A client of another node.
pub trait RemoteClient: Debug + Send {
    /// Returns the connection of the client, as games and the lobby know it.
    fn peer(&self) -> &Peer;

    /// Answers a request, after those before.
    fn ask(&self, request: Served);

    /// Counts the client as connected, for the lobby, unless its player has as many connections as allowed.
    fn present(&self);

    /// Counts the client as connected no longer.
    fn absent(&self, end: End);

    /// Ends the channel: what it was asked is still done, and nothing is told any more.
    fn end(self: Box<Self>, end: End);
}
