//! The storage contract for letters on the simulated disk: the one in memory, made as slow and as unreliable as the rest. Each step
//! is reported to the auditor.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use tilewire_delivery::outbound::{Presence, Registry};
use tilewire_people::codes::MailCode;
use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, Record};
use tilewire_rules::time::Timestamp;
use tilewire_store::{
    Append, AppendError, Arrival, ChapterError, Cursor, GameMeta, Journal, LetterPage, LetterStore,
    LogTail, Mailbox, NewLetter, Rest, Settlement, Shards, Sleeper, SleeperLine, StoreError,
    StoredCode, StoredGame, StoredLetter, Turned, TurnedPage,
};

use super::disk::{Disk, Durable, State};
use super::disk_people::on_purpose;

/// One look at the journal in so many is late, on a disk that is not perfect.
const LATE_LOOKS: u64 = 4;
/// The longest delay of such a look, ms.
const LATE_MS: i64 = 60_000;

/// A step of a letter, in the order in which they happened.
#[derive(Debug, Clone)]
pub struct LetterStep {
    /// When, by the server's clock.
    pub at: Timestamp,
    /// The step.
    pub what: LetterNews,
}

/// A step in the life of a letter.
#[derive(Debug, Clone)]
pub enum LetterNews {
    /// It came into the outbox.
    Written(Box<NewLetter>),
    /// The courier asked whether a player is here.
    Asked {
        /// The player.
        identity: String,
        /// The answer.
        is_present: bool,
    },
    /// Its sending is counted.
    Begun {
        /// The letter.
        key: String,
        /// When the courier wanted to send it.
        asked_at: Timestamp,
    },
    /// Its outcome is stored.
    Settled(Box<StoredLetter>, Settlement),
    /// The mail server has taken a message.
    Taken(Vec<u8>),
}

/// Records that became durable together.
#[derive(Debug, Clone)]
pub struct Arrived {
    arrival: Arrival,
    turned: Turned,
}

impl Durable {
    /// Notes the records of a game behind `after`.
    pub(super) fn arrived(&mut self, arrival: Arrival, game: &GameId, (after, last): (u64, u64)) {
        let turned = Turned {
            game: game.clone(),
            after,
            last,
        };
        self.turned.push(Arrived { arrival, turned });
    }

    fn is_by_correspondence(&self, game: &GameId) -> bool {
        let stored = self.games.get(game);
        let first = stored.and_then(|stored| stored.records.first());
        let Some(Event::Created(created)) = first.map(|first| &first.event) else {
            return false;
        };
        created.options.clock.is_correspondence()
    }

    fn turned_behind(&self, after: Arrival) -> &[Arrived] {
        let known = self.turned.partition_point(|one| one.arrival <= after);
        &self.turned[known..]
    }

    /// Looks through `rows` changes of logs, and returns the games that are wanted.
    pub(super) fn turned_page(
        &self,
        after: Arrival,
        rows: usize,
        is_wanted: impl Fn(&GameId) -> bool,
    ) -> TurnedPage {
        let behind = self.turned_behind(after);
        let (mut games, mut until): (Vec<Turned>, _) = (Vec::new(), after);
        for one in behind.iter().take(rows) {
            until = one.arrival;
            if !is_wanted(&one.turned.game) {
                continue;
            }
            let known = games.iter_mut().find(|known| known.game == one.turned.game);
            match known {
                Some(known) => known.last = one.turned.last,
                None => games.push(one.turned.clone()),
            }
        }
        TurnedPage {
            games,
            until,
            is_end: behind.len() < rows,
        }
    }
}

impl State {
    pub(super) fn tell_letter(&mut self, what: LetterNews) {
        let at = self.clock.now();
        self.letter_steps.push(LetterStep { at, what });
    }

    /// Stores a letter unless it is there already.
    pub(super) fn put_letter(&mut self, letter: &NewLetter) {
        if self.durable.letters.put(letter) {
            self.tell_letter(LetterNews::Written(Box::new(letter.clone())));
        }
    }

    fn begin_letter(&mut self, key: &str, asked_at: Timestamp) -> bool {
        let is_there = self.durable.letters.begin_letter(key);
        if is_there {
            let key = key.to_owned();
            self.tell_letter(LetterNews::Begun { key, asked_at });
        }
        is_there
    }

