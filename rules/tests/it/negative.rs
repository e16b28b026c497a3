//! Input that must be refused, with an error that names the fault.

use proptest::prelude::*;
use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, PlacementError, Play};
use tilewire_rules::ruleset::RuleSet;

use crate::support::{board, random};

#[test]
fn text_that_is_not_a_play_is_refused() {
    let tiles = &RuleSet::classic().tiles;
    for (text, complaint) in [
        ("", "expected a coordinate"),
        ("8F", "expected a coordinate"),
        ("HORN", "expected a coordinate"),
        ("8F HORN AGAIN", "expected a coordinate"),
        ("88 HORN", "is not a coordinate"),
        ("F HORN", "is not a coordinate"),
        ("8F HO-N", "is not a tile"),
        ("8F H?RN", "blank"),
        ("0F HORN", "is not a coordinate"),
        ("99999999999F HORN", "is not a coordinate"),
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
fn a_written_play_reads_back() {
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
fn text_that_is_not_a_square_is_refused() {
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

/// R-PLAY-9, R-PLAY-10: a tile shows its own letter; only a blank shows another, and one that the set has.
#[test]
fn a_tile_cannot_show_another_letter() {
    let rules = RuleSet::classic();
    let letter = |number| Letter::from_number(number).unwrap();
    let (a, b, none) = (letter(1), letter(2), letter(27));
    for (tile, shown) in [
        (Tile::of(a), b),
        (Tile::BLANK, none),
        (Tile::of(none), none),
    ] {
        let forged = Placed {
            tile,
            letter: shown,
        };
        let placement = Placement {
            start: Square::new(7, 7),
            direction: Direction::Across,
            tiles: vec![Some(Placed::new(a)), Some(forged)],
        };
        let rack = [Tile::of(a), Tile::of(a), Tile::of(b), tile];
        let refused = Play::resolve(&rules, &board(&rules), &rack, &placement);
        assert_eq!(refused, Err(PlacementError::TileNotInRack { tile }));
    }
}

proptest! {
    #![proptest_config(random(256, 8))]

    /// Any text is refused, or is one placement that can be written and read again without loss.
    #[test]
    fn any_text_is_parsed_or_refused(text in "[ 0-9A-Oa-o.?\\[\\]Äß\\t]{0,12}") {
        let tiles = &RuleSet::classic().tiles;
        if let Ok(placement) = notation::parse(&text, tiles) {
            let written = notation::format(&placement, tiles);
            prop_assert_eq!(notation::parse(&written, tiles), Ok(placement), "{}", written);
        }
        if let Ok(rack) = notation::parse_rack(&text, tiles) {
            prop_assert_eq!(notation::format_rack(&rack, tiles), text.clone().replace(['[', ']'], ""));
        }
        if let Ok(square) = text.parse::<Square>() {
            prop_assert_eq!(square.to_string().parse::<Square>(), Ok(square));
        }
    }

    /// The same for coordinates that are almost right.
    #[test]
    fn coordinates_read_both_ways(text in "[A-Za-z]?[0-9]{1,3}[A-Za-z]?") {
        if let Ok((start, direction)) = notation::parse_coordinate(&text) {
            let written = notation::format_coordinate(start, direction);
            prop_assert_eq!(notation::parse_coordinate(&written), Ok((start, direction)), "{}", text);
        }
    }
}
