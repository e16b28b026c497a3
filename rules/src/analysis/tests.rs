//! Endings equal those of a search without a table, windows and order, in every rule set.

use std::sync::{Arc, OnceLock};

use super::*;
use crate::bot::{Bot, BotLevel, Match, play_game};
use crate::choices::{CountedTurns, TurnLimit};
use crate::lexicon::{FstLexicon, Lexicon, WordGraphs};
use crate::movegen::{Generator, Scored, WordGraph};
use crate::options::GameOptions;
use crate::record::cgp;

pub(super) fn words() -> &'static Arc<WordGraphs> {
    static WORDS: OnceLock<Arc<WordGraphs>> = OnceLock::new();
    WORDS.get_or_init(|| Arc::new(WordGraphs::new(&FstLexicon::builtin())))
}

/// A search of every line of play to its end.
pub(super) fn by_brute_force(
    graph: &WordGraph,
    position: &EndPosition<'_>,
    board: &Board,
    racks: [&[Tile]; 2],
    (runs, is_all_zero): (Runs, bool),
) -> i32 {
    let rules = position.rules;
    let unplayed = |rack: &[Tile]| rules.tiles.sum(rack);
    let follows = |board: &Board, left: &[Tile], runs: Runs, is_all_zero: bool| match position
        .inactivity
        .ends(runs, 2, is_all_zero)
    {
        Some(_) => unplayed(left) - unplayed(racks[1]),
        None => by_brute_force(
            graph,
            position,
            board,
            [racks[1], left],
            (runs, is_all_zero),
        ),
    };
    let passed = -follows(board, racks[0], runs.after_pass(), is_all_zero);
    let plays = Generator::new().all(graph, rules, board, racks[0]);
    let values = plays.iter().map(|play| {
        let mut after = board.clone();
        let mut left = racks[0].to_vec();
        for (square, placed) in play.placement.squares() {
            after.place(square, placed);
            left.remove(left.iter().position(|tile| *tile == placed.tile).unwrap());
        }
        let runs = match play.score {
            0 => runs.after_play_worth_nothing(),
            _ => Runs::default(),
        };
        match left.is_empty() {
            true => play.score + 2 * unplayed(racks[1]),
            false => play.score - follows(&after, &left, runs, is_all_zero && play.score == 0),
        }
    });
    values.fold(passed, i32::max)
}

fn solve(position: &EndPosition<'_>, table: usize, nodes: u64) -> Ending {
    rank(position, table, nodes, 1)
}

fn rank(position: &EndPosition<'_>, table: usize, nodes: u64, turns: usize) -> Ending {
    let mut search = EndingSearch::with_table(table);
    let budget = EndingBudget {
        turns,
        nodes,
        stop: &|| false,
    };
    search.solve(&mut Generator::new(), words().all(), position, budget)
}

/// The value of a play by a plain search.
fn value_of(position: &EndPosition<'_>, play: &Scored) -> i32 {
    let mut board = position.board.clone();
    let mut left = position.racks[0].to_vec();
    for (square, placed) in play.placement.squares() {
        board.place(square, placed);
        left.remove(left.iter().position(|tile| *tile == placed.tile).unwrap());
    }
    let [_, other] = position.racks;
    if left.is_empty() {
        return play.score + 2 * position.rules.tiles.sum(other);
    }
    let runs = match play.score {
        0 => position.runs.after_play_worth_nothing(),
        _ => Runs::default(),
    };
    let is_all_zero = position.is_all_zero && play.score == 0;
    if position.inactivity.ends(runs, 2, is_all_zero).is_some() {
        return play.score + position.rules.tiles.sum(other) - position.rules.tiles.sum(&left);
    }
    play.score
        - by_brute_force(
            words().all(),
            position,
            &board,
            [other, &left],
            (runs, is_all_zero),
        )
}

