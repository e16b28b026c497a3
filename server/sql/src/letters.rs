//! The outbox and the mailboxes.

use tilewire_people::accounts::{Account, Notice};
use tilewire_people::letters::{Address, LetterKind};
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};

use super::changes::Done;
use super::{Connection, OptionalExtension, Params, Result, Row, pushes, unreadable};
use tilewire_store::{
    AccountChange, Hidden, Letter, Mailbox, NewLetter, Settlement, StoreError, StoredLetter,
};

/// The time in which the courier tries to send a letter about an account.
const ACCOUNT_LETTER: Millis = Millis(24 * 3_600_000);
/// The columns of a letter.
const COLUMNS: &str = "key, identity, address, game, at, due_at, until, content, tries, unknown";

/// Stores a letter, if the player has a mailbox in use or the letter has an address of its own; and the pushes that repeat it.
pub(super) fn put(db: &Connection, letter: &NewLetter) -> Result<()> {
    let content = serde_json::to_string(&letter.content).expect("a letter is plain data");
    db.prepare_cached(
        "INSERT INTO outbox (key, identity, address, game, kind, at, due_at, until, tries, unknown, content)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, ?9
         WHERE CAST(?3 AS TEXT) IS NOT NULL
         OR EXISTS (SELECT 1 FROM mailboxes WHERE identity = ?2 AND disabled_at IS NULL)
         ON CONFLICT (key) DO NOTHING",
    )?
    .execute((
        &letter.key,
        &letter.identity,
        letter.address.as_ref().map(|address| &address.0),
        letter.game.as_ref().map(GameId::as_str),
        letter.content.kind().name(),
        letter.at.0,
        letter.due_at.0,
        letter.until.0,
        content,
    ))?;
    pushes::put(db, letter)
}

/// Reads letters that are due.
pub(super) fn due(
    db: &Connection,
    now: Timestamp,
    limit: usize,
) -> std::result::Result<Vec<StoredLetter>, StoreError> {
    let query = format!(
        "SELECT {COLUMNS} FROM outbox WHERE digest IS NULL AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2"
    );
    letters(db, &query, (now.0, limit))
}

/// Reads letters that wait for a digest.
pub(super) fn of_digest(
    db: &Connection,
    identity: &str,
    day: i64,
    limit: usize,
) -> std::result::Result<Vec<StoredLetter>, StoreError> {
    let query = format!(
        "SELECT {COLUMNS} FROM outbox WHERE identity = ?1 AND digest = ?2 ORDER BY at, key LIMIT ?3"
    );
    letters(db, &query, (identity, day, limit))
}

/// Counts the letters.
pub(super) fn waiting(db: &Connection) -> std::result::Result<u64, StoreError> {
    let read = || {
        db.prepare_cached("SELECT count(*) FROM outbox")?
            .query_row((), |row| row.get(0))
    };
    read().map_err(StoreError::from)
}

fn letters(
    db: &Connection,
    query: &str,
    values: impl Params,
) -> std::result::Result<Vec<StoredLetter>, StoreError> {
    let read = || -> Result<Vec<StoredLetter>> {
        db.prepare_cached(query)?
            .query_map(values, stored)?
            .collect()
    };
    read().map_err(StoreError::from)
}

fn stored(row: &Row<'_>) -> Result<StoredLetter> {
    let content: String = row.get(7)?;
    let content: Letter = serde_json::from_str(&content).map_err(unreadable)?;
    Ok(StoredLetter {
        letter: NewLetter {
            key: row.get(0)?,
            identity: row.get(1)?,
            address: row.get::<_, Option<String>>(2)?.map(Hidden),
            game: row.get::<_, Option<String>>(3)?.map(GameId),
            at: Timestamp(row.get(4)?),
            due_at: Timestamp(row.get(5)?),
            until: Timestamp(row.get(6)?),
            content,
        },
        tries: row.get(8)?,
        unknown: row.get(9)?,
    })
}

