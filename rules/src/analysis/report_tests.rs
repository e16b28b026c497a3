//! Reports: sizes of mistakes by the bounds, and games that gain nothing from a comparison.

use super::sample_tests::{first, watch, words};
use super::*;
use crate::board::Square;
use crate::bot::{BotTurn, Seen};
use crate::ruleset::RuleSet;

fn evaluation(sureness: Sureness, (best, made): (u16, u16), (lead, own): (i64, i64)) -> Evaluation {
    let worth = |win, lead| Worth {
        turn: BotTurn::Pass,
        score: 0,
        win,
        lead,
    };
    Evaluation {
        sureness,
        best: worth(best, lead),
        made: worth(made, own),
        is_equal: false,
        is_choice: true,
        has_bingo: false,
        luck: None,
    }
}

#[test]
fn a_mistake_has_its_size_by_chance_or_by_points() {
    use Size::{Large, Medium, None, Small};
    let by_chance = |best, made| {
        let of = evaluation(Sureness::Sampled, (best, made), (9_000, 0));
        grade(&of).size
    };
    for (loss, due) in [
        (49, None),
        (50, Small),
        (299, Small),
        (300, Medium),
        (699, Medium),
        (700, Large),
    ] {
        assert_eq!(by_chance(6_000, 6_000 - loss), due, "{loss}");
    }
    let ending = |wins, points| {
        let of = evaluation(Sureness::Exact, wins, (points, 0));
        grade(&of).size
    };
    for (points, due) in [
        (0, None),
        (100, Small),
        (699, Small),
        (700, Medium),
        (1_499, Medium),
        (1_500, Large),
    ] {
        assert_eq!(ending((10_000, 10_000), points), due, "{points}");
    }
    assert_eq!(ending((10_000, 5_000), 100), Large, "a win became a tie");
    assert_eq!(ending((5_000, 0), 100), Large, "a tie became a loss");
    // A decided game is graded by points.
    for (points, due) in [(1_499, None), (1_500, Medium), (3_000, Large)] {
        let of = evaluation(Sureness::Sampled, (9_950, 9_940), (points, 0));
        assert_eq!(grade(&of).size, due, "{points}");
        let of = evaluation(Sureness::Sampled, (40, 30), (points, 0));
        assert_eq!(grade(&of).size, due, "{points}");
    }
    // A turn that is as good as the best is no mistake.
    let equal = Evaluation {
        is_equal: true,
        ..evaluation(Sureness::Sampled, (6_000, 5_000), (9_000, 0))
    };
    assert_eq!((grade(&equal).loss, grade(&equal).size), (0, None));
    assert_eq!(accuracy_of(0), 100.0);
    assert!(accuracy_of(1_000) > 60.0 && accuracy_of(1_000) < 66.0);
    assert_eq!(accuracy_of(10_000), 0.0);
}

const EFFORT: Effort = Effort {
    samples: 0,
    candidates: 1,
    plies: 2,
    nodes: 20_000,
    racks: 0,
    seed: 1,
};

fn judged(evaluation: &Evaluation) -> Judged<'_> {
    Judged {
        seat: 0,
        evaluation: Some(evaluation),
        is_bingo: false,
        best_is_bingo: false,
        is_phony: false,
        is_off: false,
        time_ms: None,
    }
}

#[test]
fn a_game_of_best_moves_has_no_mistake() {
    let rules = RuleSet::classic();
    let mut engine = Engine::new(words(), &rules);
    let mut evaluations = Vec::new();
    watch(&rules, (2, 9), |seen| {
        let sampled = Effort {
            samples: 64,
            candidates: 2,
            ..EFFORT
        };
        let effort = if seen.turn_no % 5 == 0 {
            sampled
        } else {
            EFFORT
        };
        let list = engine.list(seen, 1);
        let turn = (&list[0].turn, list[0].score);
        let first = engine
            .evaluate(seen, turn, None, &effort, &|| false)
            .unwrap();
        let best = (&first.best.turn, first.best.score);
        evaluations.push(
            engine
                .evaluate(seen, best, None, &effort, &|| false)
                .unwrap(),
        );
    });
    let turns: Vec<Judged<'_>> = evaluations.iter().map(judged).collect();
    let figures = figures(1, &turns);
    assert_eq!((figures[0].accuracy, figures[0].mistakes), (Some(100.0), 0));
    assert!(figures[0].compared > 15);
    assert!(
        evaluations
            .iter()
            .any(|one| one.sureness == Sureness::Exact)
    );
}

#[test]
fn a_worse_turn_loses_and_luck_is_that_of_the_draw() {
    let rules = RuleSet::classic();
    let mut engine = Engine::new(words(), &rules);
    first(
        &rules,
        (2, 3),
        |seen| seen.turn_no > 3,
        |seen| {
            let pass = (&BotTurn::Pass, 0);
            let of = |engine: &mut Engine, kept: &[_], racks| {
                let effort = Effort { racks, ..EFFORT };
                engine
                    .evaluate(seen, pass, Some(kept), &effort, &|| false)
                    .unwrap()
            };
            let passed = of(&mut engine, &[], 20);
            assert!(!passed.is_equal && grade(&passed).loss > 0);
            assert!(passed.luck.is_some());
            assert_eq!(
                of(&mut engine, seen.rack, 20).luck,
                None,
                "nothing was drawn"
            );
            assert_eq!(of(&mut engine, &[], 0).luck, None);
            // The best turn stays the best on the board turned over.
            let turned = transposed(seen);
            let seen = Seen {
                board: &turned,
                ..seen.clone()
            };
            let other = engine
                .evaluate(&seen, pass, None, &EFFORT, &|| false)
                .unwrap();
            assert_eq!(grade(&other), grade(&passed));
        },
    );
}

fn transposed(seen: &Seen<'_>) -> Board {
    let mut board = Board::new(seen.board.cols(), seen.board.rows());
    for (square, placed) in seen.board.iter() {
        board.place(Square::new(square.col, square.row), placed);
    }
    board
}
