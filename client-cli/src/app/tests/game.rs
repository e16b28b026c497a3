//! From an offer to the end of a game.

use sha2::{Digest, Sha256};

use super::*;
use tilewire_client::fixtures::window;

use crate::command::Visibility;

#[test]
fn from_an_offer_to_ready() {
    let mut app = app(Goal::Open(offer(), Visibility::Private));
    assert!(app.does(Input::Started).connected);
    let did = app.comes_in();
    assert_eq!(did.kept, Some(Token("new".to_owned())));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["state"]),
        (&"status".into(), &"connected".into())
    );
    assert!(
        !did.reports[0].to_string().contains("new"),
        "the token is not reported"
    );
    let (id, message) = did.only();
    let ClientMessage::Seek(request) = message else {
        panic!("{message:?}")
    };
    assert!(request.private && request.nonce_hash.is_some());
    assert_eq!(
        (
            request.options.lexicon.as_str(),
            request.options.rule_set.as_str()
        ),
        ("wordnik", "classic")
    );
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    let did = app.hears(id, ServerMessage::Ok(Box::new(answer)));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["seek"]["seek"]),
        (&"seek".into(), &"seek1".into())
    );
    let did = app.hears(
        0,
        ServerMessage::SeekChanged(Box::new(SeekChanged {
            seek: seek(&["anna"]),
        })),
    );
    assert!(did.reports.is_empty(), "nothing new");
    let did = app.types("pass");
    assert_eq!(
        (
            &did.reports[0]["type"],
            &did.reports[0]["line"],
            &did.reports[0]["code"]
        ),
        (&"error".into(), &1.into(), &"bad_input".into())
    );
    let created = GameCreated {
        game: "game1".into(),
        seek: "seek1".into(),
        seat: 0,
    };
    let did = app.hears(0, ServerMessage::GameCreated(created.clone()));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["seat"]),
        (&"game_created".into(), &0.into())
    );
    let (id, _) = did.only();
    assert!(
        app.hears(0, ServerMessage::GameCreated(created))
            .reports
            .is_empty(),
        "once is enough"
    );

    assert_nonce(&mut app, id, request.nonce_hash.as_ref().unwrap());
}

/// Attaches to a game that was created with `hash` for our seat: `ready` must contain the hashed nonce.
fn assert_nonce(app: &mut App, id: u64, hash: &Bytes) {
    let mut story = Story::new(&["Anna", "Ben"], Some(0));
    if let EventBody::Created(created) = &mut story.events[0].body {
        created.setup.nonce_hashes.push(NonceHash {
            seat: 0,
            hash: hash.clone(),
        });
    }
    app.hears(id, attached(Role::Player, Some(0), 1));
    let did = app.hears(0, ServerMessage::Event(story.events[0].clone()));
    let (_, ClientMessage::Ready(ready)) = did.only() else {
        panic!("{did:?}")
    };
    let nonce = ready.nonce.clone().unwrap();
    assert_eq!(Sha256::digest(nonce.as_ref())[..], *hash.as_ref());
}

#[test]
fn lines_run_in_order() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let did = app.types("8F HORN");
    let (id, message) = did.only();
    let ClientMessage::Play(play) = message else {
        panic!("{message:?}")
    };
    assert_eq!(
        (
            play.turn_no,
            play.start.as_str(),
            play.tiles.concat().as_str()
        ),
        (1, "8F", "HORN")
    );
    assert!(
        app.types("").sent.is_empty(),
        "empty lines count, and are nothing else"
    );
    assert!(
        app.types("nonsense").reports.is_empty(),
        "the line before comes first"
    );
    assert!(app.types("pass").sent.is_empty());
    let error = ErrorBody::new(ErrorCode::NotYourTurn, "no");
    let did = app.hears(id, ServerMessage::Error(error));
    assert_eq!(
        (&did.reports[0]["line"], &did.reports[0]["code"]),
        (&1.into(), &"not_your_turn".into())
    );
    assert_eq!(
        (&did.reports[1]["line"], &did.reports[1]["code"]),
        (&3.into(), &"bad_input".into())
    );
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::Pass(_)));
    let did = app.hears(id, ok(12));
    assert_eq!(
        (
            &did.reports[0]["type"],
            &did.reports[0]["line"],
            &did.reports[0]["seq"]
        ),
        (&"ok".into(), &4.into(), &12.into())
    );
}

