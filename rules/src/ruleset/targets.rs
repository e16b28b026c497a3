//! Targets: scores that end a game, by the number of players and each player's level.

use serde::{Deserialize, Serialize};

/// A player's level, as the player states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// New to the game.
    Beginner,
    /// Neither new nor strong.
    Intermediate,
    /// Strong.
    Expert,
}

/// The targets for one number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetsByLevel {
    /// Points a beginner needs.
    pub beginner: i32,
    /// Points an intermediate player needs.
    pub intermediate: i32,
    /// Points an expert needs.
    pub expert: i32,
}

/// The scores at which a game ends (R-END-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    /// With two players.
    pub two: TargetsByLevel,
    /// With three players.
    pub three: TargetsByLevel,
    /// With four players.
    pub four: TargetsByLevel,
}

impl Targets {
    /// Returns the score that a player of this level needs in a game with this number of seats.
    #[must_use]
    pub const fn of(&self, seats: u8, level: Level) -> i32 {
        let column = match seats {
            0..=2 => &self.two,
            3 => &self.three,
            _ => &self.four,
        };
        match level {
            Level::Beginner => column.beginner,
            Level::Intermediate => column.intermediate,
            Level::Expert => column.expert,
        }
    }

    /// Every target, for checks.
    pub(super) fn all(&self) -> impl Iterator<Item = i32> {
        [self.two, self.three, self.four]
            .into_iter()
            .flat_map(|column| [column.beginner, column.intermediate, column.expert])
    }
}
