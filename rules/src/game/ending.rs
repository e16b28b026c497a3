//! How a game ends (R-END).

use super::step::Step;
use crate::event::{Adjudication, EndReason, Ended, Event, PublicEvent, WindowClose};
use crate::state::Phase;
use crate::time::Seat;

impl Step<'_> {
    /// Ends the game after a last play that stands: one that won a race, or an out-play (R-END-1, R-END-13).
    pub(super) fn end_by_last_play(&mut self, author: Seat) {
        if !self.end_if_target_reached(author) {
            self.end(EndReason::OutPlay);
        }
    }

    /// Ends the game if `seat`, whose play now stands, has reached its target; returns whether it did (R-END-13).
    pub(super) fn end_if_target_reached(&mut self, seat: Seat) -> bool {
        if self.state.phase() == Phase::Ended || !self.state.is_active(seat) {
            return false;
        }
        let score = self.state.seats()[seat.index()].score;
        let is_reached = self
            .state
            .target(seat)
            .is_some_and(|target| score >= target);
        if is_reached {
            self.end(EndReason::Target);
        }
        is_reached
    }

    /// Ends the game.
    pub(super) fn end(&mut self, reason: EndReason) {
        let ended = self.ended(reason);
        self.emit_own(Event::Public(PublicEvent::Ended(ended)));
    }

    /// Ends the game without a result, for a player who aborted it (R-END-11).
    pub(super) fn abort(&mut self, seat: Seat) {
        let ended = Ended {
            aborter: Some(seat),
            ..self.ended(EndReason::Aborted)
        };
        self.emit_own(Event::Public(PublicEvent::Ended(ended)));
    }

    /// Ends the game as an operator decides (R-ADMIN-1). A play that can be challenged stands.
    pub(super) fn adjudicate(&mut self, adjudication: Adjudication) {
        self.close_window(WindowClose::GameOver);
        self.stop_clock();
        let ended = self.state.adjudicated(adjudication, &self.clocks);
        self.emit_own(Event::Public(PublicEvent::Ended(ended)));
    }

    /// Stops the game, and returns its end.
    fn ended(&mut self, reason: EndReason) -> Ended {
        // The game ends for another reason while a play can be challenged: the play stands.
        self.close_window(WindowClose::GameOver);
        self.stop_clock();
        self.state.result(reason, &self.clocks)
    }
}
