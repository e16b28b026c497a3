//! The inputs and effects of a room.

use std::sync::Arc;

use tilewire_protocol::{ClientMessage, ErrorBody, GameSummary, RematchChanged, ServerMessage};
use tilewire_rules::game::Order;
use tilewire_rules::time::{Millis, Timestamp};

use crate::attach::Attach;
use crate::bot_turn::{Question, Reply};
use crate::hinting::{HintFound, HintQuestion};
use crate::hub::{HubInput, HubStart};
use crate::operator::{Asker, Inspection};
use tilewire_delivery::outbound::PeerId;
use tilewire_store::{Append, AppendError, Rest, StoreError, StoredGame};

/// A connection as a room sees it.
pub trait Participant: Clone {
    /// Returns the connection's id.
    fn id(&self) -> PeerId;
    /// Returns the identity that the connection belongs to.
    fn identity(&self) -> &str;
    /// Says whether the operator has revoked its pass: nothing that it has asked for is done any more.
    fn is_revoked(&self) -> bool;
    /// Says whether the client is connected to another node.
    fn is_elsewhere(&self) -> bool {
        false
    }
}

/// An input of a room.
#[derive(Debug)]
pub enum RoomInput<P> {
    /// A connection attaches.
    Attach {
        /// The request.
        attach: Attach<P>,
        /// The code of a private game.
        code: Option<String>,
    },
    /// A connection detaches.
    Detach {
        /// The connection.
        peer: P,
        /// The request to answer.
        request_id: u64,
    },
    /// A connection has ended.
    Gone(PeerId),
    /// A player sends a command.
    Command {
        /// The connection.
        peer: P,
        /// The request to answer.
        request_id: u64,
        /// When it was received.
        received_at: Timestamp,
        /// Network delay that the clock gives back.
        lag_ms: Millis,
        /// The command.
        command: Arc<ClientMessage>,
    },
    /// A house bot has decided.
    BotReplied(Reply),
    /// The turn of a hint was found.
    HintFound(HintFound),
    /// The append in flight has ended.
    Appended(Result<(), AppendError>),
    /// The log that [`RoomEffect::Reload`] asked for.
    Reloaded(Result<Option<StoredGame>, StoreError>),
    /// The result of [`RoomEffect::Rest`].
    Rested(Result<(), AppendError>),
    /// An operator looks at the game.
    Inspect(Asker),
    /// An operator orders something, and sees the game afterwards.
    Order {
        /// The operator.
        asker: Asker,
        /// The number of the last event that the operator has seen: nothing happens if the game has moved on. `None`: the order
        /// is for the game as it is.
        seq: Option<u64>,
        /// The order.
        order: Order,
    },
    /// The lobby tells of the rematch of this game.
    Rematch(Box<RematchChanged>),
    /// Time passed.
    Tick,
    /// The game had no actor since then, or the server stood still for so long.
    Resumed {
        /// The last moment at which the game is known to have been looked after; for several stalls, as if they were one.
        stopped_at: Timestamp,
    },
    /// The server stops: finish the write in flight and end.
    Stop,
    /// Another node gets the game, or the game has other names in the journal: finish the write in flight and end.
    HandOver,
}

impl<P> RoomInput<P> {
    /// Returns the name of the input, or of the command in it, for the log.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Attach { .. } => "attach",
            Self::Detach { .. } => "detach",
            Self::Gone(_) => "gone",
            Self::Command { command, .. } => command.op(),
            Self::BotReplied(_) => "bot_replied",
            Self::HintFound(_) => "hint_found",
            Self::Appended(Ok(())) => "appended",
            Self::Appended(Err(_)) => "append_failed",
            Self::Reloaded(_) => "reloaded",
            Self::Rested(_) => "rested",
            Self::Inspect(_) => "inspect",
            Self::Order { .. } => "order",
            Self::Rematch(_) => "rematch",
            Self::Tick => "tick",
            Self::Resumed { .. } => "resumed",
            Self::Stop => "stop",
            Self::HandOver => "hand_over",
        }
    }

    /// Returns the connection and the request to answer, if this is a request.
    pub(crate) const fn request(&self) -> Option<(&P, u64)> {
        match self {
            Self::Attach { attach, .. } => Some((&attach.peer, attach.request_id)),
            Self::Detach { peer, request_id }
            | Self::Command {
                peer, request_id, ..
            } => Some((peer, *request_id)),
            _ => None,
        }
    }
}

