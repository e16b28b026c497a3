//! Games' lines in lists, as they are stored while the games sleep.

use tilewire_protocol::GameSummary;

use crate::storage::SleeperLine;

/// Returns the line as it is stored.
pub(super) fn encode(summary: &GameSummary) -> Vec<u8> {
    serde_json::to_vec(summary).expect("a summary is plain data")
}

/// Reads a stored line; one that cannot be read is left out of lists.
pub(super) fn decode(stored: &SleeperLine) -> Option<GameSummary> {
    match serde_json::from_slice(&stored.line) {
        Ok(summary) => Some(summary),
        Err(error) => {
            tracing::warn!(game = stored.game, %error, "a sleeping game's line in lists cannot be read");
            None
        }
    }
}
