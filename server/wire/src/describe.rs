//! The description of a rule set, for clients.

use tilewire_protocol as wire;
use tilewire_protocol::ErrorCode;
use tilewire_rules::options::GameOptions;
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::{Level, RuleSet};

use super::Refusal;
use super::options::{self, challenge_kind_to_wire};
use super::snapshot;
use crate::catalogue::Catalogue;

/// Returns the description of a rule set, with the tiles of a language.
///
/// # Errors
/// When there is no such rule set, or it has no tiles for the language.
pub fn rule_set(
    asked: &wire::AskRuleSet,
    catalogue: &Catalogue,
) -> Result<wire::RuleSetDescription, Refusal> {
    let Some(usual) = catalogue.rule_set(&asked.rule_set) else {
        let text = format!("there is no rule set {} here", quoted(&asked.rule_set));
        return Err(Refusal::field(ErrorCode::UnknownRuleSet, "rule_set", text));
    };
    let language = asked.language.as_deref().unwrap_or(&usual.language);
    let Some(rules) = catalogue.rules(&asked.rule_set, language) else {
        let text = format!(
            "language: {} has no tiles for {}",
            asked.rule_set,
            quoted(language)
        );
        return Err(Refusal::field(ErrorCode::BadOptions, "language", text));
    };
    let lexicon = catalogue
        .lexicon_for(rules)
        .map_or("", |lexicon| lexicon.name());
    Ok(wire::RuleSetDescription {
        rule_set: snapshot::rule_set(rules),
        summary: rules.summary.clone(),
        languages: rules.languages().map(str::to_owned).collect(),
        min_seats: rules.min_seats,
        max_seats: rules.max_seats,
        challenges: rules
            .challenges
            .iter()
            .map(|kind| challenge_kind_to_wire(*kind))
            .collect(),
        targets: targets(rules),
        usual: options::to_wire(&GameOptions::usual(rules, lexicon)),
    })
}

fn targets(rules: &RuleSet) -> Option<Vec<wire::TargetRow>> {
    let targets = rules.targets?;
    let row = |seats| wire::TargetRow {
        seats,
        beginner: targets.of(seats, Level::Beginner),
        intermediate: targets.of(seats, Level::Intermediate),
        expert: targets.of(seats, Level::Expert),
    };
    Some((rules.min_seats..=rules.max_seats).map(row).collect())
}
