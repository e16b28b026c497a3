//! The premium squares of a layout by lane, and whether all scores fit 32 bits.

use crate::board::{Direction, Layout};
use crate::ruleset::RuleSet;

use super::grid::Grid;
use super::lane::{LANE, Worth, square};

/// The premiums of the last layout.
#[derive(Debug, Default)]
pub(super) struct Premiums {
    layout: Option<Layout>,
    /// Every row, then every column, as [`Grid::lanes`] counts them.
    lanes: Vec<[Worth; LANE]>,
    /// Highest factor for a letter, for a word on one square, and for a word along a lane.
    factors: [i64; 3],
}

impl Premiums {
    /// Reads a layout for a board of the grid's size, unless it is the last one.
    pub(super) fn read(&mut self, layout: &Layout, grid: &Grid) {
        if self.layout.as_ref() == Some(layout) && self.lanes.len() == grid.lanes().count() {
            return;
        }
        self.lanes.clear();
        self.factors = [1; 3];
        for (direction, number) in grid.lanes() {
            let mut lane = [Worth::PLAIN; LANE];
            let mut product = 1_i64;
            let len = grid.view(direction, number).len;
            for (at, worth) in lane.iter_mut().enumerate().take(len) {
                let premium = layout.premium(square(direction, number, at));
                worth.letter = premium.letter_factor();
                worth.word = premium.word_factor();
                product = product.saturating_mul(worth.word.into());
                self.factors[0] = self.factors[0].max(worth.letter.into());
                self.factors[1] = self.factors[1].max(worth.word.into());
            }
            self.factors[2] = self.factors[2].max(product);
            self.lanes.push(lane);
        }
        self.layout = Some(layout.clone());
    }

    /// Makes every square a plain one, until the next layout is read.
    pub(super) fn forget(&mut self) {
        self.layout = None;
        self.lanes.fill([Worth::PLAIN; LANE]);
    }

    /// The factors of a lane's squares for the main word.
    pub(super) fn lane(&self, index: usize) -> &[Worth; LANE] {
        &self.lanes[index]
    }

    /// Whether every sum and product of points on the way to a score fits 32 bits.
    pub(super) fn is_small(&self, rules: &RuleSet) -> bool {
        const SIDE: i64 = LANE as i64;
        let values = rules.tiles.letters();
        let highest = values.map(|letter| rules.tiles.value(crate::alphabet::Tile::of(letter)));
        let bonus = rules.bingo.iter().map(|bingo| bingo.bonus).max();
        let [letter, word, lane] = self.factors;
        // A word's letters, and then the main word with a crossing word on every square.
        let letters = i64::from(highest.max().unwrap_or(0)).saturating_mul(SIDE * letter);
        let words = lane.saturating_add(SIDE * word);
        let most = letters.saturating_mul(words);
        most.saturating_add(bonus.unwrap_or(0).into()) < i64::from(i32::MAX)
    }
}

impl Worth {
    /// A square without a premium and without neighbours.
    pub(super) const PLAIN: Self = Self {
        letter: 1,
        word: 1,
        crossing: 0,
        beside: 0,
    };
}

/// The lane of a direction that a square lies in, and where in it.
pub(super) const fn lane_of(direction: Direction, square: crate::board::Square) -> (u8, u8) {
    match direction {
        Direction::Across => (square.row, square.col),
        Direction::Down => (square.col, square.row),
    }
}
