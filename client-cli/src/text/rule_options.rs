//! The options for the end of a game, ties and the first player: from the command line, as flags, and in words.

use tilewire_protocol::{EndCounts, EndOption, FirstPlay, GameOptions, Ties, VanishPolicy};
use tilewire_rules::choices::{Choices, CountedTurns, FirstPlay as First, TieRule, TurnLimit};
use tilewire_rules::ruleset::RuleSet;

const PER_PLAYER: &str = "per-player";
const UNLESS_ZERO: &str = "unless-zero";

/// Parses the rule for a game without progress, such as `scoreless:6` or `passes:2,per-player`.
///
/// # Errors
/// Returns an error for an unknown kind of turn, a missing number and an unknown addition.
pub fn parse_end(text: &str) -> Result<EndOption, String> {
    let mut parts = text.split(',');
    let (kind, limit) = parts
        .next()
        .and_then(|first| first.split_once(':'))
        .ok_or_else(|| {
            format!("`{text}` is not a rule for the end; write for example scoreless:6")
        })?;
    let counts = match kind {
        "scoreless" => EndCounts::Scoreless,
        "passes" => EndCounts::Passes,
        "without-score" => EndCounts::WithoutScore,
        _ => {
            return Err(format!(
                "`{kind}` is not a kind of turn; write scoreless, passes or without-score"
            ));
        }
    };
    let mut end = EndOption {
        limit: limit
            .parse()
            .map_err(|_| format!("`{limit}` is not a number of turns"))?,
        per_seat: false,
        counts,
        unless_all_zero: false,
    };
    for part in parts {
        match part {
            PER_PLAYER => end.per_seat = true,
            UNLESS_ZERO => end.unless_all_zero = true,
            _ => {
                return Err(format!(
                    "`{part}` is not an addition; write {PER_PLAYER} or {UNLESS_ZERO}"
                ));
            }
        }
    }
    Ok(end)
}

/// Parses the rule for equal scores.
///
/// # Errors
/// Returns an error for anything except the two rules.
pub fn parse_ties(text: &str) -> Result<Ties, String> {
    match text {
        "stand" => Ok(Ties::Stand),
        "before-adjustment" => Ok(Ties::BeforeAdjustment),
        _ => Err(format!(
            "`{text}` is not a rule for ties; write stand or before-adjustment"
        )),
    }
}

/// Parses the rule about players who stay disconnected.
///
/// # Errors
/// Returns an error for anything except the three rules.
pub fn parse_vanish(text: &str) -> Result<VanishPolicy, String> {
    match text {
        "claim" => Ok(VanishPolicy::Claim),
        "adjourn" => Ok(VanishPolicy::Adjourn),
        "play-on" => Ok(VanishPolicy::PlayOn),
        _ => Err(format!(
            "`{text}` is not a rule about disconnected players; write claim, adjourn or play-on"
        )),
    }
}

/// Parses the choice of the first player.
///
/// # Errors
/// Returns an error for anything except the two choices.
pub fn parse_first(text: &str) -> Result<FirstPlay, String> {
    match text {
        "draw" => Ok(FirstPlay::Draw),
        "owner" => Ok(FirstPlay::Owner),
        _ => Err(format!(
            "`{text}` does not name the first player; write draw or owner"
        )),
    }
}

/// Parses a switch.
///
/// # Errors
/// Returns an error for anything except `on` and `off`.
pub fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("`{text}` is neither on nor off")),
    }
}

/// Writes the rule for a game without progress in the format of [`parse_end`].
#[must_use]
pub fn format_end(end: &EndOption) -> String {
    let kind = end.counts.as_str().replace('_', "-");
    let mut text = format!("{kind}:{}", end.limit);
    for (is_set, addition) in [
        (end.per_seat, PER_PLAYER),
        (end.unless_all_zero, UNLESS_ZERO),
    ] {
        if is_set {
            text.push(',');
            text.push_str(addition);
        }
    }
    text
}

/// The options of this module.
#[derive(Debug, PartialEq)]
struct RuleOptions {
    end: Option<EndOption>,
    all_played: Option<bool>,
    uncatchable: Option<bool>,
    ties: Option<Ties>,
    first: Option<FirstPlay>,
}

impl RuleOptions {
    fn of(options: &GameOptions) -> Self {
        Self {
            end: options.end.clone(),
            all_played: options.all_played,
            uncatchable: options.uncatchable,
            ties: options.ties,
            first: options.first,
        }
    }

