//! Tiles with names that are independent of their faces, and a lexicon that contains every word.

use std::cell::RefCell;

use tilewire_oracle::chance::Chance;
use tilewire_rules::alphabet::{Letter, Tile};
use tilewire_rules::game::Shuffler;
use tilewire_rules::lexicon::Lexicon;

/// Every word is good.
pub(crate) struct AllGood;

impl Lexicon for AllGood {
    fn name(&self) -> &'static str {
        "all"
    }
    fn hash(&self) -> &[u8; 32] {
        &[1; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, _word: &[Letter]) -> bool {
        true
    }
}

/// Tiles with names: their places, independent of their faces.
pub(crate) struct Tokens {
    pub(crate) faces: Vec<Tile>,
    pub(crate) chance: RefCell<Chance>,
    pub(crate) bag: RefCell<Vec<usize>>,
    /// The tiles of the running exchange.
    pub(crate) laid: RefCell<Vec<usize>>,
    /// The bag after the shuffle.
    pub(crate) order: RefCell<Vec<usize>>,
    pub(crate) racks: RefCell<Vec<Vec<usize>>>,
}

impl Shuffler for Tokens {
    fn shuffle(&self, _label: &str, tiles: &mut [Tile]) {
        // Tiles drawn in the same step are removed from the front.
        let laid = self.laid.borrow();
        let bag = self.bag.borrow();
        let drawn = bag.len() + laid.len() - tiles.len();
        let mut order = [&bag[drawn..], &laid[..]].concat();
        let mut chance = self.chance.borrow_mut();
        for at in (1..order.len()).rev() {
            order.swap(at, chance.index(at + 1));
        }
        let faces: Vec<Tile> = order.iter().map(|token| self.faces[*token]).collect();
        tiles.copy_from_slice(&faces);
        self.order.replace(order);
    }
}
