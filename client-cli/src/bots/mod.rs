//! Bots without a server: matches between two bots, and training.

mod contest;
mod learn;
mod stats;

pub use contest::MatchArgs;
pub(crate) use contest::run as run_match;
pub use learn::TrainArgs;
pub(crate) use learn::run as run_train;

use std::sync::Arc;

use anyhow::{Result, bail};
use tilewire_rules::ruleset::RuleSet;

/// The built-in rule set of this name, with English tiles: the language of the built-in lexicon.
fn rule_set(name: &str) -> Result<Arc<RuleSet>> {
    match RuleSet::builtin(name) {
        Some(rules) => Ok(rules),
        None => {
            let known: Vec<&str> = RuleSet::builtins().iter().map(|r| r.id.as_str()).collect();
            bail!(
                "there is no rule set {name:?}; there are {}",
                known.join(", ")
            )
        }
    }
}
