//! Bots without a server: matches between two bots, and training.

mod match_play;
mod stats;
mod training;

pub use match_play::MatchArgs;
pub(crate) use match_play::run as run_match;
pub use training::TrainArgs;
pub(crate) use training::run as run_train;

use std::sync::Arc;

use anyhow::{Result, bail};
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::RuleSet;

/// The built-in rule set with this name. Its tiles are English, as is the built-in lexicon.
fn rule_set(name: &str) -> Result<Arc<RuleSet>> {
    match RuleSet::builtin(name) {
        Some(rules) => Ok(rules),
        None => {
            let known: Vec<&str> = RuleSet::builtins().iter().map(|r| r.id.as_str()).collect();
            bail!(
                "unknown rule set {}; the built-in ones are {}",
                quoted(name),
                known.join(", ")
            )
        }
    }
}
