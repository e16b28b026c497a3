//! Measures the time to list plays, to find the best one, to build the word graph, and to look up words.
//!
//! The positions come from games in which both sides take the highest score, with fixed seeds, so every run measures
//! the same positions. Times are for all positions of a set; `items` are positions (or words).

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::sync::{Arc, LazyLock};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use tilewire_rules::alphabet::{Letter, Tile};
use tilewire_rules::analysis::{Engine, Seen, Simulation};
use tilewire_rules::board::Board;
use tilewire_rules::lexicon::{FstLexicon, Lexicon, WordGraphs};
use tilewire_rules::movegen::{Generator, WordGraph};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::Runs;
use tilewire_rules::stream::{Seed, Stream};
use tilewire_rules::time::Seat;

const GAMES: u64 = 10;

static GRAPH: LazyLock<WordGraph> = LazyLock::new(|| FstLexicon::builtin().to_graph());
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| (0..GAMES).flat_map(game).collect());

struct Position {
    board: Board,
    rack: Vec<Tile>,
    /// Tiles in the bag.
    bag: usize,
}

impl Position {
    fn seen<'a>(&'a self, rules: &'a RuleSet) -> Seen<'a> {
        Seen {
            rules,
            challenge: ChallengeKind::Void,
            board: &self.board,
            rack: &self.rack,
            seat: Seat(0),
            scores: vec![0, 0],
            targets: Vec::new(),
            known: Vec::new(),
            rack_counts: vec![7, 7],
            bag: self.bag,
            turn_no: 1,
            inactivity: rules.usual.inactivity,
            runs: Runs::default(),
        }
    }
}

/// The positions of a game in which each side plays for points alone.
fn game(seed: u64) -> Vec<Position> {
    let rules = RuleSet::classic();
    let mut generator = Generator::new();
    let mut bag = shuffled(rules.tiles.all(), seed);
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    let mut racks = [bag.split_off(bag.len() - 7), bag.split_off(bag.len() - 7)];
    let mut positions = Vec::new();
    for turn in 0.. {
        let rack = &mut racks[turn % 2];
        positions.push(Position {
            board: board.clone(),
            rack: rack.clone(),
            bag: bag.len(),
        });
        let Some(best) = generator.best(&GRAPH, &rules, &board, rack) else {
            break;
        };
        for (square, placed) in best.resolve(&rules, &board, rack).unwrap().placed() {
            board.place(*square, *placed);
            let held = rack.iter().position(|tile| *tile == placed.tile);
            rack.swap_remove(held.unwrap());
        }
        let drawn = bag.len().saturating_sub(7 - rack.len());
        rack.extend(bag.drain(drawn..));
        if rack.is_empty() {
            break;
        }
    }
    positions
}

fn shuffled(mut tiles: Vec<Tile>, seed: u64) -> Vec<Tile> {
    let mut chance: Stream = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("bench");
    for last in (1..tiles.len()).rev() {
        let other = chance.uniform(u32::try_from(last + 1).unwrap());
        tiles.swap(last, other as usize);
    }
    tiles
}

fn main() {
    divan::main();
}

/// With and without a blank on the rack.
#[divan::bench_group]
mod plays {
    use super::*;

    fn each(
        bencher: Bencher<'_, '_>,
        blanks: &str,
        mut run: impl FnMut(&mut Generator, &RuleSet, &Position),
    ) {
        let rules = RuleSet::classic();
        let mut generator = Generator::new();
        let has_blank = |position: &&Position| position.rack.contains(&Tile::BLANK);
        let positions = POSITIONS.iter();
        let positions: Vec<_> = positions
            .filter(|p| has_blank(p) == (blanks == "blank"))
            .collect();
        let counted = bencher.counter(ItemsCount::new(positions.len()));
        counted.bench_local(|| {
            for position in &positions {
                run(&mut generator, &rules, position);
            }
        });
    }

    #[divan::bench(args = ["no blank", "blank"])]
    fn list(bencher: Bencher<'_, '_>, blanks: &str) {
        each(bencher, blanks, |generator, rules, position| {
            let mut sum = 0;
            generator.for_each(&GRAPH, rules, &position.board, &position.rack, |found| {
                sum += i64::from(found.score);
            });
            black_box(sum);
        });
    }

