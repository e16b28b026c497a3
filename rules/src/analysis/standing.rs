//! The chance to win from a lead, the number of unseen tiles and the side to move.

use crate::analysis::Centipoints;

/// A chance of 1, in the unit of all win chances.
pub const CERTAIN: u16 = 10_000;

/// The variance that an unseen tile adds to the final lead, in points.
const VARIANCE_OF_TILE: u64 = 108;
/// The variance of a last turn, in points.
const VARIANCE_OF_TURN: u64 = 30;
/// The worth of the turn, in points: as much for each unseen tile, up to a limit.
const TEMPO: (i64, i64) = (1, 16);
/// The normal distribution in quarters of its deviation from 0 on, in 1/10,000.
const NORMAL: [i64; 16] = [
    5_000, 5_987, 6_915, 7_734, 8_413, 8_944, 9_332, 9_599, 9_772, 9_878, 9_938, 9_970, 9_987,
    9_994, 9_998, 9_999,
];

/// Returns the chance of a seat with this lead to win, in 1/10,000, while tiles are unseen. `is_on_turn` says whether that seat has
/// the turn.
pub(super) fn chance(lead: Centipoints, unseen: usize, is_on_turn: bool) -> u16 {
    let tiles = i64::try_from(unseen).unwrap_or(i64::MAX);
    let tempo = tiles.saturating_mul(TEMPO.0).min(TEMPO.1) * 100;
    let lead = i64::from(lead) + if is_on_turn { tempo } else { -tempo };
    let of_tiles = VARIANCE_OF_TILE.saturating_mul(tiles.unsigned_abs());
    let variance = of_tiles.saturating_add(VARIANCE_OF_TURN);
    // The deviation in hundredths of a point, then the lead in hundredths of a deviation.
    let deviation = i64::try_from(variance.saturating_mul(10_000).isqrt()).unwrap_or(i64::MAX);
    let distance = lead.saturating_mul(100) / deviation.max(1);
    let normal = normal(distance.abs());
    let chance = if distance < 0 {
        i64::from(CERTAIN) - normal
    } else {
        normal
    };
    u16::try_from(chance).unwrap_or(CERTAIN)
}

/// Returns the chance to win with this lead at the end of a game, in 1/10,000; a tie is half a win.
#[must_use]
pub const fn decided(lead: i32) -> u16 {
    match lead {
        0 => CERTAIN / 2,
        1.. => CERTAIN,
        _ => 0,
    }
}

/// The normal distribution at a positive distance in hundredths of its deviation.
fn normal(distance: i64) -> i64 {
    let (cell, rest) = (distance / 25, distance % 25);
    let at = |cell: i64| {
        let index = usize::try_from(cell).unwrap_or(usize::MAX);
        NORMAL[index.min(NORMAL.len() - 1)]
    };
    at(cell) + (at(cell + 1) - at(cell)) * rest / 25
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_lead_wins_more_often_and_both_sides_share_the_chance() {
        for unseen in [1, 7, 14, 50, 93, 200] {
            let mut last = 0;
            for lead in (-60_000..=60_000).step_by(500) {
                let own = chance(lead, unseen, true);
                assert!(own >= last, "{lead} {unseen}");
                assert_eq!(own + chance(-lead, unseen, false), CERTAIN);
                last = own;
            }
        }
        assert_eq!(chance(0, 0, false), CERTAIN / 2);
        assert!(chance(3_000, 7, false) > chance(3_000, 80, false));
        assert!(chance(i32::MIN, usize::MAX, false) <= CERTAIN / 2);
        assert_eq!(chance(i32::MIN, 0, true), 1);
    }
}
