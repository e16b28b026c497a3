//! The final account of a game, worked out again.

use tilewire_protocol::{EndReason, GameResult, SeatResult};
use tilewire_rules::alphabet::Tile;

use super::replay::{Replay, ensure};

/// Checks a result.
///
/// # Errors
/// The first thing that is not as counted.
pub(super) fn check(replay: &Replay<'_>, ended: &GameResult) -> Result<(), String> {
    ensure(ended.results.len() == replay.scores.len(), || {
        "a result for each seat".to_owned()
    })?;
    let mut values = Vec::new();
    for (result, known) in ended.results.iter().zip(&replay.racks) {
        let tiles = &replay.rules.tiles;
        let faces = result.rack.iter();
        let rack: Option<Vec<Tile>> = faces.map(|face| tiles.parse_tile(face)).collect();
        let rack = rack.ok_or("an unknown tile is left")?;
        if let Some(known) = known {
            ensure(sorted(known) == sorted(&rack), || {
                format!("seat {} does not hold the rack that is shown", result.seat)
            })?;
        }
        values.push(tiles.sum(&rack));
    }
    let everything: i32 = values.iter().sum();
    for ((result, value), score) in ended.results.iter().zip(&values).zip(&replay.scores) {
        let counts = matches!(
            ended.reason,
            EndReason::OutPlay | EndReason::ScorelessTurns | EndReason::Passes | EndReason::TurnCap
        );
        let expected = match ended.reason {
            EndReason::OutPlay if result.rack.is_empty() => everything,
            _ if counts => -value,
            _ => 0,
        };
        ensure(
            result.score == *score
                && result.rack_points == expected
                && result.time_penalty <= 0
                && result.final_score == score + expected + result.time_penalty,
            || {
                format!(
                    "the account of seat {}: counted {score}{expected:+}",
                    result.seat
                )
            },
        )?;
    }
    ensure(
        ended.reason != EndReason::OutPlay
            || ended.results.iter().any(|result| result.rack.is_empty()),
        || "nobody went out".to_owned(),
    )?;
    ranks(replay, ended)
}

/// Who has left ranks below who has not, and of those fewer points never rank higher where points count (R-TIE); the
/// first rank wins.
fn ranks(replay: &Replay<'_>, ended: &GameResult) -> Result<(), String> {
    if matches!(ended.reason, EndReason::Aborted | EndReason::Cancelled) {
        return ensure(ended.winners.is_empty(), || {
            "nobody can have won".to_owned()
        });
    }
    for result in &ended.results {
        let better = ended.results.iter();
        let better = better.filter(|other| other.rank < result.rank).count();
        ensure(usize::from(result.rank) == better + 1, || {
            format!("the rank of seat {}", result.seat)
        })?;
        let is_fair = |other: &SeatResult| {
            let gone = [result, other].map(|result| replay.sheet.is_retired(result.seat));
            match gone {
                [false, true] => result.rank < other.rank,
                [false, false] if result.rank < other.rank => {
                    !counts_by_points(ended.reason) || result.final_score >= other.final_score
                }
                _ => true,
            }
        };
        ensure(ended.results.iter().all(is_fair), || {
            format!("the rank of seat {} beside the others", result.seat)
        })?;
    }
    let first = ended.results.iter().filter(|result| result.rank == 1);
    let first: Vec<u8> = first.map(|result| result.seat).collect();
    ensure(ended.winners == first, || {
        format!("{:?} have won, not {first:?}", ended.winners)
    })
}

/// Whether the most points win.
const fn counts_by_points(reason: EndReason) -> bool {
    matches!(
        reason,
        EndReason::OutPlay | EndReason::ScorelessTurns | EndReason::Passes | EndReason::TurnCap
    )
}

fn sorted(rack: &[Tile]) -> Vec<u8> {
    let mut ranks: Vec<u8> = rack.iter().map(|tile| tile.sort_rank()).collect();
    ranks.sort_unstable();
    ranks
}
