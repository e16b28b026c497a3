//! How a game ends: reasons, rack adjustment, time penalties, ranks (R-END, R-TIE).

use super::step::Step;
use crate::event::{EndReason, Ended, Event, PublicEvent, SeatResult, WindowClose};
use crate::options::{CountedTurns, TieRule};
use crate::ruleset::RackCount;
use crate::state::Phase;
use crate::time::Seat;

/// The effect of unplayed tiles on the scores.
#[derive(Clone, Copy)]
enum RackRule {
    /// No effect.
    Ignored,
    /// Each active seat loses its own.
    Lost,
    /// Each active seat loses its own; this seat went out and gains them all.
    GainedBy(Seat),
}

impl Step<'_> {
    /// Returns why the game ends by inactivity, if it does.
    pub(super) fn inactivity(&self) -> Option<EndReason> {
        let rule = self.options().inactivity;
        let active = self.state.active().count();
        let runs = self.state.runs;
        let limit = rule.limit.turns(active);
        let (run, reason) = match rule.counts {
            CountedTurns::Scoreless => (runs.scoreless, EndReason::ScorelessTurns),
            CountedTurns::Passes => (runs.passes, EndReason::Passes),
            CountedTurns::WithoutScore => (runs.without_score, EndReason::ScorelessTurns),
        };
        let is_exempt = rule.unless_all_zero && self.state.seats().iter().all(|s| s.score == 0);
        if run >= limit && !is_exempt {
            return Some(reason);
        }
        let cap = crate::options::TurnLimit::PerActiveSeat(rule.cap_per_seat).turns(active);
        (runs.scoreless >= cap).then_some(EndReason::TurnCap)
    }

    /// Ends the game after a last play that stands: one that won a race, or an out-play (R-END-1, R-END-13).
    pub(super) fn end_by_last_play(&mut self, author: Seat) {
        if !self.end_if_target_reached(author) {
            self.end_out_play(author);
        }
    }

    /// Ends the game after `out` played its last tile and that play stands.
    pub(super) fn end_out_play(&mut self, out: Seat) {
        let rule = if self.state.is_active(out) {
            RackRule::GainedBy(out)
        } else {
            RackRule::Lost
        };
        self.end(EndReason::OutPlay, rule, None);
    }

    /// Ends the game with tiles on all racks.
    pub(super) fn end_without_out(&mut self, reason: EndReason) {
        let counts = match self.state.rules().rack_count {
            RackCount::Always => true,
            RackCount::EmptyBag => self.state.bag_count() == 0,
        };
        let rule = if counts {
            RackRule::Lost
        } else {
            RackRule::Ignored
        };
        self.end(reason, rule, None);
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
            self.end_decided(EndReason::Target, seat);
        }
        is_reached
    }

    /// Ends the game with a winner who does not depend on the score.
    pub(super) fn end_decided(&mut self, reason: EndReason, winner: Seat) {
        self.end(reason, RackRule::Ignored, Some(winner));
    }

    pub(super) fn abort(&mut self) {
        self.end(EndReason::Aborted, RackRule::Ignored, None);
    }

    pub(super) fn cancel(&mut self) {
        self.end(EndReason::Cancelled, RackRule::Ignored, None);
    }

    fn end(&mut self, reason: EndReason, rule: RackRule, winner: Option<Seat>) {
        // The game ends for another reason while a play can be challenged: the play stands.
        self.close_window(WindowClose::GameOver);
        self.stop_clock();
        let mut results: Vec<SeatResult> = Seat::all(self.options().seats)
            .map(|seat| self.seat_result(seat, rule))
            .collect();
        let winners = if reason.has_result() {
            self.rank(&mut results, winner);
            results
                .iter()
                .filter(|result| result.rank == 1)
                .map(|result| result.seat)
                .collect()
        } else {
            Vec::new()
        };
        let ended = Ended {
            reason,
            results,
            winners,
            secret: self.state.created().secret,
            clocks: self.clocks.clone(),
        };
        self.emit_own(Event::Public(PublicEvent::Ended(ended)));
    }

    fn seat_result(&self, seat: Seat, rule: RackRule) -> SeatResult {
        let score = self.state.seats()[seat.index()].score;
        let rack_points = match rule {
            RackRule::Ignored => 0,
            RackRule::Lost | RackRule::GainedBy(_) if !self.state.is_active(seat) => 0,
            RackRule::GainedBy(out) if out == seat => self
                .state
                .active()
                .filter(|other| *other != out)
                .map(|other| self.rack_value(other))
                .sum(),
            RackRule::Lost | RackRule::GainedBy(_) => -self.rack_value(seat),
        };
        let time_penalty = self.clocks.penalty(self.clock_kind(), seat);
        SeatResult {
            seat,
            score,
            rack_points,
            time_penalty,
            final_score: score + rack_points - time_penalty,
            rank: 0,
            rack: self.state.tiles().rack(seat).to_vec(),
        }
    }

    fn rack_value(&self, seat: Seat) -> i32 {
        let set = &self.state.rules().tiles;
        let rack = self.state.tiles().rack(seat);
        rack.iter().map(|tile| set.value(*tile)).sum()
    }

    /// Assigns ranks: active seats by score, then retired seats, the latest retirement first.
    fn rank(&self, results: &mut [SeatResult], winner: Option<Seat>) {
        let keys: Vec<RankKey> = results
            .iter()
            .map(|result| self.rank_key(result, winner))
            .collect();
        for (result, key) in results.iter_mut().zip(&keys) {
            let better = keys.iter().filter(|other| *other > key).count();
            result.rank = u8::try_from(better + 1).expect("at most four seats");
        }
    }

    /// The factor that makes scores comparable as shares of each seat's target: the product
    /// of the other seats' targets, or 1 without targets (R-END-13).
    fn target_scale(&self, seat: Seat) -> i64 {
        Seat::all(self.options().seats)
            .filter(|other| *other != seat)
            .filter_map(|other| self.state.target(other))
            .map(i64::from)
            .product()
    }

    fn rank_key(&self, result: &SeatResult, winner: Option<Seat>) -> RankKey {
        let retired = self.state.seats()[result.seat.index()].retired;
        let before_adjustment = match self.options().ties {
            TieRule::BeforeAdjustment => result.score - result.time_penalty,
            TieRule::Stand => 0,
        };
        let scale = self.target_scale(result.seat);
        match retired {
            Some((_, place)) => RankKey {
                is_winner: false,
                // Later retirements rank higher, but all below the active seats.
                standing: i16::from(place) - i16::from(u8::MAX),
                score: 0,
                before_adjustment: 0,
            },
            None => RankKey {
                is_winner: winner == Some(result.seat),
                standing: 1,
                score: i64::from(result.final_score) * scale,
                before_adjustment: i64::from(before_adjustment) * scale,
            },
        }
    }
}

/// The sort key of seats, the most important part first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RankKey {
    is_winner: bool,
    standing: i16,
    score: i64,
    before_adjustment: i64,
}
