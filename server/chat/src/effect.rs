//! The events that the scheduler takes, and the actions that follow from them.

use tilewire_people::relations::Relation;
use tilewire_protocol::{OkBody, RoomId, ServerMessage};

use super::request::Request;
use super::room::RoomName;
use tilewire_delivery::outbound::{Delivery, Peer, PeerId};
use tilewire_store::{ChatChange, StoreError, StoredLine};
use tilewire_wire::Refusal;

/// An event that the machine takes.
#[derive(Debug)]
pub(super) enum Input {
    /// Requests came, the oldest first.
    Asked(Vec<Request>),
    /// The lines of a room after a number were read.
    Read {
        name: RoomName,
        after: u64,
        lines: Result<Vec<StoredLine>, StoreError>,
    },
    /// The relation of the players of a direct room was read.
    Related {
        room: RoomId,
        pair: [String; 2],
        relation: Result<Relation, StoreError>,
    },
    /// An append has ended.
    Appended {
        room: RoomId,
        appended: Result<(), StoreError>,
    },
    /// Lines were delivered, except to some connections.
    Delivered {
        room: RoomId,
        missed: Vec<(PeerId, Delivery)>,
    },
    /// A moderator hid lines, or shows them again.
    Hidden {
        room: RoomId,
        lines: Vec<u64>,
        is_hidden: bool,
    },
    /// A player has switched chat off.
    SwitchedOff(String),
    /// Connections have ended.
    Gone(Vec<PeerId>),
}

/// An action that the task carries out.
#[derive(Debug)]
pub(super) enum Effect {
    /// Answer a request.
    Answer(Request, Box<Result<OkBody, Refusal>>),
    /// Send a push.
    Tell(Peer, ServerMessage),
    /// Read the direct rooms of a connection and answer its request.
    ListDirect(Request),
    /// Read the lines of a room after a number; ends with [`Input::Read`].
    Read { name: RoomName, after: u64 },
    /// Read the relation of two players; ends with [`Input::Related`].
    Relate { room: RoomId, pair: [String; 2] },
    /// Store lines of a room; ends with [`Input::Appended`].
    Append { room: RoomId, change: ChatChange },
    /// Deliver lines to their readers; ends with [`Input::Delivered`].
    Deliver {
        room: RoomId,
        lines: Vec<StoredLine>,
        /// The connections that get the line at a position.
        readers: Vec<(usize, Vec<(PeerId, Peer)>)>,
    },
}

impl Effect {
    /// Returns the answer to a request.
    pub(super) fn answer(request: Request, answer: Result<OkBody, Refusal>) -> Self {
        Self::Answer(request, Box::new(answer))
    }
}
