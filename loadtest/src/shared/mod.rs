//! The state that all clients of a run share: the server's address, the recorder, the lexicon, and when to stop.

mod behavior;
mod pairing;
mod signal;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use tilewire_protocol::{Token, Welcome};
use tilewire_rules::bot::{Bot, BotLevel};
use tilewire_rules::lexicon::{FstLexicon, Lexicon, WordGraphs};
use tokio::sync::watch;
use tokio::time::timeout;

pub use behavior::{Behavior, Pacing, options};
pub use pairing::{Offer, Pairing, Seeks};
pub use signal::{Mode, ParentMessage, Relay, relay};

use crate::link::Link;
use crate::recorder::{Counter, Recorder};
use crate::transcript::{FrameCache, Transcript};
use crate::witness::Witness;

/// For how long a client waits for one of several servers before it tries the next one.
const NODE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// So many mean pauses between two turns are no silence yet.
const SILENT_TURNS: u32 = 8;
/// The mean pause before a client of several servers tries the next one.
pub(crate) const HOP_AFTER: Duration = Duration::from_millis(100);

/// The state that all clients of a run share.
#[derive(Debug)]
pub struct Shared {
    /// The address of the server, `ADDR:PORT`; of several servers, that of the first one.
    pub address: String,
    /// The addresses of all servers.
    pub(crate) nodes: Vec<String>,
    /// Takes down what clients of several servers see.
    pub(crate) witness: Witness,
    /// Counters and latencies.
    pub recorder: Recorder,
    /// Decodes each frame once for all its recipients.
    pub frames: FrameCache,
    /// The lexicon of the players.
    pub lexicon: Arc<FstLexicon>,
    /// The same lexicon for generating plays.
    pub words: Arc<WordGraphs>,
    /// How the players behave.
    pub behavior: Arc<Behavior>,
    mode: watch::Sender<Mode>,
    storm: watch::Sender<u32>,
    /// Messages to the client processes.
    pub relay: Relay,
    /// Whether spectators reconnect after a storm as new clients, without any state of the game.
    pub forgets_in_storms: AtomicBool,
    transcripts: Mutex<Vec<Transcript>>,
    faults: Mutex<Vec<String>>,
    errors: Mutex<BTreeMap<String, u64>>,
    bots: Mutex<Vec<(BotLevel, Bot)>>,
}

impl Shared {
    /// The state of a run that has not begun.
    pub fn new(address: String, behavior: Behavior) -> Arc<Self> {
        Self::of_nodes(vec![address], behavior)
    }

    /// The same with several servers that share their games. A client may connect to any of them.
    pub(crate) fn of_nodes(nodes: Vec<String>, behavior: Behavior) -> Arc<Self> {
        let lexicon = FstLexicon::builtin();
        let words = lexicon
            .graphs()
            .unwrap_or_else(|| Arc::new(WordGraphs::new(&lexicon)));
        Arc::new(Self {
            address: nodes.first().cloned().unwrap_or_default(),
            nodes,
            witness: Witness::default(),
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

    /// Whether there are several servers.
    pub(crate) const fn has_nodes(&self) -> bool {
        self.nodes.len() > 1
    }

    /// Connects to the server that a client has chosen; see [`Link::enter`].
    ///
    /// # Errors
    /// When the server refuses, or one of several servers does not answer in time.
    pub(crate) async fn enter(&self, node: usize, token: Option<Token>) -> Result<(Link, Welcome)> {
        let place = node.checked_rem(self.nodes.len()).unwrap_or(0);
        let address = self.nodes.get(place).unwrap_or(&self.address);
        if !self.has_nodes() {
            return Link::enter(address, token).await;
        }
        timeout(NODE_ANSWERS_WITHIN, Link::enter(address, token))
            .await
            .context("no answer in time")?
    }

    /// For how long a client of several servers waits for a message before it tries the next server. Turns are scheduled
    /// closer together.
    pub(crate) fn silence_max(&self) -> Option<Duration> {
        let pause = match self.behavior.pacing {
            Pacing::Mean(mean) => mean * SILENT_TURNS,
            Pacing::Flat | Pacing::Bursts(..) => Duration::ZERO,
        };
        self.has_nodes().then(|| pause.max(NODE_ANSWERS_WITHIN))
    }

    /// Whether the server is on this machine and therefore has the same clock.
    pub fn is_local(&self) -> bool {
        let address = self.address.parse::<SocketAddr>();
        address.is_ok_and(|address| address.ip().is_loopback())
    }

    /// Sets the mode of all clients.
    pub fn set_mode(&self, mode: Mode) {
        self.mode.send_replace(mode);
        self.broadcast(ParentMessage::Mode(mode));
    }

    /// Sends a message to all client processes.
    pub fn broadcast(&self, message: ParentMessage) {
        drop(self.relay.send(message));
    }

    /// Notifies of changes of the mode.
    pub fn modes(&self) -> watch::Receiver<Mode> {
        self.mode.subscribe()
    }

    /// The current mode.
    pub fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// Starts a reconnect storm: all participating clients drop their connections at once.
    pub fn storm(&self) {
        self.storm.send_modify(|storms| *storms += 1);
        let forgets = self.forgets_in_storms.load(Ordering::Relaxed);
        self.broadcast(ParentMessage::Storm(forgets));
    }

    /// Notifies of storms.
    pub fn storms(&self) -> watch::Receiver<u32> {
        self.storm.subscribe()
    }

    /// Adds the transcript of a client.
    pub fn add_transcript(&self, transcript: Transcript) {
        lock(&self.transcripts).push(transcript);
    }

    /// Adds a violation that belongs to no game.
    pub fn fault(&self, what: String) {
        lock(&self.faults).push(what);
    }

    /// Counts an error that a run survives, by kind.
    pub fn error(&self, kind: impl Into<String>) {
        self.recorder.count(Counter::Errors);
        *lock(&self.errors).entry(kind.into()).or_default() += 1;
    }

    /// Adds the errors of another process: `known` are its previous counts. Its counters arrive separately.
    pub fn add_errors(&self, known: &[(String, u64)], all: &[(String, u64)]) {
        let mut errors = lock(&self.errors);
        for (kind, count) in all {
            let before = known.iter().find(|(known, _)| known == kind);
            let more = count.saturating_sub(before.map_or(0, |(_, count)| *count));
            *errors.entry(kind.clone()).or_default() += more;
        }
    }

    /// The number of errors by kind.
    pub fn errors(&self) -> BTreeMap<String, u64> {
        lock(&self.errors).clone()
    }

    /// Takes the transcripts, and the violations that belong to no game.
    pub fn take_transcripts(&self) -> (Vec<Transcript>, Vec<String>) {
        let transcripts = std::mem::take(&mut *lock(&self.transcripts));
        (transcripts, std::mem::take(&mut *lock(&self.faults)))
    }

    /// Lends a bot. All bots share the lexicon and keep no state of a game.
    pub fn with_bot<T>(&self, level: BotLevel, use_it: impl FnOnce(&mut Bot) -> T) -> T {
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
