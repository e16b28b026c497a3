//! Devices and pushes.

use tilewire_people::letters::LetterKind;
use tilewire_people::pushes::PUSHED;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::changes::Done;
use super::{Connection, OptionalExtension, Result, Row, unreadable};
use tilewire_store::{
    Attempt, Device, Hidden, NewLetter, PushSettlement, Receiver, StoreError, StoredPush,
};

/// The columns of a device.
const DEVICE: &str = "id, push_devices.identity, family, endpoint, public, auth, kid, label, created_at, used_at, sent, day";
/// The number of these columns.
const DEVICE_COLUMNS: usize = 12;

/// A change of devices or pushes.
#[derive(Debug)]
pub enum PushChange {
    /// A device with its push service, and the most devices of a player.
    Put(Box<Device>, String, usize),
    /// A device of a player goes away.
    Remove { identity: String, id: String },
    /// A push is being sent.
    Begin(String),
    /// The fate of a push.
    Settle(Box<StoredPush>, PushSettlement),
}

impl PushChange {
    pub(super) fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Put(device, service, most) => put_device(db, device, service, *most),
            Self::Remove { identity, id } => {
                let is_own: bool = db
                    .prepare_cached(
                        "SELECT EXISTS (SELECT 1 FROM push_devices WHERE id = ?1 AND identity = ?2)",
                    )?
                    .query_row((id, identity), |row| row.get(0))?;
                if !is_own {
                    return Ok(Done::Unchanged);
                }
                remove_device(db, id)?;
                Ok(Done::Stored)
            }
            Self::Begin(key) => {
                let changed = db
                    .prepare_cached("UPDATE pushes SET unknown = unknown + 1 WHERE key = ?1")?
                    .execute([key])?;
                Ok(match changed {
                    0 => Done::Unchanged,
                    _ => Done::Stored,
                })
            }
            Self::Settle(push, settlement) => settle(db, push, *settlement),
        }
    }
}

/// Stores the pushes that repeat a letter, one for each device of its reader.
pub(super) fn put(db: &Connection, letter: &NewLetter) -> Result<()> {
    let kind = letter.content.kind();
    if letter.address.is_some() || !PUSHED.contains(&kind) {
        return Ok(());
    }
    let content = serde_json::to_string(&letter.content).expect("a letter is plain data");
    db.prepare_cached(
        "INSERT INTO pushes (key, device, identity, service, game, kind, at, due_at, until, tries, unknown, content)
         SELECT ?1 || '@' || id, id, identity, service, ?3, ?4, ?5, ?6, ?7, 0, 0, ?8
         FROM push_devices WHERE identity = ?2
         ON CONFLICT (key) DO NOTHING",
    )?
    .execute((
        &letter.key,
        &letter.identity,
        letter.game.as_ref().map(GameId::as_str),
        kind.name(),
        letter.at.0,
        letter.due_at.0,
        letter.until.0,
        content,
    ))?;
    Ok(())
}

/// Removes the pushes of a game that ask for something.
pub(super) fn remove_of_game(db: &Connection, game: &GameId, kind: LetterKind) -> Result<()> {
    db.prepare_cached("DELETE FROM pushes WHERE game = ?1 AND kind = ?2")?
        .execute((game.as_str(), kind.name()))?;
    Ok(())
}

/// Removes pushes whose time is over, at most `limit`. Returns their number.
pub(super) fn remove_old(db: &Connection, now: Timestamp, limit: usize) -> Result<usize> {
    db.prepare_cached(
        "DELETE FROM pushes WHERE key IN (SELECT key FROM pushes WHERE until < ?1 LIMIT ?2)",
    )?
    .execute((now.0, limit))
}

/// Removes the devices of a player whose sessions have ended.
pub(super) fn keep_devices(db: &Connection, identity: &str) -> Result<()> {
    remove_devices(
        db,
        "identity = ?1 AND family NOT IN (SELECT family FROM sessions WHERE identity = ?1)",
        identity,
    )?;
    Ok(())
}

