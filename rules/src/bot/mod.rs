//! House bots: pure functions of what a seat sees, the words, and a seed.
//!
//! A bot is told a position as the player on its seat sees it ([`Seen`]) and answers with a turn, or with what it says
//! to a play of somebody else. It has no clock and no memory of its own: the same question with the same seed gets the
//! same answer, on every machine.

mod beginner;
mod endgame;
mod equity;
mod expert;
mod judge;
mod leave;
mod rollout;
mod seen;
mod table;
mod train;

#[cfg(test)]
mod tests;

pub use judge::Judgement;
pub use leave::{Centipoints, LeaveTable, Leaves};
pub use seen::Seen;
pub use table::{Match, MatchResult, play_game};
pub use train::{TrainingPlan, train};

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::alphabet::{Letter, Tile};
use crate::lexicon::WordGraphs;
use crate::movegen::Generator;
use crate::options::ChallengeKind;
use crate::play::Placement;
use crate::stream::{Seed, Stream};

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

/// What a bot does with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotTurn {
    /// Lay tiles.
    Play(Placement),
    /// Exchange tiles.
    Exchange(Vec<Tile>),
    /// Pass.
    Pass,
}

/// A player that is a program: a level, the words it plays with, and memory to search with.
///
/// The memory holds nothing between two questions; it only saves allocations.
#[derive(Debug)]
pub struct Bot {
    level: BotLevel,
    words: Arc<WordGraphs>,
    generator: Generator,
    /// Leave values; those of the program once they were needed.
    leaves: Option<Leaves>,
    care: Care,
}

/// How much an expert thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// As well as it can.
    Full,
    /// By equity alone, also near the end: for training, where only what comes before is learned from.
    EquityOnly,
}

impl Bot {
    /// A bot of this level.
    #[must_use]
    pub fn new(level: BotLevel, words: Arc<WordGraphs>) -> Self {
        Self {
            level,
            words,
            generator: Generator::new(),
            leaves: None,
            care: Care::Full,
        }
    }

    /// An expert that goes by these leave values and points alone.
    fn in_training(words: Arc<WordGraphs>, leaves: Leaves) -> Self {
        Self {
            leaves: Some(leaves),
            care: Care::EquityOnly,
            ..Self::new(BotLevel::Expert, words)
        }
    }

    /// Its level.
    #[must_use]
    pub const fn level(&self) -> BotLevel {
        self.level
    }

    /// Decides on a turn.
    #[must_use]
    pub fn turn(&mut self, seen: &Seen<'_>, seed: u64) -> BotTurn {
        let mut chance = chance(seed, &format!("turn/{}", seen.turn_no));
        match self.level {
            BotLevel::Beginner => {
                beginner::turn(&mut self.generator, &self.words, seen, &mut chance)
            }
            BotLevel::Club => equity::highest_score(&mut self.generator, self.words.all(), seen),
            BotLevel::Expert => {
                let leaves = self.leaves.get_or_insert_with(|| {
                    Leaves::for_tiles(&seen.rules.tiles, &seen.rules.language)
                });
                if self.care == Care::EquityOnly {
                    return expert::by_equity(&mut self.generator, self.words.all(), leaves, seen);
                }
                expert::turn(
                    &mut self.generator,
                    self.words.all(),
                    leaves,
                    seen,
                    &mut chance,
                )
            }
        }
    }

    /// Says what it thinks of a play of somebody else, given all its words.
    #[must_use]
    pub fn judge(
        &self,
        kind: ChallengeKind,
        words: &[Vec<Letter>],
        play: u64,
        seed: u64,
    ) -> Judgement {
        let mut chance = chance(seed, &format!("judge/{play}"));
        judge::judge(self.level, &self.words, kind, words, &mut chance)
    }

    /// How long it lets others wait before it acts, ms. Depends on the turn, never on the tiles: the time a bot takes
    /// says nothing about its rack.
    #[must_use]
    pub fn pause_ms(seed: u64, turn_no: u32, range: (i64, i64)) -> i64 {
        let (least, most) = range;
        let span = u32::try_from((most - least).clamp(0, i64::from(u32::MAX - 1))).unwrap_or(0);
        least + i64::from(chance(seed, &format!("pause/{turn_no}")).uniform(span + 1))
    }
}

/// A stream of chance that follows from a seed and what it is for.
fn chance(seed: u64, label: &str) -> Stream {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    Seed::new(&secret, "bot", &[[]; 0]).stream(label)
}
