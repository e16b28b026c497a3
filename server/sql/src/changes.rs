//! The changes that can be written, as statements.

use std::sync::Arc;

use tilewire_people::handles::Handle;
use tilewire_people::moderation::Report;
use tilewire_people::relations::Refusal;
use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::time::Timestamp;

use super::letter_pages::LetterChange;
use super::prune::{Prune, Pruned};
use super::pushes::PushChange;
use super::results::{self, ChapterRows};
use super::webhooks::WebhookChange;
use super::{
    Connection, OptionalExtension, Result, accounts, chat, erasure, letters, moderation, new_games,
    relations, sleepers, vacations,
};
use tilewire_store::{
    AccountChange, Append, ChatChange, ErasureChange, GameMeta, Give, IdentityRow, LobbyChange,
    ModerationChange, Part, Progress, RecordBatch, RecordRow, RelationChange, Rest, Shard, Stamp,
    Term, VacationChange,
};

/// A change, encoded as far as it can be without the database.
#[derive(Debug)]
pub enum Change {
    /// A new game with the first record of its log.
    Create {
        /// The head of its log.
        meta: GameMeta,
        /// The first record.
        first: RecordRow,
        /// Whether the limit of a turn makes it a game by correspondence.
        is_correspondence: bool,
        /// The game sleeps at once: another server has its shard, and this one has the lobby.
        asleep: Option<Rest>,
        /// The proof that this server owns the part.
        owned: Owned,
    },
    /// More records of a game.
    Append {
        /// The game.
        game: GameId,
        /// The number of the last record before these.
        after: u64,
        /// The records.
        records: RecordRow,
        /// The end of the game, if it is over.
        end: Option<End>,
        /// The proof that this server owns the part.
        owned: Owned,
    },
    /// A game falls asleep.
    Rest(Rest, Owned),
    /// A change of the lobby.
    Lobby(LobbyChange),
    /// An identity or its new name.
    Identity(IdentityRow),
    /// A new state of an account.
    Account(Box<AccountChange>),
    /// The session with this family of tokens was used.
    SessionUsed(String, Timestamp),
    /// A change of one player's relation to another.
    Relation(RelationChange),
    /// Lines of chat rooms.
    Chat(ChatChange),
    /// A report of a player.
    Report(Box<Report>),
    /// An act of a moderator.
    Moderation(Box<ModerationChange>),
    /// Players were told of the acts with these numbers.
    Told(Vec<u64>),
    /// The server runs.
    Stamp(Stamp),
    /// The machine's clock jumped to this time.
    Jump(Timestamp),
    /// Results, and the ratings after them.
    Chapter(Box<ChapterRows>),
    /// Something about letters.
    Letter(LetterChange),
    /// Something about webhooks.
    Webhook(WebhookChange),
    /// Something about pushes.
    Push(PushChange),
    /// The vacations of a player.
    Vacation(Box<VacationChange>),
    /// Something about the erasure of a player.
    Erasure(ErasureChange),
    /// Removes some of what is kept no longer.
    Prune(Prune),
    /// Gives a shard or the lobby to another server.
    Give(Arc<Give>),
    /// Nothing; it is stored when nothing of an earlier group can be stored any more.
    Settle,
}

/// The part that lets the server change a game, and the term in which the server owns it; `None` in a database that only one
/// server can use.
pub(crate) type Owned = Option<(Part, Term)>;

/// The end of a game.
#[derive(Debug, Clone, Copy)]
pub struct End {
    at: Timestamp,
    /// Whether the game was aborted or cancelled.
    is_void: bool,
}

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It is stored.
    Stored,
    /// It was refused: the log ends elsewhere.
    Conflict {
        /// The number of its last record.
        head: u64,
    },
    /// It was refused: the account, or the chronicle, has changed meanwhile.
    Stale,
    /// It was refused: another account has the handle.
    HandleTaken,
    /// It was refused: another account has the mail address.
    MailTaken,
    /// It was refused: the player may not follow or block the other one.
    Refused(Refusal),
    /// Some things were removed.
    Pruned(Pruned),
    /// It is stored under this number.
    Numbered(u64),
    /// It was refused: the reporter has sent too many reports, until this time.
    TooManyReports(Timestamp),
    /// It was refused: nothing would change.
    Unchanged,
    /// The erasure of a player has come so far.
    Erased(Progress),
    /// The part is given away, or not.
    Given(bool),
}

