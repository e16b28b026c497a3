//! The game as a machine: told the time and an input, it answers with what happened.
//!
//! [`Game::handle`] reads no clock, touches no socket and never fails halfway: it works on a copy
//! of the state and hands back records that the caller makes durable before it shows them to
//! anybody and before it adopts the next game.

mod challenge;
mod deadline;
mod ending;
mod retire;
mod searches;
mod start;
mod step;
mod turn;

#[cfg(test)]
mod tests;

pub use deadline::Timer;

use crate::alphabet::Tile;
use crate::event::{CommandRef, Created, Event, Record};
use crate::lexicon::Lexicon;
use crate::options::OptionsError;
use crate::play::Placement;
use crate::rejection::Rejection;
use crate::ruleset::RuleSet;
use crate::state::{Phase, ReplayError, State};
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use std::sync::Arc;
use step::Step;

/// What a game needs from outside to decide.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The lexicon named in the game's options. Consulted only where the rules allow it: for a
    /// verdict, or for every play where plays are validated automatically.
    pub lexicon: &'a dyn Lexicon,
    /// Replaces the game's own streams as the source of shuffles. Only for proofs and tests: the
    /// published secret does not explain such a bag.
    pub shuffler: Option<&'a dyn Shuffler>,
}

impl<'a> Context<'a> {
    /// Returns a context with the game's own verifiable shuffles.
    #[must_use]
    pub fn new(lexicon: &'a dyn Lexicon) -> Self {
        Self {
            lexicon,
            shuffler: None,
        }
    }
}

/// A source of shuffles.
pub trait Shuffler {
    /// Puts `tiles` (given in the alphabet's order, blanks last) into the order for `label`.
    fn shuffle(&self, label: &str, tiles: &mut [Tile]);
}

/// Something that reaches a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A player's command.
    Command(Command),
    /// Time passed: everything due by now happens.
    Tick,
    /// A player has been without a connection for longer than the operator's grace.
    Vanished(Seat),
    /// A vanished player is connected again.
    Returned(Seat),
    /// The server runs again after it stopped.
    Resumed {
        /// The last moment it is known to have run.
        stopped_at: Timestamp,
    },
}

/// A player's command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Who sent it.
    pub seat: Seat,
    /// The sender's id for it: the same id is never carried out twice.
    pub cmd_id: String,
    /// Digest of its content.
    pub digest: u64,
    /// When the server received it: the clock stops here.
    pub received_at: Timestamp,
    /// Network delay the player is not charged for, ms.
    pub lag_ms: i64,
    /// What to do.
    pub action: Action,
}

/// What a command asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The player is at the table.
    Ready {
        /// The player's share of the seed; empty for none.
        nonce: Vec<u8>,
    },
    /// Lay tiles.
    Play {
        /// The turn this is meant for.
        turn_no: TurnNo,
        /// The tiles.
        placement: Placement,
    },
    /// Exchange tiles.
    Exchange {
        /// The turn this is meant for.
        turn_no: TurnNo,
        /// What to lay aside.
        tiles: Vec<Tile>,
    },
    /// Pass.
    Pass {
        /// The turn this is meant for.
        turn_no: TurnNo,
    },
    /// Challenge a play.
    Challenge(Seq),
    /// Accept a play.
    Accept(Seq),
    /// Ask for time before a challenge.
    Hold(Seq),
    /// Let go of a hold.
    Release(Seq),
    /// Withdraw the own challenged play.
    Withdraw(Seq),
    /// Let the lexicon decide on the own challenged play.
    Stand(Seq),
    /// Give up.
    Resign,
    /// Call the game off before everybody had a turn.
    Abort,
    /// Take the game from a player who vanished.
    Claim(Seat),
}

impl Action {
    const fn ends_turn(&self) -> bool {
        matches!(
            self,
            Self::Play { .. } | Self::Exchange { .. } | Self::Pass { .. }
        )
    }
}

/// The answer to a command: the number of the event it caused, or why it was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Who sent the command.
    pub seat: Seat,
    /// Its id.
    pub cmd_id: String,
    /// The answer. A retry of an accepted command gets the first answer again.
    pub outcome: Result<Seq, Rejection>,
}