/// Stores that a letter is being sent.
pub(super) fn begin(db: &Connection, key: &str) -> Result<Done> {
    let changed = db
        .prepare_cached("UPDATE outbox SET unknown = unknown + 1 WHERE key = ?1")?
        .execute([key])?;
    Ok(match changed {
        0 => Done::Unchanged,
        _ => Done::Stored,
    })
}

/// Stores the fate of a letter.
pub(super) fn settle(
    db: &Connection,
    stored: &StoredLetter,
    settlement: Settlement,
) -> Result<Done> {
    let letter = &stored.letter;
    match settlement {
        Settlement::Sent { day } => {
            remove(db, letter)?;
            db.prepare_cached(
                "UPDATE mailboxes SET refusals = 0,
                 sent = CASE WHEN day = ?2 THEN sent + 1 ELSE 1 END, day = ?2 WHERE identity = ?1",
            )?
            .execute((&letter.identity, day))?;
        }
        Settlement::Refused { at, most } => {
            remove(db, letter)?;
            db.prepare_cached(
                "UPDATE mailboxes SET refusals = refusals + 1,
                 disabled_at = CASE WHEN refusals + 1 >= ?3 THEN coalesce(disabled_at, ?2) ELSE disabled_at END
                 WHERE identity = ?1 AND (CAST(?4 AS TEXT) IS NULL OR address = ?4)",
            )?
            .execute((
                &letter.identity,
                at.0,
                most,
                letter.address.as_ref().map(|address| &address.0),
            ))?;
        }
        Settlement::Dropped => remove(db, letter)?,
        Settlement::Later { due_at, is_known } => {
            db.prepare_cached(
                "UPDATE outbox SET due_at = ?2, tries = tries + 1, unknown = CASE WHEN unknown > ?3 THEN unknown - ?3 ELSE 0 END
                 WHERE key = ?1",
            )?
            .execute((&letter.key, due_at.0, i64::from(is_known)))?;
        }
        Settlement::Digest { day, due_at, until } => {
            db.prepare_cached("UPDATE outbox SET digest = ?2 WHERE key = ?1")?
                .execute((&letter.key, day))?;
            put(db, &digest(&letter.identity, day, due_at, until))?;
        }
    }
    Ok(Done::Stored)
}

/// Removes a letter; with a digest, the letters that it contains.
fn remove(db: &Connection, letter: &NewLetter) -> Result<()> {
    db.prepare_cached("DELETE FROM outbox WHERE key = ?1")?
        .execute([&letter.key])?;
    if let Letter::Digest { day } = letter.content {
        db.prepare_cached("DELETE FROM outbox WHERE identity = ?1 AND digest = ?2")?
            .execute((&letter.identity, day))?;
    }
    Ok(())
}

/// Returns the digest of a player and a day.
fn digest(identity: &str, day: i64, due_at: Timestamp, until: Timestamp) -> NewLetter {
    NewLetter {
        key: format!("digest/{identity}/{day}"),
        identity: identity.to_owned(),
        address: None,
        game: None,
        at: due_at,
        due_at,
        until,
        content: Letter::Digest { day },
    }
}

/// Reads a mailbox.
pub(super) fn mailbox(
    db: &Connection,
    identity: &str,
) -> std::result::Result<Option<Mailbox>, StoreError> {
    let query =
        "SELECT identity, address, sent, day, disabled_at FROM mailboxes WHERE identity = ?1";
    one_mailbox(db, query, identity)
}

/// Reads the mailbox with an address.
pub(super) fn mailbox_of(
    db: &Connection,
    address_key: &str,
) -> std::result::Result<Option<Mailbox>, StoreError> {
    let query =
        "SELECT identity, address, sent, day, disabled_at FROM mailboxes WHERE address_key = ?1";
    one_mailbox(db, query, address_key)
}

