//! The text of a configuration file.

use std::fs;

use tempfile::NamedTempFile;
use tilewire_config::{Config, ConfigError, ConfigErrors, Origin, Sources, load};

/// An accepted configuration can be printed and read again; a refusal names a key or a line.
pub(super) fn file(data: &[u8]) {
    match read(data) {
        Ok(config) => {
            let printed = config
                .to_toml()
                .expect("a configuration from text can be printed");
            let again = read(printed.as_bytes()).expect("printed text can be read");
            assert_eq!(again, config);
        }
        Err(ConfigErrors(errors)) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(|error| judge(error, data));
        }
    }
}

fn judge(error: &ConfigError, data: &[u8]) {
    let is_placed = |origin: &Origin| {
        matches!(
            origin,
            Origin::File {
                line: Some(1..),
                ..
            }
        )
    };
    match error {
        ConfigError::UnknownKey { origin, .. } => assert!(is_placed(origin), "{error}"),
        ConfigError::BadValue { key, reason, .. } => {
            assert!(!key.is_empty() && !reason.is_empty());
        }
        ConfigError::Syntax { origin, .. } => assert!(is_placed(origin), "{error}"),
        // The one thing that can be wrong with a file that is there.
        ConfigError::Read { .. } => assert!(std::str::from_utf8(data).is_err()),
    }
}

fn read(text: &[u8]) -> Result<Config, ConfigErrors> {
    let file = NamedTempFile::new().expect("a file can be made");
    fs::write(file.path(), text).expect("and written");
    load(&Sources {
        file: Some(file.path().to_owned()),
        ..Sources::default()
    })
}
