//! The text of a configuration file.

use std::fs;

use tempfile::NamedTempFile;
use tilewire_server::config::{Config, ConfigError, Sources, load};

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
        // An empty key is a key: `"" = 1`.
        Err(ConfigError::UnknownKey { known, .. }) => assert!(!known.is_empty()),
        Err(ConfigError::BadValue { key, reason, .. }) => {
            assert!(!key.is_empty() && !reason.is_empty());
        }
        Err(ConfigError::Syntax { reason, .. }) => {
            assert!(reason.contains("line "), "{reason}");
        }
        // The one thing that can be wrong with a file that is there.
        Err(ConfigError::Read { .. }) => assert!(std::str::from_utf8(data).is_err()),
    }
}

fn read(text: &[u8]) -> Result<Config, ConfigError> {
    let file = NamedTempFile::new().expect("a file can be made");
    fs::write(file.path(), text).expect("and written");
    load(&Sources {
        file: Some(file.path().to_owned()),
        ..Sources::default()
    })
}
