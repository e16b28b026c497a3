//! The erasure of a player: steps that can be repeated. What a step has done no longer has the player's identity,
//! so the next one finds what is left, also after a crash.

mod events;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tilewire_people::audit::Action;
use tilewire_people::handles::{HandleKey, RESERVED_FOR};
use tilewire_people::moderation::{Report, Restraint};
use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, Record};
use tilewire_rules::time::Timestamp;

use super::accounts::{append_audit, decoded, erased_handle};
use super::changes::Done;
use super::journal_reader::JournalReader;
use super::personal::{Removal, TABLES};
use super::{Connection, OptionalExtension, Result, Row, credentials, unreadable, webhooks};
use tilewire_store::codec::{decode, decode_result, encode, encode_result};
use tilewire_store::erasure::{GONE, REASON};
use tilewire_store::{AccountNewsKind, Erasure, ErasureChange, Progress, StoreError};

/// Lines of chat rooms that one step empties.
const LINES: usize = 500;
/// Reports that one step rewrites: each has up to 21 lines.
const REPORTS: usize = 50;
/// Games that one step rewrites.
const GAMES: usize = 20;
/// Results that one step rewrites.
const RESULTS: usize = 50;
/// The placeholder for the player where no name of its own is needed.
const NOBODY: &str = "erased";
/// The name of the action in the audit.
pub const ACTION: &str = "player_erased";
/// Hexadecimal digits of a new name: 64 bits.
const NAME_DIGITS: usize = 16;

const COLUMNS: &str = "SELECT identity, asked_at, due_at, entry IS NOT NULL FROM erasures";

/// A player whose erasure has taken effect.
struct Subject<'a> {
    identity: &'a str,
    secret: Vec<u8>,
    /// The entry of the audit.
    entry: u64,
}

/// Reads the wish of a player.
pub(super) fn of(db: &Connection, identity: &str) -> Result<Option<Erasure>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached(&format!("{COLUMNS} WHERE identity = ?1"))?
            .query_row([identity], erasure)
            .optional()
    };
    read().map_err(StoreError::from)
}

/// Reads the wishes that are due.
pub(super) fn due(
    db: &Connection,
    now: Timestamp,
    most: usize,
) -> Result<Vec<Erasure>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached(&format!(
            "{COLUMNS} WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2"
        ))?
        .query_map((now.0, most), erasure)?
        .collect()
    };
    read().map_err(StoreError::from)
}

fn erasure(row: &Row<'_>) -> Result<Erasure> {
    Ok(Erasure {
        identity: row.get(0)?,
        asked_at: Timestamp(row.get(1)?),
        due_at: Timestamp(row.get(2)?),
        has_begun: row.get(3)?,
    })
}

/// Reads the places of lines of a player.
pub(super) fn lines(
    db: &Connection,
    identity: &str,
    most: usize,
) -> Result<Vec<(String, u64)>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached("SELECT room, line FROM chat_lines WHERE identity = ?1 LIMIT ?2")?
            .query_map((identity, most), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Makes a change about an erasure.
pub(super) fn change(db: &Connection, change: &ErasureChange) -> Result<Done> {
    let progress = match change {
        ErasureChange::Ask { erasure, secret } => {
            db.prepare_cached(
                "INSERT INTO erasures (identity, asked_at, due_at, secret) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (identity) DO NOTHING",
            )?
            .execute((
                &erasure.identity,
                erasure.asked_at.0,
                erasure.due_at.0,
                secret,
            ))?;
            Progress::Waiting
        }
        ErasureChange::TakeBack(identity) => {
            let removed = db
                .prepare_cached("DELETE FROM erasures WHERE identity = ?1 AND entry IS NULL")?
                .execute([identity])?;
            match removed {
                0 => Progress::Unchanged,
                _ => Progress::Finished,
            }
        }
        ErasureChange::Begin(identity, at) => begin(db, identity, *at)?,
        ErasureChange::Step(identity, at) => match subject(db, identity)? {
            Some(subject) => subject.step(db, *at)?,
            None => Progress::Unchanged,
        },
    };
    Ok(Done::Erased(progress))
}

/// Shuts the player out: the tokens are revoked, and as a suspended player it leaves the lobby.
fn begin(db: &Connection, identity: &str, at: Timestamp) -> Result<Progress> {
    let is_due: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM erasures WHERE identity = ?1 AND due_at <= ?2 AND entry IS NULL)",
        )?
        .query_row((identity, at.0), |row| row.get(0))?;
    if !is_due {
        return Ok(Progress::Unchanged);
    }
    let action = Action {
        actor: "server".to_owned(),
        action: ACTION.to_owned(),
        target: identity.to_owned(),
        reason: REASON.to_owned(),
        until: None,
    };
    let entry = append_audit(db, at, &action)?;
    db.prepare_cached(
        "INSERT INTO restrictions (identity, kind, entry, reason, until)
         VALUES (?1, ?2, ?3, ?4, NULL) ON CONFLICT (identity, kind) DO UPDATE SET
         entry = excluded.entry, reason = excluded.reason, until = NULL",
    )?
    .execute((identity, Restraint::Suspend.name(), entry, REASON))?;
    db.prepare_cached(
        "INSERT INTO revoked_identities (identity, reason, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (identity) DO UPDATE SET reason = excluded.reason",
    )?
    .execute((identity, REASON, at.0))?;
    credentials::count_change(db)?;
    webhooks::note(db, (identity, AccountNewsKind::Erased), at, None, None)?;
    db.prepare_cached("UPDATE erasures SET entry = ?2 WHERE identity = ?1")?
        .execute((identity, entry))?;
    Ok(Progress::More)
}

