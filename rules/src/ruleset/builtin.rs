//! The built-in rule sets.

use std::sync::{Arc, OnceLock};

use super::{RuleSet, RuleSetError, file};

macro_rules! data {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../data/rule-sets/", $name, ".toml")))),*]
    };
}

/// The id and the file text of every built-in rule set.
const DATA: &[(&str, &str)] = data![
    "classic",
    "classic-nine",
    "classic-finish-line",
    "tournament",
    "super",
    "words-with-friends",
    "wordfeud",
    "wordfeud-random",
    "email-challenge",
    "email-validated",
];

fn text(id: &str) -> Option<&'static str> {
    DATA.iter()
        .find(|(known, _)| *known == id)
        .map(|(_, text)| *text)
}

impl RuleSet {
    /// The classic rule set.
    #[must_use]
    pub fn classic() -> Arc<Self> {
        Arc::clone(&Self::builtins()[0])
    }

    /// The built-in rule set with this id, with its usual tiles.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Arc<Self>> {
        Self::builtins()
            .iter()
            .find(|rules| rules.id == id)
            .cloned()
    }

    /// Every built-in rule set, `classic` first, with its usual tiles.
    #[must_use]
    pub fn builtins() -> &'static [Arc<Self>] {
        static BUILTINS: OnceLock<Vec<Arc<RuleSet>>> = OnceLock::new();
        BUILTINS.get_or_init(|| {
            let sets = DATA
                .iter()
                .map(|(id, text)| Self::parse(text, &format!("{id}.toml")));
            sets.map(|rules| Arc::new(rules.expect("the data in the tree is tested")))
                .collect()
        })
    }

    /// Reads and checks a rule set; `file` names the data in errors. Its `base` may be any built-in rule set.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub fn parse(text: &str, file: &str) -> Result<Self, RuleSetError> {
        file::read(text, file, self::text)
    }
}
