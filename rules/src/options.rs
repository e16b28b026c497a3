//! The options of one game, fixed when it is created.
//!
//! The [`crate::ruleset::RuleSet`] says what board, tiles and scoring are used; these options say
//! how time, challenges and endings are handled. Every duration is in milliseconds.

use crate::choices::{Choices, refuse, within};
use crate::clock::ClockKind;
use crate::ruleset::RuleSet;
use serde::{Deserialize, Serialize};

pub use crate::choices::{
    ChallengeKind, ChallengeOptions, Consent, CountedTurns, DEFAULT_WINDOW_MS, FirstPlay,
    InactivityRule, MAX_DURATION_MS, MAX_LIVE_MS, MAX_LIVE_TURN_MS, MAX_PENALTY, MAX_TURN_LIMIT,
    MIN_CLOCK_MS, OptionsError, PointsPer, TieRule, TurnLimit, WINDOW_RANGE_MS,
};

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
    /// Whether the game ends when the bag is empty and no seat has a legal play (R-END-14).
    #[serde(default)]
    pub all_played: bool,
    /// Whether the game ends when the bag is empty and the trailing seat can no longer catch up (R-END-15).
    #[serde(default)]
    pub uncatchable: bool,
    /// How equal scores are ranked.
    pub ties: TieRule,
    /// The seat of the first play.
    pub first: FirstPlay,
    /// Durations that are the operator's choice, recorded so that a replay is exact.
    pub timing: Timing,
    /// The view of spectators; `None`: the live game without racks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<SpectatorView>,
    /// Whether the game changes the ratings of its players.
    #[serde(default, skip_serializing_if = "is_off")]
    pub rated: bool,
    /// Whether a vacation of a player moves the player's deadlines (R-VAC).
    #[serde(default, skip_serializing_if = "is_off")]
    pub vacation: bool,
    /// The consequence when a player is away for too long.
    #[serde(default, skip_serializing_if = "VanishPolicy::is_claim")]
    pub vanish: VanishPolicy,
    /// How many hints each seat can use; casual games only (R-HINT).
    #[serde(default, skip_serializing_if = "is_none")]
    pub hints: u8,
}

/// The consequence when a player of a live game is away for the time of a claim (R-RETIRE-3, R-ADJ-8, R-ADJ-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VanishPolicy {
    /// An opponent can claim: the case that records do not state.
    #[default]
    Claim,
    /// The server adjourns the game, once for each seat; the next time, an opponent can claim.
    Adjourn,
    /// Nothing: the clock decides.
    PlayOn,
}

impl VanishPolicy {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature is serde's"
    )]
    fn is_claim(&self) -> bool {
        *self == Self::Claim
    }
}

/// The view of spectators, if it is not the live game without racks (R-VIEW-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpectatorView {
    /// The delay with which spectators see everything, ms.
    pub delay_ms: i64,
    /// Whether spectators see the racks of all seats.
    pub racks: bool,
}

/// Durations set by the operator, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// How long the players have to get ready before the game is cancelled; does not apply by correspondence.
    pub ready_ms: i64,
    /// How long after creation a player's nonce still counts.
    pub nonce_ms: i64,
    /// How long all opponents can challenge before a fast next turn takes effect (3-4 seats).
    pub protect_ms: i64,
    /// How long after the play a hold keeps the window open at most.
    pub hold_ms: i64,
    /// How long the author of a challenged play may withdraw it, if the author is asked; by correspondence as long as a
    /// turn.
    pub consent_ms: i64,
    /// How long an out-play can be challenged; by correspondence as long as a turn.
    pub final_ms: i64,
    /// How long the opponents of a player who is away wait before they can claim.
    pub vanish_claim_ms: i64,
    /// How long an untimed game waits for the seat on turn.
    pub abandon_ms: i64,
    /// How long a request to abort a rated game waits for the other seats' answers (R-SETUP-10).
    #[serde(default = "usual_abort_ms")]
    pub abort_ms: i64,
    /// When a player can ask whether a silent opponent is still there, and what follows (R-NUDGE).
    #[serde(default)]
    pub nudge: NudgeTiming,
    /// How long an adjourned game sleeps (R-ADJ).
    #[serde(default)]
    pub adjourn: AdjournTiming,
}

/// The durations of an adjournment (R-ADJ), in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjournTiming {
    /// How long the players have to become ready.
    pub sleep_ms: i64,
    /// How long after that a player who is ready can claim the place of one who is not.
    pub claim_ms: i64,
}

/// The durations of nudges (R-NUDGE), in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NudgeTiming {
    /// How long the seat on turn of a live game has been silent before another seat can nudge it.
    pub quiet_ms: i64,
    /// How long the nudged seat of a live game has to answer before an opponent can claim. The seat needs more than this
    /// on its clock to be nudged.
    pub answer_ms: i64,
    /// As `quiet_ms`, in an untimed game.
    pub untimed_quiet_ms: i64,
    /// As `answer_ms`, in an untimed game.
    pub untimed_answer_ms: i64,
}

const DAY_MS: i64 = 24 * 3_600_000;

impl Default for AdjournTiming {
    fn default() -> Self {
        Self {
            sleep_ms: 14 * DAY_MS,
            claim_ms: DAY_MS,
        }
    }
}

