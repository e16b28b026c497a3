//! The value of the tiles kept on a rack (the leave): the points they bring later, learned from games of bots against
//! each other ([`crate::bot::train()`]).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::alphabet::{Tile, TileSet};
use crate::movegen::Kept;

/// Hundredths of a point: values are integers, so that every machine computes the same result.
pub type Centipoints = i32;

/// The number of copies of one tile that have separate values; more copies count as this number.
pub(crate) const COPIES: usize = 3;
/// The number of vowels and of consonants that have separate values.
pub(crate) const BALANCE: usize = 7;

/// Values of leaves as a sum over single tiles, pairs of tiles, and the balance of vowels and consonants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaveTable {
    /// Language of the tiles.
    pub language: String,
    /// How the table was learned: games, seed.
    pub made_by: String,
    /// Value of holding one, two, three or more of a tile, by face.
    pub single: BTreeMap<String, [Centipoints; COPIES]>,
    /// Value of holding two different tiles, by both faces with a blank between, in the order of the alphabet.
    pub pair: BTreeMap<String, Centipoints>,
    /// Value by the number of vowels (rows) and consonants (columns).
    pub balance: [[Centipoints; BALANCE]; BALANCE],
}

/// A leave table prepared for a tile set.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// Kinds of tiles: letters by number, the blank is 0.
    kinds: usize,
    single: Vec<[Centipoints; COPIES]>,
    pair: Vec<Centipoints>,
    balance: [[Centipoints; BALANCE]; BALANCE],
    vowel: Vec<bool>,
}

/// Number of a tile: 0 for the blank, else the letter's.
pub(crate) fn kind(tile: Tile) -> usize {
    tile.letter()
        .map_or(0, |letter| usize::from(letter.number()))
}

impl LeaveTable {
    /// Returns the built-in table of a language, if there is one.
    #[must_use]
    pub fn builtin(language: &str) -> Option<&'static Self> {
        static ENGLISH: OnceLock<Option<LeaveTable>> = OnceLock::new();
        let english = ENGLISH.get_or_init(|| {
            let text = include_str!("../../data/leaves/english.toml");
            toml::from_str(text).ok()
        });
        english.as_ref().filter(|table| table.language == language)
    }
}

impl Leaves {
    /// Prepares a table for a tile set.
    #[must_use]
    pub fn new(tiles: &TileSet, table: &LeaveTable) -> Self {
        let mut leaves = Self::empty(tiles);
        for (face, values) in &table.single {
            if let Some(tile) = tiles.parse_tile(face) {
                leaves.single[kind(tile)] = *values;
            }
        }
        for (faces, value) in &table.pair {
            let tile = |face: &str| tiles.parse_tile(face).map(kind);
            if let Some((one, other)) = faces.split_once(' ')
                && let (Some(one), Some(other)) = (tile(one), tile(other))
            {
                leaves.pair[one * leaves.kinds + other] = *value;
                leaves.pair[other * leaves.kinds + one] = *value;
            }
        }
        leaves.balance = table.balance;
        leaves
    }

    /// Returns the values for a tile set: those learned for its language, or rough ones.
    #[must_use]
    pub fn for_tiles(tiles: &TileSet, language: &str) -> Self {
        match LeaveTable::builtin(language) {
            Some(table) => Self::new(tiles, table),
            None => Self::guessed(tiles),
        }
    }

    /// Returns values of 0 for every leave.
    #[must_use]
    pub fn empty(tiles: &TileSet) -> Self {
        let kinds = tiles.letters().len() + 1;
        let vowel = std::iter::once(false)
            .chain(tiles.letters().map(|letter| is_vowel(tiles.face(letter))))
            .collect();
        Self {
            kinds,
            single: vec![[0; COPIES]; kinds],
            pair: vec![0; kinds * kinds],
            balance: [[0; BALANCE]; BALANCE],
            vowel,
        }
    }

    /// Rough values for any language: blanks are valuable, duplicates and an imbalance of vowels and consonants are
    /// bad, and tiles of high value are hard to place.
    pub(crate) fn guessed(tiles: &TileSet) -> Self {
        let mut leaves = Self::empty(tiles);
        leaves.single[0] = [2_500, 4_000, 4_500];
        for letter in tiles.letters() {
            let heavy = (tiles.value(Tile::of(letter)) - 4).max(0) * 60;
            leaves.single[usize::from(letter.number())] = [-heavy, -300 - heavy, -800 - heavy];
        }
        for (vowels, row) in (0..).zip(&mut leaves.balance) {
            for (consonants, value) in (0..).zip(row) {
                let surplus: i32 = vowels * 3 - consonants * 2;
                *value = -(surplus.abs() - 3).max(0) * 60;
            }
        }
        leaves
    }

