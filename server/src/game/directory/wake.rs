//! Wakes sleeping games when their deadlines have come.

use std::time::Duration;

use futures::StreamExt;
use tokio::time::sleep;

use super::{Directory, FindError};
use crate::config::Config;
use crate::metrics;
use crate::storage::Sleeper;

/// When and how many games are woken.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakeBounds {
    /// How long before its deadline a game is loaded, ms.
    ahead_ms: i64,
    /// Longest time between two looks, ms.
    poll_ms: i64,
    /// How long to wait for a storage that does not answer, ms.
    retry_ms: i64,
    /// Games woken at once.
    at_once: usize,
}

impl From<&Config> for WakeBounds {
    fn from(config: &Config) -> Self {
        Self {
            ahead_ms: config.timing.wake_ahead_ms,
            poll_ms: config.timing.wake_poll_ms,
            retry_ms: config.timing.storage_retry_max_ms,
            at_once: config.limits.games_woken,
        }
    }
}

impl Directory {
    /// Wakes each sleeping game shortly before its next deadline; never returns.
    ///
    /// Nobody says here that a game has fallen asleep: it does so only if its deadline is further away than the next
    /// look. So no game is passed over, and each is woken once; if it does nothing it sleeps on in the storage, and its
    /// room has its deadline.
    pub async fn wake_sleepers(&self) {
        let mut last = None;
        let mut counted_at = i64::MIN;
        loop {
            let now = self.around.clock.now();
            if now.saturating_sub(counted_at) >= self.wake.poll_ms
                && let Ok(count) = self.around.journal.asleep().await
            {
                metrics::games_asleep(count);
                counted_at = now;
            }
            let wait_ms = u64::try_from(self.wake_due(&mut last).await).unwrap_or(0);
            sleep(Duration::from_millis(wait_ms)).await;
        }
    }

    /// Wakes the games after `last` that are due, as many as are woken at once. Returns when to look again, ms.
    async fn wake_due(&self, last: &mut Option<Sleeper>) -> i64 {
        let sleepers = self
            .around
            .journal
            .sleepers(last.clone(), self.wake.at_once);
        let sleepers = match sleepers.await {
            Ok(sleepers) => sleepers,
            Err(error) => {
                tracing::warn!(%error, "the sleeping games could not be read");
                return self.wake.retry_ms;
            }
        };
        let until = self.around.clock.now() + self.wake.ahead_ms;
        let due = sleepers.partition_point(|sleeper| sleeper.wakes_at <= until);
        let wake = |sleeper: &Sleeper| self.wake(sleeper.game.clone());
        futures::stream::iter(sleepers[..due].iter().map(wake))
            .buffer_unordered(self.wake.at_once)
            .collect::<()>()
            .await;
        if due > 0 {
            *last = Some(sleepers[due - 1].clone());
            return 0;
        }
        let next = sleepers.first().map(|next| next.wakes_at - until);
        next.map_or(self.wake.poll_ms, |wait_ms| wait_ms.min(self.wake.poll_ms))
    }

    /// Takes a game into memory; its room knows what is due. One that cannot be played on is left alone, as ever.
    async fn wake(&self, game: String) {
        while self.find(&game).await.err() == Some(FindError::Unavailable) {
            sleep(Duration::from_millis(self.wake.retry_ms.unsigned_abs())).await;
        }
    }
}
