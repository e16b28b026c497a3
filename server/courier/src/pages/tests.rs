//! Which letters follow from the records of a game.

use tilewire_people::letters::LetterKind;
use tilewire_protocol::GameId;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::game::Action;
use tilewire_rules::time::TurnNo;

use super::*;
pub(crate) use crate::table::{START, Table, some_play};
use tilewire_store::AwaitedAction;

const LIMIT: Millis = Millis(72 * HOUR.0);
const WAIT: Millis = Millis(60_000);

impl Table {
    /// Returns the letters about the records behind a number.
    fn letters(&self, after: u64) -> Option<GameLetters> {
        let turned = ChangedGame {
            game: GameId::from("g1"),
            after,
            last: self.seq(),
        };
        letters_of(&self.stored(), &self.rules, &turned, WAIT).unwrap()
    }
}

fn per_move(limit_ms: Millis) -> ClockKind {
    ClockKind::PerMove {
        limit_ms: limit_ms.0,
        bank_ms: 0,
    }
}

/// Returns kind, reader and due time of letters, in order.
fn seen(letters: &GameLetters) -> Vec<(LetterKind, &str, i64)> {
    let letters = letters.letters.iter();
    letters
        .map(|one| {
            let due = one.due_at.since(START);
            (one.content.kind(), one.identity.as_str(), due)
        })
        .collect()
}

#[test]
fn the_beginning_of_a_game_asks_the_first_seat_and_reminds_it() {
    let table = Table::begin("email-validated", 2, per_move(LIMIT));
    let letters = table.letters(0).unwrap();
    let first = ["anna", "ben"][table.on_turn().index()];
    let began = table.state().last_at().since(START);
    let expected = [
        (LetterKind::Turn, first, began + WAIT.0),
        (LetterKind::Reminder, first, began + LIMIT.0 / 4 * 3),
        (LetterKind::Reminder, first, began + LIMIT.0 - 3 * HOUR.0),
    ];
    assert_eq!(seen(&letters), expected);
    assert_eq!(letters.outdated, Outdated::Asking);
}

/// 004: Done, Pass and Trade contact the next player.
#[test]
fn a_turn_asks_the_next_player_and_makes_the_letters_before_it_out_of_date() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    for _ in 0..2 {
        let (before, seat) = (table.seq(), table.on_turn());
        table.pass();
        let letters = table.letters(before).unwrap();
        assert_eq!(letters.outdated, Outdated::Asking);
        let next = ["anna", "ben"][table.on_turn().index()];
        assert_ne!(table.on_turn(), seat);
        let kinds: Vec<_> = seen(&letters)
            .into_iter()
            .map(|(kind, who, _)| (kind, who))
            .collect();
        let expected = [
            (LetterKind::Turn, next),
            (LetterKind::Reminder, next),
            (LetterKind::Reminder, next),
        ];
        assert_eq!(kinds, expected);
    }
}

/// 003: every player gets the scores after a turn.
#[test]
fn players_who_are_not_on_turn_get_an_update() {
    let mut table = Table::begin("email-validated", 3, per_move(LIMIT));
    let (before, seat) = (table.seq(), table.on_turn());
    table.pass();
    let letters = table.letters(before).unwrap();
    let update: Vec<_> = seen(&letters)
        .into_iter()
        .filter(|(kind, ..)| *kind == LetterKind::Update)
        .map(|(_, who, _)| who)
        .collect();
    let names = ["anna", "ben", "cleo"];
    let others = Seat::all(3).filter(|other| *other != seat && *other != table.on_turn());
    let others: Vec<_> = others.map(|seat| names[seat.index()]).collect();
    assert_eq!(update, others);
}

#[test]
fn the_end_of_a_game_is_told_to_all() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    let (before, seat) = (table.seq(), table.on_turn());
    table.act(seat, Action::Resign);
    let letters = table.letters(before).unwrap();
    let kinds: Vec<_> = seen(&letters)
        .into_iter()
        .map(|(kind, who, _)| (kind, who))
        .collect();
    let expected = [(LetterKind::Result, "anna"), (LetterKind::Result, "ben")];
    assert_eq!(kinds, expected);
    assert_eq!(letters.outdated, Outdated::Asking);
}

/// The 72 hours are over: the game is lost.
#[test]
fn the_end_of_the_time_is_told_to_all() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    let before = table.seq();
    table.wait();
    let letters = table.letters(before).unwrap();
    let kinds: Vec<_> = seen(&letters).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [LetterKind::Result; 2]);
}

