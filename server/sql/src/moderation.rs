//! Reports, restrictions and the audit in pages.

use tilewire_people::audit::{Action, Entry};
use tilewire_people::moderation::{Deed, Kind, REPORTS_MOST, REPORTS_PERIOD, Report, Restraint};
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::Timestamp;

use super::accounts::{self, append_audit, entry};
use super::changes::Done;
use super::{
    Connection, Error, OptionalExtension, Result, Row, chat, conduct, credentials, unreadable,
    webhooks,
};
use tilewire_store::{
    AccountNewsKind, InForce, ModerationChange, ReportPosition, StoreError, StoredLine,
    StoredNotice, StoredReport, StoredRestriction,
};

const OPEN: &str = "SELECT number, closed, report FROM reports
    WHERE closed IS NULL AND number < ?1 ORDER BY number DESC LIMIT ?2";
const CLOSED: &str = "SELECT number, closed, report FROM reports
    WHERE closed IS NOT NULL AND number < ?1 ORDER BY number DESC LIMIT ?2";
const ENTRIES: &str = "SELECT entry FROM audit WHERE number < ?1 ORDER BY number DESC LIMIT ?2";
const ENTRIES_OF: &str = "SELECT entry FROM audit WHERE number < ?1 AND target = ?3
    ORDER BY number DESC LIMIT ?2";

/// Reads a page of reports.
pub(super) fn reports(
    db: &Connection,
    behind: ReportPosition,
    most: usize,
) -> Result<Vec<StoredReport>, StoreError> {
    let read = |query: &str, place: ReportPosition, most: usize| -> Result<Vec<StoredReport>> {
        db.prepare_cached(query)?
            .query_map((place.number, most), stored_report)?
            .collect()
    };
    let page = || -> Result<Vec<StoredReport>> {
        let mut page = match behind.is_closed {
            true => Vec::new(),
            false => read(OPEN, behind, most)?,
        };
        let rest = most.saturating_sub(page.len());
        page.extend(read(CLOSED, behind.of_closed(), rest)?);
        Ok(page)
    };
    page().map_err(StoreError::from)
}

/// Reads a report.
pub(super) fn report(db: &Connection, number: u64) -> Result<Option<StoredReport>, StoreError> {
    let read = || -> Result<Option<StoredReport>> {
        db.prepare_cached("SELECT number, closed, report FROM reports WHERE number = ?1")?
            .query_row([number], stored_report)
            .optional()
    };
    read().map_err(StoreError::from)
}

/// Reads a line of a room and those around it.
pub(super) fn lines_around(
    db: &Connection,
    room: &str,
    line: u64,
    each: u64,
) -> Result<Vec<StoredLine>, StoreError> {
    chat::between(
        db,
        room,
        line.saturating_sub(each),
        line.saturating_add(each).min(i64::MAX.cast_unsigned()),
    )
    .map_err(StoreError::from)
}

/// Reads what is in force, and the messages that wait.
pub(super) fn in_force(db: &Connection) -> Result<InForce, StoreError> {
    let read = || -> Result<InForce> {
        let restrictions = db
            .prepare_cached(
                "SELECT identity, kind, entry, reason, until FROM restrictions ORDER BY identity, kind",
            )?
            .query_map((), restriction)?
            .collect::<Result<_>>()?;
        let notices = db
            .prepare_cached(
                "SELECT entry, identity, kind, reason, until FROM moderation_notices ORDER BY entry",
            )?
            .query_map((), notice)?
            .collect::<Result<_>>()?;
        Ok(InForce {
            restrictions,
            notices,
        })
    };
    read().map_err(StoreError::from)
}

/// Reads entries of the audit before a number.
pub(super) fn entries(
    db: &Connection,
    target: Option<&str>,
    before: Option<u64>,
    most: usize,
) -> Result<Vec<Entry>, StoreError> {
    let before = before.unwrap_or(u64::MAX).min(i64::MAX.cast_unsigned());
    let read = || -> Result<Vec<Entry>> {
        match target {
            None => db
                .prepare_cached(ENTRIES)?
                .query_map((before, most), entry)?
                .collect(),
            Some(target) => db
                .prepare_cached(ENTRIES_OF)?
                .query_map((before, most, target), entry)?
                .collect(),
        }
    };
    read().map_err(StoreError::from)
}

