//! A game that leaves this node, as its clients need it to go on at the next owner.

use tilewire_protocol::GameId;

use super::resume_point::ResumePoint;

/// A game that leaves this node, and how far one client knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaving {
    /// The game.
    pub game: GameId,
    /// How far the client knows it; `None`: the client needs a snapshot.
    pub position: Option<ResumePoint>,
    /// The code of a private game. The client has given it, or plays.
    pub code: Option<String>,
    /// Whether the client has no seat.
    pub is_spectator: bool,
    /// Whether the client sees the game late, and is told nothing of its present.
    pub is_delayed: bool,
    /// Whether the client was told that the game takes no commands.
    pub is_paused: bool,
}

/// The relay, as a connection of a client to this node uses it.
pub trait Forward: std::fmt::Debug + Send + Sync {
    /// Passes an open request on to another node, because this one has nothing of what it is about any more; says whether it could.
    fn hand_back(&self, request_id: u64) -> bool;

    /// Goes on with the stream of a game from its next owner.
    fn follow(&self, leaving: Leaving);
}