impl End {
    fn of(at: Timestamp, records: &[Record]) -> Self {
        let is_void = |record: &Record| matches!(&record.event, Event::Public(PublicEvent::Ended(ended)) if !ended.reason.has_result());
        Self {
            at,
            is_void: records.iter().any(is_void),
        }
    }
}

impl Change {
    /// Makes the creation of a game.
    ///
    /// # Panics
    /// When the first record's number is not 1: a log never begins in the middle.
    pub fn create(meta: GameMeta, first: Record) -> Self {
        assert_eq!(first.seq.0, 1, "a log begins with record 1");
        let is_correspondence = matches!(
            &first.event,
            Event::Created(created) if created.options.clock.is_correspondence()
        );
        let first = RecordBatch::from(vec![first]).into();
        Self::Create {
            meta,
            first,
            is_correspondence,
            asleep: None,
            owned: None,
        }
    }

    /// Makes the creation of a game that sleeps at once, with a log that ends at its first record.
    ///
    /// # Panics
    /// As [`Change::create`].
    pub(crate) fn create_asleep(meta: GameMeta, first: Record, rest: Rest) -> Self {
        let mut create = Self::create(meta, first);
        if let Self::Create { asleep, .. } = &mut create {
            *asleep = Some(rest);
        }
        create
    }

    /// Makes the change of an append.
    ///
    /// # Panics
    /// When there is no record, or their numbers do not follow `append.after` without gaps: a log never has gaps.
    pub fn append(append: Append) -> Self {
        let last = append.records.last().expect("an append has records");
        let end = append
            .is_finished
            .then(|| End::of(last.at, &append.records));
        let expected = append.after + 1..;
        for (record, seq) in append.records.iter().zip(expected) {
            assert_eq!(record.seq.0, seq, "records follow each other without gaps");
        }
        Self::Append {
            game: append.game,
            after: append.after,
            records: append.records.into(),
            end,
            owned: None,
        }
    }

    /// Returns the part that a server has to own for this change of a game: its shard, and for a game that is created for
    /// another server, the lobby.
    pub(crate) fn part(&self) -> Option<Part> {
        let shard = |game| Part::from(Shard::of(game));
        match self {
            Self::Create {
                asleep: Some(_), ..
            } => Some(Part::LOBBY),
            _ => self.game().map(shard),
        }
    }

    /// Notes with which term the server owns the part.
    pub(crate) const fn own(&mut self, part: Part, term: Term) {
        if let Self::Create { owned, .. } | Self::Append { owned, .. } | Self::Rest(_, owned) = self
        {
            *owned = Some((part, term));
        }
    }

    /// Returns the part that lets the server change the game, and the term in which the server owns it.
    pub const fn owned(&self) -> Owned {
        match self {
            Self::Create { owned, .. } | Self::Append { owned, .. } | Self::Rest(_, owned) => {
                *owned
            }
            _ => None,
        }
    }

    /// Returns the game of the journal that this changes, and the end of its log once this is stored.
    pub const fn end_of_log(&self) -> Option<(&GameId, u64)> {
        match self {
            Self::Create { meta, first, .. } => Some((&meta.game, first.last)),
            Self::Append { game, records, .. } => Some((game, records.last)),
            Self::Stamp(_)
            | Self::Jump(_)
            | Self::Settle
            | Self::Give(_)
            | Self::Rest(..)
            | Self::Lobby(_)
            | Self::Identity(_)
            | Self::Account(_)
            | Self::SessionUsed(..)
            | Self::Relation(_)
            | Self::Chat(_)
            | Self::Report(_)
            | Self::Moderation(_)
            | Self::Told(_)
            | Self::Chapter(_)
            | Self::Letter(_)
            | Self::Webhook(_)
            | Self::Push(_)
            | Self::Vacation(_)
            | Self::Erasure(_)
            | Self::Prune(_) => None,
        }
    }

