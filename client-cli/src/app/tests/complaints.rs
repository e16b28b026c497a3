//! Reports of players: who is meant, what goes along, and the outcome.

use super::*;
use crate::reporting::ReportReason;

fn said(number: u64, name: &str, text: &str) -> ServerMessage {
    ServerMessage::Chat(Box::new(ChatSaid {
        room: "p-game1".into(),
        line: ChatLine {
            line: number,
            at: T0,
            identity: format!("id of {name}").as_str().into(),
            name: name.to_owned(),
            seat: None,
            text: text.to_owned(),
        },
    }))
}

/// A player in a game against Ben, in the room of its players.
fn in_room() -> App {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    if let Some(hello) = &mut app.hello {
        hello.chat = vec![ChatKind::Players];
    }
    let mut effects = Vec::new();
    app.join_game_chat(&mut effects);
    let (id, _) = Did::of(effects).only();
    let chat = ChatAnswer {
        room: Some("p-game1".into()),
        can_say: true,
        ..ChatAnswer::default()
    };
    app.hears(
        id,
        ServerMessage::Ok(Box::new(OkBody {
            chat: Some(Box::new(chat)),
            ..OkBody::default()
        })),
    );
    app
}

/// The report that a line sends.
fn sent(app: &mut App, line: &str) -> ReportOrder {
    let mut did = app.types(line);
    assert!(did.sent.is_empty(), "it goes over HTTP: {did:?}");
    assert_eq!(did.reports[0]["type"], "ok", "{did:?}");
    assert_eq!(did.complaints.len(), 1, "{did:?}");
    did.complaints.remove(0)
}

fn outcome(number: Option<u64>, message: Option<&str>) -> Input {
    Input::Reported(Complaint {
        player: "Ben".to_owned(),
        number,
        message: message.map(str::to_owned),
    })
}

#[test]
fn a_name_of_the_game_means_its_player() {
    let mut app = in_room();
    let ben = app.view().unwrap().setup.seats[1].identity.to_string();
    let order = sent(&mut app, "report BEN stalling he waits");
    assert_eq!(
        (order.player.as_str(), order.name.as_str()),
        (ben.as_str(), "BEN")
    );
    assert_eq!(order.reason, ReportReason::Stalling);
    assert_eq!(order.words, "he waits");
    assert_eq!(order.game.as_deref(), Some("game1"));
    assert_eq!(order.line, None, "nobody has written");
    // The server looks up a player of another game by the name.
    let order = sent(&mut app, "report eve abuse");
    assert_eq!((order.player.as_str(), order.line), ("eve", None));
}

#[test]
fn the_last_line_of_the_player_goes_along() {
    let mut app = in_room();
    for (number, name) in [(3, "Carla"), (4, "Dora"), (5, "Carla"), (6, "Dora")] {
        app.hears(0, said(number, name, "rude"));
    }
    let order = sent(&mut app, "report carla abuse");
    assert_eq!(order.player, "id of Carla");
    assert_eq!(order.line, Some(("p-game1".into(), 5)));
}

#[test]
fn the_outcome_follows_and_nothing_waits_for_it() {
    let mut app = in_room();
    sent(&mut app, "report ben abuse");
    let did = app.types("pass");
    let (pass, sent_pass) = did.only();
    assert!(matches!(sent_pass, ClientMessage::Pass(_)), "{sent_pass:?}");
    let did = app.does(outcome(Some(7), None));
    assert_eq!(
        (&did.reports[0]["type"], &did.reports[0]["number"]),
        (&"reported".into(), &7.into())
    );
    // Lines run in order: the next one waits for the answer to the pass.
    app.hears(pass, ServerMessage::Ok(Box::default()));
    sent(&mut app, "report ben name");
    let did = app.does(outcome(None, Some("register first")));
    assert_eq!(did.reports[0]["type"], "not_reported");
    assert_eq!(did.reports[0]["message"], "register first");
}

#[test]
fn only_so_many_reports_are_on_their_way() {
    let mut app = in_room();
    for _ in 0..REPORTS_AT_ONCE {
        sent(&mut app, "report ben abuse");
    }
    let did = app.types("report ben abuse");
    assert_eq!(did.reports[0]["code"], "bad_input", "{did:?}");
    assert!(did.complaints.is_empty(), "{did:?}");
    app.does(outcome(Some(1), None));
    sent(&mut app, "report ben abuse");
}

#[test]
fn the_program_ends_when_a_report_is_sent() {
    let mut app = in_room();
    sent(&mut app, "report ben abuse");
    assert_eq!(app.types("quit").exit, None);
    assert_eq!(app.does(outcome(Some(1), None)).exit, Some(0));
    // It does not wait for a server that is silent.
    let mut app = in_room();
    sent(&mut app, "report ben abuse");
    app.types("quit");
    let by = app.deadline().unwrap();
    assert_eq!(Did::of(app.handle(by, Input::Tick)).exit, Some(0));
}
