//! Converts game options of clients to those of the rules, and back.
//!
//! The conversion from the wire fills in every default; the conversion to the wire gives every field, so that a client
//! sees all the options.

use std::sync::Arc;

use tilewire_people::pools;
use tilewire_protocol as wire;
use tilewire_protocol::ErrorCode;
use tilewire_rules::clock::{ClockKind, MINUTE_MS};
use tilewire_rules::options::{
    ChallengeKind, ChallengeOptions, Consent, CountedTurns, FirstPlay, GameOptions, InactivityRule,
    OptionsError, PointsPer, SpectatorView, TieRule, Timing, TurnLimit,
};
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;

use super::{Refusal, adjourn};
use crate::catalogue::Catalogue;

/// Default main time, ms: 25 minutes, the usual tournament time.
pub const DEFAULT_INITIAL_MS: i64 = 25 * MINUTE_MS;
/// Default increment, ms.
pub const DEFAULT_INCREMENT_MS: i64 = 10_000;
/// Default delay, ms.
pub const DEFAULT_DELAY_MS: i64 = 5_000;
/// Default overtime penalty, points per started minute.
pub const DEFAULT_PENALTY_PER_MINUTE: i32 = 10;
/// Default longest overtime, ms.
pub const DEFAULT_CAP_MS: i64 = 10 * MINUTE_MS;
/// Default limit per move, ms: 72 hours.
pub const DEFAULT_LIMIT_MS: i64 = 72 * 60 * MINUTE_MS;
/// Default time bank, ms.
pub const DEFAULT_BANK_MS: i64 = 0;

/// Returns the options that a client asks for; `timing` is the operator's part of them.
///
/// # Errors
/// Names the first field that is wrong, including an unknown rule set or lexicon, by its path in the request.
pub fn from_wire(
    asked: &wire::GameOptions,
    timing: Timing,
    catalogue: &Catalogue,
) -> Result<GameOptions, Refusal> {
    resolved(asked, timing, catalogue).map_err(|refusal| refusal.under("options"))
}

fn resolved(
    asked: &wire::GameOptions,
    timing: Timing,
    catalogue: &Catalogue,
) -> Result<GameOptions, Refusal> {
    let rules = rules(asked, catalogue)?;
    let usual = GameOptions::usual(&rules, &asked.lexicon);
    let options = GameOptions {
        rule_set: asked.rule_set.clone(),
        seats: asked.seats,
        language: rules.language.clone(),
        lexicon: asked.lexicon.clone(),
        clock: asked.clock.as_ref().map_or(Ok(usual.clock), clock)?,
        challenge: match &asked.challenge {
            None => usual.challenge,
            Some(asked) => challenge(asked, &usual.challenge)?,
        },
        inactivity: inactivity(asked.end.as_ref(), usual.inactivity)?,
        all_played: asked.all_played.unwrap_or(usual.all_played),
        uncatchable: asked.uncatchable.unwrap_or(usual.uncatchable),
        ties: ties(asked.ties, usual.ties)?,
        first: first(asked.first, usual.first)?,
        timing: Timing {
            vanish_claim_ms: asked.vanish_claim_ms.unwrap_or(timing.vanish_claim_ms),
            ..timing
        },
        spectators: asked.spectators.as_ref().and_then(spectators),
        rated: asked.rated,
        vacation: asked.vacation,
        hints: asked.hints.unwrap_or(0),
        vanish: adjourn::policy(asked.vanish)
            .ok_or_else(|| bad("vanish", "is neither claim nor adjourn nor play_on"))?,
    };
    if options.rated {
        pools::rateable(&options, &rules).map_err(Refusal::not_rateable)?;
    }
    options.validate(&rules)?;
    Ok(options)
}

/// Returns the rule set with the tiles of the lexicon's language.
fn rules(asked: &wire::GameOptions, catalogue: &Catalogue) -> Result<Arc<RuleSet>, Refusal> {
    if catalogue.rule_set(&asked.rule_set).is_none() {
        let text = format!("there is no rule set {} here", quoted(&asked.rule_set));
        return Err(Refusal::field(ErrorCode::UnknownRuleSet, "rule_set", text));
    }
    let Some(lexicon) = catalogue.lexica.find(&asked.lexicon) else {
        let text = format!("there is no lexicon {} here", quoted(&asked.lexicon));
        return Err(Refusal::field(ErrorCode::UnknownLexicon, "lexicon", text));
    };
    let language = lexicon.language();
    if let Some(wanted) = &asked.language
        && wanted != language
    {
        let problem = format!("the lexicon {} is for {language}", asked.lexicon);
        return Err(bad("language", &problem));
    }
    let rules = catalogue.rules_for(&asked.rule_set, &**lexicon);
    rules.cloned().ok_or_else(|| {
        let problem = match catalogue.rules(&asked.rule_set, language) {
            Some(_) => format!(
                "the letters of {} are not those of the {language} tiles of {}",
                asked.lexicon, asked.rule_set
            ),
            None => format!("{} has no tiles for {language}", asked.rule_set),
        };
        bad("lexicon", &problem)
    })
}

