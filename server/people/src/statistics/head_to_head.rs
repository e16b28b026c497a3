//! Two players against each other.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::results::GameResult;

/// Games won, lost and shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won alone.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games in which the players share the win.
    pub shared: u32,
}

impl Tally {
    /// Adds a game of two seats by the player's rank.
    pub(super) const fn add(&mut self, rank: u8, is_shared: bool) {
        match (rank, is_shared) {
            (1, true) => self.shared += 1,
            (1, false) => self.won += 1,
            _ => self.lost += 1,
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(self) -> u32 {
        self.won + self.lost + self.shared
    }
}

/// The games of two seats of one player against another, from the first one's side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HeadToHead {
    /// All games with a result.
    pub all: Tally,
    /// The games that count for both players.
    pub counted: Tally,
    /// The sum of the differences of the final scores in counted games.
    pub spread: i64,
    /// The score of each series of rematches, by the id of its first game. A game without rematch is no series, but stands
    /// here until [`HeadToHead::finished`]: its rematch may come later.
    pub series: BTreeMap<String, Tally>,
    /// The first games that had a rematch.
    #[serde(skip)]
    with_rematch: BTreeSet<String>,
}

impl HeadToHead {
    /// Computes the head to head of two players from results; results of other players change nothing.
    #[must_use]
    pub fn of<'a>(
        identity: &str,
        opponent: &str,
        results: impl IntoIterator<Item = &'a GameResult>,
    ) -> Self {
        let mut total = Self::default();
        for result in results {
            total.add(identity, opponent, result);
        }
        total.finished()
    }

    /// Returns the head to head after its last game.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.series
            .retain(|first_game, _| self.with_rematch.contains(first_game));
        self
    }

    /// Adds a game. A game without a result, without both players or with more than two seats changes nothing.
    pub fn add(&mut self, identity: &str, opponent: &str, result: &GameResult) {
        let (Some(own), Some(other)) = (result.seat_of(identity), result.seat_of(opponent)) else {
            return;
        };
        if result.seats.len() != 2 || identity == opponent || !result.reason.has_result() {
            return;
        }
        let is_shared = result.is_shared();
        self.all.add(own.rank, is_shared);
        if own.is_counted && other.is_counted {
            self.counted.add(own.rank, is_shared);
            let spread = i64::from(own.final_score) - i64::from(other.final_score);
            self.spread = self.spread.saturating_add(spread);
        }
        let first_game = match &result.series {
            Some(series) => {
                self.with_rematch.insert(series.first_game.clone());
                &series.first_game
            }
            None => &result.game,
        };
        let score = self.series.entry(first_game.clone()).or_default();
        score.add(own.rank, is_shared);
    }
}