    #[divan::bench(args = ["no blank", "blank"])]
    fn best(bencher: Bencher<'_, '_>, blanks: &str) {
        each(bencher, blanks, |generator, rules, position| {
            black_box(generator.best(&GRAPH, rules, &position.board, &position.rack));
        });
    }

    #[divan::bench(args = ["no blank", "blank"])]
    fn any(bencher: Bencher<'_, '_>, blanks: &str) {
        each(bencher, blanks, |generator, rules, position| {
            black_box(generator.any(&GRAPH, rules, &position.board, &position.rack));
        });
    }
}

/// Turns by score and leave, and simulations of them.
#[divan::bench_group]
mod turns {
    use super::*;

    fn engine(rules: &RuleSet) -> Engine {
        let words = Arc::new(WordGraphs::new(&FstLexicon::builtin()));
        Engine::new(words, rules)
    }

    /// With and without a blank on the rack, and all positions.
    fn each(bencher: Bencher<'_, '_>, racks: &str, most: usize) {
        let rules = RuleSet::classic();
        let mut engine = engine(&rules);
        let wanted = |position: &&Position| {
            racks == "all" || position.rack.contains(&Tile::BLANK) == (racks == "blank")
        };
        let positions: Vec<_> = POSITIONS.iter().filter(wanted).collect();
        let counted = bencher.counter(ItemsCount::new(positions.len()));
        counted.bench_local(|| {
            for position in &positions {
                black_box(engine.list(&position.seen(&rules), most));
            }
        });
    }

    #[divan::bench(args = ["no blank", "blank", "all"])]
    fn list(bencher: Bencher<'_, '_>, racks: &str) {
        each(bencher, racks, 2);
    }

    #[divan::bench(args = ["no blank", "blank", "all"])]
    fn best(bencher: Bencher<'_, '_>, racks: &str) {
        each(bencher, racks, 1);
    }

    /// Six positions, 15 candidates, two further turns; `items` are samples of one candidate.
    #[divan::bench]
    fn sample(bencher: Bencher<'_, '_>) {
        const SAMPLES: u32 = 4;
        let rules = RuleSet::classic();
        let mut engine = engine(&rules);
        let positions: Vec<_> = POSITIONS.iter().filter(|p| p.bag > 7).collect();
        let seen: Vec<_> = (0..6)
            .map(|n| positions[n * positions.len() / 6].seen(&rules))
            .collect();
        let lists: Vec<_> = seen.iter().map(|seen| engine.list(seen, 15)).collect();
        let count = lists.iter().map(Vec::len).sum::<usize>() * SAMPLES as usize;
        bencher.counter(ItemsCount::new(count)).bench_local(|| {
            for (seen, candidates) in seen.iter().zip(&lists) {
                let of = Simulation {
                    seen,
                    candidates,
                    plies: 2,
                    seed: 1,
                };
                let all: Vec<usize> = (0..candidates.len()).collect();
                black_box(engine.sample(&of, &all, 0..SAMPLES, &|| false));
            }
        });
    }
}

#[divan::bench_group]
mod words {
    use super::*;

    /// Every tenth word in no order, and the same with one letter changed.
    fn asked() -> Vec<Vec<Letter>> {
        let mut words = Vec::new();
        FstLexicon::builtin().for_each(|word| words.push(word.to_vec()));
        let mut some: Vec<_> = (0..words.len() / 10)
            .map(|n| words[n * 7919 % words.len()].clone())
            .collect();
        for n in (0..some.len()).step_by(2) {
            let at = n % some[n].len();
            some[n][at] = Letter::from_number(u8::try_from(n % 26 + 1).unwrap()).unwrap();
        }
        some
    }

    #[divan::bench]
    fn graph_from_lexicon() -> WordGraph {
        FstLexicon::builtin().to_graph()
    }

    #[divan::bench]
    fn graph_contains(bencher: Bencher<'_, '_>) {
        let asked = asked();
        let counted = bencher.counter(ItemsCount::new(asked.len()));
        counted.bench(|| asked.iter().filter(|word| GRAPH.contains(word)).count());
    }

    #[divan::bench]
    fn fst_contains(bencher: Bencher<'_, '_>) {
        let (asked, lexicon) = (asked(), FstLexicon::builtin());
        let counted = bencher.counter(ItemsCount::new(asked.len()));
        counted.bench(|| asked.iter().filter(|word| lexicon.contains(word)).count());
    }
}
