//! The gates of the shards: whether games of a shard may be in memory, and the word that ends all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use tilewire_store::Shard;

/// The order to all games of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// They are played here.
    Play,
    /// The server stops: they finish what they are storing, and leave memory.
    Stop,
    /// Another node gets them: they finish what they are storing, refuse what waits, and leave memory.
    HandOver,
    /// Another node has them: they leave memory at once.
    Forget,
}

/// How a game stands with the gate of its shard. Without a gate it is to be forgotten.
#[derive(Debug)]
pub(crate) struct Tenancy {
    pub(crate) shard: Shard,
    pub(crate) word: watch::Receiver<Word>,
    /// The number of games of the shard that wait for the credit of an outage.
    pub(crate) owing: Arc<watch::Sender<usize>>,
}

impl Tenancy {
    /// Waits for the next word.
    pub(crate) async fn changed(&mut self) -> Word {
        match self.word.changed().await {
            Ok(()) => *self.word.borrow(),
            Err(_) => Word::Forget,
        }
    }
}

/// Counts how often a shard was opened. A game that was read before does not enter later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opening(u64);

/// The gates of all shards.
#[derive(Debug)]
pub(super) struct Gates(Vec<Gate>);

/// The gate of a shard.
#[derive(Debug)]
struct Gate {
    now: Mutex<Now>,
    /// The actors of its games.
    games: TaskTracker,
}

#[derive(Debug)]
struct Now {
    opening: Opening,
    word: watch::Sender<Word>,
    owing: Arc<watch::Sender<usize>>,
}

impl Now {
    fn with(opening: Opening, word: Word) -> Self {
        Self {
            opening,
            word: watch::Sender::new(word),
            owing: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl Gates {
    /// All gates, open or closed.
    pub(super) fn all(is_open: bool) -> Self {
        let word = if is_open { Word::Play } else { Word::Forget };
        let gate = |_| {
            let games = TaskTracker::new();
            games.close(); // its games are waited for each time that the gate closes
            Gate {
                now: Mutex::new(Now::with(Opening(0), word)),
                games,
            }
        };
        Self((0..Shard::COUNT).map(gate).collect())
    }

    fn of(&self, Shard(shard): Shard) -> &Gate {
        &self.0[usize::from(shard)]
    }

    /// Starts a game of a shard, if the gate is open, and still the same as at `since`. `start` may not wait.
    pub(super) fn enter<T>(
        &self,
        shard: Shard,
        since: Option<Opening>,
        start: impl FnOnce(Tenancy, &TaskTracker) -> T,
    ) -> Option<T> {
        let gate = self.of(shard);
        let now = gate.now();
        let is_open = *now.word.borrow() == Word::Play;
        if !is_open || since.is_some_and(|since| since != now.opening) {
            return None;
        }
        let tenancy = Tenancy {
            shard,
            word: now.word.subscribe(),
            owing: Arc::clone(&now.owing),
        };
        Some(start(tenancy, &gate.games))
    }

    /// Opens the gate of a shard, whose games of an earlier opening have ended.
    pub(super) fn open(&self, shard: Shard) -> Opening {
        let mut now = self.of(shard).now();
        let opening = Opening(now.opening.0 + 1);
        *now = Now::with(opening, Word::Play);
        opening
    }

    /// Says whether the gate is open, and still the same.
    pub(super) fn is_open(&self, shard: Shard, opening: Opening) -> bool {
        let now = self.of(shard).now();
        now.opening == opening && *now.word.borrow() == Word::Play
    }

    /// Closes the gate of a shard with a word to its games. A game that was told to leave at once is told nothing else.
    pub(super) fn close(&self, shard: Shard, word: Word) {
        let now = self.of(shard).now();
        now.word.send_if_modified(|last| {
            let is_news = *last != word && *last != Word::Forget;
            if is_news {
                *last = word;
            }
            is_news
        });
    }

    /// Closes all gates.
    pub(super) fn close_all(&self, word: Word) {
        for shard in (0..=u8::MAX).map(Shard) {
            self.close(shard, word);
        }
    }

    /// Waits until no game of a shard is in memory.
    pub(super) async fn emptied(&self, shard: Shard) {
        self.of(shard).games.wait().await;
    }

    /// Waits until the games of a shard that are in memory have the credit of their outages.
    pub(super) async fn credited(&self, shard: Shard) {
        let mut owing = self.of(shard).now().owing.subscribe();
        owing.wait_for(|owing| *owing == 0).await.ok(); // a shard that was opened anew is another one's concern
    }
}

impl Gate {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARD: Shard = Shard(7);

    /// Starts a task that ends with the word to forget; returns whether it may.
    fn enter(gates: &Gates, since: Option<Opening>) -> bool {
        let entered = gates.enter(SHARD, since, |mut tenancy, games| {
            games.spawn(async move { while tenancy.changed().await != Word::Forget {} });
        });
        entered.is_some()
    }

    #[tokio::test]
    async fn a_game_enters_only_the_opening_that_it_was_read_for() {
        let gates = Gates::all(false);
        assert!(!enter(&gates, None), "it is closed");
        let first = gates.open(SHARD);
        assert!(enter(&gates, Some(first)) && enter(&gates, None));
        gates.close(SHARD, Word::HandOver);
        assert!(!enter(&gates, Some(first)), "it is being emptied");
        gates.close(SHARD, Word::Forget);
        gates.close(SHARD, Word::Stop);
        gates.emptied(SHARD).await;
        let second = gates.open(SHARD);
        assert!(!enter(&gates, Some(first)), "that was before");
        assert!(enter(&gates, Some(second)));
        assert!(gates.is_open(SHARD, second) && !gates.is_open(SHARD, first));
    }

    /// A game that has not heard the word when the shard is opened anew still hears it.
    #[tokio::test]
    async fn a_word_is_never_missed() {
        let gates = Gates::all(true);
        let tenancy = gates.enter(SHARD, None, |tenancy, _| tenancy);
        gates.close(SHARD, Word::Forget);
        gates.open(SHARD);
        assert_eq!(tenancy.unwrap().changed().await, Word::Forget);
    }

    #[tokio::test]
    async fn a_shard_is_credited_when_each_of_its_games_is() {
        let gates = Gates::all(true);
        gates.credited(SHARD).await;
        let owing = gates.enter(SHARD, None, |tenancy, _| tenancy.owing);
        let owing = owing.unwrap();
        owing.send_modify(|owing| *owing += 1);
        let settle = async { owing.send_modify(|owing| *owing -= 1) };
        tokio::join!(gates.credited(SHARD), settle);
    }
}
