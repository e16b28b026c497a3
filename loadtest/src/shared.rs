//! What all clients of a run share: the address, the instruments, the words, and when to stop.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewire_protocol::{Challenge, ChallengeKind, Clock, FirstPlay, GameId, GameOptions, SeekId};
use tilewire_rules::bot::{Bot, BotLevel};
use tilewire_rules::lexicon::{FstLexicon, Lexicon, WordGraphs};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::fleet::{ParentMessage, Relay, relay};
use crate::host;
use crate::recorder::{Counter, Recorder};
use crate::rng::Rng;
use crate::transcript::{FrameCache, Transcript};

/// What clients do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// Play on, one game after the other.
    Playing,
    /// Finish the games at hand without thinking.
    Finishing,
    /// Leave.
    Leaving,
}

/// How the players of a run behave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Behavior {
    /// How well they play.
    #[serde(with = "crate::args::level_name")]
    pub(crate) level: BotLevel,
    /// When turns are due.
    pub(crate) pacing: Pacing,
    /// Turns after which nobody moves any more.
    pub(crate) turns_max: Option<u32>,
    /// Whether players pass as often as the rules let them, so that games last.
    pub(crate) prefers_passing: bool,
    /// Shortest and longest budget of a game's clocks, milliseconds; chance decides for each game.
    pub(crate) budget_ms: (i64, i64),
    /// Share of turns with an illegal play before the legal one.
    pub(crate) illegal: f64,
    /// Share of commands sent twice.
    pub(crate) repeated: f64,
    /// Share of commands after which the connection is dropped and resumed.
    pub(crate) dropped: f64,
    /// The options of the games.
    pub(crate) options: GameOptions,
    /// What everything follows from.
    pub(crate) seed: u64,
}

/// When the turns of a game are due.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Pacing {
    /// Each as soon as the one before is known: no schedule.
    Flat,
    /// By chance, with this mean time between two, whatever the server does.
    Mean(Duration),
    /// So many as fast as they go, and again after a time.
    Bursts(u32, Duration),
}

impl Pacing {
    /// The time from the turn `turn_no` to the next one.
    pub(crate) fn pause(self, turn_no: u32, rng: &mut Rng) -> Duration {
        match self {
            Self::Mean(mean) => rng.exponential(mean),
            Self::Bursts(size, every) if turn_no.is_multiple_of(size.max(1)) => every,
            Self::Flat | Self::Bursts(..) => Duration::ZERO,
        }
    }
}

/// The options of a usual game of two.
pub(crate) fn options(clock: Clock, challenge: ChallengeKind) -> GameOptions {
    GameOptions {
        rule_set: "classic".to_owned(),
        seats: 2,
        lexicon: "wordnik".to_owned(),
        language: None,
        clock: Some(clock),
        challenge: Some(Challenge::of(challenge)),
        end: None,
        all_played: None,
        uncatchable: None,
        ties: None,
        first: Some(FirstPlay::Owner),
        vanish_claim_ms: None,
        spectators: None,
    }
}

/// What all clients of a run share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Where the server is, `ADDR:PORT`.
    pub(crate) address: String,
    /// Everything counted and timed.
    pub(crate) recorder: Recorder,
    /// Reads frames that many are sent.
    pub(crate) frames: FrameCache,
    /// The words the players know.
    pub(crate) lexicon: Arc<FstLexicon>,
    /// The same words laid out for finding plays.
    pub(crate) words: Arc<WordGraphs>,
    /// How the players behave.
    pub(crate) behavior: Arc<Behavior>,
    mode: watch::Sender<Mode>,
    storm: watch::Sender<u32>,
    /// Where clients in other processes learn what happens.
    pub(crate) relay: Relay,
    /// Whether spectators come back from a storm as strangers, who have nothing of the game.
    pub(crate) forgets_in_storms: AtomicBool,
    transcripts: Mutex<Vec<Transcript>>,
    faults: Mutex<Vec<String>>,
    errors: Mutex<BTreeMap<String, u64>>,
    bots: Mutex<Vec<(BotLevel, Bot)>>,
}

