//! The disk of the simulated servers: it is slow, fails, and loses what was not synced when the machine stops.
//!
//! Each request takes three steps: it waits, becomes durable, and is answered. A crash can
//! come before each step; after a crash no pending request is stored or answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;
use tilewire_sql::changes::{Change, Done};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::chance::Chance;
use super::disk_nodes::{Link, Proof, SharedNodes, now_on_the_clock};
use super::disk_times::Times;
use super::durable::Step;
pub use super::durable::{Chronicled, Durable, Stored, Temper};
use super::flaws::Flaw;
use super::late::Late;
use super::steps::{LetterStep, Outboxes, WebhookStep};

/// A server that asks more of the disk in an hour goes round in circles.
const BOUNDARIES_PER_HOUR: u64 = 100_000;
const HOUR: Duration = Duration::from_secs(3_600);

#[derive(Debug)]
pub(super) struct State {
    pub(super) durable: Durable,
    /// Acknowledged but not synced: only a flawed disk has any.
    pub(super) unsynced: Vec<Change>,
    temper: Temper,
    pub(super) chance: Chance,
    /// The state that a start finds.
    starts: Chance,
    /// A game that cannot be read the first time after a start.
    unreadable: Option<GameId>,
    is_down: bool,
    /// Boundaries passed since the start of the simulation.
    boundaries: u64,
    /// When the hour began in which boundaries are counted, and how many there were before it.
    hour: Option<(Instant, u64)>,
    crash_at: Option<u64>,
    pub(super) stored: Vec<Stored>,
    pub(super) chronicled: Vec<Chronicled>,
    pub(super) version: u64,
    pub(super) clock: ServerClock,
    pub(super) times: BTreeMap<GameId, Times>,
    /// The games that the server has asked the disk to keep, without an answer yet.
    pub(super) resting: BTreeMap<GameId, Timestamp>,
    pub(super) started_at: Timestamp,
    /// The requests so far that read a log or change one.
    pub(super) requests: u64,
    /// The request that is carried out.
    pub(super) request: u64,
    /// The last request that was answered with the log of each game.
    pub(super) loads: BTreeMap<GameId, u64>,
    /// The same for the first answers to each life of a node among several.
    pub(super) takeovers: BTreeMap<GameId, u64>,
    /// Whether the change that is carried out is a late one.
    pub(super) is_late: bool,
    pub(super) flaw: Option<Flaw>,
    /// Changes of logs that may be stored after the answer that their outcome is unknown.
    pub(super) late: Vec<Late>,
    /// Where late changes get their times and their luck.
    pub(super) lateness: Chance,
    /// Whether another node owns all games.
    pub(super) is_fenced: bool,
    /// The nodes that share the disk, if there are several.
    pub(super) nodes: Option<SharedNodes>,
    /// The proof of ownership of the change that is carried out.
    pub(super) by: Option<Proof>,
    /// The steps of letters since the last report.
    pub(super) letter_steps: Vec<LetterStep>,
    /// The same for events for webhooks.
    pub(super) webhook_steps: Vec<WebhookStep>,
    /// Whether the disk tells the chronicle to begin anew: only a flawed disk does, after a start.
    pub(super) forgets_place: bool,
}

/// The disk. It outlives every server. Clones are the same disk, for the same node.
#[derive(Debug, Clone)]
pub struct Disk {
    state: Arc<Mutex<State>>,
    /// Told when the machine goes down.
    pub down: Arc<Notify>,
    /// Told when something was stored.
    pub changed: Arc<Notify>,
    /// Told when this server has stored the end of a game.
    pub(super) ended: Arc<Notify>,
    /// The way of this node to the disk; `None`: there is one server.
    pub(super) link: Option<Arc<Link>>,
}

pub(super) enum Fate {
    Do,
    Refuse,
    Vague(Vague),
}

/// The effect of a change whose outcome is not told.
pub(super) enum Vague {
    Stored,
    NotStored,
    /// The database goes on with it after the connection is lost; only changes of logs.
    Late,
}

