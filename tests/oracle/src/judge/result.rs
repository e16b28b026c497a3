//! The end of a game: whether it had to end, the final scores, and the ranks.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::{Table, active, is_playing, seats, target};
use crate::document::{integer, list, number, text, texts};
use crate::fold::Fold;

/// Turns without score for each seat after which any game ends.
const TURN_CAP: u64 = 12;

/// Reasons for which a game ends by the rules of play, so that the racks count.
const BY_PLAY: [&str; 6] = [
    "out_play",
    "scoreless_turns",
    "passes",
    "turn_cap",
    "all_played",
    "uncatchable",
];

/// Reasons for which a game has no winner.
const WITHOUT_RESULT: [&str; 2] = ["aborted", "cancelled"];

impl Table {
    /// Judges the result.
    pub(super) fn ended(&self, fold: &Fold, event: &Value) -> Result<()> {
        let results = list(event, "results")?;
        ensure!(results.len() == fold.seats.len(), "a result for each seat");
        let reason = text(event, "reason")?;
        let mut racks = Vec::new();
        for (result, seat) in results.iter().zip(&fold.seats) {
            let mut rack = texts(&result["rack"])?;
            if let Some(known) = &seat.rack {
                let mut known = known.clone();
                known.sort_unstable();
                rack.sort_unstable();
                ensure!(known == rack, "a rack shows {rack:?}, it holds {known:?}");
            }
            racks.push(rack.iter().map(|face| self.board.value(face)).sum());
        }
        for (result, at) in results.iter().zip(0..) {
            let due = self.rack_points(fold, reason, &racks, at)?;
            let (score, penalty) = (integer(result, "score")?, integer(result, "time_penalty")?);
            ensure!(
                number(result, "seat")? == at
                    && score == fold.seats[usize::try_from(at)?].score
                    && integer(result, "rack_points")? == due
                    && penalty <= 0
                    && integer(result, "final_score")? == score + due + penalty,
                "the account of seat {at}: {result}, where {due} rack points are due"
            );
        }
        self.check_reason(fold, event, reason)?;
        check_ranks(fold, event, reason)
    }

    /// Returns the effect of the unplayed tiles on the score of a seat.
    fn rack_points(&self, fold: &Fold, reason: &str, racks: &[i64], seat: u64) -> Result<i64> {
        let own = usize::try_from(seat)?;
        if !is_playing(fold, seat) || !BY_PLAY.contains(&reason) {
            return Ok(0);
        }
        if reason == "out_play" {
            let last = self.last.as_ref().context("no play ended the game")?;
            if last.seat == seat {
                let all = racks.iter().zip(0..);
                let playing = all.filter(|(_, seat)| is_playing(fold, *seat));
                return Ok(playing.map(|(points, _)| points).sum());
            }
            return Ok(-racks[own]);
        }
        // Some rule sets count racks only when the bag is empty.
        let needs_empty_bag = fold.setup["rule_set"]["rack_count"] == "empty_bag";
        let counts = !needs_empty_bag || fold.bag == 0;
        Ok(if counts { -racks[own] } else { 0 })
    }

    fn check_reason(&self, fold: &Fold, event: &Value, reason: &str) -> Result<()> {
        let active = active(fold);
        let is_due = match reason {
            "out_play" => {
                let last = self.last.as_ref().context("no play ended the game")?;
                let seat = &fold.seats[usize::try_from(last.seat)?];
                fold.bag == 0 && seat.rack_count == 0
            }
            "scoreless_turns" | "passes" => is_inactive(fold, active)?,
            "turn_cap" => run(fold, is_scoreless) >= TURN_CAP * active,
            "resignation" | "time" | "abandonment" => active == 1,
            "target" => seats(event, "winners")?
                .iter()
                .all(|winner| has_target(fold, *winner)),
            "all_played" | "uncatchable" => fold.bag == 0,
            _ => true,
        };
        ensure!(is_due, "the game did not have to end by {reason}");
        // An operator can let players share the win.
        let is_won_by_one = !BY_PLAY.contains(&reason)
            && !WITHOUT_RESULT.contains(&reason)
            && reason != "adjudicated";
        let winners = list(event, "winners")?.len();
        ensure!(!is_won_by_one || winners == 1, "{winners} winners");
        let is_late = BY_PLAY[..4].contains(&reason)
            && (0..fold.seats.len() as u64).any(|seat| has_target(fold, seat));
        ensure!(!is_late, "a seat had reached its target before");
        Ok(())
    }
}

/// Returns whether a seat that has not left has its target.
fn has_target(fold: &Fold, seat: u64) -> bool {
    let known = usize::try_from(seat).ok().and_then(|at| fold.seats.get(at));
    let target = target(fold, seat).filter(|_| is_playing(fold, seat));
    known.is_some_and(|known| target.is_some_and(|target| known.score >= target))
}

/// Returns how many of the last turns are of a kind.
fn run(fold: &Fold, counts: impl Fn(&Value) -> bool) -> u64 {
    let run = fold.turns.iter().rev().take_while(|turn| counts(turn));
    run.count() as u64
}

fn is_play(turn: &Value) -> bool {
    turn["kind"] == "play" && turn["off"] != true
}

fn is_scoreless(turn: &Value) -> bool {
    !is_play(turn)
}

/// Returns whether turns without score end the game now.
fn is_inactive(fold: &Fold, active: u64) -> Result<bool> {
    let end = &fold.setup["options"]["end"];
    if end.is_null() {
        return Ok(true);
    }
    let each = number(end, "limit")?;
    let limit = if end["per_seat"] == true {
        each * active
    } else {
        each
    };
    let run = match text(end, "counts")? {
        "passes" => run(fold, |turn| turn["kind"] == "pass"),
        "without_score" => run(fold, |turn| !is_play(turn) || turn["score"] == 0),
        _ => run(fold, is_scoreless),
    };
    let is_saved = end["unless_all_zero"] == true && fold.seats.iter().all(|seat| seat.score == 0);
    Ok(run >= limit && !is_saved)
}

/// Checks the ranks. Seats that have left rank below the others. Where points count, a seat does not rank above a seat
/// with more points, or with a larger share of its target. The seats of rank 1 win.
fn check_ranks(fold: &Fold, event: &Value, reason: &str) -> Result<()> {
    let winners = seats(event, "winners")?;
    if WITHOUT_RESULT.contains(&reason) {
        ensure!(winners.is_empty(), "a game without a result has no winner");
        return Ok(());
    }
    let results = list(event, "results")?;
    let points_count = BY_PLAY.contains(&reason) || event["adjudication"] == "as_it_stands";
    let mut first = Vec::new();
    for (result, own) in results.iter().zip(0_u64..) {
        let rank = number(result, "rank")?;
        let mut better = 0;
        for (other, seat) in results.iter().zip(0_u64..) {
            let is_ahead = rank < number(other, "rank")?;
            better += u64::from(number(other, "rank")? < rank);
            let gone = [own, seat].map(|seat| !is_playing(fold, seat));
            let is_fair = match gone {
                [false, true] => is_ahead,
                [false, false] if is_ahead && points_count => {
                    let share = |result: &Value, of: u64| -> Result<i64> {
                        Ok(integer(result, "final_score")? * target(fold, of).unwrap_or(1))
                    };
                    share(result, seat)? >= share(other, own)?
                }
                _ => true,
            };
            ensure!(is_fair, "the rank of seat {own} beside that of seat {seat}");
        }
        ensure!(rank == better + 1, "the rank of seat {own}");
        if rank == 1 {
            first.push(own);
        }
    }
    ensure!(winners == first, "the winners are {first:?}");
    Ok(())
}