/// 003: the author of a challenged play is asked, for as long as a turn takes.
#[test]
fn a_challenge_asks_the_author() {
    let mut table = Table::begin("email-challenge", 2, per_move(LIMIT));
    let author = table.on_turn();
    let placement = some_play(table.state(), author);
    let turn_no = table.state().turn().unwrap().no;
    table.act(author, Action::Play { turn_no, placement });
    let (before, challenger) = (table.seq(), table.on_turn());
    let play_id = table.state().window().expect("a window").play_id;
    table.act(challenger, Action::Challenge(play_id));
    let letters = table.letters(before).unwrap();
    let asked = letters.letters.iter().find_map(|one| match &one.content {
        Letter::Turn { seat, asked } => Some((*seat, *asked, one.until)),
        _ => None,
    });
    let until = table.now + LIMIT;
    assert_eq!(
        asked,
        Some((author, AwaitedAction::Consent(play_id), until))
    );
    let before = table.seq();
    table.act(author, Action::Withdraw(play_id));
    let letters = table.letters(before).unwrap();
    assert_eq!(letters.outdated, Outdated::Asking);
    let asked = letters.letters.iter().find_map(|one| match &one.content {
        Letter::Turn { seat, asked } => Some((*seat, *asked)),
        _ => None,
    });
    let turn = table.state().turn().unwrap();
    assert_eq!(asked, Some((turn.seat, AwaitedAction::Turn(turn.no))));
}

#[test]
fn time_that_is_given_moves_the_reminders_only() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    let target = table.on_turn();
    let giver = Seat(1 - target.0);
    let before = table.seq();
    let give = Action::GiveTime {
        target,
        time_ms: None,
    };
    table.act(giver, give);
    let letters = table.letters(before).unwrap();
    assert_eq!(letters.outdated, Outdated::Reminders);
    let kinds: Vec<_> = seen(&letters).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [LetterKind::Reminder; 2]);
}

/// R-NUDGE: one notice in a turn after half of the limit.
#[test]
fn a_nudge_is_a_reminder_of_the_other_player() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    let target = table.on_turn();
    let nudger = Seat(1 - target.0);
    table.now = table.now.plus(LIMIT.0 / 2 + HOUR.0);
    let before = table.seq();
    table.act(nudger, Action::Nudge);
    let letters = table.letters(before).unwrap();
    let [letter] = letters.letters.as_slice() else {
        panic!("{letters:?}");
    };
    let names = ["anna", "ben"];
    assert_eq!(letter.identity, names[target.index()]);
    let Letter::Reminder { from, seat, .. } = &letter.content else {
        panic!("{letter:?}");
    };
    assert_eq!(*seat, target);
    assert_eq!(from.as_deref(), Some(names[nudger.index()]));
    assert_eq!(letters.outdated, Outdated::Nothing);
}

#[test]
fn an_event_that_asks_for_nothing_new_has_no_letters() {
    let mut table = Table::begin("email-validated", 2, per_move(LIMIT));
    let before = table.seq();
    let seat = table.on_turn();
    table.act(seat, Action::RefuseTime);
    let letters = table.letters(before).unwrap();
    assert_eq!(
        (letters.outdated, letters.letters),
        (Outdated::Nothing, Vec::new())
    );
}

#[test]
fn a_live_game_has_no_letters() {
    let short = per_move(Millis(HOUR.0 - 1));
    let table = Table::begin("email-validated", 2, short);
    assert_eq!(table.letters(0), None);
}

#[test]
fn reminders_that_would_come_at_once_or_together_are_one() {
    for (limit, expected) in [
        (Millis(HOUR.0), vec![HOUR.0 / 4 * 3]),
        (Millis(4 * HOUR.0), vec![HOUR.0, 3 * HOUR.0]),
        (Millis(12 * HOUR.0), vec![9 * HOUR.0]),
    ] {
        let table = Table::begin("email-validated", 2, per_move(limit));
        let began = table.state().last_at().since(START);
        let letters = table.letters(0).unwrap();
        let due: Vec<_> = seen(&letters)
            .into_iter()
            .filter(|(kind, ..)| *kind == LetterKind::Reminder)
            .map(|(_, _, due)| due - began)
            .collect();
        assert_eq!(due, expected, "{limit:?}");
    }
}

/// A turn number is part of what is asked.
#[test]
fn a_turn_is_asked_by_its_number() {
    let table = Table::begin("email-validated", 2, per_move(LIMIT));
    let all = asking(table.state());
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].asked, AwaitedAction::Turn(TurnNo(1)));
    assert_eq!(all[0].deadline, Some(table.state().last_at() + LIMIT));
}
