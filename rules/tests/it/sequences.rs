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
