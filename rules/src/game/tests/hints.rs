//! R-HINT: hints in casual games.

use super::*;
use crate::options::MAX_HINTS;

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];

fn with_hints(hints: u8) -> Setup {
    Setup::new(TWO).with(move |options| options.hints = hints)
}

/// Without challenges, so that no window is open after a play.
fn unchallenged(hints: u8) -> Setup {
    with_hints(hints).with(|options| options.challenge.kind = ChallengeKind::Void)
}

#[test]
fn the_seat_on_turn_uses_a_hint_and_all_learn_its_grade_only() {
    let mut table = with_hints(3).start();
    let seq = table.ok(A, "hint 3");
    let used = Event::Public(PublicEvent::HintUsed {
        seat: A,
        grade: HintGrade::Turn,
    });
    assert_eq!(table.last, [used]);
    let hint = table.state().hint().expect("a hint of this turn");
    assert_eq!((hint.seq, hint.seat, hint.turn_no), (seq, A, TurnNo(1)));
    table.ok(A, "pass");
    assert_eq!(table.state().hint(), None, "the turn is over");
    assert_eq!(table.state().hints().len(), 1);
}

#[test]
fn a_game_without_the_option_has_no_hints() {
    let mut table = with_hints(0).start();
    assert_eq!(table.refused(A, "hint 1"), Rejection::NoHints);
}

#[test]
fn the_same_or_a_lower_grade_in_one_turn_is_answered_again_and_costs_nothing() {
    let mut table = with_hints(2).start();
    let first = table.ok(A, "hint 2");
    for grade in ["hint 2", "hint 1"] {
        assert_eq!(table.ok(A, grade), first);
        assert_eq!(table.last_kinds(), [""; 0]);
    }
    let second = table.ok(A, "hint 3");
    assert_ne!(second, first, "a higher grade is another hint");
    assert_eq!(table.ok(A, "hint 2"), second);
    table.ok(A, "pass");
    table.ok(B, "hint 1");
    table.ok(B, "pass");
    assert_eq!(table.refused(A, "hint 1"), Rejection::HintsUsed);
}

#[test]
fn only_the_seat_on_turn_in_this_turn() {
    let mut table = with_hints(1).start();
    assert_eq!(table.refused(B, "hint 1"), Rejection::NotYourTurn);
    let expected = TurnNo(1);
    assert_eq!(
        table.refused(A, "hint 1 2"),
        Rejection::WrongPosition { expected }
    );
    let mut waiting = with_hints(1).seated();
    assert_eq!(waiting.refused(A, "hint 1"), Rejection::NotStarted);
}

#[test]
fn not_while_the_last_play_can_be_challenged() {
    let mut table = with_hints(1).start();
    table.ok(A, "8F HORN");
    let until = table.state().window().expect("a window").closes_at;
    assert_eq!(table.refused(B, "hint 3"), Rejection::CannotHint { until });
    table.ok(B, "accept");
    table.ok(B, "hint 3");
}

#[test]
fn not_in_the_final_phase() {
    let mut table = Setup::new(&["HORN", "PAST"])
        .with(|options| options.hints = 1)
        .only("")
        .start();
    table.ok(A, "8F HORN");
    assert_eq!(table.refused(B, "hint 1"), Rejection::FinalPhase);
}

#[test]
fn a_retry_gets_the_first_answer_in_the_next_turn_too() {
    let mut table = unchallenged(1).start();
    let first = table.send_as(A, "x", "hint 3 1");
    table.ok(A, "8F HORN");
    assert_eq!(table.send_as(A, "x", "hint 3 1"), first);
}

#[test]
fn rated_games_have_none_and_no_game_has_more_than_eight() {
    let rules = RuleSet::classic();
    let check = |hints: u8, rated: bool| {
        let options = GameOptions {
            hints,
            rated,
            ..GameOptions::classic("test")
        };
        options.validate(&rules).map_err(|error| error.field)
    };
    assert_eq!(check(MAX_HINTS, false), Ok(()));
    assert_eq!(check(0, true), Ok(()));
    assert_eq!(check(MAX_HINTS + 1, false), Err("hints"));
    assert_eq!(check(1, true), Err("hints"));
}

#[test]
fn a_record_with_another_hint_is_refused() {
    let mut table = with_hints(2).start();
    table.ok(A, "hint 2");
    let used = table.log.last().expect("the hint").clone();
    let errors = |log: &[Record]| {
        let report = check_native(&table.rules, log, Some(&table.lexicon));
        let errors = report.findings.iter();
        errors
            .filter(|finding| finding.severity == Severity::Error)
            .filter(|finding| !table.is_about_bag(finding.line))
            .count()
    };
    assert_eq!(errors(&table.log), 0);
    let with = |hints: &[(Seat, HintGrade)]| {
        let mut log = table.log.clone();
        log.pop();
        for (seat, grade) in hints {
            let seq = log.last().map_or(Seq(1), |record| record.seq.next());
            let event = Event::Public(PublicEvent::HintUsed {
                seat: *seat,
                grade: *grade,
            });
            log.push(Record {
                seq,
                event,
                command: None,
                ..used.clone()
            });
        }
        errors(&log)
    };
    let [theme, line, turn] = [HintGrade::Theme, HintGrade::Line, HintGrade::Turn];
    assert_eq!(with(&[(A, theme), (A, line)]), 0);
    assert!(with(&[(A, line), (A, theme)]) > 0, "a lower one");
    assert!(with(&[(B, line)]) > 0, "not on turn");
    assert!(with(&[(A, theme), (A, line), (A, turn)]) > 0, "a third");
}
