//! Reading the journal with a place of one's own, as letters and webhooks do. Nothing on the path of a turn waits for it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::GameId;
use tokio_util::sync::CancellationToken;

use tilewire_base::slow_work::SlowWork;
use tilewire_store::{Arrival, Cursor, Journal, StoreError, StoredGame, Turned};

/// Rows without news after which the place is stored all the same: a restart looks through no more.
const UNSTORED_ROWS: u64 = 100_000;
/// The time between two looks at the journal.
const POLL: Duration = Duration::from_millis(500);
/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// A place in the journal: as it is stored, and how far the journal was looked through since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The stored place.
    pub(super) cursor: Cursor,
    /// Records up to this one were looked through.
    pub(super) seen: Arrival,
}

impl Place {
    /// Returns a stored place.
    const fn stored(cursor: Cursor) -> Self {
        Self {
            cursor,
            seen: cursor.arrival,
        }
    }

    /// Returns the place after everything up to `until` was stored.
    pub(super) const fn stored_up_to(self, until: Arrival) -> Self {
        Self::stored(Cursor {
            arrival: until,
            edition: self.cursor.edition + 1,
        })
    }

    /// Says whether enough records without news were read that the place is stored.
    pub(super) const fn is_far(self, until: Arrival) -> bool {
        until.0.saturating_sub(self.cursor.arrival.0) >= UNSTORED_ROWS
    }
}

/// The result of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The place after it; `None`: it has to be read from the storage.
    pub(super) place: Option<Place>,
    /// Whether the journal has no more.
    pub(super) is_end: bool,
}

impl Step {
    /// Another task has changed the place.
    pub(super) const STALE: Self = Self {
        place: None,
        is_end: false,
    };
}

/// A follower of the journal.
pub(super) trait Follow: Sync {
    /// The name of the items that wait while the storage does not answer, in the log.
    const WAITING: &'static str;

    /// Returns the stored place.
    fn cursor(&self) -> impl Future<Output = Result<Cursor, StoreError>> + Send;

    /// Looks at the part of the journal after a place, and stores its news.
    fn step(&self, at: Place) -> impl Future<Output = Result<Step, StoreError>> + Send;
}

/// Follows the journal until `stop`.
pub(super) async fn run<F: Follow>(follower: F, stop: CancellationToken) {
    let follow = async {
        let mut place = None;
        loop {
            match next(&follower, place).await {
                Ok(step) => {
                    place = step.place;
                    if step.is_end {
                        tokio::time::sleep(POLL).await;
                    }
                }
                Err(error) => {
                    let waiting = F::WAITING;
                    tracing::warn!(%error, "{waiting} wait for the storage");
                    place = None;
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}

async fn next<F: Follow>(follower: &F, place: Option<Place>) -> Result<Step, StoreError> {
    let at = match place {
        Some(at) => at,
        None => Place::stored(follower.cursor().await?),
    };
    follower.step(at).await
}

/// Returns the results of `told` for the games that have changed. Games that cannot be read have no `news`, a word for the log.
///
/// # Errors
/// When the storage does not answer.
pub(super) async fn news_of<T: Send + 'static>(
    (journal, slow_work): (&Arc<dyn Journal>, SlowWork),
    changed: Vec<Turned>,
    news: &'static str,
    told: impl Fn(&Turned, &StoredGame) -> Option<T> + Send + 'static,
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
