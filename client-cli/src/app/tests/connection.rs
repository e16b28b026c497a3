//! Connections that are lost and come back.

use super::*;
use crate::app::connection::{LOOK_EVERY_MS, NEWER_TOKEN_WITHIN_MS};

#[test]
fn a_lost_command_is_sent_again_with_its_id_and_events_are_reported_once() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let did = app.types("pass");
    let (_, ClientMessage::Pass(first)) = did.only() else {
        panic!("{did:?}")
    };
    story.tell(EventBody::Passed(TurnUsed {
        turn_no: 1,
        seat: 0,
    }));
    let passed = story.events.last().unwrap().clone();
    assert_eq!(
        app.hears(0, ServerMessage::Event(passed.clone()))
            .reports
            .len(),
        1
    );

    let did = app.loses(None, "the server dropped the connection");
    assert_eq!(
        (&did.reports[0]["state"], &did.reports[0]["attempt"]),
        (&"reconnecting".into(), &1.into())
    );
    let at = app.deadline().unwrap();
    assert!((250..=375).contains(&at), "{at}");
    assert!(Did::of(app.handle(at, Input::Tick)).connected);
    let did = app.comes_in();
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::Attach(attach) if attach.seq == Some(passed.seq) && attach.epoch == Some(1))
    );
    let did = app.hears(id, attached(Role::Player, Some(0), passed.seq));
    assert_eq!(
        (&did.reports[0]["state"], &did.reports[0]["outcome"]),
        (&"resumed".into(), &"events".into())
    );
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::Pass(again) if again == first),
        "{message:?}"
    );
    assert!(
        app.hears(0, ServerMessage::Event(passed))
            .reports
            .is_empty(),
        "known already"
    );
    assert_eq!(app.hears(id, ok(9)).reports[0]["line"], 1);
}

#[test]
fn a_line_typed_while_reconnecting_is_acknowledged_and_answered_later() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    app.loses(None, "the server dropped the connection");
    let unknown = app.types("apss");
    assert_eq!(unknown.reports[0]["code"], "bad_input", "{unknown:?}");
    let did = app.types("pass");
    assert_eq!(did.reports.len(), 1, "{did:?}");
    let queued = &did.reports[0];
    assert_eq!(
        (&queued["type"], &queued["line"], &queued["command"]),
        (&"queued".into(), &2.into(), &"pass".into())
    );
    let at = app.deadline().unwrap();
    assert!(Did::of(app.handle(at, Input::Tick)).connected);
    let did = app.comes_in();
    let (id, _) = did.only();
    let did = app.hears(
        id,
        attached(Role::Player, Some(0), story.events.len() as u64),
    );
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::Pass(_)), "{message:?}");
    let answer = &app.hears(id, ok(9)).reports[0];
    assert_eq!(
        (&answer["type"], &answer["line"]),
        (&"ok".into(), &2.into())
    );
}

#[test]
fn a_gap_in_the_events_leads_to_a_new_attach() {
    let mut story = Story::started(&["Anna", "Ben"], None, "");
    let mut app = in_game(&story, None);
    story.tell(EventBody::Passed(TurnUsed {
        turn_no: 1,
        seat: 0,
    }));
    story.turn(2, 1);
    let did = app.hears(
        0,
        ServerMessage::Event(story.events.last().unwrap().clone()),
    );
    assert!(did.reports.is_empty());
    let (_, ClientMessage::Attach(attach)) = did.only() else {
        panic!("{did:?}")
    };
    assert_eq!(attach.seq, Some(story.events.len() as u64 - 2));
}

#[test]
fn close_codes_decide_about_a_reconnect() {
    let lost = |code: u16, reason: &str| {
        let mut app = in_game(&Story::new(&["Anna", "Ben"], None), None);
        (app.loses(Some(code), reason), app.deadline())
    };
    for code in [1000, 1002, 1003, 1007, 1009, 4000, 4008] {
        let (did, _) = lost(code, "");
        assert_eq!(
            (did.exit, &did.reports[0]["state"]),
            (Some(1), &"closed".into()),
            "{code}"
        );
    }
    // The profile may have a newer token for a while.
    let mut app = in_game(&Story::new(&["Anna", "Ben"], None), None);
    assert!(app.loses(Some(4002), "").reads_token);
    let did = Did::of(app.handle(NEWER_TOKEN_WITHIN_MS, Input::Kept(None)));
    assert!(
        did.reports[0]["reason"]
            .as_str()
            .unwrap()
            .contains("another --profile")
    );
    for (code, at_least) in [
        (1001, 250),
        (1006, 1000),
        (4001, 250),
        (4003, 250),
        (4005, 250),
        (4004, 5000),
        (4007, 5000),
    ] {
        let (did, deadline) = lost(code, "");
        assert_eq!(did.exit, None, "{code}");
        assert!(deadline.unwrap() >= at_least, "{code}: {deadline:?}");
    }
    let (_, deadline) = lost(4006, "retry_after_ms=3000");
    assert!((3000..=4500).contains(&deadline.unwrap()));
}

