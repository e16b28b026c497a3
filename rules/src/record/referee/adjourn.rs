//! Checks of adjournments (R-ADJ).

use super::requests::is_playing;
use super::{Ruling, ended_for, refuse};
use crate::clock::Clocks;
use crate::event::{AbortDecline, EndReason, Ended, Event, PublicEvent, Record};
use crate::options::MAX_ADJOURN_REQUESTS;
use crate::state::State;
use crate::time::{Seat, Timestamp};

/// Checks that a game that is adjourned sees no event of play (R-ADJ-4).
pub(super) fn permits(state: &State, event: &Event) -> Ruling {
    let is_permitted = matches!(
        event,
        Event::Public(
            PublicEvent::ReadyToResume { .. }
                | PublicEvent::NotReadyToResume { .. }
                | PublicEvent::Resumed { .. }
                | PublicEvent::SeatRetired { .. }
                | PublicEvent::TurnLost { .. }
                | PublicEvent::TurnStarted { .. }
                | PublicEvent::Ended(_)
        )
    );
    if state.adjournment().is_some() && !is_permitted {
        refuse!("the game is adjourned");
    }
    Ok(())
}

/// Checks an event about an adjournment.
pub(super) fn judge(state: &State, record: &Record, event: &PublicEvent) -> Ruling {
    match event {
        PublicEvent::AdjournRequested { seat, .. } => requested(state, *seat),
        PublicEvent::AdjournDeclined { reason, .. } => declined(state, record.at, *reason),
        PublicEvent::Adjourned {
            vanished, clocks, ..
        } => adjourned(state, record, *vanished, clocks),
        PublicEvent::Resumed { clocks } => resumed(state, clocks),
        PublicEvent::AdjournAgreed { seat } | PublicEvent::ReadyToResume { seat } => {
            is_playing(state, *seat)
        }
        // The fold refuses a seat that was not ready.
        _ => Ok(()),
    }
}

/// Checks that a seat can ask to adjourn the game (R-ADJ-1).
fn requested(state: &State, seat: Seat) -> Ruling {
    let asker = state.seats().get(seat.index());
    let can_ask = |asker: &crate::state::SeatState| {
        asker.retired.is_none() && asker.adjourn_requests < MAX_ADJOURN_REQUESTS
    };
    if !asker.is_some_and(can_ask) || state.adjourn_request().is_some() {
        refuse!("{seat} cannot ask to adjourn the game");
    }
    can_sleep(state)
}

/// Refuses a record in which a request to adjourn expires before its time is over.
fn declined(state: &State, at: Timestamp, reason: AbortDecline) -> Ruling {
    let until = state.adjourn_request().map(|request| request.until);
    if reason == AbortDecline::Expired && until > Some(at) {
        refuse!("the request to adjourn the game has time left");
    }
    Ok(())
}

/// Checks that all players have agreed, the sender of the command last, or that the server adjourns for a player who is
/// away (R-ADJ-2, R-ADJ-8).
fn adjourned(state: &State, record: &Record, vanished: Option<Seat>, clocks: &Clocks) -> Ruling {
    can_sleep(state)?;
    if clocks.running.is_some() {
        refuse!("a clock runs in the adjourned game");
    }
    if let Some(seat) = vanished {
        let due = state.adjourns_for();
        if due.is_none_or(|(at, due)| due != seat || at > record.at) {
            refuse!("the game is not adjourned for {seat} here");
        }
        return Ok(());
    }
    let sender = record.command.as_ref().map(|command| command.seat);
    let request = state.adjourn_request();
    let agrees = |seat: Seat| {
        sender == Some(seat) || request.is_some_and(|request| request.has_agreed(seat))
    };
    // A record from elsewhere can lack the commands.
    let disagree = state.players_to_ask().filter(|seat| !agrees(*seat)).count();
    if disagree > usize::from(sender.is_none()) {
        refuse!("a player has not agreed to adjourn the game");
    }
    Ok(())
}

/// Checks that all players were ready, and that the clock of the seat on turn runs (R-ADJ-5).
fn resumed(state: &State, clocks: &Clocks) -> Ruling {
    if !state.all_are_ready() {
        refuse!("a player is not ready to resume the game");
    }
    let running = clocks.running.map(|running| running.seat);
    if running != state.turn().map(|turn| turn.seat) {
        refuse!("another clock runs than that of the seat on turn");
    }
    Ok(())
}

/// Checks that an adjourned game ends because its time is over, or as any game does (R-ADJ-6). In records of earlier versions
/// such a game is aborted, also if one player came back.
pub(super) fn ended(state: &State, at: Timestamp, ended: &Ended) -> Ruling {
    if ended.reason != EndReason::Aborted {
        return ended_for(state, ended.reason);
    }
    let due = state
        .adjournment()
        .map(|sleep| match sleep.ready.is_empty() {
            true => sleep.until,
            false => sleep.claim_until,
        });
    let is_due = due.is_some_and(|due| due <= at);
    if !is_due || ended.aborter.is_some() {
        refuse!("the adjourned game has time left");
    }
    Ok(())
}

fn can_sleep(state: &State) -> Ruling {
    if state.turn().is_none() || state.window().is_some() || !state.options().clock.is_live() {
        refuse!("the game cannot be adjourned here");
    }
    Ok(())
}
