//! The positions that a search of an ending has met, and plays in a form that fits into them.

use crate::alphabet::{Letter, Placed, Tile};
use crate::board::{Board, Direction, Square};
use crate::movegen::{Found, Scored};
use crate::play::Placement;

/// Most tiles of a play that the search considers: no rack is larger.
pub(super) const MAX_LAID: usize = 16;
/// Highest score that the search tells apart: sums of a line stay far below the limit of a number.
const MAX_SCORE: i32 = 1 << 20;
/// Marks the code of a blank.
const BLANK: u8 = 0x80;
/// The depth of a value that a deeper search cannot change.
pub(super) const FINAL: u8 = u8::MAX;

/// A play in few bytes; without tiles it is a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Compact {
    /// Score of the turn in points.
    pub(super) score: i32,
    pub(super) start: Square,
    pub(super) direction: Direction,
    /// Number of tiles laid.
    pub(super) laid: u8,
    /// The tiles laid, in the order of their squares: the letter, and whether it is a blank.
    tiles: [u8; MAX_LAID],
}

impl Compact {
    /// A pass.
    pub(super) const PASS: Self = Self {
        score: 0,
        start: Square::new(0, 0),
        direction: Direction::Across,
        laid: 0,
        tiles: [0; MAX_LAID],
    };

    /// A copy of a play; `None` if it lays more tiles than any rack has.
    pub(super) fn of(found: &Found<'_>) -> Option<Self> {
        let mut play = Self {
            score: found.score.clamp(-MAX_SCORE, MAX_SCORE),
            start: found.start,
            direction: found.direction,
            ..Self::PASS
        };
        for placed in found.tiles.iter().flatten() {
            let code = placed.letter.number() | if placed.tile.is_blank() { BLANK } else { 0 };
            *play.tiles.get_mut(usize::from(play.laid))? = code;
            play.laid += 1;
        }
        Some(play)
    }

    /// A number of the play, without its score.
    pub(super) fn entry(&self) -> usize {
        let place = u64::from(self.start.row) << 16 | u64::from(self.start.col) << 8;
        let first = place | u64::from(self.direction == Direction::Down);
        let code = |from: usize| {
            self.tiles[from..from + 8]
                .iter()
                .fold(0, |sum, tile| sum << 8 | u64::from(*tile))
        };
        let number = mix(first ^ mix(code(0)) ^ code(8));
        usize::try_from(number >> 40).unwrap_or(0)
    }

    pub(super) const fn is_pass(&self) -> bool {
        self.laid == 0
    }

    /// The tiles laid.
    pub(super) fn tiles(&self) -> impl Iterator<Item = Placed> + use<> {
        let laid = usize::from(self.laid);
        self.tiles.into_iter().take(laid).filter_map(|code| {
            let letter = Letter::from_number(code & !BLANK)?;
            Some(match code & BLANK {
                0 => Placed::new(letter),
                _ => Placed::blank(letter),
            })
        })
    }

    /// The empty squares of the board on which the tiles come, with the tiles.
    pub(super) fn squares(&self, board: &Board) -> [Option<(Square, Placed)>; MAX_LAID] {
        let mut squares = [None; MAX_LAID];
        let mut at = self.start;
        for (entry, placed) in squares.iter_mut().zip(self.tiles()) {
            while board.get(at).is_some() {
                at = at.ahead(self.direction, 1);
            }
            *entry = Some((at, placed));
            at = at.ahead(self.direction, 1);
        }
        squares
    }

    /// The play as others read it; `None` for a pass.
    pub(super) fn scored(&self, board: &Board) -> Option<Scored> {
        let laid = self.squares(board);
        let last = laid.iter().flatten().last()?.0;
        let mut end = last.ahead(self.direction, 1);
        while board.get(end).is_some() {
            end = end.ahead(self.direction, 1);
        }
        let mut tiles = Vec::new();
        let mut at = self.start;
        while at != end {
            let placed = laid.iter().flatten().find(|(square, _)| *square == at);
            tiles.push(placed.map(|(_, placed)| *placed));
            at = at.ahead(self.direction, 1);
        }
        Some(Scored {
            placement: Placement {
                start: self.start,
                direction: self.direction,
                tiles,
            },
            score: self.score,
        })
    }
}

/// How a value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true value is no less.
    Lower,
    /// It is no greater.
    Upper,
    /// It is this one.
    Exact,
}

/// A position that was searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    key: u64,
    /// The points that the side on turn still gains over the other.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// How many turns deep; [`FINAL`] if no line was cut short.
    pub(super) depth: u8,
    pub(super) best: Compact,
}

/// The positions that were searched, by their keys. A newer one takes the place of an older one.
#[derive(Debug)]
pub(super) struct Table(Vec<Known>);

impl Table {
    /// A table for this number of positions, a power of two.
    pub(super) fn new(size: usize) -> Self {
        let none = Known {
            key: 0,
            value: 0,
            bound: Bound::Exact,
            depth: 0,
            best: Compact::PASS,
        };
        Self(vec![none; size.next_power_of_two()])
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|known| known.key = 0);
    }

    /// The position with this key, if it is still known.
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let known = self.0[self.slot(key)];
        (known.key == key && key != 0).then_some(known)
    }

    pub(super) fn put(&mut self, key: u64, value: i32, bound: Bound, depth: u8, best: Compact) {
        let slot = self.slot(key);
        self.0[slot] = Known {
            key,
            value,
            bound,
            depth,
            best,
        };
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.0.len() - 1;
        usize::try_from(key >> 32).unwrap_or(0) & mask
    }
}

/// The part of a key for a tile on a square.
pub(super) fn tile_key(square: Square, placed: Placed) -> u64 {
    let blank = u64::from(placed.tile.is_blank());
    let square = u64::from(square.row) << 8 | u64::from(square.col);
    mix(square << 16 | blank << 8 | u64::from(placed.letter.number()))
}

/// The part of a key for the `nth` tile of its kind that a side has laid.
pub(super) fn laid_key(side: usize, tile: Tile, nth: u8) -> u64 {
    let side = u64::from(side == 1);
    mix(1 << 40 | side << 24 | u64::from(nth) << 8 | u64::from(tile.draw_rank()))
}

/// Spreads a number over 64 bits (the finish of `SplitMix64`, Steele, Lea and Flood 2014).
pub(super) const fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}
