//! Input that must be refused, with an error that names what is wrong.

use tilewire_rules::board::Square;
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

use crate::support::SUPER;

#[test]
fn notation_that_is_none() {
    let tiles = &RuleSet::classic().tiles;
    for (text, complaint) in [
        ("", "expected a coordinate"),
        ("8F", "expected a coordinate"),
        ("HORN", "expected a coordinate"),
        ("8F HORN AGAIN", "expected a coordinate"),
        ("88 HORN", "no coordinate"),
        ("F HORN", "no coordinate"),
        ("8F HO-N", "no tile"),
        ("8F H?RN", "blank"),
        ("0F HORN", "no coordinate"),
        ("99999999999F HORN", "no coordinate"),
        ("8F [H", ""),
    ] {
        let error = notation::parse(text, tiles).expect_err(text).to_string();
        assert!(error.contains(complaint), "{text:?}: {error}");
    }
    for rack in ["AB1", "a b!", "["] {
        assert!(notation::parse_rack(rack, tiles).is_err(), "{rack:?}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let tiles = &RuleSet::classic().tiles;
    for text in ["8F HORN", "H6 FA.M", "15A ZoO", "O1 Q..K"] {
        let placement = notation::parse(text, tiles).unwrap();
        assert_eq!(notation::format(&placement, tiles), text);
        let lower = text
            .split_once(' ')
            .map(|(start, faces)| format!("{} {faces}", start.to_lowercase()));
        assert_eq!(notation::parse(&lower.unwrap(), tiles).unwrap(), placement);
    }
}

#[test]
fn squares_that_are_none() {
    for text in [
        "",
        "H",
        "8",
        "8H",
        "H0",
        "H-1",
        "H8 ",
        "HH8x",
        "Ä3",
        "H256",
        "H99999999999",
    ] {
        assert!(text.parse::<Square>().is_err(), "{text:?}");
    }
    for text in ["A1", "H8", "O15", "U21"] {
        assert_eq!(text.parse::<Square>().unwrap().to_string(), text);
    }
}

/// Every number of a rule set is stated twice or has a range; a file in which they do not agree is refused by name.
#[test]
fn rule_sets_that_contradict_themselves() {
    for (from, to, names) in [
        ("rows = 21", "rows = 20", "board"),
        ("start = \"K11\"", "start = \"Z99\"", "start"),
        ("start = \"K11\"", "start = \"11\"", "start"),
        ("total = 200", "total = 199", "total"),
        ("double_letter = 36", "double_letter = 35", "double_letter"),
        ("size = 7", "size = 0", "size"),
        ("min = 2", "min = 9", "players"),
        ("~..'...=..'..=...'..~", "~..'...=..'..=...'.", "layout"),
        ("~..'...=..'..=...'..~", "~..'...=..'..=...'..x", "layout"),
        ("id = \"super\"", "id = \"\"", "id"),
        ("id = \"super\"", "idd = \"super\"", "idd"),
        ("[rack]", "[rack", "super.toml"),
    ] {
        let text = SUPER.replacen(from, to, 1);
        assert_ne!(text, SUPER, "{from} is in the file");
        let error = RuleSet::parse(&text, "super.toml")
            .expect_err(to)
            .to_string();
        assert!(
            error.contains("super.toml") && error.contains(names),
            "{to}: {error}"
        );
    }
}
