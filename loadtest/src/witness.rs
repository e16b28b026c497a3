//! Takes down what all clients of a run see.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, bail};
use tilewire_oracle::history::{Fault, History, LogLine, Sight};
use tilewire_protocol::{ClientMessage, GameId};
use tokio::time::{Instant, sleep};

use crate::link::{AGAIN_AFTER, connect};
use crate::{host, http};

/// How often a busy server is asked again.
const TRIES: u32 = 10;

/// The histories of all games, in runs with several servers; in others it takes nothing down.
#[derive(Debug, Default)]
pub(crate) struct Witness {
    is_on: AtomicBool,
    games: Mutex<BTreeMap<GameId, History<Instant>>>,
}

/// The findings of the comparison with the stored logs.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Games that were compared.
    pub(crate) games: u64,
    /// Their acknowledged commands.
    pub(crate) commands: u64,
    /// Acknowledged commands that are not in the log.
    pub(crate) lost: u64,
    /// Commands that are in the log twice.
    pub(crate) doubled: u64,
    /// All faults in words.
    pub(crate) faults: Vec<String>,
    /// Games that were not over.
    pub(crate) unfinished: u64,
    /// How long games stood still, ms, as the server has given it back.
    pub(crate) stood_still_ms: Vec<u64>,
}

impl Witness {
    /// Takes down what clients see from now on.
    pub(crate) fn begin(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// A client got an event.
    pub(crate) fn saw(&self, game: &GameId, epoch: u64, sight: Sight) {
        self.of(game, |history| history.saw(epoch, sight, host::now()));
    }

    /// A command of a seat was acknowledged.
    pub(crate) fn acknowledged(&self, game: &GameId, seat: u8, command: &ClientMessage, seq: u64) {
        self.of(game, |history| history.acknowledged(seat, command, seq));
    }

    /// Whether a game is being played.
    pub(crate) fn is_played(&self, game: &GameId) -> bool {
        self.games().get(game).is_some_and(History::is_played)
    }

    /// Returns when the first event of a game after `head` was seen; `None` if none was.
    pub(crate) fn continued(&self, game: &GameId, head: u64) -> Option<Instant> {
        self.games().get(game)?.continued(head)
    }

    /// Compares all histories with the logs that these servers have.
    ///
    /// # Errors
    /// When no server has a game.
    pub(crate) async fn judge(&self, addresses: &[String]) -> Result<Findings> {
        let games = std::mem::take(&mut *self.games());
        let mut findings = Findings::default();
        for (game, history) in games {
            let Some(log) = fetch(addresses, &game).await? else {
                findings.unfinished += 1;
                continue;
            };
            findings.games += 1;
            findings.commands += u64::try_from(history.commands())?;
            findings
                .stood_still_ms
                .extend(log.iter().filter_map(|line| line.stood_still_ms));
            for fault in history.judge(&log) {
                findings.lost += u64::from(matches!(fault, Fault::Lost { .. }));
                findings.doubled += u64::from(matches!(fault, Fault::Doubled { .. }));
                findings
                    .faults
                    .push(format!("history of game {}: {fault}", game.as_str()));
            }
        }
        Ok(findings)
    }

    fn of(&self, game: &GameId, take_down: impl FnOnce(&mut History<Instant>)) {
        if self.is_on.load(Ordering::Relaxed) {
            take_down(self.games().entry(game.clone()).or_default());
        }
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<GameId, History<Instant>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the servers for the record of a game, one after the other; `None` if it is not over.
///
/// # Errors
/// When none of them answers as it should.
async fn fetch(addresses: &[String], game: &GameId) -> Result<Option<Vec<LogLine>>> {
    let mut last = String::new();
    for _ in 0..TRIES {
        for address in addresses {
            // An answer of HTTP 1.0 has no chunks.
            let request = format!(
                "GET /games/{}.jsonl HTTP/1.0\r\nHost: {address}\r\n\r\n",
                game.as_str()
            );
            let Ok(stream) = connect(address).await else {
                continue;
            };
            match http::ask(stream, &request).await? {
                (200, record) => return LogLine::read_all(&record).map(Some),
                (409, _) => return Ok(None),
                (status, said) => last = format!("{status} {}", said.trim()),
            }
        }
        sleep(AGAIN_AFTER).await;
    }
    bail!("no record of game {}: {last}", game.as_str())
}