fn subject<'a>(db: &Connection, identity: &'a str) -> Result<Option<Subject<'a>>> {
    db.prepare_cached(
        "SELECT secret, entry FROM erasures WHERE identity = ?1 AND entry IS NOT NULL",
    )?
    .query_row([identity], |row| {
        Ok(Subject {
            identity,
            secret: row.get(0)?,
            entry: row.get(1)?,
        })
    })
    .optional()
}

impl Subject<'_> {
    /// Removes some more. Each part waits until the one before it has nothing left to do.
    fn step(&self, db: &Connection, at: Timestamp) -> Result<Progress> {
        if self.empty_lines(db)? > 0
            || self.rewrite_reports(db, at)? > 0
            || self.rewrite_webhooks(db)? > 0
            || self.hide_handles(db, at)? > 0
            || self.remove(db)? > 0
        {
            return Ok(Progress::More);
        }
        // Until then the chronicle needs the identity.
        if self.is_needed(db)? {
            return Ok(Progress::Waiting);
        }
        if self.rename_games(db)? > 0 || self.rename_results(db)? > 0 {
            return Ok(Progress::More);
        }
        self.finish(db)?;
        Ok(Progress::Finished)
    }

    /// Returns a name that replaces the identity. No name tells another one.
    fn name_for(&self, purpose: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.secret);
        hash.update(purpose.as_bytes());
        let mut digits = HEXLOWER.encode(&hash.finalize());
        digits.truncate(NAME_DIGITS);
        format!("{GONE}{digits}")
    }

    fn name_in(&self, game: &str) -> String {
        self.name_for(&format!("game {game}"))
    }

    /// The lines keep their numbers: clients ask for lines by number.
    fn empty_lines(&self, db: &Connection) -> Result<usize> {
        db.prepare_cached(
            "UPDATE chat_lines SET identity = ?2, name = ?2, cmd_id = '', text = '',
             hidden = coalesce(hidden, ?3) WHERE (room, line) IN
             (SELECT room, line FROM chat_lines WHERE identity = ?1 LIMIT ?4)",
        )?
        .execute((self.identity, NOBODY, self.entry, LINES))
    }

    /// Takes the player out of reports, and closes the open ones about it. Their rows stay: no other report may get the number
    /// of one.
    fn rewrite_reports(&self, db: &Connection, at: Timestamp) -> Result<usize> {
        let quoted = serde_json::to_string(self.identity).expect("a text can be written as JSON");
        let found: Vec<(u64, String)> = db
            .prepare_cached(
                "SELECT number, report FROM reports WHERE instr(report, ?1) > 0 LIMIT ?2",
            )?
            .query_map((&quoted, REPORTS), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_>>()?;
        for (number, text) in &found {
            let report: Report = serde_json::from_str(text).map_err(unreadable)?;
            let is_about = report.target == self.identity;
            let report = self.without(report);
            let text = serde_json::to_string(&report).expect("a report is plain data");
            db.prepare_cached(
                "UPDATE reports SET reporter = ?2, target = ?3, report = ?4 WHERE number = ?1",
            )?
            .execute((number, &report.reporter, &report.target, text))?;
            if is_about {
                db.prepare_cached(
                    "UPDATE reports SET closed = ?2, closed_at = ?3 WHERE number = ?1 AND closed IS NULL",
                )?
                .execute((number, self.entry, at.0))?;
            }
        }
        Ok(found.len())
    }

    fn without(&self, mut report: Report) -> Report {
        let (is_by, is_about) = (
            report.reporter == self.identity,
            report.target == self.identity,
        );
        if is_by {
            NOBODY.clone_into(&mut report.reporter);
            NOBODY.clone_into(&mut report.reporter_name);
        }
        if is_about {
            NOBODY.clone_into(&mut report.target);
            NOBODY.clone_into(&mut report.target_name);
        }
        if is_by || is_about {
            // Words by the player are its own; words about it can name it.
            report.words.clear();
        }
        for line in &mut report.context {
            if line.identity == self.identity {
                NOBODY.clone_into(&mut line.identity);
                NOBODY.clone_into(&mut line.name);
                line.text.clear();
            }
        }
        report
    }

    /// Keeps the handles reserved without showing them, and ends such reservations that are over.
    fn hide_handles(&self, db: &Connection, at: Timestamp) -> Result<usize> {
        db.prepare_cached("DELETE FROM handles WHERE identity = '' AND reserved_until <= ?1")?
            .execute([at.0])?;
        let keys: Vec<HandleKey> = db
            .prepare_cached("SELECT folded, skeleton FROM handles WHERE identity = ?1")?
            .query_map([self.identity], |row| {
                let (folded, skeleton) = (row.get(0)?, row.get(1)?);
                Ok(HandleKey { folded, skeleton })
            })?
            .collect::<Result<_>>()?;
        for key in &keys {
            let erased = erased_handle(key);
            db.prepare_cached(
                "UPDATE handles SET folded = ?2, skeleton = ?3, identity = '', reserved_until = ?4 WHERE folded = ?1",
            )?
            .execute((
                &key.folded,
                erased.folded,
                erased.skeleton,
                (at + RESERVED_FOR).0,
            ))?;
        }
        Ok(keys.len())
    }

    /// Removes the rows of the player that nothing needs any more, and answers and letters to other players that name it.
    fn remove(&self, db: &Connection) -> Result<usize> {
        let mut removed = 0;
        for name in self.names(db)? {
            for naming in [
                "DELETE FROM lobby_commands WHERE instr(answer, CAST(?1 AS BLOB)) > 0",
                "DELETE FROM outbox WHERE instr(content, ?1) > 0",
                "DELETE FROM pushes WHERE instr(content, ?1) > 0",
            ] {
                removed += db.prepare_cached(naming)?.execute([&name])?;
            }
        }
        for table in TABLES {
            if let Removal::Removed(condition) = table.erasure {
                removed += self.delete(db, table.name, condition)?;
            }
        }
        Ok(removed)
    }

    fn delete(&self, db: &Connection, table: &str, condition: &str) -> Result<usize> {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE {condition}"))?
            .execute([self.identity])
    }

    /// Returns the identity and every name that the player has or had.
    fn names(&self, db: &Connection) -> Result<Vec<String>> {
        let mut names = vec![self.identity.to_owned()];
        let account: Option<Vec<u8>> = db
            .prepare_cached("SELECT account FROM accounts WHERE identity = ?1")?
            .query_row([self.identity], |row| row.get(0))
            .optional()?;
        let account = account.map(|bytes| decoded(&bytes)).transpose()?;
        if let Some(registration) = account.and_then(|account| account.registration) {
            names.push(registration.handle.to_string());
            let former = registration.former_handles.into_iter();
            names.extend(former.map(|former| former.handle.to_string()));
        }
        let shown: Option<String> = db
            .prepare_cached("SELECT name FROM identities WHERE identity = ?1")?
            .query_row([self.identity], |row| row.get(0))
            .optional()?;
        names.extend(shown);
        Ok(names)
    }

    /// Says whether a game of the player is not over, or has no result, or a seek has the player.
    fn is_needed(&self, db: &Connection) -> Result<bool> {
        db.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM seats JOIN games ON games.game = seats.game
                 WHERE seats.identity = ?1 AND (games.finished_at IS NULL
                 OR NOT EXISTS (SELECT 1 FROM results WHERE results.game = games.game)))
             OR EXISTS (SELECT 1 FROM seeks WHERE instr(content, CAST(?1 AS BLOB)) > 0)",
        )?
        .query_row([self.identity], |row| row.get(0))
    }

    /// Gives the player another name in games that are over. The bag does not depend on names.
    fn rename_games(&self, db: &Connection) -> Result<usize> {
        let games: Vec<GameId> = db
            .prepare_cached("SELECT DISTINCT game FROM seats WHERE identity = ?1 LIMIT ?2")?
            .query_map((self.identity, GAMES), |row| row.get(0).map(GameId))?
            .collect::<Result<_>>()?;
        if !games.is_empty() {
            JournalReader::Webhooks.count_edition(db)?;
        }
        for game in &games {
            let name = self.name_in(game.as_str());
            let (seq, bytes): (u64, Vec<u8>) = db
                .prepare_cached(
                    "SELECT seq, record FROM records WHERE game = ?1 ORDER BY seq LIMIT 1",
                )?
                .query_row([game.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let mut records = decode(&bytes).map_err(unreadable)?;
            self.rename_in(&mut records, &name);
            db.prepare_cached("UPDATE records SET record = ?3 WHERE game = ?1 AND seq = ?2")?
                .execute((game.as_str(), seq, encode(&records)))?;
            db.prepare_cached("UPDATE seats SET identity = ?3 WHERE game = ?1 AND identity = ?2")?
                .execute((game.as_str(), self.identity, &name))?;
        }
        Ok(games.len())
    }

    fn rename_in(&self, records: &mut [Record], name: &str) {
        let Some(Event::Created(created)) = records.first_mut().map(|record| &mut record.event)
        else {
            return;
        };
        for (player, seat) in created.players.iter_mut().zip(1..) {
            if player.identity == self.identity {
                name.clone_into(&mut player.identity);
                player.name = shown_name(seat);
            }
        }
    }

    /// Gives the player the same names in results. Ratings of opponents follow from them, so all rated games of the player
    /// keep one name for the ratings.
    fn rename_results(&self, db: &Connection) -> Result<usize> {
        let found: Vec<(u64, Vec<u8>)> = db
            .prepare_cached(
                "SELECT number, result FROM results WHERE number IN
                 (SELECT number FROM result_seats WHERE identity = ?1 LIMIT ?2)",
            )?
            .query_map((self.identity, RESULTS), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<_>>()?;
        if found.is_empty() {
            return Ok(0);
        }
        db.prepare_cached("UPDATE erasures SET is_renaming = 1 WHERE identity = ?1")?
            .execute([self.identity])?;
        let rated_as = self.name_for("ratings");
        for (number, bytes) in &found {
            let mut result = decode_result(bytes).map_err(unreadable)?;
            let name = self.name_in(&result.game);
            let is_rated = result.rated_game().is_some();
            for (seat, place) in result.seats.iter_mut().zip(1..) {
                if seat.identity == self.identity {
                    name.clone_into(&mut seat.identity);
                    seat.name = shown_name(place);
                    seat.rated_as = is_rated.then(|| rated_as.clone());
                    // Points belong to a player, and this one is gone.
                    seat.conduct = None;
                }
            }
            db.prepare_cached("UPDATE results SET result = ?2 WHERE number = ?1")?
                .execute((number, encode_result(&result)))?;
            db.prepare_cached(
                "UPDATE result_seats SET identity = ?3 WHERE number = ?1 AND identity = ?2",
            )?
            .execute((number, self.identity, &name))?;
        }
        JournalReader::Results.count_edition(db)?;
        Ok(found.len())
    }

    /// Removes the last rows, and the secret: from then on nobody can tell which games one player played.
    fn finish(&self, db: &Connection) -> Result<()> {
        db.prepare_cached("UPDATE ratings SET identity = ?2 WHERE identity = ?1")?
            .execute((self.identity, self.name_for("ratings")))?;
        for table in TABLES {
            if let Removal::Last(condition) = table.erasure {
                self.delete(db, table.name, condition)?;
            }
        }
        credentials::count_change(db)?;
        owe_rewriting(db)?;
        JournalReader::Results.count_edition(db)
    }
}

/// Notes that the files of the database have to be rewritten, if they keep what was deleted.
fn owe_rewriting(db: &Connection) -> Result<()> {
    db.prepare_cached("UPDATE erased_pages SET is_due = 1")?
        .execute(())?;
    Ok(())
}

fn shown_name(seat: usize) -> String {
    format!("erased-{seat}")
}
