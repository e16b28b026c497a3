//! Verdicts, leaving, credits and the end, by the auditor's own rules.

use std::sync::Arc;

use tilewire_rules::event::{ChallengeDecided, EndReason, Ended, Record, Retirement, Verdict};
use tilewire_rules::time::Seat;

use super::{Book, sorted};
use crate::simulation::scenario::is_good;

impl Book {
    pub(super) fn verdict(&mut self, record: &Record, decided: &ChallengeDecided) {
        self.about(decided.play_id.0);
        let rules = Arc::clone(&self.rules);
        let window = self.open();
        let due = window.dispute.take();
        assert!(due.is_none_or(|due| record.at.0 <= due.max(record.at.0)));
        assert_ne!(
            decided.seat, window.play.seat,
            "nobody challenges an own play"
        );
        let words = window.play.words.iter().map(|word| word.word.clone());
        let bad: Vec<String> = words.filter(|word| !is_good(&rules, word)).collect();
        match decided.verdict {
            Verdict::Withdrawn => assert!(decided.bad_words.is_empty()),
            Verdict::Off => assert_eq!(decided.bad_words.len(), bad.len()),
            Verdict::Stands | Verdict::StandsTurnLost => assert!(bad.is_empty(), "{record:?}"),
        }
        if decided.verdict.is_off() {
            let (seat, score) = (window.play.seat.index(), window.play.score);
            let laid = std::mem::take(&mut window.laid);
            window.play.owed = 0;
            self.scores[seat] -= score;
            for (square, _) in laid {
                let placed = self.board.remove(&square).expect("it lies there");
                self.racks[seat].push(placed.tile);
            }
        }
        for (seat, points) in &decided.points {
            self.scores[seat.index()] += points;
        }
        assert_eq!(self.scores, decided.totals);
        if let Some(clocks) = &decided.clocks {
            self.clocks.read(record.at, clocks, None);
        }
    }

    pub(super) fn retired(&mut self, record: &Record, seat: Seat, reason: Retirement) {
        assert!(!self.retired.contains(&seat));
        // Whoever let go of a hold was the one who left, whether by the clock or not.
        let holder_flag = self.holder_flag.take();
        let due = match reason {
            Retirement::Flagged | Retirement::Expired => {
                let flag = holder_flag.or_else(|| self.clocks.flag_at());
                let (falls, due) = flag.expect("a clock runs");
                assert_eq!(falls, seat);
                Some(due)
            }
            Retirement::Abandoned if record.command.is_none() => {
                Some(self.turn_began + self.created.options.timing.abandon_ms)
            }
            Retirement::Abandoned | Retirement::Resigned => None,
        };
        if let Some(due) = due {
            assert_eq!(
                record.at.0,
                due.max(self.last_at),
                "a flag falls in time: {record:?}"
            );
        }
        self.retired.push(seat);
        if self.turn.is_some_and(|(_, on_turn)| on_turn == seat) {
            self.turn = None;
        }
    }

    pub(super) fn credit(&mut self, by_ms: i64) {
        self.ready_by += by_ms;
        self.turn_began += by_ms;
        if let Some(window) = &mut self.window {
            for due in [&mut window.closes_at, &mut window.hold, &mut window.dispute] {
                *due = due.map(|due| due + by_ms);
            }
        }
    }

    pub(super) fn end(&mut self, record: &Record, ended: &Ended) {
        assert_eq!(ended.secret, self.created.secret);
        if ended.reason == EndReason::Cancelled {
            assert_eq!(record.at.0, self.ready_by.max(self.last_at), "{record:?}");
        }
        for result in &ended.results {
            assert_eq!(result.score, self.scores[result.seat.index()]);
            assert_eq!(
                sorted(&result.rack),
                sorted(&self.racks[result.seat.index()])
            );
            assert_eq!(
                result.final_score,
                result.score + result.rack_points - result.time_penalty
            );
        }
        let left = self.racks.len() - self.retired.len();
        let by_leaving = matches!(
            ended.reason,
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment
        );
        assert!(!by_leaving || left == 1, "{record:?}");
        self.turn = None;
        self.ended = Some(ended.clone());
    }
}
