//! The outbox of webhooks and the notes of accounts.

use tilewire_rules::quoted::quoted;
use tilewire_rules::time::Timestamp;

use super::changes::Done;
use super::{Connection, Error, OptionalExtension, Result, Row};
use tilewire_store::webhooks::game_lane;
use tilewire_store::{
    AccountNews, AccountNewsKind, NewWebhook, StoreError, StoredWebhook, WebhookCount, WebhookFate,
    WebhookKey, WebhookPage,
};

/// Events that one step of pruning removes.
const PRUNED: usize = 1_000;

type Stored<T> = std::result::Result<T, StoreError>;

/// A change of the outbox of webhooks.
#[derive(Debug)]
pub enum WebhookChange {
    /// The server begins with these webhooks.
    Begin(Vec<String>),
    /// Events.
    Page(Box<WebhookPage>),
    /// The fate of an event.
    Settle(WebhookKey, WebhookFate),
    /// Events from before a time go away, and failed ones beyond a number.
    Prune(Timestamp, u64),
}

impl WebhookChange {
    pub(super) fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Begin(targets) => begin(db, targets),
            Self::Page(page) => write(db, page),
            Self::Settle(key, fate) => settle(db, key, *fate),
            Self::Prune(before, kept) => prune(db, *before, *kept),
        }
    }
}

/// Begins with these webhooks.
fn begin(db: &Connection, targets: &[String]) -> Result<Done> {
    let known: Vec<String> = db
        .prepare_cached("SELECT DISTINCT target FROM hook_outbox")?
        .query_map((), |row| row.get(0))?
        .collect::<Result<_>>()?;
    for gone in known.iter().filter(|name| !targets.contains(name)) {
        db.prepare_cached("DELETE FROM hook_outbox WHERE target = ?1")?
            .execute([gone])?;
    }
    if targets.is_empty() {
        db.prepare_cached("DELETE FROM hook_accounts")?
            .execute(())?;
        db.prepare_cached("UPDATE hook_state SET is_on = 0")?
            .execute(())?;
        return Ok(Done::Stored);
    }
    db.prepare_cached(
        "UPDATE hook_state SET is_on = 1, edition = edition + 1,
         arrival = (SELECT coalesce(max(arrival), 0) FROM records) WHERE is_on = 0",
    )?
    .execute(())?;
    Ok(Done::Stored)
}

/// Notes what happened to an account, if there are webhooks, in the transaction of the change.
pub(super) fn note(
    db: &Connection,
    (identity, kind): (&str, AccountNewsKind),
    at: Timestamp,
    name: Option<&str>,
    until: Option<Timestamp>,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO hook_accounts (number, at, kind, identity, name, until)
         SELECT accounts + 1, ?1, ?2, ?3, ?4, ?5 FROM hook_state WHERE is_on = 1",
    )?
    .execute((
        at.0,
        kind.name(),
        identity,
        name,
        until.map(|until| until.0),
    ))?;
    db.prepare_cached("UPDATE hook_state SET accounts = accounts + 1 WHERE is_on = 1")?
        .execute(())?;
    Ok(())
}

/// Reads notes of accounts.
pub(super) fn news(db: &Connection, limit: usize) -> Stored<Vec<AccountNews>> {
    let read = || -> Result<Vec<AccountNews>> {
        db.prepare_cached(
            "SELECT number, at, kind, identity, name, until FROM hook_accounts ORDER BY number LIMIT ?1",
        )?
        .query_map([limit], one_news)?
        .collect()
    };
    read().map_err(StoreError::from)
}

fn one_news(row: &Row<'_>) -> Result<AccountNews> {
    let name: String = row.get(2)?;
    let mut kinds = AccountNewsKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.name() == name).ok_or_else(|| {
        let why = format!("nothing of an account is named {}", quoted(name));
        Error::Unreadable(why.into())
    })?;
    Ok(AccountNews {
        number: row.get(0)?,
        at: Timestamp(row.get(1)?),
        kind,
        identity: row.get(3)?,
        name: row.get(4)?,
        until: row.get::<_, Option<i64>>(5)?.map(Timestamp),
    })
}

