//! Hints in casual games (R-HINT). The log says that a seat used one, and never what it was told.

use super::step::Step;
use crate::event::{Event, HintGrade, PublicEvent};
use crate::rejection::Rejection;
use crate::state::State;
use crate::time::{Seat, TurnNo};

impl Step<'_> {
    /// Uses a hint. A seat that has had one in this turn, which said as much, uses none.
    pub(super) fn hint(
        &mut self,
        seat: Seat,
        turn_no: TurnNo,
        grade: HintGrade,
    ) -> Result<(), Rejection> {
        if self.options().hints == 0 {
            return Err(Rejection::NoHints);
        }
        self.on_turn(seat, turn_no)?;
        if let Some(known) = self.state.hint().filter(|known| known.grade >= grade) {
            let seq = known.seq;
            self.repeat_own(seq);
            return Ok(());
        }
        if let Some(window) = self.state.window() {
            let hold = window.hold.map(|hold| hold.until);
            let dispute = window.dispute.map(|dispute| dispute.decide_by);
            let until = dispute.or(hold).or(window.closes_at);
            return Err(Rejection::CannotHint { until });
        }
        if !has_hint_left(&self.state, seat) {
            return Err(Rejection::HintsUsed);
        }
        self.emit_own(Event::Public(PublicEvent::HintUsed { seat, grade }));
        Ok(())
    }
}

/// Returns whether the options leave a seat another hint (R-HINT-1).
pub(crate) fn has_hint_left(state: &State, seat: Seat) -> bool {
    let used = state.hints().iter().filter(|hint| hint.seat == seat);
    used.count() < usize::from(state.options().hints)
}
