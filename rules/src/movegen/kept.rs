//! The values of everything that a rack can keep.

use crate::alphabet::Tile;
use crate::ruleset::RuleSet;

use super::Found;
use super::rack::LETTERS;

/// Hundredths of a point in a point.
pub(super) const POINT: i64 = 100;

/// A kind of tile on a rack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) tile: Tile,
    pub(crate) count: usize,
    /// The part of one tile of this kind in the number of a choice of tiles.
    pub(crate) step: usize,
}

/// The value of every leave of a rack, in hundredths of a point.
///
/// A choice of tiles has a number in mixed radix: each kind of tile is a digit. So what is laid and what is kept add up to the highest
/// number.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Different tiles in the order of the alphabet.
    pub(crate) kinds: Vec<Kind>,
    /// The value of the tiles that stay, by the number of the tiles laid.
    pub(crate) values: Vec<i32>,
    /// The number of the tiles laid, and their points, by choice.
    pub(crate) counts: Vec<i32>,
    pub(super) points: Vec<i32>,
    /// Steps by number of the letter, the blank's first.
    steps: [u32; LETTERS],
}

impl Kept {
    pub(super) const fn new() -> Self {
        Self {
            kinds: Vec::new(),
            values: Vec::new(),
            counts: Vec::new(),
            points: Vec::new(),
            steps: [0; LETTERS],
        }
    }

    /// Reads a rack; its leaves have no value.
    pub(crate) fn read(&mut self, rules: &RuleSet, rack: &[Tile]) {
        self.kinds.clear();
        for tile in rack {
            let at = self.kinds.partition_point(|kind| kind.tile < *tile);
            match self.kinds.get_mut(at) {
                Some(kind) if kind.tile == *tile => kind.count += 1,
                _ => self.kinds.insert(
                    at,
                    Kind {
                        tile: *tile,
                        count: 1,
                        step: 0,
                    },
                ),
            }
        }
        self.steps = [0; LETTERS];
        let mut step = 1;
        for kind in &mut self.kinds {
            if let Some(entry) = self.steps.get_mut(number(kind.tile)) {
                *entry = u32::try_from(step).unwrap_or(u32::MAX);
            }
            kind.step = step;
            step *= kind.count + 1;
        }
        sums(&self.kinds, &mut self.counts, |_| 1);
        sums(&self.kinds, &mut self.points, |tile| {
            rules.tiles.value(tile)
        });
        self.values.clear();
        self.values.resize(step, 0);
    }

    /// The tiles of a choice.
    pub(crate) fn tiles(&self, mut choice: usize) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for kind in &self.kinds {
            let radix = kind.count + 1;
            tiles.extend(std::iter::repeat_n(kind.tile, choice % radix));
            choice /= radix;
        }
        tiles
    }

    /// Score and leave of a play, in hundredths of a point.
    pub(crate) fn worth(&self, found: &Found<'_>) -> i64 {
        let steps = found.laid_tiles().map(|tile| {
            let step = self.steps.get(number(tile));
            step.copied().unwrap_or(0) as usize
        });
        let value = self.values.get(steps.sum::<usize>());
        i64::from(found.score) * POINT + i64::from(value.copied().unwrap_or(0))
    }
}

/// Sums a value of tiles for every choice.
fn sums(kinds: &[Kind], sums: &mut Vec<i32>, of: impl Fn(Tile) -> i32) {
    sums.clear();
    sums.push(0);
    for kind in kinds {
        let value = of(kind.tile);
        for at in 0..kind.step * kind.count {
            sums.push(sums[at].saturating_add(value));
        }
    }
}

fn number(tile: Tile) -> usize {
    tile.letter()
        .map_or(0, |letter| usize::from(letter.number()))
}