#[test]
fn a_stream_that_ends_temporarily_is_requested_again() {
    let story = Story::new(&["Anna", "Ben"], None);
    let mut app = in_game(&story, None);
    let game = app.game.clone().unwrap();
    let detached = |code| {
        ServerMessage::Detached(Detached {
            game: game.clone(),
            code,
            message: "too much to do".to_owned(),
        })
    };
    let did = app.hears(0, detached(ErrorCode::Busy));
    assert_eq!((did.exit, did.sent.len()), (None, 0));
    let at = app.deadline().unwrap();
    let did = Did::of(app.handle(at, Input::Tick));
    let (_, ClientMessage::Attach(attach)) = did.only() else {
        panic!("{did:?}")
    };
    assert_eq!(attach.seq, Some(story.events.len() as u64));
    let mut app = in_game(&story, None);
    let did = app.hears(0, detached(ErrorCode::UnknownGame));
    assert_eq!(did.exit, Some(1));
}

/// A game that moves to another server refuses the command and ends the stream, and is not there yet at the first try.
#[test]
fn a_refused_command_and_a_refused_attach_are_both_sent_again() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    app.config.on_refusal = OnRefusal::Retry;
    let game = app.game.clone().unwrap();
    let busy = || ErrorBody::new(ErrorCode::Busy, "the game moves");
    let did = app.types("pass");
    let (id, ClientMessage::Pass(first)) = did.only() else {
        panic!("{did:?}")
    };
    app.hears(id, ServerMessage::Error(busy()));
    let detached = Detached {
        game,
        code: ErrorCode::Busy,
        message: "the game moves".to_owned(),
    };
    app.hears(0, ServerMessage::Detached(detached));
    let sent = |app: &mut App| loop {
        let at = app.deadline().unwrap();
        let did = Did::of(app.handle(at, Input::Tick));
        if !did.sent.is_empty() {
            let (id, message) = did.only();
            return (id, message.clone());
        }
    };
    for _ in 0..2 {
        let (id, message) = sent(&mut app);
        assert!(matches!(message, ClientMessage::Attach(_)), "{message:?}");
        let did = app.hears(id, ServerMessage::Error(busy()));
        assert_eq!(did.exit, None, "{did:?}");
    }
    let (id, _) = sent(&mut app);
    let did = app.hears(id, attached(Role::Player, Some(0), 1));
    let (_, message) = did.only();
    assert!(
        matches!(message, ClientMessage::Pass(again) if again == first),
        "{message:?}"
    );
}

#[test]
fn a_bot_repeats_a_line_that_is_refused_temporarily() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    for retries in [false, true] {
        let mut app = in_game(&story, Some(0));
        if retries {
            app.config.on_refusal = OnRefusal::Retry;
        }
        let did = app.types("pass");
        let (id, first) = did.only();
        let error = ErrorBody::new(ErrorCode::StoragePaused, "later");
        let did = app.hears(id, ServerMessage::Error(error));
        assert_eq!(did.reports.len(), usize::from(!retries));
        let Some(at) = app.deadline() else {
            assert!(!retries);
            continue;
        };
        assert_eq!(at, 1_000);
        let did = Did::of(app.handle(at, Input::Tick));
        let (_, again) = did.only();
        assert_eq!(again, first, "under the same cmd_id");
    }
}

#[test]
fn pauses_grow_until_the_client_gives_up() {
    let mut app = in_game(&Story::new(&["Anna", "Ben"], None), None);
    let (mut now, mut pauses) = (0, Vec::new());
    loop {
        let loss = Loss {
            close_code: None,
            reason: "gone".to_owned(),
            is_final: false,
        };
        let did = Did::of(app.handle(now, Input::Lost(loss)));
        if did.exit == Some(1) {
            break;
        }
        let at = app.deadline().unwrap();
        pauses.push(at - now);
        now = at;
        assert!(Did::of(app.handle(now, Input::Tick)).connected);
    }
    assert!(now >= 60_000);
    assert!(
        pauses[0] < 400 && pauses[4] >= 4_000 && pauses.iter().all(|pause| *pause <= 7_500),
        "{pauses:?}"
    );
}

#[test]
fn the_client_ends_if_the_first_connection_fails() {
    let mut app = app(Goal::List);
    app.does(Input::Started);
    let did = app.loses(None, "connection refused");
    assert_eq!(did.exit, Some(1));
    assert!(
        did.reports[0]["reason"]
            .as_str()
            .unwrap()
            .contains("connection refused")
    );
}

#[test]
fn quit_needs_no_server() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    app.types("pass");
    app.loses(None, "gone");
    assert_eq!(app.types("quit").exit, Some(0));
}

