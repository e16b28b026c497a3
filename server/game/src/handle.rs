//! The handle of a game: how the rest of the server sends to its mailbox.
//!
//! Nothing that a client causes waits. The caller reports a full mailbox to the client (`busy`, retryable). The end of a connection
//! must not get lost, so it does not go through the mailbox.

use std::sync::Arc;

use tilewire_protocol::ClientMessage;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::mpsc;

use super::attach::Attach;
use super::gone::GonePeers;
use super::room::{Participant, RoomInput};
use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::outbound::{Peer, PeerId};

/// The game cannot take the request now; the client gets `busy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the game is overloaded")]
pub struct Busy;

/// A game in memory. Cheap to clone; outlives the game's actor, and then answers [`Busy`] or [`GameHandle::is_gone`].
#[derive(Debug, Clone)]
pub struct GameHandle {
    mailbox: mpsc::Sender<RoomMessage>,
    gone: Arc<GonePeers>,
}

/// A boxed message. A mailbox allocates many places, most of which are never used, so they are small.
pub(crate) type RoomMessage = Box<RoomInput<Peer>>;

impl GameHandle {
    /// Returns the two ends of a mailbox for `capacity` messages.
    pub(crate) fn new(capacity: usize) -> (Self, mpsc::Receiver<RoomMessage>, Arc<GonePeers>) {
        let (mailbox, receiver) = mpsc::channel(capacity);
        let gone = Arc::new(GonePeers::default());
        let handle = Self {
            mailbox,
            gone: Arc::clone(&gone),
        };
        (handle, receiver, gone)
    }

    /// Attaches `peer`: as the player of its identity's seat if it has one, else as a spectator.
    ///
    /// The game answers the request through `peer` exactly once, then pushes the events after `from` or a snapshot.
    ///
    /// # Errors
    /// [`Busy`] when the mailbox is half full or the game has just left memory; nothing was done. The other half is for
    /// commands: however many clients attach, a turn finds a place.
    pub fn attach(
        &self,
        peer: Peer,
        request_id: u64,
        from: Option<ResumePoint>,
        code: Option<String>,
    ) -> Result<(), Busy> {
        if self.mailbox.capacity() <= self.mailbox.max_capacity() / 2 {
            return Err(Busy);
        }
        let attach = Attach {
            peer,
            request_id,
            from,
        };
        self.post(RoomInput::Attach { attach, code })
    }

    /// Detaches `peer`. The game answers the request through it exactly once.
    ///
    /// # Errors
    /// [`Busy`] when the mailbox is full or the game has just left memory; nothing was done.
    pub fn detach(&self, peer: Peer, request_id: u64) -> Result<(), Busy> {
        self.post(RoomInput::Detach { peer, request_id })
    }

    /// Reports that a connection has ended. A full mailbox does not lose it.
    pub fn gone(&self, peer: PeerId) {
        self.gone.add(peer);
    }

    /// Sends a game command: a message for which [`ClientMessage::game_command`] is `Some`.
    ///
    /// `received_at` is when its frame was read; the player's clock stops there, less `lag_ms`.
    /// The game answers the request through `peer` exactly once. The peer need not be attached.
    ///
    /// # Errors
    /// [`Busy`] when the mailbox is full or the game has just left memory; nothing was done.
    pub fn command(
        &self,
        peer: Peer,
        request_id: u64,
        received_at: Timestamp,
        lag_ms: Millis,
        command: Arc<ClientMessage>,
    ) -> Result<(), Busy> {
        self.post(RoomInput::Command {
            peer,
            request_id,
            received_at,
            lag_ms,
            command,
        })
    }

    /// Says whether the game's actor has ended; [`super::Directory::find`] starts a new one.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Waits until the game's actor has ended.
    #[cfg(test)]
    pub(crate) async fn closed(&self) {
        self.mailbox.closed().await;
    }

    /// Makes the game leave memory after the messages in its mailbox. Waits for space in a full one.
    pub(crate) async fn hand_over(&self) {
        // A game that has left memory has nothing to hand over.
        let left = self.mailbox.send(Box::new(RoomInput::HandOver)).await;
        left.ok();
    }

    pub(crate) fn post(&self, message: RoomInput<Peer>) -> Result<(), Busy> {
        self.mailbox.try_send(Box::new(message)).map_err(|_| Busy)
    }
}

impl Participant for Peer {
    fn id(&self) -> PeerId {
        Self::id(self)
    }

    fn identity(&self) -> &str {
        Self::identity(self)
    }

    fn is_revoked(&self) -> bool {
        Self::is_revoked(self)
    }

    fn is_elsewhere(&self) -> bool {
        !self.is_here()
    }
}
