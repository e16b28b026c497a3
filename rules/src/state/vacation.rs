//! The fold of vacations: each moves the deadlines of its player (R-VAC).

use super::apply::Applied;
use super::{Phase, ReplayProblem, State};
use crate::clock::Clocks;
use crate::options::VACATION_MAX_MS;
use crate::time::{Seat, Timestamp};

impl State {
    /// Returns when the vacation of a player ends, while it lasts at `at`.
    #[must_use]
    pub fn vacation_at(&self, seat: Seat, at: Timestamp) -> Option<Timestamp> {
        let until = self.seats().get(seat.index())?.vacation_until;
        until.filter(|until| at < *until)
    }

    /// Returns whether the vacation of a player can begin, change or end at `at` (R-VAC-2): something changes, and the game is
    /// neither over, paused nor adjourned.
    #[must_use]
    pub fn can_change_vacation(&self, seat: Seat, until: Timestamp, at: Timestamp) -> bool {
        let now = self.vacation_at(seat, at).unwrap_or(at);
        self.options().vacation
            && seat.0 < self.options().seats
            && self.is_active(seat)
            && self.phase() != Phase::Ended
            && self.pause().is_none()
            && self.adjournment().is_none()
            && until.max(at) != now
            && until <= at.plus(VACATION_MAX_MS)
    }

    /// Returns the clocks after such a change: if the seat is on turn, the time left in the turn changes by as much as the end of
    /// the vacation does, also while its clock stands. A hold of another seat's turn is no turn of the holder (R-VAC-3).
    #[must_use]
    pub fn clocks_on_vacation(&self, seat: Seat, until: Timestamp, at: Timestamp) -> Clocks {
        let mut clocks = self.clocks().clone();
        if self.turn().is_some_and(|turn| turn.seat == seat) {
            let before = self.vacation_at(seat, at).unwrap_or(at);
            if clocks.running.is_some_and(|running| running.seat == seat) {
                clocks.resume(seat, at);
            }
            // A record from a file can contain any numbers.
            let allowance = &mut clocks.allowance_ms[seat.index()];
            *allowance = allowance.saturating_add(until.max(at).since(before));
        }
        clocks
    }

    pub(super) fn vacation_changed(
        &mut self,
        at: Timestamp,
        seat: Seat,
        until: Timestamp,
        clocks: &Clocks,
    ) -> Applied {
        if !self.can_change_vacation(seat, until, at) {
            return Err(ReplayProblem::NoVacation);
        }
        self.seat(seat)?.vacation_until = Some(until);
        self.set_clocks(clocks)
    }
}
