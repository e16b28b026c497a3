//! The working copy of the state on which one input is carried out.

use super::waiting::StoppedClock;
use super::{Action, Command, Context};
use crate::alphabet::Tile;
use crate::clock::{ClockKind, Clocks};
use crate::event::{CommandRef, Event, PublicEvent, Record};
use crate::options::GameOptions;
use crate::rejection::Rejection;
use crate::state::{Phase, State, Turn};
use crate::stream::Seed;
use crate::time::{Seat, Seq, Timestamp, TurnNo};

/// A copy of the state on which events are decided and applied one by one.
pub(super) struct Step<'a> {
    pub(super) ctx: Context<'a>,
    pub(super) state: State,
    pub(super) records: Vec<Record>,
    /// The current clocks; the next event with clocks records them.
    pub(super) clocks: Clocks,
    pub(super) at: Timestamp,
    /// The clock that a waiting command has stopped.
    pub(super) waiting: Option<StoppedClock>,
    command: Option<CommandRef>,
    own: Option<Seq>,
    /// When the server noticed that an adjournment is over.
    pub(super) noticed_at: Option<Timestamp>,
}

impl<'a> Step<'a> {
    pub(super) fn new(ctx: Context<'a>, state: State) -> Self {
        Self {
            ctx,
            clocks: state.clocks().clone(),
            at: state.last_at(),
            state,
            records: Vec::new(),
            waiting: None,
            command: None,
            own: None,
            noticed_at: None,
        }
    }

    /// Moves the time forward. It never goes back behind the last event or behind the arrival of a waiting turn: a
    /// command that was received earlier may be passed in later.
    pub(super) fn set_time(&mut self, at: Timestamp) {
        let waiting = self.waiting.map_or(at, |stopped| stopped.at);
        self.at = at.max(waiting).max(self.state.last_at());
    }

    pub(super) fn begin_command(&mut self, command: CommandRef) {
        self.command = Some(command);
        self.own = None;
    }

    /// Ends a command and returns the number of the event that is its own.
    pub(super) fn finish_command(&mut self) -> Option<Seq> {
        self.command = None;
        self.own.take()
    }

    /// Answers the command with an earlier event, because nothing changes.
    pub(super) const fn repeat_own(&mut self, seq: Seq) {
        self.own = Some(seq);
    }

    /// Does something that the command causes but that is not its own event.
    pub(super) fn aside(&mut self, act: impl FnOnce(&mut Self)) {
        let command = self.command.take();
        act(self);
        self.command = command;
    }

    /// Records and applies an event.
    pub(super) fn emit(&mut self, event: Event) -> Seq {
        self.record(event, None)
    }

    /// Records and applies a public event.
    pub(super) fn emit_public(&mut self, event: PublicEvent) -> Seq {
        self.record(Event::Public(event), None)
    }

    /// Records the event that carries the command being carried out.
    pub(super) fn emit_own(&mut self, event: Event) -> Seq {
        let command = self.command.take();
        let is_own = command.is_some();
        let seq = self.record(event, command);
        if is_own {
            self.own = Some(seq);
        }
        seq
    }

    fn record(&mut self, event: Event, command: Option<CommandRef>) -> Seq {
        let record = Record {
            seq: self.state.seq().next(),
            at: self.at,
            event,
            command,
        };
        self.state
            .apply(&record)
            .expect("a game decides only what its own fold accepts");
        let seq = record.seq;
        self.records.push(record);
        seq
    }

    pub(super) fn options(&self) -> &GameOptions {
        self.state.options()
    }

    pub(super) fn clock_kind(&self) -> ClockKind {
        self.state.options().clock
    }

    /// Stops the running clock now. The clock of a seat whose command waits stands since the command came.
    pub(super) fn stop_clock(&mut self) {
        self.stop_clock_at(self.at);
    }

    fn stop_clock_at(&mut self, at: Timestamp) {
        let running = self.clocks.running.map(|running| running.seat);
        let stands =
            |stopped: &StoppedClock| running.is_some_and(|seat| stopped.stands(&self.state, seat));
        match self.waiting.filter(stands) {
            Some(stopped) => stopped.stop(&mut self.clocks),
            None => self.clocks.stop(at, 0),
        }
    }

    /// Returns whether a command of `seat` waits.
    pub(super) fn waits(&self, seat: Seat) -> bool {
        self.waiting.is_some_and(|stopped| stopped.seat == seat)
    }

    /// Returns `tiles` in the order of the labelled stream of the game's seed (R-BAG).
    pub(super) fn shuffled(&self, label: &str, mut tiles: Vec<Tile>) -> Vec<Tile> {
        if let Some(shuffler) = self.ctx.shuffler {
            shuffler.shuffle(label, &mut tiles);
            return tiles;
        }
        self.seed().stream(label).shuffle(&mut tiles);
        tiles
    }