    /// Lists the features of a leave as indexes into the list of all features.
    pub(crate) fn features(&self, counts: &[u8], mut has: impl FnMut(usize)) {
        let (mut vowels, mut consonants) = (0, 0);
        for (one, count) in counts.iter().enumerate().take(self.kinds) {
            if *count == 0 {
                continue;
            }
            let copies = usize::from(*count).min(COPIES);
            has(one * COPIES + copies - 1);
            for (other, others) in counts.iter().enumerate().take(self.kinds).skip(one + 1) {
                if *others > 0 {
                    has(self.pairs_from() + one * self.kinds + other);
                }
            }
            if one > 0 {
                if self.vowel[one] {
                    vowels += usize::from(*count);
                } else {
                    consonants += usize::from(*count);
                }
            }
        }
        let cell = vowels.min(BALANCE - 1) * BALANCE + consonants.min(BALANCE - 1);
        has(self.balance_from() + cell);
    }

    const fn pairs_from(&self) -> usize {
        self.kinds * COPIES
    }

    const fn balance_from(&self) -> usize {
        self.pairs_from() + self.kinds * self.kinds
    }

    /// How many features there are.
    pub(crate) const fn feature_count(&self) -> usize {
        self.balance_from() + BALANCE * BALANCE
    }

    fn weight(&self, feature: usize) -> Centipoints {
        if feature < self.pairs_from() {
            self.single[feature / COPIES][feature % COPIES]
        } else if feature < self.balance_from() {
            self.pair[feature - self.pairs_from()]
        } else {
            let cell = feature - self.balance_from();
            self.balance[cell / BALANCE][cell % BALANCE]
        }
    }

    /// The value of every feature.
    pub(crate) fn weights(&self) -> Vec<Centipoints> {
        (0..self.feature_count())
            .map(|feature| self.weight(feature))
            .collect()
    }

    /// Returns the value of a leave, given as the number of each kind of tile (the blank first).
    #[must_use]
    pub fn value(&self, counts: &[u8]) -> Centipoints {
        let mut sum = 0;
        self.features(counts, |feature| sum += self.weight(feature));
        sum
    }

    /// Computes the value of every leave of a rack, each from a smaller one.
    pub(crate) fn value_all(&self, kept: &mut Kept) {
        let Kept { kinds, values, .. } = kept;
        values.clear();
        values.push(0);
        // Vowels in the upper byte, consonants in the lower one.
        let mut balances = vec![0_usize];
        let mut beside = Vec::new();
        for (index, one) in kinds.iter().enumerate() {
            let number = kind(one.tile);
            let single = self.single.get(number).copied().unwrap_or_default();
            let counted = match self.vowel.get(number) {
                Some(true) if number > 0 => 1 << 8,
                Some(false) if number > 0 => 1,
                _ => 0,
            };
            beside.clear();
            beside.push(0);
            for other in &kinds[..index] {
                let pair = match number.max(kind(other.tile)) < self.kinds {
                    true => self.pair[number * self.kinds + kind(other.tile)],
                    false => 0,
                };
                for _ in 0..other.count {
                    beside.extend_from_within(beside.len() - other.step..);
                }
                beside[other.step..].iter_mut().for_each(|sum| *sum += pair);
            }
            for copies in 0..one.count {
                let value = single[copies.min(COPIES - 1)];
                for at in 0..one.step {
                    values.push(values[at] + value + beside[at]);
                    balances.push(balances[at] + counted * (copies + 1));
                }
            }
        }
        for (value, balance) in values.iter_mut().zip(balances) {
            let [vowels, consonants] = [balance >> 8, balance & 0xff];
            *value += self.balance[vowels.min(BALANCE - 1)][consonants.min(BALANCE - 1)];
        }
        // Those of the tiles kept, by the number of the tiles laid.
        values.reverse();
    }

    /// Writes learned weights as a table; the inverse of [`Leaves::new`].
    pub(crate) fn table(
        tiles: &TileSet,
        language: &str,
        made_by: String,
        weights: &[Centipoints],
    ) -> LeaveTable {
        let shape = Self::empty(tiles);
        let face = |kind: usize| {
            let number = u8::try_from(kind).unwrap_or(0);
            match crate::alphabet::Letter::from_number(number) {
                None => crate::alphabet::BLANK_FACE,
                Some(letter) => tiles.face(letter),
            }
        };
        let single = (0..shape.kinds).map(|one| {
            let values = std::array::from_fn(|copies| weights[one * COPIES + copies]);
            (face(one).to_owned(), values)
        });
        let pairs =
            (0..shape.kinds).flat_map(|one| (one + 1..shape.kinds).map(move |other| (one, other)));
        let pair = pairs.map(|(one, other)| {
            let value = weights[shape.pairs_from() + one * shape.kinds + other];
            (format!("{} {}", face(one), face(other)), value)
        });
        LeaveTable {
            language: language.to_owned(),
            made_by,
            single: single.collect(),
            pair: pair.filter(|(_, value)| *value != 0).collect(),
            balance: std::array::from_fn(|vowels| {
                std::array::from_fn(|consonants| {
                    weights[shape.balance_from() + vowels * BALANCE + consonants]
                })
            }),
        }
    }
}

/// Whether a face is a vowel; the first character of a longer face decides.
fn is_vowel(face: &str) -> bool {
    let first = face.chars().next();
    first.is_some_and(|c| "AEIOUÄÅÆÖØÜ".contains(c))
}