    fn settle_letter(&mut self, letter: StoredLetter, settlement: Settlement) {
        let digest = self.durable.letters.settle(&letter, settlement);
        self.tell_letter(LetterNews::Settled(Box::new(letter), settlement));
        if let Some(digest) = digest {
            self.tell_letter(LetterNews::Written(Box::new(digest)));
        }
    }

    fn write_letters(&mut self, page: &LetterPage) -> Result<(), ChapterError> {
        let written = self.durable.letters.write(page)?;
        let letters = page.games.iter().flat_map(|one| &one.letters);
        for letter in letters.filter(|letter| written.contains(&letter.key)) {
            self.tell_letter(LetterNews::Written(Box::new(letter.clone())));
        }
        Ok(())
    }
}

impl Disk {
    /// Takes the steps of letters since the last call.
    pub fn take_letter_steps(&self) -> Vec<LetterStep> {
        std::mem::take(&mut self.lock().letter_steps)
    }

    /// Reads records behind `after`, sometimes late.
    pub(super) async fn read_turned(
        &self,
        after: Arrival,
        read: impl Fn(&Durable) -> TurnedPage,
    ) -> Result<TurnedPage, StoreError> {
        // Without a record there is nothing to see, and nothing to wait for.
        if self.look(|durable| durable.turned_behind(after).is_empty()) {
            return Ok(self.look(&read));
        }
        let late_ms = self.lock().late_look();
        if late_ms > 0 {
            let late_ms = u64::try_from(late_ms).unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(late_ms)).await;
        }
        self.read(|state| read(&state.durable)).await
    }

    /// Reports a step of a letter that happened outside of the disk.
    pub(super) fn tell_letter(&self, what: LetterNews) {
        self.lock().tell_letter(what);
        self.changed.notify_one();
    }
}

impl LetterStore for Disk {
    fn letters_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredLetter>, StoreError>> {
        Box::pin(async move {
            // It is looked at all the time, mostly for nothing.
            if self.look(|durable| durable.letters.due(now, 1).is_empty()) {
                return Ok(Vec::new());
            }
            self.read(|state| state.durable.letters.due(now, limit))
                .await
        })
    }

    fn letters_of_digest<'a>(
        &'a self,
        identity: &'a str,
        day: i64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredLetter>, StoreError>> {
        Box::pin(self.read(move |state| state.durable.letters.of_digest(identity, day, limit)))
    }

    fn letters_waiting(&self) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async { Ok(self.look(|durable| durable.letters.waiting())) })
    }

    fn begin_letter<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        let fail = || Err(on_purpose());
        let asked_at = self.lock().clock.now();
        let begun = move |state: &mut State| Ok(state.begin_letter(key, asked_at));
        Box::pin(self.change(fail, fail, begun))
    }

    fn settle_letter(
        &self,
        letter: StoredLetter,
        settlement: Settlement,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let settled = move |state: &mut State| {
            state.settle_letter(letter, settlement);
            Ok(())
        };
        Box::pin(self.change(fail, fail, settled))
    }

    fn mailbox<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<Mailbox>, StoreError>> {
        Box::pin(self.read(move |state| state.durable.letters.mailbox(identity)))
    }

    fn mailbox_of<'a>(
        &'a self,
        address_key: &'a str,
    ) -> BoxFuture<'a, Result<Option<Mailbox>, StoreError>> {
        Box::pin(self.read(move |state| state.durable.letters.mailbox_of(address_key)))
    }

    fn put_code(
        &self,
        code: StoredCode,
        letter: Option<NewLetter>,
        now: Timestamp,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let put = move |state: &mut State| {
            state.durable.letters.put_code(code, letter.as_ref(), now);
            Ok(())
        };
        Box::pin(self.change(fail, fail, put))
    }

    fn code<'a>(
        &'a self,
        ticket: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredCode>, StoreError>> {
        Box::pin(self.read(move |state| state.durable.letters.code(ticket)))
    }

    fn replace_code(
        &self,
        ticket: String,
        before: MailCode,
        after: MailCode,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let fail = || Err(on_purpose());
        let replaced = move |state: &mut State| {
            let letters = &mut state.durable.letters;
            Ok(letters.replace_code(&ticket, &before, after))
        };
        Box::pin(self.change(fail, fail, replaced))
    }

    fn is_seek_open<'a>(&'a self, seek: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(self.read(move |state| state.durable.seeks.contains_key(seek)))
    }

    fn letter_cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        // It is looked at all the time, mostly for nothing.
        Box::pin(async { Ok(self.look(|durable| durable.letters.cursor())) })
    }

    fn turned(&self, after: Arrival, rows: usize) -> BoxFuture<'_, Result<TurnedPage, StoreError>> {
        Box::pin(self.read_turned(after, move |durable| {
            durable.turned_page(after, rows, |game| durable.is_by_correspondence(game))
        }))
    }

    fn write_letters(&self, page: LetterPage) -> BoxFuture<'_, Result<(), ChapterError>> {
        let fail = || Err(ChapterError::Store(on_purpose()));
        let write = move |state: &mut State| state.write_letters(&page);
        Box::pin(self.change(fail, fail, write))
    }

    fn letter_key(&self, fresh: [u8; 32]) -> BoxFuture<'_, Result<[u8; 32], StoreError>> {
        // A server that cannot read this does not start, so the disk never refuses it.
        Box::pin(async move {
            let mut state = self.lock();
            let end = Arrival(state.version);
            Ok(state.durable.letters.begin(fresh, end))
        })
    }
}

