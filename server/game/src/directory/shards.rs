//! The games of a shard, all together: they enter memory when this node gets the shard, and leave it when another one does.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::StreamExt;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;
use tokio::time::sleep;

use super::gates::{Opening, Word};
use super::{Directory, LOADING_AT_ONCE, Opened};
use tilewire_store::{Shard, Shards};

/// The opened gate of a shard.
#[derive(Debug, Clone, Copy)]
pub struct OpenShard {
    shard: Shard,
    opening: Opening,
}

impl Directory {
    /// Reads which games of some shards are awake; asks until the storage answers.
    pub async fn awake_in(&self, shards: Shards) -> BTreeMap<Shard, Vec<GameId>> {
        let pause = self.shared.bounds.storage_retry_max_ms.to_duration();
        loop {
            match self.shared.journal.awake(shards).await {
                Ok(games) => {
                    let mut found = BTreeMap::<Shard, Vec<GameId>>::new();
                    for game in games {
                        found.entry(Shard::of(&game)).or_default().push(game);
                    }
                    return found;
                }
                Err(error) => {
                    tracing::warn!(%error, "the games of a shard could not be listed now")
                }
            }
            sleep(pause).await;
        }
    }

    /// Lets games of a shard enter memory. The games that were here before must have left it ([`Directory::shard_emptied`]).
    pub fn open_shard(&self, shard: Shard) -> OpenShard {
        // A fault of another time says nothing about the log now.
        self.games.fallen.retain(|game, _| Shard::of(game) != shard);
        self.games.broken.retain(|game| Shard::of(game) != shard);
        OpenShard {
            shard,
            opening: self.gates.open(shard),
        }
    }

    /// Loads games of a shard and gives their players back the time since `since`. Returns when all of them are in memory, or
    /// the shard is closed; a game that cannot be read now is tried again until then.
    pub async fn take_up(&self, open: OpenShard, games: Vec<GameId>, since: Option<Timestamp>) {
        let pause = self.shared.bounds.storage_retry_max_ms.to_duration();
        let mut left = games;
        while !left.is_empty() && self.gates.is_open(open.shard, open.opening) {
            left = self.take_up_now(open, left, since).await;
            if !left.is_empty() {
                sleep(pause).await;
            }
        }
    }

    /// Loads what can be read now, and returns the rest.
    async fn take_up_now(
        &self,
        open: OpenShard,
        games: Vec<GameId>,
        since: Option<Timestamp>,
    ) -> Vec<GameId> {
        let mut unread = Vec::new();
        let mut loading = futures::stream::iter(games)
            .map(|game| Arc::clone(&self.loader).load(game))
            .buffer_unordered(LOADING_AT_ONCE);
        while let Some((game, read)) = loading.next().await {
            match read {
                Some(Ok(loaded)) => {
                    let entered = self.spawn(loaded, since, Opened::default(), Some(open.opening));
                    entered.ok(); // the shard was closed meanwhile
                }
                Some(Err(error)) => {
                    self.games.quarantine(&game, &error.to_string());
                }
                None => unread.push(game),
            }
        }
        unread
    }

    /// Waits until the games of a shard that are in memory have got their time back.
    pub async fn shard_credited(&self, shard: Shard) {
        self.gates.credited(shard).await;
    }

    /// Lets the games of a shard finish what they are storing, refuse what waits for it, and leave memory; none enters it.
    pub fn hand_over_shard(&self, shard: Shard) {
        self.gates.close(shard, Word::HandOver);
    }

    /// Lets the games of a shard leave memory at once; none enters it.
    pub fn forget_shard(&self, shard: Shard) {
        self.gates.close(shard, Word::Forget);
    }

    /// Waits until no game of a shard is in memory.
    pub async fn shard_emptied(&self, shard: Shard) {
        self.gates.emptied(shard).await;
    }
}
