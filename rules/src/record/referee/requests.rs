//! Checks of what passes between players beside the play: requests to abort, nudges, given time, hints.

use super::{Ruling, pauses, refuse};
use crate::clock::{ClockKind, Clocks};
use crate::event::{AbortDecline, EndReason, Ended, HintGrade};
use crate::game::{can_give, has_hint_left, nudge_answer_ms, nudgeable};
use crate::options::{GIFT_RANGE_MS, MAX_GIFTS, MAX_NUDGES};
use crate::state::{Phase, State};
use crate::time::{Seat, Timestamp};

/// Checks that a seat can ask to abort the game (R-SETUP-10).
pub(super) fn abort_requested(state: &State, seat: Seat) -> Ruling {
    let asker = state.seats().get(seat.index());
    if asker.is_none_or(|asker| asker.has_requested_abort || asker.retired.is_some()) {
        refuse!("{seat} cannot ask again to abort the game");
    }
    if !state.options().rated || state.phase() == Phase::Waiting || state.abort_request().is_some()
    {
        refuse!("there is nothing to ask: {seat} can abort the game");
    }
    if state
        .active()
        .all(|seat| state.seats()[seat.index()].has_played)
    {
        refuse!("the game counts already and cannot be aborted");
    }
    Ok(())
}

/// Refuses a record in which a request to abort expires before its time is over.
pub(super) fn abort_declined(state: &State, at: Timestamp, reason: AbortDecline) -> Ruling {
    let until = state.abort_request().map(|request| request.until);
    if reason == AbortDecline::Expired && until > Some(at) {
        refuse!("the request to abort the game has time left");
    }
    Ok(())
}

/// Checks that a seat exists and has not left.
pub(super) fn is_playing(state: &State, seat: Seat) -> Ruling {
    let seat_state = state.seats().get(seat.index());
    if seat_state.is_none_or(|seat_state| seat_state.retired.is_some()) {
        refuse!("{seat} is not in the game");
    }
    Ok(())
}

/// Checks that a seat can nudge the seat on turn, and how long that one has to answer (R-NUDGE-1 to R-NUDGE-3).
pub(super) fn nudged(
    state: &State,
    at: Timestamp,
    (seat, target): (Seat, Seat),
    claim_at: Option<Timestamp>,
) -> Ruling {
    is_playing(state, seat)?;
    let is_used = state.seats()[seat.index()].nudges >= MAX_NUDGES;
    if state.options().clock.is_live() && is_used {
        refuse!("{seat} has nudged as often as one seat can");
    }
    if nudgeable(state, seat).map(|turn| turn.seat) != Some(target) || at < state.nudge_from() {
        refuse!("{target} cannot be nudged here");
    }
    if claim_at != nudge_answer_ms(state.options()).map(|answer_ms| at.plus(answer_ms)) {
        refuse!("{target} has another time to answer");
    }
    Ok(())
}

/// Checks that the seat that aborts a rated game after the deal had asked for it (R-SETUP-10).
pub(super) fn aborted_by(state: &State, ended: &Ended) -> Ruling {
    let needs_consent = ended.reason == EndReason::Aborted
        && state.options().rated
        && state.phase() != Phase::Waiting;
    let asker = state.abort_request().map(|request| request.seat);
    if needs_consent && (asker.is_none() || asker != ended.aborter) {
        refuse!("the player who aborts the game has not asked for it");
    }
    Ok(())
}

/// Checks that a seat can give this time, and that only the clock of the other seat has changed (R-GIFT-1 to R-GIFT-3). Time that a
/// seat seems to give itself comes from an operator (R-ADMIN-6).
pub(super) fn time_given(
    state: &State,
    (seat, target): (Seat, Seat),
    time_ms: i64,
    clocks: &Clocks,
) -> Ruling {
    if seat == target {
        return pauses::granted(state, seat, time_ms, clocks);
    }
    is_playing(state, seat)?;
    if !can_give(state, seat, target) {
        refuse!("{seat} cannot give time to {target} here");
    }
    if state.seats()[target.index()].refuses_time {
        refuse!("{target} takes no time");
    }
    if state.seats()[seat.index()].gifts >= MAX_GIFTS {
        refuse!("{seat} has given time as often as one seat can");
    }
    let is_as_usual = match state.options().clock {
        ClockKind::PerMove { limit_ms, .. } => time_ms == limit_ms,
        _ => (GIFT_RANGE_MS.0..=GIFT_RANGE_MS.1).contains(&time_ms),
    };
    if !is_as_usual {
        refuse!("{seat} cannot give {time_ms} ms");
    }
    let mut expected = state.clocks().clone();
    expected.give(target, time_ms);
    if *clocks != expected {
        refuse!("only the clock of {target} gets the time");
    }
    Ok(())
}

/// Checks that a seat refuses time once (R-GIFT-3).
pub(super) fn time_refused(state: &State, seat: Seat) -> Ruling {
    is_playing(state, seat)?;
    if state.seats()[seat.index()].refuses_time {
        refuse!("{seat} takes no time already");
    }
    Ok(())
}

/// Checks that a seat can use a hint, which says more than the one before in its turn (R-HINT-1 to R-HINT-4).
pub(super) fn hint_used(state: &State, seat: Seat, grade: HintGrade) -> Ruling {
    if state.turn().is_none_or(|turn| turn.seat != seat) {
        refuse!("{seat} uses a hint and is not on turn");
    }
    if state.window().is_some() {
        refuse!("{seat} uses a hint while a play can be challenged");
    }
    if state.adjournment().is_some() || state.pause().is_some() {
        refuse!("{seat} uses a hint while the game stands still");
    }
    if !has_hint_left(state, seat) {
        refuse!("{seat} has no hint left");
    }
    if state.hint().is_some_and(|known| known.grade >= grade) {
        refuse!("{seat} has had this hint before");
    }
    Ok(())
}
