//! Plays as data: every case of `tests/data/sequences.toml` through one check.

use std::collections::BTreeMap;

use serde::Deserialize;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::{Board, Square};
use tilewire_rules::notation;
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;

use crate::compare::Both;
use crate::support::{board, lay, rack, rack_for, rule_set, tile_at};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rows: Vec<String>,
    rule_set: Option<String>,
    #[serde(default)]
    setup: Vec<String>,
    turns: Vec<Turn>,
    #[serde(default)]
    board: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    play: Option<String>,
    #[serde(default)]
    laid: Vec<String>,
    rack: Option<String>,
    #[serde(default)]
    words: Vec<(String, i32)>,
    #[serde(default)]
    bonus: i32,
    #[serde(default)]
    score: i32,
    refused: Option<String>,
}

fn cases() -> Vec<Case> {
    toml::from_str::<Cases>(include_str!("../data/sequences.toml"))
        .unwrap()
        .case
}

/// The result of the turn: the play, or the text of its refusal.
fn resolve(rules: &RuleSet, board: &Board, turn: &Turn) -> Result<(Play, Placement), String> {
    let placement = match &turn.play {
        Some(text) => notation::parse(text, &rules.tiles).map_err(|error| error.to_string())?,
        None => {
            let laid: Vec<_> = turn.laid.iter().map(|text| tile_at(rules, text)).collect();
            Placement::from_squares(&laid).map_err(|error| error.to_string())?
        }
    };
    let held = match &turn.rack {
        Some(text) => rack(rules, text),
        None => rack_for(&placement),
    };
    let play = Play::resolve(rules, board, &held, &placement).map_err(|error| error.to_string());
    play.map(|play| (play, placement))
}

fn check(case: &Case) {
    let rules = rule_set(case.rule_set.as_deref().unwrap_or("classic"));
    let mut lying = board(&rules);
    for text in &case.setup {
        let (square, placed) = tile_at(&rules, text);
        lying.place(square, placed);
    }
    for turn in &case.turns {
        let label = format!(
            "{:?} {}: {:?} {:?}",
            case.rows, case.name, turn.play, turn.laid
        );
        let before = lying.clone();
        match (resolve(&rules, &lying, turn), &turn.refused) {
            (Err(refusal), Some(expected)) => {
                assert_eq!(&refusal, expected, "{label}");
                assert_eq!(lying, before, "{label}");
            }
            (Ok((play, placement)), None) => {
                let words: Vec<(String, i32)> = play
                    .words()
                    .iter()
                    .map(|word| (word.text.clone(), word.score))
                    .collect();
                assert_eq!(words, turn.words, "{label}");
                assert_eq!(
                    (play.bonus(), play.score()),
                    (turn.bonus, turn.score),
                    "{label}"
                );
                assert_eq!(play.placed().len(), placement.laid().count(), "{label}");
                let sum: i32 = words.iter().map(|(_, points)| points).sum();
                assert_eq!(sum + play.bonus(), play.score(), "{label}");
                lay(&mut lying, &play);
            }
            (Ok(_), Some(expected)) => panic!("{label}: accepted instead of {expected:?}"),
            (Err(refusal), None) => panic!("{label}: {refusal}"),
        }
    }
    for (row, expected) in &case.board {
        assert_eq!(
            &drawn(&rules, &lying, row),
            expected,
            "{:?} {} row {row}",
            case.rows,
            case.name
        );
    }
}

fn drawn(rules: &RuleSet, board: &Board, row: &str) -> String {
    let row: u8 = row.parse::<u8>().unwrap() - 1;
    (0..board.cols())
        .map(|col| match board.get(Square::new(row, col)) {
            Some(placed) => rules.tiles.placed_face(placed),
            None => ".".to_owned(),
        })
        .collect()
}

#[test]
fn every_sequence_comes_out_as_stated() {
    for case in cases() {
        check(&case);
    }
}

