//! Deadlines: what happens without a command, and when.

use super::Command;
use super::waiting::{self, StoppedClock};
use crate::clock::ClockKind;
use crate::state::{Phase, State};
use crate::time::{Seat, Timestamp};

/// An event that is due at a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    /// The author of a challenged play has not answered: the lexicon decides.
    Consent,
    /// The hold reaches its time limit.
    HoldLimit,
    /// The challenge window closes.
    Window,
    /// The other seat has not answered a request to abort the game.
    AbortRequest,
    /// The other seats have not all answered a request to adjourn the game.
    AdjournRequest,
    /// An adjourned game was not resumed in time.
    Adjournment,
    /// The longest time of a pause is over.
    Pause,
    /// A seat has vanished, and the game is adjourned for it.
    Adjourn(Seat),
    /// All opponents have had their time to challenge: the waiting command takes effect.
    Protection,
    /// The time to get ready is over.
    Ready,
    /// A flag falls.
    Flag(Seat),
    /// The seat on turn of an untimed game has not acted for too long.
    Abandon(Seat),
}

/// Returns the earliest deadline. Of several at the same moment, the one that ends the protection of a
/// play comes first, and a flag last.
pub(super) fn next(state: &State, waiting: Option<&Command>) -> Option<(Timestamp, Timer)> {
    if let Some(pause) = state.pause() {
        return Some((pause.until, Timer::Pause));
    }
    match state.phase() {
        Phase::Ended => return None,
        Phase::Waiting => return Some((state.ready_by, Timer::Ready)),
        Phase::Running | Phase::Final => {}
    }
    if let Some(at) = state.adjournment_ends_at() {
        return Some((at, Timer::Adjournment));
    }
    let candidates = [
        window_timer(state),
        protection(state, waiting),
        abort_request(state),
        adjourn_request(state),
        vanished(state),
        turn_timer(state, waiting),
    ];
    candidates.into_iter().flatten().min_by_key(|(at, _)| *at)
}

fn window_timer(state: &State) -> Option<(Timestamp, Timer)> {
    let window = state.window()?;
    if let Some(dispute) = window.dispute {
        return Some((dispute.decide_by, Timer::Consent));
    }
    if let Some(hold) = window.hold {
        return Some((hold.until, Timer::HoldLimit));
    }
    Some((window.closes_at?, Timer::Window))
}

fn abort_request(state: &State) -> Option<(Timestamp, Timer)> {
    let request = state.abort_request()?;
    Some((request.until, Timer::AbortRequest))
}

fn adjourn_request(state: &State) -> Option<(Timestamp, Timer)> {
    let request = state.adjourn_request()?;
    Some((request.until, Timer::AdjournRequest))
}

fn vanished(state: &State) -> Option<(Timestamp, Timer)> {
    let (at, seat) = state.adjourns_for()?;
    Some((at, Timer::Adjourn(seat)))
}

fn protection(state: &State, waiting: Option<&Command>) -> Option<(Timestamp, Timer)> {
    waiting?;
    let window = state.window()?;
    if window.hold.is_some() || window.dispute.is_some() {
        return None;
    }
    Some((waiting::protected_until(state, window), Timer::Protection))
}

fn turn_timer(state: &State, waiting: Option<&Command>) -> Option<(Timestamp, Timer)> {
    let kind = state.options().clock;
    if kind == ClockKind::Untimed {
        let turn = state.turn()?;
        let at = state.turn_began.plus(state.options().timing.abandon_ms);
        return Some((at, Timer::Abandon(turn.seat)));
    }
    let (seat, at) = state.clocks().flag_at(kind)?;
    let stands = waiting.is_some_and(|command| StoppedClock::of(command).stands(state, seat));
    if stands {
        return None;
    }
    Some((at, Timer::Flag(seat)))
}
