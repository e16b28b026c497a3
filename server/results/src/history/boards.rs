//! Leaderboards with the handles of their players.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream;
use tilewire_people::leaderboards::{AverageLine, RatingLine, Span};
use tilewire_people::pools::Pool;

use super::HistoryServices;
use super::turns::Turns;
use tilewire_store::{AccountStore, StoreError};

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

pub(super) async fn by_rating(
    parts: &HistoryServices,
    pool: &Pool,
) -> Result<RatingBoard, StoreError> {
    let (ratings, pool) = (Arc::clone(&parts.ratings), pool.clone());
    let lines = computed(move || ratings.board(&pool, LINES)).await?;
    named(parts, lines, |line| line.player.clone()).await
}

pub(super) async fn by_average(
    parts: &HistoryServices,
    turns: &Arc<Turns>,
    pool: &Pool,
    span: Span,
) -> Result<AverageBoard, StoreError> {
    let now = parts.clock.now();
    turns.follow(&*parts.store, now).await?;
    let (turns, pool) = (Arc::clone(turns), pool.clone());
    let (mean, lines) = computed(move || turns.board(&pool, span, now, LINES)).await?;
    let lines = named(parts, lines, |line| line.player.clone()).await?;
    Ok(AverageBoard { mean, lines })
}

/// Computes a board off the threads of games.
async fn computed<B: Send + 'static>(
    board: impl FnOnce() -> B + Send + 'static,
) -> Result<B, StoreError> {
    let computed = tokio::task::spawn_blocking(board).await;
    computed.map_err(|error| StoreError::Unavailable(format!("the board: {error}")))
}

/// Returns the first lines with the handles of their players.
async fn named<L>(
    parts: &HistoryServices,
    lines: Vec<L>,
    player: impl Fn(&L) -> String,
) -> Result<Vec<Named<L>>, StoreError> {
    let asked = lines.into_iter().map(|line| {
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