impl State {
    /// Returns the delay of a look at the journal: a turn can be over before its letter is written.
    fn late_look(&mut self) -> i64 {
        let is_late = self.temper().wait_ms > 0 && self.lateness.one_in(LATE_LOOKS);
        if is_late {
            self.lateness.ms(0, LATE_MS)
        } else {
            0
        }
    }
}

/// The presence of players, with a report of every question.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) registry: Arc<Registry>,
    pub(super) disk: Arc<Disk>,
}

impl Presence for Watched {
    fn is_online(&self, identity: &str) -> bool {
        let is_present = self.registry.is_online(identity);
        self.disk.tell_letter(LetterNews::Asked {
            identity: identity.to_owned(),
            is_present,
        });
        is_present
    }

    fn online(&self) -> usize {
        self.registry.online()
    }

    fn take_departed(&self) -> BTreeSet<String> {
        self.registry.take_departed()
    }
}

/// A reader of logs beside the games: what it reads says nothing about when a game could act.
#[derive(Debug)]
pub(super) struct Reader(pub(super) Arc<Disk>);

impl Journal for Reader {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        self.0.create(meta, first)
    }

    fn create_asleep(
        &self,
        meta: GameMeta,
        first: Record,
        rest: Rest,
    ) -> BoxFuture<'_, Result<(), AppendError>> {
        self.0.create_asleep(meta, first, rest)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        self.0.append(append)
    }

    fn load<'a>(
        &'a self,
        game: &'a GameId,
    ) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        Box::pin(self.0.read(|state| state.durable.games.get(game).cloned()))
    }

    fn load_many<'a>(
        &'a self,
        games: &'a [GameId],
    ) -> BoxFuture<'a, Vec<Result<Option<StoredGame>, StoreError>>> {
        Box::pin(join_all(games.iter().map(|game| self.load(game))))
    }

    fn load_tail<'a>(
        &'a self,
        game: &'a GameId,
        after: u64,
    ) -> BoxFuture<'a, Result<Option<LogTail>, StoreError>> {
        self.0.load_tail(game, after)
    }

    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>> {
        self.0.rest(rest)
    }

    fn awake(&self, shards: Shards) -> BoxFuture<'_, Result<Vec<GameId>, StoreError>> {
        self.0.awake(shards)
    }

    fn sleepers(
        &self,
        shards: Shards,
        after: Option<Sleeper>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Sleeper>, StoreError>> {
        self.0.sleepers(shards, after, limit)
    }

    fn asleep(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        Journal::asleep(&*self.0)
    }

    fn asleep_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<SleeperLine>, StoreError>> {
        self.0.asleep_of(identity)
    }

    fn unfinished_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        self.0.unfinished_of(identity)
    }

    fn finished_of<'a>(
        &'a self,
        identity: &'a str,
        before: Option<&'a GameId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        self.0.finished_of(identity, before, limit)
    }

    fn asleep_listed(&self, limit: usize) -> BoxFuture<'_, Result<Vec<SleeperLine>, StoreError>> {
        self.0.asleep_listed(limit)
    }
}
