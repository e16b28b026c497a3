//! The players' actions beside the play: they adjourn, give time and use hints.

use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::HintGrade;
use tilewire_rules::game::Action;
use tilewire_rules::time::{Seat, TurnNo};

use super::Walk;

impl Walk {
    pub(super) fn some_adjourning(&mut self) -> Action {
        let agree = !self.one_in(4);
        match self.game.state().adjourn_request() {
            Some(_) => Action::AnswerAdjourn { agree },
            None => Action::Adjourn,
        }
    }

    /// Time for another seat, mostly as much as the rules allow.
    pub(super) fn some_gift(&mut self, seat: Seat) -> Action {
        let is_limit = matches!(self.options.clock, ClockKind::PerMove { .. });
        Action::GiveTime {
            target: Seat((seat.0 + 1) % self.options.seats),
            time_ms: (!is_limit || self.one_in(8)).then(|| i64::from(self.rng.uniform(66_000))),
        }
    }

    pub(super) fn some_hint(&mut self, turn_no: TurnNo) -> Action {
        const GRADES: [HintGrade; 3] = [HintGrade::Theme, HintGrade::Line, HintGrade::Turn];
        let grade = GRADES[self.rng.uniform(3) as usize];
        Action::Hint { turn_no, grade }
    }

    pub(super) fn is_nudged(&self) -> bool {
        self.game.state().nudge().is_some()
    }
}
