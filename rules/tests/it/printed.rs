//! Boards and tiles as the games print them, written down by hand in another form than the data files: premium squares
//! by kind in one eighth of the board, tiles by value. An error in a data file shows here.

use std::collections::BTreeMap;

use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::{Premium, Square};
use tilewire_rules::ruleset::RuleSet;

/// A board: its squares in one eighth, from the corner to the middle of the first row and along the diagonal. The
/// other squares are their mirror images.
struct Board {
    rule_set: &'static str,
    side: u8,
    double_letter: &'static str,
    triple_letter: &'static str,
    quadruple_letter: &'static str,
    double_word: &'static str,
    triple_word: &'static str,
    quadruple_word: &'static str,
}

const CLASSIC: Board = Board {
    rule_set: "classic",
    side: 15,
    double_letter: "D1 G3 H4 G7",
    triple_letter: "F2 F6",
    quadruple_letter: "",
    double_word: "B2 C3 D4 E5 H8",
    triple_word: "A1 H1",
    quadruple_word: "",
};

const SUPER: Board = Board {
    rule_set: "super",
    side: 21,
    double_letter: "D1 K1 G4 J6 K7 J10",
    triple_letter: "E2 I5 I9",
    quadruple_letter: "F3",
    double_word: "B2 I2 C3 J3 E5 F6 G7 H8 K11",
    triple_word: "H1 D4 K4",
    quadruple_word: "A1",
};

const WORDS_WITH_FRIENDS: Board = Board {
    rule_set: "words-with-friends",
    side: 15,
    double_letter: "C2 E3 G5",
    triple_letter: "G1 D4 F6",
    quadruple_letter: "",
    double_word: "F2 H4",
    triple_word: "D1",
    quadruple_word: "",
};

const WORDFEUD: Board = Board {
    rule_set: "wordfeud",
    side: 15,
    double_letter: "H1 B2 G3 G5",
    triple_letter: "A1 F2 D4 F6",
    quadruple_letter: "",
    double_word: "C3 H4 E5",
    triple_word: "E1",
    quadruple_word: "",
};

/// The premium squares of a whole board.
fn premiums(board: &Board) -> BTreeMap<Square, Premium> {
    let mut premiums = BTreeMap::new();
    for (squares, premium) in [
        (board.double_letter, Premium::Letter(2)),
        (board.triple_letter, Premium::Letter(3)),
        (board.quadruple_letter, Premium::Letter(4)),
        (board.double_word, Premium::Word(2)),
        (board.triple_word, Premium::Word(3)),
        (board.quadruple_word, Premium::Word(4)),
    ] {
        for text in squares.split_whitespace() {
            let square: Square = text.parse().unwrap();
            for (row, col) in [(square.row, square.col), (square.col, square.row)] {
                let last = board.side - 1;
                for image in [
                    (row, col),
                    (last - row, col),
                    (row, last - col),
                    (last - row, last - col),
                ] {
                    premiums.insert(Square::new(image.0, image.1), premium);
                }
            }
        }
    }
    premiums
}

/// 000-C-P1, 000-F2, 000-W-P1, 003-S4: the premium squares of each board, square by square.
#[test]
fn every_premium_square_is_where_the_board_prints_it() {
    for board in [CLASSIC, SUPER, WORDS_WITH_FRIENDS, WORDFEUD] {
        let rules = RuleSet::builtin(board.rule_set).unwrap();
        let printed = premiums(&board);
        for (row, col) in (0..board.side).flat_map(|row| (0..board.side).map(move |col| (row, col)))
        {
            let square = Square::new(row, col);
            let expected = printed.get(&square).copied().unwrap_or(Premium::Plain);
            assert_eq!(
                rules.layout.premium(square),
                expected,
                "{} {square}",
                board.rule_set
            );
        }
    }
}

/// The rule set, the letters by value, each letter before its count, and the number of blanks.
type Tiles = (&'static str, &'static [(i32, &'static str)], u32);

/// Tiles as a scoring table prints them.
const TILES: [Tiles; 4] = [
    (
        "classic",
        &[
            (1, "A9 E12 I9 L4 N6 O8 R6 S4 T6 U4"),
            (2, "D4 G3"),
            (3, "B2 C2 M2 P2"),
            (4, "F2 H2 V2 W2 Y2"),
            (5, "K1"),
            (8, "J1 X1"),
            (10, "Q1 Z1"),
        ],
        2,
    ),
    (
        "super",
        &[
            (1, "A16 E24 I13 L7 N13 O15 R13 S10 T15 U7"),
            (2, "D8 G5"),
            (3, "B4 C6 M6 P4"),
            (4, "F4 H5 V3 W4 Y4"),
            (5, "K2"),
            (8, "J2 X2"),
            (10, "Q2 Z2"),
        ],
        4,
    ),
    (
        "words-with-friends",
        &[
            (1, "A9 E13 I8 O8 R6 S5 T7"),
            (2, "D5 L4 N5 U4"),
            (3, "G3 H4 Y2"),
            (4, "B2 C2 F2 M2 P2 W2"),
            (5, "K1 V2"),
            (8, "X1"),
            (10, "J1 Q1 Z1"),
        ],
        2,
    ),
    (
        "wordfeud",
        &[
            (1, "A10 E12 I9 L4 N6 O7 R6 S5 T7"),
            (2, "D5 U4"),
            (3, "G3 M2"),
            (4, "B2 C2 F2 H3 P2 V2 W2 Y2"),
            (5, "K1"),
            (8, "X1"),
            (10, "J1 Q1 Z1"),
        ],
        2,
    ),
];

/// 000-C-P1, 000-C-S1, 000-F6a, 003-P1: every letter has its printed value and count, and a blank is worth nothing.
#[test]
fn every_tile_has_its_printed_value_and_count() {
    for (rule_set, groups, blanks) in TILES {
        let tiles = &RuleSet::builtin(rule_set).unwrap().tiles;
        let mut letters = 0;
        for (value, group) in groups {
            for entry in group.split_whitespace() {
                let (face, count) = entry.split_at(1);
                let tile = tiles.parse_tile(face).unwrap();
                let expected = (*value, count.parse().unwrap());
                assert_eq!(
                    (tiles.value(tile), tiles.count(tile)),
                    expected,
                    "{rule_set} {face}"
                );
                letters += 1;
            }
        }
        assert_eq!(letters, 26, "{rule_set}");
        assert_eq!(tiles.letters().count(), 26, "{rule_set}");
        assert_eq!(
            (tiles.value(Tile::BLANK), tiles.count(Tile::BLANK)),
            (0, blanks),
            "{rule_set}"
        );
    }
}
