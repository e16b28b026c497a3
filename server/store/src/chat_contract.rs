//! The contract for chat rooms as tests. Every [`ChatStore`] must pass them.

use tilewire_rules::time::Timestamp;

use super::account_contract::register;
use super::{AccountStore, ChatChange, ChatStore, DirectLine, DirectPair, StoredLine};

/// Checks a store that has no lines at first, and no accounts of these players.
pub(crate) async fn chat<S: AccountStore + ChatStore>(store: &S) {
    register(store, ["vera", "will", "xena"]).await;
    lines_come_back_in_order(store).await;
    a_number_keeps_its_line(store).await;
    direct_rooms_are_listed_by_their_newest_line(store).await;
}

fn line(room: &str, number: u64, at: i64) -> StoredLine {
    StoredLine {
        room: room.to_owned(),
        line: number,
        at: Timestamp(at),
        identity: "vera".to_owned(),
        name: "Vera".to_owned(),
        seat: (number % 2 == 1).then_some(1),
        cmd_id: format!("c-{number}"),
        text: format!("line {number} <b>\u{1f642}</b>"),
        is_hidden: false,
    }
}

async fn say(store: &dyn ChatStore, lines: Vec<StoredLine>) {
    let change = ChatChange {
        pairs: Vec::new(),
        lines,
    };
    store.say(change).await.unwrap();
}

async fn lines_come_back_in_order(store: &dyn ChatStore) {
    let all: Vec<StoredLine> = (1..=5).map(|number| line("p-1", number, 10)).collect();
    say(store, all[..2].to_vec()).await;
    say(store, all[2..].to_vec()).await;
    say(store, vec![line("p-10", 1, 11)]).await;
    for (after, most, expected) in [(0, 9, 0..5), (2, 9, 2..5), (0, 2, 3..5), (5, 9, 5..5)] {
        let found = store.lines("p-1", after, most).await.unwrap();
        assert_eq!(found, all[expected], "after {after}, at most {most}");
    }
    assert_eq!(store.lines("p-2", 0, 9).await.unwrap(), []);
}

/// A change that was stored though the caller heard nothing is made again, or its numbers are used again.
async fn a_number_keeps_its_line(store: &dyn ChatStore) {
    let both = [line("s-1", 1, 11), line("s-1", 2, 12)];
    for _ in 0..2 {
        say(store, both.to_vec()).await;
        assert_eq!(store.lines("s-1", 0, 9).await.unwrap(), both);
    }
    let mut other = line("s-1", 2, 13);
    other.cmd_id = "another".to_owned();
    let change = ChatChange {
        pairs: Vec::new(),
        lines: vec![line("s-2", 1, 13), other],
    };
    assert!(store.say(change).await.is_err(), "the number is taken");
    assert_eq!(store.lines("s-1", 0, 9).await.unwrap(), both);
    assert_eq!(store.lines("s-2", 0, 9).await.unwrap(), [], "nor the rest");
}

async fn direct_rooms_are_listed_by_their_newest_line(store: &dyn ChatStore) {
    let direct = async |room: &str, pair: [&str; 2], number, at| {
        let change = ChatChange {
            pairs: vec![DirectPair {
                room: room.to_owned(),
                pair: pair.map(str::to_owned),
            }],
            lines: vec![line(room, number, at)],
        };
        store.say(change).await.unwrap();
    };
    direct("d-1", ["vera", "will"], 1, 20).await;
    direct("d-2", ["vera", "xena"], 1, 21).await;
    direct("d-1", ["vera", "will"], 2, 22).await;
    let listed = |room: &str, other: &str, last, at| DirectLine {
        room: room.to_owned(),
        other: other.to_owned(),
        handle: other.to_owned(),
        last,
        at: Timestamp(at),
    };
    let rooms = async |identity, most| store.direct_rooms(identity, most).await.unwrap();
    let all = [listed("d-1", "will", 2, 22), listed("d-2", "xena", 1, 21)];
    assert_eq!(rooms("vera", 9).await, all);
    assert_eq!(rooms("vera", 1).await, all[..1]);
    assert_eq!(rooms("xena", 9).await, [listed("d-2", "vera", 1, 21)]);
    assert_eq!(rooms("nobody", 9).await, []);
}
