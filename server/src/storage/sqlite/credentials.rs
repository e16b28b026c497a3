//! Keys that sign tokens and revocations, in SQLite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use tilewire_rules::time::Timestamp;

use super::data_dir::DATABASE;
use super::reader::from_sqlite;
use super::storage::connect;
use super::{OpenError, changes, own_file, pushes, reader, schema};
use crate::config::StorageConfig;
use crate::ids::Ids;
use crate::storage::{
    ClockRecord, Credentials, IdentityRow, KeyEntry, Keyring, KeyringError, Liveness, StoreError,
    TokenKey,
};

/// Characters of a key's name: 40 bits.
const KID_CHARS: usize = 8;

/// A connection for the operator's commands, beside a running server.
#[derive(Debug)]
pub struct SqliteKeyring {
    path: PathBuf,
    pub(super) connection: Connection,
}

impl SqliteKeyring {
    /// Opens the keys of a data directory that a server has used.
    ///
    /// # Errors
    /// When there is no database of this version.
    pub fn open(dir: &Path, config: &StorageConfig) -> Result<Self, OpenError> {
        let path = dir.join(DATABASE);
        // This command never creates a database: the directory is probably mistyped.
        if !path.is_file() {
            return Err(OpenError::NoDatabase(path));
        }
        own_file::correct(&path).map_err(|source| OpenError::Directory {
            path: dir.to_owned(),
            source,
        })?;
        let connection = connect(&path, config)?;
        // SQLite overwrites deleted secrets.
        connection.pragma_update(None, "secure_delete", true)?;
        let found = schema::version(&connection, &path)?;
        let known = schema::CURRENT;
        if found != known {
            return Err(OpenError::OtherSchema { found, known });
        }
        Ok(Self { path, connection })
    }

    /// Makes one change and counts it, in one transaction. Returns the number of changed rows.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<usize>,
    ) -> Result<usize, KeyringError> {
        let all = || -> rusqlite::Result<usize> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let rows = change(&transaction)?;
            count_change(&transaction)?;
            transaction.commit()?;
            Ok(rows)
        };
        all().map_err(|error| failed(&self.path, &error))
    }
}

/// Lists the keys of a table, the newest first.
pub(super) fn listed(keyring: &SqliteKeyring, table: &str) -> Result<Vec<KeyEntry>, KeyringError> {
    let query = format!("SELECT kid, created_at FROM {table} ORDER BY created_at DESC, kid DESC");
    let read = || -> rusqlite::Result<_> {
        keyring
            .connection
            .prepare(&query)?
            .query_map([], |row| {
                Ok(KeyEntry {
                    kid: row.get(0)?,
                    created_at: Timestamp(row.get(1)?),
                })
            })?
            .collect()
    };
    read().map_err(|error| failed(&keyring.path, &error))
}

/// Checks that a key may be removed: it is there, and it is not the newest.
pub(super) fn retirable(keys: &[KeyEntry], kid: &str) -> Result<(), KeyringError> {
    match keys.iter().position(|key| key.kid == kid) {
        None => Err(KeyringError::UnknownKey(kid.to_owned())),
        Some(0) => Err(KeyringError::Signs(kid.to_owned())),
        Some(_) => Ok(()),
    }
}

fn failed(path: &Path, error: &rusqlite::Error) -> KeyringError {
    let why = format!("cannot use the database {}: {error}", path.display());
    StoreError::Unavailable(why).into()
}

impl ClockRecord for SqliteKeyring {
    fn liveness(&self) -> Result<Liveness, StoreError> {
        reader::liveness(&self.connection)
    }

    fn jumped(&mut self, at: Timestamp) -> Result<(), StoreError> {
        changes::jump(&self.connection, at).map_err(from_sqlite)?;
        Ok(())
    }
}

impl Keyring for SqliteKeyring {
    fn keys(&self) -> Result<Vec<KeyEntry>, KeyringError> {
        listed(self, "token_keys")
    }

    fn credentials(&self) -> Result<Credentials, KeyringError> {
        Ok(credentials(&self.connection)?)
    }

    fn identity(&self, identity: &str) -> Result<IdentityRow, KeyringError> {
        reader::identity(&self.connection, identity)?
            .ok_or_else(|| KeyringError::UnknownIdentity(identity.to_owned()))
    }

    fn rotate(&mut self, now: Timestamp) -> Result<String, KeyringError> {
        let ids = Ids::system();
        let (kid, secret) = (ids.base32(KID_CHARS), ids.secret());
        self.change(|db| {
            db.execute(
                "INSERT INTO token_keys (kid, secret, created_at)
                 VALUES (?1, ?2, max(?3, (SELECT max(created_at) + 1 FROM token_keys)))",
                (&kid, secret, now.0),
            )
        })?;
        Ok(kid)
    }

    fn retire(&mut self, kid: &str) -> Result<(), KeyringError> {
        self.keys().and_then(|keys| retirable(&keys, kid))?;
        self.change(|db| db.execute("DELETE FROM token_keys WHERE kid = ?1", [kid]))?;
        Ok(())
    }

