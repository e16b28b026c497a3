//! Bots play whole games by every rule set, and better bots win.

use std::sync::Arc;

use super::*;
use crate::lexicon::{FstLexicon, Lexicon, WordGraphs};
use crate::options::GameOptions;
use crate::ruleset::RuleSet;

fn words() -> Arc<WordGraphs> {
    static WORDS: std::sync::OnceLock<Arc<WordGraphs>> = std::sync::OnceLock::new();
    Arc::clone(WORDS.get_or_init(|| Arc::new(WordGraphs::new(&FstLexicon::builtin()))))
}

fn play(rules: &Arc<RuleSet>, levels: &[BotLevel], seed: u64) -> MatchResult {
    let lexicon = FstLexicon::builtin();
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = u8::try_from(levels.len()).unwrap();
    let of = Match {
        rules: Arc::clone(rules),
        options,
        seed,
    };
    let mut bots: Vec<Bot> = levels
        .iter()
        .map(|level| Bot::new(*level, words()))
        .collect();
    play_game(&of, &*lexicon, &mut bots, |_, _| {}).unwrap()
}

#[test]
fn every_rule_set_is_played_to_its_end() {
    for rules in RuleSet::builtins() {
        for seats in rules.min_seats..=rules.max_seats {
            let levels: Vec<BotLevel> = BotLevel::ALL
                .into_iter()
                .cycle()
                .take(usize::from(seats))
                .collect();
            let result = play(rules, &levels, 7);
            assert!(
                result.ended.reason.has_result(),
                "{} {:?}",
                rules.id,
                result.ended
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let rules = RuleSet::classic();
    let levels = [BotLevel::Expert, BotLevel::Beginner];
    assert_eq!(
        play(&rules, &levels, 3).records,
        play(&rules, &levels, 3).records
    );
    assert_ne!(
        play(&rules, &levels, 3).ended,
        play(&rules, &levels, 4).ended
    );
}

/// Plays two levels against each other over some bags, from both sides; returns the total spread of the first.
fn spread(one: BotLevel, other: BotLevel, bags: u64) -> i32 {
    let rules = RuleSet::classic();
    let points = |result: &MatchResult, seat: usize| result.ended.results[seat].final_score;
    (0..bags)
        .map(|seed| {
            let straight = play(&rules, &[one, other], seed);
            let mirrored = play(&rules, &[other, one], seed);
            points(&straight, 0) - points(&straight, 1) + points(&mirrored, 1)
                - points(&mirrored, 0)
        })
        .sum()
}

#[test]
fn better_bots_win() {
    assert!(spread(BotLevel::Club, BotLevel::Beginner, 5) > 500);
    assert!(spread(BotLevel::Expert, BotLevel::Club, 20) > 300);
}

/// In a race an expert never leaves out a play that reaches its target (R-END-13).
#[test]
fn an_expert_wins_a_race_as_soon_as_it_can() {
    let lexicon = FstLexicon::builtin();
    let rules = RuleSet::builtin("classic-finish-line").unwrap();
    let words = words();
    let mut compared = 0;
    let games = (0..60).map(|seed| (2 + u8::try_from(seed % 3).unwrap(), seed));
    for (seats, seed) in games {
        let mut options = GameOptions::usual(&rules, lexicon.name());
        options.seats = seats;
        let of = Match {
            rules: Arc::clone(&rules),
            options,
            seed,
        };
        let bot = |_| Bot::new(BotLevel::Expert, Arc::clone(&words));
        let mut bots: Vec<Bot> = (0..seats).map(bot).collect();
        let ended = play_game(&of, &*lexicon, &mut bots, |seen, turn| {
            let rack = seen.rack;
            let best = Generator::new().best(words.all(), seen.rules, seen.board, rack);
            let lacks = seen.lacks(seen.seat).unwrap();
            if best.is_none_or(|best| best.score < lacks) {
                return;
            }
            let BotTurn::Play(placement) = turn else {
                panic!("{turn:?}");
            };
            let play = crate::play::Play::resolve(seen.rules, seen.board, rack, placement);
            assert!(play.unwrap().score() >= lacks, "seed {seed}");
            compared += 1;
        });
        ended.unwrap();
    }
    assert_eq!(compared, 60, "a race ends as soon as it can be won");
}

#[test]
fn judgements_follow_the_level() {
    let words = words();
    let tiles = &RuleSet::classic().tiles;
    let spell = |word: &str| vec![tiles.parse_word(word).unwrap()];
    let count = |level: BotLevel, word: &str| {
        let bot = Bot::new(level, Arc::clone(&words));
        (0..1_000)
            .filter(|play| {
                bot.judge(ChallengeKind::Double, &spell(word), *play, 5) == Judgement::Challenge
            })
            .count()
    };
    assert_eq!(count(BotLevel::Expert, "HORNX"), 1_000);
    assert!((800..900).contains(&count(BotLevel::Club, "HORNX")));
    assert!((250..350).contains(&count(BotLevel::Beginner, "HORNX")));
    assert_eq!(
        count(BotLevel::Expert, "HORN") + count(BotLevel::Club, "HORN"),
        0
    );
}

#[test]
fn leaves_of_the_program_are_read_and_written() {
    let rules = RuleSet::classic();
    let table = LeaveTable::builtin("english").unwrap();
    let leaves = Leaves::new(&rules.tiles, table);
    let value = |text: &str| {
        let mut counts = vec![0; 256];
        for tile in crate::notation::parse_rack(text, &rules.tiles).unwrap() {
            counts[crate::analysis::leave::kind(tile)] += 1;
        }
        leaves.value(&counts)
    };
    assert!(value("?") > value("S") && value("S") > value("E") && value("E") > value("Q"));
    assert!(value("AEINRS") > value("IIIUUV"));
    let written = toml::to_string(table).unwrap();
    assert_eq!(&toml::from_str::<LeaveTable>(&written).unwrap(), table);
}
