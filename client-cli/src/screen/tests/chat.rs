//! Pictures of chat: lines among the messages, the number of new ones, and the page.

use super::*;
use crate::app::Channel;

fn said(name: &str, text: &str) -> Box<ChatSaid> {
    Box::new(ChatSaid {
        room: "p-game1".into(),
        line: ChatLine {
            line: 1,
            at: T0,
            identity: name.into(),
            name: name.to_owned(),
            seat: None,
            text: text.to_owned(),
        },
    })
}

fn with_chat(story: &Story) -> Screen {
    let mut screen = screen_of(story);
    for (name, text, channel) in [
        ("Ben", "hi, good luck!", Channel::Room),
        ("Anna", "thanks, you too", Channel::Own),
        (
            "Ben",
            "FARM is my best play of the week, and it took me three minutes",
            Channel::Room,
        ),
        ("Carla", "a game after this one?\u{1b}[31m", Channel::Direct),
    ] {
        screen.report(
            &Report::Chat(said(name, text), channel),
            story.view.as_ref(),
        );
    }
    screen
}

fn types(screen: &mut Screen, line: &str, view: Option<&GameView>) -> Reaction {
    for character in line.chars() {
        screen.event(
            &crossterm::event::Event::Key(KeyCode::Char(character).into()),
            view,
        );
    }
    screen.event(&crossterm::event::Event::Key(KeyCode::Enter.into()), view)
}

#[test]
fn lines_of_chat_are_shown_and_counted() {
    let story = midgame(Some(0));
    let mut screen = with_chat(&story);
    let view = story.view.as_ref();
    insta::assert_snapshot!("chat_80x24", picture(&screen, &content(view), SMALL));
    insta::assert_snapshot!("chat_120x40", picture(&screen, &content(view), LARGE));
    assert_eq!(types(&mut screen, "chat", view), Reaction::Redraw);
    let page = picture(&screen, &content(view), SMALL);
    insta::assert_snapshot!("chat_page_80x24", page);
    assert!(!page.contains("new,"), "the player has seen them");
    assert_eq!(types(&mut screen, "", view), Reaction::Redraw);
    let line = types(&mut screen, "say bye", view);
    assert_eq!(line, Reaction::Line("say bye".to_owned()));
}
