//! Giving time to an opponent in a casual game (R-GIFT).

use super::step::Step;
use crate::clock::ClockKind;
use crate::event::{Event, PublicEvent};
use crate::options::{GIFT_RANGE_MS, GameOptions, MAX_GIFTS};
use crate::rejection::Rejection;
use crate::state::{Phase, State};
use crate::time::Seat;

impl Step<'_> {
    /// Gives time to `target`.
    pub(super) fn give_time(
        &mut self,
        seat: Seat,
        target: Seat,
        time_ms: Option<i64>,
    ) -> Result<(), Rejection> {
        if !can_give(&self.state, seat, target) {
            return Err(Rejection::CannotGiveTime);
        }
        let time_ms = amount_ms(self.options(), time_ms).ok_or(Rejection::CannotGiveTime)?;
        if self.state.seats()[target.index()].refuses_time {
            return Err(Rejection::TimeRefused);
        }
        if self.state.seats()[seat.index()].gifts >= MAX_GIFTS {
            return Err(Rejection::GiftsUsed);
        }
        self.clocks.give(target, time_ms);
        let clocks = self.clocks.clone();
        self.emit_own(Event::Public(PublicEvent::TimeGiven {
            seat,
            target,
            time_ms,
            clocks,
        }));
        Ok(())
    }

    /// Takes no time from now on.
    pub(super) fn refuse_time(&mut self, seat: Seat) -> Result<(), Rejection> {
        if self.state.seats()[seat.index()].refuses_time {
            return Err(Rejection::TimeRefused);
        }
        self.emit_own(Event::Public(PublicEvent::TimeRefused { seat }));
        Ok(())
    }
}

/// Returns whether `seat` could give time to `target` now, if that seat takes any (R-GIFT-1).
pub(crate) fn can_give(state: &State, seat: Seat, target: Seat) -> bool {
    let options = state.options();
    let is_other = seat != target && target.0 < options.seats && state.is_active(target);
    is_other
        && !options.rated
        && options.clock != ClockKind::Untimed
        && state.phase() == Phase::Running
}

/// Returns the time that a seat gives, ms: in a game with a limit for each move one limit, else what it names within the
/// range.
fn amount_ms(options: &GameOptions, time_ms: Option<i64>) -> Option<i64> {
    match (options.clock, time_ms) {
        (ClockKind::PerMove { limit_ms, .. }, None) => Some(limit_ms),
        (ClockKind::PerMove { .. }, Some(_)) => None,
        (_, time_ms) => time_ms.filter(|ms| (GIFT_RANGE_MS.0..=GIFT_RANGE_MS.1).contains(ms)),
    }
}
