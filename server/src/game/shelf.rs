//! What everybody may know of a game without asking it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewire_protocol::{GameSummary, Phase};

/// A game's line in lists, kept up to date by its actor.
#[derive(Debug)]
pub(super) struct Shelf {
    summary: Mutex<GameSummary>,
    /// The line that its own players see, if that is another one.
    own: Mutex<Option<GameSummary>>,
    players: Vec<String>,
    created_at: i64,
    is_finished: AtomicBool,
    /// How many games of the server are being played.
    running: Arc<AtomicUsize>,
}

impl Shelf {
    /// Puts up a game; one that is not over counts as running from here on.
    pub(super) fn new(
        summary: GameSummary,
        players: Vec<String>,
        created_at: i64,
        is_finished: bool,
        running: Arc<AtomicUsize>,
    ) -> Self {
        if !is_finished {
            running.fetch_add(1, Ordering::Relaxed);
        }
        Self {
            summary: Mutex::new(summary),
            own: Mutex::default(),
            players,
            created_at,
            is_finished: AtomicBool::new(is_finished),
            running,
        }
    }

    pub(super) fn put(&self, summary: GameSummary) {
        *self.lock() = summary;
    }

    pub(super) fn put_own(&self, summary: GameSummary) {
        *self.own.lock().unwrap_or_else(PoisonError::into_inner) = Some(summary);
    }

    pub(super) fn summary(&self) -> GameSummary {
        self.lock().clone()
    }

    /// The line as the game's own players see it, unless it is over for them.
    pub(super) fn own_unfinished(&self) -> Option<GameSummary> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        match &*own {
            Some(line) => unfinished(line),
            None => unfinished(&self.lock()),
        }
    }

    pub(super) fn players(&self) -> &[String] {
        &self.players
    }

    pub(super) const fn created_at(&self) -> i64 {
        self.created_at
    }

    pub(super) fn is_finished(&self) -> bool {
        self.is_finished.load(Ordering::Relaxed)
    }

    /// The game is over, or has left memory: it does not count as running any more.
    pub(super) fn finish(&self) {
        if !self.is_finished.swap(true, Ordering::Relaxed) {
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, GameSummary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unfinished(line: &GameSummary) -> Option<GameSummary> {
    (line.phase != Phase::Ended).then(|| line.clone())
}
