//! Attaching to a game: what a client asks for, and what it already has.

use tilewire_protocol::{GameId, OkBody, ServerMessage};

/// How far a client knows a game: the incarnation of its log, and the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumePoint {
    /// The incarnation of the log.
    pub epoch: u64,
    /// The last event the client has.
    pub seq: u64,
}

/// A request for the events of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Attach<P> {
    /// The connection.
    pub peer: P,
    /// The request to answer.
    pub request_id: u64,
    /// What the client has already.
    pub from: Option<ResumePoint>,
}

/// Returns the answer to a `detach`.
pub(super) fn detached(game: &GameId) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        game: Some(game.clone()),
        ..OkBody::default()
    }))
}
