//! The stored summaries of sleeping games.

use tilewire_protocol::GameSummary;

use crate::storage::SleeperLine;

/// Encodes a summary.
pub(super) fn encode(summary: &GameSummary) -> Vec<u8> {
    serde_json::to_vec(summary).expect("a summary is plain data")
}

/// Decodes a stored summary; lists omit a game whose summary cannot be read.
pub(super) fn decode(stored: &SleeperLine) -> Option<GameSummary> {
    match serde_json::from_slice(&stored.line) {
        Ok(summary) => Some(summary),
        Err(error) => {
            tracing::warn!(game = stored.game.as_str(), %error, "the stored summary of a sleeping game cannot be read");
            None
        }
    }
}
