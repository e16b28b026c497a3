//! Loads the configuration from its sources, and names the source of a wrong value.

use std::fmt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Config;
use super::check::check;
use super::tables::{find, merge, nested};

/// Prefix of the environment variables the server reads.
const ENV_PREFIX: &str = "TILEWIRE_";

/// Variables with the prefix that belong to the program `tilewire`.
const CLIENT_VARIABLES: [&str; 3] = ["TILEWIRE_SERVER", "TILEWIRE_PROFILE", "TILEWIRE_DATA"];

/// The file that is read if it exists and no other is named.
const USUAL_FILE: &str = "tilewire.toml";

/// The sources of the configuration.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Values given by flags: key and value.
    pub flags: Vec<(&'static str, String)>,
    /// The environment: name and value of every variable; those without the prefix are ignored.
    pub environment: Vec<(String, String)>,
    /// The file named by a flag; it must exist.
    pub file: Option<PathBuf>,
    /// The directory with the default file, which need not exist.
    pub directory: PathBuf,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The default.
    Default,
    /// A file.
    File(PathBuf),
    /// An environment variable.
    Variable(String),
    /// A flag.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the defaults"),
            Self::File(path) => write!(f, "the file {}", path.display()),
            Self::Variable(name) => write!(f, "the environment variable {name}"),
            Self::Flag(flag) => write!(f, "the flag {flag}"),
        }
    }
}

/// The reasons why the configuration cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("the configuration file {} is not valid TOML: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        reason: String,
    },
    /// There is no such key.
    #[error("unknown key `{key}` in {origin}; known here: {known}")]
    UnknownKey {
        /// The key, dotted.
        key: String,
        /// Where it was found.
        origin: Origin,
        /// The keys that exist in its place.
        known: String,
    },
    /// A value cannot be used.
    #[error("`{key}` in {origin}: {reason}")]
    BadValue {
        /// The key, dotted.
        key: String,
        /// Where the value came from.
        origin: Origin,
        /// What is wrong with it.
        reason: String,
    },
}

/// Loads the configuration and checks every value.
///
/// # Errors
/// The first fault, and its source.
pub fn load(sources: &Sources) -> Result<Config, ConfigError> {
    let defaults = Table::try_from(Config::default()).expect("a configuration is plain data");
    let mut layers = Vec::new();
    layers.extend(file_layer(sources)?);
    let (environment, flags) = (Origin::Variable(String::new()), Origin::Flag(String::new()));
    let variables = sources.environment.iter().filter_map(variable_key);
    layers.push(Layer::of_pairs(environment, variables, &defaults));
    let given = sources.flags.iter();
    let given = given.map(|(key, value)| ((*key).to_owned(), value.as_str()));
    layers.push(Layer::of_pairs(flags, given, &defaults));
    for layer in &layers {
        refuse_unknown(&layer.values, &defaults, "", &layer.origin)?;
    }
    let mut merged = defaults;
    for layer in &layers {
        merge(&mut merged, &layer.values);
    }
    let origin = |key: &str| {
        let holds = |layer: &&Layer| find(&layer.values, key).is_some();
        let layer = layers.iter().rev().find(holds);
        layer.map_or(Origin::Default, |layer| layer.origin.of_key(key))
    };
    check(merged).map_err(|(key, reason)| ConfigError::BadValue {
        origin: origin(&key),
        key,
        reason,
    })
}

/// The values of one source.
struct Layer {
    origin: Origin,
    values: Table,
}

impl Layer {
    /// Makes a layer of dotted keys and values as text; a value is read as a number where the default is a number.
    fn of_pairs<'a>(
        origin: Origin,
        pairs: impl Iterator<Item = (String, &'a str)>,
        defaults: &Table,
    ) -> Self {
        let mut values = Table::new();
        for (key, text) in pairs {
            let is_number = find(defaults, &key).is_some_and(Value::is_integer);
            let value = match text.trim().parse::<i64>() {
                Ok(number) if is_number => Value::Integer(number),
                _ => Value::String(text.to_owned()),
            };
            merge(&mut values, &nested(&key, value));
        }
        Self { origin, values }
    }
}

impl Origin {
    /// Returns the exact source of a key.
    fn of_key(&self, key: &str) -> Self {
        match self {
            Self::Default | Self::File(_) => self.clone(),
            Self::Variable(_) => {
                let name = key.replace('.', "__").to_uppercase();
                Self::Variable(format!("{ENV_PREFIX}{name}"))
            }
            Self::Flag(_) => Self::Flag(match key {
                "log.format" => "--log-format".to_owned(),
                "log.filter" => "--log".to_owned(),
                "recovery.damaged" => "--damaged-games".to_owned(),
                other => format!("--{}", other.replace('_', "-")),
            }),
        }
    }
}

fn file_layer(sources: &Sources) -> Result<Option<Layer>, ConfigError> {
    let path = match &sources.file {
        Some(path) => path.clone(),
        None => sources.directory.join(USUAL_FILE),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && sources.file.is_none() => {
            return Ok(None);
        }
        Err(source) => return Err(ConfigError::Read { path, source }),
    };
    let values = parse(&path, &text)?;
    let origin = Origin::File(path);
    Ok(Some(Layer { origin, values }))
}

fn parse(path: &Path, text: &str) -> Result<Table, ConfigError> {
    text.parse()
        .map_err(|error: toml::de::Error| ConfigError::Syntax {
            path: path.to_owned(),
            reason: error.to_string(),
        })
}

/// Returns the key a variable sets, if it is one of the server's.
fn variable_key((name, value): &(String, String)) -> Option<(String, &str)> {
    if CLIENT_VARIABLES.contains(&name.as_str()) {
        return None;
    }
    let key = name.strip_prefix(ENV_PREFIX)?;
    Some((key.replace("__", ".").to_lowercase(), value))
}

fn refuse_unknown(
    values: &Table,
    known: &Table,
    section: &str,
    origin: &Origin,
) -> Result<(), ConfigError> {
    for (name, value) in values {
        let key = format!("{section}{name}");
        let Some(inner) = known.get(name) else {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(ConfigError::UnknownKey {
                origin: origin.of_key(&key),
                key,
                known: names.join(", "),
            });
        };
        // A table in the place of a value has the wrong type, which `check` reports.
        if let (Some(values), Some(known)) = (value.as_table(), inner.as_table()) {
            refuse_unknown(values, known, &format!("{key}."), origin)?;
        }
    }
    Ok(())
}
