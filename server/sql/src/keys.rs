//! Tables of keys: those that sign tokens, and the key pairs of pushes. The newest is in use.

use tilewire_rules::time::Timestamp;

use super::{Connection, Result};

/// Characters of a key's name: 40 bits.
pub(super) const KID_CHARS: usize = 8;
/// The keys that sign tokens.
pub(super) const TOKENS: &str = "token_keys";
/// The key pairs of pushes.
pub(super) const PUSHES: &str = "push_keys";

/// A key as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Its name.
    pub kid: String,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Lists the keys of a table, the newest first.
pub(super) fn listed(db: &Connection, table: &str) -> Result<Vec<KeyEntry>> {
    let text = format!("SELECT kid, created_at FROM {table} ORDER BY created_at DESC, kid DESC");
    db.prepare_cached(&text)?
        .query_map((), |row| {
            Ok(KeyEntry {
                kid: row.get(0)?,
                created_at: Timestamp(row.get(1)?),
            })
        })?
        .collect()
}

/// Adds a key, which is the newest even if another one was made at the same moment.
pub(super) fn add(
    db: &Connection,
    table: &str,
    (kid, secret): (&str, &[u8]),
    now: Timestamp,
) -> Result<usize> {
    let text = format!(
        "INSERT INTO {table} (kid, secret, created_at) SELECT ?1, ?2,
         coalesce(max(CASE WHEN created_at < ?3 THEN ?3 ELSE created_at + 1 END), ?3) FROM {table}"
    );
    db.prepare_cached(&text)?.execute((kid, secret, now.0))
}

/// Removes a key; returns the number of removed ones.
pub(super) fn remove(db: &Connection, table: &str, kid: &str) -> Result<usize> {
    let text = format!("DELETE FROM {table} WHERE kid = ?1");
    db.prepare_cached(&text)?.execute([kid])
}
