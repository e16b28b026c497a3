//! Rule sets and small readers shared by the tests.

use std::sync::Arc;

use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::{Seed, Stream};

/// Random numbers from a seed.
pub(crate) struct Chance(pub(crate) Stream);

impl Chance {
    pub(crate) fn new(seed: u64, label: &str) -> Self {
        Self(Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream(label))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.uniform(u32::try_from(n).unwrap()) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A rule set that is complete in one file, tiles included, as an operator can write it.
pub(crate) const OWN: &str = include_str!("../data/own.toml");
const DIGRAPHS: &str = include_str!("../data/digraphs.toml");
const TINY: &str = include_str!("../data/tiny.toml");

/// A file of the crate's data.
macro_rules! data {
    ($path:literal) => {
        include_str!(concat!("../../data/", $path, ".toml"))
    };
}

/// A rule set by the name the test data uses: a built-in one with English tiles, or one of the tests' own.
pub(crate) fn rule_set(name: &str) -> Arc<RuleSet> {
    match name {
        "one_tile_opening" => {
            let mut rules = RuleSet::clone(&RuleSet::classic());
            rules.opening_min_tiles = 1;
            Arc::new(rules)
        }
        "own" => Arc::new(RuleSet::parse(OWN, "own.toml").unwrap()),
        "tiny" => Arc::new(RuleSet::parse(TINY, "tiny.toml").unwrap()),
        "digraphs" => Arc::new(RuleSet::parse(DIGRAPHS, "digraphs.toml").unwrap()),
        builtin => {
            RuleSet::builtin(builtin).unwrap_or_else(|| panic!("unknown rule set {builtin}"))
        }
    }
}

/// The same rule set as the oracle reads it: from the file, without the crate's reader.
pub(crate) fn sheet(name: &str) -> Value {
    let classic = data!("rule-sets/classic");
    let english = data!("tiles/english");
    match name {
        "classic" | "one_tile_opening" => read_sheet(classic, classic, english),
        "classic-nine" => read_sheet(data!("rule-sets/classic-nine"), classic, english),
        "super" => read_sheet(
            data!("rule-sets/super"),
            classic,
            data!("tiles/super-english"),
        ),
        "words-with-friends" => read_sheet(
            data!("rule-sets/words-with-friends"),
            classic,
            data!("tiles/words-with-friends-english"),
        ),
        "wordfeud" => read_sheet(
            data!("rule-sets/wordfeud"),
            classic,
            data!("tiles/wordfeud-english"),
        ),
        other => panic!("the oracle does not know {other}"),
    }
}

/// Reads a rule set's file, the file it builds on for the tables that it lacks, and its tiles.
fn read_sheet(own: &str, base: &str, tiles: &str) -> Value {
    let [own, base, tiles]: [toml::Table; 3] = [own, base, tiles].map(|text| text.parse().unwrap());
    let find = |table: &str| own.get(table).unwrap_or_else(|| &base[table]);
    let board = find("board");
    let layout: Vec<&str> = board["layout"].as_str().unwrap().lines().collect();
    let letters = tiles["letters"].as_array().unwrap().iter();
    let tiles =
        letters.map(|entry| json!({ "face": entry[0], "count": entry[1], "value": entry[2] }));
    json!({
        "board": { "start": board["start"], "layout": layout }, "tiles": tiles.collect::<Vec<_>>(),
        "bingo": find("bingo"), "opening_min_tiles": find("opening")["min_tiles"],
    })
}

/// An empty board of a rule set.
pub(crate) fn board(rules: &RuleSet) -> Board {
    Board::new(rules.layout.rows(), rules.layout.cols())
}

/// Reads `N@E1`: a tile and its square.
pub(crate) fn tile_at(rules: &RuleSet, text: &str) -> (Square, Placed) {
    let (face, square) = text.split_once('@').unwrap();
    (
        square.parse().unwrap(),
        rules.tiles.parse_placed(face).unwrap(),
    )
}

/// Reads a rack such as `AEI?`.
pub(crate) fn rack(rules: &RuleSet, text: &str) -> Vec<Tile> {
    notation::parse_rack(text, &rules.tiles).unwrap()
}

/// The tiles a placement needs, as a rack.
pub(crate) fn rack_for(placement: &Placement) -> Vec<Tile> {
    placement.laid().map(|placed| placed.tile).collect()
}

/// Lays a legal play on the board.
pub(crate) fn lay(board: &mut Board, play: &Play) {
    for (square, placed) in play.placed() {
        board.place(*square, *placed);
    }
}

/// Configures this number of random cases, the same in every run; `PROPTEST_CASES` sets another number and new cases.
pub(crate) fn random(cases: u32, seed: u64) -> Config {
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return Config::default();
    }
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    }
}
