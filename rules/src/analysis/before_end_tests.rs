//! Positions before the end: equal to a search of every line of play with every draw.

use super::after::After;
use super::sample_tests::{watch, words};
use super::tests::by_brute_force;
use super::*;
use crate::tiles::without;

/// How many positions of games are compared.
const CHECKED: usize = 3;

fn budget(nodes: u64) -> BeforeEndBudget<'static> {
    BeforeEndBudget {
        kept: None,
        nodes,
        stop: &|| false,
    }
}

/// Calls `check` with positions of games: `bag` tiles lie in the bag, and the opponent has at least one.
fn with_bag(rules: &str, (tiles, bag): (usize, usize), mut check: impl FnMut(&Seen<'_>)) {
    let rules = RuleSet::builtin(rules).unwrap();
    let mut checked = 0;
    for seed in 0..12 {
        watch(&rules, (2, seed), |seen| {
            let Some(other) = seen.other_rack() else {
                return;
            };
            if other.len() <= bag || seen.rack.len() + other.len() > tiles || checked == CHECKED {
                return;
            }
            checked += 1;
            let mut rack_counts = vec![other.len() - bag; 2];
            rack_counts[seen.seat.index()] = seen.rack.len();
            check(&Seen {
                rack_counts,
                bag,
                ..seen.clone()
            });
        });
    }
    assert_eq!(checked, CHECKED, "positions");
}

/// The mean result and lead of a turn that draws the bag, over all orders of the unseen tiles.
fn over_all_draws(seen: &Seen<'_>, candidate: &Candidate) -> (u16, i64) {
    let (unseen, after) = (seen.unseen(), After::new(seen, candidate));
    let mut draws: Vec<Vec<Tile>> = vec![Vec::new()];
    for _ in 0..seen.bag {
        draws = draws
            .iter()
            .flat_map(|drawn| {
                let left = without(&unseen, drawn).unwrap();
                left.into_iter()
                    .map(|tile| [&drawn[..], &[tile]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let (mut win, mut lead) = (0_i64, 0_i64);
    for drawn in &draws {
        let other = without(&unseen, drawn).unwrap();
        let own = [&after.rack[..], drawn].concat();
        let position = after.ending(seen, &other, &own);
        let tiles = &seen.rules.tiles;
        let value = match after.is_idle(seen) {
            true => tiles.sum(&own) - tiles.sum(&other),
            false => by_brute_force(
                words().all(),
                &position,
                position.board,
                position.racks,
                (position.runs, position.is_all_zero),
            ),
        };
        let of = seen.lead() + candidate.score - value;
        win += i64::from(decided(of));
        lead += i64::from(of) * 100;
    }
    let count = i64::try_from(draws.len()).unwrap();
    (u16::try_from(win / count).unwrap(), lead.div_euclid(count))
}

#[test]
fn results_are_those_of_every_draw_and_every_line_of_play() {
    let mut compared = 0;
    for (rules, bag) in [
        ("classic", 1),
        ("classic", 2),
        ("wordfeud", 1),
        ("super", 1),
    ] {
        with_bag(rules, (4, bag), |seen| {
            let mut engine = Engine::new(words(), seen.rules);
            let found = engine.before_end(seen, budget(u64::MAX)).unwrap();
            assert!(found.is_finished && found.stage == BeforeEnd::STAGES);
            for turn in &found.turns {
                let Some(sure) = turn.sure else {
                    continue;
                };
                let (win, lead) = over_all_draws(seen, &turn.candidate);
                assert_eq!(turn.win, win, "{rules} {bag} {turn:?}");
                assert!(sure <= win);
                if turn.is_exact {
                    assert_eq!(turn.lead, lead, "{rules} {bag} {turn:?}");
                }
                compared += 1;
            }
        });
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn an_unfinished_search_says_so_and_claims_no_certain_result() {
    with_bag("classic", (10, 1), |seen| {
        let mut engine = Engine::new(words(), seen.rules);
        let found = engine.before_end(seen, budget(0)).unwrap();
        assert!(!found.is_finished || found.turns.iter().all(|turn| turn.sure.is_none()));
        let open = found.turns.iter().filter(|turn| turn.sure.is_none());
        for turn in open {
            assert!((1..CERTAIN).contains(&turn.win) && !turn.is_exact);
        }
        assert_eq!(engine.before_end(seen, budget(0)), Some(found));
        let stopped = BeforeEndBudget {
            stop: &|| true,
            ..budget(u64::MAX)
        };
        assert_eq!(engine.before_end(seen, stopped), None);
        let pass = Candidate {
            turn: BotTurn::Pass,
            score: 0,
            equity: -10_000,
        };
        let kept = BeforeEndBudget {
            kept: Some(&pass),
            ..budget(1_000)
        };
        let found = engine.before_end(seen, kept).unwrap();
        assert!(
            found
                .turns
                .iter()
                .any(|one| one.candidate.turn == BotTurn::Pass)
        );
        let larger = Seen {
            bag: MAX_BAG + 1,
            ..seen.clone()
        };
        assert_eq!(engine.before_end(&larger, budget(1_000)), None);
    });
}
