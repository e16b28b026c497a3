//! The rule sets, with tiles for each language, and the lexica of the server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::{RuleSet, RuleSetError};

use crate::lexica::{Lexica, LexicaError, shown_hash};
use tilewire_config::Config;

/// Folder of the data directory with the operator's rule sets.
const RULE_SETS_FOLDER: &str = "rule-sets";
/// Folder of the data directory with the operator's lexica.
const LEXICA_FOLDER: &str = "lexica";

/// The largest number of rule sets of an operator.
const OWN_RULE_SETS_MAX: usize = 256;
/// Longest file of a rule set, bytes.
const RULE_SET_MAX_BYTES: u64 = 256 * 1024;

/// The rule sets and lexica of the server. Clones share them.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// All lexica.
    pub lexica: Lexica,
    /// By id, the built-in ones first in the order of [`RuleSet::builtins`].
    rule_sets: Arc<Vec<Arc<RuleSet>>>,
    by_language: Arc<BTreeMap<(String, String), Arc<RuleSet>>>,
}

/// The reasons why an operator's rule sets or lexica cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A file or the folder cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is larger than any rule set.
    #[error("{0}: larger than {RULE_SET_MAX_BYTES} bytes")]
    TooLarge(PathBuf),
    /// There are too many files.
    #[error("{0}: more than {OWN_RULE_SETS_MAX} rule sets")]
    TooMany(PathBuf),
    /// The lexica cannot be read.
    #[error(transparent)]
    Lexica(#[from] LexicaError),
    /// A file is not a rule set.
    #[error(transparent)]
    RuleSet(#[from] RuleSetError),
    /// Two rule sets have one id.
    #[error("{path}: there is a rule set {} already", quoted(.id))]
    Twice {
        /// The later file.
        path: PathBuf,
        /// The id.
        id: String,
    },
}

impl Catalogue {
    /// Reads the operator's rule sets and lexica from the data directory, and adds them to the built-in ones.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn load(config: &Config) -> Result<Self, CatalogueError> {
        let folder = config.data_dir.join(LEXICA_FOLDER);
        let lexica = Lexica::builtin().with_files_of(&folder, &config.limits)?;
        let catalogue = Self::new(lexica);
        let catalogue = catalogue.with_rule_sets_of(&config.data_dir.join(RULE_SETS_FOLDER))?;
        catalogue.log_lexica();
        Ok(catalogue)
    }

    /// Returns the built-in rule sets with these lexica.
    #[must_use]
    pub fn new(lexica: Lexica) -> Self {
        let mut catalogue = Self {
            lexica,
            rule_sets: Arc::default(),
            by_language: Arc::default(),
        };
        for rules in RuleSet::builtins() {
            catalogue.add(Arc::clone(rules));
        }
        catalogue
    }

    /// Adds every `*.toml` of a folder, if the folder exists.
    ///
    /// # Errors
    /// Names the first file that is not a rule set, or has the id of another.
    pub fn with_rule_sets_of(mut self, folder: &Path) -> Result<Self, CatalogueError> {
        let read_error = |path: &Path, source| CatalogueError::Read {
            path: path.to_owned(),
            source,
        };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(self),
            Err(error) => return Err(read_error(folder, error)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| read_error(folder, error))?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                files.push(path);
            }
        }
        if files.len() > OWN_RULE_SETS_MAX {
            return Err(CatalogueError::TooMany(folder.to_owned()));
        }
        files.sort();
        for path in files {
            let length = path
                .metadata()
                .map_err(|error| read_error(&path, error))?
                .len();
            if length > RULE_SET_MAX_BYTES {
                return Err(CatalogueError::TooLarge(path));
            }
            let text = std::fs::read_to_string(&path).map_err(|error| read_error(&path, error))?;
            let rules = RuleSet::parse(&text, &path.display().to_string())?;
            if self.rule_sets.iter().any(|known| known.id == rules.id) {
                let id = rules.id;
                return Err(CatalogueError::Twice { path, id });
            }
            self.add(Arc::new(rules));
        }
        Ok(self)
    }

    /// Adds one more rule set.
    #[must_use]
    pub fn with_rule_set(mut self, rules: RuleSet) -> Self {
        self.add(Arc::new(rules));
        self
    }

    fn add(&mut self, rules: Arc<RuleSet>) {
        for language in rules.languages() {
            if let Some(translated) = rules.in_language(language) {
                let key = (rules.id.clone(), language.to_owned());
                Arc::make_mut(&mut self.by_language).insert(key, Arc::new(translated));
            }
        }
        Arc::make_mut(&mut self.rule_sets).push(rules);
    }

    /// Returns every rule set with its default tiles.
    #[must_use]
    pub fn rule_sets(&self) -> &[Arc<RuleSet>] {
        &self.rule_sets
    }

    /// Returns a rule set with its default tiles.
    #[must_use]
    pub fn rule_set(&self, id: &str) -> Option<&Arc<RuleSet>> {
        self.rule_sets.iter().find(|rules| rules.id == id)
    }

    /// Returns a rule set with the tiles of a language.
    #[must_use]
    pub fn rules(&self, id: &str, language: &str) -> Option<&Arc<RuleSet>> {
        self.by_language.get(&(id.to_owned(), language.to_owned()))
    }

    /// Returns a rule set with tiles that match the alphabet of the lexicon.
    #[must_use]
    pub fn rules_for(&self, id: &str, lexicon: &dyn Lexicon) -> Option<&Arc<RuleSet>> {
        let rules = self.rules(id, lexicon.language());
        rules.filter(|rules| lexicon.fits(&rules.tiles))
    }

    /// Returns the names of everything that a game can be played with, each lexicon with the beginning of its hash. Several
    /// servers that share games compare them.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let lexica = self.lexica.all();
        let lexica = lexica.map(|lexicon| {
            let hash = shown_hash(lexicon.hash());
            format!("lexicon {} ({hash})", lexicon.name())
        });
        let rule_sets = self.rule_sets.iter();
        let rule_sets = rule_sets.map(|rules| format!("rule set {}", rules.id));
        lexica.chain(rule_sets).collect()
    }

    /// Logs the lexica.
    pub fn log_lexica(&self) {
        for lexicon in self.lexica.all() {
            let (name, language) = (lexicon.name(), lexicon.language());
            let (words, hash) = (lexicon.words(), shown_hash(lexicon.hash()));
            tracing::info!(name, language, words, hash, "a lexicon is offered");
            let mut ids = self.rule_sets.iter().map(|rules| rules.id.as_str());
            if !ids.any(|id| self.rules_for(id, &**lexicon).is_some()) {
                tracing::warn!(name, language, "no rule set has the tiles of this lexicon");
            }
        }
    }

    /// Returns a lexicon for a rule set: one of its language and tiles, preferably the built-in one.
    #[must_use]
    pub fn lexicon_for(&self, rules: &RuleSet) -> Option<&Arc<dyn Lexicon>> {
        let mut fitting = self
            .lexica
            .all()
            .filter(|lexicon| lexicon.language() == rules.language && lexicon.fits(&rules.tiles));
        let first = fitting.next()?;
        let builtin = std::iter::once(first)
            .chain(fitting)
            .find(|lexicon| lexicon.name() == Lexica::BUILTIN);
        Some(builtin.unwrap_or(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An operator's rule set.
    const OWN: &str = r#"
        id = "blitz"
        name = "Blitz"
        summary = "Three minutes."
        base = "classic"
        [clock.sudden_death]
        initial_ms = 180000
    "#;

    fn of(files: &[(&str, &str)]) -> Result<Catalogue, CatalogueError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Catalogue::new(Lexica::builtin()).with_rule_sets_of(folder.path())
    }

    #[test]
    fn an_operators_rule_sets_come_after_the_built_in_ones() {
        let catalogue = of(&[("blitz.toml", OWN), ("notes.txt", "not a rule set")]).unwrap();
        let ids: Vec<&str> = catalogue
            .rule_sets()
            .iter()
            .map(|rules| rules.id.as_str())
            .collect();
        assert_eq!((ids[0], ids.last()), ("classic", Some(&"blitz")));
        assert_eq!(
            catalogue.rules("blitz", "swedish").unwrap().language,
            "swedish"
        );
        assert!(catalogue.rules("blitz", "klingon").is_none());
        let lexicon = catalogue.lexicon_for(catalogue.rule_set("blitz").unwrap());
        assert_eq!(lexicon.unwrap().name(), "wordnik");
    }

    #[test]
    fn a_bad_file_is_named() {
        let bad = OWN.replace("initial_ms = 180000", "initial_ms = 1");
        let large = "#".repeat(300_000);
        for (files, names) in [
            (vec![("bad.toml", bad.as_str())], "clock.initial_ms"),
            (vec![("bad.toml", "id = ")], "bad.toml"),
            (vec![("a.toml", OWN), ("b.toml", OWN)], "b.toml"),
            (
                vec![("a.toml", &OWN.replace("blitz", "classic"))],
                "\"classic\"",
            ),
            (vec![("a.toml", large.as_str())], "larger"),
        ] {
            let error = of(&files).unwrap_err().to_string();
            assert!(error.contains(names), "{names}: {error}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::new(Lexica::builtin());
        let with = catalogue.with_rule_sets_of(&folder.path().join("none"));
        assert_eq!(with.unwrap().rule_sets().len(), RuleSet::builtins().len());
    }
}
