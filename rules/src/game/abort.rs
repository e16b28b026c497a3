//! Aborting a game: freely before the deal and in a casual game, by consent in a rated game (R-SETUP-10).

use super::step::Step;
use crate::event::{AbortDecline, Event, PublicEvent};
use crate::rejection::Rejection;
use crate::time::Seat;

impl Step<'_> {
    /// Aborts a game that has begun, or asks the other seat for it if the game is rated. To ask while the other seat asks
    /// is to agree.
    pub(super) fn call_off(&mut self, seat: Seat) -> Result<(), Rejection> {
        if self.have_all_played(None) {
            return Err(Rejection::CannotAbort);
        }
        if !self.options().rated {
            self.abort(seat);
            return Ok(());
        }
        let open = self.state.abort_request();
        if let Some(request) = open.filter(|request| request.seat != seat) {
            self.abort(request.seat);
            return Ok(());
        }
        if self.state.seats()[seat.index()].has_requested_abort {
            return Err(Rejection::AlreadyRequested);
        }
        let options = self.options();
        let until = self.at.plus(options.answer_ms(options.timing.abort_ms));
        self.emit_own(Event::Public(PublicEvent::AbortRequested { seat, until }));
        Ok(())
    }

    /// Answers the request of the other seat.
    pub(super) fn answer_abort(&mut self, seat: Seat, accept: bool) -> Result<(), Rejection> {
        let open = self.state.abort_request();
        let request = open
            .filter(|request| request.seat != seat)
            .ok_or(Rejection::NoAbortRequest)?;
        if accept {
            self.abort(request.seat);
        } else {
            self.decline_abort(AbortDecline::Refused);
        }
        Ok(())
    }

    /// The time for an answer is over.
    pub(super) fn abort_timer(&mut self) {
        self.decline_abort(AbortDecline::Expired);
    }

    /// Declines an open request because `seat` completes a turn, if it is the seat that asked, or if the game counts after
    /// this turn.
    pub(super) fn decline_abort_by_turn(&mut self, seat: Seat) {
        let Some(request) = self.state.abort_request() else {
            return;
        };
        if request.seat == seat || self.have_all_played(Some(seat)) {
            self.aside(|step| step.decline_abort(AbortDecline::Played));
        }
    }

    fn decline_abort(&mut self, reason: AbortDecline) {
        if let Some(request) = self.state.abort_request() {
            let seat = request.seat;
            self.emit_own(Event::Public(PublicEvent::AbortDeclined { seat, reason }));
        }
    }

    /// Returns whether all active seats have completed a turn, if `ending` completes one now.
    fn have_all_played(&self, ending: Option<Seat>) -> bool {
        let has_played =
            |seat: Seat| ending == Some(seat) || self.state.seats()[seat.index()].has_played;
        self.state.active().all(has_played)
    }
}
