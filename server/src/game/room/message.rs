//! What goes into a room and what comes out.

use std::sync::Arc;

use tilewire_protocol::{ClientMessage, GameSummary, ServerMessage};

use crate::game::attach::Attach;
use crate::game::house::{Question, Reply};
use crate::game::hub::{HubInput, HubStart};
use crate::outbound::PeerId;
use crate::storage::{Append, AppendError, Rest, StoreError, StoredGame};

/// Somebody at a game, as far as the room has to know.
pub trait Participant: Clone {
    /// Returns the connection.
    fn id(&self) -> PeerId;
    /// Returns whose connection it is.
    fn identity(&self) -> &str;
}

/// Something that reaches a room.
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
    /// A player acts.
    Command {
        /// Who.
        peer: P,
        /// The request to answer.
        request_id: u64,
        /// When it was received.
        received_at: i64,
        /// Network delay not to be charged, ms.
        lag_ms: i64,
        /// What to do.
        command: Arc<ClientMessage>,
    },
    /// A house bot has decided.
    HouseReplied(Reply),
    /// The append in flight is done.
    Appended(Result<(), AppendError>),
    /// The log that was asked for by [`RoomEffect::Reload`].
    Reloaded(Result<Option<StoredGame>, StoreError>),
    /// The storage was asked by [`RoomEffect::Rest`] to keep the game.
    Rested(Result<(), AppendError>),
    /// Time passed.
    Tick,
    /// The game was in nobody's hands since then.
    Resumed {
        /// The last moment it is known to have been in somebody's.
        stopped_at: i64,
    },
    /// The server stops: finish what is being written and let go.
    Stop,
}

impl<P> RoomInput<P> {
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

/// Something the shell has to do.
#[derive(Debug, Clone, PartialEq)]
pub enum RoomEffect<P> {
    /// Append to the journal, and hand in [`RoomInput::Appended`].
    Append(Append),
    /// Read the game's log again, and hand in [`RoomInput::Reloaded`].
    Reload,
    /// Put the game to sleep in the journal, and hand in [`RoomInput::Rested`].
    Rest(Box<Rest>),
    /// Ask a house bot, and hand in [`RoomInput::HouseReplied`] after its pause.
    AskHouse(Box<Question>),
    /// Answer a request.
    Reply {
        /// Who asked.
        peer: P,
        /// The request.
        request_id: u64,
        /// The answer.
        message: ServerMessage,
        /// When the request was received, if it was a command.
        received_at: Option<i64>,
    },
    /// Push a message to players' connections.
    Push {
        /// To whom.
        to: Vec<P>,
        /// The message.
        message: ServerMessage,
    },
    /// Begin to serve spectators.
    OpenHub(HubStart),
    /// Hand this input to the hub.
    Hub(HubInput<P>),
    /// No spectator is left.
    CloseHub,
    /// The line in lists of games changed.
    Summary(GameSummary),
    /// The line in the lists of the game's own players changed, where that is another one.
    OwnSummary(GameSummary),
    /// The first turn of the game began.
    Started(GameSummary),
    /// The game is over.
    Ended(GameSummary),
    /// Let go of the room: nothing is in flight and nobody is attached.
    Stop,
    /// The log cannot be made sense of; let go of the room and call for help.
    Broken(String),
}
