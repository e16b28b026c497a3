//! Codes for addresses, and the letters of games with the place in the journal.

use tilewire_people::codes::MailCode;
use tilewire_people::letters::LetterKind;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::changes::Done;
use super::journal_reader::JournalReader;
use super::{Connection, OptionalExtension, Result, letters, unreadable};
use tilewire_store::{
    Arrival, ChangedGame, ChangedGames, Hidden, LetterPage, NewLetter, Outdated, Settlement,
    StoreError, StoredCode, StoredLetter,
};

/// Codes that expired and are removed with a new one.
const REMOVED_CODES: usize = 100;

/// A change of the outbox or of a code.
#[derive(Debug)]
pub enum LetterChange {
    /// A letter is being sent.
    Begin(String),
    /// The fate of a letter.
    Settle(Box<StoredLetter>, Settlement),
    /// A code, with its letter, and the time.
    Code(Box<(StoredCode, Option<NewLetter>)>, Timestamp),
    /// A code after an attempt.
    Replace {
        /// The digest of its ticket.
        ticket: String,
        /// The code before.
        before: MailCode,
        /// The code with the attempt.
        after: MailCode,
    },
    /// Letters of games.
    Page(Box<LetterPage>),
    /// The key of links, unless there is one, and the beginning at the end of the journal.
    Begun([u8; 32]),
}

impl LetterChange {
    pub(crate) fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Begin(key) => letters::begin(db, key),
            Self::Settle(letter, settlement) => letters::settle(db, letter, *settlement),
            Self::Code(code, now) => put_code(db, &code.0, code.1.as_ref(), *now),
            Self::Replace {
                ticket,
                before,
                after,
            } => replace_code(db, ticket, before, after),
            Self::Page(page) => write(db, page),
            Self::Begun(fresh) => begun(db, fresh),
        }
    }
}

fn text(code: &MailCode) -> String {
    serde_json::to_string(code).expect("a code is plain data")
}

fn put_code(
    db: &Connection,
    stored: &StoredCode,
    letter: Option<&NewLetter>,
    now: Timestamp,
) -> Result<Done> {
    db.prepare_cached(
        "DELETE FROM mail_codes WHERE ticket IN
         (SELECT ticket FROM mail_codes WHERE expires_at < ?1 LIMIT ?2)",
    )?
    .execute((now.0, REMOVED_CODES))?;
    db.prepare_cached(
        "INSERT INTO mail_codes (ticket, address, code, expires_at) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute((
        &stored.ticket,
        &stored.address.0,
        text(&stored.code),
        stored.expires_at.0,
    ))?;
    if let Some(letter) = letter {
        letters::put(db, letter)?;
    }
    Ok(Done::Stored)
}

fn replace_code(
    db: &Connection,
    ticket: &str,
    before: &MailCode,
    after: &MailCode,
) -> Result<Done> {
    let changed = db
        .prepare_cached("UPDATE mail_codes SET code = ?3 WHERE ticket = ?1 AND code = ?2")?
        .execute((ticket, text(before), text(after)))?;
    Ok(match changed {
        0 => Done::Stale,
        _ => Done::Stored,
    })
}

pub(super) fn code(db: &Connection, ticket: &str) -> Result<Option<StoredCode>, StoreError> {
    let read = || {
        db.prepare_cached(
            "SELECT ticket, address, code, expires_at FROM mail_codes WHERE ticket = ?1",
        )?
        .query_row([ticket], |row| {
            let code: String = row.get(2)?;
            let code = serde_json::from_str(&code).map_err(unreadable)?;
            Ok(StoredCode {
                ticket: row.get(0)?,
                address: Hidden(row.get(1)?),
                code,
                expires_at: Timestamp(row.get(3)?),
            })
        })
        .optional()
    };
    read().map_err(StoreError::from)
}

/// Stores the key of links, unless there is one. A storage without letters begins at the end of the journal.
fn begun(db: &Connection, fresh: &[u8; 32]) -> Result<Done> {
    db.prepare_cached("UPDATE letter_state SET link_key = coalesce(link_key, ?1)")?
        .execute([&fresh[..]])?;
    db.prepare_cached(
        "UPDATE letter_state SET edition = 1,
         arrival = (SELECT coalesce(max(arrival), 0) FROM records) WHERE edition = 0",
    )?
    .execute(())?;
    Ok(Done::Stored)
}

pub(super) fn link_key(db: &Connection) -> Result<[u8; 32], StoreError> {
    let read = || {
        db.prepare_cached("SELECT link_key FROM letter_state")?
            .query_row((), |row| row.get(0))
    };
    read().map_err(StoreError::from)
}

/// The games that a reader of the journal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Games {
    /// Those that may be by correspondence.
    Correspondence,
    /// All.
    All,
}

/// Reads the games with records behind a place, and up to another one.
pub(super) fn changed_games(
    db: &Connection,
    (after, last_place): (Arrival, Arrival),
    rows: usize,
    wanted: Games,
) -> Result<ChangedGames, StoreError> {
    let read = || -> Result<ChangedGames> {
        let mut query = db.prepare_cached(
            "SELECT records.arrival, ?3 = 1 OR coalesce(games.is_correspondence, 1) = 1, records.game, records.seq,
             CASE WHEN ?3 = 1 OR coalesce(games.is_correspondence, 1) = 1 THEN
              (SELECT coalesce(max(earlier.seq), 0) FROM records AS earlier
               WHERE earlier.game = records.game AND earlier.seq < records.seq)
             END
             FROM records JOIN games ON games.game = records.game
             WHERE records.arrival > ?1 AND records.arrival <= ?4 ORDER BY records.arrival LIMIT ?2",
        )?;
        let mut found = query.query((after.0, rows, wanted == Games::All, last_place.0))?;
        let (mut games, mut until, mut seen): (Vec<ChangedGame>, _, _) = (Vec::new(), after, 0);
        while let Some(row) = found.next()? {
            seen += 1;
            until = Arrival(row.get(0)?);
            if !row.get::<_, bool>(1)? {
                continue;
            }
            let (game, last) = (GameId(row.get(2)?), row.get(3)?);
            match games.iter_mut().find(|known| known.game == game) {
                Some(known) => known.last = last,
                None => games.push(ChangedGame {
                    game,
                    after: row.get(4)?,
                    last,
                }),
            }
        }
        Ok(ChangedGames {
            games,
            until,
            is_end: seen < rows,
        })
    };
    read().map_err(StoreError::from)
}

/// Stores letters of games with the new place.
fn write(db: &Connection, page: &LetterPage) -> Result<Done> {
    if !JournalReader::Letters.advance(db, page.after, page.until)? {
        return Ok(Done::Stale);
    }
    for one in &page.games {
        let outdated: &[LetterKind] = match one.outdated {
            Outdated::Nothing => &[],
            Outdated::Reminders => &[LetterKind::Reminder],
            Outdated::Asking => &[LetterKind::Turn, LetterKind::Reminder],
        };
        letters::remove_of_game(db, &one.game, outdated)?;
        for letter in &one.letters {
            letters::put(db, letter)?;
        }
    }
    Ok(Done::Stored)
}
