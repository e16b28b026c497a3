//! The rules' demands in a state: the next seat, the tiles that a play draws, the outcome of a challenge, the end by
//! inactivity. A game decides by it, and a record is checked against it.

use super::{Phase, Runs, State};
use crate::event::{EndReason, Verdict};
use crate::options::{ChallengeKind, CountedTurns, InactivityRule, PointsPer, TurnLimit};
use crate::time::Seat;

/// The consequences of the size of a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refill {
    /// The number of tiles that the author draws when the play stands.
    pub(crate) owed: u8,
    /// Whether the game ends when the play stands: an out-play, or a race won.
    pub(crate) is_last: bool,
}

impl State {
    /// Returns the score at which `seat` wins, if the rule set has targets (R-END-13).
    #[must_use]
    pub fn target(&self, seat: Seat) -> Option<i32> {
        let level = self.created.players[seat.index()].level;
        self.rules.target(self.options().seats, level)
    }

    /// Returns whether plays can be challenged in this game.
    #[must_use]
    pub fn has_challenges(&self) -> bool {
        self.options().challenge.kind != ChallengeKind::Void
    }

    /// Returns the next active seat in turn order; `seat` itself when it is the only one (R-TURN-1).
    pub(crate) fn seat_after(&self, seat: Seat) -> Seat {
        let seats = self.options().seats;
        let mut next = seat;
        loop {
            next = Seat((next.0 + 1) % seats);
            if self.is_active(next) || next == seat {
                return next;
            }
        }
    }

    /// Returns what follows if `seat` lays `laid` tiles and then has `total` points (R-TURN-5, R-END-1, R-END-13).
    pub(crate) fn refill(&self, seat: Seat, laid: usize, total: i32) -> Refill {
        let left_on_rack = self.tiles.rack(seat).len().saturating_sub(laid);
        let bag = self.tiles.bag().len();
        let wanted = usize::from(self.rules.rack_size).saturating_sub(left_on_rack);
        let is_out = left_on_rack == 0 && bag == 0;
        // The play that wins a race draws no tiles.
        let wins_race = self.target(seat).is_some_and(|target| total >= target);
        let wanted = if wins_race { 0 } else { wanted };
        Refill {
            owed: u8::try_from(wanted.min(bag)).expect("a rack has fewer than 256 tiles"),
            is_last: is_out || wins_race,
        }
    }

    /// Returns why the game ends by inactivity, if it does.
    pub(crate) fn inactivity(&self) -> Option<EndReason> {
        let is_all_zero = self.seats.iter().all(|seat| seat.score == 0);
        let rule = self.options().inactivity;
        rule.ends(self.runs, self.active().count(), is_all_zero)
    }

    /// Returns the verdict of the lexicon on the play whose window is open (R-CHAL-11 to R-CHAL-16, R-CHAL-19).
    pub(crate) fn verdict(&self, has_bad_words: bool) -> Verdict {
        match (has_bad_words, self.options().challenge.kind) {
            (true, _) => Verdict::Off,
            // In the final phase no seat has a turn left to lose.
            (false, ChallengeKind::Double) if self.phase == Phase::Running => {
                Verdict::StandsTurnLost
            }
            (false, _) => Verdict::Stands,
        }
    }

    /// Returns what a challenge pays, per seat (R-CHAL-14, R-CHAL-15).
    pub(crate) fn challenge_points(
        &self,
        challenger: Seat,
        author: Seat,
        verdict: Verdict,
    ) -> Vec<(Seat, i32)> {
        let options = self.options();
        let each = match options.challenge.kind {
            ChallengeKind::FivePoint => 5,
            ChallengeKind::TenPoint => 10,
            ChallengeKind::Void
            | ChallengeKind::Single
            | ChallengeKind::Double
            | ChallengeKind::Triple => return Vec::new(),
        };
        if verdict.is_off() {
            return Vec::new();
        }
        let times = match options.challenge.points_per {
            PointsPer::Play => 1,
            PointsPer::Word => {
                i32::try_from(self.window_words().len()).expect("a play forms few words")
            }
        };
        // With two seats the author gains the points; with more seats the challenger loses them.
        if options.seats == 2 {
            vec![(author, each * times)]
        } else {
            vec![(challenger, -each * times)]
        }
    }

    /// Returns the score of every seat after a verdict on the play whose window is open.
    pub(crate) fn totals_after(
        &self,
        author: Seat,
        verdict: Verdict,
        points: &[(Seat, i32)],
    ) -> Vec<i32> {
        let undone = match &self.window {
            Some(window) if verdict.is_off() => window.undo.score,
            Some(_) | None => 0,
        };
        Seat::all(self.options().seats)
            .map(|seat| {
                let paid: i32 = points
                    .iter()
                    .filter(|(paid, _)| *paid == seat)
                    .map(|(_, points)| points)
                    .sum();
                let off = if seat == author { undone } else { 0 };
                // A record from a file can contain any numbers.
                let score = self.seats[seat.index()].score;
                score.saturating_add(paid).saturating_sub(off)
            })
            .collect()
    }
}

impl InactivityRule {
    /// Returns why these runs end a game, if they do (R-END-2, R-END-4, R-END-5, R-END-12).
    pub(crate) fn ends(self, runs: Runs, active: usize, is_all_zero: bool) -> Option<EndReason> {
        let limit = self.limit.turns(active);
        let (run, reason) = match self.counts {
            CountedTurns::Scoreless => (runs.scoreless, EndReason::ScorelessTurns),
            CountedTurns::Passes => (runs.passes, EndReason::Passes),
            CountedTurns::WithoutScore => (runs.without_score, EndReason::ScorelessTurns),
        };
        let is_exempt = self.unless_all_zero && is_all_zero;
        if run >= limit && !is_exempt {
            return Some(reason);
        }
        let cap = TurnLimit::PerActiveSeat(self.cap_per_seat).turns(active);
        (runs.scoreless >= cap).then_some(EndReason::TurnCap)
    }
}
