//! Which choices a rule set allows.

use super::RuleSet;
use crate::choices::{
    ChallengeKind, ChallengeOptions, Choices, Consent, FirstPlay, MAX_DURATION_MS, MAX_LIVE_MS,
    MAX_LIVE_TURN_MS, MAX_PENALTY, MAX_TURN_LIMIT, MIN_CLOCK_MS, OptionsError, PointsPer,
    TurnLimit, WINDOW_RANGE_MS, refuse, within,
};
use crate::clock::ClockKind;

impl RuleSet {
    /// Checks that a game with `seats` seats can be played with these choices.
    ///
    /// # Errors
    /// Names the first choice that is not allowed.
    pub fn check_choices(&self, seats: u8, choices: &Choices) -> Result<(), OptionsError> {
        within(
            "seats",
            i64::from(seats),
            i64::from(self.min_seats),
            i64::from(self.max_seats),
        )?;
        check_clock(choices.clock)?;
        self.check_challenge(seats, &choices.challenge)?;
        check_searches(seats, choices)?;
        let limit = match choices.inactivity.limit {
            TurnLimit::PerActiveSeat(n) | TurnLimit::Total(n) => n,
        };
        within("end.limit", i64::from(limit), 1, i64::from(MAX_TURN_LIMIT))?;
        match choices.first {
            FirstPlay::Seat(seat) if seat.0 >= seats => {
                refuse("first", format!("there is no {seat}"))
            }
            FirstPlay::Seat(_) | FirstPlay::Draw => Ok(()),
        }
    }

    fn check_challenge(&self, seats: u8, challenge: &ChallengeOptions) -> Result<(), OptionsError> {
        if !self.challenges.contains(&challenge.kind) {
            return refuse("challenge.kind", format!("is not possible in {}", self.id));
        }
        if let Some(window_ms) = challenge.window_ms {
            let (low, high) = WINDOW_RANGE_MS;
            within("challenge.window_ms", window_ms, low, high)?;
        }
        if challenge.kind == ChallengeKind::Triple && seats != 2 {
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
}

fn check_clock(clock: ClockKind) -> Result<(), OptionsError> {
    let initial = |ms| within("clock.initial_ms", ms, MIN_CLOCK_MS, MAX_LIVE_MS);
    match clock {
        ClockKind::Untimed => Ok(()),
        ClockKind::SuddenDeath { initial_ms } => initial(initial_ms),
        ClockKind::Increment {
            initial_ms,
            increment_ms,
        } => {
            initial(initial_ms)?;
            within("clock.increment_ms", increment_ms, 0, MAX_LIVE_TURN_MS)
        }
        ClockKind::Delay {
            initial_ms,
            delay_ms,
        } => {
            initial(initial_ms)?;
            within("clock.delay_ms", delay_ms, 0, MAX_LIVE_TURN_MS)
        }
        ClockKind::Overtime {
            initial_ms,
            penalty_per_minute,
            cap_ms,
        } => {
            initial(initial_ms)?;
            within(
                "clock.penalty_per_minute",
                i64::from(penalty_per_minute),
                0,
                i64::from(MAX_PENALTY),
            )?;
            within("clock.cap_ms", cap_ms, 0, MAX_LIVE_MS)
        }
        ClockKind::PerMove { limit_ms, bank_ms } => {
            within("clock.limit_ms", limit_ms, MIN_CLOCK_MS, MAX_DURATION_MS)?;
            let bank_max_ms = match clock.is_live() {
                true => MAX_LIVE_MS,
                false => MAX_DURATION_MS,
            };
            within("clock.bank_ms", bank_ms, 0, bank_max_ms)
        }
    }
}

/// An end that searches for plays would reveal to the players of a challenge game which words are valid.
fn check_searches(seats: u8, choices: &Choices) -> Result<(), OptionsError> {
    let is_validated = choices.challenge.kind == ChallengeKind::Void;
    if choices.all_played && !is_validated {
        return refuse("all_played", "is for challenge kind void only");
    }
    if choices.uncatchable && !(is_validated && seats == 2) {
        return refuse(
            "uncatchable",
            "is for two seats and challenge kind void only",
        );
    }
    Ok(())
}