impl From<OptionsError> for Refusal {
    fn from(error: OptionsError) -> Self {
        Self::field(ErrorCode::BadOptions, error.field, error.to_string())
    }
}

fn bad(field: &str, problem: &str) -> Refusal {
    Refusal::field(ErrorCode::BadOptions, field, format!("{field}: {problem}"))
}

/// A delay of zero is no delay, and is shown so. Racks without a delay are left to the rules, which refuse them.
fn spectators(asked: &wire::SpectatorView) -> Option<SpectatorView> {
    let wire::SpectatorView { delay_ms, racks } = *asked;
    (delay_ms != 0 || racks).then_some(SpectatorView { delay_ms, racks })
}

fn clock(asked: &wire::Clock) -> Result<ClockKind, Refusal> {
    if let Some(foreign) = asked.foreign_field() {
        let problem = format!("does not belong to a clock of kind {}", asked.kind);
        return Err(bad(&format!("clock.{foreign}"), &problem));
    }
    let initial_ms = asked.initial_ms.unwrap_or(DEFAULT_INITIAL_MS);
    Ok(match asked.kind {
        wire::ClockKind::SuddenDeath => ClockKind::SuddenDeath { initial_ms },
        wire::ClockKind::Increment => ClockKind::Increment {
            initial_ms,
            increment_ms: asked.increment_ms.unwrap_or(DEFAULT_INCREMENT_MS),
        },
        wire::ClockKind::Delay => ClockKind::Delay {
            initial_ms,
            delay_ms: asked.delay_ms.unwrap_or(DEFAULT_DELAY_MS),
        },
        wire::ClockKind::Overtime => ClockKind::Overtime {
            initial_ms,
            penalty_per_minute: asked
                .penalty_per_minute
                .unwrap_or(DEFAULT_PENALTY_PER_MINUTE),
            cap_ms: asked.cap_ms.unwrap_or(DEFAULT_CAP_MS),
        },
        wire::ClockKind::PerMove => ClockKind::PerMove {
            limit_ms: asked.limit_ms.unwrap_or(DEFAULT_LIMIT_MS),
            bank_ms: asked.bank_ms.unwrap_or(DEFAULT_BANK_MS),
        },
        wire::ClockKind::Untimed => ClockKind::Untimed,
        wire::ClockKind::Unknown => return Err(bad("clock.kind", "there is no such clock")),
    })
}

fn challenge(
    asked: &wire::Challenge,
    usual: &ChallengeOptions,
) -> Result<ChallengeOptions, Refusal> {
    let kind = match asked.kind {
        wire::ChallengeKind::Void => ChallengeKind::Void,
        wire::ChallengeKind::Single => ChallengeKind::Single,
        wire::ChallengeKind::Double => ChallengeKind::Double,
        wire::ChallengeKind::FivePoint => ChallengeKind::FivePoint,
        wire::ChallengeKind::TenPoint => ChallengeKind::TenPoint,
        wire::ChallengeKind::Triple => ChallengeKind::Triple,
        wire::ChallengeKind::Unknown => {
            return Err(bad("challenge.kind", "there is no such challenge rule"));
        }
    };
    Ok(ChallengeOptions {
        kind,
        window_ms: match asked.window_ms {
            None => usual.window_ms,
            Some(0) => None,
            Some(window_ms) => Some(window_ms),
        },
        points_per: if asked.per_word {
            PointsPer::Word
        } else {
            PointsPer::Play
        },
        consent: if asked.consent {
            Consent::Asked
        } else {
            Consent::NotAsked
        },
    })
}

fn inactivity(
    asked: Option<&wire::EndOption>,
    usual: InactivityRule,
) -> Result<InactivityRule, Refusal> {
    let Some(asked) = asked else {
        return Ok(usual);
    };
    let Ok(limit) = u16::try_from(asked.limit) else {
        return Err(bad("end.limit", "is too large"));
    };
    let counts = match asked.counts {
        wire::EndCounts::Scoreless => CountedTurns::Scoreless,
        wire::EndCounts::Passes => CountedTurns::Passes,
        wire::EndCounts::WithoutScore => CountedTurns::WithoutScore,
        wire::EndCounts::Unknown => return Err(bad("end.counts", "there is no such count")),
    };
    Ok(InactivityRule {
        limit: if asked.per_seat {
            TurnLimit::PerActiveSeat(limit)
        } else {
            TurnLimit::Total(limit)
        },
        counts,
        unless_all_zero: asked.unless_all_zero,
        cap_per_seat: usual.cap_per_seat,
    })
}

fn ties(asked: Option<wire::Ties>, usual: TieRule) -> Result<TieRule, Refusal> {
    match asked {
        None => Ok(usual),
        Some(wire::Ties::BeforeAdjustment) => Ok(TieRule::BeforeAdjustment),
        Some(wire::Ties::Stand) => Ok(TieRule::Stand),
        Some(wire::Ties::Unknown) => Err(bad("ties", "there is no such rule for ties")),
    }
}

