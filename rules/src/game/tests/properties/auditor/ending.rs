//! Checks the end of a game against the rules.

use super::{Auditor, TurnLine};
use crate::event::{EndReason, Ended};
use crate::options::{CountedTurns, TurnLimit};
use crate::ruleset::{Level, RackCount};
use crate::time::Seat;

impl Auditor<'_> {
    pub(super) fn target(&self, seat: Seat) -> Option<i32> {
        let targets = self.rules.targets?;
        let column = match self.options.seats {
            2 => targets.two,
            3 => targets.three,
            _ => targets.four,
        };
        Some(match self.levels[seat.index()] {
            Some(Level::Beginner) => column.beginner,
            Some(Level::Expert) => column.expert,
            Some(Level::Intermediate) | None => column.intermediate,
        })
    }

    pub(super) fn end(&mut self, ended: &Ended) {
        for result in &ended.results {
            let seat = result.seat;
            assert_eq!(result.score, self.scores[seat.index()]);
            assert_eq!(
                result.rack_points,
                self.rack_points(ended, seat),
                "{ended:?}"
            );
            assert_eq!(
                result.final_score,
                result.score + result.rack_points - result.time_penalty
            );
            let mut rack = result.rack.clone();
            rack.sort_unstable();
            self.racks[seat.index()].sort_unstable();
            assert_eq!(rack, self.racks[seat.index()]);
        }
        self.check_reason(ended);
        self.check_winners(ended);
    }

    fn rack_points(&self, ended: &Ended, seat: Seat) -> i32 {
        let value = |seat: Seat| self.set.sum(&self.racks[seat.index()]);
        let is_active = |seat: &Seat| !self.retired.contains(seat);
        if !is_active(&seat) {
            return 0;
        }
        let out = self.last_play.as_ref().map(|(_, play)| play.seat);
        match ended.reason {
            EndReason::OutPlay if out == Some(seat) => Seat::all(self.options.seats)
                .filter(|other| *other != seat && is_active(other))
                .map(value)
                .sum(),
            EndReason::OutPlay => -value(seat),
            EndReason::ScorelessTurns
            | EndReason::TurnCap
            | EndReason::Passes
            | EndReason::AllPlayed
            | EndReason::Uncatchable => {
                let counts = self.rules.rack_count == RackCount::Always || self.bag.is_empty();
                if counts { -value(seat) } else { 0 }
            }
            EndReason::Resignation
            | EndReason::Time
            | EndReason::Abandonment
            | EndReason::TripleChallenge
            | EndReason::Target
            | EndReason::Aborted
            | EndReason::Cancelled => 0,
        }
    }

    /// How many turns at the end of the game are of this kind.
    fn run(&self, counts: impl Fn(TurnLine) -> bool) -> u32 {
        let run = self
            .turns
            .iter()
            .rev()
            .take_while(|turn| counts(**turn))
            .count();
        u32::try_from(run).expect("few turns")
    }

    /// Whether turns without score would end the game now, by the words of the rule.
    fn is_inactive(&self) -> bool {
        let active =
            u32::from(self.options.seats) - u32::try_from(self.retired.len()).expect("few");
        let rule = self.options.inactivity;
        let limit = match rule.limit {
            TurnLimit::PerActiveSeat(each) => u32::from(each) * active,
            TurnLimit::Total(total) => u32::from(total),
        };
        let run = match rule.counts {
            CountedTurns::Scoreless => self.scoreless.0,
            CountedTurns::Passes => self.run(|turn| turn == TurnLine::Pass),
            CountedTurns::WithoutScore => {
                self.run(|turn| !matches!(turn, TurnLine::Play(score) if score != 0))
            }
        };
        let nobody_scored = self.scores.iter().all(|score| *score == 0);
        run >= limit && !(rule.unless_all_zero && nobody_scored)
    }

    fn check_reason(&self, ended: &Ended) {
        let active =
            u32::from(self.options.seats) - u32::try_from(self.retired.len()).expect("few");
        let is_standard = matches!(
            ended.reason,
            EndReason::OutPlay | EndReason::ScorelessTurns | EndReason::Passes | EndReason::TurnCap
        );
        match ended.reason {
            EndReason::OutPlay => {
                let (_, play) = self.last_play.as_ref().expect("a play ended it");
                assert!(self.is_out(play));
            }
            EndReason::ScorelessTurns | EndReason::Passes => assert!(self.is_inactive()),
            EndReason::TurnCap => assert!(self.scoreless.0 >= 12 * active, "{ended:?}"),
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                assert_eq!(active, 1)
            }
            EndReason::Target => {
                let winner = ended.winners[0];
                assert!(self.scores[winner.index()] >= self.target(winner).expect("a race"));
            }
            EndReason::AllPlayed | EndReason::Uncatchable => assert!(self.bag.is_empty()),
            EndReason::TripleChallenge | EndReason::Aborted | EndReason::Cancelled => {}
        }
        assert!(
            !(is_standard && self.has_target_reached()),
            "the race was over before: {ended:?}"
        );
    }

    /// Whether an active seat has its target.
    fn has_target_reached(&self) -> bool {
        Seat::all(self.options.seats)
            .filter(|seat| !self.retired.contains(seat))
            .any(|seat| {
                self.target(seat)
                    .is_some_and(|t| self.scores[seat.index()] >= t)
            })
    }

    fn check_winners(&self, ended: &Ended) {
        // Shares of the own target, where there are targets: fractions compared by multiplying out.
        let share = |seat: Seat| {
            let score = i64::from(ended.results[seat.index()].final_score);
            (score, i64::from(self.target(seat).unwrap_or(1)))
        };
        match ended.reason {
            EndReason::Aborted | EndReason::Cancelled => assert!(ended.winners.is_empty()),
            EndReason::OutPlay
            | EndReason::ScorelessTurns
            | EndReason::Passes
            | EndReason::TurnCap
            | EndReason::AllPlayed
            | EndReason::Uncatchable => {
                assert!(!ended.winners.is_empty());
                for winner in &ended.winners {
                    let (best, of) = share(*winner);
                    for seat in Seat::all(self.options.seats) {
                        let (score, target) = share(seat);
                        let is_better = score * of > best * target;
                        assert!(!is_better || self.retired.contains(&seat), "{ended:?}");
                    }
                }
            }
            EndReason::Resignation
            | EndReason::Time
            | EndReason::Abandonment
            | EndReason::TripleChallenge
            | EndReason::Target => assert_eq!(ended.winners.len(), 1),
        }
    }
}
