//! The embedding site, which vouches for its users.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::network::{List, WebOrigin};

/// An embedding site: the server accepts its tokens besides its own. If only `page_origins` is set, or nothing, there is no site.
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
    /// Origins of pages that may contain the server's page and tell it the token of its player.
    pub page_origins: List<PageOrigin>,
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

/// The exact origin of pages that may contain the server's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOrigin(WebOrigin);

/// The text is not an exact origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no exact origin: it is written https://HOST or https://HOST:PORT, without a path or a wildcard"
)]
pub struct NoPageOrigin;

impl FromStr for PageOrigin {
    type Err = NoPageOrigin;

    fn from_str(text: &str) -> Result<Self, NoPageOrigin> {
        let origin: WebOrigin = text.parse().map_err(|_| NoPageOrigin)?;
        // The origin becomes part of a header, in which a wildcard or a separator has another meaning.
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '[' | ']' | ':');
        if origin.host().chars().all(is_plain) {
            Ok(Self(origin))
        } else {
            Err(NoPageOrigin)
        }
    }
}

impl fmt::Display for PageOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for PageOrigin {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_by_exact_origins() {
        for (text, origin) in [
            ("https://Site.example:443", "https://site.example"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            let read: PageOrigin = text.parse().unwrap();
            assert_eq!(read.to_string(), origin);
        }
        for text in [
            "*",
            "null",
            "site.example",
            "https://*.site.example",
            "https://site.example/",
            "https://site.example/play",
            "https://site.example;script-src",
            "https://site.example,https://other.example",
            "https://site_.example'",
        ] {
            assert_eq!(text.parse::<PageOrigin>(), Err(NoPageOrigin), "{text}");
        }
    }
}
