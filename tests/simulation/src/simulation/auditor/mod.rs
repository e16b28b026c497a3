//! The auditor of a simulation: it knows the promises of the server and shares no code with it.
//!
//! The simulation reports every durable write, every request and every message in order. The auditor panics at the
//! first broken promise.

mod accounts;
mod adjourn;
mod book;
mod chat;
mod conduct;
mod credit;
mod criteria;
mod deadlines;
mod delays;
mod hints;
mod invitations;
mod letters;
mod lost_time;
mod messages;
mod moderation;
mod moment;
mod owners;
mod ratings;
mod relations;
mod rematches;
mod requests;
mod results;
mod vacations;
mod waiting;
mod webhook_row;
mod webhooks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewire_protocol::{EventBody, GameId};
use tilewire_rules::event::{Event, Record};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Timestamp;
use tilewire_store::Journal as _;

use crate::simulation::disk::{Durable, Stored};
use crate::simulation::disk_nodes::Proof;
use crate::simulation::durable::at_once;
use crate::simulation::line::LineId;
use accounts::Accounts;
use book::Book;
use chat::Chats;
use conduct::Conducts;
use criteria::Criteria;
use invitations::Invitations;
use letters::Letters;
pub use letters::{LetterBounds, LetterCounts};
use lost_time::Lost;
use moderation::Moderation;
use moment::Moment;
pub use owners::NodeCounts;
use owners::Owners;
use relations::Relations;
use rematches::Rematches;
use requests::{AuditedConnection, Lobby};
use results::Results;
pub use webhooks::WebhookCounts;
use webhooks::Webhooks;

/// How long after a start every game runs again, however often the disk refuses, ms.
const TAKEN_UP_MS: i64 = 60_000;
/// How much later than a deadline the server may ask for its append, ms: timers are that exact.
const TIMER_MS: i64 = 2;
/// The largest step that a start makes by itself, ms: a week, and the outage.
const STEP_MS: i64 = 7 * 86_400_000 + 60_000;

/// The log of one game as it became durable.
#[derive(Debug)]
struct Log {
    records: Vec<Record>,
    /// With which change of the disk each record became durable.
    versions: Vec<u64>,
    /// The server that stored each record, of several.
    stored_by: Vec<Option<Proof>>,
    book: Book,
    /// Events in their public form, by number.
    shown: BTreeMap<u64, EventBody>,
    /// Whether the next record has to credit an outage: since when at the earliest.
    owes_credit: Option<i64>,
    /// The stalls of the server, from and to, that the next event has to credit.
    owes_stalls: Vec<(i64, i64)>,
    /// Whether the game slept during an outage or a stall that its next event has to credit.
    has_slept: bool,
    /// How long the clocks of servers ran again up to the time of its last event, which charges nobody.
    lived_again_ms: i64,
    /// Since when the server awaited the storage for it when it stood still.
    awaited_since: Option<Timestamp>,
    /// When a client was told first that the game is over.
    over_told: Option<Moment>,
}

impl Log {
    const fn new(book: Book) -> Self {
        Self {
            records: Vec::new(),
            versions: Vec::new(),
            stored_by: Vec::new(),
            book,
            shown: BTreeMap::new(),
            owes_credit: None,
            owes_stalls: Vec::new(),
            has_slept: false,
            lived_again_ms: 0,
            awaited_since: None,
            over_told: None,
        }
    }
}

/// How often people related to each other, and what moderators did.
#[derive(Debug, Clone, Copy, Default)]
pub struct DealingCounts {
    /// Blocks that began.
    pub blocked: u64,
    /// Blocks that ended.
    pub unblocked: u64,
    /// Lines of chat that a block kept from a member of their room.
    pub kept_back: u64,
    /// Direct rooms that were joined.
    pub direct_rooms: u64,
    /// Restrictions of players that began.
    pub restricted: u64,
    /// Suspensions among them.
    pub suspended: u64,
    /// Restrictions that were undone.
    pub undone: u64,
    /// Lines of muted players that were refused.
    pub muted: u64,
    /// Games of restricted players that were refused.
    pub refused: u64,
}

