//! Opens the database of a data directory for the operator's commands.

use std::path::Path;

use super::open::connect;
use super::own_file;
use tilewire_config::StorageConfig;
use tilewire_sql::OperatorStorage;
use tilewire_sql::files::DATABASE;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::schema;

/// Opens the database of a data directory that a server has used.
///
/// # Errors
/// When there is no database of this version.
pub fn open_for_operator(dir: &Path, config: &StorageConfig) -> Result<OperatorStorage, OpenError> {
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
    let place = path.display().to_string();
    Ok(OperatorStorage::new(Box::new(connection), place))
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Timestamp;

    use super::super::open;
    use super::*;
    use tilewire_sql::operator::KeyError;
    use tilewire_store::{AccountStore, IdentityRow, Storage};

    /// A running server sees the changes of the operator's commands, and so does the next server.
    #[tokio::test]
    async fn a_running_server_sees_what_the_operator_changes() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        assert!(matches!(
            open_for_operator(dir.path(), &config),
            Err(OpenError::NoDatabase(_))
        ));
        let storage = open(dir.path(), &config, Timestamp(1_000)).unwrap();
        let row = IdentityRow {
            identity: "anna".to_owned(),
            name: "Anna".to_owned(),
            created_at: Timestamp(1),
            seen_at: Timestamp(1),
        };
        storage.put_identity(row).await.unwrap();
        let before = storage.credentials().await.unwrap();
        let mut operator = open_for_operator(dir.path(), &config).unwrap();
        let old = before.keys[0].kid.clone();
        assert!(matches!(
            operator.retire_token_key(&old),
            Err(KeyError::Signs(_))
        ));
        // Even at the same moment the new key is the newest.
        let new = operator.rotate_token_key(Timestamp(0)).unwrap();
        operator.retire_token_key(&old).unwrap();
        assert!(matches!(
            operator.retire_token_key(&old),
            Err(KeyError::UnknownKey(_))
        ));
        operator
            .revoke_identity("anna", None, Timestamp(5))
            .unwrap();
        operator
            .revoke_identity("anna", Some("insults"), Timestamp(6))
            .unwrap();
        let nobody = operator.revoke_identity("nobody", None, Timestamp(5));
        assert!(matches!(nobody, Err(KeyError::UnknownIdentity(_))));
        operator.revoke_family("f", "anna", Timestamp(5)).unwrap();
        assert_ne!(storage.credential_changes().await.unwrap(), before.version);
        let after = storage.credentials().await.unwrap();
        assert_eq!(after.keys.len(), 1);
        assert_eq!(after.keys[0].kid, new);
        let reason = after.revoked_identities.get("anna");
        assert_eq!(reason, Some(&Some("insults".to_owned())));
        assert!(after.revoked_families.contains("f"));
        operator.restore_identity("anna").unwrap();
        assert!(matches!(
            operator.restore_identity("anna"),
            Err(KeyError::NotRevoked(_))
        ));
        drop(operator);
        storage.close().await;
        drop(storage);
        let again = open(dir.path(), &config, Timestamp(2_000)).unwrap();
        let found = again.credentials().await.unwrap();
        assert_eq!(found.keys, after.keys);
        assert!(found.revoked_identities.is_empty());
        assert!(found.revoked_families.contains("f"));
    }
}
