//! How a bot responds to an opponent's play.

use crate::alphabet::Letter;
use crate::lexicon::WordGraphs;
use crate::options::ChallengeKind;
use crate::stream::Stream;

use super::BotLevel;

/// A bot's response to a play that can be challenged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Challenge the play.
    Challenge,
    /// Accept the play.
    Accept,
}

/// The percentage of phonies that a beginner notices.
const BEGINNER_NOTICES: u32 = 30;
/// The percentages of phonies that the levels between beginner and club notice.
const CASUAL_NOTICES: u32 = 50;
const IMPROVER_NOTICES: u32 = 70;
/// The percentage of phonies that a club player notices.
const CLUB_NOTICES: u32 = 85;
/// The percentage of unknown valid words that a beginner takes for phonies.
const BEGINNER_DOUBTS: u32 = 2;

pub(super) fn judge(
    level: BotLevel,
    words: &WordGraphs,
    kind: ChallengeKind,
    formed: &[Vec<Letter>],
    chance: &mut Stream,
) -> Judgement {
    let throw = chance.uniform(100);
    let is_phony = formed.iter().any(|word| !words.all().contains(word));
    let is_strange = formed.iter().any(|word| !words.common().contains(word));
    let challenges = match level {
        BotLevel::Beginner if is_phony => throw < BEGINNER_NOTICES,
        // A beginner does not risk the whole game for a doubt.
        BotLevel::Beginner => {
            is_strange && kind != ChallengeKind::Triple && throw < BEGINNER_DOUBTS
        }
        BotLevel::Casual => is_phony && throw < CASUAL_NOTICES,
        BotLevel::Improver => is_phony && throw < IMPROVER_NOTICES,
        BotLevel::Club => is_phony && throw < CLUB_NOTICES,
        BotLevel::Expert | BotLevel::Master => is_phony,
    };
    if challenges {
        Judgement::Challenge
    } else {
        Judgement::Accept
    }
}
