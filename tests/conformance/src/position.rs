//! Positions of games in the types of the rules, for tests that search plays.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};
use tilewire_oracle::Fold;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;
use tilewire_rules::notation;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;

/// Returns the board of a game by the classic rules.
///
/// # Errors
/// When a tile of the game is not in its set.
pub fn board_of(fold: &Fold) -> Result<Board> {
    let rules = rules_of(fold)?;
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    for (square, face) in &fold.board {
        let square = square.parse().ok().context("a square")?;
        let placed = rules.tiles.parse_placed(face).context("a known face")?;
        board.place(square, placed);
    }
    Ok(board)
}

/// Returns the rack of the player whose knowledge this is.
///
/// # Errors
/// When a tile is not in the set of the game.
pub fn rack_of(fold: &Fold) -> Result<Vec<Tile>> {
    let rules = rules_of(fold)?;
    let tiles = fold.rack().iter().map(|face| rules.tiles.parse_tile(face));
    tiles.collect::<Option<_>>().context("known faces")
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
fn rules_of(fold: &Fold) -> Result<Arc<RuleSet>> {
    let language = fold.setup["rule_set"]["language"].as_str();
    let rules = RuleSet::classic().in_language(language.unwrap_or("english"));
    rules
        .map(Arc::new)
        .context("a language of the classic rules")
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
///
/// # Panics
/// When there are not so many seats.
#[must_use]
pub fn index(seat: u64) -> usize {
    usize::try_from(seat).expect("a seat is small")
}
