//! What a game is played with, fixed when it is created.
//!
//! The [`crate::ruleset::RuleSet`] says what board, tiles and scoring are used; these options say
//! how time, challenges and endings are handled. Every duration is in milliseconds.

use crate::clock::ClockKind;
use crate::ruleset::RuleSet;
use crate::time::Seat;
use serde::{Deserialize, Serialize};

/// All options of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOptions {
    /// Id of the rule set, such as `classic`.
    pub rule_set: String,
    /// Number of players.
    pub seats: u8,
    /// Language of the tiles, such as `english`.
    #[serde(default = "english")]
    pub language: String,
    /// Name of the lexicon that decides which words are good.
    pub lexicon: String,
    /// How time is counted.
    pub clock: ClockKind,
    /// How plays are checked.
    pub challenge: ChallengeOptions,
    /// When turns without score end the game.
    pub inactivity: InactivityRule,
    /// Whether the game ends when the bag is empty and nobody has a legal play (R-END-14).
    #[serde(default)]
    pub all_played: bool,
    /// Whether the game ends when the bag is empty and the trailing seat can no longer catch up (R-END-15).
    #[serde(default)]
    pub uncatchable: bool,
    /// How equal scores are ranked.
    pub ties: TieRule,
    /// Who makes the first play.
    pub first: FirstPlay,
    /// Durations that are the operator's choice, recorded so that a replay is exact.
    pub timing: Timing,
    /// What those see who only watch; `None`: the game as it is, without racks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<SpectatorView>,
}

/// What spectators see of a game that does not show itself to them as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpectatorView {
    /// How much later than it happens they see everything, ms.
    pub delay_ms: i64,
    /// Whether they see the racks of all seats.
    pub racks: bool,
}

/// What a challenge costs (R-CHAL).
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

/// What a failed five- or ten-point challenge is multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointsPer {
    /// The points are paid once per play.
    Play,
    /// The points are paid for each word the play formed.
    Word,
}

/// How plays are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeOptions {
    /// What a challenge costs.
    pub kind: ChallengeKind,
    /// How long a play can be challenged, ms; `None` leaves it open until the next turn is over.
    pub window_ms: Option<i64>,
    /// What points are counted per.
    pub points_per: PointsPer,
    /// Whether the author is asked first.
    pub consent: Consent,
}

/// Counts turns for the end by inactivity (R-END).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InactivityRule {
    /// How many turns in a row end the game.
    pub limit: TurnLimit,
    /// Which turns count.
    pub counts: CountedTurns,
    /// Whether the game goes on while nobody has a point.
    #[serde(default)]
    pub unless_all_zero: bool,
    /// Any scoreless turns in a row, per active seat, that end the game whatever `counts` says.
    pub cap_per_seat: u16,
}

/// A number of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnLimit {
    /// So many for each active seat.
    PerActiveSeat(u16),
    /// So many in all.
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
    /// Every turn that brought no point: what counts as scoreless, and plays worth 0.
    WithoutScore,
}

/// How equal final scores are ranked (R-TIE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieRule {
    /// The higher score before the rack adjustment wins; equal again is a shared win.
    BeforeAdjustment,
    /// A tie stands.
    Stand,
}

/// Who makes the first play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstPlay {
    /// A tile is drawn for each seat; the one closest to A starts (R-SETUP).
    Draw,
    /// This seat starts.
    Seat(Seat),
}

/// Durations set by the operator, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// How long the players have to say that they are ready before the game is cancelled.
    pub ready_ms: i64,
    /// How long after creation a player's nonce still counts.
    pub nonce_ms: i64,
    /// How long all opponents can challenge before a fast next turn takes effect (3-4 seats).
    pub protect_ms: i64,
    /// How long after the play a hold keeps the window open at most.
    pub hold_ms: i64,
    /// How long the author of a challenged play may withdraw it, where that is asked.
    pub consent_ms: i64,
    /// How long an out-play can be challenged.
    pub final_ms: i64,
    /// How long a vanished player's opponents wait before they can claim.
    pub vanish_claim_ms: i64,
    /// How long an untimed game waits for the seat on turn.
    pub abandon_ms: i64,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            ready_ms: 60_000,
            nonce_ms: 10_000,
            protect_ms: 5_000,
            hold_ms: 60_000,
            consent_ms: 30_000,
            final_ms: 20_000,
            vanish_claim_ms: 60_000,
            abandon_ms: 14 * 24 * 3_600_000,
        }
    }
}

