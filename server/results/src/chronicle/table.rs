//! Ratings while games are added to them, in the order of the chronicle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewire_people::pools::Pool;
use tilewire_people::ratings::{PlayerRating, RatedGame, Rating, ScoreRule, apply};

use tilewire_config::RatingsConfig;
use tilewire_store::{RatingChange, RatingRow};

/// How each pool scores games.
#[derive(Debug, Clone, Default)]
pub struct ScoreRules {
    spread_pools: Arc<BTreeSet<Pool>>,
}

impl ScoreRules {
    /// Returns the rules that the operator has set.
    #[must_use]
    pub fn of(config: &RatingsConfig) -> Self {
        Self {
            spread_pools: Arc::new(config.spread_pools.0.iter().cloned().collect()),
        }
    }

    /// Returns how a pool scores games.
    #[must_use]
    pub fn rule(&self, pool: &Pool) -> ScoreRule {
        match self.spread_pools.contains(pool) {
            true => ScoreRule::Spread,
            false => ScoreRule::Outcome,
        }
    }
}

/// The ratings of some players.
#[derive(Debug, Default)]
pub struct RatingTable {
    rules: ScoreRules,
    ratings: BTreeMap<(Pool, String), PlayerRating>,
    changed: BTreeSet<(Pool, String)>,
}

impl RatingTable {
    /// Returns a table without ratings.
    #[must_use]
    pub fn new(rules: ScoreRules) -> Self {
        Self {
            rules,
            ..Self::default()
        }
    }

    /// Adds a rating as it is stored.
    pub fn insert(&mut self, pool: Pool, identity: String, rating: PlayerRating) {
        self.ratings.insert((pool, identity), rating);
    }

    /// Adds a game to the ratings of its players, and returns how it changed them. The caller adds each game once.
    pub fn rate(&mut self, game: &RatedGame) -> Vec<RatingChange> {
        let players = game.players.clone();
        let keys = players.map(|player| (game.pool.clone(), player));
        let before = [&keys[0], &keys[1]].map(|key| self.ratings.get(key).cloned());
        let after = apply(self.rules.rule(&game.pool), game, before.clone());
        let value = |state: &PlayerRating| state.at(game.pool.time_class, game.ended_at);
        let mut changes = Vec::with_capacity(keys.len());
        for ((key, before), after) in keys.into_iter().zip(before).zip(after) {
            let now = value(&after);
            changes.push(RatingChange {
                identity: key.1.clone(),
                before: before.as_ref().map_or_else(Rating::default, value).shown(),
                after: now.shown(),
                deviation: now.shown_deviation(),
            });
            self.ratings.insert(key.clone(), after);
            self.changed.insert(key);
        }
        changes
    }

    /// Returns the ratings that games have changed.
    #[must_use]
    pub fn changed(&self) -> Vec<RatingRow> {
        let rows = self.changed.iter().filter_map(|key| {
            let rating = self.ratings.get(key)?.clone();
            let (pool, identity) = key.clone();
            Some(RatingRow {
                pool,
                identity,
                rating,
            })
        });
        rows.collect()
    }
}
