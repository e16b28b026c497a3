//! The game as a state machine: it gets the time and an input, and returns the events.
//!
//! [`Game::handle`] reads no clock, touches no socket and never fails halfway: it works on a copy
//! of the state and returns records. The caller makes them durable before it sends them to
//! clients and before it adopts the next game.

mod abort;
mod action;
mod adjourn;
mod challenge;
mod deadline;
mod ending;
mod gift;
mod hint;
mod nudge;
mod order;
mod retire;
mod search_end;
mod start;
mod step;
mod turn;
mod waiting;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use deadline::Timer;
pub(crate) use gift::can_give;
pub(crate) use hint::has_hint_left;
pub(crate) use nudge::{nudge_answer_ms, nudgeable};
pub use order::Order;
pub use search_end::can_catch_up;
pub(crate) use start::closest_to_a;
pub use waiting::WaitingTurn;

use crate::alphabet::Tile;
use crate::event::{CommandRef, Created, Event, Record};
use crate::lexicon::Lexicon;
use crate::options::OptionsError;
use crate::rejection::Rejection;
use crate::ruleset::RuleSet;
use crate::state::{Phase, ReplayError, State};
use crate::time::{Seat, Seq, Timestamp};
use std::sync::Arc;
use step::Step;
use waiting::StoppedClock;

/// The inputs that a game needs from outside to decide.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The lexicon that the game's options name. The game consults it only where the rules allow it: for a
    /// verdict, or for every play if plays are validated automatically. Its word graph decides whether legal plays are
    /// left (R-END-14, R-END-15).
    pub lexicon: &'a dyn Lexicon,
    /// Replaces the game's own streams as the source of shuffles, for tests only: the
    /// published secret does not reproduce such a bag.
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

/// An input of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A player's command.
    Command(Command),
    /// Time has passed: everything that is due happens.
    Tick,
    /// A player has had no connection for longer than the operator's grace period.
    Vanished(Seat),
    /// A player who was away is connected again.
    Returned(Seat),
    /// The server runs again after an outage.
    Resumed {
        /// The last moment at which the server is known to have run.
        stopped_at: Timestamp,
    },
    /// An operator orders something (R-ADMIN). What is due happens before; nothing more happens if the order is not possible then.
    Ordered(Order),
}

/// A player's command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The seat that sent it.
    pub seat: Seat,
    /// The sender's id for the command: the game never carries out the same id twice.
    pub cmd_id: String,
    /// Digest of the content.
    pub digest: u64,
    /// When the server received it: the clock stops here.
    pub received_at: Timestamp,
    /// Network delay that is not charged to the player, ms.
    pub lag_ms: i64,
    /// The action.
    pub action: Action,
}

/// The answer to a command: the number of the event that it caused, or the reason for the refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The seat that sent the command.
    pub seat: Seat,
    /// Its id.
    pub cmd_id: String,
    /// The answer. A retry of an accepted command gets the first answer again.
    pub outcome: Result<Seq, Rejection>,
}

/// The result of an input.
#[derive(Debug, Clone)]
#[must_use = "records must be made durable before the next game is adopted"]
pub struct Transition {
    /// The new records, to be stored together or not at all. Empty if nothing happened.
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
    /// If `rules` does not allow the options.
    ///
    /// # Panics
    /// If the number of players is not `created.options.seats`, or the series has other seats.
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

    /// Returns the game with this state and without a command that waits for a challenge window, as after a restart.
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

    /// Returns a shared handle to the state, which never changes.
    #[must_use]
    pub const fn shared_state(&self) -> &Arc<State> {
        &self.state
    }

    /// Returns the state; copies it only if it is shared.
    #[must_use]
    pub fn into_state(self) -> State {
        Arc::unwrap_or_clone(self.state)
    }

    /// Returns the turn that waits for a challenge window, if one does.
    #[must_use]
    pub fn waiting_turn(&self) -> Option<WaitingTurn> {
        WaitingTurn::of(&self.state, self.waiting.as_ref()?)
    }

