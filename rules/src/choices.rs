//! The choices of players about time, challenges and endings: types shared by rule sets and games.
//!
//! A rule set ([`crate::ruleset`]) names the usual choices; the options of a game ([`crate::options`]) record the
//! actual ones. Every duration is in milliseconds.

use serde::{Deserialize, Serialize};

use crate::clock::ClockKind;
use crate::time::Seat;

/// The options of a game that players can choose and for which a rule set has usual values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// How time is counted.
    pub clock: ClockKind,
    /// How plays are checked.
    pub challenge: ChallengeOptions,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// Whether the game ends when no seat has a legal play left (R-END-14).
    pub all_played: bool,
    /// Whether the game ends when the trailing seat can no longer catch up (R-END-15).
    pub uncatchable: bool,
    /// How equal scores are ranked.
    pub ties: TieRule,
    /// The seat of the first play.
    pub first: FirstPlay,
}

/// The kind of challenge: the cost of a failed one (R-CHAL-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeKind {
    /// No challenges: the server refuses a play with a word that is not in the lexicon.
    Void,
    /// A failed challenge costs nothing.
    Single,
    /// A failed challenge costs the challenger a turn.
    Double,
    /// A failed challenge costs five points.
    FivePoint,
    /// A failed challenge costs ten points.
    TenPoint,
    /// The loser of the challenge loses the game.
    Triple,
}

/// Whether the author of a challenged play is asked first (R-CHAL: consent).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// The lexicon decides at once.
    NotAsked,
    /// The author may withdraw the play before the lexicon decides.
    Asked,
}

/// Whether a failed five- or ten-point challenge is charged per play or per word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointsPer {
    /// The points are charged once per play.
    Play,
    /// The points are charged for each word that the play formed.
    Word,
}

/// How plays are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeOptions {
    /// The kind of challenge.
    pub kind: ChallengeKind,
    /// How long a play can be challenged, ms; `None` leaves it open until the next turn is over.
    pub window_ms: Option<i64>,
    /// Whether points are charged per play or per word.
    pub points_per: PointsPer,
    /// Whether the author is asked first.
    pub consent: Consent,
}

/// When turns without score end the game (R-END).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InactivityRule {
    /// The number of turns in a row that ends the game.
    pub limit: TurnLimit,
    /// Which turns count.
    pub counts: CountedTurns,
    /// Whether the game continues while every score is 0 (R-END-12).
    #[serde(default)]
    pub unless_all_zero: bool,
    /// The number of scoreless turns in a row, per active seat, that ends the game regardless of `counts` (R-END-5).
    pub cap_per_seat: u16,
}

/// A number of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnLimit {
    /// This number for each active seat.
    PerActiveSeat(u16),
    /// This number in total.
    Total(u16),
}

impl TurnLimit {
    /// Returns the number of turns with `active` active seats.
    #[must_use]
    pub fn turns(self, active: usize) -> u32 {
        match self {
            Self::PerActiveSeat(each) => {
                u32::from(each).saturating_mul(u32::try_from(active).unwrap_or(u32::MAX))
            }
            Self::Total(total) => u32::from(total),
        }
    }
}

/// Which turns an inactivity rule counts; any other turn breaks the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedTurns {
    /// Passes, exchanges, plays challenged off and lost turns.
    Scoreless,
    /// Chosen passes only.
    Passes,
    /// Every turn without a point: the scoreless turns, and plays worth 0.
    WithoutScore,
}

/// How equal final scores are ranked (R-TIE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieRule {
    /// The higher score before the rack adjustment wins; if these are equal, the win is shared.
    BeforeAdjustment,
    /// A tie stands.
    Stand,
}

/// The seat of the first play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstPlay {
    /// A tile is drawn for each seat; the one closest to A starts (R-SETUP).
    Draw,
    /// This seat starts.
    Seat(Seat),
}

/// The default length of a challenge window, ms (R-CHAL-5).
pub const DEFAULT_WINDOW_MS: i64 = 20_000;
/// The shortest and the longest challenge window, ms (R-CHAL-5).
pub const WINDOW_RANGE_MS: (i64, i64) = (5_000, 60_000);
/// Longest duration any option may name, ms: a year.
pub const MAX_DURATION_MS: i64 = 366 * 24 * 3_600_000;
/// Longest main time, overtime or time bank of a live game, ms: a day. A longer game has a limit per move.
pub const MAX_LIVE_MS: i64 = 24 * 3_600_000;
/// Longest increment or delay of a live game, ms.
pub const MAX_LIVE_TURN_MS: i64 = 3_600_000;
/// Shortest main time or limit per move, ms.
pub const MIN_CLOCK_MS: i64 = 100;
/// Largest overtime penalty per minute, points.
pub const MAX_PENALTY: i32 = 1_000;
/// Largest number of turns an inactivity rule may name.
pub const MAX_TURN_LIMIT: u16 = 100;

/// An option that the rule set does not allow, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct OptionsError {
    /// The name of the option in the protocol.
    pub field: &'static str,
    /// The reason why it is invalid.
    pub reason: String,
}

/// Refuses an option.
pub(crate) fn refuse<T>(field: &'static str, reason: impl Into<String>) -> Result<T, OptionsError> {
    Err(OptionsError {
        field,
        reason: reason.into(),
    })
}

/// Accepts a number from `low` to `high`.
pub(crate) fn within(
    field: &'static str,
    value: i64,
    low: i64,
    high: i64,
) -> Result<(), OptionsError> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        refuse(field, format!("{value} is not between {low} and {high}"))
    }
}