/// Rows of the sheets that speak of placing, words or scoring. A row is not lost by editing the data.
const ROWS: &str = "000-C-G1 000-C-G2 000-C-G3 000-C-G4 000-C-G5 000-C-G6 \
    000-C-S1 000-C-S2 000-C-S3 000-C-S4 000-C-S5 000-C-S6 000-C-S7 000-C-S8 \
    001-G1 001-G2 001-G3 001-G4 001-G5 001-G6 001-S1 001-S2 001-S3 001-S4 001-S5 001-S6 001-S7 001-S8 \
    001-N1 001-N2 001-X \
    003-P1 003-P4 003-P6 003-F1 003-F2 003-F3 003-F4 003-F5 003-X1 003-X2 003-X3 003-X4 003-B1 003-B2 003-B3 \
    003-S2 003-S3 003-S4 003-S5 003-S6 003-S7 003-S8 003-S9 \
    004-1 004-6 004-7 004-9 004-10";

#[test]
fn every_row_on_placing_and_scoring_has_a_case() {
    let cases = cases();
    for row in ROWS.split_whitespace() {
        assert!(
            cases.iter().any(|case| case.rows.iter().any(|r| r == row)),
            "no case for {row}"
        );
    }
}

/// Rows that speak of the table, turns, challenges and endings.
const OTHER_ROWS: &str = "000-C-P1 000-C-P2 000-C-P3 000-C-P4 000-C-P5 000-C-G7 000-C-G8a 000-C-G8b 000-C-G8c \
    000-C-G8d 000-C-G8e 000-C-G9 000-C-S9 000-C-S10 001-P1 001-P2 001-P3 001-G8 001-G9 001-S9 003-P2 003-P3 003-P5 \
    003-E1 003-E2 003-N1 003-N2 003-C1 003-C2 003-C3 003-C4 003-S1 003-S10 003-S11 004-2 004-3 004-4 004-5 004-8 \
    004-11";

#[test]
fn every_other_row_has_a_test_that_names_it() {
    let tests = [
        include_str!("../../src/game/tests/setup.rs"),
        include_str!("../../src/game/tests/turns.rs"),
        include_str!("../../src/game/tests/challenges.rs"),
        include_str!("../../src/game/tests/windows.rs"),
        include_str!("../../src/game/tests/endings.rs"),
        include_str!("lexicon.rs"),
        include_str!("table.rs"),
    ];
    for row in OTHER_ROWS.split_whitespace() {
        let names = |line: &str| {
            line.starts_with("///") && line.split([' ', ',', ':']).any(|word| word == row)
        };
        assert!(
            tests.iter().any(|test| test.lines().any(names)),
            "no test for {row}"
        );
    }
}

#[test]
fn the_oracle_agrees_with_every_sequence() {
    for case in cases() {
        let name = case.rule_set.as_deref().unwrap_or("classic");
        if name == "digraphs" || !case.setup.is_empty() {
            continue; // The oracle has no file of digraphs, and wants boards whose tiles are connected.
        }
        let mut both = Both::new(name);
        for turn in &case.turns {
            let held = |placed: &[Tile]| match &turn.rack {
                Some(text) => rack(&both.rules, text),
                None => placed.to_vec(),
            };
            let judged = match &turn.play {
                Some(text) => match notation::parse(text, &both.rules.tiles) {
                    Ok(placement) => both.judge(&held(&rack_for(&placement)), &placement),
                    Err(_) => continue,
                },
                None => {
                    let read = |text: &String| tile_at(&both.rules, text);
                    let laid: Vec<_> = turn.laid.iter().map(read).collect();
                    let own: Vec<Tile> = laid.iter().map(|(_, placed)| placed.tile).collect();
                    both.judge_scattered(&held(&own), &laid)
                }
            };
            assert_eq!(judged.is_err(), turn.refused.is_some(), "{}", case.name);
            if let Ok(play) = judged {
                both.lay(&play);
            }
        }
    }
}
