//! Leaderboards with the handles of their players.

use futures::StreamExt;
use futures::stream;
use tilewire_people::leaderboards::{
    AverageLine, RATING_MAX_PAUSE, RATING_MIN_GAMES, RatingLine, Span,
    by_average as ranked_average, by_rating as ranked_rating,
};
use tilewire_people::pools::Pool;
use tilewire_people::statistics::pool_mean;

use super::Parts;
use crate::storage::{AccountStore, StoreError};

/// Lines of a board.
const LINES: usize = 100;
/// Handles that are read at the same time.
const HANDLES_AT_ONCE: usize = 4;

/// A line with the handle of its player, if the player has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<L> {
    /// The handle.
    pub handle: Option<String>,
    /// The line.
    pub line: L,
}

/// The first lines of a rating board.
pub type RatingBoard = Vec<Named<RatingLine>>;

/// The first lines of a board of averages.
#[derive(Debug, Clone, PartialEq)]
pub struct AverageBoard {
    /// The average of all players of the pool.
    pub mean: f64,
    /// The lines.
    pub lines: Vec<Named<AverageLine>>,
}

pub(super) async fn by_rating(parts: &Parts, pool: &Pool) -> Result<RatingBoard, StoreError> {
    let now = parts.clock.now();
    let since = now - RATING_MAX_PAUSE;
    let rows = parts.store.active_ratings(pool, since, RATING_MIN_GAMES);
    let rows = rows.await?;
    let players = rows.iter().map(|row| (row.identity.as_str(), &row.rating));
    let lines = ranked_rating(players, pool.time_class, now);
    named(parts, lines, |line| line.player.clone()).await
}

pub(super) async fn by_average(
    parts: &Parts,
    pool: &Pool,
    span: Span,
) -> Result<AverageBoard, StoreError> {
    let since = span.start(parts.clock.now());
    let sums = parts.store.turn_sums(pool, since).await?;
    let mean = pool_mean(sums.iter().map(|(_, sums)| sums));
    let players = sums.iter().map(|(player, sums)| (player.as_str(), sums));
    let lines = ranked_average(players, mean);
    let lines = named(parts, lines, |line| line.player.clone()).await?;
    Ok(AverageBoard { mean, lines })
}

/// Returns the first lines with the handles of their players.
async fn named<L>(
    parts: &Parts,
    lines: Vec<L>,
    player: impl Fn(&L) -> String,
) -> Result<Vec<Named<L>>, StoreError> {
    let asked = lines.into_iter().take(LINES).map(|line| {
        let (accounts, player) = (&parts.accounts, player(&line));
        async move {
            let handle = handle(&**accounts, &player).await?;
            Ok(Named { handle, line })
        }
    });
    let found: Vec<Result<Named<L>, StoreError>> = stream::iter(asked)
        .buffered(HANDLES_AT_ONCE)
        .collect()
        .await;
    found.into_iter().collect()
}

async fn handle(accounts: &dyn AccountStore, player: &str) -> Result<Option<String>, StoreError> {
    let stored = accounts.account(player).await?;
    let registration = stored.and_then(|stored| stored.account.registration);
    Ok(registration.map(|registration| registration.handle.to_string()))
}