impl Shared {
    /// A stage on which nothing has happened.
    pub(crate) fn new(address: String, behavior: Behavior) -> Arc<Self> {
        let lexicon = FstLexicon::builtin();
        let words = lexicon
            .graphs()
            .unwrap_or_else(|| Arc::new(WordGraphs::new(&lexicon)));
        Arc::new(Self {
            address,
            recorder: Recorder::new(),
            frames: FrameCache::default(),
            lexicon,
            words,
            behavior: Arc::new(behavior),
            mode: watch::Sender::new(Mode::Playing),
            storm: watch::Sender::new(0),
            relay: relay(),
            forgets_in_storms: AtomicBool::new(false),
            transcripts: Mutex::default(),
            faults: Mutex::default(),
            errors: Mutex::default(),
            bots: Mutex::default(),
        })
    }

    /// Whether the server is on this machine, so that its clock is ours.
    pub(crate) fn is_local(&self) -> bool {
        let address = self.address.parse::<SocketAddr>();
        address.is_ok_and(|address| address.ip().is_loopback())
    }

    /// Tells every client what to do from now on.
    pub(crate) fn set_mode(&self, mode: Mode) {
        self.mode.send_replace(mode);
        self.broadcast(ParentMessage::Mode(mode));
    }

    /// Tells the clients in other processes, if there are any.
    pub(crate) fn broadcast(&self, message: ParentMessage) {
        drop(self.relay.send(message));
    }

    /// Where clients learn what to do.
    pub(crate) fn modes(&self) -> watch::Receiver<Mode> {
        self.mode.subscribe()
    }

    /// What clients do now.
    pub(crate) fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// Lets every spectator, and whoever else goes with them, lose its connection at once.
    pub(crate) fn storm(&self) {
        self.storm.send_modify(|storms| *storms += 1);
        let forgets = self.forgets_in_storms.load(Ordering::Relaxed);
        self.broadcast(ParentMessage::Storm(forgets));
    }

    /// Where clients learn that they lose their connection.
    pub(crate) fn storms(&self) -> watch::Receiver<u32> {
        self.storm.subscribe()
    }

    /// Takes in what a client was told of a game.
    pub(crate) fn add_transcript(&self, transcript: Transcript) {
        lock(&self.transcripts).push(transcript);
    }

    /// Takes in that something was wrong that belongs to no game.
    pub(crate) fn fault(&self, what: String) {
        lock(&self.faults).push(what);
    }

    /// Counts an error that a run survives, by kind.
    pub(crate) fn error(&self, kind: impl Into<String>) {
        self.recorder.count(Counter::Errors);
        *lock(&self.errors).entry(kind.into()).or_default() += 1;
    }

    /// Takes in the errors of another process, which counts them itself: `known` are those it told of before.
    pub(crate) fn add_errors(&self, known: &[(String, u64)], all: &[(String, u64)]) {
        let mut errors = lock(&self.errors);
        for (kind, count) in all {
            let before = known.iter().find(|(known, _)| known == kind);
            let more = count.saturating_sub(before.map_or(0, |(_, count)| *count));
            *errors.entry(kind.clone()).or_default() += more;
        }
    }

    /// How many errors there were of each kind.
    pub(crate) fn errors(&self) -> BTreeMap<String, u64> {
        lock(&self.errors).clone()
    }

    /// Everything clients were told so far, and what was wrong with it at first sight.
    pub(crate) fn take_transcripts(&self) -> (Vec<Transcript>, Vec<String>) {
        let transcripts = std::mem::take(&mut *lock(&self.transcripts));
        (transcripts, std::mem::take(&mut *lock(&self.faults)))
    }

