//! The best turn by score and leave, found with bounds, is the first of the whole list.

use std::sync::Arc;

use proptest::prelude::*;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::analysis::{BotTurn, Engine, Seen};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::Runs;
use tilewire_rules::time::Seat;

use crate::movegen_sets::{rule_sets, words_for};
use crate::support::{self, Chance, lay, random};

/// Numbers of best turns.
#[derive(Default)]
struct Turns {
    plays: usize,
    others: usize,
}

/// Plays a game of best turns on one board, with a new rack for each turn. With many blanks a list would be long.
fn compare(
    engine: &mut Engine,
    (rules, most_blanks): (&RuleSet, usize),
    chance: &mut Chance,
    turns: &mut Turns,
) {
    let mut board = support::board(rules);
    for _ in 0..20 {
        let full = usize::from(rules.rack_size).min(9);
        let len = match chance.below(5) {
            0 => chance.below(full + 1),
            _ => full,
        };
        let mut rack = chance.rack_with_blanks(rules, len);
        let blanks = rack.iter().filter(|tile| **tile == Tile::BLANK).count();
        for _ in most_blanks..blanks {
            let blank = rack.iter().position(|tile| *tile == Tile::BLANK);
            rack.swap_remove(blank.unwrap());
        }
        let seen = Seen {
            rules,
            challenge: ChallengeKind::Void,
            board: &board,
            rack: &rack,
            seat: Seat(0),
            scores: vec![0, 0],
            targets: Vec::new(),
            known: Vec::new(),
            rack_counts: vec![rack.len(), full],
            bag: [0, 3, 40][chance.below(3)],
            turn_no: 1,
            inactivity: rules.usual.inactivity,
            runs: Runs::default(),
        };
        let listed = engine.list(&seen, 4).swap_remove(0);
        let best = engine.list(&seen, 1).swap_remove(0);
        let id = &rules.id;
        assert_eq!(best.turn, listed.turn, "{id} {rack:?} {board:?}");
        assert_eq!((best.score, best.equity), (listed.score, listed.equity));
        match best.turn {
            BotTurn::Play(placement) => {
                let play = Play::resolve(rules, &board, &rack, &placement).unwrap();
                assert_eq!(play.score(), best.score, "{id} {rack:?} {board:?}");
                lay(&mut board, &play);
                turns.plays += 1;
            }
            BotTurn::Exchange(_) | BotTurn::Pass => turns.others += 1,
        }
    }
}

/// With the words of the program, in every rule set of English tiles.
#[test]
fn the_best_turn_with_bounds_is_the_first_of_the_list() {
    let words = Arc::new(WordGraphs::new(&FstLexicon::builtin()));
    let mut turns = Turns::default();
    for rules in &rule_sets() {
        if rules.tiles.letters().len() == 26 {
            let mut engine = Engine::new(Arc::clone(&words), rules);
            for seed in 0..10 {
                let mut chance = Chance::new(seed, "best turn");
                compare(&mut engine, (rules, 1), &mut chance, &mut turns);
            }
        }
    }
    assert!(turns.plays >= 1_000, "{} plays", turns.plays);
    assert!(turns.others >= 10, "{} exchanges and passes", turns.others);
}

proptest! {
    #![proptest_config(random(60, 1))]

    /// In every rule set and language, with words of its tiles.
    #[test]
    fn bounds_never_leave_out_a_better_turn(seed: u64) {
        let mut chance = Chance::new(seed, "best turn");
        let rules = chance.pick(&rule_sets()).clone();
        let words = words_for(&rules, &mut chance).lexicon();
        let mut engine = Engine::new(Arc::new(WordGraphs::new(&words)), &rules);
        compare(&mut engine, (&rules, 2), &mut chance, &mut Turns::default());
    }
}