    /// Returns the game of the journal that this is about.
    pub fn game(&self) -> Option<&GameId> {
        match self {
            Self::Rest(rest, _) => Some(&rest.game),
            other => other.end_of_log().map(|(game, _)| game),
        }
    }

    /// Returns the expected end of the log and the records of an append after which the game goes on.
    pub const fn plain_append(&self) -> Option<(u64, &RecordRow)> {
        match self {
            Self::Append {
                after,
                records,
                end: None,
                ..
            } => Some((*after, records)),
            _ => None,
        }
    }

    /// Says whether the change shows that all games of the server are played.
    pub const fn is_stamp(&self) -> bool {
        matches!(self, Self::Stamp(_))
    }

    /// Says whether the change ends a game.
    pub const fn ends_game(&self) -> bool {
        matches!(self, Self::Append { end: Some(_), .. })
    }

    /// Makes the change within the transaction that is open.
    pub fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Create {
                meta,
                first,
                is_correspondence,
                asleep,
                ..
            } => new_games::create(db, meta, (first, *is_correspondence), asleep.as_ref()),
            Self::Append {
                game,
                after,
                records,
                end,
                ..
            } => append(db, game, *after, records, *end),
            Self::Rest(rest, _) => sleepers::rest(db, rest),
            Self::Lobby(change) => lobby(db, change),
            Self::Identity(row) => identity(db, row),
            Self::Account(change) => accounts::apply(db, change),
            Self::SessionUsed(family, at) => accounts::session_used(db, family, *at),
            Self::Relation(change) => relations::relate(db, change),
            Self::Chat(change) => chat::say(db, change),
            Self::Report(report) => moderation::file(db, report),
            Self::Moderation(change) => moderation::moderate(db, change),
            Self::Told(entries) => moderation::mark_told(db, entries),
            Self::Stamp(stamp) => {
                db.prepare_cached(
                    "INSERT INTO liveness (only_row, at, lost_ms) VALUES (1, ?1, ?2)
                     ON CONFLICT (only_row) DO UPDATE SET at = excluded.at, lost_ms = excluded.lost_ms",
                )?
                .execute((stamp.at.0, stamp.lost_ms.0))?;
                Ok(Done::Stored)
            }
            Self::Jump(at) => {
                jump(db, *at)?;
                Ok(Done::Stored)
            }
            Self::Chapter(chapter) => results::write(db, chapter),
            Self::Letter(change) => change.apply(db),
            Self::Webhook(change) => change.apply(db),
            Self::Push(change) => change.apply(db),
            Self::Vacation(change) => vacations::change(db, change),
            Self::Erasure(change) => erasure::change(db, change),
            Self::Prune(prune) => prune.apply(db).map(Done::Pruned),
            // Only a database of several servers gets it, and answers it before.
            Self::Give(_) => Ok(Done::Given(false)),
            Self::Settle => Ok(Done::Stored),
        }
    }
}

/// Stores an identity. The name of a registered player stays the handle: the player may have registered after the caller
/// read the name of the guest.
fn identity(db: &Connection, row: &IdentityRow) -> Result<Done> {
    let handle = accounts::own_handle(db, &row.identity)?;
    let name = handle.as_ref().map_or(row.name.as_str(), Handle::as_str);
    db.prepare_cached(
        "INSERT INTO identities (identity, name, created_at, seen_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (identity) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at",
    )?
    .execute((&row.identity, name, row.created_at.0, row.seen_at.0))?;
    Ok(Done::Stored)
}

