//! Connected peers as rooms and hubs see them.

use tilewire_protocol::{Codec, ServerMessage};

use super::handle::RoomMessage;
use super::room::{Party, RoomInput};
use crate::connection::outbox::Outgoing;
use crate::crowd::Outlet;
use crate::peers::{Delivery, Peer, PeerId, Priority};

impl Party for Peer {
    fn id(&self) -> PeerId {
        Self::id(self)
    }

    fn identity(&self) -> &str {
        Self::identity(self)
    }
}

impl Outlet for Peer {
    fn id(&self) -> PeerId {
        Self::id(self)
    }

    fn codec(&self) -> Codec {
        Self::codec(self)
    }

    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.queue(request_id, message)
    }

    fn push(&self, outgoing: Outgoing) -> Delivery {
        self.queue_encoded(Priority::Spectator, outgoing)
    }

    fn flush(&self) {
        Self::flush(self);
    }
}

impl From<RoomMessage> for RoomInput<Peer> {
    fn from(message: RoomMessage) -> Self {
        match message {
            RoomMessage::Attach {
                peer,
                request_id,
                from,
                code,
            } => Self::Attach {
                peer,
                request_id,
                from,
                code,
            },
            RoomMessage::Detach { peer, request_id } => Self::Detach { peer, request_id },
            RoomMessage::Command {
                peer,
                request_id,
                received_at,
                lag_ms,
                command,
            } => Self::Command {
                peer,
                request_id,
                received_at,
                lag_ms,
                command,
            },
        }
    }
}
