//! Resume bookkeeping, step by step.

use super::*;
use tilewire_protocol::{EventBody, SeatReturned};

fn session() -> ClientSession {
    ClientSession::new("abc", 1).expect("a good prefix")
}

fn event(seq: u64) -> Event {
    Event {
        game: "g".into(),
        seq,
        at: 0,
        body: EventBody::SeatReturned(SeatReturned { seat: 0 }),
    }
}

fn answer(outcome: AttachOutcome, epoch: u64) -> OkBody {
    OkBody {
        outcome: Some(outcome),
        epoch: Some(epoch),
        ..OkBody::default()
    }
}

#[test]
fn events_are_applied_once_and_in_order() {
    let mut session = session();
    let game = GameId::from("g");
    let request = session.attach_from_start(&game, None);
    assert_eq!(request.seq, Some(0));
    session.attached(&request, &answer(AttachOutcome::Events, 7));
    assert_eq!(session.event(&event(1)), Arrival::Apply);
    assert_eq!(session.event(&event(2)), Arrival::Apply);
    assert_eq!(session.event(&event(2)), Arrival::Duplicate);
    assert_eq!(session.event(&event(1)), Arrival::Duplicate);
    assert_eq!(
        session.position(&game),
        Some(LogPosition { epoch: 7, seq: 2 })
    );
}

#[test]
fn a_gap_is_reported_once_and_healed_by_an_attach() {
    let mut session = session();
    let game = GameId::from("g");
    let request = session.attach_from_start(&game, None);
    session.attached(&request, &answer(AttachOutcome::Events, 7));
    assert_eq!(session.event(&event(1)), Arrival::Apply);
    assert_eq!(session.event(&event(4)), Arrival::Gap { expected: 2 });
    assert_eq!(session.event(&event(5)), Arrival::Unattached);

    let request = session.attach(&game, None);
    assert_eq!((request.epoch, request.seq), (Some(7), Some(1)));
    session.attached(&request, &answer(AttachOutcome::Events, 7));
    assert_eq!(session.event(&event(2)), Arrival::Apply);
}

#[test]
fn nothing_is_applied_between_the_announcement_of_a_snapshot_and_the_snapshot() {
    let mut session = session();
    let request = session.attach(&"g".into(), Some("CODE".to_owned()));
    assert_eq!(
        (request.epoch, request.seq, request.code.as_deref()),
        (None, None, Some("CODE"))
    );
    session.attached(&request, &answer(AttachOutcome::Snapshot, 9));
    assert_eq!(session.event(&event(1)), Arrival::Unattached);
}

#[test]
fn all_games_are_resumed_after_a_reconnect() {
    let mut session = session();
    for name in ["b", "a"] {
        let request = session.attach_from_start(&name.into(), None);
        session.attached(&request, &answer(AttachOutcome::Events, 1));
    }
    let unanswered = session.attach_from_start(&"c".into(), None);
    let names: Vec<_> = session
        .attach_all()
        .into_iter()
        .map(|attach| (attach.game.0, attach.seq))
        .collect();
    assert_eq!(
        names,
        [
            ("a".into(), Some(0)),
            ("b".into(), Some(0)),
            ("c".into(), Some(0))
        ]
    );
    session.forget(&"a".into());
    assert_eq!(session.attach_all().last(), Some(&unanswered));
}

#[test]
fn command_ids_are_well_formed_to_the_last() {
    let prefix = "p".repeat(CMD_PREFIX_MAX_BYTES);
    let mut session = ClientSession::new(&prefix, u64::MAX - 1).expect("a good prefix");
    assert!(session.next_cmd_id().is_well_formed());
    assert!(ClientSession::new(&format!("{prefix}p"), 0).is_none());
    assert!(ClientSession::new("", 0).is_none());
    assert!(ClientSession::new("a b", 0).is_none());
}

#[test]
fn request_ids_begin_at_one_and_never_repeat_soon() {
    let mut session = session();
    assert_eq!(
        (session.next_request_id(), session.next_request_id()),
        (1, 2)
    );
}
