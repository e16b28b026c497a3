//! The options of a game: rule set, seats, lexicon, clock, challenges and endings.

use serde::{Deserialize, Serialize};

use crate::enums::{ChallengeKind, ClockKind, EndCounts, FirstPlay, Ties, VanishPolicy};
#[cfg(feature = "schema")]
use crate::limits;
use crate::text::is_false;

/// The options that the players of a game agreed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameOptions {
    /// Id of the rule set, one of those in `hello`.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CATALOGUE_NAME_MAX_BYTES)))]
    pub rule_set: String,
    /// Number of seats, 2 to 4.
    #[cfg_attr(feature = "schema", schemars(range(min = limits::SEATS_MIN, max = limits::SEATS_MAX)))]
    pub seats: u8,
    /// Name of the lexicon, one of those in `hello`.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CATALOGUE_NAME_MAX_BYTES)))]
    pub lexicon: String,
    /// Language of the tiles; absent: that of the lexicon. It must be the lexicon's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CATALOGUE_NAME_MAX_BYTES)))]
    pub language: Option<String>,
    /// How time is counted; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The challenge rule; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Challenge>,
    /// When a game without progress ends; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<EndOption>,
    /// Whether the game ends when the bag is empty and no seat has a legal play (`void` only); absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_played: Option<bool>,
    /// Whether the game ends when the bag is empty and the trailing seat can no longer catch up (`void`, two seats);
    /// absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncatchable: Option<bool>,
    /// How ties are resolved; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ties: Option<Ties>,
    /// Which seat plays first; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstPlay>,
    /// How long an opponent must be disconnected before its place can be claimed, in ms; absent: the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::DURATION_MAX_MS)))]
    pub vanish_claim_ms: Option<i64>,
    /// The view of spectators; absent: the live game without racks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<SpectatorView>,
    /// Whether the game changes the ratings of its players; only registered players can join. Absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rated: bool,
    /// The consequence when a seat has vanished for `vanish_claim_ms` (live games only); absent: `claim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vanish: Option<VanishPolicy>,
    /// Whether vacations of the players move their deadlines (games with a limit of an hour or more for each turn); absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub vacation: bool,
    /// How many hints each seat can use (casual games only); absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::HINTS_MAX)))]
    pub hints: Option<u8>,
}

/// The view of spectators, if it is not the live game without racks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpectatorView {
    /// The delay of everything that they see, ms, up to an hour; at least a minute with `racks`.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::SPECTATOR_DELAY_MAX_MS)))]
    pub delay_ms: i64,
    /// Whether they see the racks of all seats; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub racks: bool,
}

/// The clock of a game: its kind and the figures of that kind. A missing figure has the kind's default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// The kind of clock; it decides which figures belong to it.
    pub kind: ClockKind,
    /// Budget of each seat at the start, ms (`sudden_death`, `increment`, `delay`, `overtime`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = limits::CLOCK_MIN_MS, max = limits::LIVE_MAX_MS)))]
    pub initial_ms: Option<i64>,
    /// Added after each turn of the seat, ms (`increment`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::LIVE_TURN_MAX_MS)))]
    pub increment_ms: Option<i64>,
    /// Free at the start of each turn of the seat, ms (`delay`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::LIVE_TURN_MAX_MS)))]
    pub delay_ms: Option<i64>,
    /// Points for each started minute of overtime (`overtime`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::PENALTY_MAX)))]
    pub penalty_per_minute: Option<i32>,
    /// Overtime beyond which the seat loses, ms (`overtime`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::LIVE_MAX_MS)))]
    pub cap_ms: Option<i64>,
    /// Limit of each turn, ms (`per_move`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = limits::CLOCK_MIN_MS, max = limits::DURATION_MAX_MS)))]
    pub limit_ms: Option<i64>,
    /// Reserve for turns that pass the limit, ms for the whole game (`per_move`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::DURATION_MAX_MS)))]
    pub bank_ms: Option<i64>,
}

/// The challenge rule of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Challenge {
    /// The cost of a challenge.
    pub kind: ChallengeKind,
    /// How long a play can be challenged, ms: 0 (no timer) or 5,000 to 60,000; absent: the rule set's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = limits::WINDOW_MAX_MS)))]
    pub window_ms: Option<i64>,
    /// Points of a failed challenge count for each word challenged (`five_point`, `ten_point`); absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub per_word: bool,
    /// The author may withdraw a challenged play before the lexicon decides (never with `triple`); absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub consent: bool,
}

/// When a game without progress ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndOption {
    /// Number of consecutive counted turns that ends the game, or that number for each active seat.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = limits::TURN_LIMIT_MAX)))]
    pub limit: u32,
    /// Whether `limit` is multiplied by the number of active seats.
    pub per_seat: bool,
    /// Which turns count.
    pub counts: EndCounts,
    /// Whether the game continues while no seat has a point; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unless_all_zero: bool,
}

impl GameOptions {
    /// Returns the kind of the clock; `Unknown` if the rule set decides.
    #[must_use]
    pub fn clock_kind(&self) -> ClockKind {
        self.clock
            .as_ref()
            .map_or(ClockKind::Unknown, |clock| clock.kind)
    }

    /// Returns the kind of challenge; `Unknown` if the rule set decides.
    #[must_use]
    pub fn challenge_kind(&self) -> ChallengeKind {
        self.challenge
            .as_ref()
            .map_or(ChallengeKind::Unknown, |challenge| challenge.kind)
    }
}

impl Clock {
    /// A clock of this kind with every figure at its default.
    #[must_use]
    pub const fn of(kind: ClockKind) -> Self {
        Self {
            kind,
            initial_ms: None,
            increment_ms: None,
            delay_ms: None,
            penalty_per_minute: None,
            cap_ms: None,
            limit_ms: None,
            bank_ms: None,
        }
    }

    /// Returns the name of a figure that does not belong to the clock's kind.
    #[must_use]
    pub fn foreign_field(&self) -> Option<&'static str> {
        use ClockKind::{Delay, Increment, Overtime, PerMove, SuddenDeath};
        let budget = &[SuddenDeath, Increment, Delay, Overtime][..];
        [
            ("initial_ms", self.initial_ms.is_some(), budget),
            (
                "increment_ms",
                self.increment_ms.is_some(),
                &[Increment][..],
            ),
            ("delay_ms", self.delay_ms.is_some(), &[Delay][..]),
            (
                "penalty_per_minute",
                self.penalty_per_minute.is_some(),
                &[Overtime][..],
            ),
            ("cap_ms", self.cap_ms.is_some(), &[Overtime][..]),
            ("limit_ms", self.limit_ms.is_some(), &[PerMove][..]),
            ("bank_ms", self.bank_ms.is_some(), &[PerMove][..]),
        ]
        .into_iter()
        .find_map(|(name, given, kinds)| (given && !kinds.contains(&self.kind)).then_some(name))
    }
}

impl Challenge {
    /// A challenge rule of this kind with the default window, per play, without consent.
    #[must_use]
    pub const fn of(kind: ChallengeKind) -> Self {
        Self {
            kind,
            window_ms: None,
            per_word: false,
            consent: false,
        }
    }
}
