//! In the lobby, and from there to a game.

use super::*;

fn summary(game: &str) -> GameSummary {
    GameSummary {
        game: game.into(),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: Vec::new(),
        phase: Phase::Running,
        turn_no: 1,
        clocks: None,
        started_at: None,
        watching: 0,
        private: false,
        ended_at: None,
    }
}

fn change(change: LobbyChangeKind) -> LobbyChange {
    LobbyChange {
        change,
        seek: None,
        seek_id: None,
        game: None,
    }
}

/// An application in a lobby with one offer and one live game.
fn in_lobby() -> App {
    let mut app = app(Goal::Lobby(offer()));
    app.does(Input::Started);
    let did = app.comes_in();
    enters(&mut app, &did);
    app
}

fn enters(app: &mut App, did: &Did) -> Did {
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::LobbySubscribe(_)));
    let answer = OkBody {
        seeks: Some(vec![seek(&["ben"])]),
        games: Some(vec![summary("game7")]),
        ..OkBody::default()
    };
    app.hears(id, ServerMessage::Ok(Box::new(answer)))
}

fn follows(did: &Did, game: &str) {
    let messages: Vec<&ClientMessage> = did.sent.iter().map(|(_, message)| message).collect();
    assert!(
        matches!(messages[..], [ClientMessage::LobbyUnsubscribe(_), ClientMessage::Attach(attach)]
            if attach.game.as_str() == game),
        "{did:?}"
    );
}

#[test]
fn lobby_changes_update_the_lists() {
    let mut app = in_lobby();
    let lists = app.lobby().unwrap();
    assert_eq!((lists.seeks.len(), lists.live.len()), (1, 1));
    let mut second = seek(&["carla"]);
    second.seek = "seek2".into();
    let mut added = change(LobbyChangeKind::SeekAdded);
    added.seek = Some(second);
    let did = app.hears(0, ServerMessage::Lobby(Box::new(added.clone())));
    assert_eq!(did.reports[0]["type"], "lobby");
    assert_eq!(did.reports[0]["change"], "seek_added");
    app.hears(0, ServerMessage::Lobby(Box::new(added)));
    assert_eq!(app.lobby().unwrap().seeks.len(), 2, "once each");
    let mut removed = change(LobbyChangeKind::SeekRemoved);
    removed.seek_id = Some("seek1".into());
    app.hears(0, ServerMessage::Lobby(Box::new(removed)));
    assert_eq!(app.lobby().unwrap().seeks[0].seek.as_str(), "seek2");
    let mut started = change(LobbyChangeKind::GameStarted);
    started.game = Some(summary("game8"));
    app.hears(0, ServerMessage::Lobby(Box::new(started)));
    let mut ended = change(LobbyChangeKind::GameEnded);
    ended.game = Some(summary("game7"));
    app.hears(0, ServerMessage::Lobby(Box::new(ended)));
    let live: Vec<&str> = app
        .lobby()
        .unwrap()
        .live
        .iter()
        .map(|game| game.game.as_str())
        .collect();
    assert_eq!(live, ["game8"]);
}

#[test]
fn a_joined_offer_becomes_a_game() {
    let mut app = in_lobby();
    let did = app.types("join 1");
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::JoinSeek(body)
            if body.seek == Some("seek1".into()) && body.code.is_none() && body.nonce_hash.is_some()));
    let answer = OkBody {
        seek: Some(seek(&["ben", "anna"])),
        game: Some("game1".into()),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    assert_eq!(did.reports[0]["type"], "ok");
    follows(&did, "game1");
    assert!(app.lobby().is_none());
}

#[test]
fn join_reads_numbers_ids_and_codes() {
    let mut app = in_lobby();
    let did = app.types("join K7QM");
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::JoinSeek(body) if body.code.as_deref() == Some("K7QM"))
    );
    let refused = ErrorBody {
        code: ErrorCode::WrongCode,
        message: "no such code".to_owned(),
        retryable: false,
        detail: None,
    };
    let did = app.hears(id, ServerMessage::Error(refused));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["line"], did.exit),
        (&"error".into(), &1.into(), None)
    );
    assert!(app.lobby().is_some(), "one stays in the lobby");
    let did = app.types("new private");
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::Seek(body) if body.private));
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    assert_eq!(did.reports[1]["type"], "seek");
    assert!(app.lobby().is_none() && app.offer().is_some());
    let created = GameCreated {
        game: "game1".into(),
        seek: "seek1".into(),
        seat: 0,
    };
    follows(&app.hears(0, ServerMessage::GameCreated(created)), "game1");
}

