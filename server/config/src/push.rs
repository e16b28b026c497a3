//! Pushes to browsers (Web Push), and their bounds.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use super::sections::{DAY, HOUR, MINUTE, SECOND};
use super::{Key, List, Network};

/// The contact for push services, and the bounds of pushes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushConfig {
    /// An address of the operator, for people who run push services. Empty: the server sends no pushes.
    pub contact: String,
    /// PEM file with the certificates that vouch for push services; empty: those of the system.
    pub ca_file: PathBuf,
    /// Networks that are not public and that pushes may go to all the same; with any, every port may be used.
    pub allow_private: List<Network>,
    /// Devices of a player.
    pub devices: usize,
    /// Pushes to one device in a day.
    pub per_day: u32,
    /// The time for each step of a request.
    pub step_ms: Millis,
    /// Requests at the same time.
    pub connections: usize,
    /// Requests to one push service at the same time.
    pub connections_per_service: usize,
    /// Pushes in memory.
    pub window: usize,
    /// The wait after a push service has put a push off; doubles with each further time.
    pub retry_ms: Millis,
    /// The longest such wait.
    pub retry_max_ms: Millis,
    /// The time after which a push that is put off is given up.
    pub give_up_ms: Millis,
    /// Refusals in a row that remove a device.
    pub refusals: u32,
}

impl PushConfig {
    /// The keys that are numbers.
    pub const KEYS: &'static [Key] = number_keys! {
        "devices" "Browsers of a player that get pushes." 10, 1 => 50;
        "per_day" "Pushes to one browser in a day; further ones are dropped." 100, 1 => 10_000;
        "step_ms" "Time for each step of a request to a push service." 10 * SECOND, 10 => 10 * MINUTE;
        "connections" "Requests to push services at the same time." 16, 1 => 256;
        "connections_per_service" "Requests to one push service at the same time." 4, 1 => 256;
        "window" "Pushes that the courier holds in memory." 256, 4 => 10_000;
        "retry_ms" "Wait after a push service could not take a push; doubles with each further time." MINUTE, 10 => DAY;
        "retry_max_ms" "Longest such wait, also if the push service names a longer one." HOUR, 10 => DAY;
        "give_up_ms" "Time after which a push that the push service cannot take is given up." DAY, SECOND => 30 * DAY;
        "refusals" "Pushes to a browser that its push service refuses in a row before the browser is forgotten." 3, 1 => 1_000;
    };

    /// Says whether pushes may go to any port of a server.
    #[must_use]
    pub const fn allows_any_port(&self) -> bool {
        !self.allow_private.0.is_empty()
    }

    /// Says whether the server sends pushes.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        !self.contact.is_empty()
    }
}

impl Default for PushConfig {
    fn default() -> Self {
        Self {
            contact: String::new(),
            ca_file: PathBuf::new(),
            allow_private: List::default(),
            devices: 10,
            per_day: 100,
            step_ms: Millis(10 * SECOND),
            connections: 16,
            connections_per_service: 4,
            window: 256,
            retry_ms: Millis(MINUTE),
            retry_max_ms: Millis(HOUR),
            give_up_ms: Millis(DAY),
            refusals: 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use toml::Table;

    use super::*;

    /// The table of keys and the type state each default once more.
    #[test]
    fn the_keys_have_the_defaults() {
        let defaults = Table::try_from(PushConfig::default()).unwrap();
        for key in PushConfig::KEYS {
            let found = defaults[key.name].as_integer();
            assert_eq!(found, Some(key.default), "{}", key.name);
        }
    }
}
