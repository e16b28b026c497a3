//! Accounts, handles, sessions and the audit.
//!
//! The row of an account has no sessions: they have rows of their own, so that a use of one writes little.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tilewire_people::accounts::{Account, Effect, Holder, Origin, Session};
use tilewire_people::audit::{Action, Entry};
use tilewire_people::handles::{Handle, HandleKey};
use tilewire_rules::time::Timestamp;

use super::changes::Done;
use super::{
    Connection, OptionalExtension, Result, Row, credentials, letters, pushes, unreadable, webhooks,
};
use tilewire_store::codec::{decode_account, encode_account};
use tilewire_store::{AccountChange, AccountNewsKind, StoreError, StoredAccount, StoredSession};

/// The start of a key that is a hash. No handle contains this character.
const ERASED: char = '#';

/// Reads an account.
pub(super) fn account(
    db: &Connection,
    identity: &str,
) -> Result<Option<StoredAccount>, StoreError> {
    let read = || -> Result<_> {
        let row: Option<(u64, Vec<u8>)> = db
            .prepare_cached("SELECT version, account FROM accounts WHERE identity = ?1")?
            .query_row([identity], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        row.map(|(version, bytes)| {
            Ok(StoredAccount {
                version,
                account: Account {
                    sessions: sessions(db, identity)?,
                    ..decoded(&bytes)?
                },
            })
        })
        .transpose()
    };
    read().map_err(StoreError::from)
}

/// Reads the account that has a handle now.
pub(super) fn account_of(
    db: &Connection,
    handle: &HandleKey,
) -> Result<Option<StoredAccount>, StoreError> {
    let identity: Option<String> = db
        .prepare_cached("SELECT identity FROM handles WHERE folded = ?1 AND reserved_until IS NULL")
        .and_then(|mut query| {
            query
                .query_row([&handle.folded], |row| row.get(0))
                .optional()
        })
        .map_err(StoreError::from)?;
    identity.map_or(Ok(None), |identity| account(db, &identity))
}

/// Greater than every character of a handle, byte by byte.
const LAST: char = char::MAX;

/// Reads accounts by the start of their handles.
pub(super) fn search(
    db: &Connection,
    start: &HandleKey,
    most: usize,
) -> Result<Vec<Account>, StoreError> {
    let read = |key: &str, by_key: &str| -> Result<Vec<Account>> {
        // As many again: those that were found by the other key are left out.
        let rows = i64::try_from(2 * most).unwrap_or(i64::MAX);
        db.prepare_cached(by_key)?
            .query_map((key, format!("{key}{LAST}"), rows), |row| {
                decoded(&row.get::<_, Vec<u8>>(0)?)
            })?
            .collect()
    };
    let begin = "SELECT account FROM handles JOIN accounts USING (identity)
        WHERE folded >= ?1 AND folded < ?2 AND reserved_until IS NULL ORDER BY folded LIMIT ?3";
    let look_alike = "SELECT account FROM handles JOIN accounts USING (identity)
        WHERE skeleton >= ?1 AND skeleton < ?2 AND reserved_until IS NULL ORDER BY skeleton LIMIT ?3";
    let mut found = read(&start.folded, begin).map_err(StoreError::from)?;
    for other in read(&start.skeleton, look_alike).map_err(StoreError::from)? {
        if found.iter().all(|known| known.identity != other.identity) {
            found.push(other);
        }
    }
    found.truncate(most);
    Ok(found)
}

/// Reads the accounts that have a role.
pub(super) fn with_roles(db: &Connection) -> Result<Vec<Account>, StoreError> {
    let read = || -> Result<Vec<Account>> {
        db.prepare_cached("SELECT account FROM accounts WHERE has_role = 1 ORDER BY identity")?
            .query_map((), |row| decoded(&row.get::<_, Vec<u8>>(0)?))?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the handle that is the name of a player who registered here; `None` for guests and for users of a site.
pub(super) fn own_handle(db: &Connection, identity: &str) -> Result<Option<Handle>> {
    let bytes: Option<Vec<u8>> = db
        .prepare_cached("SELECT account FROM accounts WHERE identity = ?1")?
        .query_row([identity], |row| row.get(0))
        .optional()?;
    let account = bytes.map(|bytes| decoded(&bytes)).transpose()?;
    let own = account.filter(|account| account.origin == Origin::Server);
    let registration = own.and_then(|account| account.registration);
    Ok(registration.map(|registration| registration.handle))
}

/// Reads who has a handle that clashes with a key.
pub(super) fn holders(db: &Connection, key: &HandleKey) -> Result<Vec<Holder>, StoreError> {
    let read = || -> Result<Vec<Holder>> {
        let erased = erased_handle(key);
        db.prepare_cached(
            "SELECT identity, reserved_until FROM handles WHERE folded IN (?1, ?3) OR skeleton IN (?2, ?4)",
        )?
        .query_map((&key.folded, &key.skeleton, &erased.folded, &erased.skeleton), |row| {
            Ok(Holder {
                identity: row.get(0)?,
                reserved_until: row.get::<_, Option<i64>>(1)?.map(Timestamp),
            })
        })?
        .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the players who have switched chat off.
pub(super) fn without_chat(db: &Connection) -> Result<Vec<String>, StoreError> {
    let read = || -> Result<Vec<String>> {
        db.prepare_cached("SELECT identity FROM accounts WHERE has_no_chat = 1 ORDER BY identity")?
            .query_map((), |row| row.get(0))?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads a session.
pub(super) fn session(db: &Connection, family: &str) -> Result<Option<StoredSession>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached("SELECT identity, used_at FROM sessions WHERE family = ?1")?
            .query_row([family], |row| {
                Ok(StoredSession {
                    identity: row.get(0)?,
                    used_at: Timestamp(row.get(1)?),
                })
            })
            .optional()
    };
    read().map_err(StoreError::from)
}

/// Stores that a session was used.
pub(super) fn session_used(db: &Connection, family: &str, at: Timestamp) -> Result<Done> {
    db.prepare_cached("UPDATE sessions SET used_at = ?2 WHERE family = ?1 AND used_at < ?2")?
        .execute((family, at.0))?;
    Ok(Done::Stored)
}

/// The columns by which entries of the audit are found differ from the entry.
#[derive(Debug, thiserror::Error)]
#[error("entry {0} of the audit is filed under another number or target")]
struct Misfiled(u64);

/// Reads the audit, oldest entry first.
///
/// # Errors
/// Also when the row of an entry has another number or target.
pub(super) fn audit(db: &Connection) -> Result<Vec<Entry>, StoreError> {
    let filed = |row: &Row<'_>| -> Result<Entry> {
        let entry = entry(row)?;
        let (number, target): (u64, String) = (row.get(1)?, row.get(2)?);
        match (number, &target) == (entry.number, &entry.action.target) {
            true => Ok(entry),
            false => Err(unreadable(Misfiled(number))),
        }
    };
    let read = || -> Result<Vec<Entry>> {
        db.prepare_cached("SELECT entry, number, target FROM audit ORDER BY number")?
            .query_map((), filed)?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Stores an account with the effects of a change.
pub(super) fn apply(db: &Connection, change: &AccountChange) -> Result<Done> {
    let identity = &change.account.identity;
    let known: Option<(u64, Option<bool>)> = db
        .prepare_cached("SELECT version, has_no_chat FROM accounts WHERE identity = ?1")?
        .query_row([identity], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (version, had_no_chat) = known.unwrap_or_default();
    // Every refusal comes before the first write: the transaction belongs to other changes too.
    if version != change.expected {
        return Ok(Done::Stale);
    }
    for key in change.claims() {
        if is_taken(db, key, identity, change.at)? {
            return Ok(Done::HandleTaken);
        }
    }
    if letters::is_taken(db, &change.account)? {
        return Ok(Done::MailTaken);
    }
    put(db, change)?;
    if had_no_chat.unwrap_or_default() != change.account.has_no_chat {
        credentials::count_change(db)?; // other servers have to read it
    }
    letters::keep_mailbox(db, &change.account)?;
    put_sessions(db, &change.account)?;
    for effect in &change.effects {
        if let Effect::MovePushes { from, to } = effect {
            pushes::move_devices(db, from, to)?;
        }
    }
    pushes::keep_devices(db, identity)?;
    for effect in &change.effects {
        carry_out(db, change, effect)?;
    }
    Ok(Done::Stored)
}

fn is_taken(db: &Connection, key: &HandleKey, identity: &str, now: Timestamp) -> Result<bool> {
    let erased = erased_handle(key);
    db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM handles WHERE (folded IN (?1, ?3) OR skeleton IN (?2, ?4))
         AND identity <> ?5 AND (reserved_until IS NULL OR reserved_until > ?6))",
    )?
    .query_row(
        (
            &key.folded,
            &key.skeleton,
            &erased.folded,
            &erased.skeleton,
            identity,
            now.0,
        ),
        |row| row.get(0),
    )
}

/// Returns the key under which the handle of an erased player stays reserved. It tells the handle only to those who guess it.
pub(super) fn erased_handle(key: &HandleKey) -> HandleKey {
    let hashed = |text: &str| format!("{ERASED}{}", HEXLOWER.encode(&Sha256::digest(text)));
    HandleKey {
        folded: hashed(&key.folded),
        skeleton: hashed(&key.skeleton),
    }
}

fn put(db: &Connection, change: &AccountChange) -> Result<()> {
    let bare = Account {
        sessions: Vec::new(),
        ..change.account.clone()
    };
    let has_role = (!bare.roles.is_empty()).then_some(true);
    let has_no_chat = bare.has_no_chat.then_some(true);
    db.prepare_cached(
        "INSERT INTO accounts (identity, version, has_role, has_no_chat, account)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (identity) DO UPDATE SET version = excluded.version, has_role = excluded.has_role,
         has_no_chat = excluded.has_no_chat, account = excluded.account",
    )?
    .execute((
        &bare.identity,
        change.expected + 1,
        has_role,
        has_no_chat,
        encode_account(&bare),
    ))?;
    Ok(())
}

fn put_sessions(db: &Connection, account: &Account) -> Result<()> {
    db.prepare_cached("DELETE FROM sessions WHERE identity = ?1")?
        .execute([&account.identity])?;
    let mut insert = db.prepare_cached(
        "INSERT INTO sessions (family, identity, label, created_at, used_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for session in &account.sessions {
        insert.execute((
            &session.family,
            &account.identity,
            &session.label,
            session.created_at.0,
            session.used_at.0,
        ))?;
    }
    Ok(())
}

fn carry_out(db: &Connection, change: &AccountChange, effect: &Effect) -> Result<()> {
    let identity = &change.account.identity;
    match effect {
        Effect::ClaimHandle(key) => claim(db, key, change),
        Effect::ReserveHandle { key, until } => {
            db.prepare_cached(
                "UPDATE handles SET reserved_until = ?3 WHERE folded = ?1 AND identity = ?2",
            )?
            .execute((&key.folded, identity, until.0))?;
            Ok(())
        }
        Effect::RevokeFamilies(families) => {
            for family in families {
                credentials::revoke_family(db, family, identity, change.at)?;
            }
            credentials::count_change(db)
        }
        Effect::Audit(action) => append_audit(db, change.at, action).map(drop),
        Effect::Notify(notice) => letters::notify(db, change, notice),
        Effect::IssueToken { .. } | Effect::MovePushes { .. } => Ok(()),
    }
}

/// Stores that an account has a handle. What clashes is the account's own, or a reservation that is over.
fn claim(db: &Connection, key: &HandleKey, change: &AccountChange) -> Result<()> {
    let account = &change.account;
    let erased = erased_handle(key);
    db.prepare_cached("DELETE FROM handles WHERE folded IN (?1, ?3) OR skeleton IN (?2, ?4)")?
        .execute((&key.folded, &key.skeleton, &erased.folded, &erased.skeleton))?;
    db.prepare_cached("INSERT INTO handles (folded, skeleton, identity) VALUES (?1, ?2, ?3)")?
        .execute((&key.folded, &key.skeleton, &account.identity))?;
    let Some(registration) = &account.registration else {
        return Ok(());
    };
    // Every change of a handle leaves a former one.
    let kind = match registration.former_handles.is_empty() {
        true => AccountNewsKind::Registered,
        false => AccountNewsKind::Renamed,
    };
    let handle = registration.handle.as_str();
    webhooks::note(db, (&account.identity, kind), change.at, Some(handle), None)?;
    if account.origin == Origin::Server {
        db.prepare_cached(
            "INSERT INTO identities (identity, name, created_at, seen_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (identity) DO UPDATE SET name = excluded.name",
        )?
        .execute((
            &account.identity,
            registration.handle.as_str(),
            account.created_at.0,
            change.at.0,
        ))?;
    }
    Ok(())
}

/// Appends an entry to the audit and returns its number.
pub(super) fn append_audit(db: &Connection, at: Timestamp, action: &Action) -> Result<u64> {
    let last = db
        .prepare_cached("SELECT entry FROM audit ORDER BY number DESC LIMIT 1")?
        .query_row((), entry)
        .optional()?;
    let next = Entry::after(last.as_ref(), at, action.clone());
    let text = serde_json::to_string(&next).expect("an entry is plain data");
    db.prepare_cached("INSERT INTO audit (number, entry, target) VALUES (?1, ?2, ?3)")?
        .execute((next.number, text, &action.target))?;
    Ok(next.number)
}

fn sessions(db: &Connection, identity: &str) -> Result<Vec<Session>> {
    db.prepare_cached(
        "SELECT family, label, created_at, used_at FROM sessions WHERE identity = ?1
         ORDER BY created_at, family",
    )?
    .query_map([identity], |row| {
        Ok(Session {
            family: row.get(0)?,
            label: row.get(1)?,
            created_at: Timestamp(row.get(2)?),
            used_at: Timestamp(row.get(3)?),
        })
    })?
    .collect()
}

pub(super) fn decoded(bytes: &[u8]) -> Result<Account> {
    decode_account(bytes).map_err(unreadable)
}

/// Returns an entry of the audit.
pub(super) fn entry(row: &Row<'_>) -> Result<Entry> {
    serde_json::from_str(&row.get::<_, String>(0)?).map_err(unreadable)
}