    fn usual(choices: &Choices) -> Self {
        let rule = &choices.inactivity;
        let (limit, per_seat) = match rule.limit {
            TurnLimit::PerActiveSeat(limit) => (limit, true),
            TurnLimit::Total(limit) => (limit, false),
        };
        let end = EndOption {
            limit: u32::from(limit),
            per_seat,
            counts: match rule.counts {
                CountedTurns::Scoreless => EndCounts::Scoreless,
                CountedTurns::Passes => EndCounts::Passes,
                CountedTurns::WithoutScore => EndCounts::WithoutScore,
            },
            unless_all_zero: rule.unless_all_zero,
        };
        Self {
            end: Some(end),
            all_played: Some(choices.all_played),
            uncatchable: Some(choices.uncatchable),
            ties: Some(match choices.ties {
                TieRule::BeforeAdjustment => Ties::BeforeAdjustment,
                TieRule::Stand => Ties::Stand,
            }),
            first: Some(match choices.first {
                First::Draw => FirstPlay::Draw,
                First::Seat(_) => FirstPlay::Owner,
            }),
        }
    }

    /// Each option that is given, as a flag without `--`.
    fn texts(&self) -> [Option<String>; 5] {
        let switch = |on: bool| if on { "on" } else { "off" };
        let end = self.end.as_ref().map(format_end);
        let ties = self.ties.map(|ties| ties.as_str().replace('_', "-"));
        [
            end.map(|text| format!("end {text}")),
            self.all_played
                .map(|on| format!("all-played {}", switch(on))),
            self.uncatchable
                .map(|on| format!("uncatchable {}", switch(on))),
            ties.map(|text| format!("ties {text}")),
            self.first.map(|first| format!("first {}", first.as_str())),
        ]
    }
}

/// The options of this module that differ from the usual ones of the rule set, as flags without `--`. For a rule set that
/// is not built in, the usual ones are those of the classic rule set.
#[must_use]
pub fn unusual_options(options: &GameOptions) -> Vec<String> {
    let rules = RuleSet::builtin(&options.rule_set).unwrap_or_else(RuleSet::classic);
    let usual = RuleOptions::usual(&rules.usual).texts();
    let given = RuleOptions::of(options).texts().into_iter().zip(usual);
    let unusual = given.filter(|(given, usual)| given != usual);
    let vanish = match options.vanish {
        Some(VanishPolicy::Adjourn) => Some("adjourned if a player disconnects"),
        Some(VanishPolicy::PlayOn) => Some("no claims if a player disconnects"),
        None | Some(VanishPolicy::Claim | VanishPolicy::Unknown) => None,
    };
    let vacation = options.vacation.then_some("with vacation");
    let hints = options.hints.filter(|hints| *hints > 0);
    let unusual = unusual.filter_map(|(given, _)| given);
    let others = vanish.into_iter().chain(vacation);
    let others = others.map(str::to_owned);
    let hints = hints.map(|hints| format!("hints {hints}"));
    unusual.chain(others).chain(hints).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_the_end() {
        for text in [
            "scoreless:6",
            "passes:2,per-player",
            "without-score:4,unless-zero",
            "scoreless:3,per-player,unless-zero",
        ] {
            assert_eq!(
                parse_end(text).map(|end| format_end(&end)).as_deref(),
                Ok(text)
            );
        }
        for text in [
            "",
            "six",
            "scoreless",
            "scoreless:x",
            "often:6",
            "passes:2,maybe",
        ] {
            let error = parse_end(text).expect_err(text);
            assert!(error.contains('`'), "{text}: {error}");
        }
        assert!(parse_ties("maybe").is_err() && parse_first("me").is_err());
        assert!(parse_switch("yes").is_err());
        assert!(parse_vanish("abort").is_err());
    }

    #[test]
    fn only_unusual_options_are_named() {
        let rules = RuleSet::classic();
        let usual = RuleOptions::usual(&rules.usual);
        let mut options = tilewire_client::fixtures::options(2);
        options.end = usual.end;
        options.all_played = usual.all_played;
        options.uncatchable = usual.uncatchable;
        options.ties = usual.ties;
        options.first = usual.first;
        assert!(unusual_options(&options).is_empty());
        options.end = parse_end("passes:2,per-player").ok();
        options.uncatchable = Some(true);
        options.ties = parse_ties("stand").ok();
        options.vanish = parse_vanish("play-on").ok();
        options.first = parse_first("owner").ok();
        options.hints = Some(3);
        assert_eq!(
            unusual_options(&options),
            [
                "end passes:2,per-player",
                "uncatchable on",
                "ties stand",
                "first owner",
                "no claims if a player disconnects",
                "hints 3"
            ]
        );
    }
}
