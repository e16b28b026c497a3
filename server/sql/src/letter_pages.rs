//! Codes for addresses, the letters of games with the place in the journal, and the contract of letters.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::codes::MailCode;
use tilewire_people::letters::LetterKind;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::access::Occasion;
use super::changes::{Change, Done};
use super::journal_place::JournalPlace;
use super::{Connection, OptionalExtension, Result, SqlStorage, letters, unreadable};
use tilewire_store::{
    AppendError, Arrival, ChapterError, Cursor, Hidden, LetterPage, LetterStore, Mailbox,
    NewLetter, Outdated, Settlement, StoreError, StoredCode, StoredLetter, Turned, TurnedPage,
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

fn code(db: &Connection, ticket: &str) -> std::result::Result<Option<StoredCode>, StoreError> {
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

fn link_key(db: &Connection) -> std::result::Result<[u8; 32], StoreError> {
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
pub(super) fn turned(
    db: &Connection,
    (after, last_place): (Arrival, Arrival),
    rows: usize,
    wanted: Games,
) -> std::result::Result<TurnedPage, StoreError> {
    let read = || -> Result<TurnedPage> {
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
        let (mut games, mut until, mut seen): (Vec<Turned>, _, _) = (Vec::new(), after, 0);
        while let Some(row) = found.next()? {
            seen += 1;
            until = Arrival(row.get(0)?);
            if !row.get::<_, bool>(1)? {
                continue;
            }
            let (game, last) = (GameId(row.get(2)?), row.get(3)?);
            match games.iter_mut().find(|known| known.game == game) {
                Some(known) => known.last = last,
                None => games.push(Turned {
                    game,
                    after: row.get(4)?,
                    last,
                }),
            }
        }
        Ok(TurnedPage {
            games,
            until,
            is_end: seen < rows,
        })
    };
    read().map_err(StoreError::from)
}

/// Stores letters of games with the new place.
fn write(db: &Connection, page: &LetterPage) -> Result<Done> {
    if !JournalPlace::Letters.advance(db, page.after, page.until)? {
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

impl SqlStorage {
    async fn write_letter(&self, change: LetterChange) -> std::result::Result<Done, StoreError> {
        let done = self.access.write(Change::Letter(change)).await;
        done.map_err(AppendError::into_store_error)
    }
}

impl LetterStore for SqlStorage {
    fn letters_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'_, std::result::Result<Vec<StoredLetter>, StoreError>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                letters::due(db, now, limit)
            })
            .boxed()
    }

    fn letters_of_digest<'a>(
        &'a self,
        identity: &'a str,
        day: i64,
        limit: usize,
    ) -> BoxFuture<'a, std::result::Result<Vec<StoredLetter>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| letters::of_digest(db, &identity, day, limit))
            .boxed()
    }

    fn letters_waiting(&self) -> BoxFuture<'_, std::result::Result<u64, StoreError>> {
        self.access
            .read_on(Occasion::Glance, letters::waiting)
            .boxed()
    }

    fn begin_letter<'a>(
        &'a self,
        key: &'a str,
    ) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        let begin = self.write_letter(LetterChange::Begin(key.to_owned()));
        async { Ok(begin.await? != Done::Unchanged) }.boxed()
    }

    fn settle_letter(
        &self,
        letter: StoredLetter,
        settlement: Settlement,
    ) -> BoxFuture<'_, std::result::Result<(), StoreError>> {
        let settle = self.write_letter(LetterChange::Settle(Box::new(letter), settlement));
        async { settle.await.map(drop) }.boxed()
    }

    fn mailbox<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, std::result::Result<Option<Mailbox>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| letters::mailbox(db, &identity))
            .boxed()
    }

    fn mailbox_of<'a>(
        &'a self,
        address_key: &'a str,
    ) -> BoxFuture<'a, std::result::Result<Option<Mailbox>, StoreError>> {
        let key = address_key.to_owned();
        self.access
            .read(move |db| letters::mailbox_of(db, &key))
            .boxed()
    }

    fn put_code(
        &self,
        code: StoredCode,
        letter: Option<NewLetter>,
        now: Timestamp,
    ) -> BoxFuture<'_, std::result::Result<(), StoreError>> {
        let put = self.write_letter(LetterChange::Code(Box::new((code, letter)), now));
        async { put.await.map(drop) }.boxed()
    }

    fn code<'a>(
        &'a self,
        ticket: &'a str,
    ) -> BoxFuture<'a, std::result::Result<Option<StoredCode>, StoreError>> {
        let ticket = ticket.to_owned();
        self.access.read(move |db| code(db, &ticket)).boxed()
    }

    fn replace_code(
        &self,
        ticket: String,
        before: MailCode,
        after: MailCode,
    ) -> BoxFuture<'_, std::result::Result<bool, StoreError>> {
        let replace = self.write_letter(LetterChange::Replace {
            ticket,
            before,
            after,
        });
        async { Ok(replace.await? != Done::Stale) }.boxed()
    }

    fn is_seek_open<'a>(
        &'a self,
        seek: &'a str,
    ) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        let seek = seek.to_owned();
        let read = move |db: &Connection| {
            let read = || {
                db.prepare_cached("SELECT EXISTS (SELECT 1 FROM seeks WHERE seek = ?1)")?
                    .query_row([&seek], |row| row.get(0))
            };
            read().map_err(StoreError::from)
        };
        self.access.read(read).boxed()
    }

    fn letter_cursor(&self) -> BoxFuture<'_, std::result::Result<Cursor, StoreError>> {
        self.access
            .read_on(Occasion::Glance, |db| JournalPlace::Letters.cursor(db))
            .boxed()
    }

    fn turned(
        &self,
        after: Arrival,
        rows: usize,
    ) -> BoxFuture<'_, std::result::Result<TurnedPage, StoreError>> {
        async move {
            let last = self.final_arrival().await?;
            let read =
                move |db: &Connection| turned(db, (after, last), rows, Games::Correspondence);
            let is_nothing = |page: &TurnedPage| page.until == after;
            self.access.poll(Occasion::Follow, is_nothing, read).await
        }
        .boxed()
    }

    fn write_letters(
        &self,
        page: LetterPage,
    ) -> BoxFuture<'_, std::result::Result<(), ChapterError>> {
        let write = self.write_letter(LetterChange::Page(Box::new(page)));
        async {
            match write.await? {
                Done::Stale => Err(ChapterError::Stale),
                _ => Ok(()),
            }
        }
        .boxed()
    }

    fn letter_key(
        &self,
        fresh: [u8; 32],
    ) -> BoxFuture<'_, std::result::Result<[u8; 32], StoreError>> {
        async move {
            self.write_letter(LetterChange::Begun(fresh)).await?;
            self.access.read_on(Occasion::Start, link_key).await
        }
        .boxed()
    }
}
