//! Leaving the game: resignation, flags, claims, abandonment (R-RETIRE).

use super::step::Step;
use crate::event::{EndReason, Event, HoldEnd, PublicEvent, Retirement, WindowClose};
use crate::rejection::Rejection;
use crate::state::Phase;
use crate::time::{Seat, Timestamp};

/// Returns the earlier of two moments; either can be missing.
fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}

impl Step<'_> {
    pub(super) fn resign(&mut self, seat: Seat) {
        self.retire(seat, Retirement::Resigned);
    }

    /// The flag of `seat` falls: it has used all its time.
    pub(super) fn flag(&mut self, seat: Seat) {
        let reason = if self.clock_kind().is_correspondence() {
            Retirement::Expired
        } else {
            Retirement::Flagged
        };
        self.retire(seat, reason);
    }

    pub(super) fn abandon(&mut self, seat: Seat) {
        self.retire(seat, Retirement::Abandoned);
    }

    pub(super) fn claim(&mut self, seat: Seat, target: Seat) -> Result<(), Rejection> {
        if self.state.adjournment().is_some() {
            return self.claim_asleep(seat, target);
        }
        let state = self.state.seats().get(target.index());
        let claim_at = state
            .filter(|state| state.retired.is_none() && target != seat)
            .and_then(|state| {
                let away = state.claim_at;
                let away = away.filter(|_| !self.state.is_adjourned_for(target));
                earlier(away, self.unanswered_until(target))
            });
        if claim_at.is_none_or(|claim_at| claim_at > self.at) {
            return Err(Rejection::CannotClaim { claim_at });
        }
        self.retire(target, Retirement::Abandoned);
        Ok(())
    }

    /// Takes a seat out of the game. Its rack stays hidden and counts for no seat.
    pub(super) fn retire(&mut self, seat: Seat, reason: Retirement) {
        let remaining = self.state.active().filter(|active| *active != seat).count();
        self.settle_window_of_retiring(seat, reason, remaining);
        if self.state.phase() == Phase::Ended {
            return;
        }
        // A challenge that was decided just before can have taken the last play off: then the game runs again.
        let was_final = self.state.phase() == Phase::Final;
        let was_on_turn = self.state.turn().is_some_and(|turn| turn.seat == seat);
        if was_on_turn {
            self.stop_clock();
        }
        self.emit_own(Event::Public(PublicEvent::SeatRetired { seat, reason }));
        if remaining == 1 {
            return self.end(reason.ends_game_as());
        }
        self.go_on_without(seat, was_final, was_on_turn);
        self.resume_if_all_ready();
    }

    /// Updates the open window before `seat` retires.
    fn settle_window_of_retiring(&mut self, seat: Seat, reason: Retirement, remaining: usize) {
        let Some(window) = self.state.window() else {
            return;
        };
        let author = window.author;
        let disputed = window.dispute;
        if disputed.is_some_and(|dispute| dispute.challenger == seat || author == seat) {
            // A challenge that was made is decided, even if the challenger retires.
            self.aside(Self::decide_dispute);
            return;
        }
        if window.hold.is_some_and(|hold| hold.seat == seat) {
            self.end_hold(HoldEnd::Retired);
        }
        let is_flag_on_turn = matches!(reason, Retirement::Flagged | Retirement::Expired)
            && self.state.turn().is_some_and(|turn| turn.seat == seat);
        if author == seat {
            self.close_window(WindowClose::AuthorRetired);
        } else if is_flag_on_turn {
            self.close_window(WindowClose::Flag);
        } else if remaining == 1 {
            self.close_window(WindowClose::LastOpponentRetired);
        }
    }

    /// Three or four seats: the remaining seats continue the game.
    fn go_on_without(&mut self, seat: Seat, was_final: bool, was_on_turn: bool) {
        if was_final {
            match self.state.window().map(|window| window.author) {
                // The author left and the play stands: an out-play ends the game, in a race the other seats continue.
                None if self.is_out(seat) => self.end(EndReason::OutPlay),
                None => self.next_turn(seat),
                Some(_) => self.close_if_all_accepted(),
            }
            return;
        }
        self.close_if_all_accepted();
        if let Some(reason) = self.state.inactivity() {
            self.end(reason);
        } else if was_on_turn {
            self.next_turn(seat);
        }
    }

    fn is_out(&self, seat: Seat) -> bool {
        let tiles = self.state.tiles();
        tiles.rack(seat).is_empty() && tiles.bag().is_empty()
    }

    fn close_if_all_accepted(&mut self) {
        let all = self.state.window().is_some_and(|window| {
            window.dispute.is_none()
                && window
                    .eligible
                    .iter()
                    .all(|eligible| window.accepted.contains(eligible))
        });
        if all {
            self.stand_play(WindowClose::Accepted);
        }
    }
}
