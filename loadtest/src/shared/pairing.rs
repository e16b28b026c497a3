//! The players of a game and its spectators: which game is being played, and when each turn was due.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tilewire_protocol::{GameId, SeekId};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::Shared;
use super::signal::{ParentMessage, Relay};
use crate::host;
use crate::recorder::Recorder;

/// Turns of a game whose due times are kept; no game has more.
const TURNS_MAX: usize = 2_048;

/// The players of a game and their spectators, over many games.
#[derive(Debug)]
pub struct Pairing {
    /// The game being played.
    pub game: watch::Sender<Option<GameId>>,
    // When the command of each turn should have been sent, microseconds of the meter; 0: not yet.
    intended: Vec<AtomicU64>,
    next_at: AtomicU64,
    // The relay to client processes, and the zero of the recorder as Unix time.
    others: OnceLock<(Relay, i64)>,
}

/// Tells the guests of a pairing which seek to join.
pub type Seeks = broadcast::Receiver<SeekId>;
/// Sends the owner's seeks to the guests.
pub type Offer = broadcast::Sender<SeekId>;
/// Seeks that may wait for a guest; older ones are closed by then.
const SEEKS_WAITING: usize = 16;

impl Pairing {
    /// A pairing without a game, and the two ends of its channel for seeks.
    pub fn new() -> (Arc<Self>, Offer, Seeks) {
        let (offer, seeks) = broadcast::channel(SEEKS_WAITING);
        let pairing = Self {
            game: watch::Sender::new(None),
            intended: (0..TURNS_MAX).map(|_| AtomicU64::new(0)).collect(),
            next_at: AtomicU64::new(0),
            others: OnceLock::new(),
        };
        (Arc::new(pairing), offer, seeks)
    }

    /// Begins a game; its first turn is due at `first_at`.
    pub fn begin(&self, game: GameId, first_at: u64) {
        for intended in &self.intended {
            intended.store(0, Ordering::Relaxed);
        }
        self.next_at.store(first_at, Ordering::Relaxed);
        self.game.send_replace(Some(game.clone()));
        if let Some((relay, _)) = self.others.get() {
            drop(relay.send(ParentMessage::Game(game)));
        }
    }

    /// Publishes games and turns to the client processes from now on.
    pub fn tell(&self, shared: &Shared) {
        let now = i64::try_from(shared.recorder.moment_us(host::now())).unwrap_or(0);
        let zero = host::unix_us() - now;
        self.others.get_or_init(|| (shared.relay.clone(), zero));
    }

    /// When the next turn is due by the schedule, which does not wait for the server.
    pub fn next_at(&self) -> u64 {
        self.next_at.load(Ordering::Relaxed)
    }

    /// Notes that the turn was due at `at`; the next one is due `pause` later.
    pub fn turn_due(&self, turn_no: u32, at: u64, pause: Duration) {
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

    /// The time since the command of a turn was due; `None` if the turn has no due time.
    pub fn since_due(&self, recorder: &Recorder, turn_no: u32, now: Instant) -> Option<Duration> {
        let due = self.intended(turn_no)?.load(Ordering::Relaxed);
        let now = recorder.moment_us(now);
        (due > 0).then(|| Duration::from_micros(now.saturating_sub(due)))
    }

    fn intended(&self, turn_no: u32) -> Option<&AtomicU64> {
        self.intended.get(usize::try_from(turn_no).ok()?)
    }
}