    /// Returns the next deadline: pass in [`Input::Tick`] then.
    /// Every game that has not ended has a deadline.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        deadline::next(&self.state, self.waiting.as_ref()).map(|(at, _)| at)
    }

    /// Returns the result of an input; the game itself does not change.
    ///
    /// Deadlines at or before a command's `received_at` happen first. A caller that wakes
    /// up for a deadline passes in the commands received earlier first, then [`Input::Tick`].
    pub fn handle(&self, ctx: &Context<'_>, now: Timestamp, input: Input) -> Transition {
        let mut run = Run {
            step: Step::new(*ctx, State::clone(&self.state)),
            waiting: self.waiting.clone(),
            answers: Vec::new(),
        };
        run.step.waiting = self.waiting.as_ref().map(StoppedClock::of);
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
                // The end of an adjournment follows the wall clock, and comes before a player who is late.
                if run.step.state.adjournment().is_some() {
                    run.fire_until(now);
                }
                run.step.set_time(now);
                run.step.returned(seat);
            }
            Input::Resumed { stopped_at } => run.step.resumed(stopped_at, now),
            Input::Ordered(order) => run.order(order, now),
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
    /// Carries out everything that is due at or before `until`, in order.
    fn fire_until(&mut self, until: Timestamp) {
        while let Some((at, timer)) = deadline::next(&self.step.state, self.waiting.as_ref())
            && at <= until
        {
            self.step.set_time(at);
            match timer {
                // Only the waiting command is checked again.
                Timer::Protection => {}
                Timer::Ready => self.step.ready_timer(),
                Timer::Window => self.step.window_timer(),
                Timer::HoldLimit => self.step.hold_limit(),
                Timer::Consent => self.step.decide_dispute(),
                Timer::AbortRequest => self.step.abort_timer(),
                Timer::AdjournRequest => self.step.adjourn_timer(),
                Timer::Adjournment => self.step.adjournment_timer(until),
                Timer::Pause => self.step.end_pause(),
                Timer::Adjourn(seat) => self.step.adjourn_for(seat),
                Timer::Flag(seat) => self.step.flag(seat),
                Timer::Abandon(seat) => self.step.abandon(seat),
            }
            self.settle_waiting();
        }
    }

    fn command(&mut self, command: Command) {
        match self.remembered(&command) {
            CommandStatus::New => {}
            CommandStatus::Waiting => return,
            CommandStatus::Accepted(seq) => return self.answer(&command, Ok(seq)),
            CommandStatus::Reused => return self.answer(&command, Err(Rejection::CommandIdReused)),
        }
        if let Err(rejection) = self.may_act(&command) {
            return self.answer(&command, Err(rejection));
        }
        if command.action.ends_turn()
            && self.step.is_protected()
            && self.step.would_end_turn(&command).is_ok()
        {
            self.step.waiting = Some(StoppedClock::of(&command));
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
        if waits && command.action.ends_turn() {
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
        if outcome.is_ok() {
            self.step.answer_nudge_of(command.seat);
        }
        let own = self.step.finish_command();
        // A resignation can cause a verdict that ends the game before the resignation takes effect.
        let outcome = outcome.and_then(|()| own.ok_or(Rejection::GameOver));
        self.answer(command, outcome);
    }

    /// Carries out the waiting command once the challenge window is no longer protected. Refuses it at once if its
    /// seat can no longer act.
    fn settle_waiting(&mut self) {
        let is_protected = self.step.is_protected();
        let state = &self.step.state;
        let waits = |command: &mut Command| !(is_protected && state.is_active(command.seat));
        let Some(command) = self.waiting.take_if(waits) else {
            return;
        };
        self.step.waiting = None;
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

    fn remembered(&self, command: &Command) -> CommandStatus {
        let same = |seat: Seat, cmd_id: &str| seat == command.seat && cmd_id == command.cmd_id;
        if let Some(waiting) = &self.waiting
            && same(waiting.seat, &waiting.cmd_id)
        {
            return if waiting.digest == command.digest {
                CommandStatus::Waiting
            } else {
                CommandStatus::Reused
            };
        }
        match self.step.state.accepted(command.seat, &command.cmd_id) {
            None => CommandStatus::New,
            Some((digest, seq)) if digest == command.digest => CommandStatus::Accepted(seq),
            Some(_) => CommandStatus::Reused,
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

/// Whether a command id is known.
enum CommandStatus {
    New,
    Waiting,
    Accepted(Seq),
    Reused,
}