/// A turn that waits for the challenge window holds up turns only.
#[test]
fn a_player_whose_turn_waits_can_resign() {
    let story = Story::started(&["Anna", "Ben", "Carla"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let did = app.types("pass");
    assert!(matches!(did.only().1, ClientMessage::Pass(_)));
    assert!(app.types("resign").sent.is_empty(), "the turn comes first");
    let did = app.hears(
        0,
        ServerMessage::TurnWaiting(TurnWaiting {
            game: "game1".into(),
            turn_no: 1,
            seat: 0,
            until: 0,
            clocks: story.view().clocks.clone(),
        }),
    );
    assert!(matches!(did.only().1, ClientMessage::Resign(_)));
}

#[test]
fn time_is_given_to_the_opponent_on_turn() {
    let story = Story::started(&["Anna", "Ben"], Some(1), "HORNAE?");
    let check = |line: &str, time_ms: Option<i64>| {
        let did = in_game(&story, Some(1)).types(line);
        let ClientMessage::GiveTime(gift) = did.only().1 else {
            panic!("{line}: {did:?}")
        };
        assert_eq!((gift.seat, gift.time_ms), (0, time_ms), "{line}");
    };
    check("give 15", Some(15_000));
    check("give", None);
    let refused = in_game(&story, Some(1)).types("refuse");
    assert!(matches!(refused.only().1, ClientMessage::RefuseTime(_)));
}

#[test]
fn auto_accept_accepts_plays() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "HORNAE?");
    let mut app = in_game(&story, Some(1));
    app.config.accept = Accept::Auto;
    let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1], false));
    let did = app.hears(
        0,
        ServerMessage::Event(story.events.last().unwrap().clone()),
    );
    let (id, ClientMessage::Accept(accept)) = did.only() else {
        panic!("{did:?}")
    };
    assert_eq!(accept.play_id, play_id);
    assert!(
        app.hears(id, ok(1)).reports.is_empty(),
        "no line, no answer"
    );
}

#[test]
fn the_client_ends_with_the_game_after_all_answers() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let did = app.types("resign");
    let (id, _) = did.only();
    let clocks = story.view().clocks.clone();
    let result = GameResult {
        reason: EndReason::Resignation,
        results: Vec::new(),
        winners: vec![1],
        aborter: None,
        exchanges: Vec::new(),
        secret: None,
        clocks,
    };
    story.tell(EventBody::Ended(result));
    let did = app.hears(
        0,
        ServerMessage::Event(story.events.last().unwrap().clone()),
    );
    assert_eq!(did.exit, None, "the answer is still to come");
    let did = app.hears(id, ok(9));
    assert_eq!(
        (did.exit, &did.reports[1]["state"], &did.reports[1]["exit"]),
        (Some(0), &"closed".into(), &0.into())
    );
}

#[test]
fn quit_withdraws_the_offer() {
    let mut app = app(Goal::Quick(offer()));
    app.does(Input::Started);
    let did = app.comes_in();
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::QuickMatch(_)));
    let answer = OkBody {
        seek: Some(seek(&["anna"])),
        ..OkBody::default()
    };
    app.hears(id, ServerMessage::Ok(Box::new(answer)));
    let did = app.types("quit");
    let (id, message) = did.only();
    assert!(matches!(message, ClientMessage::CancelSeek(_)));
    assert_eq!(
        app.hears(id, ServerMessage::Ok(Box::default())).exit,
        Some(0)
    );
}
