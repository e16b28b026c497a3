//! The task that sends the lobby's changes to its subscribers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilewire_protocol::{CloseCode, IdentityId, LobbyChange};
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::Notify;

use super::feed::Feed;
use super::services::Services;
use tilewire_accounts::people::Blocks;
use tilewire_delivery::outbound::fan_out;

/// Shortest time between two fan-outs.
const PAUSE_MS: Millis = Millis(20);
/// Longest time between two fan-outs.
const PAUSE_MAX_MS: Millis = Millis(500);
/// The pause after a fan-out is this many times as long as the fan-out: with many subscribers, changes wait for each
/// other.
const PAUSE_TO_TELLING: i64 = 9;

/// The feed, and the signal that it has changes.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    feed: Mutex<Feed>,
    changed: Notify,
}

impl Publisher {
    /// Returns the feed.
    pub(super) fn feed(&self) -> MutexGuard<'_, Feed> {
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a change to the feed.
    pub(super) fn announce(&self, change: LobbyChange) {
        self.feed().announce(change);
        self.changed.notify_one();
    }

    /// Adds a change of a seek that does not exist for some identities.
    pub(super) fn announce_except(&self, excluded: Vec<IdentityId>, change: LobbyChange) {
        self.feed().announce_except(excluded, change);
        self.changed.notify_one();
    }

    /// Adds a change for two identities only: whether they see the seek may have changed.
    pub(super) fn announce_between(
        &self,
        pair: [String; 2],
        excluded: Vec<IdentityId>,
        change: LobbyChange,
    ) {
        self.feed().announce_between(pair, excluded, change);
        self.changed.notify_one();
    }

    /// Sends changes for ever.
    pub(super) async fn run(self: Arc<Self>, services: Services) {
        loop {
            self.changed.notified().await;
            while self.feed().has_changes() {
                let began_at = services.clock.now();
                self.send(&services.blocks).await;
                tokio::time::sleep(pause(&services, began_at)).await;
            }
        }
    }

    async fn send(&self, blocks: &Blocks) {
        let dispatches = self.feed().dispatches(blocks);
        match fan_out(dispatches).await {
            Ok(missed) => {
                let mut feed = self.feed();
                for (peer, _) in missed {
                    feed.unsubscribe(peer);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a fan-out to the lobby's subscribers panicked");
                // A client that reconnects gets the current lists.
                self.feed()
                    .dismiss(CloseCode::GoingAway, "This connection fell behind the lobby feed; reconnect to get the current lists.");
            }
        }
    }
}

fn pause(services: &Services, began_at: Timestamp) -> Duration {
    let took = services.clock.now() - began_at;
    let pause = (took * PAUSE_TO_TELLING).clamp(PAUSE_MS, PAUSE_MAX_MS);
    let least = match services.overload.level().shows_at_once() {
        true => Millis::ZERO,
        false => services.overload.group_ms(),
    };
    pause.max(least).to_duration()
}
