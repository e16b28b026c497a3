//! The final account of a game, worked out again.

use tilewire_protocol::{EndReason, GameResult};
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
        let better = ended.results.iter();
        let better = better.filter(|other| other.rank < result.rank).count();
        ensure(usize::from(result.rank) == better + 1, || {
            format!("the rank of seat {}", result.seat)
        })?;
    }
    if counts_by_points(ended.reason) {
        let best = ended.results.iter().map(|result| result.final_score).max();
        let is_best = |seat: &u8| {
            let result = ended.results.get(usize::from(*seat));
            result.is_some_and(|result| Some(result.final_score) == best)
        };
        ensure(
            !ended.winners.is_empty() && ended.winners.iter().all(is_best),
            || format!("{:?} cannot have won", ended.winners),
        )?;
    }
    Ok(())
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
