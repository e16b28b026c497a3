//! Questions to house bots, and their answers.
//!
//! A bot is asked about the durable game only, and sees what its seat sees. The command id of its answer follows from
//! the question, so that a repeated answer counts once.

use std::sync::Arc;

use tilewire_rules::bot::{Bot, BotLevel, BotTurn, Judgement, Seen};
use tilewire_rules::game::Action;
use tilewire_rules::lexicon::{Lexicon, WordGraphs};
use tilewire_rules::state::{Phase, State};
use tilewire_rules::stream::{Seed, dice_label};
use tilewire_rules::time::{Millis, Seat, Seq, TurnNo};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

use tilewire_base::background::stand_back;
use tilewire_base::metrics;

/// The decision that a bot has to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// Whether to start.
    Ready,
    /// The action of a turn.
    Turn(TurnNo),
    /// Whether to challenge or accept a play.
    Play(Seq),
    /// Whether to stand by its own challenged play.
    Dispute(Seq),
}

/// A question to a house bot.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its seat.
    pub seat: Seat,
    /// Its level.
    pub level: BotLevel,
    /// The decision that a bot has to make.
    pub matter: Matter,
    /// The time before the answer is given; it depends on nothing hidden.
    pub pause_ms: Millis,
    /// The game.
    state: Arc<State>,
    /// The seed of its decisions.
    dice: u64,
}

impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        (self.seat, self.level, self.matter) == (other.seat, other.level, other.matter)
    }
}

/// A bot's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its seat.
    pub seat: Seat,
    /// The question.
    pub matter: Matter,
    /// Its action.
    pub action: Action,
}

impl Reply {
    /// Returns the id of the command: the same for the same question.
    #[must_use]
    pub fn cmd_id(&self) -> String {
        match self.matter {
            Matter::Ready => "house-ready".to_owned(),
            Matter::Turn(turn) => format!("house-turn-{}", turn.0),
            Matter::Play(play) => format!("house-play-{}", play.0),
            Matter::Dispute(play) => format!("house-stand-{}", play.0),
        }
    }
}

/// Returns the decision that the bot on a seat has to make now, if there is one.
#[must_use]
pub fn matter(state: &State, seat: Seat) -> Option<Matter> {
    if !state.is_active(seat) || state.adjournment().is_some() || state.pause().is_some() {
        return None;
    }
    match state.phase() {
        Phase::Waiting => {
            let is_ready = state.seats()[seat.index()].ready.is_some();
            return (!is_ready).then_some(Matter::Ready);
        }
        Phase::Ended => return None,
        Phase::Running | Phase::Final => {}
    }
    if let Some(window) = state.window() {
        if window.dispute.is_some() {
            return (window.author == seat).then_some(Matter::Dispute(window.play_id));
        }
        let may_judge = window.eligible.contains(&seat) && !window.accepted.contains(&seat);
        if may_judge {
            return Some(Matter::Play(window.play_id));
        }
        if window.hold.is_some() {
            return None;
        }
    }
    let turn = state.turn().filter(|turn| turn.seat == seat)?;
    Some(Matter::Turn(turn.no))
}

impl Question {
    /// Returns the question to the bot on a seat.
    #[must_use]
    pub fn new(
        state: &State,
        seat: Seat,
        level: BotLevel,
        matter: Matter,
        pause_range_ms: (Millis, Millis),
    ) -> Self {
        let turn = state.last_turn().0;
        let (least, most) = short_on_time(state, seat, pause_range_ms);
        Self {
            seat,
            level,
            matter,
            pause_ms: match matter {
                Matter::Ready => Millis::ZERO,
                Matter::Turn(_) | Matter::Play(_) | Matter::Dispute(_) => {
                    let seed = public_seed(&state.created().game, seat);
                    Millis(Bot::pause_ms(seed, turn, (least.0, most.0)))
                }
            },
            state: Arc::new(state.clone()),
            dice: dice_of(state, seat),
        }
    }

    /// Computes the answer. This takes long: call it on a thread that no game waits for.
    #[must_use]
    pub fn decide(&self, words: &Arc<WordGraphs>) -> Reply {
        let action = match self.matter {
            Matter::Ready => Action::Ready { nonce: Vec::new() },
            Matter::Dispute(play) => Action::Stand(play),
            Matter::Turn(turn_no) => self.turn(words, turn_no),
            Matter::Play(play) => self.judge(words, play),
        };
        Reply {
            seat: self.seat,
            matter: self.matter,
            action,
        }
    }

