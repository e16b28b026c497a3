//! Rule sets as data: board, tiles, rack, bonuses, challenges and endings, read from TOML and checked once.
//!
//! Everything that differs between games of this family and is a number, a table or a choice among known procedures is
//! here; the procedures are code. What players may choose for one game (clock, challenge, endings) has its usual value
//! here and its chosen one in [`crate::options`].

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
    /// They lie as the layout says.
    Fixed,
    /// They are dealt anew over all squares but the start square when a game begins.
    Drawn,
}

/// When unplayed tiles count at the end of a game (R-END-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RackCount {
    /// However the game ended by the rules.
    Always,
    /// Only if the bag was empty.
    EmptyBag,
}

/// The rules of one game of the family that are data, with the tiles of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Stable identifier, such as `classic`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What is special about it, in one sentence for people.
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
    /// Fewest tiles in the bag with which an exchange is allowed (R-EXCH-3).
    pub exchange_min_bag: u8,
    /// Fewest tiles in the first play (R-PLAY-5).
    pub opening_min_tiles: u8,
    /// Fewest seats.
    pub min_seats: u8,
    /// Most seats.
    pub max_seats: u8,
    /// How plays may be checked, the usual way first.
    pub challenges: Vec<ChallengeKind>,
    /// Scores that end the game, where there are such (R-END-13).
    pub targets: Option<Targets>,
    /// When unplayed tiles count.
    pub rack_count: RackCount,
    /// What players get who choose nothing.
    pub usual: Choices,
    /// The tiles for every language it can be played in, the usual one first.
    pub tile_sets: Vec<Arc<NamedTileSet>>,
}

impl RuleSet {
    /// Returns the same rules with the tiles of another language; `None` where there are none.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Option<Self> {
        let set = self.tile_sets.iter().find(|set| set.language == language)?;
        Some(Self {
            language: set.language.clone(),
            tiles: set.tiles.clone(),
            ..self.clone()
        })
    }

    /// Returns the languages it can be played in, the usual one first.
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