/// Gives the device of a session to the one that takes its place.
pub(super) fn move_devices(db: &Connection, from: &str, to: &str) -> Result<()> {
    db.prepare_cached("UPDATE push_devices SET family = ?2 WHERE family = ?1")?
        .execute((from, to))?;
    Ok(())
}

/// Removes the device of a session.
pub(super) fn remove_of_family(db: &Connection, family: &str) -> Result<()> {
    remove_devices(db, "family = ?1", family)?;
    Ok(())
}

/// Removes all devices of a player.
pub(super) fn remove_of_identity(db: &Connection, identity: &str) -> Result<()> {
    remove_devices(db, "identity = ?1", identity)?;
    Ok(())
}

/// Removes the devices that accept one key pair only; returns their number.
pub(super) fn remove_of_key(db: &Connection, kid: &str) -> Result<usize> {
    remove_devices(db, "kid = ?1", kid)
}

/// Removes the devices that fit a condition, with everything that waits for them; returns their number.
fn remove_devices(db: &Connection, condition: &str, value: &str) -> Result<usize> {
    let found: Vec<String> = db
        .prepare_cached(&format!("SELECT id FROM push_devices WHERE {condition}"))?
        .query_map([value], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for id in &found {
        remove_device(db, id)?;
    }
    Ok(found.len())
}

fn remove_device(db: &Connection, id: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM pushes WHERE device = ?1")?
        .execute([id])?;
    db.prepare_cached("DELETE FROM push_devices WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

fn put_device(db: &Connection, device: &Device, service: &str, most: usize) -> Result<Done> {
    let (identity, family) = (&device.identity, &device.family);
    let endpoint = &device.endpoint.0;
    let has_session: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM sessions WHERE family = ?1 AND identity = ?2)",
        )?
        .query_row((family, identity), |row| row.get(0))?;
    if !has_session {
        return Ok(Done::Stale);
    }
    let others: usize = db
        .prepare_cached(
            "SELECT count(*) FROM push_devices WHERE identity = ?1 AND family <> ?2 AND endpoint <> ?3",
        )?
        .query_row((identity, family, endpoint), |row| row.get(0))?;
    if others >= most {
        return Ok(Done::Unchanged);
    }
    // The same browser asks again, perhaps with a new key: what waits for it stays.
    let known: Option<String> = db
        .prepare_cached(
            "SELECT id FROM push_devices WHERE family = ?1 AND endpoint = ?2 AND identity = ?3",
        )?
        .query_row((family, endpoint, identity), |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        db.prepare_cached(
            "UPDATE push_devices SET public = ?2, auth = ?3, kid = ?4, label = ?5, refusals = 0 WHERE id = ?1",
        )?
        .execute((
            &id,
            device.receiver.public,
            device.receiver.auth,
            &device.kid,
            &device.label,
        ))?;
        return Ok(Done::Stored);
    }
    remove_devices(db, "family = ?1", family)?;
    remove_devices(db, "endpoint = ?1", endpoint)?;
    db.prepare_cached(
        "INSERT INTO push_devices
         (id, identity, family, endpoint, service, public, auth, kid, label, created_at, sent, day, refusals)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, 0)",
    )?
    .execute((
        &device.id,
        identity,
        family,
        endpoint,
        service,
        device.receiver.public,
        device.receiver.auth,
        &device.kid,
        &device.label,
        device.created_at.0,
    ))?;
    Ok(Done::Stored)
}

