//! Two players whose quick matches differ only in the clock.

use super::*;

fn with_clock(id: &str, owner: &str, initial_ms: i64) -> Seek {
    let mut seek = seek(&[owner]);
    seek.seek = id.into();
    seek.owner = owner.into();
    let clock = seek.options.clock.as_mut().unwrap();
    clock.initial_ms = Some(initial_ms);
    seek
}

fn added(seek: Seek) -> ServerMessage {
    ServerMessage::Lobby(Box::new(LobbyChange {
        change: LobbyChangeKind::SeekAdded,
        seek: Some(seek),
        seek_id: None,
        game: None,
    }))
}

/// An application whose quick match waits, and that has asked for the lists of the lobby, which contain these offers.
fn waiting(seeks: Vec<Seek>) -> (App, Did) {
    let mut app = app(Goal::Quick(offer()));
    app.does(Input::Started);
    let did = app.comes_in();
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::QuickMatch(_)),
        "{message:?}"
    );
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::LobbySubscribe(_)),
        "{message:?}"
    );
    let did = app.hears(id, lists(seeks));
    (app, did)
}

fn lists(seeks: Vec<Seek>) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        seeks: Some(seeks),
        games: Some(Vec::new()),
        ..OkBody::default()
    }))
}

/// The lists come after the game has begun: the program plays on and leaves the lobby.
#[test]
fn lists_that_come_after_the_game_do_not_end_the_program() {
    let mut app = app(Goal::Quick(offer()));
    app.does(Input::Started);
    let (id, _) = app.comes_in().only();
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    let (list, _) = app.hears(id, ServerMessage::Ok(Box::new(answer))).only();
    let created = GameCreated {
        game: "game1".into(),
        seek: "seek1".into(),
        seat: 0,
    };
    app.hears(0, ServerMessage::GameCreated(created));
    let did = app.hears(list, lists(Vec::new()));
    assert_eq!(did.exit, None);
    let unsubscribes =
        |(_, message): &(u64, ClientMessage)| matches!(message, ClientMessage::LobbyUnsubscribe(_));
    assert!(did.sent.iter().any(unsubscribes), "{did:?}");
}

#[test]
fn the_later_player_learns_of_the_earlier_one() {
    let mut other_rules = with_clock("seek3", "carla", 60_000);
    other_rules.options.rule_set = "super".to_owned();
    let own = seek(&["anna"]);
    let (app, did) = waiting(vec![own, with_clock("seek2", "ben", 60_000), other_rules]);
    assert_eq!(did.reports.len(), 1, "{did:?}");
    let similar = &did.reports[0];
    assert_eq!(
        (&similar["type"], &similar["seeks"][0]["seek"]),
        (&"similar".into(), &"seek2".into())
    );
    assert_eq!(
        similar["seeks"].as_array().map(Vec::len),
        Some(1),
        "{similar}"
    );
    assert_eq!(app.similar_offers().len(), 1);
}

#[test]
fn the_earlier_player_learns_of_the_later_one() {
    let (mut app, did) = waiting(vec![seek(&["anna"])]);
    assert!(did.reports.is_empty(), "{did:?}");
    let did = app.hears(0, added(with_clock("seek2", "ben", 60_000)));
    assert_eq!(did.reports[0]["type"], "similar");
    let mut removed = LobbyChange {
        change: LobbyChangeKind::SeekRemoved,
        seek: None,
        seek_id: Some("seek2".into()),
        game: None,
    };
    let did = app.hears(0, ServerMessage::Lobby(Box::new(removed.clone())));
    assert_eq!(did.reports[0]["seeks"], Value::Array(Vec::new()));
    removed.seek_id = Some("seek9".into());
    let did = app.hears(0, ServerMessage::Lobby(Box::new(removed)));
    assert!(did.reports.is_empty(), "nothing has changed: {did:?}");
}

#[test]
fn joining_a_similar_offer_withdraws_the_own_one() {
    let (mut app, _) = waiting(vec![with_clock("seek2", "ben", 60_000)]);
    let did = app.types("join 2");
    assert_eq!(did.reports[0]["code"], "bad_input");
    let did = app.types("join 1");
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::JoinSeek(body) if body.seek == Some("seek2".into())),
        "{message:?}"
    );
    let mut joined = with_clock("seek2", "ben", 60_000);
    joined.members.push(seek(&["anna"]).members.remove(0));
    let answer = OkBody {
        seek: Some(joined),
        game: Some("game1".into()),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    let attach = did
        .sent
        .iter()
        .find_map(|(id, message)| matches!(message, ClientMessage::Attach(_)).then_some(*id));

    let did = app.hears(attach.unwrap(), attached(Role::Player, Some(1), 1));
    let cancelled = did.sent.iter().any(
        |(_, message)| matches!(message, ClientMessage::CancelSeek(body) if body.seek == "seek1"),
    );
    assert!(cancelled, "{did:?}");
    assert!(app.similar_offers().is_empty());
}

#[test]
fn a_refused_join_keeps_the_own_offer() {
    let (mut app, _) = waiting(vec![with_clock("seek2", "ben", 60_000)]);
    let did = app.types("join");
    let (id, _) = did.only();
    let refused = ErrorBody::new(ErrorCode::UnknownSeek, "there is no such open seek");
    let did = app.hears(id, ServerMessage::Error(refused));
    assert_eq!(did.reports[0]["code"], "unknown_seek");
    assert!(did.sent.is_empty(), "{did:?}");
    assert!(
        app.offer()
            .is_some_and(|(seek, is_own)| is_own && seek.seek == "seek1")
    );
}

#[test]
fn a_private_offer_follows_no_lobby() {
    let mut app = app(Goal::Open(offer(), crate::command::Visibility::Private));
    app.does(Input::Started);
    let did = app.comes_in();
    let (id, _) = did.only();
    let mut own = seek(&["anna"]);
    own.private = true;
    let answer = OkBody {
        seek: Some(own),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    assert!(did.sent.is_empty(), "{did:?}");
}
