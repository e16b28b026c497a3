//! The present ratings of all players, in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use tilewire_people::leaderboards::{RatingLine, by_rating};
use tilewire_people::pools::Pool;
use tilewire_people::ratings::Standing;
use tilewire_rules::event::SeatRating;

use tilewire_accounts::people::Ratings;
use tilewire_base::clock::ServerClock;
use tilewire_store::erasure::GONE;
use tilewire_store::{RatingRow, ResultStore, StoreError};

/// Ratings that are read at once.
const FILL: usize = 1_000;

/// The ratings of each pool by the identity of the player.
type Pools = BTreeMap<Pool, HashMap<String, Standing>>;

/// The present ratings of all players. The chronicle changes it after each chapter.
#[derive(Debug)]
pub struct RatingCache {
    clock: ServerClock,
    pools: RwLock<Pools>,
}

impl RatingCache {
    /// Returns a cache without ratings.
    #[must_use]
    pub const fn new(clock: ServerClock) -> Self {
        Self {
            clock,
            pools: RwLock::new(Pools::new()),
        }
    }

    /// Returns a cache with all stored ratings.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn filled(clock: ServerClock, store: &dyn ResultStore) -> Result<Self, StoreError> {
        let ratings = Self::new(clock);
        ratings.fill(store).await?;
        Ok(ratings)
    }

    /// Replaces all ratings by those in the storage.
    ///
    /// # Errors
    /// When the storage does not answer; the cache stays as it is.
    pub async fn fill(&self, store: &dyn ResultStore) -> Result<(), StoreError> {
        let (mut pools, mut after) = (Pools::new(), None);
        loop {
            let rows = store.ratings_after(after, FILL).await?;
            let is_last = rows.len() < FILL;
            after = rows
                .last()
                .map(|row| (row.pool.clone(), row.identity.clone()));
            put(&mut pools, rows);
            if is_last {
                break;
            }
        }
        *self.pools.write().unwrap_or_else(PoisonError::into_inner) = pools;
        Ok(())
    }

    /// Forgets the ratings of a player who is erased.
    pub fn forget(&self, identity: &str) {
        let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
        for pool in pools.values_mut() {
            pool.remove(identity);
        }
    }

    /// Takes over ratings that have changed.
    pub(super) fn update(&self, rows: Vec<RatingRow>) {
        if !rows.is_empty() {
            put(
                &mut self.pools.write().unwrap_or_else(PoisonError::into_inner),
                rows,
            );
        }
    }
}

fn put(pools: &mut Pools, rows: Vec<RatingRow>) {
    // Erased players are in no board.
    let here = |row: &RatingRow| !row.identity.starts_with(GONE);
    for row in rows.into_iter().filter(here) {
        let pool = pools.entry(row.pool).or_default();
        pool.insert(row.identity, row.rating.standing());
    }
}

impl Ratings for RatingCache {
    fn rating_of(&self, identity: &str, pool: &Pool) -> Option<SeatRating> {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        let rating = pools.get(pool)?.get(identity)?;
        let now = rating.at(pool.time_class, self.clock.now());
        Some(SeatRating {
            value: i32::try_from(now.shown()).unwrap_or(i32::MAX),
            deviation: u32::try_from(now.shown_deviation()).unwrap_or(u32::MAX),
            provisional: now.is_provisional(),
        })
    }

    fn board(&self, pool: &Pool, most: usize) -> Vec<RatingLine> {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        let players = pools.get(pool).into_iter().flatten();
        let players = players.map(|(player, standing)| (player.as_str(), *standing));
        by_rating(players, pool.time_class, self.clock.now(), most)
    }
}