impl Disk {
    /// Returns an empty disk.
    #[must_use]
    pub fn new(seed: u64, temper: Temper, crash_at: Option<u64>, flaw: Option<Flaw>) -> Arc<Self> {
        Arc::new(Self {
            state: Arc::new(Mutex::new(State {
                durable: Durable::default(),
                unsynced: Vec::new(),
                temper,
                chance: Chance::new(seed, "disk"),
                starts: Chance::new(seed, "starts"),
                unreadable: None,
                is_down: false,
                boundaries: 0,
                hour: None,
                crash_at,
                stored: Vec::new(),
                chronicled: Vec::new(),
                version: 0,
                clock: ServerClock::manual(Timestamp(0)),
                times: BTreeMap::new(),
                resting: BTreeMap::new(),
                started_at: Timestamp(0),
                requests: 0,
                request: 0,
                loads: BTreeMap::new(),
                takeovers: BTreeMap::new(),
                is_late: false,
                flaw,
                late: Vec::new(),
                lateness: Chance::new(seed, "late"),
                is_fenced: false,
                nodes: None,
                by: None,
                letter_steps: Vec::new(),
                webhook_steps: Vec::new(),
                forgets_place: false,
            })),
            down: Arc::default(),
            changed: Arc::default(),
            ended: Arc::default(),
            link: None,
        })
    }

