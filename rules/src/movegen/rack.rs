//! The tiles of a rack, counted by letter.

use crate::alphabet::{Letter, Placed, Tile};
use crate::ruleset::RuleSet;

use super::cells::MAX_LETTER;

/// Entries of a table by letter number.
pub(super) const LETTERS: usize = MAX_LETTER as usize + 1;

/// The remaining tiles of a rack while tiles are being laid.
#[derive(Clone, Debug)]
pub(super) struct Left {
    /// Tiles that show the letter.
    pub(super) counts: [u8; LETTERS],
    /// Letters that a remaining tile shows (bit n = letter n).
    pub(super) shown: u64,
    pub(super) blanks: u8,
}

/// The tile that a letter was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Shown,
    Blank,
}

impl Left {
    /// Takes a tile for a letter, or a blank if no tile shows the letter; one of them must be left.
    #[inline]
    pub(super) fn take(&mut self, letter: usize) -> Source {
        if self.counts[letter] == 0 {
            self.blanks -= 1;
            return Source::Blank;
        }
        self.counts[letter] -= 1;
        self.shown &= !(u64::from(self.counts[letter] == 0) << letter);
        Source::Shown
    }

    #[inline]
    pub(super) fn put_back(&mut self, letter: usize, source: Source) {
        match source {
            Source::Blank => self.blanks += 1,
            Source::Shown => {
                self.counts[letter] += 1;
                self.shown |= 1 << letter;
            }
        }
    }
}

/// A rack: its tiles, their possible letters and their values.
#[derive(Clone, Debug)]
pub(super) struct Rack {
    pub(super) tiles: Left,
    /// Letters that can be laid, as themselves or by a blank.
    pub(super) letters: u64,
    /// Value of each letter's tile.
    pub(super) points: [i32; LETTERS],
    /// Number of tiles that can be laid.
    pub(super) len: usize,
    /// Each letter's tile on the board.
    pub(super) faces: [Option<Placed>; LETTERS],
}

impl Rack {
    pub(super) fn new() -> Self {
        let mut faces = [None; LETTERS];
        for (number, face) in (0..).zip(&mut faces) {
            *face = Letter::from_number(number).map(Placed::new);
        }
        Self {
            tiles: Left {
                counts: [0; LETTERS],
                shown: 0,
                blanks: 0,
            },
            letters: 0,
            points: [0; LETTERS],
            len: 0,
            faces,
        }
    }

    /// Counts the tiles; leaves out tiles that the rule set or the graph does not have.
    pub(super) fn read(&mut self, rules: &RuleSet, rack: &[Tile]) {
        self.tiles = Left {
            counts: [0; LETTERS],
            shown: 0,
            blanks: 0,
        };
        self.len = 0;
        for tile in rack {
            if let Some(letter) = tile.letter() {
                let number = usize::from(letter.number());
                if number >= LETTERS || !rules.tiles.has_letter(letter) {
                    continue;
                }
                let count = &mut self.tiles.counts[number];
                *count = count.saturating_add(1);
                self.tiles.shown |= 1 << number;
            } else {
                self.tiles.blanks = self.tiles.blanks.saturating_add(1);
            }
            self.len += 1;
        }
        self.letters = self.tiles.shown;
        for letter in rules.tiles.letters() {
            let number = usize::from(letter.number());
            if number < LETTERS {
                self.points[number] = rules.tiles.value(Tile::of(letter));
                if self.tiles.blanks > 0 {
                    self.letters |= 1 << number;
                }
            }
        }
    }

    /// Makes every letter worth nothing.
    pub(super) fn forget_points(&mut self) {
        self.points.fill(0);
    }

    /// Letters that the remaining tiles can be laid as.
    #[inline]
    pub(super) fn can(&self, left: &Left) -> u64 {
        if left.blanks > 0 {
            self.letters
        } else {
            left.shown
        }
    }
}
