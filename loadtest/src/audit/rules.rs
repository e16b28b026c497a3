//! The judge's own reading of a setup: rules, challenge rule and placements.

use std::sync::Arc;

use tilewire_protocol::{ChallengeKind as WireKind, GameSetup};
use tilewire_rules::notation;
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;

/// The rules a game of this setup is played by: the built-in ones of that name, on the board the server describes.
///
/// # Errors
/// When there are none, or the server describes other tiles.
pub(super) fn rules_of(setup: &GameSetup) -> Result<Arc<RuleSet>, String> {
    let info = &setup.rule_set;
    let unknown = || format!("the rule set {} is not ours", info.id);
    let rules = RuleSet::builtin(&info.id).ok_or_else(unknown)?;
    let same = info.tiles.iter().all(|told| {
        let tile = rules.tiles.parse_tile(&told.face);
        tile.is_some_and(|tile| {
            rules.tiles.count(tile) == told.count && rules.tiles.value(tile) == told.value
        })
    });
    if !same || rules.layout.drawing() != info.board.layout && !info.board.drawn {
        return Err(unknown());
    }
    Ok(rules)
}

/// The placement an event or a command describes.
///
/// # Errors
/// When it is none.
pub(super) fn placement(
    rules: &RuleSet,
    start: &str,
    cells: &[String],
) -> Result<Placement, String> {
    let (start, direction) =
        notation::parse_coordinate(start).map_err(|error| error.to_string())?;
    let tiles: Result<Vec<_>, _> = cells
        .iter()
        .map(|cell| notation::parse_cell(cell, &rules.tiles))
        .collect();
    Ok(Placement {
        start,
        direction,
        tiles: tiles.map_err(|error| error.to_string())?,
    })
}

/// The challenge rule as the rules know it.
pub(super) fn challenge_of(setup: &GameSetup) -> ChallengeKind {
    match setup.options.challenge_kind() {
        WireKind::Void => ChallengeKind::Void,
        WireKind::Single | WireKind::Unknown => ChallengeKind::Single,
        WireKind::Double => ChallengeKind::Double,
        WireKind::FivePoint => ChallengeKind::FivePoint,
        WireKind::TenPoint => ChallengeKind::TenPoint,
        WireKind::Triple => ChallengeKind::Triple,
    }
}