    fn revoke_identity(
        &mut self,
        identity: &str,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), KeyringError> {
        self.identity(identity)?;
        self.change(|db| {
            db.execute(
                "INSERT INTO revoked_identities (identity, reason, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (identity) DO UPDATE SET reason = excluded.reason",
                (identity, reason, now.0),
            )?;
            pushes::remove_of_identity(db, identity)?;
            Ok(1)
        })?;
        Ok(())
    }

    fn restore_identity(&mut self, identity: &str) -> Result<(), KeyringError> {
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

    fn revoke_family(
        &mut self,
        family: &str,
        identity: &str,
        now: Timestamp,
    ) -> Result<(), KeyringError> {
        self.change(|db| revoke_family(db, family, identity, now))?;
        Ok(())
    }
}

/// Stores that a family of tokens is revoked, without counting the change.
pub(super) fn revoke_family(
    db: &Connection,
    family: &str,
    identity: &str,
    at: Timestamp,
) -> rusqlite::Result<usize> {
    pushes::remove_of_family(db, family)?;
    db.prepare_cached(
        "INSERT INTO revoked_tokens (family, identity, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (family) DO NOTHING",
    )?
    .execute((family, identity, at.0))
}

/// Counts a change of keys or revocations, so that a running server reads them again.
pub(super) fn count_change(db: &Connection) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE credential_changes SET count = count + 1")?
        .execute([])?;
    Ok(())
}

/// Makes the first key if there is none.
pub(super) fn ensure_key(connection: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let ids = Ids::system();
    connection.execute(
        "INSERT INTO token_keys (kid, secret, created_at)
         SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM token_keys)",
        (ids.base32(KID_CHARS), ids.secret(), now.0),
    )?;
    Ok(())
}

/// Reads how often something was changed.
pub(super) fn version(db: &Connection) -> Result<u64, StoreError> {
    db.prepare_cached("SELECT count FROM credential_changes")
        .and_then(|mut query| query.query_row([], |row| row.get(0)).optional())
        .map(|count| count.unwrap_or(0))
        .map_err(from_sqlite)
}

/// Reads everything tokens are judged by.
pub(super) fn credentials(db: &Connection) -> Result<Credentials, StoreError> {
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
        let identities = db
            .prepare_cached("SELECT identity, reason FROM revoked_identities")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<BTreeMap<String, Option<String>>>>()?;
        let families = db
            .prepare_cached("SELECT family FROM revoked_tokens")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<BTreeSet<String>>>()?;
        Ok((keys, identities, families))
    };
    let version = version(db)?;
    let (keys, revoked_identities, revoked_families) = read().map_err(from_sqlite)?;
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
    use super::super::SqliteStorage;
    use super::*;
    use crate::storage::{CredentialStore, IdentityStore, Storage};

    /// A running server sees the changes of the operator's commands, and so does the next server.
    #[tokio::test]
    async fn a_running_server_sees_what_the_operator_changes() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        assert!(matches!(
            SqliteKeyring::open(dir.path(), &config),
            Err(OpenError::NoDatabase(_))
        ));
        let storage = SqliteStorage::open(dir.path(), &config, Timestamp(1_000)).unwrap();
        let row = IdentityRow {
            identity: "anna".to_owned(),
            name: "Anna".to_owned(),
            created_at: Timestamp(1),
            seen_at: Timestamp(1),
        };
        storage.put(row).await.unwrap();
        let before = storage.credentials().await.unwrap();
        let mut keyring = SqliteKeyring::open(dir.path(), &config).unwrap();
        let old = before.keys[0].kid.clone();
        assert!(matches!(keyring.retire(&old), Err(KeyringError::Signs(_))));
        // Even at the same moment the new key is the newest.
        let new = keyring.rotate(Timestamp(0)).unwrap();
        keyring.retire(&old).unwrap();
        assert!(matches!(
            keyring.retire(&old),
            Err(KeyringError::UnknownKey(_))
        ));
        keyring.revoke_identity("anna", None, Timestamp(5)).unwrap();
        keyring
            .revoke_identity("anna", Some("insults"), Timestamp(6))
            .unwrap();
        let nobody = keyring.revoke_identity("nobody", None, Timestamp(5));
        assert!(matches!(nobody, Err(KeyringError::UnknownIdentity(_))));
        keyring.revoke_family("f", "anna", Timestamp(5)).unwrap();
        assert_ne!(storage.credential_changes().await.unwrap(), before.version);
        let after = storage.credentials().await.unwrap();
        assert_eq!(after.keys.len(), 1);
        assert_eq!(after.keys[0].kid, new);
        let reason = after.revoked_identities.get("anna");
        assert_eq!(reason, Some(&Some("insults".to_owned())));
        assert!(after.revoked_families.contains("f"));
        keyring.restore_identity("anna").unwrap();
        assert!(matches!(
            keyring.restore_identity("anna"),
            Err(KeyringError::NotRevoked(_))
        ));
        drop(keyring);
        storage.close().await;
        drop(storage);
        let again = SqliteStorage::open(dir.path(), &config, Timestamp(2_000)).unwrap();
        let found = again.credentials().await.unwrap();
        assert_eq!(found.keys, after.keys);
        assert!(found.revoked_identities.is_empty());
        assert!(found.revoked_families.contains("f"));
    }
}
