//! At 80x24, every rule set shows everything: rack, unseen tiles, premiums, players, status, messages and help.

use tilewire_rules::ruleset::RuleSet;

use super::keys::{enter, type_text};
use super::*;

/// The setup of a game of a built-in rule set.
pub(super) fn setup_of(id: &str, names: &[&str]) -> GameSetup {
    let rules = RuleSet::builtin(id).unwrap();
    let mut setup = setup(names);
    setup.options.rule_set.clone_from(&rules.id);
    let info = &mut setup.rule_set;
    info.id.clone_from(&rules.id);
    info.rack_size = rules.rack_size;
    info.board = BoardInfo {
        rows: rules.layout.rows(),
        cols: rules.layout.cols(),
        start: rules.layout.start().to_string(),
        layout: rules.layout.drawing(),
        drawn: false,
    };
    let tiles = rules.tiles.kinds().map(|tile| TileInfo {
        face: rules.tiles.tile_face(tile).to_owned(),
        count: rules.tiles.count(tile),
        value: rules.tiles.value(tile),
    });
    info.tiles = tiles.collect();
    setup
}

#[test]
fn everything_is_visible() {
    for rules in RuleSet::builtins() {
        for names in [
            &["Anna", "Ben"][..],
            &["Anna", "Benedict", "Cleopatra", "Do"],
        ] {
            check(&rules.id, names);
        }
    }
}

fn check(id: &str, names: &[&str]) {
    let setup = setup_of(id, names);
    let start = setup.rule_set.board.start.clone();
    let layout = setup.rule_set.board.layout.concat();
    let mut story = Story::begun(setup, Some(0), "QZXJKHO");
    story.turn(1, 0);
    let view = story.view.as_ref();
    let mut screen = screen_of(&story);
    type_text(&mut screen, &format!("{start} HO"), view);
    let whole = picture(&screen, &content(view), SMALL);
    let has = |text: &str| assert!(whole.contains(text), "{id}: {text}\n{whole}");
    for tile in story.view().rack.clone() {
        has(&tile);
    }
    for (face, count) in story.view().unseen() {
        if count > 0 {
            has(&format!("{face}{count}"));
        }
    }
    for name in names {
        has(name);
    }
    for (symbol, meaning) in [
        ("'", "' x2"),
        ("\"", "\" x3"),
        ("^", "^ x4"),
        ("-", "- x2"),
        ("=", "= x3"),
        ("~", "~ x4"),
    ] {
        if layout.contains(symbol) {
            has(meaning);
        }
    }
    for text in [
        "* start",
        "Turn 1: your turn.",
        "goes first.",
        " points.",
        "pts total",
    ] {
        has(text);
    }
    assert_eq!(enter(&mut screen, "", view), Reaction::Redraw);
    enter(&mut screen, "help", view);
    let help = picture(&screen, &content(view), SMALL);
    for text in ["Commands (close", "8F HORN", "Up, Down      earlier input"] {
        assert!(help.contains(text), "{id}: {text}\n{help}");
    }
}