    /// Returns the disk as a node uses it.
    pub(super) fn of_node(&self, link: Arc<Link>) -> Arc<Self> {
        Arc::new(Self {
            ended: Arc::default(),
            link: Some(link),
            ..self.clone()
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `at` with the durable state.
    pub fn look<T>(&self, at: impl FnOnce(&Durable) -> T) -> T {
        at(&self.lock().durable)
    }

    /// Returns how many records of a game are durable.
    #[must_use]
    pub fn head(&self, game: &GameId) -> u64 {
        self.look(|durable| durable.head(game))
    }

    /// Returns the games for which the server awaits the disk, and since when.
    #[must_use]
    pub fn awaited(&self) -> BTreeMap<GameId, Timestamp> {
        let state = self.lock();
        let appends = state.times.iter();
        let appends = appends.filter_map(|(game, times)| Some((game.clone(), times.asked_at?)));
        appends.chain(state.resting.clone()).collect()
    }

    /// Takes the changes stored since the last call.
    pub fn take_stored(&self) -> Vec<Stored> {
        std::mem::take(&mut self.lock().stored)
    }

    /// Takes what the chronicle has written or read since the last call.
    pub fn take_chronicled(&self) -> Vec<Chronicled> {
        std::mem::take(&mut self.lock().chronicled)
    }

    /// Says whether the machine is down.
    #[must_use]
    pub fn is_down(&self) -> bool {
        self.lock().is_down
    }

    /// Returns how many changes there were.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.lock().version
    }

    /// Returns how many boundaries there were.
    #[must_use]
    pub fn boundaries(&self) -> u64 {
        self.lock().boundaries
    }

    /// Brings the machine down.
    pub fn crash(&self) {
        self.lock().is_down = true;
        self.down.notify_one();
    }

    /// Restarts the machine with another clock; unsynced changes are lost.
    pub fn start(&self, clock: ServerClock) {
        let mut state = self.lock();
        state.is_down = false;
        state.settle_all();
        state.unsynced.clear();
        state.times.clear();
        state.resting.clear();
        state.started_at = clock.now();
        state.clock = clock;
        state.unreadable = state.one_to_refuse();
        state.forgets_place = state.flaw == Some(Flaw::PlaceForgotten);
    }

    /// From here on another node owns all games: every change of a log is refused.
    pub fn fence(&self) {
        self.lock().is_fenced = true;
    }

    /// Stops the disk's faults.
    pub fn behave(&self) {
        let mut state = self.lock();
        state.temper = Temper::default();
        state.crash_at = None;
        state.unreadable = None;
    }

    /// Lets a request wait; `None` when the machine went down meanwhile.
    pub(super) async fn wait(&self) -> Option<Fate> {
        if !self.reaches().await {
            return Some(Fate::Refuse);
        }
        let (wait_ms, fate) = {
            let mut state = self.lock();
            let temper = state.temper;
            let wait_ms = state.chance.ms(0, temper.wait_ms);
            let is_stalled = temper.stalls > 0 && state.chance.one_in(temper.stalls);
            let wait_ms = if is_stalled {
                wait_ms + state.chance.ms(500, 9_000)
            } else {
                wait_ms
            };
            let fate = if temper.refuses > 0 && state.chance.one_in(temper.refuses) {
                Fate::Refuse
            } else if temper.is_vague > 0 && state.chance.one_in(temper.is_vague) {
                Fate::Vague(match state.chance.below(4) {
                    0 | 1 => Vague::Stored,
                    2 => Vague::NotStored,
                    _ => Vague::Late,
                })
            } else {
                Fate::Do
            };
            (wait_ms, fate)
        };
        if wait_ms > 0 {
            let wait_ms = u64::try_from(wait_ms).unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        }
        self.lock().commit_late();
        self.boundary().then_some(fate)
    }

    /// Passes a boundary; says whether the machine still runs behind it.
    pub(super) fn boundary(&self) -> bool {
        let is_down = {
            let mut state = self.lock();
            if state.is_down {
                return false;
            }
            state.boundaries += 1;
            let (now, count) = (now_on_the_clock(), state.boundaries);
            let (_, before) = *match &mut state.hour {
                Some(hour) if now - hour.0 < HOUR => hour,
                hour => hour.insert((now, count)),
            };
            assert!(
                count - before < BOUNDARIES_PER_HOUR,
                "the disk is asked without end"
            );
            let crashes = state.temper.crashes;
            let is_planned = state.crash_at == Some(state.boundaries);
            state.is_down = is_planned || (crashes > 0 && state.chance.one_in(crashes));
            state.is_down
        };
        if is_down {
            self.down.notify_one();
        }
        !is_down
    }

    /// Returns an answer; `None`: the outcome is not told, or the answer does not arrive.
    pub(super) async fn answer<T>(&self, answer: Option<T>) -> Option<T> {
        self.changed.notify_one();
        if !self.boundary() {
            return std::future::pending().await;
        }
        match self.reaches().await {
            true => answer,
            false => None,
        }
    }
}

impl State {
    pub(super) const fn temper(&self) -> Temper {
        self.temper
    }

    /// A start seldom meets a disk that refuses just then: where disks refuse, one game in some starts is made sure of.
    fn one_to_refuse(&mut self) -> Option<GameId> {
        if self.temper.refuses == 0 || !self.starts.one_in(3) {
            return None;
        }
        let games = self.durable.games.iter();
        let mut played: Vec<&GameId> = games
            .filter(|(_, stored)| !stored.is_finished)
            .map(|(game, _)| game)
            .collect();
        (!played.is_empty()).then(|| played.swap_remove(self.starts.index(played.len())).clone())
    }

    /// Says whether a game is not to be read this time.
    pub(super) fn refuses_to_read(&mut self, game: &GameId) -> bool {
        self.unreadable
            .take_if(|unreadable| unreadable == game)
            .is_some()
    }

    /// Stores a change, and reports what it has done.
    pub(super) fn commit(&mut self, mut change: Change, asked_at: Timestamp) -> Done {
        if self.swallows(&change) {
            self.unsynced.push(change);
            return Done::Stored;
        }
        self.distort(&mut change);
        let before = Outboxes::before(&change, &self.durable);
        let done = self.durable.platter.commit(&change);
        if matches!(done, Done::Stored | Done::Numbered(_)) {
            self.durable.note(&change, self.clock.now());
            self.report(&change);
            self.tell_steps(&change, &before, asked_at);
        }
        done
    }

    fn report(&mut self, change: &Change) {
        match change {
            Change::Create { meta, first, .. } => self.news(&meta.game, first),
            Change::Append { game, records, .. } => self.news(game, records),
            Change::Chapter(chapter) => {
                let results = chapter.results.iter().map(|(new, _)| new.clone());
                let (results, until) = (results.collect(), chapter.until);
                self.chronicle(Step::Written { results, until });
            }
            _ => {}
        }
    }

    /// Reports a step of the chronicle.
    pub(super) fn chronicle(&mut self, step: Step) {
        let version = self.version;
        self.chronicled.push(Chronicled { version, step });
    }
}
