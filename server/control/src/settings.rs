//! The settings that can change while the server runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::telemetry;
use tilewire_config as config;
use tilewire_config::reload::{Changes, changes, with};
use tilewire_config::{Config, ConfigErrors, Sources};

/// The reasons why a reload changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The settings have mistakes.
    #[error(transparent)]
    Settings(#[from] ConfigErrors),
    /// The server was not started from sources.
    #[error("this server has no sources of settings")]
    NoSources,
    /// The log does not take the filter.
    #[error("log.filter: {0}")]
    Filter(String),
}

/// The sources of the settings at the start of a server.
pub struct LoadedFrom {
    /// The sources.
    pub sources: Sources,
    /// The settings as they were loaded; those in use can differ, as the open files bound some.
    pub config: Config,
}

impl fmt::Debug for LoadedFrom {
    /// Shows nothing of the environment, which can have secrets of other programs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedFrom").finish_non_exhaustive()
    }
}

/// The settings of a running server.
pub struct Settings {
    now: RwLock<Arc<Config>>,
    /// The sources of reloads, and the settings as the last one loaded them.
    loaded: Option<Loaded>,
}

struct Loaded {
    sources: Sources,
    last: Mutex<Config>,
}

impl fmt::Debug for Settings {
    /// Shows nothing of the environment, which can have secrets of other programs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").finish_non_exhaustive()
    }
}

impl Settings {
    /// Returns settings; without sources, nothing changes them.
    #[must_use]
    pub fn new(config: Arc<Config>, from: Option<LoadedFrom>) -> Self {
        let loaded = from.map(|from| Loaded {
            sources: from.sources,
            last: Mutex::new(from.config),
        });
        Self {
            now: RwLock::new(config),
            loaded,
        }
    }

    /// Returns the settings that hold now.
    #[must_use]
    pub fn now(&self) -> Arc<Config> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the settings again and applies nothing. Blocks.
    ///
    /// # Errors
    /// Every mistake.
    pub fn look(&self) -> Result<(), ReloadError> {
        let loaded = self.loaded.as_ref().ok_or(ReloadError::NoSources)?;
        Ok(config::load(&loaded.sources).map(drop)?)
    }

    /// Loads the settings again and applies those that can change. Blocks.
    ///
    /// # Errors
    /// Every mistake; nothing has changed then.
    pub fn reload(&self) -> Result<Changes, ReloadError> {
        let Loaded { sources, last } = self.loaded.as_ref().ok_or(ReloadError::NoSources)?;
        // One reload at a time.
        let mut loaded = last.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = config::load(sources)?;
        let changes = changes(&loaded, &fresh);
        if changes.applied.iter().any(|key| key == "log.filter") {
            telemetry::refilter(&fresh.log).map_err(ReloadError::Filter)?;
        }
        let merged = with(&self.now(), &fresh, &changes.applied);
        *loaded = with(&loaded, &fresh, &changes.applied);
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(merged);
        tracing::info!(
            applied = changes.applied.join(", "),
            waiting = changes.waiting.join(", "),
            "the settings were read again; those that wait need a restart"
        );
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_reload_with_a_mistake_changes_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("tilewire.toml");
        let write = |text: &str| fs::write(&file, text).expect("written");
        write("[limits]\ngames_per_identity = 5\n");
        let sources = Sources {
            file: Some(file.clone()),
            ..Sources::default()
        };
        let loaded = config::load(&sources).expect("valid");
        let settings = Settings::new(Arc::new(loaded.clone()), None);
        assert!(settings.reload().is_err(), "it has no sources");
        let from = LoadedFrom {
            sources,
            config: loaded.clone(),
        };
        let settings = Settings::new(Arc::new(loaded), Some(from));
        write("[limits]\ngames_per_identity = 6\nopen_seeks = 0\n");
        let error = settings.reload().expect_err("a mistake").to_string();
        assert!(error.contains("open_seeks"), "{error}");
        assert_eq!(settings.now().limits.games_per_identity, 5);
        write("[limits]\ngames_per_identity = 6\nconnections = 7\n");
        for applied in [vec!["limits.games_per_identity".to_owned()], Vec::new()] {
            let changes = settings.reload().expect("valid");
            assert_eq!(changes.applied, applied);
            assert_eq!(changes.waiting, ["limits.connections"], "until a restart");
        }
        assert_eq!(settings.now().limits.games_per_identity, 6);
        assert_ne!(settings.now().limits.connections, 7);
    }
}
