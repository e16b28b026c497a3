//! The result of a game: who wins, rack adjustment, time penalties, ranks (R-END, R-TIE).

use super::{Phase, PlayStatus, State, TurnKind};
use crate::clock::Clocks;
use crate::event::{Adjudication, EndReason, Ended, SeatResult};
use crate::options::TieRule;
use crate::ruleset::RackCount;
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

impl State {
    /// Returns the end of the game if it ends now for this reason with these clocks.
    pub(crate) fn result(&self, reason: EndReason, clocks: &Clocks) -> Ended {
        let rule = self.rack_rule(reason);
        let mut results: Vec<SeatResult> = Seat::all(self.options().seats)
            .map(|seat| self.seat_result(seat, rule, clocks))
            .collect();
        let mut winners = Vec::new();
        if reason.has_result() {
            self.rank(&mut results, self.decided_winner(reason));
            let best = results.iter().filter(|result| result.rank == 1);
            winners = best.map(|result| result.seat).collect();
        }
        Ended {
            reason,
            results,
            winners,
            aborter: None,
            adjudication: None,
            secret: self.created.secret,
            clocks: clocks.clone(),
        }
    }

    /// Returns the end of the game if an operator ends it now with these clocks (R-ADMIN-1, R-ADMIN-2).
    pub(crate) fn adjudicated(&self, adjudication: Adjudication, clocks: &Clocks) -> Ended {
        let reason = self.adjudicated_for(adjudication);
        let mut ended = Ended {
            adjudication: Some(adjudication),
            ..self.result(reason, clocks)
        };
        match adjudication {
            Adjudication::NoResult | Adjudication::AsItStands => return ended,
            Adjudication::Win(seat) => self.rank(&mut ended.results, Some(seat)),
            Adjudication::Draw => {
                let active = ended.results.iter_mut();
                for result in active.filter(|result| self.is_active(result.seat)) {
                    result.rank = 1;
                }
            }
        }
        let best = ended.results.iter().filter(|result| result.rank == 1);
        ended.winners = best.map(|result| result.seat).collect();
        ended
    }

    /// Returns the reason of an end that an operator decides.
    pub(crate) fn adjudicated_for(&self, adjudication: Adjudication) -> EndReason {
        match adjudication {
            Adjudication::NoResult if self.phase() == Phase::Waiting => EndReason::Cancelled,
            Adjudication::NoResult => EndReason::Aborted,
            Adjudication::Win(_) | Adjudication::Draw | Adjudication::AsItStands => {
                EndReason::Adjudicated
            }
        }
    }

    /// Returns whether an operator can end the game in this way now: with a result only while seats play.
    #[must_use]
    pub fn can_be_adjudicated(&self, adjudication: Adjudication) -> bool {
        let is_played = matches!(self.phase(), Phase::Running | Phase::Final);
        match adjudication {
            Adjudication::NoResult => self.phase() != Phase::Ended,
            Adjudication::Draw | Adjudication::AsItStands => is_played,
            Adjudication::Win(seat) => {
                is_played && seat.0 < self.options().seats && self.is_active(seat)
            }
        }
    }

    /// The author of the last play, and whether the play still lies on the board.
    fn last_play(&self) -> Option<(Seat, PlayStatus)> {
        let turns = self.history.iter().rev();
        turns
            .filter_map(|turn| match &turn.kind {
                TurnKind::Play { status, .. } => Some((turn.seat, *status)),
                TurnKind::Exchange(_) | TurnKind::Pass | TurnKind::LostTurn => None,
            })
            .next()
    }

    /// The effect of unplayed tiles after an end for this reason (R-END-6 to R-END-8, R-END-13).
    fn rack_rule(&self, reason: EndReason) -> RackRule {
        let counts = match self.rules.rack_count {
            RackCount::Always => true,
            RackCount::EmptyBag => self.bag_count() == 0,
        };
        match reason {
            EndReason::OutPlay => match self.last_play() {
                Some((out, _)) if self.is_active(out) => RackRule::GainedBy(out),
                Some(_) | None => RackRule::Lost,
            },
            EndReason::ScorelessTurns
            | EndReason::Passes
            | EndReason::TurnCap
            | EndReason::AllPlayed
            | EndReason::Uncatchable
                if counts =>
            {
                RackRule::Lost
            }
            _ => RackRule::Ignored,
        }
    }

    /// The winner of an end that does not depend on the scores.
    fn decided_winner(&self, reason: EndReason) -> Option<Seat> {
        match reason {
            EndReason::Target => self.last_play().map(|(author, _)| author),
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                self.active().next()
            }
            // Two seats: the challenger is the seat that did not make the play.
            EndReason::TripleChallenge => match self.last_play()? {
                (author, PlayStatus::OnBoard) => Some(author),
                (author, PlayStatus::ChallengedOff) => Some(self.seat_after(author)),
            },
            _ => None,
        }
    }

    fn seat_result(&self, seat: Seat, rule: RackRule, clocks: &Clocks) -> SeatResult {
        let score = self.seats[seat.index()].score;
        let rack_points = match rule {
            RackRule::Ignored => 0,
            RackRule::Lost | RackRule::GainedBy(_) if !self.is_active(seat) => 0,
            RackRule::GainedBy(out) if out == seat => self
                .active()
                .filter(|other| *other != out)
                .map(|other| self.rack_value(other))
                .sum(),
            RackRule::Lost | RackRule::GainedBy(_) => -self.rack_value(seat),
        };
        let time_penalty = clocks.penalty(self.options().clock, seat);
        SeatResult {
            seat,
            score,
            rack_points,
            time_penalty,
            // A record from a file can contain any numbers.
            final_score: score
                .saturating_add(rack_points)
                .saturating_sub(time_penalty),
            rank: 0,
            rack: self.tiles.rack(seat).to_vec(),
        }
    }

    fn rack_value(&self, seat: Seat) -> i32 {
        self.rules.tiles.sum(self.tiles.rack(seat))
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
            .filter_map(|other| self.target(other))
            .map(i64::from)
            .product()
    }

    fn rank_key(&self, result: &SeatResult, winner: Option<Seat>) -> RankKey {
        let retired = self.seats[result.seat.index()].retired;
        let before_adjustment = match self.options().ties {
            TieRule::BeforeAdjustment => result.score.saturating_sub(result.time_penalty),
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
                score: i64::from(result.final_score).saturating_mul(scale),
                before_adjustment: i64::from(before_adjustment).saturating_mul(scale),
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
