//! A letter about a game is made from the game as it is now, or not at all.

use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::EndReason;
use tilewire_rules::game::Action;
use tilewire_rules::time::{Timestamp, TurnNo};

use super::*;
pub(super) use crate::pages::tests::Table;
use tilewire_store::AwaitedAction;

const LIMIT_MS: i64 = 72 * 3_600_000;
const CLOCK: ClockKind = ClockKind::PerMove {
    limit_ms: LIMIT_MS,
    bank_ms: 0,
};

fn turn(seat: Seat, number: u32) -> Letter {
    let asked = AwaitedAction::Turn(TurnNo(number));
    Letter::Turn { seat, asked }
}

fn reminder(seat: Seat, number: u32, deadline: Option<Timestamp>) -> Letter {
    Letter::Reminder {
        seat,
        asked: AwaitedAction::Turn(TurnNo(number)),
        deadline,
        from: None,
    }
}

#[track_caller]
fn check(table: &Table, letter: &Letter, expected: Option<&About>) {
    let found = game_content(table.state(), letter).map(|(about, _)| about);
    assert_eq!(found.as_ref(), expected, "{letter:?}");
}

#[test]
fn a_letter_about_a_turn_of_the_past_says_nothing() {
    let mut table = Table::begin("email-validated", 2, CLOCK);
    let first = table.on_turn();
    let second = Seat(1 - first.0);
    let deadline = Some(table.state().last_at().plus(LIMIT_MS));
    let asked = |is_reminder| About::Turn {
        asked: AwaitedAction::Turn(TurnNo(1)),
        deadline,
        is_reminder,
    };
    check(&table, &turn(first, 1), Some(&asked(false)));
    check(&table, &reminder(first, 1, deadline), Some(&asked(true)));
    check(&table, &turn(second, 1), None);
    check(&table, &turn(first, 2), None);
    // A deadline that has moved.
    let earlier = deadline.map(|at| at.plus(-1));
    check(&table, &reminder(first, 1, earlier), None);

    table.pass();
    check(&table, &turn(first, 1), None);
    check(&table, &reminder(first, 1, deadline), None);
    assert!(game_content(table.state(), &turn(second, 2)).is_some());
}

/// The player who is asked gets a letter that says more.
#[test]
fn an_update_is_for_players_who_are_not_asked() {
    let mut table = Table::begin("email-validated", 3, CLOCK);
    table.pass();
    for seat in Seat::all(3) {
        let expected = (seat != table.on_turn()).then_some(About::Update);
        check(&table, &Letter::Update { seat }, expected.as_ref());
        check(&table, &Letter::Result { seat }, None);
    }
}

#[test]
fn after_the_end_there_are_results_only() {
    let mut table = Table::begin("email-validated", 2, CLOCK);
    let loser = table.on_turn();
    table.act(loser, Action::Resign);
    for seat in Seat::all(2) {
        let about = About::Result {
            reason: EndReason::Resignation,
            has_won: seat != loser,
            is_shared: false,
        };
        check(&table, &Letter::Result { seat }, Some(&about));
        check(&table, &Letter::Update { seat }, None);
        check(&table, &turn(seat, 1), None);
    }
}

/// A challenge asks the author, and the turn waits.
#[test]
fn a_challenge_replaces_the_letter_about_the_turn() {
    let mut table = Table::begin("email-challenge", 2, CLOCK);
    let author = table.on_turn();
    let turn_no = table.state().turn().unwrap().no;
    let placement = crate::pages::tests::some_play(table.state(), author);
    table.act(author, Action::Play { turn_no, placement });
    let challenger = table.on_turn();
    assert!(game_content(table.state(), &turn(challenger, 2)).is_some());
    let play_id = table.state().window().unwrap().play_id;
    table.act(challenger, Action::Challenge(play_id));
    check(&table, &turn(challenger, 2), None);
    let asked = AwaitedAction::Consent(play_id);
    let letter = Letter::Turn {
        seat: author,
        asked,
    };
    let about = About::Turn {
        asked,
        deadline: Some(table.state().last_at().plus(LIMIT_MS)),
        is_reminder: false,
    };
    check(&table, &letter, Some(&about));
}