/// Stores events with the new place in the journal.
fn write(db: &Connection, page: &WebhookPage) -> Result<Done> {
    let changed = db
        .prepare_cached(
            "UPDATE hook_state SET arrival = ?3, edition = edition + 1
             WHERE arrival = ?1 AND edition = ?2 AND is_on = 1",
        )?
        .execute((page.after.arrival.0, page.after.edition, page.until.0))?;
    if changed == 0 {
        return Ok(Done::Stale);
    }
    db.prepare_cached("DELETE FROM hook_accounts WHERE number <= ?1")?
        .execute([page.notes])?;
    for (game, at) in &page.ended {
        // The end shows everything at once.
        db.prepare_cached(
            "UPDATE hook_outbox SET shown_at = ?2,
             due_at = CASE WHEN tries = 0 THEN ?2 ELSE due_at END WHERE lane = ?1 AND shown_at > ?2",
        )?
        .execute((game_lane(game), at.0))?;
    }
    let mut targets: Vec<&str> = Vec::new();
    for webhook in &page.webhooks {
        put(db, webhook)?;
        if !targets.contains(&webhook.key.target.as_str()) {
            targets.push(&webhook.key.target);
        }
    }
    let mut pushed_out = 0;
    for target in targets {
        pushed_out += push_out(db, target, page)?;
    }
    Ok(Done::Numbered(pushed_out))
}

fn put(db: &Connection, webhook: &NewWebhook) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO hook_outbox (target, lane, place, kind, at, shown_at, due_at, until, tries, content)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, 0, ?8)
         ON CONFLICT (target, lane, place) DO NOTHING",
    )?
    .execute((
        &webhook.key.target,
        &webhook.key.lane,
        webhook.key.place,
        webhook.kind,
        webhook.at.0,
        webhook.shown_at.0,
        webhook.until.0,
        &webhook.content,
    ))?;
    Ok(())
}

/// Lets the oldest events beyond the bound fail.
fn push_out(db: &Connection, target: &str, page: &WebhookPage) -> Result<u64> {
    let waiting: u64 = db
        .prepare_cached("SELECT count(*) FROM hook_outbox WHERE target = ?1 AND failed_at IS NULL")?
        .query_row([target], |row| row.get(0))?;
    let beyond = waiting.saturating_sub(page.queue);
    if beyond == 0 {
        return Ok(0);
    }
    let failed = db
        .prepare_cached(
            "UPDATE hook_outbox SET failed_at = ?2 WHERE target = ?1 AND failed_at IS NULL
             AND (lane, place) IN (SELECT lane, place FROM hook_outbox
             WHERE target = ?1 AND failed_at IS NULL ORDER BY at, lane, place LIMIT ?3)",
        )?
        .execute((target, page.now.0, beyond))?;
    Ok(u64::try_from(failed).unwrap_or(u64::MAX))
}

/// Reads events that are due.
pub(super) fn due(
    db: &Connection,
    target: &str,
    now: Timestamp,
    limit: usize,
) -> Stored<Vec<StoredWebhook>> {
    let read = || -> Result<Vec<StoredWebhook>> {
        db.prepare_cached(
            "SELECT target, lane, place, kind, until, tries, content FROM hook_outbox AS one
             WHERE target = ?1 AND failed_at IS NULL AND due_at <= ?2
             AND NOT EXISTS (SELECT 1 FROM hook_outbox AS earlier WHERE earlier.target = one.target
             AND earlier.lane = one.lane AND earlier.place < one.place AND earlier.failed_at IS NULL)
             ORDER BY due_at, lane, place LIMIT ?3",
        )?
        .query_map((target, now.0, limit), |row| {
            Ok(StoredWebhook {
                key: WebhookKey {
                    target: row.get(0)?,
                    lane: row.get(1)?,
                    place: row.get(2)?,
                },
                kind: row.get(3)?,
                until: Timestamp(row.get(4)?),
                tries: row.get(5)?,
                content: row.get(6)?,
            })
        })?
        .collect()
    };
    read().map_err(StoreError::from)
}

