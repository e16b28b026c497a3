//! One step of the chronicle: from the ends of games to a stored chapter.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use tilewire_people::pools::PlayerKind;
use tilewire_people::results::{Facts, GameResult, ResultError};
use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tilewire_rules::quoted::quoted;

use super::conduct::ConductTable;
use super::{RatingCache, RatingTable, ScoreRules, conduct, facts, push};
use tilewire_accounts::enforcement::Enforcement;
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;
use tilewire_store::{
    Arrival, Chapter, ChapterError, ConductRow, Cursor, Journal, NewResult, NewWait, RatingRow,
    ResultStore, StoreError, StoredGame,
};
use tilewire_wire::catalogue::Catalogue;

/// Stored rows of records that a step looks through.
const STEP_ROWS: usize = 2_000;
/// Games of a chapter. Their logs are in memory together.
const CHAPTER_GAMES: usize = 32;
/// Rows without the end of a game after which the place is stored all the same: a restart looks through no more.
const UNSTORED_ROWS: u64 = 100_000;

/// The services that the chronicle uses.
#[derive(Debug, Clone)]
pub struct ChronicleServices {
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The ends of games, results and ratings.
    pub store: Arc<dyn ResultStore>,
    /// The rule sets and lexica.
    pub catalogue: Catalogue,
    /// How each pool scores games.
    pub score_rules: ScoreRules,
    /// The present ratings, for the lobby.
    pub ratings: Arc<RatingCache>,
    /// The conduct of players, and the connections, which get changes of ratings and of waiting times.
    pub enforcement: Enforcement,
    /// Server time.
    pub clock: ServerClock,
    /// Where logs are folded.
    pub slow_work: SlowWork,
}

/// The chronicle and its place in the journal.
#[derive(Debug)]
pub struct Chronicle {
    parts: ChronicleServices,
    /// `None` until it is read, and after another process or an error may have changed it.
    place: Option<JournalPosition>,
}

/// A place in the journal.
#[derive(Debug, Clone, Copy)]
struct JournalPosition {
    /// As it is stored.
    cursor: Cursor,
    /// How far the journal was looked through since.
    seen: Arrival,
}

/// The progress of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more to look through.
    More,
    /// The journal has no more.
    AtEnd,
}

/// Why a finished game gets no result.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    /// It was removed.
    #[error("the game is not stored any more")]
    Gone,
    /// Its rows cannot be decoded.
    #[error(transparent)]
    Store(StoreError),
    /// The log does not begin with the creation of a game.
    #[error("the log does not begin with the creation of a game")]
    NoCreation,
    /// The server does not have the rule set.
    #[error("there is no rule set {} here", quoted(.0))]
    RuleSet(String),
    /// The rules refuse the log.
    #[error(transparent)]
    Log(#[from] ResultError),
}

impl Chronicle {
    /// Returns the chronicle, which goes on where the stored one ends.
    #[must_use]
    pub const fn new(parts: ChronicleServices) -> Self {
        Self { parts, place: None }
    }

    /// Looks at the next part of the journal, and stores a chapter if games ended there.
    ///
    /// # Errors
    /// When the storage does not answer. The next step begins with what is stored then.
    pub async fn step(&mut self) -> Result<Progress, StoreError> {
        let place = match self.place.take() {
            Some(place) => place,
            None => self.stored_place().await?,
        };
        let endings = self
            .parts
            .store
            .endings(place.seen, STEP_ROWS, CHAPTER_GAMES)
            .await?;
        let progress = match endings.is_end {
            true => Progress::AtEnd,
            false => Progress::More,
        };
        let unstored = endings.until.0.saturating_sub(place.cursor.arrival.0);
        if endings.games.is_empty() && unstored < UNSTORED_ROWS {
            if endings.is_end && self.parts.store.cursor().await? != place.cursor {
                // Retention has removed the end of the journal: new records get places that were looked through.
                return Ok(Progress::More);
            }
            self.place = Some(JournalPosition {
                seen: endings.until,
                ..place
            });
            return Ok(progress);
        }
        let games: Vec<GameId> = endings.games.into_iter().map(|one| one.game).collect();
        let results = self.results(games).await?;
        let chapter = self.chapter(place.cursor, endings.until, results).await?;
        let written = chapter.clone();
        reached(Point::BeforeChapter);
        match self.parts.store.write(chapter).await {
            Ok(()) => {}
            Err(ChapterError::Stale) => return Ok(Progress::More),
            Err(ChapterError::Store(error)) => return Err(error),
        }
        metrics::results_written(written.results.len());
        self.tell(written).await;
        let cursor = Cursor {
            arrival: endings.until,
            edition: place.cursor.edition + 1,
        };
        self.place = Some(JournalPosition {
            cursor,
            seen: cursor.arrival,
        });
        Ok(progress)
    }

    /// Tells the lobby and the players of ratings that have changed, and of waiting times that begin.
    async fn tell(&self, written: Chapter) {
        let enforcement = &self.parts.enforcement;
        self.parts.ratings.update(written.ratings);
        for new in &written.results {
            push::ratings(new, &enforcement.registry);
        }
        if written.waits.is_empty() {
            return;
        }
        if let Err(error) = enforcement.reread(self.parts.clock.now()).await {
            // The server looks at the storage every few seconds.
            tracing::warn!(%error, "the restrictions could not be read after a waiting time began");
        }
    }