/// Reads an entry of the audit.
pub(super) fn one_entry(db: &Connection, number: u64) -> Result<Option<Entry>, StoreError> {
    let read = || -> Result<Option<Entry>> {
        db.prepare_cached("SELECT entry FROM audit WHERE number = ?1")?
            .query_row([number], entry)
            .optional()
    };
    read().map_err(StoreError::from)
}

/// Stores a report, unless its reporter has sent too many.
pub(super) fn file(db: &Connection, report: &Report) -> Result<Done> {
    let since = report.at - REPORTS_PERIOD;
    // The one that the next report has to wait for.
    let first: Option<i64> = db
        .prepare_cached(
            "SELECT at FROM reports WHERE reporter = ?1 AND at > ?2 ORDER BY at DESC LIMIT 1 OFFSET ?3",
        )?
        .query_row((&report.reporter, since.0, REPORTS_MOST - 1), |row| row.get(0))
        .optional()?;
    if let Some(first) = first {
        return Ok(Done::TooManyReports(Timestamp(first) + REPORTS_PERIOD));
    }
    let text = serde_json::to_string(report).expect("a report is plain data");
    let number = db
        .prepare_cached(
            "INSERT INTO reports (at, reporter, target, report) VALUES (?1, ?2, ?3, ?4)
             RETURNING number",
        )?
        .query_row(
            (report.at.0, &report.reporter, &report.target, text),
            |row| row.get(0),
        )?;
    Ok(Done::Numbered(number))
}

/// Removes reports that were closed before a moment, with their lines; returns their number. The newest report stays: no
/// other one may get its number.
pub(super) fn remove_settled(db: &Connection, before: Timestamp, most: usize) -> Result<usize> {
    db.prepare_cached(
        "DELETE FROM reports WHERE number IN (SELECT number FROM reports WHERE closed_at < ?1
         AND number < (SELECT max(number) FROM reports) ORDER BY closed_at LIMIT ?2)",
    )?
    .execute((before.0, most))
}

/// Stores that players were told.
pub(super) fn mark_told(db: &Connection, entries: &[u64]) -> Result<Done> {
    let mut delete = db.prepare_cached("DELETE FROM moderation_notices WHERE entry = ?1")?;
    for entry in entries {
        delete.execute([entry])?;
    }
    Ok(Done::Stored)
}

/// Stores an act of a moderator.
pub(super) fn moderate(db: &Connection, change: &ModerationChange) -> Result<Done> {
    let ModerationChange {
        at, action, deed, ..
    } = change;
    // Every refusal comes before the first write: the transaction belongs to other changes too.
    if !has_effect(db, change)? {
        return Ok(Done::Unchanged);
    }
    if let Some(account) = &change.account {
        match accounts::apply(db, account)? {
            Done::Stored => {}
            refused => return Ok(refused),
        }
    }
    let number = enter(db, *at, action, deed)?;
    if let Some(report) = change.closes {
        db.prepare_cached(
            "UPDATE reports SET closed = ?2, closed_at = ?3 WHERE number = ?1 AND closed IS NULL",
        )?
        .execute((report, number, at.0))?;
    }
    // A running server looks at this count.
    credentials::count_change(db)?;
    Ok(Done::Numbered(number))
}

/// Stores the entry of an act, its effect and the message about it; returns the number of the entry.
pub(super) fn enter(db: &Connection, at: Timestamp, action: &Action, deed: &Deed) -> Result<u64> {
    let number = append_audit(db, at, action)?;
    db.prepare_cached("DELETE FROM restrictions WHERE until <= ?1")?
        .execute([at.0])?;
    carry_out(db, deed, action, (number, at))?;
    if let Some(kind) = deed.kind() {
        db.prepare_cached(
            "INSERT INTO moderation_notices (entry, identity, kind, reason, until)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute((
            number,
            &action.target,
            kind.name(),
            &action.reason,
            action.until.map(|until| until.0),
        ))?;
    }
    Ok(number)
}