#[test]
fn an_item_that_is_not_in_a_list_is_refused() {
    let mut app = in_lobby();
    for (line, part) in [
        ("join 2", "no offer number 2"),
        ("join 0", "no offer number 0"),
        ("watch 2", "no live game"),
        ("resume", "no unfinished game"),
        ("pass", "no game yet"),
        ("shuffle", "no rack yet"),
    ] {
        let did = app.types(line);
        assert!(did.sent.is_empty(), "{line}");
        let message = did.reports[0]["message"].as_str().unwrap();
        assert!(message.contains(part), "{line}: {message}");
    }
    let did = app.types("help");
    assert!(did.reports[0].to_string().contains("quick"));
    follows(&app.types("watch game7"), "game7");
}

#[test]
fn a_game_of_another_device_does_not_end_the_lobby() {
    let mut app = in_lobby();
    let created = GameCreated {
        game: "game9".into(),
        seek: "seek9".into(),
        seat: 0,
    };
    let did = app.hears(0, ServerMessage::GameCreated(created));
    assert!(did.sent.is_empty() && did.reports.is_empty());
    let changed = SeekChanged {
        seek: seek(&["anna"]),
    };
    app.hears(0, ServerMessage::SeekChanged(Box::new(changed)));
    assert!(app.lobby().is_some());
}

#[test]
fn a_reconnect_requests_the_lists_again() {
    let mut app = in_lobby();
    app.loses(None, "gone");
    assert!(app.types("watch 1").sent.is_empty(), "not without a server");
    let at = app.deadline().unwrap();
    let did = Did::of(app.handle(at, Input::Tick));
    assert!(did.connected);
    app.does(Input::Opened);
    let did = app.hears(0, hello());
    let (id, _) = did.only();
    let did = app.hears(id, welcome());
    // The line that waited is obeyed, by the list as it was shown.
    assert!(
        did.sent
            .iter()
            .any(|(_, message)| matches!(message, ClientMessage::Attach(_))),
        "{did:?}"
    );
}

/// An offer names the players that it admits; a quick match says whether any rating is good in the end.
#[test]
fn offers_are_for_certain_players() {
    let criteria = SeekCriteria {
        min_rating: Some(1_400),
        exclude: vec!["eve".to_owned()],
        ..SeekCriteria::default()
    };
    let mut app = app(Goal::Lobby(Offer {
        criteria: criteria.clone(),
        any_rating: true,
        ..offer()
    }));
    app.does(Input::Started);
    let did = app.comes_in();
    enters(&mut app, &did);
    let did = app.types("new");
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::Seek(body) if body.criteria.as_deref() == Some(&criteria)),
        "{message:?}"
    );
    let refused = ErrorBody {
        code: ErrorCode::UnknownPlayer,
        message: "no such player".to_owned(),
        retryable: false,
        detail: None,
    };
    app.hears(id, ServerMessage::Error(refused));
    let did = app.types("quick");
    let (_, message) = did.only();
    assert!(
        matches!(message, ClientMessage::QuickMatch(body) if body.any_rating),
        "{message:?}"
    );
}

#[test]
fn a_usual_offer_admits_everybody() {
    let mut app = in_lobby();
    let did = app.types("new");
    let (_, message) = did.only();
    assert!(
        matches!(message, ClientMessage::Seek(body) if body.criteria.is_none()),
        "{message:?}"
    );
}

/// An application that has asked for the offer with the code, and the id of that request.
fn asks_for_a_code() -> (App, u64) {
    let mut app = app(Goal::JoinCode("K7QM".to_owned()));
    app.does(Input::Started);
    let did = app.comes_in();
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::FindSeek(find) if find.code == "K7QM"));
    (app, id)
}

fn refused(code: ErrorCode) -> ServerMessage {
    ServerMessage::Error(ErrorBody {
        code,
        message: "no".to_owned(),
        retryable: false,
        detail: None,
    })
}

#[test]
fn a_code_shows_the_offer_before_the_player_joins() {
    let (mut app, id) = asks_for_a_code();
    let found = OkBody {
        seek: Some(seek(&["ben"])),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(found)));
    assert_eq!(did.reports[0]["type"], "found");
    assert_eq!(did.reports[0]["seek"]["members"][0]["name"], "ben");
    let (_, message) = did.only();
    assert!(
        matches!(message, ClientMessage::JoinSeek(join) if join.code.as_deref() == Some("K7QM"))
    );
}

#[test]
fn a_wrong_code_ends_the_program_and_an_old_server_only_joins() {
    let (mut app, id) = asks_for_a_code();
    assert_eq!(app.hears(id, refused(ErrorCode::WrongCode)).exit, Some(1));
    let (mut app, id) = asks_for_a_code();
    let did = app.hears(id, refused(ErrorCode::UnknownOp));
    let (_, message) = did.only();
    assert!(
        matches!(message, ClientMessage::JoinSeek(join) if join.code.as_deref() == Some("K7QM"))
    );
}
