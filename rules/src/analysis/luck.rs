//! The luck of a draw: what the best turn with the rack is worth above the mean over racks that could have been drawn.

use crate::alphabet::Tile;
use crate::analysis::{Centipoints, Seen};
use crate::tiles::without;

use super::engine::Engine;
use super::sample::seed;

impl Engine {
    /// The value of the best turn less its mean over racks that have the same tiles from before, in hundredths of a point. `None` if
    /// nothing was drawn.
    pub(super) fn luck(
        &mut self,
        seen: &Seen<'_>,
        kept: &[Tile],
        best: Centipoints,
        (racks, number): (u32, u64),
    ) -> Option<Centipoints> {
        let drawn = without(seen.rack, kept)?.len();
        if drawn == 0 {
            return None;
        }
        let mut pool = seen.unseen();
        pool.extend(without(seen.rack, kept)?);
        crate::tiles::sort_for_mixing(&mut pool);
        let mut stream = seed(number).stream("luck");
        let mut sum = 0_i64;
        for _ in 0..racks {
            stream.shuffle(&mut pool);
            let rack: Vec<Tile> = kept.iter().chain(&pool[..drawn]).copied().collect();
            let other = Seen {
                rack: &rack,
                ..seen.clone()
            };
            let found = self.list(&other, 1);
            sum += found.first().map_or(0, |turn| i64::from(turn.equity));
        }
        let mean = sum / i64::from(racks.max(1));
        Centipoints::try_from(i64::from(best) - mean).ok()
    }
}
