//! Clocks, challenge rules and spectator options from the command line, and game options in words.

use tilewire_protocol::{Challenge, ChallengeKind, Clock, ClockKind, GameOptions, SpectatorView};

use super::duration::{format_ms, parse_duration_ms};
use super::rule_options::unusual_options;

/// An example for messages: 25 minutes each, then up to 10 minutes of overtime with a penalty.
const EXAMPLE_CLOCK: &str = "overtime:25m,penalty=10,cap=10m";

/// Parses a clock such as `increment:15m+10s` or `overtime:25m,penalty=10,cap=10m`.
///
/// The values are named, or follow the order that belongs to the kind.
///
/// # Errors
/// Returns an error for an unknown kind, a value that the kind does not have, and an invalid duration.
pub fn parse_clock(text: &str) -> Result<Clock, String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let (kind, figures): (ClockKind, &[&str]) = match name {
        "sudden" | "sudden-death" => (ClockKind::SuddenDeath, &["initial"]),
        "increment" => (ClockKind::Increment, &["initial", "increment"]),
        "delay" => (ClockKind::Delay, &["initial", "delay"]),
        "overtime" => (ClockKind::Overtime, &["initial", "cap", "penalty"]),
        "per-move" => (ClockKind::PerMove, &["limit", "bank"]),
        "untimed" | "none" => (ClockKind::Untimed, &[]),
        _ => {
            return Err(format!(
                "`{name}` is not a clock; write sudden:25m, increment:15m+10s, delay:15m+10s, {EXAMPLE_CLOCK}, \
                 per-move:72h,bank=1h or untimed"
            ));
        }
    };
    let mut clock = Clock::of(kind);
    let parts = rest.split([',', '+', ':']).filter(|_| !rest.is_empty());
    for (index, part) in parts.enumerate() {
        let (figure, value) = match part.split_once('=') {
            Some((figure, value)) => (figure, value),
            None => (figures.get(index).copied().unwrap_or_default(), part),
        };
        if !figures.contains(&figure) {
            return Err(match figures {
                [] => format!("the clock `{name}` takes no values"),
                _ => format!(
                    "the clock `{name}` takes {}, not `{part}`",
                    figures.join(", ")
                ),
            });
        }
        set_figure(&mut clock, figure, value)?;
    }
    Ok(clock)
}

fn set_figure(clock: &mut Clock, figure: &str, value: &str) -> Result<(), String> {
    if figure == "penalty" {
        let points = value.parse();
        clock.penalty_per_minute =
            Some(points.map_err(|_| format!("`{value}` is not a number of points per minute"))?);
        return Ok(());
    }
    let ms = Some(parse_duration_ms(value)?);
    match figure {
        "initial" => clock.initial_ms = ms,
        "increment" => clock.increment_ms = ms,
        "delay" => clock.delay_ms = ms,
        "cap" => clock.cap_ms = ms,
        "limit" => clock.limit_ms = ms,
        _ => clock.bank_ms = ms,
    }
    Ok(())
}

/// Parses a challenge rule such as `double` or `five-point,window=30s,per-word`.
///
/// # Errors
/// Returns an error for an unknown kind or option.
pub fn parse_challenge(text: &str) -> Result<Challenge, String> {
    let mut parts = text.split(',');
    let name = parts.next().unwrap_or_default();
    let kind = match name {
        "void" => ChallengeKind::Void,
        "single" => ChallengeKind::Single,
        "double" => ChallengeKind::Double,
        "five-point" | "five" => ChallengeKind::FivePoint,
        "ten-point" | "ten" => ChallengeKind::TenPoint,
        "triple" => ChallengeKind::Triple,
        _ => {
            return Err(format!(
                "`{name}` is not a challenge rule; write void, single, double, five-point, ten-point or triple"
            ));
        }
    };
    let mut challenge = Challenge::of(kind);
    for part in parts {
        match part.split_once('=') {
            Some(("window", value)) => challenge.window_ms = Some(parse_duration_ms(value)?),
            None if part == "per-word" => challenge.per_word = true,
            None if part == "consent" => challenge.consent = true,
            _ => {
                return Err(format!(
                    "`{part}` is not an option of a challenge rule; write window=20s, per-word or consent"
                ));
            }
        }
    }
    Ok(challenge)
}

