//! Compares the ends that the rules find by a search for plays, in whole games of bots, with slow and obvious searches.

use crate::alphabet::Tile;
use crate::board::Board;
use crate::bot::{Bot, BotLevel, Match, MatchResult, play_game};
use crate::event::{EndReason, Event, PublicEvent};
use crate::lexicon::{FstLexicon, Lexicon};
use crate::movegen::{Generator, WordGraph};
use crate::options::GameOptions;
use crate::ruleset::RuleSet;
use crate::state::State;
use crate::time::Seat;
use std::sync::Arc;

fn play(seed: u64, change: impl FnOnce(&mut GameOptions)) -> MatchResult {
    let (lexicon, rules) = (FstLexicon::builtin(), rules());
    let mut options = GameOptions::usual(&rules, lexicon.name());
    change(&mut options);
    let words = lexicon.graphs().unwrap();
    let mut bots =
        [BotLevel::Club, BotLevel::Beginner].map(|level| Bot::new(level, Arc::clone(&words)));
    let of = Match {
        rules,
        options,
        seed,
    };
    play_game(&of, &*lexicon, &mut bots, |_, _| {}).unwrap()
}

fn rules() -> Arc<RuleSet> {
    RuleSet::builtin("wordfeud").unwrap()
}

/// The states after each turn with an empty bag, the last one being that before the end.
fn turns_without_bag(result: &MatchResult) -> Vec<State> {
    let mut states = Vec::new();
    let mut state = State::begin(rules(), &result.records[0]).unwrap();
    for record in &result.records[1..] {
        let is_end = matches!(record.event, Event::Public(PublicEvent::Ended(_)));
        let begins_turn = matches!(record.event, Event::Public(PublicEvent::TurnStarted { .. }));
        if is_end && state.tiles().bag().is_empty() {
            states.push(state.clone());
        }
        state.apply(record).unwrap();
        if begins_turn && state.tiles().bag().is_empty() {
            states.push(state.clone());
        }
    }
    states
}

/// 000-C-G9 to the letter, decision 17: "all possible plays have been made".
#[test]
fn a_game_ends_when_no_seat_has_a_play() {
    let words = FstLexicon::builtin().graphs().unwrap();
    let can_play = |state: &State| {
        Seat::all(2).any(|seat| {
            let tiles = state.tiles();
            let plays =
                Generator::new().all(words.all(), state.rules(), tiles.board(), tiles.rack(seat));
            !plays.is_empty()
        })
    };
    let mut ended = 0;
    for seed in 0..600 {
        let result = play(seed, |options| options.all_played = true);
        let states = turns_without_bag(&result);
        let Some((last, before)) = states.split_last() else {
            continue;
        };
        let is_all_played = result.ended.reason == EndReason::AllPlayed;
        // The turn that emptied the bag starts the next one only if the game goes on.
        assert!(
            before.iter().all(can_play),
            "seed {seed}: it would have ended before"
        );
        if is_all_played {
            assert!(!can_play(last), "seed {seed}");
            assert!(
                result
                    .ended
                    .results
                    .iter()
                    .all(|seat| seat.rack_points <= 0)
            );
            ended += 1;
        }
    }
    assert!(ended > 0, "some game ended so");
}

/// The most points that the trailing seat, which is on turn, can gain on the leading seat if both seats help it. A turn
/// is a play or a pass.
fn most(graph: &WordGraph, board: &Board, racks: [&[Tile]; 2], passes: u32) -> i32 {
    let rules = rules();
    let sum = |rack: &[Tile]| rules.tiles.sum(rack);
    // The seat on turn comes first; the result is trailing minus leading, so the sign changes with the side.
    let counted = |mine: &[Tile], theirs: &[Tile]| sum(theirs) - sum(mine);
    let mut best = if passes == 2 {
        counted(racks[0], racks[1])
    } else {
        -least(graph, board, [racks[1], racks[0]], passes + 1)
    };
    for play in Generator::new().all(graph, &rules, board, racks[0]) {
        let (after, left) = lay(board, racks[0], &play);
        let follows = if left.is_empty() {
            2 * sum(racks[1])
        } else {
            -least(graph, &after, [racks[1], &left], 0)
        };
        best = best.max(play.score + follows);
    }
    best
}

/// The same for the leading seat, which is on turn: the fewest points that it can gain on the trailing seat.
fn least(graph: &WordGraph, board: &Board, racks: [&[Tile]; 2], passes: u32) -> i32 {
    let rules = rules();
    let sum = |rack: &[Tile]| rules.tiles.sum(rack);
    let mut worst = if passes == 2 {
        sum(racks[1]) - sum(racks[0])
    } else {
        -most(graph, board, [racks[1], racks[0]], passes + 1)
    };
    for play in Generator::new().all(graph, &rules, board, racks[0]) {
        let (after, left) = lay(board, racks[0], &play);
        let follows = if left.is_empty() {
            2 * sum(racks[1])
        } else {
            -most(graph, &after, [racks[1], &left], 0)
        };
        worst = worst.min(play.score + follows);
    }
    worst
}

fn lay(board: &Board, rack: &[Tile], play: &crate::movegen::Scored) -> (Board, Vec<Tile>) {
    let (mut after, mut left) = (board.clone(), rack.to_vec());
    for (square, placed) in play.placement.squares() {
        after.place(square, placed);
        left.remove(left.iter().position(|tile| *tile == placed.tile).unwrap());
    }
    (after, left)
}

/// 000-F6c, decision 18: the game ends only when the trailing seat could not reach the other in any course of the game.
#[test]
fn a_game_ends_when_no_seat_can_catch_up() {
    let words = FstLexicon::builtin().graphs().unwrap();
    let mut ended = 0;
    let mut compared = 0;
    for seed in 0..60 {
        let result = play(seed, |options| options.uncatchable = true);
        if result.ended.reason != EndReason::Uncatchable {
            continue;
        }
        ended += 1;
        let states = turns_without_bag(&result);
        let state = states.last().expect("the bag was empty");
        let tiles = state.tiles();
        assert!(tiles.bag().is_empty());
        let scores: Vec<i32> = state.seats().iter().map(|seat| seat.score).collect();
        let trailing = if scores[0] <= scores[1] {
            Seat(0)
        } else {
            Seat(1)
        };
        let leading = Seat(1 - trailing.0);
        let racks = [tiles.rack(trailing), tiles.rack(leading)];
        if racks[0].len() + racks[1].len() > 5 {
            continue;
        }
        compared += 1;
        let behind = scores[leading.index()] - scores[trailing.index()];
        let last = state.history().last().expect("turns were played").seat;
        let made_up = if last == trailing {
            -least(words.all(), tiles.board(), [racks[1], racks[0]], 0)
        } else {
            most(words.all(), tiles.board(), racks, 0)
        };
        assert!(made_up < behind, "seed {seed}: {made_up} of {behind}");
        assert_eq!(result.ended.winners, [leading]);
    }
    assert!(
        ended > 3 && compared > 0,
        "{ended} ended so, {compared} compared"
    );
}
