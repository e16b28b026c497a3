//! The view of a client when an owner is lost.

use super::*;

/// A pause would show a spectator of a delayed game how the game is now.
#[test]
fn a_spectator_of_a_delayed_game_is_told_of_no_pause() {
    let mut table = Table::new();
    table.ask(1, &attach(Some((9, 4))));
    let delayed = Outcome::Attached(Attached {
        epoch: 9,
        with_snapshot: false,
        is_spectator: true,
        is_delayed: true,
    });
    let answer = |relay_id| vec![frame(FrameSummary::Answer(relay_id, delayed.clone()))];
    assert_eq!(sent(&table.frames(OWNER, 1, answer(1))), ["frames [1]"]);
    table.input(Input::Down(OWNER));
    assert_eq!(table.after(2_000), []);
    let effects = table.input(Input::Placed(Box::new(parts(NEXT, 2, OWNER))));
    let expected = ["3: open 2", "3: attach 9/4 by 2, id 2, term 2"];
    assert_eq!(sent(&effects), expected);
    let frames = [answer(2), vec![frame(FrameSummary::Event(game(), 5))]].concat();
    assert_eq!(sent(&table.frames(NEXT, 2, frames)), ["frames [0]"]);
    // The next owner has said so too.
    table.input(Input::Down(NEXT));
    assert_eq!(table.after(2_000), []);
}

/// The storage has refused a node that does not know yet that it has lost the game: it would load the game in vain.
#[test]
fn a_game_that_is_let_go_waits_while_no_next_owner_is_known() {
    let mut table = Table::following();
    let let_go = Input::Received(OWNER, ToGateway::LetGo(channel(1), game()));
    assert_eq!(table.input(let_go), []);
    assert_eq!(table.after(99), []);
    let expected = ["2: attach 9/5 by 1, id 2, term 1"];
    assert_eq!(sent(&table.after(1)), expected);
}

/// The first owner may have stored it. "Nothing was changed" would be wrong.
#[test]
fn a_request_in_doubt_is_asked_again_while_the_storage_does_not_answer() {
    let mut table = Table::new();
    table.ask(1, &pass("a"));
    table.input(Input::Down(OWNER));
    let again = table.input(Input::Placed(Box::new(parts(NEXT, 2, OWNER))));
    let expected = ["3: open 2", "3: pass a by 2, id 1, term 2"];
    assert_eq!(sent(&again), expected);
    let refused = |relay_id| {
        let outcome = Outcome::Refused("storage_paused".to_owned());
        vec![frame(FrameSummary::Answer(relay_id, outcome))]
    };
    assert_eq!(table.frames(NEXT, 2, refused(1)), []);
    assert_eq!(table.after(99), []);
    let expected = ["3: pass a by 2, id 1, term 2"];
    assert_eq!(sent(&table.after(1)), expected);
    let done = vec![frame(FrameSummary::Answer(1, Outcome::Done))];
    assert_eq!(sent(&table.frames(NEXT, 2, done)), ["frames [1]"]);
    // Nobody else can have carried out the next one.
    table.ask(2, &pass("b"));
    assert_eq!(sent(&table.frames(NEXT, 2, refused(2))), ["frames [2]"]);
}