/// The window's length where none is named, ms (R-CHAL).
pub const DEFAULT_WINDOW_MS: i64 = 20_000;
/// Shortest and longest challenge window, ms (R-CHAL).
pub const WINDOW_RANGE_MS: (i64, i64) = (5_000, 60_000);
/// Longest duration any option may name, ms: a year.
pub const MAX_DURATION_MS: i64 = 366 * 24 * 3_600_000;
/// Shortest main time or limit per move, ms.
pub const MIN_CLOCK_MS: i64 = 100;
/// Largest overtime penalty per minute, points.
pub const MAX_PENALTY: i32 = 1_000;
/// Largest number of turns an inactivity rule may name.
pub const MAX_TURN_LIMIT: u16 = 100;

/// Longest delay of what spectators see, ms: an hour.
pub const MAX_SPECTATOR_DELAY_MS: i64 = 3_600_000;
/// Shortest delay of spectators who see the racks, ms: a rack seen while it is played from helps a player.
pub const MIN_OPEN_DELAY_MS: i64 = 60_000;

/// An option that cannot be played with: which one, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct OptionsError {
    /// The option, as clients name it.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

/// Language of games that were created before there was a choice.
fn english() -> String {
    "english".to_owned()
}

fn refuse<T>(field: &'static str, reason: impl Into<String>) -> Result<T, OptionsError> {
    Err(OptionsError {
        field,
        reason: reason.into(),
    })
}

fn within(field: &'static str, value: i64, low: i64, high: i64) -> Result<(), OptionsError> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        refuse(field, format!("{value} is not between {low} and {high}"))
    }
}

impl GameOptions {
    /// Returns what players get who choose nothing but the rule set: the fewest seats it allows, its usual language and
    /// its usual everything else.
    #[must_use]
    pub fn usual(rules: &RuleSet, lexicon: &str) -> Self {
        let usual = &rules.usual;
        Self {
            rule_set: rules.id.clone(),
            seats: rules.min_seats,
            language: rules.language.clone(),
            lexicon: lexicon.to_owned(),
            clock: usual.clock,
            challenge: usual.challenge,
            inactivity: usual.inactivity,
            all_played: usual.all_played,
            uncatchable: usual.uncatchable,
            ties: usual.ties,
            first: usual.first,
            timing: Timing::default(),
            spectators: None,
        }
    }

    /// Returns the usual game of the classic rule set: two seats, 25 minutes each with overtime at
    /// 10 points a minute up to 10 minutes, double challenge.
    #[must_use]
    pub fn classic(lexicon: &str) -> Self {
        Self::usual(&RuleSet::classic(), lexicon)
    }

    /// Checks that the options can be played with `rules`.
    ///
    /// # Errors
    /// Names the first option that cannot.
    pub fn validate(&self, rules: &RuleSet) -> Result<(), OptionsError> {
        if self.rule_set != rules.id {
            return refuse("rule_set", format!("is not {}", rules.id));
        }
        if self.language != rules.language {
            return refuse("language", format!("is not {}", rules.language));
        }
        within(
            "seats",
            i64::from(self.seats),
            i64::from(rules.min_seats),
            i64::from(rules.max_seats),
        )?;
        self.validate_clock()?;
        self.validate_challenge(rules)?;
        self.validate_searches()?;
        let limit = match self.inactivity.limit {
            TurnLimit::PerActiveSeat(n) | TurnLimit::Total(n) => n,
        };
        within("end.limit", i64::from(limit), 1, i64::from(MAX_TURN_LIMIT))?;
        if let FirstPlay::Seat(seat) = self.first
            && seat.0 >= self.seats
        {
            return refuse("first", format!("there is no {seat}"));
        }
        self.validate_spectators()?;
        self.validate_timing()
    }

