//! The move generator against a slow listing of all plays, over rule sets, boards, racks and lists of words.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Board, Square};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::movegen::{Generator, Scored, WordGraph};
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;

use crate::movegen_oracle::{Listed, Words};
use crate::movegen_sets::{rule_sets, words_for};
use crate::support::{self, Chance, lay, random};

fn listed(
    generator: &mut Generator,
    graph: &WordGraph,
    rules: &RuleSet,
    board: &Board,
    rack: &[Tile],
) -> Vec<Listed> {
    let mut plays = Vec::new();
    generator.for_each(graph, rules, board, rack, |found| {
        assert_eq!(found.laid, found.laid_tiles().count());
        plays.push((
            found.start,
            found.direction,
            found.tiles.to_vec(),
            found.score,
        ));
    });
    plays.sort();
    plays
}

/// A position and its rule set.
struct Case {
    rules: Arc<RuleSet>,
    board: Board,
    rack: Vec<Tile>,
}

/// Boards from games, random boards, and mixtures of both.
fn cases(rules: &Arc<RuleSet>, words: &Words, graph: &WordGraph, chance: &mut Chance) -> Vec<Case> {
    let mut board = support::board(rules);
    let mut generator = Generator::new();
    let mut cases = Vec::new();
    let turns = 1 + chance.below(25);
    for _ in 0..turns {
        // Now and then more tiles than a rack holds, or none.
        let len = match chance.below(10) {
            0 => chance.below(usize::from(rules.rack_size) + 3),
            _ => usize::from(rules.rack_size),
        };
        let rack = chance.rack_with_blanks(rules, len);
        let plays = generator.all(graph, rules, &board, &rack);
        cases.push(Case {
            rules: Arc::clone(rules),
            board: board.clone(),
            rack: rack.clone(),
        });
        if plays.is_empty() {
            continue;
        }
        let play = chance.pick(&plays).resolve(rules, &board, &rack).unwrap();
        lay(&mut board, &play);
    }
    scatter(rules, words, &mut board, chance);
    let len = chance.below(usize::from(rules.rack_size) + 1);
    cases.push(Case {
        rules: Arc::clone(rules),
        rack: chance.rack_with_blanks(rules, len),
        board,
    });
    cases
}

/// Scatters letters of the words over the board, which leaves runs that are not words.
fn scatter(rules: &RuleSet, words: &Words, board: &mut Board, chance: &mut Chance) {
    let letters: Vec<Letter> = words.0.iter().flatten().copied().collect();
    let density = chance.below(100);
    let squares: Vec<Square> = board.squares().collect();
    for square in squares {
        if board.get(square).is_none() && chance.below(100) < density {
            let letter = *chance.pick(&letters);
            assert!(rules.tiles.has_letter(letter));
            board.place(
                square,
                match chance.below(9) {
                    0 => Placed::blank(letter),
                    _ => Placed::new(letter),
                },
            );
        }
    }
}

proptest! {
    #![proptest_config(random(30, 1))]

    /// The same plays with the same scores as the slow listing, in every rule set.
    #[test]
    fn the_generator_lists_every_play_once_and_nothing_else(seed: u64) {
        let mut chance = Chance::new(seed, "movegen");
        let mut generator = Generator::new();
        let rules = chance.pick(&rule_sets()).clone();
        let words = words_for(&rules, &mut chance);
        let graph = words.lexicon().to_graph();
        for Case { rules, board, rack } in cases(&rules, &words, &graph, &mut chance) {
            let expected = words.plays(&rules, &board, &rack);
            let found = listed(&mut generator, &graph, &rules, &board, &rack);
            prop_assert_eq!(&found, &expected, "{} {:?} {:?}", rules.id, rack, board);
            let any = generator.any(&graph, &rules, &board, &rack);
            prop_assert_eq!(any, !expected.is_empty());
            best_of(&mut generator, &graph, (&rules, &board, &rack), &expected);
        }
    }
}

/// The best plays are those that sorting the slow listing gives.
fn best_of(
    generator: &mut Generator,
    graph: &WordGraph,
    (rules, board, rack): (&RuleSet, &Board, &[Tile]),
    expected: &[Listed],
) {
    let mut by_score = expected.to_vec();
    by_score.sort_by_key(|(_, _, _, score)| -score);
    let best = generator.best(graph, rules, board, rack);
    assert_eq!(best.as_ref().map(kept), by_score.first().cloned());

    // The value of the leave also counts, as for a player.
    let blanks = |tiles: &[Option<Placed>]| tiles.iter().flatten().filter(|p| p.is_blank()).count();
    let worth = |score: i32, blanks: usize| score - 25 * i32::try_from(blanks).unwrap();
    let mut by_worth = expected.to_vec();
    by_worth.sort_by_key(|(_, _, tiles, score)| -worth(*score, blanks(tiles)));
    for n in [0, 1, 5, expected.len() + 1] {
        let found = generator.best_n(graph, rules, board, rack, n, |found| {
            worth(found.score, blanks(found.tiles))
        });
        assert!(
            found
                .iter()
                .all(|(k, play)| *k == worth(play.score, blanks(&play.placement.tiles)))
        );
        let found: Vec<Listed> = found.iter().map(|(_, play)| kept(play)).collect();
        assert_eq!(found, by_worth[..n.min(expected.len())]);
    }
}