/// What an input led to.
#[derive(Debug, Clone)]
#[must_use = "records must be made durable before the next game is adopted"]
pub struct Transition {
    /// What happened, to be stored together or not at all. Empty when nothing did.
    pub records: Vec<Record>,
    /// The game afterwards.
    pub next: Game,
    /// Commands that are answered now. A command that waits for a challenge window is answered in
    /// a later transition.
    pub answers: Vec<Answer>,
}

/// A game: its state, and the command that waits for a challenge window, if one does.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    state: Arc<State>,
    /// Not part of the log: after a crash its sender sends it again.
    waiting: Option<Command>,
}

impl Game {
    /// Returns a new game and the record of its creation.
    ///
    /// # Errors
    /// When the options cannot be played with `rules`.
    ///
    /// # Panics
    /// When `created.players` has another length than `created.options.seats`.
    pub fn create(
        rules: Arc<RuleSet>,
        at: Timestamp,
        created: Created,
    ) -> Result<(Self, Record), OptionsError> {
        created.options.validate(&rules)?;
        let record = Record {
            seq: Seq(1),
            at,
            event: Event::Created(created),
            command: None,
        };
        let state = State::begin(rules, &record)
            .expect("the options are valid and the caller gave a player for each seat");
        Ok((Self::from_state(state), record))
    }

    /// Returns the game whose log is `records`.
    ///
    /// # Errors
    /// Names the first record that does not follow from those before it.
    pub fn replay<'a>(
        rules: Arc<RuleSet>,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<Self, ReplayError> {
        State::replay(rules, records).map(Self::from_state)
    }

    /// Returns the game that stands so: with no command that waits for a challenge window, as after a restart.
    #[must_use]
    pub fn from_state(state: State) -> Self {
        Self {
            state: Arc::new(state),
            waiting: None,
        }
    }

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state, for whoever looks at it later: it does not change any more.
    #[must_use]
    pub const fn shared_state(&self) -> &Arc<State> {
        &self.state
    }

    /// Returns the state, of which nothing is copied if nobody else looks at it.
    #[must_use]
    pub fn into_state(self) -> State {
        Arc::unwrap_or_clone(self.state)
    }

    /// Returns the next moment at which something happens by itself: hand in [`Input::Tick`] then.
    /// Every game that is not over has one.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        deadline::next(&self.state, self.waiting.as_ref()).map(|(at, _)| at)
    }

    /// Returns what the input leads to; the game itself is unchanged.
    ///
    /// Deadlines that lie at or before a command's `received_at` happen first. A caller that wakes
    /// up for a deadline hands in commands received before it first, then [`Input::Tick`].
    pub fn handle(&self, ctx: &Context<'_>, now: Timestamp, input: Input) -> Transition {
        let mut run = Run {
            step: Step::new(*ctx, State::clone(&self.state)),
            waiting: self.waiting.clone(),
            answers: Vec::new(),
        };
        run.step.waiting_since = self
            .waiting
            .as_ref()
            .map(|waiting| (waiting.seat, waiting.received_at));
        match input {
            Input::Command(command) => {
                let received_at = command.received_at.min(now);
                run.fire_until(received_at);
                run.step.set_time(received_at);
                run.command(command);
                run.fire_until(received_at);
            }
            Input::Tick => run.fire_until(now),
            Input::Vanished(seat) => {
                run.fire_until(now);
                run.step.set_time(now);
                run.step.vanished(seat);
            }
            Input::Returned(seat) => {
                run.step.set_time(now);
                run.step.returned(seat);
            }
            Input::Resumed { stopped_at } => run.step.resumed(stopped_at, now),
        }
        Transition {
            records: run.step.records,
            next: Self {
                state: Arc::new(run.step.state),
                waiting: run.waiting,
            },
            answers: run.answers,
        }
    }
}

/// One call of [`Game::handle`] in progress.
struct Run<'a> {
    step: Step<'a>,
    waiting: Option<Command>,
    answers: Vec<Answer>,
}

