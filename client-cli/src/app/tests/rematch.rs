//! From the end of a game to its rematch.

use super::*;

/// A game that the other player has resigned; the program stays.
fn over() -> App {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    app.config.at_end = AtEnd::Stay;
    story.tell(EventBody::Ended(GameResult {
        reason: EndReason::Resignation,
        results: Vec::new(),
        winners: vec![0],
        aborter: None,
        exchanges: Vec::new(),
        secret: None,
        clocks: tilewire_client::fixtures::clocks(&[1, 1], None),
    }));
    let ended = story.events.last().cloned().unwrap();
    app.hears(0, ServerMessage::Event(ended));
    app
}

fn told(change: impl FnOnce(&mut RematchChanged)) -> ServerMessage {
    let mut changed = RematchChanged::about("game1".into());
    change(&mut changed);
    ServerMessage::Rematch(Box::new(changed))
}

fn next_created() -> ServerMessage {
    ServerMessage::GameCreated(GameCreated {
        game: "game2".into(),
        seek: "unknown".into(),
        seat: 0,
    })
}

/// Types `rematch`; returns the id of the request.
fn offers(app: &mut App) -> u64 {
    let did = app.types("rematch");
    let (id, message) = did.only();
    let ClientMessage::OfferRematch(offer) = message else {
        panic!("{message:?}")
    };
    assert!(offer.game.as_str() == "game1" && offer.nonce_hash.is_some());
    id
}

fn named() -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        game: Some("game2".into()),
        ..OkBody::default()
    }))
}

#[track_caller]
fn assert_follows(did: &Did) {
    let ops: Vec<&str> = did.sent.iter().map(|(_, message)| message.op()).collect();
    assert_eq!(ops, ["detach", "attach"]);
    assert!(
        matches!(&did.sent[1].1, ClientMessage::Attach(attach) if attach.game.as_str() == "game2")
    );
    assert_eq!(did.reports[0]["type"], "game_created");
}

#[test]
fn the_program_follows_the_rematch_that_both_want() {
    let mut app = over();
    let id = offers(&mut app);
    let did = app.hears(id, named());
    assert_eq!(did.reports[0]["type"], "ok");
    assert!(did.sent.is_empty(), "the other player has not agreed");
    assert_follows(&app.hears(0, next_created()));
}

#[test]
fn the_game_can_begin_before_the_answer() {
    let mut app = over();
    offers(&mut app);
    assert_follows(&app.hears(0, next_created()));
}

#[test]
fn a_game_of_another_device_is_no_rematch() {
    let mut app = over();
    assert!(app.hears(0, next_created()).sent.is_empty());
    let id = offers(&mut app);
    app.hears(id, named());
    app.hears(0, told(|changed| changed.end = Some(RematchEnd::Expired)));
    assert!(
        app.hears(0, next_created()).sent.is_empty(),
        "the offer is over"
    );
}

#[test]
fn a_rematch_is_declined_and_waits_for_the_end_of_the_game() {
    let mut app = over();
    let did = app.types("rematch no");
    assert!(
        matches!(did.only().1, ClientMessage::DeclineRematch(body) if body.game.as_str() == "game1")
    );
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    let did = app.types("rematch");
    assert!(did.sent.is_empty());
    assert!(did.reports[0].to_string().contains("not over"));
}

#[test]
fn a_program_that_leaves_after_the_game_waits_for_its_offer() {
    let mut app = over();
    let id = offers(&mut app);
    app.config.at_end = AtEnd::Leave;
    assert_eq!(app.hears(id, named()).exit, None);
    let over = told(|changed| {
        changed.end = Some(RematchEnd::Declined);
        changed.by = Some(1);
    });
    assert_eq!(app.hears(0, over).exit, Some(0));
}
