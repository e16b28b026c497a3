//! The task that writes letters about games: it follows the journal as a reader, like the chronicle. Nothing on the path of a
//! turn waits for it.

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tilewire_rules::time::Millis;
use tokio_util::sync::CancellationToken;

use super::pages::letters_of;
use crate::catalogue::Catalogue;
use crate::crash_points::{Point, reached};
use crate::slow_work::SlowWork;
use crate::storage::{
    Arrival, ChapterError, Cursor, GameLetters, Journal, LetterPage, LetterStore, Outdated,
    StoreError, StoredGame, Turned, TurnedPage,
};

/// Stored rows of records that a step looks through.
const STEP_ROWS: usize = 500;
/// Rows without a letter after which the place is stored all the same: a restart looks through no more.
const UNSTORED_ROWS: u64 = 100_000;
/// The time between two looks at the journal.
const POLL: Duration = Duration::from_millis(500);
/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// What the follower uses.
#[derive(Debug, Clone)]
pub(crate) struct Follower {
    /// The outbox.
    pub(crate) store: Arc<dyn LetterStore>,
    /// The logs of games.
    pub(crate) journal: Arc<dyn Journal>,
    /// The rule sets.
    pub(crate) catalogue: Catalogue,
    /// Where logs are folded.
    pub(crate) slow_work: SlowWork,
    /// The wait before a letter is sent.
    pub(crate) wait_ms: Millis,
}

/// A place in the journal: as it is stored, and how far the journal was looked through since.
#[derive(Debug, Clone, Copy)]
struct Place {
    cursor: Cursor,
    seen: Arrival,
}

/// Follows the journal until `stop`.
pub(crate) async fn run(follower: Follower, stop: CancellationToken) {
    let follow = async {
        let mut place = None;
        loop {
            match follower.step(&mut place).await {
                Ok(true) => tokio::time::sleep(POLL).await,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "letters wait for the storage");
                    place = None;
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}

impl Follower {
    /// Looks at the next part of the journal and stores its letters. Returns whether the journal has no more.
    async fn step(&self, place: &mut Option<Place>) -> Result<bool, StoreError> {
        let at = match place.take() {
            Some(at) => at,
            None => {
                let cursor = self.store.letter_cursor().await?;
                Place {
                    cursor,
                    seen: cursor.arrival,
                }
            }
        };
        let TurnedPage {
            games,
            until,
            is_end,
        } = self.store.turned(at.seen, STEP_ROWS).await?;
        let letters = self.letters(games).await?;
        let unstored = until.0.saturating_sub(at.cursor.arrival.0);
        if letters.is_empty() && unstored < UNSTORED_ROWS {
            if is_end && self.store.letter_cursor().await? != at.cursor {
                // Retention has removed the end of the journal: new records get places that were looked through.
                return Ok(false);
            }
            *place = Some(Place { seen: until, ..at });
            return Ok(is_end);
        }
        let page = LetterPage {
            after: at.cursor,
            until,
            games: letters,
        };
        reached(Point::BeforeLetters);
        match self.store.write_letters(page).await {
            Ok(()) => {}
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

    /// Returns the letters of games. Games that cannot be read have none.
    async fn letters(&self, turned: Vec<Turned>) -> Result<Vec<GameLetters>, StoreError> {
        if turned.is_empty() {
            return Ok(Vec::new());
        }
        let games: Vec<GameId> = turned.iter().map(|one| one.game.clone()).collect();
        let mut stored = Vec::with_capacity(turned.len());
        for (one, loaded) in turned.into_iter().zip(self.journal.load_many(&games).await) {
            match loaded {
                Ok(Some(game)) => stored.push((one, game)),
                Ok(None) => {}
                Err(error @ StoreError::Unavailable(_)) => return Err(error),
                Err(error @ StoreError::Corrupt(_)) => {
                    tracing::error!(game = %one.game, %error, "there are no letters about a game");
                }
            }
        }
        let (catalogue, wait_ms) = (self.catalogue.clone(), self.wait_ms);
        let fold = move || {
            let letters = stored.iter();
            letters
                .filter_map(|(turned, game)| of_game(&catalogue, turned, game, wait_ms))
                .collect::<Vec<_>>()
        };
        let folded = self.slow_work.run(fold).await;
        folded.map_err(|error| StoreError::Unavailable(format!("the fold of games: {error}")))
    }
}

/// Returns the letters of a game; `None` if nothing has to be stored.
fn of_game(
    catalogue: &Catalogue,
    turned: &Turned,
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
