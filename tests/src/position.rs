//! Positions of games in the types of the rules, for tests that search plays.

use std::sync::Arc;

use serde_json::{Map, Value};
use tilewire_oracle::Fold;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;
use tilewire_rules::notation;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;

/// Returns the board of a game by the classic rules.
///
/// # Panics
/// When a tile of the game is not in its set.
#[must_use]
pub fn board_of(fold: &Fold) -> Board {
    let rules = rules_of(fold);
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    for (square, face) in &fold.board {
        let placed = rules.tiles.parse_placed(face).expect("a known face");
        board.place(square.parse().expect("a square"), placed);
    }
    board
}

/// Returns the rack of the player whose knowledge this is.
///
/// # Panics
/// When a tile is not in the set of the game.
#[must_use]
pub fn rack_of(fold: &Fold) -> Vec<Tile> {
    let rules = rules_of(fold);
    let tiles = fold.rack().iter().map(|face| rules.tiles.parse_tile(face));
    tiles.map(|tile| tile.expect("a known face")).collect()
}

/// Returns the scores by seat.
#[must_use]
pub fn scores_of(fold: &Fold) -> Vec<i64> {
    fold.seats.iter().map(|seat| seat.score).collect()
}

/// Returns the window of the last play as long as a seat can still challenge it: when all seats have accepted, it
/// closes with the next event.
#[must_use]
pub fn open_window(fold: &Fold) -> Option<&Map<String, Value>> {
    let window = fold.window.as_ref()?;
    let count = |field: &str| window[field].as_array().map_or(0, Vec::len);
    (count("accepted") < count("eligible")).then_some(window)
}

/// The classic rules with the tiles of the game's language.
fn rules_of(fold: &Fold) -> Arc<RuleSet> {
    let language = fold.setup["rule_set"]["language"].as_str();
    let rules = RuleSet::classic().in_language(language.unwrap_or("english"));
    Arc::new(rules.expect("a language of the classic rules"))
}

/// Returns a play as a person types it: `8F HORN`.
#[must_use]
pub fn typed(play: &Play) -> String {
    notation::format(&play.placement(), &RuleSet::classic().tiles)
}

/// Returns tiles as a person types them: `AEI?`.
#[must_use]
pub fn typed_tiles(tiles: &[Tile]) -> String {
    notation::format_rack(tiles, &RuleSet::classic().tiles)
}

/// Returns the unsigned integer in a field.
///
/// # Panics
/// When the field has another type or is missing.
#[must_use]
pub fn number(event: &Value, field: &str) -> u64 {
    tilewire_oracle::number(event, field).expect("a number")
}

/// Returns a seat as an index.
pub(crate) fn index(seat: u64) -> usize {
    usize::try_from(seat).expect("a seat is small")
}
