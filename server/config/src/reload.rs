//! Settings that a running server takes from its sources again.

use toml::Table;

use super::Config;
use super::tables::{find, keys, set};

/// The settings that are read again while the server runs; the others need a restart.
pub const RELOADABLE: &[&str] = &[
    "http.allowed_origins",
    "limits.connections_per_identity",
    "limits.games_per_identity",
    "limits.list_entries",
    "limits.lobby_subscribers",
    "limits.open_invitations",
    "limits.open_seeks",
    "limits.open_seeks_per_address",
    "limits.open_seeks_total",
    "limits.quick_range",
    "limits.quick_range_most",
    "limits.quick_range_step",
    "log.filter",
];

/// The changes of a reload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The settings that change now, dotted.
    pub applied: Vec<String>,
    /// The settings that wait for a restart.
    pub waiting: Vec<String>,
}

/// Returns every setting, dotted, and whether a reload applies it.
#[must_use]
pub fn all_keys() -> Vec<(String, bool)> {
    let defaults = table(&Config::default());
    let all = keys(&defaults).into_iter();
    all.filter(|key| find(&defaults, key).is_some_and(|value| !value.is_table()))
        .map(|key| {
            let is_reloadable = RELOADABLE.contains(&key.as_str());
            (key, is_reloadable)
        })
        .collect()
}

/// Returns how `fresh` differs from `loaded`, the settings as they were loaded last.
pub fn changes(loaded: &Config, fresh: &Config) -> Changes {
    let (before, after) = (table(loaded), table(fresh));
    let all = all_keys().into_iter();
    let changed = all.filter(|(key, _)| find(&before, key) != find(&after, key));
    let (applied, waiting): (Vec<_>, Vec<_>) = changed.partition(|(_, reloadable)| *reloadable);
    let names = |keys: Vec<(String, bool)>| keys.into_iter().map(|(key, _)| key).collect();
    Changes {
        applied: names(applied),
        waiting: names(waiting),
    }
}

/// Returns `running` with the values that `fresh` has for these settings.
pub fn with(running: &Config, fresh: &Config, settings: &[String]) -> Config {
    let (mut merged, fresh) = (table(running), table(fresh));
    for key in settings {
        if let Some(value) = find(&fresh, key) {
            set(&mut merged, key, value.clone());
        }
    }
    merged
        .try_into()
        .expect("every value is that of a configuration")
}

fn table(config: &Config) -> Table {
    Table::try_from(config).expect("a configuration is plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_that_can_be_reloaded_exists() {
        let all = all_keys();
        for key in RELOADABLE {
            assert!(all.contains(&((*key).to_owned(), true)), "{key}");
        }
        assert!(all.contains(&("listen".to_owned(), false)));
    }

    #[test]
    fn a_reload_applies_some_settings_and_names_the_others() {
        let (running, mut fresh) = (Config::default(), Config::default());
        fresh.limits.games_per_identity = 3;
        fresh.limits.connections = 7;
        let changes = changes(&running, &fresh);
        assert_eq!(changes.applied, ["limits.games_per_identity"]);
        assert_eq!(changes.waiting, ["limits.connections"]);
        let merged = with(&running, &fresh, &changes.applied);
        assert_eq!(merged.limits.games_per_identity, 3);
        assert_eq!(merged.limits.connections, running.limits.connections);
    }
}