/// Stores the fate of a push.
fn settle(db: &Connection, push: &StoredPush, settlement: PushSettlement) -> Result<Done> {
    let (key, device) = (&push.key, &push.device.id);
    let remove = || -> Result<()> {
        db.prepare_cached("DELETE FROM pushes WHERE key = ?1")?
            .execute([key])?;
        Ok(())
    };
    match settlement {
        PushSettlement::Sent { at, day } => {
            remove()?;
            db.prepare_cached(
                "UPDATE push_devices SET refusals = 0, used_at = ?2,
                 sent = CASE WHEN day = ?3 THEN sent + 1 ELSE 1 END, day = ?3 WHERE id = ?1",
            )?
            .execute((device, at.0, day))?;
        }
        PushSettlement::Refused { most } => {
            remove()?;
            db.prepare_cached("UPDATE push_devices SET refusals = refusals + 1 WHERE id = ?1")?
                .execute([device])?;
            let is_over: bool = db
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM push_devices WHERE id = ?1 AND refusals >= ?2)",
                )?
                .query_row((device, most), |row| row.get(0))?;
            if is_over {
                remove_device(db, device)?;
            }
        }
        PushSettlement::Gone => remove_device(db, device)?,
        PushSettlement::Dropped => remove()?,
        PushSettlement::Later { due_at, attempt } => {
            let (tries, known) = match attempt {
                Attempt::NotMade => (0, 0),
                Attempt::Refused => (1, 1),
                Attempt::Unknown => (1, 0),
            };
            db.prepare_cached(
                "UPDATE pushes SET due_at = ?2, tries = tries + ?3,
                 unknown = CASE WHEN unknown > ?4 THEN unknown - ?4 ELSE 0 END WHERE key = ?1",
            )?
            .execute((key, due_at.0, tries, known))?;
        }
    }
    Ok(Done::Stored)
}

fn device(row: &Row<'_>) -> Result<Device> {
    Ok(Device {
        id: row.get(0)?,
        identity: row.get(1)?,
        family: row.get(2)?,
        endpoint: Hidden(row.get(3)?),
        receiver: Receiver {
            public: row.get(4)?,
            auth: row.get(5)?,
        },
        kid: row.get(6)?,
        label: row.get(7)?,
        created_at: Timestamp(row.get(8)?),
        used_at: row.get::<_, Option<i64>>(9)?.map(Timestamp),
        sent: row.get(10)?,
        day: row.get(11)?,
    })
}

/// Reads the devices of a player.
pub(super) fn devices(
    db: &Connection,
    identity: &str,
) -> std::result::Result<Vec<Device>, StoreError> {
    let query =
        format!("SELECT {DEVICE} FROM push_devices WHERE identity = ?1 ORDER BY created_at, id");
    let read = || -> Result<Vec<Device>> {
        db.prepare_cached(&query)?
            .query_map([identity], device)?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads pushes that are due.
pub(super) fn due(
    db: &Connection,
    now: Timestamp,
    without: &[String],
    limit: usize,
) -> std::result::Result<Vec<StoredPush>, StoreError> {
    let query = format!(
        "SELECT {DEVICE}, key, pushes.identity, game, at, due_at, until, content, pushes.service, tries, unknown
         FROM pushes JOIN push_devices ON push_devices.id = pushes.device
         WHERE due_at <= ?1 AND instr(?2, ' ' || pushes.service || ' ') = 0
         ORDER BY due_at, key LIMIT ?3"
    );
    // The name of a server has no space.
    let without = format!(" {} ", without.join(" "));
    let read = || -> Result<Vec<StoredPush>> {
        db.prepare_cached(&query)?
            .query_map((now.0, without, limit), stored)?
            .collect()
    };
    read().map_err(StoreError::from)
}

fn stored(row: &Row<'_>) -> Result<StoredPush> {
    let at = |number: usize| DEVICE_COLUMNS + number;
    let content: String = row.get(at(6))?;
    let content = serde_json::from_str(&content).map_err(unreadable)?;
    let key: String = row.get(at(0))?;
    Ok(StoredPush {
        letter: NewLetter {
            key: key.clone(),
            identity: row.get(at(1))?,
            address: None,
            game: row.get::<_, Option<String>>(at(2))?.map(GameId),
            at: Timestamp(row.get(at(3))?),
            due_at: Timestamp(row.get(at(4))?),
            until: Timestamp(row.get(at(5))?),
            content,
        },
        key,
        device: device(row)?,
        service: row.get(at(7))?,
        tries: row.get(at(8))?,
        unknown: row.get(at(9))?,
    })
}

/// Counts the pushes.
pub(super) fn waiting(db: &Connection) -> std::result::Result<u64, StoreError> {
    let read = || {
        db.prepare_cached("SELECT count(*) FROM pushes")?
            .query_row((), |row| row.get(0))
    };
    read().map_err(StoreError::from)
}