/// Stores that the machine's clock jumped to `at`.
pub(crate) fn jump(db: &Connection, at: Timestamp) -> Result<usize> {
    db.prepare_cached(
        "INSERT INTO clock_jumps (only_row, at) VALUES (1, ?1)
         ON CONFLICT (only_row) DO UPDATE SET at = excluded.at",
    )?
    .execute([at.0])
}

pub(crate) fn head(db: &Connection, game: &GameId) -> Result<Option<u64>> {
    db.prepare_cached("SELECT head FROM games WHERE game = ?1")?
        .query_row([game.as_str()], |row| row.get(0))
        .optional()
}

fn append(
    db: &Connection,
    game: &GameId,
    after: u64,
    records: &RecordRow,
    end: Option<End>,
) -> Result<Done> {
    if end.is_some() || !advance(db, game, after, records.last)? {
        let is_here = change_state(db, game, after, records.last, end)?;
        if !is_here {
            let head = head(db, game)?.unwrap_or(0);
            return Ok(Done::Conflict { head });
        }
    }
    store(db, game, records)?;
    Ok(Done::Stored)
}

/// Moves the end of the log of a game that is awake and goes on: nothing that an index knows changes.
fn advance(db: &Connection, game: &GameId, after: u64, last: u64) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE games SET head = ?3 WHERE game = ?1 AND head = ?2 AND wakes_at IS NULL",
        )?
        .execute((game.as_str(), after, last))?;
    Ok(changed > 0)
}

/// Moves the end of the log of a game that sleeps or is over with it.
fn change_state(
    db: &Connection,
    game: &GameId,
    after: u64,
    last: u64,
    end: Option<End>,
) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE games SET head = ?3, finished_at = coalesce(?4, finished_at), wakes_at = NULL,
             line = NULL, is_listed = NULL, lost_ms = NULL, is_void = ?5 WHERE game = ?1 AND head = ?2",
        )?
        .execute((
            game.as_str(),
            after,
            last,
            end.map(|end| end.at.0),
            end.and_then(|end| end.is_void.then_some(true)),
        ))?;
    if changed > 0 {
        sleepers::wake_seats(db, game)?;
        if end.is_some_and(|end| !end.is_void) {
            count_as_played(db, game)?;
        }
    }
    Ok(changed > 0)
}

/// Marks the players of a game that ended with a result.
fn count_as_played(db: &Connection, game: &GameId) -> Result<()> {
    db.prepare_cached(
        "UPDATE identities SET has_played = 1 WHERE has_played IS NULL
         AND identity IN (SELECT identity FROM seats WHERE game = ?1)",
    )?
    .execute([game.as_str()])?;
    Ok(())
}

pub(super) fn store(db: &Connection, game: &GameId, records: &RecordRow) -> Result<()> {
    db.prepare_cached("INSERT INTO records (game, seq, record) VALUES (?1, ?2, ?3)")?
        .execute((game.as_str(), records.last, &records.bytes))?;
    Ok(())
}

fn lobby(db: &Connection, change: &LobbyChange) -> Result<Done> {
    let mut put = db.prepare_cached(
        "INSERT INTO seeks (seek, content) VALUES (?1, ?2)
         ON CONFLICT (seek) DO UPDATE SET content = excluded.content",
    )?;
    for (seek, content) in &change.put {
        put.execute((seek, content))?;
    }
    let mut remove = db.prepare_cached("DELETE FROM seeks WHERE seek = ?1")?;
    for seek in &change.remove {
        remove.execute([seek])?;
    }
    let mut accepted = db.prepare_cached(
        "INSERT INTO lobby_commands (identity, cmd_id, digest, answer, at)
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (identity, cmd_id) DO UPDATE SET
         digest = excluded.digest, answer = excluded.answer, at = excluded.at",
    )?;
    for command in &change.commands {
        accepted.execute((
            &command.key.identity,
            &command.key.cmd_id,
            command.digest.cast_signed(),
            &command.answer,
            command.at.0,
        ))?;
    }
    for letter in &change.letters {
        letters::put(db, letter)?;
    }
    Ok(Done::Stored)
}