impl Run<'_> {
    /// Lets everything happen that is due at or before `until`, in order.
    fn fire_until(&mut self, until: Timestamp) {
        while let Some((at, timer)) = deadline::next(&self.step.state, self.waiting.as_ref())
            && at <= until
        {
            self.step.set_time(at);
            match timer {
                // Nothing to do but to look at the waiting command again.
                Timer::Protection => {}
                Timer::Ready => self.step.cancel(),
                Timer::Window => self.step.window_timer(),
                Timer::HoldLimit => self.step.hold_limit(),
                Timer::Consent => self.step.decide_dispute(),
                Timer::Flag(seat) => self.step.flag(seat),
                Timer::Abandon(seat) => self.step.abandon(seat),
            }
            self.settle_waiting();
        }
    }

    fn command(&mut self, command: Command) {
        match self.remembered(&command) {
            Known::New => {}
            Known::Waiting => return,
            Known::Accepted(seq) => return self.answer(&command, Ok(seq)),
            Known::Reused => return self.answer(&command, Err(Rejection::CommandIdReused)),
        }
        if let Err(rejection) = self.may_act(&command) {
            return self.answer(&command, Err(rejection));
        }
        if command.action.ends_turn()
            && self.step.is_protected()
            && self.step.would_end_turn(&command).is_ok()
        {
            self.step.waiting_since = Some((command.seat, command.received_at));
            self.waiting = Some(command);
            return;
        }
        self.carry_out(&command);
        self.settle_waiting();
    }

    fn may_act(&self, command: &Command) -> Result<(), Rejection> {
        let state = &self.step.state;
        if state.phase() == Phase::Ended {
            return Err(Rejection::GameOver);
        }
        if !state.is_active(command.seat) {
            return Err(Rejection::Retired);
        }
        let waits = self
            .waiting
            .as_ref()
            .is_some_and(|waiting| waiting.seat == command.seat);
        if waits && command.action != Action::Resign {
            return Err(Rejection::CommandWaiting);
        }
        Ok(())
    }

    fn carry_out(&mut self, command: &Command) {
        self.step.begin_command(CommandRef {
            seat: command.seat,
            cmd_id: command.cmd_id.clone(),
            digest: command.digest,
        });
        let outcome = self.step.act(command);
        let own = self.step.finish_command();
        // A resignation can set off a verdict that ends the game before it takes effect.
        let outcome = outcome.and_then(|()| own.ok_or(Rejection::GameOver));
        self.answer(command, outcome);
    }

    /// Carries out the waiting command once nothing protects the challenge window any more.
    fn settle_waiting(&mut self) {
        if self.step.is_protected() {
            return;
        }
        let Some(command) = self.waiting.take() else {
            return;
        };
        self.step.waiting_since = None;
        let over = match self.step.state.phase() {
            Phase::Ended => Some(Rejection::GameOver),
            Phase::Waiting | Phase::Running | Phase::Final => None,
        };
        if let Some(rejection) = over {
            return self.answer(&command, Err(rejection));
        }
        if !self.step.state.is_active(command.seat) {
            return self.answer(&command, Err(Rejection::Retired));
        }
        self.carry_out(&command);
    }

    fn remembered(&self, command: &Command) -> Known {
        let same = |seat: Seat, cmd_id: &str| seat == command.seat && cmd_id == command.cmd_id;
        if let Some(waiting) = &self.waiting
            && same(waiting.seat, &waiting.cmd_id)
        {
            return if waiting.digest == command.digest {
                Known::Waiting
            } else {
                Known::Reused
            };
        }
        match self.step.state.accepted(command.seat, &command.cmd_id) {
            None => Known::New,
            Some((digest, seq)) if digest == command.digest => Known::Accepted(seq),
            Some(_) => Known::Reused,
        }
    }

    fn answer(&mut self, command: &Command, outcome: Result<Seq, Rejection>) {
        self.answers.push(Answer {
            seat: command.seat,
            cmd_id: command.cmd_id.clone(),
            outcome,
        });
    }
}

/// What is known of a command id.
enum Known {
    New,
    Waiting,
    Accepted(Seq),
    Reused,
}
