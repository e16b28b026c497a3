//! The task that writes events for webhooks: it follows the journal and the notes of accounts as a reader. Nothing on the path of
//! a turn waits for it.

use std::sync::Arc;

use tilewire_rules::event::Event;
use tokio_util::sync::CancellationToken;

use super::events::{GameNews, events_of, of_account};
use crate::journal;
use crate::journal::{Follow, Part, news_of};
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::WebhooksConfig;
use tilewire_store::{
    AccountNews, Arrival, ChangedGame, ChapterError, Cursor, Journal, OutboxStore, StoreError,
    StoredGame, WebhookPage,
};
use tilewire_wire::catalogue::Catalogue;

/// Stored rows of records that a step looks through. The logs of their games are in memory together.
const STEP_ROWS: usize = 100;
/// Notes of accounts that a step takes.
const STEP_NOTES: usize = 200;

/// The services of the follower.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    /// The outbox.
    pub(super) store: Arc<dyn OutboxStore>,
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

/// The news of a step.
pub(super) struct News {
    games: Vec<GameNews>,
    notes: Vec<AccountNews>,
}

/// Follows the journal until `stop`.
pub(super) async fn run(follower: Follower, stop: CancellationToken) {
    journal::run(follower, stop).await;
}

impl Follow for Follower {
    const WAITING: &'static str = "webhooks";

    type News = News;

    async fn cursor(&self) -> Result<Cursor, StoreError> {
        self.store.webhook_cursor().await
    }

    /// Reads the notes of accounts too.
    async fn read(&self, seen: Arrival) -> Result<Part<News>, StoreError> {
        let notes = self.store.account_news(STEP_NOTES).await?;
        let changed = self.store.changed_games(seen, STEP_ROWS).await?;
        let games = self.games(changed.games).await?;
        Ok(Part {
            is_empty: games.is_empty() && notes.is_empty(),
            until: changed.until,
            is_end: changed.is_end && notes.len() < STEP_NOTES,
            news: News { games, notes },
        })
    }

    async fn write(&self, after: Cursor, part: Part<News>) -> Result<(), ChapterError> {
        let page = self.page(after, part);
        reached(Point::BeforeWebhooks);
        let pushed_out = self.store.write_webhooks(page).await?;
        if pushed_out > 0 {
            metrics::webhooks_failed("queue_full", pushed_out);
            tracing::warn!(
                pushed_out,
                "too many events wait for a webhook: the oldest have failed"
            );
        }
        Ok(())
    }
}

impl Follower {
    /// Returns the events of a step for each webhook.
    fn page(&self, after: Cursor, part: Part<News>) -> WebhookPage {
        let News { games, notes } = part.news;
        let give_up_ms = self.config.give_up_ms;
        let mut webhooks = Vec::new();
        for target in &self.config.targets {
            let of_games = games.iter();
            webhooks.extend(of_games.flat_map(|game| game.for_target(target, give_up_ms)));
            let of_accounts = notes.iter();
            webhooks.extend(of_accounts.filter_map(|note| of_account(note, target, give_up_ms)));
        }
        let ended = games.iter();
        let ended = ended.filter_map(|game| Some((game.game.clone(), game.ended_at?)));
        WebhookPage {
            after,
            until: part.until,
            notes: notes.last().map_or(0, |note| note.number),
            ended: ended.collect(),
            webhooks,
            now: self.clock.now(),
            queue: self.config.queue,
        }
    }

    /// Returns the events of games.
    async fn games(&self, changed: Vec<ChangedGame>) -> Result<Vec<GameNews>, StoreError> {
        let (catalogue, config) = (self.catalogue.clone(), Arc::clone(&self.config));
        let told = move |turned: &ChangedGame, game: &StoredGame| {
            of_game(&catalogue, &config, turned, game)
        };
        let read = (&self.journal, self.slow_work);
        news_of(read, changed, "events", told).await
    }
}

/// Returns the events of a game; `None` if there are none.
fn of_game(
    catalogue: &Catalogue,
    config: &WebhooksConfig,
    turned: &ChangedGame,
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
