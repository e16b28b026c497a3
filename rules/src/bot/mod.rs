//! House bots: how strong they are, and how they decide.

use std::fmt;
use std::str::FromStr;

/// How strong a bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BotLevel {
    /// Knows few words and sees few of the squares.
    Beginner,
    /// Knows every word and takes the most points.
    Club,
    /// Weighs points against the tiles it keeps, and plays the end exactly.
    Expert,
}

/// A text that names no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no bot is called that; there are beginner, club and expert")]
pub struct UnknownBot;

impl BotLevel {
    /// Every level, the weakest first.
    pub const ALL: [Self; 3] = [Self::Beginner, Self::Club, Self::Expert];

    /// The name it is asked for by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Club => "club",
            Self::Expert => "expert",
        }
    }
}

impl fmt::Display for BotLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BotLevel {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<Self, UnknownBot> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or(UnknownBot)
    }
}