    /// Reads the place. The ratings and the waiting times may have changed with it.
    async fn stored_place(&self) -> Result<JournalPosition, StoreError> {
        let cursor = self.parts.store.cursor().await?;
        self.parts.ratings.fill(&*self.parts.store).await?;
        self.parts
            .enforcement
            .reread(self.parts.clock.now())
            .await?;
        Ok(JournalPosition {
            cursor,
            seen: cursor.arrival,
        })
    }

    /// Returns the results of games, in their order. Games that cannot be read are left out.
    async fn results(&self, games: Vec<GameId>) -> Result<Vec<NewResult>, StoreError> {
        let loaded = self.parts.journal.load_many(&games).await;
        let mut stored = Vec::with_capacity(loaded.len());
        for (game, loaded) in games.into_iter().zip(loaded) {
            match loaded {
                Err(error @ StoreError::Unavailable(_)) => return Err(error),
                Err(error @ StoreError::Corrupt(_)) => leave_out(&game, &Unreadable::Store(error)),
                Ok(None) => leave_out(&game, &Unreadable::Gone),
                Ok(Some(found)) => stored.push(found),
            }
        }
        let catalogue = self.parts.catalogue.clone();
        let fold = move || {
            let results = stored.iter().filter_map(|game| {
                let result = result_of(game, &catalogue);
                result
                    .inspect_err(|error| leave_out(&game.meta.game, error))
                    .ok()
            });
            results.collect::<Vec<_>>()
        };
        let folded = self.parts.slow_work.run(fold).await;
        folded.map_err(|error| StoreError::Unavailable(format!("the fold of results: {error}")))
    }

    /// Rates the games, counts what they say about their players, and returns the chapter.
    async fn chapter(
        &self,
        after: Cursor,
        until: Arrival,
        mut results: Vec<NewResult>,
    ) -> Result<Chapter, StoreError> {
        let rated = results.iter().filter_map(|new| new.result.rated_game());
        let keys: Vec<_> = rated
            .flat_map(|game| game.players.map(|player| (game.pool.clone(), player)))
            .collect();
        let mut table = RatingTable::new(self.parts.score_rules.clone());
        if !keys.is_empty() {
            let known = self.parts.store.ratings(keys.clone()).await?;
            for ((pool, identity), rating) in keys.into_iter().zip(known) {
                if let Some(rating) = rating {
                    table.insert(pool, identity, rating);
                }
            }
        }
        for new in &mut results {
            if let Some(game) = new.result.rated_game() {
                new.changes = table.rate(&game);
            }
        }
        let ratings: Vec<RatingRow> = table.changed();
        let (conduct, waits) = self.judge(&results).await?;
        Ok(Chapter {
            after,
            until,
            results,
            ratings,
            conduct,
            waits,
        })
    }

    /// Counts what the games say about their players.
    async fn judge(
        &self,
        results: &[NewResult],
    ) -> Result<(Vec<ConductRow>, Vec<NewWait>), StoreError> {
        let marked = results.iter().flat_map(|new| conduct::marks(&new.result));
        let players: BTreeSet<&str> = marked.map(|(player, _)| player).collect();
        if players.is_empty() {
            return Ok(Default::default());
        }
        let players: Vec<String> = players.into_iter().map(str::to_owned).collect();
        let stored = self
            .parts
            .enforcement
            .store
            .conduct(players.clone())
            .await?;
        let mut table = ConductTable::of(players.into_iter().zip(stored));
        for new in results {
            table.count(&new.result);
        }
        Ok(table.changes())
    }
}

/// Folds the log of a finished game into its result.
fn result_of(stored: &StoredGame, catalogue: &Catalogue) -> Result<NewResult, Unreadable> {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return Err(Unreadable::NoCreation);
    };
    let options = &created.options;
    let rules = catalogue
        .rules(&options.rule_set, &options.language)
        .ok_or_else(|| Unreadable::RuleSet(options.rule_set.clone()))?;
    let players: Vec<PlayerKind> = created.players.iter().map(facts::kind).collect();
    let lexicon = catalogue.lexica.find(&options.lexicon);
    let lexicon = lexicon.filter(|lexicon| *lexicon.hash() == created.lexicon_hash);
    let facts = Facts {
        players: &players,
        stake: facts::stake(created),
        series: created.series.as_deref().map(facts::series),
        is_private: stored.meta.private_code.is_some(),
        lexicon: lexicon.map(|lexicon| &**lexicon),
    };
    Ok(NewResult {
        result: GameResult::from_log(rules, &stored.records, &facts)?,
        is_private: stored.meta.private_code.is_some(),
        changes: Vec::new(),
    })
}

fn leave_out(game: &GameId, why: &dyn fmt::Display) {
    metrics::result_missing();
    tracing::error!(
        %game,
        %why,
        "a finished game gets no result, and its log is kept; tilewire-server check and ratings check report it"
    );
}
