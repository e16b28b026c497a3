//! Checks of what operators do to the clocks: a pause, and given time (R-ADMIN).

use super::{Ruling, refuse};
use crate::clock::Clocks;
use crate::event::PublicEvent;
use crate::game::Order;
use crate::state::State;
use crate::time::{Seat, Timestamp};

/// Checks that nothing happens in a paused game but its end, what operators do, and the return of players.
pub(super) fn allows(state: &State, event: &PublicEvent) -> Ruling {
    let is_allowed = match event {
        PublicEvent::ClockCredited { stopped_at, .. } => {
            state.pause().is_none_or(|pause| pause.since == *stopped_at)
        }
        PublicEvent::TimeGiven { seat, target, .. } => seat == target || state.pause().is_none(),
        PublicEvent::Ended(ended) => ended.adjudication.is_some() || state.pause().is_none(),
        PublicEvent::SeatReturned { .. } | PublicEvent::WindowClosed { .. } => true,
        _ => state.pause().is_none(),
    };
    if !is_allowed {
        refuse!("the game is paused");
    }
    Ok(())
}

/// Checks that the game can be paused so, and that its clocks stand (R-ADMIN-3, R-ADMIN-5).
pub(super) fn paused(state: &State, at: Timestamp, until: Timestamp, clocks: &Clocks) -> Ruling {
    if !(Order::Pause { until }).is_possible(state, at) {
        refuse!("the game cannot be paused so here");
    }
    if clocks.running.is_some() {
        refuse!("a clock runs in the pause");
    }
    Ok(())
}

/// Checks that the vacation can change so, and that only the clock of the seat has changed by that (R-VAC-2, R-VAC-3). A turn
/// that waited had stopped the clock.
pub(super) fn vacation(
    state: &State,
    at: Timestamp,
    (seat, until): (Seat, Timestamp),
    clocks: &Clocks,
) -> Ruling {
    if !state.can_change_vacation(seat, until, at) {
        refuse!("the vacation of {seat} cannot change so here");
    }
    if clocks != state.clocks() && *clocks != state.clocks_on_vacation(seat, until, at) {
        refuse!("only the clock of {seat} moves by the vacation");
    }
    Ok(())
}

/// Checks that an operator can give this time, and that only the clock of the seat has changed (R-ADMIN-6).
pub(super) fn granted(state: &State, seat: Seat, time_ms: i64, clocks: &Clocks) -> Ruling {
    if !state.can_be_granted(seat, time_ms) {
        refuse!("no operator can give {time_ms} ms to {seat} here");
    }
    let mut expected = state.clocks().clone();
    expected.give(seat, time_ms);
    if *clocks != expected {
        refuse!("only the clock of {seat} gets the time");
    }
    Ok(())
}
