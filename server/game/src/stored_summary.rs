//! The stored summaries of sleeping games.

use serde::{Deserialize, Serialize};
use tilewire_protocol::GameSummary;
use tilewire_rules::time::Millis;

use tilewire_store::SleeperLine;

/// The stored form of a summary.
#[derive(Serialize, Deserialize)]
struct StoredSummary<S> {
    #[serde(flatten)]
    summary: S,
    /// The lost time that the clocks contain, ms; absent if the game gets no credit for lost time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost_ms: Option<i64>,
}

/// Encodes a summary. `lost_ms` is the lost time that its clocks contain; `None` if the game gets no credit for lost time.
pub(super) fn encode(summary: &GameSummary, lost_ms: Option<Millis>) -> Vec<u8> {
    let line = StoredSummary {
        summary,
        lost_ms: lost_ms.map(|lost_ms| lost_ms.0),
    };
    serde_json::to_vec(&line).expect("a summary is plain data")
}

/// Decodes a stored summary, with the clocks as they are after `lost_ms` of lost time in all. Lists omit a game whose summary
/// cannot be read.
pub(super) fn decode(stored: &SleeperLine, lost_ms: Millis) -> Option<GameSummary> {
    let line: StoredSummary<GameSummary> = match serde_json::from_slice(&stored.line) {
        Ok(line) => line,
        Err(error) => {
            tracing::warn!(game = stored.game.as_str(), %error, "the stored summary of a sleeping game cannot be read");
            return None;
        }
    };
    let mut summary = line.summary;
    let running = summary
        .clocks
        .as_mut()
        .and_then(|clocks| clocks.running.as_mut());
    if let (Some(running), Some(known_ms)) = (running, line.lost_ms) {
        // The game gets this credit when it wakes.
        running.since += (lost_ms.0 - known_ms).max(0);
    }
    Some(summary)
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Timestamp;

    use super::*;
    use crate::summaries::{clocks, running_summary};

    fn check(stored: Option<i64>, lost_ms: i64, since: i64) {
        let mut summary = running_summary();
        let stored = SleeperLine {
            game: "g1".into(),
            created_at: Timestamp(1),
            line: encode(&summary, stored.map(Millis)),
        };
        summary.clocks = Some(clocks(since));
        assert_eq!(decode(&stored, Millis(lost_ms)), Some(summary));
    }

    #[test]
    fn the_clock_of_a_sleeping_game_shows_the_credit_that_it_gets() {
        check(Some(7_000), 7_000, 1_000);
        check(Some(7_000), 9_000, 3_000);
        // By correspondence: the wall clock counts.
        check(None, 9_000, 1_000);
    }
}
