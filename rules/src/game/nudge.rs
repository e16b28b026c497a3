//! Nudges: a player asks whether a silent opponent on turn is still there, and can claim the game without an answer (R-NUDGE).

use super::step::Step;
use crate::clock::ClockKind;
use crate::event::{Event, PublicEvent};
use crate::options::{GameOptions, MAX_NUDGES};
use crate::rejection::Rejection;
use crate::state::{Nudge, State, Turn};
use crate::time::{Seat, Timestamp};

impl Step<'_> {
    /// Asks whether the seat on turn is still there.
    pub(super) fn nudge(&mut self, seat: Seat) -> Result<(), Rejection> {
        let turn = nudgeable(&self.state, seat)
            .filter(|turn| !self.waits(turn.seat))
            .ok_or(Rejection::CannotNudge { from: None })?;
        let options = self.options();
        if options.clock.is_live() && self.state.seats()[seat.index()].nudges >= MAX_NUDGES {
            return Err(Rejection::NudgesUsed);
        }
        let from = self.state.nudge_from();
        if from > self.at {
            return Err(Rejection::CannotNudge { from: Some(from) });
        }
        let claim_at = nudge_answer_ms(options).map(|answer_ms| self.at.plus(answer_ms));
        let flag = self.clocks.flag_at(options.clock);
        if flag.is_some_and(|(_, flag_at)| claim_at >= Some(flag_at)) {
            return Err(Rejection::CannotNudge { from: None });
        }
        self.emit_own(Event::Public(PublicEvent::Nudged {
            seat,
            target: turn.seat,
            claim_at,
        }));
        Ok(())
    }

    /// Answers a nudge.
    pub(super) fn here(&mut self, seat: Seat) -> Result<(), Rejection> {
        if self.state.nudge_of(seat).is_none() {
            return Err(Rejection::NoNudge);
        }
        self.emit_own(Event::Public(PublicEvent::NudgeAnswered { seat }));
        Ok(())
    }

    /// Ends an open nudge of `seat`, which has acted without ending its turn.
    pub(super) fn answer_nudge_of(&mut self, seat: Seat) {
        if self.state.nudge_of(seat).is_some() {
            self.aside(|step| {
                step.emit_public(PublicEvent::NudgeAnswered { seat });
            });
        }
    }

    /// Returns when an opponent of `seat` can claim because the seat has not answered a nudge. A command that waits for the
    /// challenge window is an answer.
    pub(super) fn unanswered_until(&self, seat: Seat) -> Option<Timestamp> {
        let nudge = self.state.nudge_of(seat);
        nudge.filter(|_| !self.waits(seat))?.claim_at
    }
}

impl State {
    /// Returns the open nudge of `seat`.
    fn nudge_of(&self, seat: Seat) -> Option<Nudge> {
        self.nudge().filter(|nudge| nudge.target == seat)
    }

    /// Returns the first moment at which the seat on turn can be nudged if it does nothing until then (R-NUDGE-1 to
    /// R-NUDGE-3).
    pub(crate) fn nudge_from(&self) -> Timestamp {
        let options = self.options();
        let timing = &options.timing.nudge;
        match options.clock.correspondence_limit_ms() {
            Some(limit_ms) => self.turn_began.plus(limit_ms / 2),
            None if options.clock == ClockKind::Untimed => {
                self.quiet_since.plus(timing.untimed_quiet_ms)
            }
            None => self.quiet_since.plus(timing.quiet_ms),
        }
    }
}

/// Returns the turn of the seat that `seat` can nudge: its clock runs, it has no nudge to answer, and in games other than
/// live ones it has had none in this turn.
pub(crate) fn nudgeable(state: &State, seat: Seat) -> Option<Turn> {
    let turn = state.turn()?;
    let is_running = state.clocks().running.map(|running| running.seat) == Some(turn.seat);
    let is_used = !state.options().clock.is_live() && state.nudged_turn == Some(turn.no);
    let can = turn.seat != seat && is_running && state.nudge().is_none() && !is_used;
    can.then_some(turn)
}

/// Returns how long a nudged seat has to answer before an opponent can claim, ms; `None` if the limit of the turn decides.
pub(crate) const fn nudge_answer_ms(options: &GameOptions) -> Option<i64> {
    match options.clock {
        _ if options.clock.is_correspondence() => None,
        ClockKind::Untimed => Some(options.timing.nudge.untimed_answer_ms),
        _ => Some(options.timing.nudge.answer_ms),
    }
}