    fn turn(&self, words: &Arc<WordGraphs>, turn_no: TurnNo) -> Action {
        let mut bot = Bot::new(self.level, Arc::clone(words));
        let turn = Seen::of(&self.state, self.seat).map(|seen| bot.turn(&seen, self.dice));
        match turn {
            Some(BotTurn::Play(placement)) => Action::Play { turn_no, placement },
            Some(BotTurn::Exchange(tiles)) => Action::Exchange { turn_no, tiles },
            Some(BotTurn::Pass) | None => Action::Pass { turn_no },
        }
    }

    fn judge(&self, words: &Arc<WordGraphs>, play: Seq) -> Action {
        let formed: Vec<_> = self
            .state
            .window_words()
            .iter()
            .map(|word| word.letters.clone())
            .collect();
        let kind = self.state.options().challenge.kind;
        let bot = Bot::new(self.level, Arc::clone(words));
        match bot.judge(kind, &formed, play.0, self.dice) {
            Judgement::Challenge => Action::Challenge(play),
            Judgement::Accept => Action::Accept(play),
        }
    }

    /// Returns the action after a refused answer: the simplest one that settles the matter.
    #[must_use]
    pub fn plainest(matter: Matter) -> Option<Action> {
        match matter {
            Matter::Ready => None,
            Matter::Turn(turn_no) => Some(Action::Pass { turn_no }),
            Matter::Play(play) => Some(Action::Accept(play)),
            Matter::Dispute(play) => Some(Action::Stand(play)),
        }
    }
}

/// Computes an answer on a thread of its own, and returns it after the bot's pause. Computing longer than the pause is
/// rare, and bounded.
pub(super) async fn answer(
    question: Question,
    lexicon: Arc<dyn Lexicon>,
    thinkers: Arc<Semaphore>,
) -> Reply {
    let pause = tokio::time::sleep(question.pause_ms.to_duration());
    let (seat, matter) = (question.seat, question.matter);
    let thought = think(lexicon, thinkers, move |words| question.decide(words));
    let ((), thought) = tokio::join!(pause, thought);
    let reply = thought.unwrap_or_else(|error| {
        tracing::error!(%error, ?matter, "a house bot failed");
        None
    });
    reply.unwrap_or_else(|| Reply {
        seat,
        matter,
        action: Question::plainest(matter).unwrap_or(Action::Resign),
    })
}

/// Computes something with the words of a game, on a thread that no game waits for. Returns `None` if they cannot be searched.
pub(super) async fn think<T: Send + 'static>(
    lexicon: Arc<dyn Lexicon>,
    thinkers: Arc<Semaphore>,
    decide: impl FnOnce(&Arc<WordGraphs>) -> T + Send + 'static,
) -> Result<Option<T>, JoinError> {
    let waiting = metrics::bot_waits();
    // The semaphore is never closed.
    let _permit = thinkers.acquire().await.ok();
    drop(waiting);
    let _thinking = metrics::bot_thinks();
    let think = move || {
        let words = lexicon.graphs()?; // computed once: games may wait for it
        stand_back(); // a bot has its pause to compute in
        Some(decide(&words))
    };
    tokio::task::spawn_blocking(think).await
}

/// Shortens the pause when the bot's clock runs low.
fn short_on_time(state: &State, seat: Seat, (least, most): (Millis, Millis)) -> (Millis, Millis) {
    /// Turns that the remaining time should last for.
    const TURNS_TO_GO: i64 = 40;
    if !state.options().clock.is_live() {
        return (least, most);
    }
    let clocks = state.clocks();
    let left = |times: &[i64]| times.get(seat.index()).copied().unwrap_or(0).max(0);
    let left = Millis(left(&clocks.main_ms)) + Millis(left(&clocks.allowance_ms));
    let most = most.min(left / TURNS_TO_GO);
    (least.min(most), most)
}

/// Returns the seed of a bot's pauses. The pauses are visible, so the seed follows from public facts alone.
fn public_seed(game: &str, seat: Seat) -> u64 {
    let bytes = game.bytes().chain([seat.0]);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the seed of a bot's decisions (R-BAG-6). It follows from the secret of the game: nobody can predict whether
/// the bot challenges, and everybody can recompute its decisions once the end reveals the secret.
fn dice_of(state: &State, seat: Seat) -> u64 {
    let created = state.created();
    let mut dice =
        Seed::new::<[u8; 0]>(&created.secret, &created.game, &[]).stream(&dice_label(seat.0));
    u64::from(dice.next_u32()) | u64::from(dice.next_u32()) << 32
}

#[cfg(test)]
mod tests;
