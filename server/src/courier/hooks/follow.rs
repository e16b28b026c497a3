//! The task that writes events for webhooks: it follows the journal and the notes of accounts as a reader. Nothing on the path of
//! a turn waits for it.

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tokio_util::sync::CancellationToken;

use super::events::{GameNews, events_of, of_account};
use crate::catalogue::Catalogue;
use crate::clock::ServerClock;
use crate::config::WebhooksConfig;
use crate::crash_points::{Point, reached};
use crate::metrics;
use crate::slow_work::SlowWork;
use crate::storage::{
    Arrival, ChapterError, Cursor, HookPage, HookStore, Journal, StoreError, StoredGame, Turned,
};

/// Stored rows of records that a step looks through. The logs of their games are in memory together.
const STEP_ROWS: usize = 100;
/// Notes of accounts that a step takes.
const STEP_NOTES: usize = 200;
/// Rows without an event after which the place is stored all the same: a restart looks through no more.
const UNSTORED_ROWS: u64 = 100_000;
/// The time between two looks at the journal.
const POLL: Duration = Duration::from_millis(500);
/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// What the follower uses.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    /// The outbox.
    pub(super) store: Arc<dyn HookStore>,
    /// The logs of games.
    pub(super) journal: Arc<dyn Journal>,
    /// The rule sets.
    pub(super) catalogue: Catalogue,
    /// The webhooks.
    pub(super) config: Arc<WebhooksConfig>,
    /// Server time.
    pub(super) clock: ServerClock,
    /// Where logs are folded.
    pub(super) slow_work: SlowWork,
}

/// A place in the journal: as it is stored, and how far the journal was looked through since.
#[derive(Debug, Clone, Copy)]
struct Place {
    cursor: Cursor,
    seen: Arrival,
}

/// Follows the journal until `stop`.
pub(super) async fn run(follower: Follower, stop: CancellationToken) {
    let follow = async {
        let mut place = None;
        loop {
            match follower.step(&mut place).await {
                Ok(true) => tokio::time::sleep(POLL).await,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "webhooks wait for the storage");
                    place = None;
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}

impl Follower {
    /// Looks at the next part of the journal and at the notes, and stores their events. Returns whether there is no more.
    async fn step(&self, place: &mut Option<Place>) -> Result<bool, StoreError> {
        let at = match place.take() {
            Some(at) => at,
            None => {
                let cursor = self.store.hook_cursor().await?;
                let seen = cursor.arrival;
                Place { cursor, seen }
            }
        };
        let notes = self.store.account_news(STEP_NOTES).await?;
        let changed = self.store.changed_games(at.seen, STEP_ROWS).await?;
        let (until, is_end) = (changed.until, changed.is_end && notes.len() < STEP_NOTES);
        let games = self.games(changed.games).await?;
        let unstored = until.0.saturating_sub(at.cursor.arrival.0);
        if games.is_empty() && notes.is_empty() && unstored < UNSTORED_ROWS {
            if is_end && self.store.hook_cursor().await? != at.cursor {
                // Retention has removed the end of the journal, or an erasure has changed names in it.
                return Ok(false);
            }
            *place = Some(Place { seen: until, ..at });
            return Ok(is_end);
        }
        let give_up_ms = self.config.give_up_ms;
        let mut hooks = Vec::new();
        for target in &self.config.targets {
            hooks.extend(
                games
                    .iter()
                    .flat_map(|game| game.for_target(target, give_up_ms)),
            );
            hooks.extend(
                notes
                    .iter()
                    .filter_map(|note| of_account(note, target, give_up_ms)),
            );
        }
        let ended = games.iter();
        let ended = ended.filter_map(|game| Some((game.game.clone(), game.ended_at?)));
        let page = HookPage {
            after: at.cursor,
            until,
            notes: notes.last().map_or(0, |note| note.number),
            ended: ended.collect(),
            hooks,
            now: self.clock.now(),
            queue: self.config.queue,
        };
        reached(Point::BeforeHooks);
        match self.store.write_hooks(page).await {
            Ok(0) => {}
            Ok(pushed_out) => {
                metrics::hooks_failed("queue_full", pushed_out);
                tracing::warn!(
                    pushed_out,
                    "too many events wait for a webhook: the oldest have failed"
                );
            }
            Err(ChapterError::Stale) => return Ok(false),
            Err(ChapterError::Store(error)) => return Err(error),
        }
        let cursor = Cursor {
            arrival: until,
            edition: at.cursor.edition + 1,
        };
        *place = Some(Place {
            cursor,
            seen: until,
        });
        Ok(is_end)
    }

    /// Returns the events of games. Games that cannot be read have none.
    async fn games(&self, changed: Vec<Turned>) -> Result<Vec<GameNews>, StoreError> {
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let games: Vec<GameId> = changed.iter().map(|one| one.game.clone()).collect();
        let mut stored = Vec::with_capacity(changed.len());
        for (one, loaded) in changed
            .into_iter()
            .zip(self.journal.load_many(&games).await)
        {
            match loaded {
                Ok(Some(game)) => stored.push((one, game)),
                Ok(None) => {}
                Err(error @ StoreError::Unavailable(_)) => return Err(error),
                Err(error @ StoreError::Corrupt(_)) => {
                    tracing::error!(game = %one.game, %error, "there are no events about a game");
                }
            }
        }
        let (catalogue, config) = (self.catalogue.clone(), Arc::clone(&self.config));
        let fold = move || {
            let stored = stored.iter();
            let news =
                stored.filter_map(|(turned, game)| of_game(&catalogue, &config, turned, game));
            news.collect::<Vec<_>>()
        };
        let folded = self.slow_work.run(fold).await;
        folded.map_err(|error| StoreError::Unavailable(format!("the fold of games: {error}")))
    }
}

/// Returns the events of a game; `None` if there are none.
fn of_game(
    catalogue: &Catalogue,
    config: &WebhooksConfig,
    turned: &Turned,
    game: &StoredGame,
) -> Option<GameNews> {
    let Event::Created(created) = &game.records.first()?.event else {
        return None;
    };
    let options = &created.options;
    let rules = catalogue.rules(&options.rule_set, &options.language)?;
    let wanted = |kind| config.targets.iter().any(|target| target.wants(kind));
    let news = events_of(game, rules, turned, wanted).inspect_err(|error| {
        tracing::error!(game = %turned.game, %error, "there are no events about a game");
    });
    news.ok()?
}
