//! News about public games, for the lobby.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tilewire_protocol::GameSummary;
use tokio::sync::broadcast;

/// A public game began or ended.
#[derive(Debug, Clone)]
pub enum GameNews {
    /// Its first turn began.
    Started(GameSummary),
    /// It is over.
    Ended(GameSummary),
}

/// Tells the lobby about public games, and counts what it has told.
#[derive(Debug, Clone)]
pub(super) struct NewsChannel {
    sender: broadcast::Sender<GameNews>,
    count: Arc<AtomicU64>,
}

impl NewsChannel {
    /// Returns a channel of this capacity for news.
    pub(super) fn new(waiting: usize) -> Self {
        Self {
            sender: broadcast::channel(waiting).0,
            count: Arc::default(),
        }
    }

    pub(super) fn tell(&self, news: GameNews) {
        self.count.fetch_add(1, Ordering::SeqCst);
        // While the server starts, there is no listener yet.
        self.sender.send(news).ok();
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<GameNews> {
        self.sender.subscribe()
    }

    /// Returns how many news there were so far.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }
}
