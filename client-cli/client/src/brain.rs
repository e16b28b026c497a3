//! The decisions of a bot that plays as a client.
//!
//! The bot knows only the messages that its client received: board, tiles and numbers come from the setup of the game.

use std::sync::Arc;

use tilewire_protocol::GameSetup;
use tilewire_rules::alphabet::Letter;
use tilewire_rules::bot::{Bot, BotLevel, BotTurn, Judgement};
use tilewire_rules::lexicon::WordGraphs;

use crate::position::Position;
use crate::rules::{SetupError, challenge_of, rules_of};
use crate::view::{GameView, Prompt};

/// A game that a bot cannot play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrainError {
    /// The lexicon of the game is not the lexicon of the bot.
    #[error("the game uses the lexicon {name}, which this bot does not have")]
    Lexicon {
        /// The lexicon of the game.
        name: String,
    },
    /// The rules of the game cannot be read.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// An answer to a [`Prompt`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Play, exchange or pass.
    Turn(BotTurn),
    /// Challenge the play of another seat.
    Challenge,
    /// Accept the play of another seat.
    Accept,
    /// Stand by the own play.
    Stand,
    /// Agree to adjourn the game.
    Adjourn,
    /// Be ready to resume the adjourned game.
    Resume,
}

/// A bot that plays one game.
#[derive(Debug)]
pub struct Brain {
    bot: Bot,
    seed: u64,
    answered: Option<Prompt>,
}

impl Brain {
    /// A bot for the game of this setup; `lexicon_hash` is the hash of the lexicon that `words` comes from.
    ///
    /// # Errors
    /// Returns an error if the game uses another lexicon, or if its rules cannot be read.
    pub fn new(
        level: BotLevel,
        words: &Arc<WordGraphs>,
        lexicon_hash: &[u8; 32],
        setup: &GameSetup,
        seed: u64,
    ) -> Result<Self, BrainError> {
        if setup.lexicon.hash.0 != lexicon_hash {
            let name = setup.lexicon.name.clone();
            return Err(BrainError::Lexicon { name });
        }
        rules_of(&setup.rule_set)?;
        Ok(Self {
            bot: Bot::new(level, Arc::clone(words)),
            seed,
            answered: None,
        })
    }

    /// Answers the current prompt, once.
    ///
    /// A prompt that comes back is answered again: a challenge can interrupt a turn, which continues after the verdict.
    pub fn choose(&mut self, view: &GameView) -> Option<Choice> {
        let prompt = view.prompt();
        let before = std::mem::replace(&mut self.answered, prompt);
        match prompt.filter(|_| prompt != before)? {
            Prompt::Dispute(_) => Some(Choice::Stand),
            Prompt::Adjourn(_) => Some(Choice::Adjourn),
            Prompt::Resume(_) => Some(Choice::Resume),
            Prompt::Play(play_id) => Some(match judge(&self.bot, view, play_id, self.seed) {
                Judgement::Challenge => Choice::Challenge,
                Judgement::Accept => Choice::Accept,
            }),
            Prompt::Turn(_) => {
                let position = Position::of(view, view.seat?).ok()?;
                Some(Choice::Turn(self.bot.turn(&position.seen(), self.seed)))
            }
        }
    }

    /// Whether the game still waits for the answer that was given last.
    #[must_use]
    pub fn is_current(&self, view: &GameView) -> bool {
        let prompt = view.prompt();
        prompt.is_some() && prompt == self.answered
    }

    /// The answer that is always legal, for a prompt whose first answer the server refused.
    #[must_use]
    pub fn safe_choice(&self) -> Option<Choice> {
        Some(match self.answered? {
            Prompt::Turn(_) => Choice::Turn(BotTurn::Pass),
            Prompt::Play(_) => Choice::Accept,
            Prompt::Dispute(_) => Choice::Stand,
            Prompt::Adjourn(_) => Choice::Adjourn,
            Prompt::Resume(_) => Choice::Resume,
        })
    }
}

/// The opinion of a bot about a play of another seat. A bot accepts a play whose words it cannot read.
#[must_use]
pub fn judge(bot: &Bot, view: &GameView, play_id: u64, seed: u64) -> Judgement {
    let Ok(rules) = view.rules() else {
        return Judgement::Accept;
    };
    let words = view.words_of(play_id);
    let words: Vec<Vec<Letter>> = words
        .filter_map(|word| rules.tiles.parse_word(word))
        .collect();
    bot.judge(challenge_of(&view.setup.options), &words, play_id, seed)
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::{Accepted, ChallengeOpened, EventBody};
    use tilewire_rules::lexicon::{FstLexicon, Lexicon as _};

    use super::*;
    use crate::fixtures::{Story, T0, clocks, setup, window};

    fn brain(setup: &GameSetup) -> Brain {
        let words = FstLexicon::builtin().graphs().unwrap();
        let hash = setup.lexicon.hash.0.clone().try_into().unwrap();
        Brain::new(BotLevel::Expert, &words, &hash, setup, 1).unwrap()
    }

    #[test]
    fn a_turn_that_a_challenge_interrupts_is_played_after_it() {
        let names = ["Anna", "Ben", "Cleo"];
        let mut brain = brain(&setup(&names));
        let mut story = Story::started(&names, Some(1), "AEINRST");
        let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1, 2], false));
        story.turn(2, 1);
        assert_eq!(brain.choose(story.view()), Some(Choice::Accept));
        story.tell(EventBody::Accepted(Accepted { play_id, seat: 1 }));
        let turn = brain.choose(story.view());
        assert!(matches!(turn, Some(Choice::Turn(BotTurn::Play(_)))));
        assert!(brain.is_current(story.view()));
        story.tell(EventBody::ChallengeOpened(ChallengeOpened {
            play_id,
            seat: 2,
            decide_by: T0 + 200_000,
            clocks: clocks(&[1, 2, 3], None),
        }));
        assert_eq!(brain.choose(story.view()), None);
        assert!(!brain.is_current(story.view()));
        story.verdict(play_id, 2, &[], &[14, 0, 0]);
        assert_eq!(brain.choose(story.view()), turn);
        assert_eq!(brain.choose(story.view()), None, "no answer is given twice");
    }
}
