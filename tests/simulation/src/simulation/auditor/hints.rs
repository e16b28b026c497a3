//! Hints: a push about one comes to the seat that has used it, and says no more than was paid for.

use tilewire_protocol::{AskHint, GameId, Hint};
use tilewire_rules::time::Seat;

use super::Auditor;
use crate::simulation::line::LineId;

impl Auditor {
    /// Checks that the seat of a connection has used the hint that it is told.
    pub(super) fn check_hint(&self, line: LineId, id: u64, hint: &Hint) {
        assert_eq!(id, 0, "no answer: {hint:?}");
        let attached = self
            .lines
            .get(&line)
            .and_then(|line| line.games.get(&hint.game));
        let seat = attached.and_then(|(seat, _)| *seat).map(Seat);
        let seat = seat.unwrap_or_else(|| panic!("{line}: a hint for no player: {hint:?}"));
        let grade = self.used_hint(&hint.game, seat, hint.turn_no);
        assert_eq!(grade, Some(hint.grade), "{line}: {hint:?} was not used");
        let is_more = hint.grade < 3 && (hint.score.is_some() || !hint.tiles.is_empty());
        assert!(!is_more, "{line}: says too much: {hint:?}");
    }

    /// Checks that an accepted request had an effect, in this command or in an earlier one of the turn.
    pub(super) fn check_hint_used(&self, game: &GameId, seat: Seat, asked: &AskHint) {
        let grade = self.used_hint(game, seat, asked.turn_no);
        assert!(grade >= Some(asked.grade), "{asked:?} was accepted");
    }

    /// The highest grade that a seat has used in a turn.
    fn used_hint(&self, game: &GameId, seat: Seat, turn_no: u32) -> Option<u8> {
        let hints = self.log(game).book.judge.fold.hints.iter();
        let own = hints.filter(|used| used["seat"] == seat.0 && used["turn_no"] == turn_no);
        let grades = own.filter_map(|used| used["grade"].as_u64());
        grades.max().and_then(|grade| u8::try_from(grade).ok())
    }
}
