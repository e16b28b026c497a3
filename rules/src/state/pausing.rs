//! The fold of what operators do to the clocks: a pause, and given time (R-ADMIN).

use super::apply::Applied;
use super::{Phase, ReplayProblem, State};
use crate::clock::{ClockKind, Clocks};
use crate::options::GRANT_RANGE_MS;
use crate::time::{Seat, Timestamp};

/// A pause of the game (R-ADMIN-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// When it began.
    pub since: Timestamp,
    /// When the game goes on by itself. It follows the wall clock: no outage moves it.
    pub until: Timestamp,
    /// The seat with a running clock at the beginning of the pause.
    pub running: Option<Seat>,
}

impl State {
    /// Returns the pause of the game, while an operator has paused it.
    #[must_use]
    pub const fn pause(&self) -> Option<Pause> {
        self.pause
    }

    /// Returns whether an operator can pause the game now (R-ADMIN-3). An adjourned game has no clock that runs.
    #[must_use]
    pub fn can_be_paused(&self) -> bool {
        self.phase() != Phase::Ended && self.pause.is_none() && self.adjournment().is_none()
    }

    /// Returns whether an operator can give a seat so much time now, ms (R-ADMIN-6).
    #[must_use]
    pub fn can_be_granted(&self, seat: Seat, time_ms: i64) -> bool {
        let options = self.options();
        seat.0 < options.seats
            && self.is_active(seat)
            && self.phase() == Phase::Running
            && self.adjournment().is_none()
            && options.clock != ClockKind::Untimed
            && (GRANT_RANGE_MS.0..=GRANT_RANGE_MS.1).contains(&time_ms)
    }

    pub(super) fn paused(&mut self, at: Timestamp, until: Timestamp, clocks: &Clocks) -> Applied {
        if !self.can_be_paused() {
            return Err(ReplayProblem::CannotPause);
        }
        self.pause = Some(Pause {
            since: at,
            until,
            running: self.clocks.running.map(|running| running.seat),
        });
        self.set_clocks(clocks)
    }

    /// Gives time to a seat. What an operator gives is no gift of the seat.
    pub(super) fn time_given(&mut self, seat: Seat, target: Seat, clocks: &Clocks) -> Applied {
        self.seat(target)?;
        let giver = self.seat(seat)?;
        if seat != target {
            giver.gifts = giver.gifts.saturating_add(1);
        }
        self.set_clocks(clocks)
    }
}