    /// Returns the seed of all streams of this game (R-BAG-3).
    pub(super) fn seed(&self) -> Seed {
        let created = self.state.created();
        let nonces: Vec<&[u8]> = self
            .state
            .seats()
            .iter()
            .map(|seat| seat.ready.as_deref().unwrap_or_default())
            .collect();
        Seed::new(&created.secret, &created.game, &nonces)
    }

    /// Carries out a command on the working copy. A refused command records nothing.
    pub(super) fn act(&mut self, command: &Command) -> Result<(), Rejection> {
        let seat = command.seat;
        self.refuse_paused()?;
        if self.state.phase() == Phase::Waiting {
            return match &command.action {
                Action::Ready { nonce } => self.ready(seat, nonce),
                Action::Abort => {
                    self.abort(seat);
                    Ok(())
                }
                _ => Err(Rejection::NotStarted),
            };
        }
        let is_asleep_action = matches!(
            command.action,
            Action::Resign | Action::Claim(_) | Action::ResumeGame
        );
        if !is_asleep_action {
            self.refuse_asleep()?;
        }
        match &command.action {
            Action::Ready { .. } => Err(Rejection::AlreadyReady),
            Action::Play { .. } | Action::Exchange { .. } | Action::Pass { .. } => {
                let turn = self.would_end_turn(command)?;
                self.end_turn(command, turn);
                Ok(())
            }
            Action::Challenge(play_id) => self.challenge(seat, *play_id),
            Action::Accept(play_id) => self.accept(seat, *play_id),
            Action::Hold(play_id) => self.hold(seat, *play_id),
            Action::Release(play_id) => self.release(seat, *play_id),
            Action::Withdraw(play_id) => self.withdraw(seat, *play_id),
            Action::Stand(play_id) => self.stand(seat, *play_id),
            Action::Resign => {
                self.resign(seat);
                Ok(())
            }
            Action::Abort => self.call_off(seat),
            Action::AnswerAbort { accept } => self.answer_abort(seat, *accept),
            Action::Claim(target) => self.claim(seat, *target),
            Action::Nudge => self.nudge(seat),
            Action::Here => self.here(seat),
            Action::Adjourn => self.adjourn(seat),
            Action::AnswerAdjourn { agree } => self.answer_adjourn(seat, *agree),
            Action::ResumeGame => self.resume_game(seat),
            Action::GiveTime { target, time_ms } => self.give_time(seat, *target, *time_ms),
            Action::RefuseTime => self.refuse_time(seat),
            Action::Hint { turn_no, grade } => self.hint(seat, *turn_no, *grade),
        }
    }

    /// Returns the current turn if `seat` is on turn and `turn_no` is the one being played.
    pub(super) fn on_turn(&self, seat: Seat, turn_no: TurnNo) -> Result<Turn, Rejection> {
        if self.state.phase() == Phase::Final {
            return Err(Rejection::FinalPhase);
        }
        let turn = self.state.turn().ok_or(Rejection::NotYourTurn)?;
        if turn.seat != seat {
            return Err(Rejection::NotYourTurn);
        }
        if turn.no != turn_no {
            return Err(Rejection::WrongPosition { expected: turn.no });
        }
        Ok(turn)
    }

    pub(super) fn vanished(&mut self, seat: Seat) {
        if !self.state.is_missed(seat) {
            return;
        }
        match self.state.adjournment() {
            None => {
                let claim_at = self.at.plus(self.options().timing.vanish_claim_ms);
                self.emit_public(PublicEvent::SeatVanished { seat, claim_at });
            }
            Some(_) => self.withdraw_readiness(seat),
        }
    }

    pub(super) fn returned(&mut self, seat: Seat) {
        self.renew_readiness(seat);
        let away = self.state.seats()[seat.index()].claim_at.is_some();
        if away && self.state.phase() != Phase::Ended {
            self.emit_public(PublicEvent::SeatReturned { seat });
        }
    }

    /// Credits the outage to all clocks (R-CLOCK-10). Games by correspondence follow the
    /// wall clock and do not change; no clock runs in an adjourned game (R-ADJ-3). A pause that ended meanwhile ends now
    /// (R-ADMIN-5).
    pub(super) fn resumed(&mut self, stopped_at: Timestamp, now: Timestamp) {
        if let Some(pause) = self.state.pause() {
            if pause.until <= now {
                self.set_time(now);
                self.end_pause();
            }
            return;
        }
        let is_asleep = self.state.adjournment().is_some();
        let has_ended = self.state.phase() == Phase::Ended;
        if has_ended || is_asleep || self.clock_kind().is_correspondence() {
            return;
        }
        let stopped_at = stopped_at.max(self.state.last_at());
        let running = self.clocks.running;
        self.stop_clock_at(stopped_at);
        if let Some(running) = running {
            self.clocks.resume(running.seat, now);
        }
        // The only event that may be earlier than the previous one: the wall clock may have been
        // set back during the outage, and time continues from here.
        self.at = now;
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::ClockCredited {
            stopped_at,
            resumed_at: now,
            clocks,
        });
    }
}