/// An effect, for the shell to carry out.
#[derive(Debug, Clone, PartialEq)]
pub enum RoomEffect<P> {
    /// Append to the journal, then send [`RoomInput::Appended`].
    Append(Append),
    /// Read the game's log again, then send [`RoomInput::Reloaded`].
    Reload,
    /// Put the game to sleep in the journal, then send [`RoomInput::Rested`].
    Rest(Box<Rest>),
    /// Ask a house bot, then send [`RoomInput::BotReplied`] after its pause.
    AskBot(Box<Question>),
    /// Find the turn of a hint, then send [`RoomInput::HintFound`].
    FindHint(Box<HintQuestion>),
    /// Answer a request.
    Reply {
        /// The connection.
        peer: P,
        /// The request.
        request_id: u64,
        /// The answer.
        message: ServerMessage,
        /// When the request was received, if it was a command.
        received_at: Option<Timestamp>,
    },
    /// Give a request back, because another node gets the game and answers it; or refuse it.
    HandBack {
        /// The connection.
        peer: P,
        /// The request.
        request_id: u64,
        /// The answer for a connection that knows no other node.
        otherwise: ErrorBody,
    },
    /// Push a message to players' connections.
    Push {
        /// The connections.
        to: Vec<P>,
        /// The message.
        message: ServerMessage,
    },
    /// Tell the connections of a player that are not attached that it is the player's turn.
    CallPlayer {
        /// The player.
        identity: String,
        /// The player's connections that are attached: they get the event.
        attached: Vec<PeerId>,
        /// The message.
        message: ServerMessage,
    },
    /// Answer an operator.
    Inspected(Asker, Box<Inspection>),
    /// Start the hub for spectators.
    OpenHub(HubStart),
    /// Hand this input to the hub.
    Hub(HubInput<P>),
    /// Stop the hub: no spectator is left.
    CloseHub,
    /// The game's summary changed.
    Summary(GameSummary),
    /// The summary for the game's own players changed, if it differs.
    OwnSummary(GameSummary),
    /// The first turn of the game began.
    Started(GameSummary),
    /// The game is over.
    Ended(GameSummary),
    /// End the room: nothing is in flight and no client is attached.
    Stop,
    /// Another node owns the game: end the room and announce nothing.
    Fenced,
    /// The log cannot be replayed: end the room and log it for the operator.
    Broken(String),
}

impl<P> RoomEffect<P> {
    /// Returns the name of the effect, or of the message in it, for the log.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Append(_) => "append",
            Self::Reload => "reload",
            Self::Rest(_) => "rest",
            Self::AskBot(_) => "ask_bot",
            Self::FindHint(_) => "find_hint",
            Self::Reply {
                message: ServerMessage::Error(error),
                ..
            } => error.code.as_str(),
            Self::Reply { message, .. } | Self::Push { message, .. } => message.op(),
            Self::HandBack { .. } => "hand_back",
            Self::CallPlayer { .. } => "call_player",
            Self::Inspected(..) => "inspected",
            Self::OpenHub(_) => "open_hub",
            Self::Hub(_) => "hub",
            Self::CloseHub => "close_hub",
            Self::Summary(_) | Self::OwnSummary(_) => "summary",
            Self::Started(_) => "started",
            Self::Ended(_) => "ended",
            Self::Stop => "stop",
            Self::Fenced => "fenced",
            Self::Broken(_) => "broken",
        }
    }
}
