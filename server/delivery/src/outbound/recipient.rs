//! A connection as the code that sends sees it.

use tilewire_protocol::{Codec, ServerMessage};

use super::leaving::Leaving;
use super::push_frame::Pushes;

/// Names a connection for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u64);

/// How an outbox treats a frame when the client reads slowly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// An answer: never dropped; a full outbox ends the connection.
    Reply,
    /// For a player: never dropped; a full outbox ends the connection.
    Player,
    /// For a spectator: refused when the outbox is half full, so that a snapshot can replace it later.
    Spectator,
}

/// The result of handing a frame to an outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The frame waits to be written.
    Queued,
    /// The outbox was full; the connection is being closed, and the client can resume.
    Overflowed,
    /// The outbox is half full and refused the frame; the sender may send a snapshot later.
    Lagging,
    /// The connection has ended.
    Gone,
}

/// A connection that gets answers and pushes.
pub trait Recipient: Clone {
    /// Returns the connection's id.
    fn id(&self) -> PeerId;
    /// Returns the codec of the connection.
    fn codec(&self) -> Codec;
    /// Queues the answer to a request, or with 0 a push.
    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery;
    /// Queues a push for a spectator or subscriber, if the outbox has room for it.
    fn push(&self, pushes: Pushes) -> Delivery;
    /// Lets the client go on with a game at its next owner; says whether it can. A recipient that knows no other node cannot.
    fn let_go(&self, _leaving: Leaving) -> bool {
        false
    }
    /// Writes the queued frames.
    fn flush(&self);
}
