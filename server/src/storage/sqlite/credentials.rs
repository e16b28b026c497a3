//! The keys that sign tokens and what has been revoked: read by the server, changed by the operator's commands.
//!
//! The commands write beside a running server. Every change of theirs counts one up, which is how it sees that there is
//! something to read.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::data_dir::DATABASE;
use super::{OpenError, connect, reader, schema};
use crate::config::StorageConfig;
use crate::ids::Ids;
use crate::storage::{IdentityRow, StoreError};

/// Characters of a key's name: 40 bits.
const KID_CHARS: usize = 8;

/// A key that signs tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenKey {
    /// Its name, part of every token it signs.
    pub kid: String,
    /// The key itself.
    pub secret: [u8; 32],
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey")
            .field("kid", &self.kid)
            .finish_non_exhaustive()
    }
}

/// What tokens are judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Number of changes so far.
    pub version: u64,
    /// The keys, the newest first: it signs, all of them verify. Never empty.
    pub keys: Vec<TokenKey>,
    /// Identities that are refused.
    pub revoked_identities: BTreeSet<String>,
    /// Families of tokens that are refused.
    pub revoked_families: BTreeSet<String>,
}

/// Why keys or revocations were not changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// There is no database.
    #[error("there is no database {}; name the server's data directory with --data-dir", .0.display())]
    Nowhere(PathBuf),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] Box<OpenError>),
    /// The database cannot be read or written.
    #[error("cannot use the database {}: {source}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// Another version of the program wrote the database last.
    #[error(
        "the database has schema {found}, this program writes {known}: start the server of this version once, then try again"
    )]
    Schema {
        /// Version of the database's schema.
        found: usize,
        /// The version this program writes.
        known: usize,
    },
    /// What is stored cannot be understood.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such key.
    #[error("there is no key {0}; tilewire-server keys list shows them")]
    UnknownKey(String),
    /// The key signs.
    #[error("the key {0} signs new tokens; make another one first: tilewire-server keys rotate")]
    Signs(String),
    /// There is no such identity.
    #[error("nobody with the identity {0} has been here")]
    UnknownIdentity(String),
    /// It was not revoked.
    #[error("the identity {0} is not revoked")]
    NotRevoked(String),
}

/// A key as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Its name.
    pub kid: String,
    /// When it was made, unix ms.
    pub created_at: i64,
}

/// The operator's hand on keys and revocations, beside a running server.
#[derive(Debug)]
pub struct Keyring {
    path: PathBuf,
    connection: Connection,
}

impl Keyring {
    /// Opens the keys of a data directory that a server has used.
    ///
    /// # Errors
    /// When there is no database of this version.
    pub fn open(dir: &Path, config: &StorageConfig) -> Result<Self, KeyringError> {
        let path = dir.join(DATABASE);
        // Never made here: whoever mistypes the directory is told.
        if !path.is_file() {
            return Err(KeyringError::Nowhere(path));
        }
        let open = || -> Result<(Connection, usize), OpenError> {
            let connection = connect(&path, config)?;
            // What is removed is overwritten.
            connection.pragma_update(None, "secure_delete", true)?;
            let found = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok((connection, found))
        };
        let (connection, found) = open().map_err(Box::new)?;
        if found != schema::CURRENT {
            let known = schema::CURRENT;
            return Err(KeyringError::Schema { found, known });
        }
        Ok(Self { path, connection })
    }

    /// Returns the keys, the newest first: it signs.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn keys(&self) -> Result<Vec<KeyEntry>, KeyringError> {
        let read = || -> rusqlite::Result<_> {
            self.connection
                .prepare(
                    "SELECT kid, created_at FROM token_keys ORDER BY created_at DESC, kid DESC",
                )?
                .query_map([], |row| {
                    Ok(KeyEntry {
                        kid: row.get(0)?,
                        created_at: row.get(1)?,
                    })
                })?
                .collect()
        };
        read().map_err(|source| self.failed(source))
    }

    /// Returns everything tokens are judged by.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn credentials(&self) -> Result<Credentials, KeyringError> {
        Ok(credentials(&self.connection)?)
    }

    /// Makes a new key at `now` (unix ms), which signs from now on; returns its name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn rotate(&mut self, now: i64) -> Result<String, KeyringError> {
        let ids = Ids::system();
        let (kid, secret) = (ids.base32(KID_CHARS), ids.secret());
        self.change(|db| {
            db.execute(
                "INSERT INTO token_keys (kid, secret, created_at)
                 VALUES (?1, ?2, max(?3, (SELECT max(created_at) + 1 FROM token_keys)))",
                (&kid, secret, now),
            )
        })?;
        Ok(kid)
    }

    /// Removes a key: what it has signed is refused from now on.
    ///
    /// # Errors
    /// When there is no such key, or it is the one that signs.
    pub fn retire(&mut self, kid: &str) -> Result<(), KeyringError> {
        let keys = self.keys()?;
        match keys.iter().position(|key| key.kid == kid) {
            None => return Err(KeyringError::UnknownKey(kid.to_owned())),
            Some(0) => return Err(KeyringError::Signs(kid.to_owned())),
            Some(_) => {}
        }
        self.change(|db| db.execute("DELETE FROM token_keys WHERE kid = ?1", [kid]))?;
        Ok(())
    }

    /// Returns what is known of an identity.
    ///
    /// # Errors
    /// When nothing is.
    pub fn identity(&self, identity: &str) -> Result<IdentityRow, KeyringError> {
        reader::identity(&self.connection, identity)?
            .ok_or_else(|| KeyringError::UnknownIdentity(identity.to_owned()))
    }

    /// Refuses an identity from now on, with whatever token.
    ///
    /// # Errors
    /// When nobody of this identity has been here.
    pub fn revoke_identity(&mut self, identity: &str, now: i64) -> Result<(), KeyringError> {
        self.identity(identity)?;
        self.change(|db| {
            db.execute(
                "INSERT OR IGNORE INTO revoked_identities (identity, at) VALUES (?1, ?2)",
                (identity, now),
            )
        })?;
        Ok(())
    }

    /// Takes an identity again that was refused.
    ///
    /// # Errors
    /// When it was not.
    pub fn restore_identity(&mut self, identity: &str) -> Result<(), KeyringError> {
        let removed = self.change(|db| {
            db.execute(
                "DELETE FROM revoked_identities WHERE identity = ?1",
                [identity],
            )
        })?;
        if removed == 0 {
            return Err(KeyringError::NotRevoked(identity.to_owned()));
        }
        Ok(())
    }

    /// Refuses a token from now on, with every other that came of it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn revoke_family(
        &mut self,
        family: &str,
        identity: &str,
        now: i64,
    ) -> Result<(), KeyringError> {
        self.change(|db| {
            db.execute(
                "INSERT OR IGNORE INTO revoked_tokens (family, identity, at) VALUES (?1, ?2, ?3)",
                (family, identity, now),
            )
        })?;
        Ok(())
    }

    fn change(
        &mut self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<usize>,
    ) -> Result<usize, KeyringError> {
        let all = || -> rusqlite::Result<usize> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let rows = change(&transaction)?;
            transaction.execute("UPDATE credential_changes SET count = count + 1", [])?;
            transaction.commit()?;
            Ok(rows)
        };
        all().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> KeyringError {
        KeyringError::Database {
            path: self.path.clone(),
            source,
        }
    }
}