fn first(asked: Option<wire::FirstPlay>, usual: FirstPlay) -> Result<FirstPlay, Refusal> {
    match asked {
        None => Ok(usual),
        Some(wire::FirstPlay::Draw) => Ok(FirstPlay::Draw),
        Some(wire::FirstPlay::Owner) => Ok(FirstPlay::Seat(Seat(0))),
        Some(wire::FirstPlay::Unknown) => Err(bad("first", "is neither draw nor owner")),
    }
}

/// Returns the options that a client asks for; `timing` is the operator's part of them.
#[must_use]
pub fn to_wire(options: &GameOptions) -> wire::GameOptions {
    wire::GameOptions {
        rule_set: options.rule_set.clone(),
        seats: options.seats,
        lexicon: options.lexicon.clone(),
        language: Some(options.language.clone()),
        clock: Some(clock_to_wire(options.clock)),
        challenge: Some(challenge_to_wire(&options.challenge)),
        end: Some(end_to_wire(&options.inactivity)),
        all_played: Some(options.all_played),
        uncatchable: Some(options.uncatchable),
        ties: Some(match options.ties {
            TieRule::BeforeAdjustment => wire::Ties::BeforeAdjustment,
            TieRule::Stand => wire::Ties::Stand,
        }),
        first: Some(match options.first {
            FirstPlay::Draw => wire::FirstPlay::Draw,
            FirstPlay::Seat(_) => wire::FirstPlay::Owner,
        }),
        vanish_claim_ms: Some(options.timing.vanish_claim_ms),
        spectators: options.spectators.map(|view| wire::SpectatorView {
            delay_ms: view.delay_ms,
            racks: view.racks,
        }),
        rated: options.rated,
        vanish: adjourn::policy_to_wire(options.vanish),
        vacation: options.vacation,
        hints: Some(options.hints).filter(|hints| *hints > 0),
    }
}

fn clock_to_wire(clock: ClockKind) -> wire::Clock {
    match clock {
        ClockKind::Untimed => wire::Clock::of(wire::ClockKind::Untimed),
        ClockKind::SuddenDeath { initial_ms } => wire::Clock {
            initial_ms: Some(initial_ms),
            ..wire::Clock::of(wire::ClockKind::SuddenDeath)
        },
        ClockKind::Increment {
            initial_ms,
            increment_ms,
        } => wire::Clock {
            initial_ms: Some(initial_ms),
            increment_ms: Some(increment_ms),
            ..wire::Clock::of(wire::ClockKind::Increment)
        },
        ClockKind::Delay {
            initial_ms,
            delay_ms,
        } => wire::Clock {
            initial_ms: Some(initial_ms),
            delay_ms: Some(delay_ms),
            ..wire::Clock::of(wire::ClockKind::Delay)
        },
        ClockKind::Overtime {
            initial_ms,
            penalty_per_minute,
            cap_ms,
        } => wire::Clock {
            initial_ms: Some(initial_ms),
            penalty_per_minute: Some(penalty_per_minute),
            cap_ms: Some(cap_ms),
            ..wire::Clock::of(wire::ClockKind::Overtime)
        },
        ClockKind::PerMove { limit_ms, bank_ms } => wire::Clock {
            limit_ms: Some(limit_ms),
            bank_ms: Some(bank_ms),
            ..wire::Clock::of(wire::ClockKind::PerMove)
        },
    }
}

/// Returns a challenge rule as clients name it.
#[must_use]
pub const fn challenge_kind_to_wire(kind: ChallengeKind) -> wire::ChallengeKind {
    match kind {
        ChallengeKind::Void => wire::ChallengeKind::Void,
        ChallengeKind::Single => wire::ChallengeKind::Single,
        ChallengeKind::Double => wire::ChallengeKind::Double,
        ChallengeKind::FivePoint => wire::ChallengeKind::FivePoint,
        ChallengeKind::TenPoint => wire::ChallengeKind::TenPoint,
        ChallengeKind::Triple => wire::ChallengeKind::Triple,
    }
}

fn challenge_to_wire(challenge: &ChallengeOptions) -> wire::Challenge {
    wire::Challenge {
        kind: challenge_kind_to_wire(challenge.kind),
        window_ms: Some(challenge.window_ms.unwrap_or(0)),
        per_word: challenge.points_per == PointsPer::Word,
        consent: challenge.consent == Consent::Asked,
    }
}

fn end_to_wire(rule: &InactivityRule) -> wire::EndOption {
    let (limit, per_seat) = match rule.limit {
        TurnLimit::PerActiveSeat(limit) => (limit, true),
        TurnLimit::Total(limit) => (limit, false),
    };
    wire::EndOption {
        limit: u32::from(limit),
        per_seat,
        counts: match rule.counts {
            CountedTurns::Scoreless => wire::EndCounts::Scoreless,
            CountedTurns::Passes => wire::EndCounts::Passes,
            CountedTurns::WithoutScore => wire::EndCounts::WithoutScore,
        },
        unless_all_zero: rule.unless_all_zero,
    }
}
