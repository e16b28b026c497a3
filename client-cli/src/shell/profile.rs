//! Stored identities: one file for each profile, with a token for each server, readable only by its owner.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};
use serde::{Deserialize, Serialize};
use tilewire_protocol::Token;

/// The file of a profile, for one server.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    path: PathBuf,
    server: String,
    name: String,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    /// Token by server.
    #[serde(default)]
    tokens: BTreeMap<String, Token>,
    /// Tokens of guests by server, to which the profile returns when the player logs out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    guests: BTreeMap<String, Token>,
}

impl Profile {
    /// The profile `name` for `server`, in `directory` or in the data directory of the platform.
    pub(super) fn new(directory: Option<&Path>, name: &str, server: &str) -> Result<Self> {
        let directory = match directory {
            Some(directory) => directory.to_owned(),
            None => platform_directory()?,
        };
        Ok(Self {
            path: directory.join(format!("{name}.json")),
            server: server.to_owned(),
            name: name.to_owned(),
        })
    }

    /// The file with the token.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A hint about how to get another identity.
    pub(super) fn hint(&self) -> String {
        format!(
            "use another --profile, or remove {} (profile `{}`) to get a new one",
            self.path.display(),
            self.name
        )
    }

    /// The token for the server, if there is one.
    pub(super) fn token(&self) -> Result<Option<Token>> {
        Ok(self.content()?.tokens.remove(&self.server))
    }

    /// Stores the token for the server.
    pub(super) fn keep(&self, token: Token) -> Result<()> {
        let mut content = self.content()?;
        content.tokens.insert(self.server.clone(), token);
        self.write(&content)
    }

    /// Stores the token of an account for the server, and keeps the guest's for the time after it.
    pub(super) fn log_in(&self, token: Token, guest: Option<Token>) -> Result<()> {
        let mut content = self.content()?;
        content.tokens.insert(self.server.clone(), token);
        if let Some(guest) = guest {
            content.guests.insert(self.server.clone(), guest);
        }
        self.write(&content)
    }

    /// Removes the token of an account for the server. A guest that was kept comes back.
    pub(super) fn log_out(&self) -> Result<()> {
        let mut content = self.content()?;
        content.tokens.remove(&self.server);
        if let Some(guest) = content.guests.remove(&self.server) {
            content.tokens.insert(self.server.clone(), guest);
        }
        self.write(&content)
    }

    fn write(&self, content: &Content) -> Result<()> {
        let text = serde_json::to_string_pretty(content)?;
        let directory = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        // A temporary file and a rename, so that the file is always complete.
        let beside = self
            .path
            .with_extension(format!("{}.new", std::process::id()));
        write_private(&beside, text.as_bytes())
            .and_then(|()| fs::rename(&beside, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn content(&self) -> Result<Content> {
        match fs::read_to_string(&self.path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| {
                format!(
                    "{} is damaged; remove it to get a new identity",
                    self.path.display()
                )
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Content::default()),
            Err(error) => {
                Err(error).with_context(|| format!("cannot read {}", self.path.display()))
            }
        }
    }
}

fn platform_directory() -> Result<PathBuf> {
    let strategy = choose_app_strategy(AppStrategyArgs {
        top_level_domain: "org".to_owned(),
        author: "tilewire".to_owned(),
        app_name: "tilewire".to_owned(),
    })
    .context("cannot find a home directory for identities; set a directory with --data-dir")?;
    Ok(strategy.data_dir().join("profiles"))
}

fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_kept_by_server_and_private() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deeper");
        let profile = |server: &str| Profile::new(Some(&path), "anna", server).unwrap();
        assert!(profile("ws://a/ws").token().unwrap().is_none());
        profile("ws://a/ws").keep(Token("one".to_owned())).unwrap();
        profile("ws://b/ws").keep(Token("two".to_owned())).unwrap();
        assert_eq!(
            profile("ws://a/ws").token().unwrap(),
            Some(Token("one".to_owned()))
        );
        assert_eq!(
            profile("ws://b/ws").token().unwrap(),
            Some(Token("two".to_owned()))
        );
        let guest = profile("ws://a/ws").token().unwrap();
        profile("ws://a/ws")
            .log_in(Token("account".to_owned()), guest.clone())
            .unwrap();
        profile("ws://a/ws").log_out().unwrap();
        assert_eq!(profile("ws://a/ws").token().unwrap(), guest);
        profile("ws://a/ws").log_out().unwrap();
        assert!(profile("ws://a/ws").token().unwrap().is_none());
        assert!(profile("ws://b/ws").token().unwrap().is_some());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(path.join("anna.json"))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::write(path.join("anna.json"), "{").unwrap();
        let error = profile("ws://a/ws").token().unwrap_err();
        assert!(error.to_string().contains("anna.json"), "{error}");
    }
}
