//! A turn that waits so that every opponent can challenge the last play (R-CHAL-6).

use super::Command;
use crate::clock::Clocks;
use crate::state::{State, Window};
use crate::time::{Seat, Timestamp, TurnNo};

/// A turn that waits for a challenge window, as everyone may see it. It is not part of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingTurn {
    /// The turn.
    pub turn_no: TurnNo,
    /// The seat on turn, which has sent it.
    pub seat: Seat,
    /// When it takes effect, unless an acceptance, a hold or a challenge changes that.
    pub until: Timestamp,
    /// The clocks. The clock of the seat stands, except while the seat itself holds the last play.
    pub clocks: Clocks,
}

impl WaitingTurn {
    /// Returns the turn that `command` waits to end.
    pub(super) fn of(state: &State, command: &Command) -> Option<Self> {
        let (turn, window) = (state.turn()?, state.window()?);
        let stopped = StoppedClock::of(command);
        let mut clocks = state.clocks().clone();
        let running = clocks.running.map(|running| running.seat);
        if running.is_some_and(|seat| stopped.stands(state, seat)) {
            stopped.stop(&mut clocks);
        }
        Some(Self {
            turn_no: turn.no,
            seat: command.seat,
            until: until(state, window),
            clocks,
        })
    }
}

/// Returns until when the opponents can challenge the play of `window` before a turn takes effect.
pub(super) fn protected_until(state: &State, window: &Window) -> Timestamp {
    window.opened_at.plus(state.options().timing.protect_ms)
}

fn until(state: &State, window: &Window) -> Timestamp {
    match (window.dispute, window.hold) {
        (Some(dispute), _) => dispute.decide_by,
        (None, Some(hold)) => hold.until.max(protected_until(state, window)),
        (None, None) => protected_until(state, window),
    }
}

/// The clock of a seat whose command waits: it stands since the command came.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoppedClock {
    pub(super) seat: Seat,
    pub(super) at: Timestamp,
    lag_ms: i64,
}

impl StoppedClock {
    pub(super) const fn of(command: &Command) -> Self {
        Self {
            seat: command.seat,
            at: command.received_at,
            lag_ms: command.lag_ms,
        }
    }

    /// Returns whether this is the clock of `seat`. It runs again while the seat itself holds the last play.
    pub(super) fn stands(self, state: &State, seat: Seat) -> bool {
        let hold = state.window().and_then(|window| window.hold);
        self.seat == seat && hold.is_none_or(|hold| hold.seat != seat)
    }

    /// Stops this clock, which runs in `clocks`, at the time at which the command came.
    pub(super) fn stop(self, clocks: &mut Clocks) {
        clocks.stop(self.at, self.lag_ms);
    }
}
