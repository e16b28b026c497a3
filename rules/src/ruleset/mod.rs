//! Rule sets as data: board, tiles, rack, bonuses, challenges and endings, read from TOML and checked once.
//!
//! A rule set contains the numbers, tables and choices in which the games of this family differ; the procedures are
//! code. It has the usual values of the options that players can choose for one game (clock, challenge, endings);
//! [`crate::options`] has the chosen values.

mod allowed;
mod builtin;
mod file;
mod targets;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::alphabet::TileSet;
use crate::board::Layout;
use crate::choices::{ChallengeKind, Choices};
use crate::tile_sets::NamedTileSet;

pub use crate::data::{FieldProblem, RuleSetError};
pub use targets::{Level, Targets};

/// Most tiles a rack may hold, in any rule set.
pub const MAX_RACK_SIZE: u8 = 16;

/// Most seats a game may have, in any rule set.
pub const MAX_SEATS: u8 = 4;

/// Bonus for laying a certain number of tiles in one turn (R-SCORE-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bingo {
    /// Tiles laid, exactly.
    pub tiles: u8,
    /// Points added after all multiplication.
    pub bonus: i32,
}

/// Where the premium squares of a game come from (R-SET-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premiums {
    /// The layout fixes them.
    Fixed,
    /// When a game begins, they are shuffled over all squares except the start square.
    Drawn,
}

/// When unplayed tiles count at the end of a game (R-END-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RackCount {
    /// After every end that counts racks.
    Always,
    /// Only if the bag is empty.
    EmptyBag,
}

/// The rules of one game as data, with the tiles of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Stable identifier, such as `classic`.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// A one-sentence description to show.
    pub summary: String,
    /// Size, start square and premium squares of the board.
    pub layout: Layout,
    /// Where the premium squares of a game come from.
    pub premiums: Premiums,
    /// Language of `tiles`.
    pub language: String,
    /// Letters, blanks and values.
    pub tiles: TileSet,
    /// Tiles on a full rack.
    pub rack_size: u8,
    /// Bonuses by number of tiles laid.
    pub bingo: Vec<Bingo>,
    /// The smallest number of tiles in the bag that allows an exchange (R-EXCH-3).
    pub exchange_min_bag: u8,
    /// Fewest tiles in the first play (R-PLAY-5).
    pub opening_min_tiles: u8,
    /// Fewest seats.
    pub min_seats: u8,
    /// Most seats.
    pub max_seats: u8,
    /// The kinds of challenge that are allowed, the usual one first.
    pub challenges: Vec<ChallengeKind>,
    /// The scores that end the game, if the rule set has targets (R-END-13).
    pub targets: Option<Targets>,
    /// When unplayed tiles count.
    pub rack_count: RackCount,
    /// The options that apply if players choose nothing.
    pub usual: Choices,
    /// The tiles of every language that the rule set supports, the usual one first.
    pub tile_sets: Vec<Arc<NamedTileSet>>,
    /// The text of the file that defines the rule set.
    pub source: Arc<str>,
}

impl RuleSet {
    /// Returns the same rules with the tiles of another language; `None` if the rule set does not support it.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Option<Self> {
        let set = self.tile_sets.iter().find(|set| set.language == language)?;
        Some(Self {
            language: set.language.clone(),
            tiles: set.tiles.clone(),
            ..self.clone()
        })
    }

    /// Returns whether the rule set is part of this program, not an operator's own.
    #[must_use]
    pub fn is_builtin(&self) -> bool {
        Self::builtin(&self.id).is_some_and(|builtin| builtin.source == self.source)
    }

    /// Returns the supported languages, the usual one first.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.tile_sets.iter().map(|set| set.language.as_str())
    }

    /// Returns the score at which a player of this level wins a game of `seats` seats, if the rule set has targets
    /// (R-END-13). A player without a level counts as intermediate.
    #[must_use]
    pub fn target(&self, seats: u8, level: Option<Level>) -> Option<i32> {
        let targets = self.targets?;
        Some(targets.of(seats, level.unwrap_or(Level::Intermediate)))
    }

    /// Bonus for laying this many tiles in one turn (R-SCORE-8).
    #[must_use]
    pub fn bingo_bonus(&self, tiles_laid: usize) -> i32 {
        self.bingo
            .iter()
            .find(|bingo| usize::from(bingo.tiles) == tiles_laid)
            .map_or(0, |bingo| bingo.bonus)
    }
}
