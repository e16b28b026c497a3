//! Chat: the room of the game, direct messages, and lines across a lost connection.

use super::*;

fn with_chat(kinds: &[ChatKind]) -> ServerMessage {
    let ServerMessage::Hello(mut hello) = hello() else {
        unreachable!("hello() says hello");
    };
    hello.chat = kinds.to_vec();
    ServerMessage::Hello(hello)
}

fn line(number: u64, name: &str, text: &str) -> ChatLine {
    ChatLine {
        line: number,
        at: T0,
        identity: name.to_lowercase().as_str().into(),
        name: name.to_owned(),
        seat: None,
        text: text.to_owned(),
    }
}

fn said(room: &str, number: u64, name: &str, text: &str) -> ServerMessage {
    ServerMessage::Chat(Box::new(ChatSaid {
        room: room.into(),
        line: line(number, name, text),
    }))
}

fn joined(room: &str, lines: Vec<ChatLine>) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        chat: Some(Box::new(ChatAnswer {
            room: Some(room.into()),
            lines: Some(lines),
            can_say: true,
            ..ChatAnswer::default()
        })),
        ..OkBody::default()
    }))
}

/// A player in a game on a server with chat; the room has been asked for. Returns the id of that request.
fn in_room() -> (App, u64) {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    app.hello = match with_chat(&[ChatKind::Players, ChatKind::Direct]) {
        ServerMessage::Hello(hello) => Some(hello),
        _ => None,
    };
    let mut effects = Vec::new();
    app.join_game_chat(&mut effects);
    let did = Did::of(effects);
    let (id, message) = did.only();
    let ClientMessage::ChatJoin(join) = message else {
        panic!("{message:?}")
    };
    assert_eq!((join.kind, join.after), (ChatKind::Players, None));
    assert_eq!(join.game.as_ref().map(GameId::as_str), Some("game1"));
    (app, id)
}

fn texts(did: &Did) -> Vec<(&str, &str)> {
    let chat = did.reports.iter().filter(|report| report["type"] == "chat");
    let parts = chat.map(|report| {
        let channel = report["channel"].as_str().unwrap();
        (channel, report["line"]["text"].as_str().unwrap())
    });
    parts.collect()
}

#[test]
fn every_line_is_shown_once() {
    let (mut app, id) = in_room();
    let did = app.hears(id, joined("p-game1", vec![line(3, "Ben", "hi")]));
    assert_eq!(texts(&did), [("room", "hi")]);
    let did = app.hears(0, said("p-game1", 3, "Ben", "hi"));
    assert_eq!(texts(&did), []);
    let did = app.hears(0, said("p-game1", 4, "Anna", "hello"));
    assert_eq!(texts(&did), [("own", "hello")]);
    let did = app.hears(0, said("d-x", 1, "Carla", "psst"));
    assert_eq!(texts(&did), [("direct", "psst")]);
}

#[test]
fn a_line_is_written_into_the_room_of_the_game() {
    let (mut app, id) = in_room();
    let did = app.types("say too early");
    assert_eq!(did.reports[0]["code"], "bad_input");
    app.hears(id, joined("p-game1", Vec::new()));
    let did = app.types("say  good luck  to you");
    let (_, message) = did.only();
    let ClientMessage::ChatSay(say) = message else {
        panic!("{message:?}")
    };
    assert_eq!(say.room.as_str(), "p-game1");
    assert_eq!(say.text, "good luck  to you");
}

#[test]
fn a_message_to_a_friend_finds_the_room_first() {
    let (mut app, id) = in_room();
    app.hears(id, joined("p-game1", Vec::new()));
    let did = app.types("tell ben hi there");
    let (id, message) = did.only();
    let ClientMessage::ChatJoin(join) = message else {
        panic!("{message:?}")
    };
    assert_eq!(join.with.as_deref(), Some("ben"));
    let did = app.hears(id, joined("d-ben", Vec::new()));
    let (_, message) = did.only();
    let ClientMessage::ChatSay(say) = message else {
        panic!("{message:?}")
    };
    assert_eq!(
        (say.room.as_str(), say.text.as_str()),
        ("d-ben", "hi there")
    );
}

#[test]
fn a_server_without_chat_is_not_asked() {
    let story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut app = in_game(&story, Some(0));
    for command in ["say hi", "tell ben hi"] {
        let did = app.types(command);
        assert!(did.sent.is_empty());
        assert_eq!(did.reports[0]["code"], "bad_input", "{command}");
    }
}
