//! Rule sets and small readers shared by the tests.

use std::sync::Arc;

use proptest::test_runner::{Config, RngSeed};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::{Bingo, RuleSet};

pub(crate) const CLASSIC: &str = include_str!("../../data/classic.toml");
pub(crate) const SUPER: &str = include_str!("../data/super.toml");
pub(crate) const DIGRAPHS: &str = include_str!("../data/digraphs.toml");

/// A rule set by the name the test data uses.
pub(crate) fn rule_set(name: &str) -> Arc<RuleSet> {
    let classic = RuleSet::clone(&RuleSet::classic());
    let flat_bonus = |tiles| Bingo { tiles, bonus: 50 };
    Arc::new(match name {
        "classic" => classic,
        "nine_tile" => RuleSet {
            rack_size: 9,
            bingo: vec![flat_bonus(7), flat_bonus(8), flat_bonus(9)],
            ..classic
        },
        "one_tile_opening" => RuleSet {
            opening_min_tiles: 1,
            ..classic
        },
        "super" => RuleSet::parse(SUPER, "super.toml").unwrap(),
        "digraphs" => RuleSet::parse(DIGRAPHS, "digraphs.toml").unwrap(),
        other => panic!("unknown rule set {other}"),
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

/// So many random cases, the same ones in every run; `PROPTEST_CASES` asks for another number, and then for new ones.
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
