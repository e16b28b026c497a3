//! The way to a client that is connected to another node.

use std::fmt::Debug;

use tilewire_protocol::{CloseCode, GameId, ServerMessage};

use super::push_frame::Pushes;
use super::recipient::{Delivery, Priority};

/// The way to a client that is connected to another node. It has the bounds of an outbox, and never waits.
pub trait Remote: Debug + Send + Sync {
    /// Queues the answer to the request with a relay id. One that is not open gets none.
    fn answer(&self, relay_id: u64, message: &ServerMessage) -> Delivery;

    /// Queues pushes that are encoded for the client, all of them or none.
    fn push(&self, priority: Priority, pushes: Pushes) -> Delivery;

    /// Gives the request with a relay id back: this node has nothing of what it is about any more. It gets no answer here.
    fn hand_back(&self, relay_id: u64);

    /// Says, behind what is queued, that a game leaves this node: its stream goes on at the next owner.
    fn let_go(&self, game: &GameId);

    /// Sends what is queued.
    fn flush(&self);

    /// Ends the client's connection, behind what is queued.
    fn close(&self, code: CloseCode, reason: &str);
}
