//! The admin listener.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Access to the admin listener.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdminConfig {
    /// File with the token that metrics and notices require. Empty: they require none.
    pub token_file: PathBuf,
}

impl AdminConfig {
    /// Says whether metrics and notices require a token.
    #[must_use]
    pub fn has_token(&self) -> bool {
        !self.token_file.as_os_str().is_empty()
    }
}
