//! Delayed games: before the delay is over, only the players learn of an event, unless the game has ended.

use tilewire_protocol::{GameId, GameSummary};

use super::{Auditor, Log};
use crate::simulation::line::LineId;

impl Log {
    /// The number of its events that are public at `now`.
    fn old_enough(&self, now: i64) -> usize {
        let Some(view) = self.book.created.options.spectators else {
            return self.records.len();
        };
        if self.book.ended.is_some() {
            return self.records.len();
        }
        let is_old = |at: i64| at + view.delay_ms <= now;
        let old = self.records.iter().rposition(|record| is_old(record.at.0));
        // The creation says nothing that the seek did not.
        old.map_or(1, |last| last + 1)
    }
}

impl Auditor {
    /// A spectator of a delayed game is shown event `seq`; players see the game as it is.
    pub(super) fn check_old_enough(&self, game: &GameId, seq: u64, seat: Option<u8>) {
        let log = self.log(game);
        let known = u64::try_from(log.old_enough(self.now)).expect("few records");
        assert!(
            seat.is_some() || seq <= known,
            "{} {seq} was shown to a spectator, who may see only {known} yet",
            game.0
        );
    }

    /// Messages about the present of a delayed game that has not ended go to its players only.
    pub(super) fn check_not_delayed(&self, line: LineId, game: &GameId) {
        let place = self.lines.get(&line).and_then(|line| line.games.get(game));
        let is_player = place.is_none_or(|(seat, _)| seat.is_some());
        let book = &self.log(game).book;
        let is_delayed = book.created.options.spectators.is_some() && book.ended.is_none();
        assert!(
            is_player || !is_delayed,
            "{line} watches {} and is told how it is now",
            game.0
        );
    }

    /// The lines in lists show delayed games as they were.
    pub(super) fn check_lines<'a>(&self, games: impl Iterator<Item = &'a GameSummary>) {
        for line in games {
            let log = self.log(&line.game);
            let known = &log.book.facts[..log.old_enough(self.now)];
            let scores: Vec<i64> = line.seats.iter().map(|seat| seat.score.into()).collect();
            let on_turn = line.seats.iter().position(|seat| seat.on_turn);
            let on_turn = on_turn.map(|seat| (u64::from(line.turn_no), seat as u64));
            let was_so = known
                .iter()
                .any(|facts| facts.scores == scores && facts.turn == on_turn);
            assert!(was_so, "a list shows a game too early: {line:?}");
        }
    }
}