    fn validate_clock(&self) -> Result<(), OptionsError> {
        match self.clock {
            ClockKind::Untimed => Ok(()),
            ClockKind::SuddenDeath { initial_ms } => within(
                "clock.initial_ms",
                initial_ms,
                MIN_CLOCK_MS,
                MAX_DURATION_MS,
            ),
            ClockKind::Increment {
                initial_ms,
                increment_ms,
            } => {
                within(
                    "clock.initial_ms",
                    initial_ms,
                    MIN_CLOCK_MS,
                    MAX_DURATION_MS,
                )?;
                within("clock.increment_ms", increment_ms, 0, MAX_DURATION_MS)
            }
            ClockKind::Delay {
                initial_ms,
                delay_ms,
            } => {
                within(
                    "clock.initial_ms",
                    initial_ms,
                    MIN_CLOCK_MS,
                    MAX_DURATION_MS,
                )?;
                within("clock.delay_ms", delay_ms, 0, MAX_DURATION_MS)
            }
            ClockKind::Overtime {
                initial_ms,
                penalty_per_minute,
                cap_ms,
            } => {
                within(
                    "clock.initial_ms",
                    initial_ms,
                    MIN_CLOCK_MS,
                    MAX_DURATION_MS,
                )?;
                within(
                    "clock.penalty_per_minute",
                    i64::from(penalty_per_minute),
                    0,
                    i64::from(MAX_PENALTY),
                )?;
                within("clock.cap_ms", cap_ms, 0, MAX_DURATION_MS)
            }
            ClockKind::PerMove { limit_ms, bank_ms } => {
                within("clock.limit_ms", limit_ms, MIN_CLOCK_MS, MAX_DURATION_MS)?;
                within("clock.bank_ms", bank_ms, 0, MAX_DURATION_MS)
            }
        }
    }

    fn validate_challenge(&self, rules: &RuleSet) -> Result<(), OptionsError> {
        let challenge = &self.challenge;
        if !rules.challenges.contains(&challenge.kind) {
            return refuse("challenge.kind", format!("is not possible in {}", rules.id));
        }
        if let Some(window_ms) = challenge.window_ms {
            let (low, high) = WINDOW_RANGE_MS;
            within("challenge.window_ms", window_ms, low, high)?;
        }
        if challenge.kind == ChallengeKind::Triple && self.seats != 2 {
            return refuse("challenge.kind", "triple is for two seats only");
        }
        if challenge.kind == ChallengeKind::Triple && challenge.consent == Consent::Asked {
            return refuse("challenge.consent", "is not possible with triple");
        }
        let pays = matches!(
            challenge.kind,
            ChallengeKind::FivePoint | ChallengeKind::TenPoint
        );
        if challenge.points_per == PointsPer::Word && !pays {
            return refuse("challenge.per_word", "is for five_point and ten_point only");
        }
        Ok(())
    }

    /// Ends that search for plays would tell a player in a challenge game which words are good.
    fn validate_searches(&self) -> Result<(), OptionsError> {
        let is_validated = self.challenge.kind == ChallengeKind::Void;
        if self.all_played && !is_validated {
            return refuse("all_played", "is for challenge kind void only");
        }
        if self.uncatchable && !(is_validated && self.seats == 2) {
            return refuse(
                "uncatchable",
                "is for two seats and challenge kind void only",
            );
        }
        Ok(())
    }

    fn validate_spectators(&self) -> Result<(), OptionsError> {
        let Some(view) = self.spectators else {
            return Ok(());
        };
        let field = "spectators.delay_ms";
        within(field, view.delay_ms, 0, MAX_SPECTATOR_DELAY_MS)?;
        if view.racks && view.delay_ms < MIN_OPEN_DELAY_MS {
            let reason = format!("has to be {MIN_OPEN_DELAY_MS} at least where racks are shown");
            return refuse(field, reason);
        }
        Ok(())
    }

    fn validate_timing(&self) -> Result<(), OptionsError> {
        let timing = &self.timing;
        for (field, value) in [
            ("timing.ready_ms", timing.ready_ms),
            ("timing.nonce_ms", timing.nonce_ms),
            ("timing.protect_ms", timing.protect_ms),
            ("timing.hold_ms", timing.hold_ms),
            ("timing.consent_ms", timing.consent_ms),
            ("timing.final_ms", timing.final_ms),
            ("vanish_claim_ms", timing.vanish_claim_ms),
            ("timing.abandon_ms", timing.abandon_ms),
        ] {
            within(field, value, 0, MAX_DURATION_MS)?;
        }
        Ok(())
    }
}