/// Plays a game of clubs to its end and hands over every ending.
fn endings_of(rules: &Arc<RuleSet>, seed: u64, mut visit: impl FnMut(&EndPosition<'_>)) {
    let lexicon = FstLexicon::builtin();
    let of = Match {
        rules: Arc::clone(rules),
        options: GameOptions::usual(rules, lexicon.name()),
        seed,
    };
    let mut bots = [(); 2].map(|()| Bot::new(BotLevel::Club, Arc::clone(words())));
    let ended = play_game(&of, &*lexicon, &mut bots, |seen, _| {
        if let Some(other) = seen.other_rack() {
            visit(&seen.ending(&other));
        }
    });
    ended.unwrap();
}

#[test]
fn proved_endings_are_those_of_a_plain_search() {
    let mut compared = 0;
    // The last one goes on while every score is 0, up to two turns of each seat.
    let inactive = [
        (TurnLimit::Total(2), CountedTurns::Passes, false),
        (TurnLimit::PerActiveSeat(2), CountedTurns::Scoreless, false),
        (TurnLimit::Total(3), CountedTurns::WithoutScore, false),
        (TurnLimit::Total(2), CountedTurns::Passes, true),
    ];
    let two_seats = RuleSet::builtins().iter();
    let two_seats = two_seats.filter(|rules| rules.min_seats <= 2 && rules.targets.is_none());
    for (rules, seed) in two_seats.flat_map(|rules| (0..4).map(move |seed| (rules.clone(), seed))) {
        endings_of(&rules, seed, |position| {
            let tiles = position.racks.concat().len();
            if tiles > 4 {
                return;
            }
            for (limit, counts, unless_all_zero) in inactive {
                let position = EndPosition {
                    inactivity: InactivityRule {
                        limit,
                        counts,
                        unless_all_zero,
                        cap_per_seat: 2,
                    },
                    is_all_zero: unless_all_zero,
                    ..*position
                };
                let state = (position.runs, position.is_all_zero);
                let due = by_brute_force(
                    words().all(),
                    &position,
                    position.board,
                    position.racks,
                    state,
                );
                // A small table forgets, a large one keeps: neither changes a value.
                for table in [1, 1 << 10] {
                    let ending = solve(&position, table, u64::MAX);
                    assert_eq!(
                        (ending.turns[0].value, ending.proof),
                        (due, Proof::Exact),
                        "{} {seed}",
                        rules.id
                    );
                }
                let ranked = rank(&position, 1 << 10, u64::MAX, 4).turns;
                assert!(ranked.iter().map(|turn| turn.value).rev().is_sorted());
                for turn in ranked
                    .iter()
                    .filter_map(|turn| Some((turn.play.as_ref()?, turn.value)))
                {
                    assert_eq!(turn.1, value_of(&position, turn.0), "{turn:?}");
                }
                compared += 1;
            }
        });
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn endings_have_their_proved_values() {
    let rules = RuleSet::classic();
    for line in include_str!("../../tests/data/endings.tsv").lines().skip(1) {
        let [id, text, value] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let position = cgp::parse(text, &rules.tiles).unwrap();
        let position = EndPosition {
            rules: &rules,
            inactivity: rules.usual.inactivity,
            runs: Runs::default(),
            is_all_zero: false,
            board: &position.board,
            racks: [&position.racks[0], &position.racks[1]],
        };
        let ending = solve(&position, 1 << 16, 1_000_000);
        let due: i32 = value.parse().unwrap();
        assert_eq!(
            (ending.turns[0].value, ending.proof),
            (due, Proof::Exact),
            "{id}"
        );
        assert_eq!(
            gain(&position, &ending.line),
            due,
            "{id}: {:?}",
            ending.line
        );
    }
}

/// The points that a whole line of play gains for the player who begins.
fn gain(position: &EndPosition<'_>, line: &[Option<Scored>]) -> i32 {
    let mut board = position.board.clone();
    let mut racks = position.racks.map(<[_]>::to_vec);
    let (mut gain, mut sign, mut side) = (0, 1, 0);
    for turn in line {
        if let Some(play) = turn {
            let resolved = play.resolve(position.rules, &board, &racks[side]).unwrap();
            assert_eq!(resolved.score(), play.score);
            gain += sign * play.score;
            for (square, placed) in play.placement.squares() {
                board.place(square, placed);
                let at = racks[side].iter().position(|tile| *tile == placed.tile);
                racks[side].swap_remove(at.unwrap());
            }
        }
        (side, sign) = (1 - side, -sign);
    }
    let [own, other] = [0, 1].map(|side| position.rules.tiles.sum(&racks[side]));
    match racks.iter().any(Vec::is_empty) {
        true => gain + 2 * (other - own),
        false => gain + other - own,
    }
}

#[test]
fn a_search_ends_with_its_budget_and_when_it_is_told_to() {
    let check = |position: &EndPosition<'_>, nodes: u64, stop: &dyn Fn() -> bool, most: u64| {
        let mut search = EndingSearch::with_table(1 << 10);
        let budget = EndingBudget {
            turns: 3,
            nodes,
            stop,
        };
        let ending = search.solve(&mut Generator::new(), words().all(), position, budget);
        assert!(ending.nodes <= most, "{} of {most}", ending.nodes);
        assert!(!ending.turns.is_empty() && !ending.line.is_empty());
        ending.proof
    };
    let mut stopped = 0;
    endings_of(&RuleSet::classic(), 3, |position| {
        let proofs = [
            check(position, 9, &|| false, 9),
            check(position, 1 << 20, &|| true, 64),
        ];
        let is_stopped = |proof: &&Proof| matches!(proof, Proof::Depth(1..));
        stopped += proofs.iter().filter(is_stopped).count();
    });
    assert!(stopped > 0, "every ending was too short");
}

/// The values of all leaves of a rack, built from smaller ones, are those of single leaves, in every language.
#[test]
fn leaves_of_a_rack_have_the_values_of_single_leaves() {
    let mut generator = Generator::new();
    for rules in RuleSet::builtins() {
        let leaves = Leaves::for_tiles(&rules.tiles, &rules.language);
        let mut bag = rules.tiles.all();
        for seed in 0..12 {
            sample::seed(seed).stream("rack").shuffle(&mut bag);
            let rack = &bag[..usize::try_from(seed).unwrap()];
            let mut kept = generator.kept();
            kept.read(rules, rack);
            leaves.value_all(&mut kept);
            for (choice, value) in kept.values.iter().enumerate() {
                let laid = kept.tiles(choice);
                assert_eq!(usize::try_from(kept.counts[choice]), Ok(laid.len()));
                let mut counts = vec![0; 256];
                for tile in crate::tiles::without(rack, &laid).unwrap() {
                    counts[leave::kind(tile)] += 1;
                }
                assert_eq!(*value, leaves.value(&counts), "{rack:?} {choice}");
            }
            generator.keep(kept);
        }
    }
}