fn kept(play: &Scored) -> Listed {
    let Placement {
        start,
        direction,
        tiles,
    } = play.placement.clone();
    (start, direction, tiles, play.score)
}

/// Games with the whole list of words, against the slow listing.
#[test]
fn the_generator_agrees_on_the_whole_list() {
    let rules = RuleSet::classic();
    let mut words = BTreeSet::new();
    FstLexicon::builtin().for_each(|word| {
        words.insert(word.to_vec());
    });
    let graph = FstLexicon::builtin().to_graph();
    let mut generator = Generator::new();
    let mut chance = Chance::new(1, "movegen");
    let mut board = support::board(&rules);
    for turn in 0..10 {
        let mut rack = chance.rack_with_blanks(&rules, 7);
        if turn == 9 {
            rack[0] = Tile::BLANK;
        }
        if [5, 9].contains(&turn) {
            // Only words of the available letters can be played.
            let there: BTreeSet<Letter> = board
                .iter()
                .map(|(_, placed)| placed.letter)
                .chain(rack.iter().filter_map(|tile| tile.letter()))
                .collect();
            let blanks = rack.iter().filter(|tile| tile.is_blank()).count();
            let missing = |word: &[Letter]| word.iter().filter(|l| !there.contains(l)).count();
            let some = words.iter().filter(|word| missing(word) <= blanks);
            let expected = Words(some.cloned().collect()).plays(&rules, &board, &rack);
            assert!(expected.len() > 20);
            let found = listed(&mut generator, &graph, &rules, &board, &rack);
            assert_eq!(found, expected, "{rack:?}");
            best_of(&mut generator, &graph, (&rules, &board, &rack), &expected);
        }
        if let Some(play) = generator.best(&graph, &rules, &board, &rack) {
            let play = play.resolve(&rules, &board, &rack).unwrap();
            lay(&mut board, &play);
        }
    }
}

/// The bounds that the best play is found by never leave out a better one: whole games, in every rule set.
#[test]
fn the_best_play_is_the_best_of_all() {
    let mut generator = Generator::new();
    let graph = FstLexicon::builtin().to_graph();
    let english = |rules: &Arc<RuleSet>| rules.tiles.letters().len() == 26;
    let mut turns = 0;
    for rules in rule_sets().iter().filter(|rules| english(rules)) {
        let mut chance = Chance::new(3, "movegen");
        let mut board = support::board(rules);
        for _ in 0..40 {
            let rack = chance.rack_with_blanks(rules, usize::from(rules.rack_size.min(9)));
            let mut first: Option<Scored> = None;
            generator.for_each(&graph, rules, &board, &rack, |found| {
                let place = |p: &Placement| (p.start, p.direction, p.tiles.clone());
                let beaten = first.as_ref().is_some_and(|best| {
                    best.score > found.score
                        || best.score == found.score
                            && place(&best.placement) < place(&found.placement())
                });
                if !beaten {
                    first = Some(found.to_owned());
                }
            });
            let best = generator.best(&graph, rules, &board, &rack);
            assert_eq!(best, first, "{} {rack:?}", rules.id);
            if let Some(best) = best {
                let play = best.resolve(rules, &board, &rack).unwrap();
                assert_eq!(play.score(), best.score);
                lay(&mut board, &play);
                turns += 1;
            }
        }
    }
    assert!(turns > 150);
}

/// A rack can be longer than any lane, or have tiles that the set does not have.
#[test]
fn the_generator_accepts_any_rack() {
    let rules = RuleSet::classic();
    let words = words_for(&rules, &mut Chance::new(2, "movegen"));
    let graph = words.lexicon().to_graph();
    let mut generator = Generator::new();
    let board = support::board(&rules);
    let mut rack: Vec<Tile> = rules.tiles.all();
    rack.retain(|tile| !tile.is_blank());
    let unknown = [27, 63, 64, 255].map(|n| Tile::of(Letter::from_number(n).unwrap()));
    rack.extend(unknown);
    let expected = words.plays(&rules, &board, &rack);
    assert_eq!(
        listed(&mut generator, &graph, &rules, &board, &rack),
        expected
    );
    best_of(&mut generator, &graph, (&rules, &board, &rack), &expected);
    for nothing in [&[][..], &unknown] {
        assert!(!generator.any(&graph, &rules, &board, nothing));
        assert_eq!(generator.best(&graph, &rules, &board, nothing), None);
    }
}

/// A lexicon and its graph contain the same words.
#[test]
fn the_graph_holds_exactly_the_words() {
    let lexicon = FstLexicon::builtin();
    let graph = lexicon.to_graph();
    let mut count = 0;
    let mut near = 0;
    lexicon.for_each(|word| {
        assert!(graph.contains(word), "{word:?}");
        count += 1;
        // Every word with one letter changed is asked of both.
        let mut changed = word.to_vec();
        let at = count % word.len();
        changed[at] = Letter::from_number(u8::try_from(1 + count % 26).unwrap()).unwrap();
        assert_eq!(graph.contains(&changed), lexicon.contains(&changed));
        near += usize::from(graph.contains(&changed));
        let shorter = &word[..word.len() - 1];
        assert_eq!(graph.contains(shorter), lexicon.contains(shorter));
    });
    assert_eq!(count as u64, lexicon.words());
    assert!(near < count / 2, "most changed words are none");
    assert!(!graph.contains(&[]));
    assert!(!graph.contains(&[Letter::from_number(200).unwrap(); 3]));
}