/// The auditor.
#[derive(Debug)]
pub struct Auditor {
    logs: BTreeMap<GameId, Log>,
    lines: BTreeMap<LineId, AuditedConnection>,
    lobby: Lobby,
    results: Results,
    conducts: Conducts,
    rematches: Rematches,
    chats: Chats,
    invitations: Invitations,
    letters: Letters,
    webhooks: Webhooks,
    criteria: Criteria,
    accounts: Accounts,
    relations: Relations,
    moderation: Moderation,
    owners: Owners,
    /// Refused commands, with a digest of each command.
    refused: Vec<(String, u8, String, u64)>,
    /// How often each command arrived.
    arrived: BTreeMap<(String, String), u64>,
    /// When each command arrived first at one of several servers.
    came_at: BTreeMap<(String, String), i64>,
    /// When each command arrived last.
    arrived_at: BTreeMap<(String, String), i64>,
    lag_max_ms: i64,
    now: i64,
    /// The latest time that was ever reported.
    latest: i64,
    /// How many moments there were.
    steps: u64,
    started_at: i64,
    ready_at: i64,
    /// The stalls of the server that runs, from and to. A server before it can have had another clock.
    stalls: Vec<(i64, i64)>,
    /// How often servers stood still.
    stall_count: usize,
    /// The outages and stalls that are credited.
    lost: Vec<Lost>,
    /// How often a game that had slept got credit.
    pub slept_through: u64,
    /// How many answers and events were checked.
    pub checked: u64,
}

impl Auditor {
    /// Returns the auditor of an empty server that gives back at most so much network delay.
    #[must_use]
    pub fn new(lag_max_ms: i64) -> Self {
        Self {
            logs: BTreeMap::new(),
            lines: BTreeMap::new(),
            lobby: Lobby::default(),
            results: Results::default(),
            conducts: Conducts::default(),
            rematches: Rematches::default(),
            chats: Chats::default(),
            invitations: Invitations::default(),
            letters: Letters::default(),
            webhooks: Webhooks::default(),
            criteria: Criteria::default(),
            accounts: Accounts::default(),
            relations: Relations::default(),
            moderation: Moderation::default(),
            owners: Owners::default(),
            refused: Vec::new(),
            arrived: BTreeMap::new(),
            came_at: BTreeMap::new(),
            arrived_at: BTreeMap::new(),
            lag_max_ms,
            now: 0,
            latest: i64::MIN,
            steps: 0,
            started_at: 0,
            ready_at: 0,
            stalls: Vec::new(),
            stall_count: 0,
            lost: Vec::new(),
            slept_through: 0,
            checked: 0,
        }
    }

    /// A server starts at `now`; the one before it is known to have run at `stamp`.
    ///
    /// # Panics
    /// When the start moves the time too far.
    pub fn started(&mut self, now: i64, stamp: Option<i64>, asleep: &BTreeSet<GameId>) {
        self.started_at = now;
        self.is_now(now);
        self.lines.clear();
        self.stalls.clear();
        self.letters.restarted();
        self.forget_requests();
        let Some(stamp) = stamp else {
            return;
        };
        assert!(
            (0..=STEP_MS).contains(&(now - stamp)),
            "a start moves the time from {stamp} to {now}"
        );
        self.lost.retain(|lost| lost.from < stamp);
        self.lost.push(Lost::new(stamp, now));
        for log in self.logs.values_mut() {
            let last_at = log.records.last().map_or(now, |record| record.at.0);
            log.lived_again_ms += (last_at - now).max(0);
        }
        for (game, log) in self.logs.iter_mut().filter(|(_, log)| log.is_credited()) {
            log.awaited_since = None;
            log.has_slept = asleep.contains(game);
            if log.has_slept {
                log.owes_credit = None;
                log.owes_stalls.clear();
                continue;
            }
            // One that was not credited before the next is still owed.
            log.owes_credit.get_or_insert(stamp);
            // The outage contains the stall before it.
            log.owes_stalls.retain(|(from, _)| *from < stamp);
        }
    }

