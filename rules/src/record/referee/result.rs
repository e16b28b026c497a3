//! The result of a game: points, ranks and winners follow from the last state.

use crate::alphabet::Tile;
use crate::event::{EndReason, Ended};
use crate::record::report::{Code, Report};
use crate::state::State;
use crate::time::Seat;

/// Compares the result with the one that follows from the game.
pub(in crate::record) fn check_result(
    report: &mut Report,
    line: usize,
    state: &State,
    ended: &Ended,
) {
    if ended.clocks.main_ms.len() != state.seats().len() {
        return; // The fold refuses such an end.
    }
    let is_possible =
        |seat: Seat| ended.reason == EndReason::Aborted && seat.index() < state.seats().len();
    if ended.aborter.is_some_and(|seat| !is_possible(seat)) {
        report.error(
            line,
            Code::Result,
            "no player of the game can have aborted it",
        );
    }
    let expected = match ended.adjudication {
        Some(adjudication) => state.adjudicated(adjudication, &ended.clocks),
        None => state.result(ended.reason, &ended.clocks),
    };
    for (own, right) in ended.results.iter().zip(&expected.results) {
        let seat = right.seat;
        let sorted = |rack: &[Tile]| {
            let mut rack = rack.to_vec();
            rack.sort_unstable();
            rack
        };
        if own.seat != seat {
            report.error(
                line,
                Code::Result,
                "the results are not in the order of the seats",
            );
            return;
        }
        if sorted(&own.rack) != sorted(&right.rack) {
            report.error(line, Code::Result, format!("{seat} held other tiles"));
        }
        for (what, own, right) in [
            ("points before the end", own.score, right.score),
            (
                "points for unplayed tiles",
                own.rack_points,
                right.rack_points,
            ),
            ("points lost for time", own.time_penalty, right.time_penalty),
            ("points in the end", own.final_score, right.final_score),
            ("as rank", i32::from(own.rank), i32::from(right.rank)),
        ] {
            if own != right {
                report.error(
                    line,
                    Code::Result,
                    format!("{seat} has {right} {what}, not {own}"),
                );
            }
        }
    }
    if ended.winners != expected.winners {
        report.error(
            line,
            Code::Result,
            "the winners are not those of the highest rank",
        );
    }
}
