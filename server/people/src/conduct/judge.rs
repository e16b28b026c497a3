//! Derives the conduct of the players from the log of a game.

use tilewire_rules::event::{EndReason, Ended, Event, PublicEvent, Record, Retirement};
use tilewire_rules::state::{Phase, State};
use tilewire_rules::time::{Seat, Timestamp};

use super::{EARLY_BEFORE_TURN, IDLE, Mark, Offence};
use crate::pools::PlayerKind;

/// Notes the cause of a point for each seat, while a log is replayed.
pub(crate) struct Judge {
    offences: Vec<Option<Offence>>,
    /// Whether the server was down or stood still during the game. Then nobody gets a point: nobody knows what the players
    /// saw.
    had_outage: bool,
}

impl Judge {
    pub(crate) fn new(seats: usize) -> Self {
        Self {
            offences: vec![None; seats],
            had_outage: false,
        }
    }

    /// Notes what a record shows, before it changes the state.
    pub(crate) fn before(&mut self, state: &State, record: &Record) {
        let Event::Public(event) = &record.event else {
            return;
        };
        match event {
            PublicEvent::ClockCredited { .. } => self.had_outage = true,
            PublicEvent::SeatRetired { seat, reason } => {
                self.note(*seat, leaving(state, *seat, *reason, record.at));
            }
            PublicEvent::Ended(ended) => self.note_end(state, ended, record.at),
            _ => {}
        }
    }

    fn note(&mut self, seat: Seat, offence: Option<Offence>) {
        if let Some(own) = self.offences.get_mut(seat.index()) {
            *own = own.or(offence);
        }
    }

    fn note_end(&mut self, state: &State, ended: &Ended, at: Timestamp) {
        match (ended.reason, ended.aborter) {
            (EndReason::Aborted, Some(seat)) if is_unfair_abort(state, seat, at) => {
                self.note(seat, Some(Offence::Aborted));
            }
            // No player is at fault for what an operator does.
            (EndReason::Cancelled, _) if is_live(state) && ended.adjudication.is_none() => {
                for seat in Seat::all(state.options().seats) {
                    if state.seats()[seat.index()].ready.is_none() {
                        self.note(seat, Some(Offence::NeverStarted));
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the mark of a seat at the end of the game; `None` if the game says nothing about the player. Games with bots
    /// and private games say nothing, and so does a game against oneself.
    pub(crate) fn mark(
        &self,
        state: &State,
        seat: Seat,
        players: &[PlayerKind],
        is_private: bool,
    ) -> Option<Mark> {
        let identities = state.created().players.iter().map(|one| &one.identity);
        let own = &state.created().players.get(seat.index())?.identity;
        let is_alone = identities.filter(|identity| *identity == own).count() == 1;
        let is_registered = players.get(seat.index()) == Some(&PlayerKind::Registered);
        let has_bots = players.iter().any(|kind| kind.is_bot());
        if !is_registered || !is_alone || has_bots || is_private {
            return None;
        }
        let has_result = state.outcome().is_some_and(|end| end.reason.has_result());
        match self.offences.get(seat.index()).copied().flatten() {
            Some(offence) => (!self.had_outage).then_some(Mark::Point(offence)),
            None if has_result && state.seats()[seat.index()].has_played => Some(Mark::Clean),
            None => None,
        }
    }
}

fn is_live(state: &State) -> bool {
    state.options().clock.is_live()
}

/// Returns the cause of a point in the way in which a seat leaves the game.
fn leaving(state: &State, seat: Seat, reason: Retirement, at: Timestamp) -> Option<Offence> {
    let is_unplayed = state.options().rated && state.seats().iter().any(|own| !own.has_played);
    let unplayed = is_unplayed.then_some(Offence::LeftUnplayed);
    let offence = match reason {
        Retirement::Abandoned | Retirement::Expired => Some(Offence::Abandoned),
        // Players of long games are not present, so nothing else counts there.
        Retirement::Resigned | Retirement::Flagged if !is_live(state) => None,
        Retirement::Resigned if state.last_turn().0 < EARLY_BEFORE_TURN => {
            Some(Offence::ResignedEarly)
        }
        Retirement::Resigned | Retirement::Flagged => {
            is_idle(state, seat, at).then_some(Offence::Idle)
        }
    };
    offence.or(unplayed)
}

/// Says whether a seat is on turn and has done nothing for a long time. In an adjourned game nobody has to do anything.
fn is_idle(state: &State, seat: Seat, at: Timestamp) -> bool {
    let is_on_turn = state.turn().is_some_and(|turn| turn.seat == seat);
    is_on_turn && state.adjournment().is_none() && at - state.quiet_since() >= IDLE
}

/// Says whether a seat aborts a live game that others could play: after the deal, without their consent, while nobody else
/// is away or idle. A rated game is aborted by consent only (R-SETUP-10).
fn is_unfair_abort(state: &State, seat: Seat, at: Timestamp) -> bool {
    let is_dealt = state.phase() != Phase::Waiting;
    let mut others = state.active().filter(|other| *other != seat);
    let is_missing =
        |other: Seat| state.seats()[other.index()].claim_at.is_some() || is_idle(state, other, at);
    is_live(state) && !state.options().rated && is_dealt && !others.any(is_missing)
}