/// Says whether an act would change anything.
fn has_effect(db: &Connection, change: &ModerationChange) -> Result<bool> {
    match &change.deed {
        Deed::Restrain(_) | Deed::Rename | Deed::Operation(_) => Ok(true),
        Deed::HideLines { room, lines } => {
            for line in lines {
                if chat::is_shown(db, room, *line, &change.action.target)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Deed::Close => db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM reports WHERE number = ?1 AND closed IS NULL)",
            )?
            .query_row([change.closes], |row| row.get(0)),
        Deed::Undo(entry) => db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM restrictions WHERE identity = ?2 AND entry = ?1)
                 OR EXISTS (SELECT 1 FROM chat_lines WHERE hidden = ?1)",
            )?
            .query_row((entry, &change.action.target), |row| row.get(0)),
        Deed::Forgive => {
            let target = &change.action.target;
            let waits = db
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM restrictions WHERE identity = ?1 AND kind = ?2)",
                )?
                .query_row((target, Restraint::Wait.name()), |row| row.get(0))?;
            Ok(waits || conduct::has_any(db, target)?)
        }
    }
}

fn carry_out(
    db: &Connection,
    deed: &Deed,
    action: &Action,
    (number, at): (u64, Timestamp),
) -> Result<()> {
    let target = &action.target;
    match deed {
        Deed::Restrain(restraint) => {
            db.prepare_cached(
                "INSERT INTO restrictions (identity, kind, entry, reason, until)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (identity, kind) DO UPDATE SET entry = excluded.entry,
                 reason = excluded.reason, until = excluded.until",
            )?
            .execute((
                target,
                restraint.name(),
                number,
                &action.reason,
                action.until.map(|until| until.0),
            ))?;
            if *restraint == Restraint::Suspend {
                let suspended = (target.as_str(), AccountNewsKind::Suspended);
                webhooks::note(db, suspended, at, None, action.until)?;
            }
        }
        Deed::HideLines { room, lines } => {
            for line in lines {
                chat::hide(db, room, *line, target, number)?;
            }
        }
        Deed::Undo(entry) => {
            if webhooks::is_suspension(db, target, Restraint::Suspend.name(), *entry)? {
                let restored = (target.as_str(), AccountNewsKind::Restored);
                webhooks::note(db, restored, at, None, None)?;
            }
            db.prepare_cached("DELETE FROM restrictions WHERE identity = ?1 AND entry = ?2")?
                .execute((target, entry))?;
            chat::show(db, *entry)?;
        }
        Deed::Forgive => {
            db.prepare_cached("DELETE FROM restrictions WHERE identity = ?1 AND kind = ?2")?
                .execute((target, Restraint::Wait.name()))?;
            conduct::forgive(db, target)?;
        }
        Deed::Rename | Deed::Close | Deed::Operation(_) => {}
    }
    Ok(())
}

fn stored_report(row: &Row<'_>) -> Result<StoredReport> {
    let report: Report = serde_json::from_str(&row.get::<_, String>(2)?).map_err(unreadable)?;
    Ok(StoredReport {
        number: row.get(0)?,
        closed: row.get(1)?,
        report,
    })
}

fn restriction(row: &Row<'_>) -> Result<StoredRestriction> {
    let name: String = row.get(1)?;
    Ok(StoredRestriction {
        identity: row.get(0)?,
        restraint: Restraint::named(&name).ok_or_else(|| unknown(&name))?,
        entry: row.get(2)?,
        reason: row.get(3)?,
        until: row.get::<_, Option<i64>>(4)?.map(Timestamp),
    })
}

fn notice(row: &Row<'_>) -> Result<StoredNotice> {
    let name: String = row.get(2)?;
    Ok(StoredNotice {
        entry: row.get(0)?,
        identity: row.get(1)?,
        kind: Kind::named(&name).ok_or_else(|| unknown(&name))?,
        reason: row.get(3)?,
        until: row.get::<_, Option<i64>>(4)?.map(Timestamp),
    })
}

/// Returns the error of a name that another program wrote.
fn unknown(name: &str) -> Error {
    let why = format!("there is no act of a moderator {}", quoted(name));
    Error::Unreadable(why.into())
}
