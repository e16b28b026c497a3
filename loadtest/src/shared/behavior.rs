//! How the players of a run behave.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewire_protocol::{Challenge, ChallengeKind, Clock, FirstPlay, GameOptions};
use tilewire_rules::bot::BotLevel;

use crate::rng::Rng;

/// How the players of a run behave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Behavior {
    /// How well they play.
    #[serde(with = "crate::options::level_name")]
    pub level: BotLevel,
    /// When turns are due.
    pub pacing: Pacing,
    /// Turns after which nobody moves any more.
    pub turns_max: Option<u32>,
    /// Whether players pass as often as the rules let them, so that games last.
    pub prefers_passing: bool,
    /// Shortest and longest budget of a game's clocks, milliseconds; chance decides for each game.
    pub budget_ms: (i64, i64),
    /// Share of turns with an illegal play before the legal one.
    pub illegal: f64,
    /// Share of commands sent twice.
    pub repeated: f64,
    /// Share of commands after which the connection is dropped and resumed.
    pub dropped: f64,
    /// The options of the games.
    pub options: GameOptions,
    /// What everything follows from.
    pub seed: u64,
}

/// When the turns of a game are due.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Pacing {
    /// Each as soon as the one before is known: no schedule.
    Flat,
    /// By chance, with this mean time between two, whatever the server does.
    Mean(Duration),
    /// So many as fast as they go, and again after a time.
    Bursts(u32, Duration),
}

impl Pacing {
    /// The time from the turn `turn_no` to the next one.
    pub fn pause(self, turn_no: u32, rng: &mut Rng) -> Duration {
        match self {
            Self::Mean(mean) => rng.exponential(mean),
            Self::Bursts(size, every) if turn_no.is_multiple_of(size.max(1)) => every,
            Self::Flat | Self::Bursts(..) => Duration::ZERO,
        }
    }
}

/// The options of a usual game of two.
pub fn options(clock: Clock, challenge: ChallengeKind) -> GameOptions {
    GameOptions {
        rule_set: "classic".to_owned(),
        seats: 2,
        lexicon: "wordnik".to_owned(),
        language: None,
        clock: Some(clock),
        challenge: Some(Challenge::of(challenge)),
        end: None,
        all_played: None,
        uncatchable: None,
        ties: None,
        first: Some(FirstPlay::Owner),
        vanish_claim_ms: None,
        spectators: None,
    }
}
