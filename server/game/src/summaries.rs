//! Summaries of games for tests of lists.

use tilewire_protocol::{Clocks, GameSummary, Phase, RunningClock};

/// A game in its third turn.
#[must_use]
pub fn running_summary() -> GameSummary {
    GameSummary {
        game: "g1".into(),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: Vec::new(),
        phase: Phase::Running,
        turn_no: 3,
        clocks: Some(clocks(1_000)),
        started_at: Some(500),
        watching: 0,
        private: false,
        ended_at: None,
    }
}

/// Clocks of which the second one runs.
#[must_use]
pub fn clocks(since: i64) -> Clocks {
    Clocks {
        main_ms: vec![60_000, 60_000],
        allowance_ms: vec![0, 0],
        running: Some(RunningClock { seat: 1, since }),
    }
}