    /// Returns how often servers stood still.
    #[must_use]
    pub const fn stalls(&self) -> usize {
        self.stall_count
    }

    /// Returns how long a client that was last heard at `heard_at` has been silent while the server ran, ms.
    #[must_use]
    pub fn silence(&self, heard_at: i64) -> i64 {
        let stalls = self.stalls.iter().filter(|(from, _)| *from >= heard_at);
        let stalled: i64 = stalls.map(|(from, to)| to - from).sum();
        self.now - heard_at - stalled
    }

    /// Sets the time of the next report.
    pub const fn is_now(&mut self, now: i64) {
        self.now = now;
        if self.latest < now {
            self.latest = now;
        }
    }

    /// The server has taken up its games, as far as it can.
    pub fn is_ready(&mut self, now: i64) {
        self.ready_at = now;
        let started_at = self.started_at;
        if let Some(outage) = self
            .lost
            .last_mut()
            .filter(|one| one.ended_at() == started_at)
        {
            outage.ends_by(now);
        }
    }

    /// Returns how people related to each other, and what moderators did.
    #[must_use]
    pub const fn dealings(&self) -> DealingCounts {
        let (relations, moderation) = (&self.relations, &self.moderation);
        DealingCounts {
            blocked: relations.blocked,
            unblocked: relations.unblocked,
            kept_back: self.chats.kept_back,
            direct_rooms: self.chats.direct_rooms,
            restricted: moderation.restricted,
            suspended: moderation.suspended,
            undone: moderation.undone,
            muted: moderation.muted,
            refused: moderation.refused,
        }
    }

    /// Returns how many rematches began.
    #[must_use]
    pub const fn rematches(&self) -> u64 {
        self.rematches.begun
    }

    /// A change became durable.
    ///
    /// # Panics
    /// When it should not have.
    pub fn stored(
        &mut self,
        stored: &Stored,
        durable: &Durable,
        rules: &dyn Fn(&str) -> Arc<RuleSet>,
    ) {
        let game = &durable.games[&stored.game];
        let known = self
            .logs
            .get(&stored.game)
            .map_or(0, |log| log.records.len());
        let head = usize::try_from(stored.head).expect("few records");
        let fresh = &game.records[known..head];
        if let Some(Event::Created(created)) = fresh.first().map(|record| &record.event) {
            self.check_ratings_at_creation(created, fresh[0].at.0, durable);
            self.check_rematch(created);
            self.check_pair(created);
        }
        self.check_owner(stored, fresh);
        let timer_ms = self.timer_ms();
        let log = match self.logs.get_mut(&stored.game) {
            Some(log) => log,
            None => {
                let rules = rules(&game.meta.rule_set);
                let book = Book::new(rules, &fresh[0], self.lag_max_ms);
                let log = Log::new(book);
                self.logs.entry(stored.game.clone()).or_insert(log)
            }
        };
        self.slept_through += log.check_lost(fresh, &self.lost, stored.asked_at.0);
        log.check_stalls(fresh);
        log.check_credit(fresh, self.started_at);
        assert!(
            stored.request > stored.loaded,
            "{}: a change of {:?} is stored although the log was read after the request for it: {:?}",
            stored.game,
            stored.by,
            fresh[0]
        );
        let due = fresh[0].at.0.max(stored.free_at.0).max(self.ready_at);
        // A command counts from when its gateway has read it.
        let is_relayed = stored.by.is_some() && fresh.iter().any(|record| record.command.is_some());
        assert!(
            known == 0 || is_relayed || stored.asked_at.0 <= due + timer_ms,
            "{}: due at {due}, but asked for at {}: {:?}",
            stored.game,
            stored.asked_at,
            fresh[0]
        );
        for record in fresh {
            if !matches!(record.event, Event::Created(_)) {
                log.book.came(&self.came_at, record);
                log.book.add(record);
            }
            log.records.push(record.clone());
            log.versions.push(stored.version);
            log.stored_by.push(stored.by);
        }
        let turn_no: u64 = log.book.judge.fold.turn_no;
        let on_turn: Option<u64> = log.book.judge.fold.on_turn;
        let is_on_turn = on_turn.is_some() && log.book.ended.is_none();
        self.letters
            .turned(&stored.game, turn_no, is_on_turn, self.now);
        // Others may have become durable since; they come next.
        if head < game.records.len() {
            return;
        }
        let is_over = log.book.ended.is_some();
        assert_eq!(
            game.is_finished, is_over,
            "{} is finished when it has ended",
            stored.game
        );
    }

