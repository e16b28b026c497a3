//! The task that writes letters about games: it follows the journal as a reader, like the chronicle. Nothing on the path of a
//! turn waits for it.

use std::sync::Arc;

use tilewire_rules::event::Event;
use tilewire_rules::time::Millis;
use tokio_util::sync::CancellationToken;

use super::journal::{self, Follow, Part, news_of};
use super::pages::letters_of;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::slow_work::SlowWork;
use tilewire_store::{
    Arrival, ChangedGame, ChapterError, Cursor, GameLetters, Journal, LetterPage, OutboxStore,
    Outdated, StoreError, StoredGame,
};
use tilewire_wire::catalogue::Catalogue;

/// Stored rows of records that a step looks through.
const STEP_ROWS: usize = 500;

/// The services of the follower.
#[derive(Debug, Clone)]
pub(crate) struct Follower {
    /// The outbox.
    pub(crate) store: Arc<dyn OutboxStore>,
    /// The logs of games.
    pub(crate) journal: Arc<dyn Journal>,
    /// The rule sets.
    pub(crate) catalogue: Catalogue,
    /// Where logs are folded.
    pub(crate) slow_work: SlowWork,
    /// The wait before a letter is sent.
    pub(crate) wait_ms: Millis,
}

/// Follows the journal until `stop`.
pub(crate) async fn run(follower: Follower, stop: CancellationToken) {
    journal::run(follower, stop).await;
}

impl Follow for Follower {
    const WAITING: &'static str = "letters";

    type News = Vec<GameLetters>;

    async fn cursor(&self) -> Result<Cursor, StoreError> {
        self.store.letter_cursor().await
    }

    async fn read(&self, seen: Arrival) -> Result<Part<Self::News>, StoreError> {
        let turned = self
            .store
            .changed_correspondence_games(seen, STEP_ROWS)
            .await?;
        let news = self.letters(turned.games).await?;
        Ok(Part {
            is_empty: news.is_empty(),
            news,
            until: turned.until,
            is_end: turned.is_end,
        })
    }

    async fn write(&self, after: Cursor, part: Part<Self::News>) -> Result<(), ChapterError> {
        reached(Point::BeforeLetters);
        let page = LetterPage {
            after,
            until: part.until,
            games: part.news,
        };
        self.store.write_letters(page).await
    }
}

impl Follower {
    /// Returns the letters of games.
    async fn letters(&self, turned: Vec<ChangedGame>) -> Result<Vec<GameLetters>, StoreError> {
        let (catalogue, wait_ms) = (self.catalogue.clone(), self.wait_ms);
        let told = move |turned: &ChangedGame, game: &StoredGame| {
            of_game(&catalogue, turned, game, wait_ms)
        };
        let read = (&self.journal, self.slow_work);
        news_of(read, turned, "letters", told).await
    }
}

/// Returns the letters of a game; `None` if nothing has to be stored.
fn of_game(
    catalogue: &Catalogue,
    turned: &ChangedGame,
    game: &StoredGame,
    wait_ms: Millis,
) -> Option<GameLetters> {
    let Event::Created(created) = &game.records.first()?.event else {
        return None;
    };
    let options = &created.options;
    if !options.clock.is_correspondence() {
        return None;
    }
    let rules = catalogue.rules(&options.rule_set, &options.language)?;
    let letters = letters_of(game, rules, turned, wait_ms);
    let letters = letters.inspect_err(|error| {
        tracing::error!(game = %turned.game, %error, "there are no letters about a game");
    });
    let letters = letters.ok()??;
    let is_nothing = letters.letters.is_empty() && letters.outdated == Outdated::Nothing;
    (!is_nothing).then_some(letters)
}
