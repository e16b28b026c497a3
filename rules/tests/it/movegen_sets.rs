//! Rule sets, racks and lists of words for the tests of the move generator.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewire_rules::alphabet::{Letter, LetterSpec, Tile, TileSet};
use tilewire_rules::board::{Layout, Square};
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::ruleset::{Bingo, MAX_RACK_SIZE, RuleSet};

use crate::movegen_oracle::Words;
use crate::support::{Chance, rule_set};

impl Chance {
    /// Tiles as they come out of a full bag, with blanks more often than there.
    pub(crate) fn rack_with_blanks(&mut self, rules: &RuleSet, len: usize) -> Vec<Tile> {
        let mut all = rules.tiles.all();
        (0..len)
            .map(|_| match self.below(12) {
                0 => Tile::BLANK,
                _ => all.swap_remove(self.below(all.len())),
            })
            .collect()
    }
}

/// Forty letters, more than the narrow form of the graph holds.
fn forty_letters() -> Arc<RuleSet> {
    let letters = (0..40_i32).map(|number| LetterSpec {
        face: format!("X{}", char::from_u32(0x41 + number as u32 % 26).unwrap())
            .repeat(1 + number as usize / 26),
        count: 3,
        value: number % 9,
    });
    Arc::new(RuleSet {
        tiles: TileSet::new(letters.collect(), 4).unwrap(),
        rack_size: 8,
        ..RuleSet::clone(&RuleSet::classic())
    })
}

/// The largest board, the largest rack, and a bonus for almost everything.
fn largest() -> Arc<RuleSet> {
    let row: String = ".'\"^-=~.....".chars().cycle().take(26).collect();
    let rows: Vec<&str> = vec![&row; 26];
    let bingo = (3..=16).map(|tiles| Bingo {
        tiles,
        bonus: 10 * i32::from(tiles),
    });
    Arc::new(RuleSet {
        layout: Layout::parse(26, 26, Square::new(25, 0), &rows.join("\n")).unwrap(),
        rack_size: MAX_RACK_SIZE,
        bingo: bingo.collect(),
        ..RuleSet::clone(&RuleSet::classic())
    })
}

/// Points and factors whose products do not fit the numbers they are counted in.
fn overflowing() -> Arc<RuleSet> {
    let small = rule_set("digraphs");
    let letters = small.tiles.letters().map(|letter| LetterSpec {
        face: small.tiles.face(letter).to_owned(),
        count: 4,
        value: i32::from(letter.number()) * 1_000_003,
    });
    Arc::new(RuleSet {
        layout: Layout::parse(
            9,
            26,
            Square::new(4, 4),
            &vec!["~".repeat(26); 9].join("\n"),
        )
        .unwrap(),
        tiles: TileSet::new(letters.collect(), 3).unwrap(),
        ..RuleSet::clone(&small)
    })
}

/// Every built-in rule set, and some made for these tests.
pub(crate) fn rule_sets() -> Vec<Arc<RuleSet>> {
    let mut rules = RuleSet::builtins().to_vec();
    let more = ["one_tile_opening", "own", "digraphs"];
    rules.extend(more.map(rule_set));
    rules.extend([forty_letters(), largest(), overflowing()]);
    rules
}

/// Words of the language where the letters are the English ones, made-up words otherwise.
pub(crate) fn words_for(rules: &RuleSet, chance: &mut Chance) -> Words {
    let letters: Vec<Letter> = rules.tiles.letters().collect();
    let mut words = BTreeSet::new();
    if rules.tiles.letters().len() == 26 {
        let mut english = Vec::new();
        FstLexicon::builtin().for_each(|word| english.push(word.to_vec()));
        let short: Vec<_> = english.iter().filter(|w| w.len() < 5).cloned().collect();
        for _ in 0..80 {
            words.insert(chance.pick(&short).clone());
            words.insert(chance.pick(&english).clone());
        }
    } else {
        // A few letters only, so that words cross.
        let few: Vec<Letter> = (0..7).map(|_| *chance.pick(&letters)).collect();
        for _ in 0..160 {
            let len = 2 + chance.below(3) + chance.below(3);
            words.insert((0..len).map(|_| *chance.pick(&few)).collect());
        }
    }
    Words(words)
}