fn one_mailbox(
    db: &Connection,
    query: &str,
    key: &str,
) -> std::result::Result<Option<Mailbox>, StoreError> {
    let mailbox = |row: &Row<'_>| {
        Ok(Mailbox {
            identity: row.get(0)?,
            address: Hidden(row.get(1)?),
            sent: row.get(2)?,
            day: row.get(3)?,
            disabled_at: row.get::<_, Option<i64>>(4)?.map(Timestamp),
        })
    };
    let read = || {
        db.prepare_cached(query)?
            .query_row([key], mailbox)
            .optional()
    };
    read().map_err(StoreError::from)
}

/// Says whether another account has the address of this one.
pub(super) fn is_taken(db: &Connection, account: &Account) -> Result<bool> {
    let Some(key) = address_of(account).map(|(_, key)| key) else {
        return Ok(false);
    };
    db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM mailboxes WHERE address_key = ?1 AND identity <> ?2)",
    )?
    .query_row((key, &account.identity), |row| row.get(0))
}

/// Keeps the mailbox of an account. One with another address begins anew; without an address there is none, and no letter
/// that has no address of its own.
pub(super) fn keep_mailbox(db: &Connection, account: &Account) -> Result<()> {
    let known: Option<String> = db
        .prepare_cached("SELECT address FROM mailboxes WHERE identity = ?1")?
        .query_row([&account.identity], |row| row.get(0))
        .optional()?;
    let found = address_of(account);
    if known.as_deref() == found.as_ref().map(|(address, _)| address.as_str()) {
        return Ok(());
    }
    db.prepare_cached("DELETE FROM mailboxes WHERE identity = ?1")?
        .execute([&account.identity])?;
    let Some((address, key)) = found else {
        db.prepare_cached("DELETE FROM outbox WHERE identity = ?1 AND address IS NULL")?
            .execute([&account.identity])?;
        return Ok(());
    };
    db.prepare_cached(
        "INSERT INTO mailboxes (identity, address_key, address, day, sent, refusals)
         VALUES (?1, ?2, ?3, 0, 0, 0)",
    )?
    .execute((&account.identity, key, address))?;
    Ok(())
}

/// Returns the address of an account, and the form by which it is compared.
fn address_of(account: &Account) -> Option<(String, String)> {
    let mail = account.registration.as_ref()?.mail.as_ref()?;
    let address: Address = mail.parse().ok()?;
    Some((mail.clone(), address.key()))
}

/// Stores the letters about a change of an account.
pub(super) fn notify(db: &Connection, change: &AccountChange, notice: &Notice) -> Result<()> {
    let account = &change.account;
    let Some(registration) = &account.registration else {
        return Ok(());
    };
    let mut addresses: Vec<&String> = registration.mail.iter().collect();
    if let Notice::MailChanged { old: Some(old), .. } = notice {
        addresses.push(old);
    }
    for (number, address) in addresses.into_iter().enumerate() {
        let version = change.expected + 1;
        let letter = NewLetter {
            key: format!("security/{}/{version}/{number}", account.identity),
            identity: account.identity.clone(),
            address: Some(Hidden(address.clone())),
            game: None,
            at: change.at,
            due_at: change.at,
            until: change.at + ACCOUNT_LETTER,
            content: Letter::Security {
                notice: notice.clone(),
                handle: registration.handle.to_string(),
                language: account.letters.language,
            },
        };
        put(db, &letter)?;
    }
    Ok(())
}

/// Removes the letters of a game that ask for something, and their pushes.
pub(super) fn remove_of_game(db: &Connection, game: &GameId, kinds: &[LetterKind]) -> Result<()> {
    for kind in kinds {
        db.prepare_cached("DELETE FROM outbox WHERE game = ?1 AND kind = ?2")?
            .execute((game.as_str(), kind.name()))?;
        pushes::remove_of_game(db, game, *kind)?;
    }
    Ok(())
}

/// Removes letters whose time is over, at most `limit`: without a courier they stay. Returns their number.
pub(super) fn remove_old(db: &Connection, now: Timestamp, limit: usize) -> Result<usize> {
    db.prepare_cached(
        "DELETE FROM outbox WHERE key IN (SELECT key FROM outbox WHERE until < ?1 LIMIT ?2)",
    )?
    .execute((now.0, limit))
}