    /// Checks that every game has an actor: its outage is credited soon after the start.
    ///
    /// # Panics
    /// When one does.
    pub fn check_taken_up(&self, now: i64) {
        let mut left = self
            .logs
            .iter()
            .filter(|(_, log)| log.owes_credit.is_some());
        if now > self.ready_at + TAKEN_UP_MS {
            let left = left.next().map(|(game, _)| game);
            assert!(left.is_none(), "{left:?} was not taken up again");
        }
    }

    /// Returns the first game that should have gone on by `now` and has not; disks and outages aside.
    #[must_use]
    pub fn stuck(&self, now: i64) -> Option<String> {
        let late = |log: &&Log| log.book.next_deadline().is_none_or(|at| at + 1_000 < now);
        let unfinished = self.logs.iter().filter(|(_, log)| log.book.ended.is_none());
        unfinished
            .filter(|(_, log)| late(log))
            .map(|(game, log)| {
                format!(
                    "{game}: {:?} is long past {:?}",
                    now,
                    log.book.next_deadline()
                )
            })
            .next()
    }

    /// Says whether every game is over.
    #[must_use]
    pub fn is_all_over(&self) -> bool {
        self.logs.values().all(|log| log.book.ended.is_some())
    }

    /// Returns how many games there were, and how many events.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let events = self.logs.values().map(|log| log.records.len());
        (self.logs.len(), events.sum())
    }

    /// Returns the kinds of events that happened, for statistics.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.logs
            .values()
            .flat_map(|log| log.records.iter().map(messages::kind_of))
    }

    /// Checks the final state: the disk holds exactly the changes that the auditor saw become durable,
    /// and nothing that was refused took effect.
    ///
    /// # Panics
    /// When that is not so.
    pub fn finish(&self, durable: &Durable) {
        assert_eq!(durable.games.len(), self.logs.len());
        let asleep = durable.asleep.keys().next();
        assert!(asleep.is_none(), "{asleep:?} is over and sleeps");
        for (game, log) in &self.logs {
            let stored = at_once(durable.stores.load(game)).expect("in memory");
            assert_eq!(
                stored.map(|stored| stored.records).as_ref(),
                Some(&log.records)
            );
        }
        self.check_chat(durable);
        for (game, seat, cmd_id, digest) in &self.refused {
            let log = &self.logs[game.as_str()];
            let key = (tilewire_rules::time::Seat(*seat), cmd_id.clone());
            let took_effect = log
                .book
                .commands
                .get(&key)
                .is_some_and(|(_, did)| did == digest);
            let identity = &log.book.created.players[usize::from(*seat)].identity;
            let copies = self.arrived.get(&(identity.clone(), cmd_id.clone()));
            assert!(
                !took_effect || copies.is_some_and(|copies| *copies > 1),
                "{cmd_id} was refused and took effect"
            );
        }
    }

    fn log(&self, game: &GameId) -> &Log {
        let log = self.logs.get(game);
        log.unwrap_or_else(|| panic!("{game} was announced before it was stored"))
    }
}
