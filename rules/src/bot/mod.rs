//! House bots: pure functions of what a seat sees, the words, and a seed.
//!
//! A bot gets a position as the player on its seat sees it ([`Seen`]) and returns a turn, or its response
//! to an opponent's play. It has no clock and no memory: the same question with the same seed gets the
//! same answer, on every machine.

mod chances;
mod easy;
mod expert;
mod hint;
mod judge;
mod master;
mod rollout;
mod self_play;
mod train;

#[cfg(test)]
mod tests;

pub use crate::analysis::{BotTurn, Candidate, Centipoints, LeaveTable, Leaves, Seen};
pub use chances::{Lesson, Tenth, chance_lessons, learn_chances, tenths};
pub use hint::{HintedTurn, Theme};
pub use judge::Judgement;
pub use self_play::{Match, MatchResult, play_game};
pub use train::{TrainingPlan, train};

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::alphabet::Letter;
use crate::analysis::{EndingSearch, Engine, best_by_equity, equity};
use crate::lexicon::WordGraphs;
use crate::movegen::Generator;
use crate::options::ChallengeKind;
use crate::stream::{Seed, Stream};

/// How strong a bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BotLevel {
    /// Knows few words and sees few plays.
    Beginner,
    /// Knows the common words and takes the play with the highest score.
    Casual,
    /// Knows every word and takes the best play of those that it sees.
    Improver,
    /// Knows every word and takes the play with the highest score.
    Club,
    /// Weighs the score against the leave, and plays endings exactly.
    Expert,
    /// Simulates its best turns, plays every draw near the end, and plays endings exactly.
    Master,
}

/// The error for a text that does not name a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown bot level; the levels are beginner, casual, improver, club, expert and master")]
pub struct UnknownBot;

impl BotLevel {
    /// Every level, the weakest first.
    pub const ALL: [Self; 6] = [
        Self::Beginner,
        Self::Casual,
        Self::Improver,
        Self::Club,
        Self::Expert,
        Self::Master,
    ];

    /// The name of the level.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Casual => "casual",
            Self::Improver => "improver",
            Self::Club => "club",
            Self::Expert => "expert",
            Self::Master => "master",
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

/// A bot: a level, the words it plays with, and memory for its searches.
///
/// The memory keeps nothing between two questions; it only saves allocations.
#[derive(Debug)]
pub struct Bot {
    level: BotLevel,
    words: Arc<WordGraphs>,
    generator: Generator,
    /// The leave values; the built-in ones are prepared on first use.
    leaves: Option<Leaves>,
    /// The memory for endings; taken on first use.
    endings: Option<EndingSearch>,
    /// The engine of a master; taken on first use.
    engine: Option<Engine>,
    care: Care,
}

/// How much an expert searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// With rollouts and the search of endings.
    Full,
    /// By equity alone, also near the end: for training, which learns from earlier turns only.
    EquityOnly,
}

impl Bot {
    /// Returns a bot of this level.
    #[must_use]
    pub fn new(level: BotLevel, words: Arc<WordGraphs>) -> Self {
        Self {
            level,
            words,
            generator: Generator::new(),
            leaves: None,
            endings: None,
            engine: None,
            care: Care::Full,
        }
    }

    /// Returns an expert that chooses by score and these leave values alone.
    fn in_training(words: Arc<WordGraphs>, leaves: Leaves) -> Self {
        Self {
            leaves: Some(leaves),
            care: Care::EquityOnly,
            ..Self::new(BotLevel::Expert, words)
        }
    }

    /// Returns the level.
    #[must_use]
    pub const fn level(&self) -> BotLevel {
        self.level
    }

    /// Chooses a turn.
    #[must_use]
    pub fn turn(&mut self, seen: &Seen<'_>, seed: u64) -> BotTurn {
        let mut chance = chance(seed, &format!("turn/{}", seen.turn_no));
        let skill = match self.level {
            BotLevel::Beginner => easy::BEGINNER,
            BotLevel::Casual => easy::CASUAL,
            _ => easy::IMPROVER,
        };
        match self.level {
            BotLevel::Beginner | BotLevel::Casual | BotLevel::Improver => {
                easy::turn(&mut self.generator, &self.words, seen, skill, &mut chance)
            }
            BotLevel::Master => {
                let words = &self.words;
                let engine = self.engine.get_or_insert_with(|| {
                    Engine::new(Arc::clone(words), seen.rules).with_table(master::ENDING_TABLE)
                });
                master::turn(engine, seen, seed.wrapping_add(u64::from(seen.turn_no)))
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
                    (leaves, &mut self.endings),
                    seen,
                    &mut chance,
                )
            }
        }
    }

    /// Returns the best turns by score and leave, the best one first, with exchanges and the pass.
    #[must_use]
    pub fn candidates(&mut self, seen: &Seen<'_>, most: usize) -> Vec<Candidate> {
        let tiles = &seen.rules.tiles;
        let leaves = self
            .leaves
            .get_or_insert_with(|| Leaves::for_tiles(tiles, &seen.rules.language));
        best_by_equity(&mut self.generator, self.words.all(), leaves, seen, most)
    }

    /// Responds to an opponent's play, given all words that it formed.
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

    /// Returns how long a bot waits before it acts, ms. The pause depends on the turn, never on the tiles, so that it
    /// reveals nothing about the rack.
    #[must_use]
    pub fn pause_ms(seed: u64, turn_no: u32, range: (i64, i64)) -> i64 {
        let (least, most) = range;
        let span = u32::try_from((most - least).clamp(0, i64::from(u32::MAX - 1))).unwrap_or(0);
        least + i64::from(chance(seed, &format!("pause/{turn_no}")).uniform(span + 1))
    }
}

/// Returns the random stream of a seed for one purpose.
fn chance(seed: u64, label: &str) -> Stream {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    Seed::new(&secret, "bot", &[[]; 0]).stream(label)
}
