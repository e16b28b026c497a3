//! The embedding site, which vouches for its users.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The site whose tokens the server accepts besides its own, and the file with its key. Without any of these fields there is no site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteConfig {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// The `aud` of its tokens.
    pub audience: String,
    /// File with the secret of tokens signed by HS256.
    pub secret_file: PathBuf,
    /// File with the public key (PEM) of tokens signed by `EdDSA`.
    pub public_key_file: PathBuf,
    /// File with a JSON Web Key Set.
    pub jwks_file: PathBuf,
}

impl SiteConfig {
    /// Returns the given files, each with its setting.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("site.secret_file", &self.secret_file),
            ("site.public_key_file", &self.public_key_file),
            ("site.jwks_file", &self.jwks_file),
        ];
        let files = files.into_iter().map(|(key, path)| (key, path.as_path()));
        files.filter(|(_, path)| !path.as_os_str().is_empty())
    }
}
