//! The inputs and effects of a gateway, and its bounds.

use std::sync::Arc;

use bytes::Bytes;
use tilewire_protocol::{ClientMessage, CloseCode, ErrorCode, GameId};
use tilewire_rules::time::{Millis, Timestamp};

use crate::message::{Client, End, ToGateway, ToOwner};
use tilewire_delivery::outbound::Leaving;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{NodeId, Part, Shard};

/// The bounds of a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayBounds {
    /// Time without an owner after which a client is told that its game is paused.
    pub grace_ms: Millis,
    /// Pause before another attempt, after an owner has refused.
    pub retry_ms: Millis,
    /// The longest time that a request waits for an owner.
    pub hold_ms: Millis,
    /// Pause before a spectator that reads slowly gets a snapshot.
    pub lagging_retry_ms: Millis,
    /// Bytes of the unanswered requests of all clients.
    pub held_bytes: usize,
}

/// The subject of a request, as far as a gateway needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The stream of a game begins, behind a position; a private one has a code.
    Attach(GameId, Option<ResumePoint>, Option<String>),
    /// The stream of a game ends.
    Detach(GameId),
    /// A command of a player.
    Command(GameId),
    /// The client follows the lobby from now on.
    Subscribe,
    /// The client follows the lobby no longer.
    Unsubscribe,
    /// The client follows a chat room from now on.
    Join,
    /// Anything else that the lobby's node answers.
    Lobby,
}

impl Subject {
    /// Returns the subject of a request. `None` for one that every node answers by itself: `auth`, which is answered before; `time`
    /// and `rule_set`, whose answers no other node knows better; and `renew`, because tokens do not travel between nodes.
    #[must_use]
    pub fn of(message: &ClientMessage) -> Option<Self> {
        if let Some((game, _)) = message.game_command() {
            return Some(Self::Command(game.clone()));
        }
        Some(match message {
            ClientMessage::Auth(_)
            | ClientMessage::Time(_)
            | ClientMessage::RuleSet(_)
            | ClientMessage::Renew(_) => return None,
            ClientMessage::Attach(attach) => {
                let from = ResumePoint::of(attach);
                Self::Attach(attach.game.clone(), from, attach.code.clone())
            }
            ClientMessage::Detach(detach) => Self::Detach(detach.game.clone()),
            ClientMessage::LobbySubscribe(_) => Self::Subscribe,
            ClientMessage::LobbyUnsubscribe(_) => Self::Unsubscribe,
            ClientMessage::ChatJoin(_) => Self::Join,
            _ => Self::Lobby,
        })
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> Option<&GameId> {
        match self {
            Self::Attach(game, ..) | Self::Detach(game) | Self::Command(game) => Some(game),
            Self::Subscribe | Self::Unsubscribe | Self::Join | Self::Lobby => None,
        }
    }

    /// Returns the part that answers.
    #[must_use]
    pub fn part(&self) -> Part {
        self.game()
            .map_or(Part::LOBBY, |game| Part::from(Shard::of(game)))
    }
}

/// A request of a client for another node.
#[derive(Debug, Clone)]
pub struct ClientRequest {
    /// The connection.
    pub connection: u64,
    /// Its client.
    pub client: Arc<Client>,
    /// The id that the client gave the request. None of its unanswered requests has the same.
    pub request_id: u64,
    /// Its subject.
    pub subject: Subject,
    /// The message in MessagePack, as the client sent it if it speaks MessagePack.
    pub message: Bytes,
    /// When its frame was read.
    pub received_at: Timestamp,
    /// The network delay of the client.
    pub lag_ms: Millis,
    /// Whether the client is attached to the game that a request about chat names.
    pub is_attached: bool,
}

/// An input of a gateway.
#[derive(Debug)]
pub enum Input {
    /// A client has authenticated: the lobby's node counts it as connected.
    Present(u64, Arc<Client>),
    /// A client has asked for something that another node answers.
    ClientRequest(Box<ClientRequest>),
    /// A game that a client follows has left this node.
    Follow(u64, Arc<Client>, Box<Leaving>),
    /// A connection has ended.
    Ended(u64, End),
    /// The outbox of a spectator has refused messages of a game.
    Behind(u64, GameId),
    /// A node has sent a message.
    Received(NodeId, ToGateway),
    /// The parts have other owners.
    Placed(Box<OwnerTable>),
    /// A node can be reached. The own node always can.
    Up(NodeId),
    /// A node cannot be reached any more.
    Down(NodeId),
    /// Messages to a node, or from it, were lost.
    Reset(NodeId),
    /// Time passed.
    Tick,
}

/// An effect of a gateway.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Send a message to a node.
    Send(NodeId, ToOwner),
    /// Pass frames on to the client of a connection, all together.
    Deliver(u64, Vec<Delivery>),
    /// Tell the client of a connection something.
    Push(u64, Push),
}

/// A frame for a client.
#[derive(Debug, PartialEq)]
pub struct Delivery {
    /// The message, encoded for the client.
    pub frame: Bytes,
    /// The request that it answers, and whether it was accepted.
    pub answers: Option<(u64, bool)>,
    /// The game whose stream it ends.
    pub detaches: Option<GameId>,
    /// The game that the client watches: the frame may be refused, and [`Input::Behind`] says so.
    pub watches: Option<GameId>,
}

/// A message from a gateway itself to a client.
#[derive(Debug, PartialEq)]
pub enum Push {
    /// A game takes no commands now.
    Paused(GameId),
    /// A game takes commands again.
    Unpaused(GameId),
    /// The stream of a game has ended.
    Detached(GameId, ErrorCode, &'static str),
    /// A request is refused.
    Refuse(u64, ErrorCode, &'static str),
    /// The owner cannot read this request, which has this id.
    Unreadable(u64, Bytes),
    /// The connection ends.
    Close(CloseCode, String),
}
