//! Wakes sleeping games before their deadlines.

use futures::StreamExt;
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::time::sleep;

use super::{Directory, FindError};
use tilewire_base::metrics;
use tilewire_config::Config;
use tilewire_store::Sleeper;

/// Time between two looks at sleeping games while shards come and go, or while the storage does not answer.
const LOOK_AGAIN_MS: Millis = Millis(500);

/// The settings of waking.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakeBounds {
    /// Time before its deadline at which a game is loaded.
    ahead_ms: Millis,
    /// Longest time between two checks.
    poll_ms: Millis,
    /// Pause when the storage does not answer.
    retry_ms: Millis,
    /// Games loaded at the same time.
    at_once: usize,
}

impl From<&Config> for WakeBounds {
    fn from(config: &Config) -> Self {
        Self {
            ahead_ms: config.timing.wake_ahead_ms,
            poll_ms: config.timing.wake_poll_ms,
            retry_ms: config.timing.storage_retry_max_ms.min(LOOK_AGAIN_MS),
            at_once: config.limits.games_woken,
        }
    }
}

impl Directory {
    /// Wakes each sleeping game shortly before its next deadline; never returns.
    ///
    /// A game falls asleep only if its deadline is later than the next check, so no game is missed, and each is woken
    /// once, and again when shards have come or gone. If it does nothing, it stays asleep in the storage, and its room has its deadline.
    /// Among several nodes, each check begins with the first deadline: the node with the lobby stores new games of the others asleep.
    pub async fn wake_sleepers(&self) {
        let mut last = None;
        let mut counted_at = Timestamp::MIN;
        let mut changes = self.placement.changes();
        loop {
            let now = self.shared.clock.now();
            if now - counted_at >= self.wake.poll_ms
                && let Ok(count) = self.shared.journal.asleep().await
            {
                metrics::games_asleep(count);
                counted_at = now;
            }
            let wait_ms = self.wake_due(&mut last).await;
            tokio::select! {
                () = sleep(wait_ms.to_duration()) => {}
                Ok(()) = changes.changed() => {
                    // Games of a shard that has come can be due before those that were woken last.
                    last = None;
                    sleep(LOOK_AGAIN_MS.to_duration()).await;
                }
            }
        }
    }

    /// Wakes the due games after `last`, up to the limit. Returns the time until the next check.
    async fn wake_due(&self, last: &mut Option<Sleeper>) -> Millis {
        let sleepers =
            self.shared
                .journal
                .sleepers(self.placement.mine(), last.clone(), self.wake.at_once);
        let sleepers = match sleepers.await {
            Ok(sleepers) => sleepers,
            Err(error) => {
                tracing::warn!(%error, "the sleeping games could not be read");
                return self.wake.retry_ms;
            }
        };
        let until = self.shared.clock.now() + self.wake.ahead_ms;
        let due = sleepers.partition_point(|sleeper| sleeper.wakes_at <= until);
        let wake = |sleeper: &Sleeper| self.wake(sleeper.game.clone());
        futures::stream::iter(sleepers[..due].iter().map(wake))
            .buffer_unordered(self.wake.at_once)
            .collect::<()>()
            .await;
        if due > 0 {
            *last = Some(sleepers[due - 1].clone());
            return Millis::ZERO;
        }
        if !self.placement.is_alone() {
            *last = None;
        }
        let next = sleepers.first().map(|next| next.wakes_at - until);
        next.map_or(self.wake.poll_ms, |wait_ms| wait_ms.min(self.wake.poll_ms))
    }

    /// Loads a game; its room knows its deadline. A game that cannot go on is set aside.
    async fn wake(&self, game: GameId) {
        while self.find(&game).await.err() == Some(FindError::Unavailable) {
            sleep(self.wake.retry_ms.to_duration()).await;
        }
    }
}
