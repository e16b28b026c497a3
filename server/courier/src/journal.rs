//! Reading the journal with a position of one's own, as letters and webhooks do. Nothing on the path of a turn waits for it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::GameId;
use tokio_util::sync::CancellationToken;

use tilewire_base::slow_work::SlowWork;
use tilewire_store::{Arrival, ChangedGame, ChapterError, Cursor, Journal, StoreError, StoredGame};

/// Rows without news after which the position is stored all the same: a restart looks through no more.
const UNSTORED_ROWS: u64 = 100_000;
/// The time between two looks at the journal.
const POLL: Duration = Duration::from_millis(500);
/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// A position in the journal: as it is stored, and how far the journal was looked through since.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// The stored position.
    cursor: Cursor,
    /// Records up to this one were looked through.
    seen: Arrival,
}

impl Position {
    /// Returns a stored position.
    const fn stored(cursor: Cursor) -> Self {
        Self {
            cursor,
            seen: cursor.arrival,
        }
    }

    /// Returns the position after everything up to `until` was stored.
    const fn stored_up_to(self, until: Arrival) -> Self {
        Self::stored(Cursor {
            arrival: until,
            edition: self.cursor.edition + 1,
        })
    }

    /// Says whether enough records without news were read that the position is stored.
    const fn is_far(self, until: Arrival) -> bool {
        until.0.saturating_sub(self.cursor.arrival.0) >= UNSTORED_ROWS
    }
}

/// A part of the journal.
#[derive(Debug)]
pub(super) struct Part<N> {
    /// Its news.
    pub(super) news: N,
    /// Whether there are none.
    pub(super) is_empty: bool,
    /// Its last record.
    pub(super) until: Arrival,
    /// Whether the journal has no more.
    pub(super) is_end: bool,
}

/// A follower of the journal.
pub(super) trait Follow: Sync {
    /// The name of the items that wait while the storage does not answer, in the log.
    const WAITING: &'static str;

    /// The news of a part of the journal.
    type News: Send;

    /// Returns the stored position.
    fn cursor(&self) -> impl Future<Output = Result<Cursor, StoreError>> + Send;

    /// Reads the part of the journal after a record.
    fn read(
        &self,
        seen: Arrival,
    ) -> impl Future<Output = Result<Part<Self::News>, StoreError>> + Send;

    /// Stores the news of a part, unless the stored position is another one than `after`.
    fn write(
        &self,
        after: Cursor,
        part: Part<Self::News>,
    ) -> impl Future<Output = Result<(), ChapterError>> + Send;
}

/// Follows the journal until `stop`.
pub(super) async fn run<F: Follow>(follower: F, stop: CancellationToken) {
    let follow = async {
        let mut position = None;
        loop {
            match next(&follower, position).await {
                Ok((next, is_end)) => {
                    position = next;
                    if is_end {
                        tokio::time::sleep(POLL).await;
                    }
                }
                Err(error) => {
                    let waiting = F::WAITING;
                    tracing::warn!(%error, "{waiting} wait for the storage");
                    position = None;
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}

/// Looks at the part of the journal after a position, and stores its news. Returns the next position, `None` if another task has
/// changed the stored one, and whether the journal has no more.
async fn next<F: Follow>(
    follower: &F,
    position: Option<Position>,
) -> Result<(Option<Position>, bool), StoreError> {
    let at = match position {
        Some(at) => at,
        None => Position::stored(follower.cursor().await?),
    };
    let part = follower.read(at.seen).await?;
    let (until, is_end) = (part.until, part.is_end);
    if part.is_empty && !at.is_far(until) {
        if is_end && follower.cursor().await? != at.cursor {
            // Retention has removed the end of the journal, so that new records get places that were looked through, or an
            // erasure has changed names in it.
            return Ok((None, false));
        }
        return Ok((Some(Position { seen: until, ..at }), is_end));
    }
    match follower.write(at.cursor, part).await {
        Ok(()) => Ok((Some(at.stored_up_to(until)), is_end)),
        Err(ChapterError::Stale) => Ok((None, false)),
        Err(ChapterError::Store(error)) => Err(error),
    }
}

/// Returns the results of `told` for the games that have changed. Games that cannot be read have no `news`, a word for the log.
///
/// # Errors
/// When the storage does not answer.
pub(super) async fn news_of<T: Send + 'static>(
    (journal, slow_work): (&Arc<dyn Journal>, SlowWork),
    changed: Vec<ChangedGame>,
    news: &'static str,
    told: impl Fn(&ChangedGame, &StoredGame) -> Option<T> + Send + 'static,
) -> Result<Vec<T>, StoreError> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let games: Vec<GameId> = changed.iter().map(|one| one.game.clone()).collect();
    let loaded = journal.load_many(&games).await;
    let mut stored = Vec::with_capacity(changed.len());
    for (one, loaded) in changed.into_iter().zip(loaded) {
        match loaded {
            Ok(Some(game)) => stored.push((one, game)),
            Ok(None) => {}
            Err(error @ StoreError::Unavailable(_)) => return Err(error),
            Err(error @ StoreError::Corrupt(_)) => {
                tracing::error!(game = %one.game, %error, "there are no {news} about a game");
            }
        }
    }
    let fold = move || {
        let stored = stored.iter();
        let found = stored.filter_map(|(turned, game)| told(turned, game));
        found.collect::<Vec<T>>()
    };
    let folded = slow_work.run(fold).await;
    folded.map_err(|error| StoreError::Unavailable(format!("the fold of games: {error}")))
}
