//! The lexica games can be played with, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_rules::lexicon::{FstLexicon, Lexicon};

/// All lexica the server offers.
#[derive(Clone)]
pub struct Lexica {
    by_name: BTreeMap<String, Arc<dyn Lexicon>>,
}

impl Lexica {
    /// Name of the lexicon that is part of the program.
    pub const BUILTIN: &str = "wordnik";

    /// Returns the lexica that are part of the program.
    #[must_use]
    pub fn builtin() -> Self {
        Self::of([FstLexicon::builtin() as Arc<dyn Lexicon>])
    }

    /// Returns these lexica; of two with one name the last counts.
    #[must_use]
    pub fn of(lexica: impl IntoIterator<Item = Arc<dyn Lexicon>>) -> Self {
        let by_name = lexica
            .into_iter()
            .map(|lexicon| (lexicon.name().to_owned(), lexicon))
            .collect();
        Self { by_name }
    }

    /// Returns the lexicon of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Lexicon>> {
        self.by_name.get(name)
    }

    /// Returns all lexica, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Lexicon>> {
        self.by_name.values()
    }
}

impl std::fmt::Debug for Lexica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}
