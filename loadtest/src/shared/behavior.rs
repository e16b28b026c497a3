//! How the players of a run behave.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewire_protocol::{Challenge, ChallengeKind, Clock, FirstPlay, GameOptions};
use tilewire_rules::bot::BotLevel;

use crate::rng::Rng;

/// How the players of a run behave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Behavior {
    /// The level of the bots.
    #[serde(with = "crate::options::level_name")]
    pub level: BotLevel,
    /// When turns are due.
    pub pacing: Pacing,
    /// Turns after which both players stop moving.
    pub turns_max: Option<u32>,
    /// Whether players pass as often as the rules allow, so that games last.
    pub prefers_passing: bool,
    /// Shortest and longest time budget, milliseconds; the budget of each game is random.
    pub budget_ms: (i64, i64),
    /// Share of turns that begin with an illegal play.
    pub illegal: f64,
    /// Share of commands sent twice.
    pub repeated: f64,
    /// Share of commands after which the connection is dropped and resumed.
    pub dropped: f64,
    /// Share of turns after which the player writes a line to the opponent.
    pub chat: f64,
    /// The options of the games.
    pub options: GameOptions,
    /// The seed of all random choices.
    pub seed: u64,
}

/// When the turns of a game are due.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Pacing {
    /// Each turn as soon as the previous one is known; no schedule.
    Flat,
    /// A Poisson process with this mean time between two turns, independent of the server.
    Mean(Duration),
    /// Bursts of this many turns at full speed, with a pause between bursts.
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

/// The options of a two-player game.
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
        rated: false,
        vanish: None,
        vacation: false,
        hints: None,
    }
}
