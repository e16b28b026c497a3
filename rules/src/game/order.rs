//! The orders of an operator (R-ADMIN): an end, a pause, time for a seat.

use super::Run;
use super::step::Step;
use crate::event::{Adjudication, Event, PublicEvent};
use crate::options::PAUSE_MAX_MS;
use crate::rejection::Rejection;
use crate::state::{Phase, State};
use crate::time::{Seat, Timestamp};

/// An order of an operator about one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// End the game (R-ADMIN-1).
    End(Adjudication),
    /// Pause the game (R-ADMIN-3).
    Pause {
        /// When it goes on by itself.
        until: Timestamp,
    },
    /// Let a paused game go on (R-ADMIN-5).
    Continue,
    /// Give time to a seat (R-ADMIN-6).
    Give {
        /// The seat.
        seat: Seat,
        /// How much, ms.
        time_ms: i64,
    },
    /// Begin, change or end the vacation of a player (R-VAC-2).
    Vacation {
        /// The seat of the player.
        seat: Seat,
        /// When it ends; a time that is over ends it now.
        until: Timestamp,
    },
    /// Resign for a seat whose player is erased (R-ADMIN-7).
    Resign {
        /// The seat.
        seat: Seat,
    },
}

impl Order {
    /// Returns whether the order would have an effect on a game with this state at `now`, if nothing is due before.
    #[must_use]
    pub fn is_possible(self, state: &State, now: Timestamp) -> bool {
        match self {
            Self::End(adjudication) => state.can_be_adjudicated(adjudication),
            Self::Pause { until } => {
                state.can_be_paused() && now < until && until <= now.plus(PAUSE_MAX_MS)
            }
            Self::Continue => state.pause().is_some(),
            Self::Give { seat, time_ms } => state.can_be_granted(seat, time_ms),
            Self::Vacation { seat, until } => state.can_change_vacation(seat, until, now),
            Self::Resign { seat } => {
                state.phase() != Phase::Ended
                    && seat.0 < state.options().seats
                    && state.is_active(seat)
            }
        }
    }

    /// Returns whether an event carries the order out.
    #[must_use]
    pub fn is_done_by(self, event: &Event) -> bool {
        let Event::Public(event) = event else {
            return false;
        };
        match (self, event) {
            (Self::End(adjudication), PublicEvent::Ended(ended)) => {
                ended.adjudication == Some(adjudication)
            }
            (Self::Pause { until: asked }, PublicEvent::Paused { until, .. }) => asked == *until,
            (Self::Continue, PublicEvent::ClockCredited { .. }) => true,
            (
                Self::Give {
                    seat: asked,
                    time_ms: wanted,
                },
                PublicEvent::TimeGiven {
                    seat,
                    target,
                    time_ms,
                    ..
                },
            ) => seat == target && asked == *target && wanted == *time_ms,
            (
                Self::Vacation {
                    seat: asked,
                    until: wanted,
                },
                PublicEvent::Vacation { seat, until, .. },
            ) => asked == *seat && wanted == *until,
            (Self::Resign { seat: asked }, PublicEvent::SeatRetired { seat, .. }) => asked == *seat,
            (Self::Resign { .. }, PublicEvent::Ended(_)) => true,
            _ => false,
        }
    }
}

impl Run<'_> {
    /// Carries out an order at `now`. What is due happens first; nothing more happens if the order is not possible then.
    pub(super) fn order(&mut self, order: Order, now: Timestamp) {
        self.fire_until(now);
        self.step.set_time(now);
        if !order.is_possible(&self.step.state, self.step.at) {
            return;
        }
        match order {
            Order::End(adjudication) => self.step.adjudicate(adjudication),
            Order::Pause { until } => {
                self.refuse_waiting(&Rejection::Paused { until });
                self.step.pause(until);
            }
            Order::Continue => self.step.end_pause(),
            Order::Give { seat, time_ms } => self.step.grant(seat, time_ms),
            Order::Vacation { seat, until } => self.step.change_vacation(seat, until),
            Order::Resign { seat } => self.step.resign_for(seat),
        }
        self.settle_waiting();
    }

    /// Refuses the command that waits for a challenge window, if one does. Its clock runs on as if it had not come.
    fn refuse_waiting(&mut self, rejection: &Rejection) {
        self.step.waiting = None;
        if let Some(command) = self.waiting.take() {
            self.answer(&command, Err(rejection.clone()));
        }
    }
}

impl Step<'_> {
    fn pause(&mut self, until: Timestamp) {
        self.stop_clock();
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::Paused { until, clocks });
    }

    /// Ends a pause: the clock that ran before runs on, and every deadline moves by the pause.
    pub(super) fn end_pause(&mut self) {
        let Some(pause) = self.state.pause() else {
            return;
        };
        if let Some(seat) = pause.running {
            self.clocks.resume(seat, self.at);
        }
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::ClockCredited {
            stopped_at: pause.since,
            resumed_at: self.at,
            clocks,
        });
    }

    /// Returns the error for a command that a paused game refuses.
    pub(super) fn refuse_paused(&self) -> Result<(), Rejection> {
        match self.state.pause() {
            Some(pause) => Err(Rejection::Paused { until: pause.until }),
            None => Ok(()),
        }
    }

    fn change_vacation(&mut self, seat: Seat, until: Timestamp) {
        self.clocks = self.state.clocks_on_vacation(seat, until, self.at);
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::Vacation {
            seat,
            until,
            clocks,
        });
    }

    /// Takes the seat of an erased player out of the game. A pause ends before; a game without a turn is cancelled.
    fn resign_for(&mut self, seat: Seat) {
        self.end_pause();
        match self.state.phase() {
            Phase::Waiting => self.adjudicate(Adjudication::NoResult),
            Phase::Running | Phase::Final => self.resign(seat),
            Phase::Ended => {}
        }
    }

    fn grant(&mut self, seat: Seat, time_ms: i64) {
        self.clocks.give(seat, time_ms);
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::TimeGiven {
            seat,
            target: seat,
            time_ms,
            clocks,
        });
    }
}