/// Makes the first key if there is none.
pub(super) fn ensure_key(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    let ids = Ids::system();
    connection.execute(
        "INSERT INTO token_keys (kid, secret, created_at)
         SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM token_keys)",
        (ids.base32(KID_CHARS), ids.secret(), now),
    )?;
    Ok(())
}

/// Reads how often something was changed.
pub(super) fn version(db: &Connection) -> Result<u64, StoreError> {
    db.prepare_cached("SELECT count FROM credential_changes")
        .and_then(|mut query| query.query_row([], |row| row.get(0)).optional())
        .map(|count| count.unwrap_or(0))
        .map_err(reader::from_sqlite)
}

/// Reads everything tokens are judged by.
pub(super) fn credentials(db: &Connection) -> Result<Credentials, StoreError> {
    let texts = |query: &str| -> rusqlite::Result<BTreeSet<String>> {
        db.prepare_cached(query)?
            .query_map([], |row| row.get(0))?
            .collect()
    };
    let read = || -> rusqlite::Result<_> {
        let keys = db
            .prepare_cached(
                "SELECT kid, secret FROM token_keys ORDER BY created_at DESC, kid DESC",
            )?
            .query_map([], |row| {
                Ok(TokenKey {
                    kid: row.get(0)?,
                    secret: row.get(1)?,
                })
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let identities = texts("SELECT identity FROM revoked_identities")?;
        Ok((
            keys,
            identities,
            texts("SELECT family FROM revoked_tokens")?,
        ))
    };
    let version = version(db)?;
    let (keys, revoked_identities, revoked_families) = read().map_err(reader::from_sqlite)?;
    if keys.is_empty() {
        return Err(StoreError::Corrupt("there is no key for tokens".to_owned()));
    }
    Ok(Credentials {
        version,
        keys,
        revoked_identities,
        revoked_families,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{IdentityStore, Storage};

    /// The operator's commands run beside a server, which sees what they did and finds it again after a restart.
    #[tokio::test]
    async fn a_running_server_sees_what_the_operator_changes() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        assert!(matches!(
            Keyring::open(dir.path(), &config),
            Err(KeyringError::Nowhere(_))
        ));
        let storage = Storage::open(dir.path(), &config, 1_000).unwrap();
        let row = IdentityRow {
            identity: "anna".to_owned(),
            name: "Anna".to_owned(),
            created_at: 1,
        };
        storage.put(row).await.unwrap();
        let before = storage.found_credentials().clone();
        let mut keyring = Keyring::open(dir.path(), &config).unwrap();
        let old = before.keys[0].kid.clone();
        assert!(matches!(keyring.retire(&old), Err(KeyringError::Signs(_))));
        // Even at the same moment the new key is the newest.
        let new = keyring.rotate(0).unwrap();
        keyring.retire(&old).unwrap();
        assert!(matches!(
            keyring.retire(&old),
            Err(KeyringError::UnknownKey(_))
        ));
        keyring.revoke_identity("anna", 5).unwrap();
        keyring.revoke_identity("anna", 6).unwrap();
        let nobody = keyring.revoke_identity("nobody", 5);
        assert!(matches!(nobody, Err(KeyringError::UnknownIdentity(_))));
        keyring.revoke_family("f", "anna", 5).unwrap();
        assert_ne!(storage.credential_changes().await.unwrap(), before.version);
        let after = storage.credentials().await.unwrap();
        assert_eq!(after.keys.len(), 1);
        assert_eq!(after.keys[0].kid, new);
        assert!(after.revoked_identities.contains("anna"));
        assert!(after.revoked_families.contains("f"));
        keyring.restore_identity("anna").unwrap();
        assert!(matches!(
            keyring.restore_identity("anna"),
            Err(KeyringError::NotRevoked(_))
        ));
        drop(keyring);
        storage.close().await;
        drop(storage);
        let again = Storage::open(dir.path(), &config, 2_000).unwrap();
        let found = again.found_credentials();
        assert_eq!(found.keys, after.keys);
        assert!(found.revoked_identities.is_empty());
        assert!(found.revoked_families.contains("f"));
    }
}
