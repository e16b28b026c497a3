//! Dispatch those who follow the lobby, beside the desk.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilewire_protocol::{CloseCode, LobbyChange};
use tokio::sync::Notify;

use super::board::Board;
use super::services::Services;
use crate::outbound::fan_out;

/// Least time between two times that everybody is told, ms.
const PAUSE_MS: i64 = 20;
/// Longest such time, ms.
const PAUSE_MAX_MS: i64 = 500;
/// How much longer than telling the pause after it is: with a crowd that takes long to tell, news wait for each other.
const PAUSE_TO_TELLING: i64 = 9;

/// Those who follow the lobby.
#[derive(Debug, Default)]
pub(super) struct Followers {
    board: Mutex<Board>,
    changed: Notify,
}

impl Followers {
    /// Returns who follows, and what they are yet to be told.
    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets everybody be told, in a moment.
    pub(super) fn announce(&self, change: LobbyChange) {
        self.board().announce(change);
        self.changed.notify_one();
    }

    /// Tells what there is until nobody can be told any more.
    pub(super) async fn run(self: Arc<Self>, services: Services) {
        loop {
            self.changed.notified().await;
            while self.board().has_news() {
                let began_at = services.clock.now();
                self.tell().await;
                tokio::time::sleep(pause(&services, began_at)).await;
            }
        }
    }

    async fn tell(&self) {
        let tellings = self.board().tellings();
        match fan_out(tellings).await {
            Ok(missed) => {
                let mut board = self.board();
                for (peer, _) in missed {
                    board.unfollow(peer);
                }
            }
            Err(error) => {
                tracing::error!(%error, "those who follow the lobby could not be told");
                // Whoever comes back asks for the lists.
                self.board()
                    .dismiss(CloseCode::GoingAway, "the lobby's news were lost");
            }
        }
    }
}

fn pause(services: &Services, began_at: i64) -> Duration {
    let took = services.clock.now() - began_at;
    let pause = (took * PAUSE_TO_TELLING).clamp(PAUSE_MS, PAUSE_MAX_MS);
    let least = match services.overload.level().shows_at_once() {
        true => 0,
        false => services.overload.group_ms(),
    };
    Duration::from_millis(pause.max(least).unsigned_abs())
}