impl Default for NudgeTiming {
    fn default() -> Self {
        Self {
            quiet_ms: 180_000,
            answer_ms: 120_000,
            untimed_quiet_ms: 3 * DAY_MS,
            untimed_answer_ms: 7 * DAY_MS,
        }
    }
}

/// How often a seat can nudge in a live game.
pub const MAX_NUDGES: u8 = 2;
/// The shortest and the longest time that a seat can give at once, ms (R-GIFT-1).
pub const GIFT_RANGE_MS: (i64, i64) = (5_000, 60_000);
/// The shortest and the longest time that an operator can give at once, ms: a second to 7 days (R-ADMIN-6).
pub const GRANT_RANGE_MS: (i64, i64) = (1_000, 604_800_000);
/// The longest vacation that one event begins, ms: 30 days (R-VAC-2).
pub const VACATION_MAX_MS: i64 = 30 * DAY_MS;
/// The longest pause of an operator, ms: 7 days (R-ADMIN-5).
pub const PAUSE_MAX_MS: i64 = 604_800_000;
/// How often a seat can give time in a game (R-GIFT-2).
pub const MAX_GIFTS: u8 = 10;

/// The most hints that the options can give a seat (R-HINT-1).
pub const MAX_HINTS: u8 = 8;

/// How often a seat can ask to adjourn a game.
pub const MAX_ADJOURN_REQUESTS: u8 = 3;

/// The usual time for answers to a request to abort a rated game, ms; also that of records that state none.
pub const USUAL_ABORT_MS: i64 = 60_000;

const fn usual_abort_ms() -> i64 {
    USUAL_ABORT_MS
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
            abandon_ms: 14 * DAY_MS,
            abort_ms: USUAL_ABORT_MS,
            nudge: NudgeTiming::default(),
            adjourn: AdjournTiming::default(),
        }
    }
}

/// Longest delay of what spectators see, ms: an hour.
pub const MAX_SPECTATOR_DELAY_MS: i64 = 3_600_000;
/// Shortest delay of spectators who see the racks, ms: a shorter one would help players to cheat.
pub const MIN_OPEN_DELAY_MS: i64 = 60_000;

/// Returns whether an option is off: the case that records do not state.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
const fn is_off(option: &bool) -> bool {
    !*option
}

/// Returns whether a number is 0: the case that records do not state.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
const fn is_none(number: &u8) -> bool {
    *number == 0
}

/// The language of records that name none.
fn english() -> String {
    "english".to_owned()
}

impl GameOptions {
    /// Returns the usual options of a rule set: the fewest seats that it allows, its usual language and
    /// its usual choices.
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
            rated: false,
            vacation: false,
            vanish: VanishPolicy::Claim,
            hints: 0,
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
        rules.check_choices(self.seats, &self.choices())?;
        if self.rated && self.seats != 2 {
            return refuse("rated", "needs a game of two seats".to_owned());
        }
        if self.vanish != VanishPolicy::Claim && !self.clock.is_live() {
            return refuse("vanish", "needs a clock of a live game".to_owned());
        }
        if self.vacation && !self.clock.is_correspondence() {
            return refuse(
                "vacation",
                "needs a limit of an hour or more for each turn".to_owned(),
            );
        }
        if self.rated && self.hints > 0 {
            return refuse("hints", "needs a casual game".to_owned());
        }
        if self.hints > MAX_HINTS {
            return refuse("hints", format!("is more than {MAX_HINTS}"));
        }
        self.validate_spectators()?;
        self.validate_timing()
    }

    /// Returns the part of the options that the rule set has usual values for.
    #[must_use]
    pub const fn choices(&self) -> Choices {
        Choices {
            clock: self.clock,
            challenge: self.challenge,
            inactivity: self.inactivity,
            all_played: self.all_played,
            uncatchable: self.uncatchable,
            ties: self.ties,
            first: self.first,
        }
    }

    /// Returns how long after its creation the game waits for `ready`, ms. By correspondence a seek implies that its
    /// members are ready: the game waits only for announced nonces (R-SETUP-5).
    #[must_use]
    pub const fn ready_ms(&self) -> i64 {
        if self.clock.is_correspondence() {
            self.timing.nonce_ms
        } else {
            self.timing.ready_ms
        }
    }

    /// Returns how long a player has to answer a play or a challenge, ms: by correspondence as long as a turn, in other
    /// games `live_ms`.
    #[must_use]
    pub const fn answer_ms(&self, live_ms: i64) -> i64 {
        match self.clock.correspondence_limit_ms() {
            Some(limit_ms) => limit_ms,
            None => live_ms,
        }
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
            ("timing.abort_ms", timing.abort_ms),
            ("timing.nudge.quiet_ms", timing.nudge.quiet_ms),
            ("timing.nudge.answer_ms", timing.nudge.answer_ms),
            (
                "timing.nudge.untimed_quiet_ms",
                timing.nudge.untimed_quiet_ms,
            ),
            (
                "timing.nudge.untimed_answer_ms",
                timing.nudge.untimed_answer_ms,
            ),
            ("timing.adjourn.sleep_ms", timing.adjourn.sleep_ms),
            ("timing.adjourn.claim_ms", timing.adjourn.claim_ms),
        ] {
            within(field, value, 0, MAX_DURATION_MS)?;
        }
        Ok(())
    }
}