/// Stores the fate of an event. A delivered event goes away even if it was pushed out meanwhile.
fn settle(db: &Connection, key: &WebhookKey, fate: WebhookFate) -> Result<Done> {
    let place = (&key.target, &key.lane, key.place);
    match fate {
        WebhookFate::Delivered => db
            .prepare_cached(
                "DELETE FROM hook_outbox WHERE target = ?1 AND lane = ?2 AND place = ?3",
            )?
            .execute(place)?,
        WebhookFate::Later(due_at) => db
            .prepare_cached(
                "UPDATE hook_outbox SET due_at = ?4, tries = tries + 1
                 WHERE target = ?1 AND lane = ?2 AND place = ?3",
            )?
            .execute((place.0, place.1, place.2, due_at.0))?,
        WebhookFate::Failed(at) => db
            .prepare_cached(
                "UPDATE hook_outbox SET failed_at = ?4, tries = tries + 1
                 WHERE target = ?1 AND lane = ?2 AND place = ?3",
            )?
            .execute((place.0, place.1, place.2, at.0))?,
    };
    Ok(Done::Stored)
}

/// Removes events that are kept no longer.
fn prune(db: &Connection, before: Timestamp, kept: u64) -> Result<Done> {
    db.prepare_cached(
        "DELETE FROM hook_outbox WHERE (target, lane, place) IN
         (SELECT target, lane, place FROM hook_outbox WHERE at < ?1 LIMIT ?2)",
    )?
    .execute((before.0, PRUNED))?;
    db.prepare_cached(
        "DELETE FROM hook_outbox WHERE (target, lane, place) IN
         (SELECT target, lane, place FROM (SELECT target, lane, place,
          row_number() OVER (PARTITION BY target ORDER BY failed_at DESC, at DESC, lane, place) AS number
          FROM hook_outbox WHERE failed_at IS NOT NULL) AS numbered WHERE number > ?1 LIMIT ?2)",
    )?
    .execute((kept, PRUNED))?;
    Ok(Done::Stored)
}

/// Counts the events of each webhook.
pub(super) fn counts(db: &Connection, now: Timestamp) -> Stored<Vec<WebhookCount>> {
    let read = || -> Result<Vec<WebhookCount>> {
        db.prepare_cached(
            "SELECT target, count(CASE WHEN failed_at IS NULL THEN 1 END), count(failed_at),
             min(CASE WHEN failed_at IS NULL AND shown_at <= ?1 THEN shown_at END)
             FROM hook_outbox GROUP BY target ORDER BY target",
        )?
        .query_map([now.0], |row| {
            Ok(WebhookCount {
                target: row.get(0)?,
                waiting: row.get(1)?,
                failed: row.get(2)?,
                oldest: row.get::<_, Option<i64>>(3)?.map(Timestamp),
            })
        })?
        .collect()
    };
    read().map_err(StoreError::from)
}

/// Queues failed events again. An event that is still under a delay waits until the delay ends.
pub(super) fn replay(
    db: &Connection,
    target: &str,
    since: Timestamp,
    (now, until): (Timestamp, Timestamp),
) -> Result<usize> {
    db.prepare_cached(
        "UPDATE hook_outbox SET failed_at = NULL, tries = 0, until = ?4,
         due_at = CASE WHEN shown_at > ?3 THEN shown_at ELSE ?3 END
         WHERE target = ?1 AND failed_at IS NOT NULL AND at >= ?2",
    )?
    .execute((target, since.0, now.0, until.0))
}

/// Says whether a suspension of a player follows from an entry of the audit.
pub(super) fn is_suspension(
    db: &Connection,
    identity: &str,
    kind: &str,
    entry: u64,
) -> Result<bool> {
    let found = db
        .prepare_cached(
            "SELECT 1 FROM restrictions WHERE identity = ?1 AND kind = ?2 AND entry = ?3",
        )?
        .query_row((identity, kind, entry), |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}
