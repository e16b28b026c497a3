//! The rules of a game, read from the setup that the server sends.

use std::sync::Arc;

use tilewire_protocol::{
    ChallengeKind as WireKind, EndCounts, GameOptions, RackCount as WireRackCount, RuleSetInfo,
};
use tilewire_rules::alphabet::{BLANK_FACE, LetterSpec, TileSet};
use tilewire_rules::board::{Layout, Square};
use tilewire_rules::choices::{CountedTurns, InactivityRule, TurnLimit};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::{Bingo, Premiums, RackCount, RuleSet};

/// A setup from which no rules can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules of the game cannot be read: {0}")]
pub struct SetupError(String);

/// Reads the rules of a game.
///
/// The setup decides about everything it describes: board, tiles, rack, bonuses, exchanges, first play and unplayed tiles. The rest comes from the
/// built-in rule set with the same id, or from the classic one for an id that is not built in. A setup that describes a
/// built-in rule set exactly gives that rule set itself, which all games share.
///
/// # Errors
/// Returns an error if the board or the tiles of the setup are not well-formed.
pub fn rules_of(info: &RuleSetInfo) -> Result<Arc<RuleSet>, SetupError> {
    let base = RuleSet::builtin(&info.id).unwrap_or_else(RuleSet::classic);
    let mut rules = RuleSet::clone(&base);
    rules.tiles = tiles_of(info)?;
    rules.layout = layout_of(info)?;
    rules.premiums = match info.board.drawn {
        true => Premiums::Drawn,
        false => Premiums::Fixed,
    };
    if let Some(language) = &info.language {
        rules.language.clone_from(language);
    }
    rules.rack_size = info.rack_size;
    rules.exchange_min_bag = info.exchange_min_bag;
    rules.opening_min_tiles = info.opening_min_tiles;
    match info.rack_count {
        WireRackCount::Always => rules.rack_count = RackCount::Always,
        WireRackCount::EmptyBag => rules.rack_count = RackCount::EmptyBag,
        WireRackCount::Unknown => {}
    }
    let bonuses = info.bingo.iter().map(|bingo| Bingo {
        tiles: bingo.tiles,
        bonus: bingo.bonus,
    });
    rules.bingo = bonuses.collect();
    Ok(if rules == *base {
        base
    } else {
        Arc::new(rules)
    })
}

fn tiles_of(info: &RuleSetInfo) -> Result<TileSet, SetupError> {
    let (blanks, letters): (Vec<_>, Vec<_>) =
        info.tiles.iter().partition(|tile| tile.face == BLANK_FACE);
    let letters = letters.into_iter().map(|tile| LetterSpec {
        face: tile.face.clone(),
        count: tile.count,
        value: tile.value,
    });
    let blanks = blanks
        .iter()
        .fold(0_u32, |sum, tile| sum.saturating_add(tile.count));
    TileSet::new(letters.collect(), blanks).map_err(|error| SetupError(error.to_string()))
}

fn layout_of(info: &RuleSetInfo) -> Result<Layout, SetupError> {
    let board = &info.board;
    let start: Square = board
        .start
        .parse()
        .map_err(|_| SetupError(format!("{} is not a square", quoted(&board.start))))?;
    Layout::parse(board.rows, board.cols, start, &board.layout.join("\n"))
        .map_err(|error| SetupError(error.to_string()))
}

/// The challenge rule of a game. A rule of a later protocol version counts as `single`, which costs a challenger nothing.
#[must_use]
pub fn challenge_of(options: &GameOptions) -> ChallengeKind {
    match options.challenge_kind() {
        WireKind::Void => ChallengeKind::Void,
        WireKind::Single | WireKind::Unknown => ChallengeKind::Single,
        WireKind::Double => ChallengeKind::Double,
        WireKind::FivePoint => ChallengeKind::FivePoint,
        WireKind::TenPoint => ChallengeKind::TenPoint,
        WireKind::Triple => ChallengeKind::Triple,
    }
}

/// Returns when turns without score end a game: what the options say, otherwise what the rule set says.
#[must_use]
pub fn inactivity_of(options: &GameOptions, rules: &RuleSet) -> InactivityRule {
    let usual = rules.usual.inactivity;
    let Some(end) = &options.end else {
        return usual;
    };
    let limit = u16::try_from(end.limit).unwrap_or(u16::MAX);
    InactivityRule {
        limit: match end.per_seat {
            true => TurnLimit::PerActiveSeat(limit),
            false => TurnLimit::Total(limit),
        },
        counts: match end.counts {
            EndCounts::Scoreless | EndCounts::Unknown => CountedTurns::Scoreless,
            EndCounts::Passes => CountedTurns::Passes,
            EndCounts::WithoutScore => CountedTurns::WithoutScore,
        },
        unless_all_zero: end.unless_all_zero,
        ..usual
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{options, setup};

    #[test]
    fn a_built_in_rule_set_is_shared() {
        let read = rules_of(&setup(&["Anna", "Ben"]).rule_set).unwrap();
        assert!(Arc::ptr_eq(&read, &RuleSet::classic()));
    }

    #[test]
    fn the_setup_decides_about_what_it_describes() {
        let mut info = setup(&["Anna", "Ben"]).rule_set;
        info.id = "of the operator".to_owned();
        info.rack_size = 8;
        info.opening_min_tiles = 3;
        info.rack_count = WireRackCount::EmptyBag;
        info.board.layout[0].replace_range(0..1, "~");
        info.tiles[0].value = 5;
        let rules = rules_of(&info).unwrap();
        let first = rules.tiles.parse_tile("A").unwrap();
        assert_eq!((rules.rack_size, rules.tiles.value(first)), (8, 5));
        assert_eq!(rules.layout.drawing(), info.board.layout);
        assert_eq!(
            (rules.opening_min_tiles, rules.rack_count),
            (3, RackCount::EmptyBag)
        );
    }

    #[test]
    fn a_setup_that_is_not_well_formed_is_an_error() {
        let info = setup(&["Anna", "Ben"]).rule_set;
        let mut without_tiles = info.clone();
        without_tiles.tiles.clear();
        let mut short = info.clone();
        short.board.layout.pop();
        let mut off_board = info;
        off_board.board.start = "Z99".to_owned();
        for bad in [without_tiles, short, off_board] {
            assert!(rules_of(&bad).is_err());
        }
    }

    #[test]
    fn an_unknown_challenge_rule_counts_as_single() {
        assert_eq!(challenge_of(&options(2)), ChallengeKind::Double);
        let mut later = options(2);
        later.challenge = None;
        assert_eq!(challenge_of(&later), ChallengeKind::Single);
    }
}
