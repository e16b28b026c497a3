//! Backups that the server makes by itself.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use super::Key;

/// The longest interval: a year.
const EVERY_MAX_MS: i64 = 366 * 86_400_000;
/// How many backups are kept.
const KEEP: usize = 7;

/// When and where the server makes backups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupConfig {
    /// Where the backups are kept; the directory exists. Empty: nowhere.
    pub directory: PathBuf,
    /// Interval of the backups; 0 makes none.
    pub every_ms: Millis,
    /// How many backups are kept.
    pub keep: usize,
}

impl BackupConfig {
    /// The keys that are numbers.
    pub const KEYS: &'static [Key] = &[
        Key {
            name: "every_ms",
            meaning: "Interval of the backups that the server makes into backup.directory; 0 makes none.",
            default: 0,
            min: 0,
            max: EVERY_MAX_MS,
        },
        Key {
            name: "keep",
            meaning: "Backups that are kept; the oldest are removed after a new one is complete.",
            default: KEEP as i64,
            min: 1,
            max: 10_000,
        },
    ];

    /// Says whether the server makes backups.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.every_ms.0 > 0
    }

    /// Says whether a directory for backups is named.
    #[must_use]
    pub fn has_directory(&self) -> bool {
        !self.directory.as_os_str().is_empty()
    }
}

impl Default for BackupConfig {
    fn default() -> Self {
        Self {
            directory: PathBuf::new(),
            every_ms: Millis(0),
            keep: KEEP,
        }
    }
}