/// Parses the delay for spectators, and whether they see the racks: `3m` or `3m,racks`.
///
/// # Errors
/// Returns an error for an invalid delay, and for anything after it other than `racks`.
pub fn parse_spectators(text: &str) -> Result<SpectatorView, String> {
    let (delay, racks) = match text.split_once(',') {
        None => (text, false),
        Some((delay, "racks")) => (delay, true),
        Some((_, other)) => {
            return Err(format!(
                "`{other}` is not an option for spectators; write 3m or 3m,racks"
            ));
        }
    };
    let delay_ms = parse_duration_ms(delay)?;
    Ok(SpectatorView { delay_ms, racks })
}

/// Writes the options for spectators: `3m behind, with racks`.
#[must_use]
pub fn format_spectators(view: &SpectatorView) -> String {
    let racks = if view.racks { ", with racks" } else { "" };
    format!("{} behind{racks}", format_ms(view.delay_ms))
}

/// Writes a clock in the format of [`parse_clock`].
#[must_use]
pub fn format_clock(clock: &Clock) -> String {
    let first = |name: &str, figure: Option<i64>| match figure {
        Some(ms) => format!("{name}:{}", format_ms(ms)),
        None => name.to_owned(),
    };
    let second = |joint: &str, figure: Option<i64>| {
        figure.map_or_else(String::new, |ms| format!("{joint}{}", format_ms(ms)))
    };
    match clock.kind {
        ClockKind::SuddenDeath => first("sudden", clock.initial_ms),
        ClockKind::Increment => {
            first("increment", clock.initial_ms) + &second("+", clock.increment_ms)
        }
        ClockKind::Delay => first("delay", clock.initial_ms) + &second("+", clock.delay_ms),
        ClockKind::Overtime => {
            let penalty = clock
                .penalty_per_minute
                .map_or_else(String::new, |points| format!(",penalty={points}"));
            first("overtime", clock.initial_ms) + &penalty + &second(",cap=", clock.cap_ms)
        }
        ClockKind::PerMove => {
            first("per-move", clock.limit_ms)
                + &second(",bank=", clock.bank_ms.filter(|ms| *ms > 0))
        }
        ClockKind::Untimed => "untimed".to_owned(),
        ClockKind::Unknown => "unknown clock".to_owned(),
    }
}

/// Writes options in one line, for lists and titles.
#[must_use]
pub fn format_options(options: &GameOptions) -> String {
    let mut text = options.rule_set.clone();
    if let Some(language) = options.language.as_ref().filter(|l| *l != "english") {
        text.push_str(&format!(" in {language}"));
    }
    if let Some(clock) = &options.clock {
        text.push_str(&format!(", {}", format_clock(clock)));
    }
    if let Some(challenge) = &options.challenge {
        text.push_str(&format!(", challenge {}", format_challenge(challenge)));
    }
    if let Some(view) = &options.spectators {
        text.push_str(&format!(", spectators {}", format_spectators(view)));
    }
    if options.rated {
        text.push_str(", rated");
    }
    for option in unusual_options(options) {
        text.push_str(&format!(", {option}"));
    }
    text
}

/// Writes a challenge rule: `double within 20s`.
#[must_use]
pub fn format_challenge(challenge: &Challenge) -> String {
    let mut text = challenge.kind.as_str().replace('_', "-");
    if challenge.kind != ChallengeKind::Void {
        match challenge.window_ms {
            Some(0) => text.push_str(" without timer"),
            Some(ms) => text.push_str(&format!(" within {}", format_ms(ms))),
            None => {}
        }
    }
    if challenge.per_word {
        text.push_str(", per word");
    }
    if challenge.consent {
        text.push_str(", with consent");
    }
    text
}