    /// Lends a bot; all of them know the same words, and none remembers a game.
    pub(crate) fn with_bot<T>(&self, level: BotLevel, use_it: impl FnOnce(&mut Bot) -> T) -> T {
        let lent = {
            let mut bots = lock(&self.bots);
            let found = bots.iter().rposition(|(known, _)| *known == level);
            found.map(|at| bots.swap_remove(at).1)
        };
        let mut bot = lent.unwrap_or_else(|| Bot::new(level, Arc::clone(&self.words)));
        let used = use_it(&mut bot);
        lock(&self.bots).push((level, bot));
        used
    }
}

/// Turns of a game whose intended moments are remembered; no game has more.
const TURNS_MAX: usize = 2_048;

/// The players of a game and whoever watches them, over many games.
#[derive(Debug)]
pub(crate) struct Pairing {
    /// The game being played.
    pub(crate) game: watch::Sender<Option<GameId>>,
    // When the command of each turn should have been sent, microseconds of the meter; 0: not yet.
    intended: Vec<AtomicU64>,
    next_at: AtomicU64,
    // Who else is told, and the zero of the meter as the clock that all processes share has it.
    others: OnceLock<(Relay, i64)>,
}

/// How the guests of a pair learn what to join.
pub(crate) type Seeks = broadcast::Receiver<SeekId>;
/// How they are told.
pub(crate) type Offer = broadcast::Sender<SeekId>;
/// Seeks that may wait for a guest; older ones are gone anyway.
const SEEKS_WAITING: usize = 16;

impl Pairing {
    /// A pair that has not met, and the two ends of what they tell each other.
    pub(crate) fn new() -> (Arc<Self>, Offer, Seeks) {
        let (offer, seeks) = broadcast::channel(SEEKS_WAITING);
        let pairing = Self {
            game: watch::Sender::new(None),
            intended: (0..TURNS_MAX).map(|_| AtomicU64::new(0)).collect(),
            next_at: AtomicU64::new(0),
            others: OnceLock::new(),
        };
        (Arc::new(pairing), offer, seeks)
    }

    /// Begins a game: no turn has been played, the first is due after `pause`.
    pub(crate) fn begin(&self, game: GameId, first_at: u64) {
        for intended in &self.intended {
            intended.store(0, Ordering::Relaxed);
        }
        self.next_at.store(first_at, Ordering::Relaxed);
        self.game.send_replace(Some(game.clone()));
        if let Some((relay, _)) = self.others.get() {
            drop(relay.send(ParentMessage::Game(game)));
        }
    }

    /// Lets clients in other processes know of games and turns from now on.
    pub(crate) fn tell(&self, shared: &Shared) {
        let now = i64::try_from(shared.recorder.moment_us(host::now())).unwrap_or(0);
        let zero = host::unix_us() - now;
        self.others.get_or_init(|| (shared.relay.clone(), zero));
    }

    /// When the next turn is due by the schedule, which waits for nobody.
    pub(crate) fn next_at(&self) -> u64 {
        self.next_at.load(Ordering::Relaxed)
    }

    /// Notes that the turn was due at `at`; the next one is due `pause` later.
    pub(crate) fn turn_due(&self, turn_no: u32, at: u64, pause: Duration) {
        if let Some(intended) = self.intended(turn_no) {
            intended.store(at, Ordering::Relaxed);
        }
        if let Some((relay, zero)) = self.others.get() {
            let at = zero.saturating_add_unsigned(at);
            drop(relay.send(ParentMessage::Due(turn_no, at)));
        }
        let pause = host::micros(pause);
        self.next_at
            .store(at.saturating_add(pause), Ordering::Relaxed);
    }

    /// How long ago the command of a turn should have been sent; `None` for turns nobody timed.
    pub(crate) fn since_due(
        &self,
        recorder: &Recorder,
        turn_no: u32,
        now: Instant,
    ) -> Option<Duration> {
        let due = self.intended(turn_no)?.load(Ordering::Relaxed);
        let now = recorder.moment_us(now);
        (due > 0).then(|| Duration::from_micros(now.saturating_sub(due)))
    }

    fn intended(&self, turn_no: u32) -> Option<&AtomicU64> {
        self.intended.get(usize::try_from(turn_no).ok()?)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
