//! Loads the configuration from its sources, and reports every mistake with its source.

use std::collections::HashMap;
use std::path::PathBuf;

use toml::{Table, Value};

use super::Config;
use super::check::check;
use super::errors::{ConfigError, ConfigErrors, ENV_PREFIX, Origin, nearest};
use super::file;
use super::tables::{find, keys, merge, nested, take_unknown};

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

/// The settings as far as they can be read, and where each was found.
#[derive(Debug)]
pub struct Looked {
    /// The settings. Where a value cannot be read, its default takes its place; `None` if that does not help.
    pub config: Option<Config>,
    /// Every fault.
    pub errors: Vec<ConfigError>,
    /// The keys that a source sets, and the source.
    origins: Vec<(String, Origin)>,
}

impl Looked {
    /// Adds the source of the setting that a text names, unless that setting has a fault already.
    #[must_use]
    pub fn located(&self, text: &str) -> Option<String> {
        let is_named = |key: &str| text.contains(key);
        let is_known = |error: &ConfigError| matches!(error, ConfigError::BadValue { key, .. } if is_named(key));
        if self.errors.iter().any(is_known) {
            return None;
        }
        let named = self.origins.iter().filter(|(key, _)| is_named(key));
        let longest = named.max_by_key(|(key, _)| key.len());
        Some(match longest {
            Some((_, origin)) => format!("{origin}: {text}"),
            None => text.to_owned(),
        })
    }
}

/// Loads the configuration and checks every value.
///
/// # Errors
/// Every fault, with its source.
pub fn load(sources: &Sources) -> Result<Config, ConfigErrors> {
    let looked = look(sources);
    match looked.config {
        Some(config) if looked.errors.is_empty() => Ok(config),
        _ => Err(ConfigErrors(looked.errors)),
    }
}

/// Loads the configuration as far as that is possible, and checks every value.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "the defaults are plain data")]
pub fn look(sources: &Sources) -> Looked {
    let defaults = Table::try_from(Config::default()).expect("a configuration is plain data");
    let mut errors = Vec::new();
    let mut layers = layers(sources, &defaults, &mut errors);
    let mut merged = defaults.clone();
    for layer in &mut layers {
        for key in take_unknown(&mut layer.values, &defaults) {
            errors.push(ConfigError::UnknownKey {
                origin: layer.origin(&key),
                nearest: nearest(&key, &keys(&defaults)),
                key,
            });
        }
        merge(&mut merged, &layer.values);
    }
    let origin = |key: &str| {
        let holds = |layer: &&Layer| find(&layer.values, key).is_some();
        let layer = layers.iter().rev().find(holds);
        layer.map_or(Origin::Default, |layer| layer.origin(key))
    };
    let (config, problems) = check(merged, &defaults);
    errors.extend(problems.into_iter().map(|problem| ConfigError::BadValue {
        origin: origin(&problem.key),
        key: problem.key,
        reason: problem.reason,
    }));
    let known = keys(&defaults).into_iter().map(|key| {
        let origin = origin(&key);
        (key, origin)
    });
    let origins = known
        .filter(|(_, origin)| *origin != Origin::Default)
        .collect();
    Looked {
        config,
        errors,
        origins,
    }
}

/// The values of one source.
struct Layer {
    source: Source,
    values: Table,
}

enum Source {
    File {
        path: PathBuf,
        lines: HashMap<String, usize>,
    },
    Environment,
    Flags,
}

impl Layer {
    /// Makes a layer of dotted keys and values as text; a value is read as a number where the default is a number.
    fn of_pairs<'a>(
        source: Source,
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
        Self { source, values }
    }

    /// Returns the exact source of a key.
    fn origin(&self, key: &str) -> Origin {
        match &self.source {
            Source::File { path, lines } => Origin::File {
                path: path.clone(),
                line: lines.get(key).copied(),
            },
            Source::Environment => Origin::variable(key),
            Source::Flags => Origin::flag(key),
        }
    }
}

/// Returns the values of the sources, the weakest first.
fn layers(sources: &Sources, defaults: &Table, errors: &mut Vec<ConfigError>) -> Vec<Layer> {
    let variables = sources.environment.iter().filter_map(variable_key);
    let given = sources.flags.iter();
    let given = given.map(|(key, value)| ((*key).to_owned(), value.as_str()));
    let file = file_layer(sources).unwrap_or_else(|faults| {
        errors.extend(faults);
        None
    });
    let others = [
        Layer::of_pairs(Source::Environment, variables, defaults),
        Layer::of_pairs(Source::Flags, given, defaults),
    ];
    file.into_iter().chain(others).collect()
}

fn file_layer(sources: &Sources) -> Result<Option<Layer>, Vec<ConfigError>> {
    let path = match &sources.file {
        Some(path) => path.clone(),
        None => sources.directory.join(USUAL_FILE),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && sources.file.is_none() => {
            return Ok(None);
        }
        Err(cause) => return Err(vec![ConfigError::Read { path, cause }]),
    };
    match file::parse(&text) {
        Ok(file::File { values, lines }) => {
            let source = Source::File { path, lines };
            Ok(Some(Layer { source, values }))
        }
        Err(faults) => {
            let of_file = |fault: file::SyntaxError| ConfigError::Syntax {
                origin: Origin::File {
                    path: path.clone(),
                    line: Some(fault.line),
                },
                reason: fault.reason,
            };
            Err(faults.into_iter().map(of_file).collect())
        }
    }
}

/// Returns the key a variable sets, if it is one of the server's.
fn variable_key((name, value): &(String, String)) -> Option<(String, &str)> {
    if CLIENT_VARIABLES.contains(&name.as_str()) {
        return None;
    }
    let key = name.strip_prefix(ENV_PREFIX)?;
    Some((key.replace("__", ".").to_lowercase(), value))
}
