//! Questions about the turn that a hint shows, and their answers.
//!
//! The answer follows from what the seat sees, so a question that is asked again after a restart has the same answer.

use std::sync::Arc;

use tilewire_rules::bot::{Bot, BotLevel, HintedTurn, Seen};
use tilewire_rules::lexicon::{Lexicon, WordGraphs};
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, TurnNo};
use tokio::sync::Semaphore;

use crate::bot_turn::think;

/// A question about the turn that a hint shows.
#[derive(Debug, Clone)]
pub struct HintQuestion {
    /// The turn being played.
    pub turn_no: TurnNo,
    /// The seat on turn.
    pub seat: Seat,
    /// The game.
    pub(crate) state: Arc<State>,
}

impl PartialEq for HintQuestion {
    fn eq(&self, other: &Self) -> bool {
        (self.turn_no, self.seat) == (other.turn_no, other.seat)
    }
}

/// The answer: the turn, or nothing if the words of the game cannot be searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintFound {
    /// The turn being played.
    pub turn_no: TurnNo,
    /// The turn that the hint shows.
    pub turn: Option<HintedTurn>,
}

impl HintQuestion {
    /// Computes the answer. This takes long: call it on a thread that no game waits for.
    #[must_use]
    pub fn decide(&self, words: &Arc<WordGraphs>) -> Option<HintedTurn> {
        let seen = Seen::of(&self.state, self.seat)?;
        Some(Bot::new(BotLevel::Expert, Arc::clone(words)).hint(&seen))
    }
}

/// Computes an answer as the turns of house bots are computed.
pub(super) async fn answer(
    question: HintQuestion,
    lexicon: Arc<dyn Lexicon>,
    thinkers: Arc<Semaphore>,
) -> HintFound {
    let turn_no = question.turn_no;
    let thought = think(lexicon, thinkers, move |words| question.decide(words));
    let turn = thought.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a hint could not be computed");
        None
    });
    HintFound {
        turn_no,
        turn: turn.flatten(),
    }
}