#[test]
fn a_game_that_started_during_a_reconnect_is_followed() {
    let mut app = app(Goal::Quick(offer()));
    app.does(Input::Started);
    let did = app.comes_in();
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    app.hears(did.only().0, ServerMessage::Ok(Box::new(answer)));
    app.loses(None, "gone");
    assert!(Did::of(app.handle(10_000, Input::Tick)).connected);
    app.does(Input::Opened);
    let did = app.hears(0, hello());
    let ServerMessage::Welcome(mut welcome) = welcome() else {
        panic!("a welcome")
    };
    welcome.games.push(GameSummary {
        game: "game1".into(),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: Vec::new(),
        phase: Phase::Waiting,
        turn_no: 0,
        clocks: None,
        started_at: None,
        watching: 0,
        private: false,
        ended_at: None,
    });
    let did = app.hears(did.only().0, ServerMessage::Welcome(welcome));
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::Attach(_)));
    let did = app.hears(id, attached(Role::Player, Some(1), 1));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["seat"]),
        (&"game_created".into(), &1.into())
    );
}

#[test]
fn whoami_needs_no_request() {
    let mut app = app(Goal::Identify);
    app.does(Input::Started);
    let did = app.comes_in();
    assert!(did.sent.is_empty(), "{did:?}");
    assert_eq!(did.reports[0]["identity"], "anna");
    assert_eq!(did.reports[0]["name"], "Anna");
    assert!(
        !did.reports
            .iter()
            .any(|line| line.to_string().contains("secret"))
    );
    assert_eq!(
        (did.kept, did.exit),
        (Some(Token("new".to_owned())), Some(0))
    );
}

/// Another program with the same profile registers the player, or changes the password: the server closes the connection, maybe
/// before the profile has the new token. The game goes on with that token.
#[test]
fn a_game_goes_on_with_the_newer_token_of_the_profile() {
    let story = Story::new(&["Anna", "Ben"], None);
    let token = |text: &str| Some(Token(text.to_owned()));
    let ended = Some(CloseCode::BadToken.as_u16());
    let mut app = in_game(&story, None);
    assert!(app.loses(ended, "revoked").reads_token);
    let early = app.does(Input::Kept(token("new")));
    assert_eq!((early.exit, early.connected), (None, false), "{early:?}");
    let again = app.handle(LOOK_EVERY_MS, Input::Tick);
    assert!(Did::of(again).reads_token);
    assert!(app.does(Input::Kept(token("newer"))).connected);
    app.does(Input::Opened);
    let (_, auth) = app.hears(0, hello()).sent[0].clone();
    assert!(matches!(auth, ClientMessage::Auth(auth) if auth.token == token("newer")));

    // Signed out elsewhere: nothing newer comes.
    let mut signed_out = in_game(&story, None);
    signed_out.loses(ended, "revoked");
    let late = signed_out.handle(NEWER_TOKEN_WITHIN_MS, Input::Kept(token("new")));
    assert_eq!(Did::of(late).exit, Some(1));
    // The profile belongs to a guest again. A guest has another identity.
    let mut guest = in_game(&story, None);
    guest.loses(ended, "revoked");
    guest.does(Input::Kept(token("of a guest")));
    guest.does(Input::Opened);
    let (id, _) = guest.hears(0, hello()).sent[0].clone();
    let ServerMessage::Welcome(mut welcome) = welcome() else {
        panic!("it is a welcome");
    };
    welcome.identity = "guest".into();
    let told = guest.hears(id, ServerMessage::Welcome(welcome));
    assert_eq!((told.exit, told.kept), (Some(1), None));
}

/// A revoked player reads the operator's reason, and no advice to come back under another identity.
#[test]
fn a_revoked_player_is_told_the_reason_and_no_way_around_it() {
    let text = "the operator has revoked your access: insults";
    let told = |did: &Did| {
        assert_eq!(did.exit, Some(1));
        let reports = serde_json::to_string(&did.reports).unwrap();
        assert!(reports.contains(text), "{reports}");
        assert!(!reports.contains("--profile"), "{reports}");
    };
    let mut refused = app(Goal::List);
    refused.does(Input::Started);
    refused.does(Input::Opened);
    let (id, _) = refused.hears(0, hello()).sent[0].clone();
    let error = ErrorBody::new(ErrorCode::Revoked, text);
    told(&refused.hears(id, ServerMessage::Error(error)));
    let mut playing = in_game(&Story::new(&["Anna", "Ben"], None), None);
    told(&playing.loses(Some(CloseCode::Revoked.as_u16()), text));
}

/// A window that follows a game tells its player of a turn in another game, and only of that.
#[test]
fn a_turn_in_another_game_is_reported() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let call = |game: &str| {
        ServerMessage::YourTurn(YourTurn {
            game: game.into(),
            seat: 0,
            turn_no: 7,
        })
    };
    let did = app.hears(0, call("another"));
    assert_eq!(did.reports.len(), 1, "{did:?}");
    assert_eq!(did.reports[0]["game"], "another");
    let own = app.game.clone().unwrap();
    assert!(app.hears(0, call(own.as_str())).reports.is_empty());
}
