//! The mistakes that a configuration can have, and where each was found.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Prefix of the environment variables the server reads.
pub(super) const ENV_PREFIX: &str = "TILEWIRE_";

/// The least similarity (Jaro) of a key that is suggested for an unknown one.
const SIMILAR: f64 = 0.8;

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The default.
    Default,
    /// A file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, if it is known; the first is 1.
        line: Option<usize>,
    },
    /// An environment variable.
    Variable(String),
    /// A flag.
    Flag(String),
}

impl Origin {
    /// Returns the variable that sets a key.
    pub(super) fn variable(key: &str) -> Self {
        let name = key.replace('.', "__").to_uppercase();
        Self::Variable(format!("{ENV_PREFIX}{name}"))
    }

    /// Returns the flag that sets a key.
    pub(super) fn flag(key: &str) -> Self {
        Self::Flag(match key {
            "log.format" => "--log-format".to_owned(),
            "log.filter" => "--log".to_owned(),
            "recovery.clock" => "--accept-clock".to_owned(),
            "recovery.damaged" => "--damaged-games".to_owned(),
            other => format!("--{}", other.replace('_', "-")),
        })
    }

    /// Returns the name of a key in a source of this kind.
    fn name_of(&self, key: &str) -> String {
        match (self, Self::variable(key)) {
            (Self::Variable(_), Self::Variable(name)) => name,
            _ => key.to_owned(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the defaults"),
            Self::File { path, line: None } => write!(f, "{}", path.display()),
            Self::File {
                path,
                line: Some(line),
            } => write!(f, "{}:{line}", path.display()),
            Self::Variable(name) => write!(f, "the environment variable {name}"),
            Self::Flag(flag) => write!(f, "the flag {flag}"),
        }
    }
}

/// A reason why the configuration cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file is not TOML.
    #[error("{origin}: not valid TOML: {reason}")]
    Syntax {
        /// The line.
        origin: Origin,
        /// The error.
        reason: String,
    },
    /// There is no such key.
    #[error("{origin}: unknown key `{key}`{}", suggestion(origin, nearest.as_deref()))]
    UnknownKey {
        /// The key, dotted.
        key: String,
        /// Where it was found.
        origin: Origin,
        /// A similar key that exists.
        nearest: Option<String>,
    },
    /// A value cannot be used.
    #[error("{origin}: `{key}`: {reason}")]
    BadValue {
        /// The key, dotted.
        key: String,
        /// Where the value came from.
        origin: Origin,
        /// The error.
        reason: String,
    },
}

fn suggestion(origin: &Origin, nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || "; `tilewire-server config print` lists all keys".to_owned(),
        |key| format!("; did you mean `{}`?", origin.name_of(key)),
    )
}

/// All reasons why the configuration cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [error] => write!(f, "{error}"),
            errors => {
                write!(f, "the settings have {} errors:", errors.len())?;
                errors.iter().try_for_each(|error| write!(f, "\n  {error}"))
            }
        }
    }
}

/// Returns the known key whose last name is most similar to that of an unknown one, if one is similar; of equally similar
/// ones, that in the same section.
pub(super) fn nearest(key: &str, known: &[String]) -> Option<String> {
    let split = |key: &str| {
        let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
        (section.to_owned(), name.to_owned())
    };
    let (section, name) = split(key);
    let rank = |other: &&String| {
        let (its_section, its_name) = split(other);
        (strsim::jaro(&name, &its_name), its_section == section)
    };
    let known = known.iter().filter(|other| rank(other).0 >= SIMILAR);
    let best = known.max_by(|one, other| {
        let ((one, one_here), (other, other_here)) = (rank(one), rank(other));
        one.total_cmp(&other).then(one_here.cmp(&other_here))
    });
    best.cloned()
}
