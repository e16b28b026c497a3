//! News about public games, for the lobby.

use tilewire_protocol::GameSummary;

/// A public game began or ended.
#[derive(Debug, Clone)]
pub enum GameNews {
    /// Its first turn began.
    Started(GameSummary),
    /// It is over.
    Ended(GameSummary),
}
