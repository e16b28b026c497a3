//! The draft on the board: typed, kept, played, refused, and made impossible.

use crossterm::event::KeyCode;

use super::keys::{enter, press, sent, type_text};
use super::*;

fn report(screen: &mut Screen, story: &Story) {
    let event = story.events.last().unwrap().clone();
    let report = Report::Push(Box::new(ServerMessage::Event(event)));
    screen.report(&report, story.view.as_ref());
}

fn shown(screen: &Screen, story: &Story) -> String {
    picture(screen, &content(story.view.as_ref()), SMALL)
}

#[test]
fn a_typed_play_is_on_the_board_with_its_words_and_score() {
    let story = midgame(Some(0));
    let view = story.view.as_ref();
    let mut screen = screen_of(&story);
    type_text(&mut screen, "10F TIED", view);
    insta::assert_snapshot!("draft_typed_80x24", shown(&screen, &story));
    let large = picture(&screen, &content(view), LARGE);
    insta::assert_snapshot!("draft_typed_120x40", large);
    press(&mut screen, KeyCode::Enter, view);
    insta::assert_snapshot!("draft_kept_80x24", shown(&screen, &story));
    assert_eq!(press(&mut screen, KeyCode::Enter, view), sent("10F TIED"));
    assert_eq!(
        press(&mut screen, KeyCode::Enter, view),
        Reaction::Redraw,
        "it is sent once"
    );
}

#[test]
fn a_word_that_differs_from_the_input_is_named() {
    let story = midgame(Some(0));
    let mut screen = screen_of(&story);
    type_text(&mut screen, "8J E", story.view.as_ref());
    let picture = shown(&screen, &story);
    assert!(picture.contains("The word is HORnE, not E."), "{picture}");
}

#[test]
fn an_option_makes_the_first_enter_play() {
    let story = midgame(Some(0));
    let options = ScreenOptions {
        first_enter: FirstEnter::Plays,
        ..ScreenOptions::default()
    };
    let mut screen = Screen::new(Theme::new(Colours::Off), options);
    type_text(&mut screen, "8J E", story.view.as_ref());
    let picture = shown(&screen, &story);
    assert!(
        picture.contains("Draft 8J E: HORnE"),
        "the preview while typing: {picture}"
    );
    assert_eq!(
        press(&mut screen, KeyCode::Enter, story.view.as_ref()),
        sent("8J E")
    );
}

#[test]
fn a_draft_survives_events_that_leave_it_possible() {
    let mut story = midgame(Some(1));
    let mut screen = screen_of(&story);
    assert_eq!(
        enter(&mut screen, "10H QI", story.view.as_ref()),
        Reaction::Redraw
    );
    let waiting = press(&mut screen, KeyCode::Enter, story.view.as_ref());
    assert_eq!(
        waiting,
        Reaction::Redraw,
        "it is not the turn of this player"
    );
    let text = shown(&screen, &story);
    assert!(
        text.contains("It is not your turn yet; the draft stays."),
        "{text}"
    );
    // Other commands leave the draft alone.
    assert_eq!(
        enter(&mut screen, "shuffle", story.view.as_ref()),
        sent("shuffle")
    );
    story.play(0, "1A", "TIED", &[("TIED", 9)], 0, None);
    report(&mut screen, &story);
    story.turn(4, 1);
    report(&mut screen, &story);
    let text = shown(&screen, &story);
    assert!(text.contains("Draft 10H QI"), "{text}");
    assert!(
        text.contains("Enter plays 10H QI, Esc removes it"),
        "{text}"
    );
    assert_eq!(
        press(&mut screen, KeyCode::Enter, story.view.as_ref()),
        sent("10H QI")
    );
}

#[test]
fn an_impossible_draft_is_removed_with_its_reason() {
    let mut story = midgame(Some(1));
    let mut screen = screen_of(&story);
    enter(&mut screen, "10H QI", story.view.as_ref());
    story.play(0, "10H", "ED", &[("ED", 3)], 0, None);
    report(&mut screen, &story);
    let text = shown(&screen, &story);
    assert!(!text.contains("Draft 10H QI"), "{text}");
    assert!(
        text.contains("! The draft 10H QI is removed: H10 is occupied."),
        "{text}"
    );
}

#[test]
fn a_refused_draft_can_be_played_again() {
    let mut story = midgame(Some(0));
    let mut screen = screen_of(&story);
    enter(&mut screen, "8J E", story.view.as_ref());
    assert_eq!(
        press(&mut screen, KeyCode::Enter, story.view.as_ref()),
        sent("8J E")
    );
    let refused = ErrorBody::new(ErrorCode::StoragePaused, "the game waits for the storage");
    screen.report(
        &Report::Error(Some(1), Box::new(refused)),
        story.view.as_ref(),
    );
    assert_eq!(
        press(&mut screen, KeyCode::Enter, story.view.as_ref()),
        sent("8J E")
    );
    // The event of the play removes the draft without a message.
    story.play(0, "8J", "E", &[("HORnE", 13)], 0, None);
    report(&mut screen, &story);
    let text = shown(&screen, &story);
    assert!(
        !text.contains("Draft") && !text.contains("removed"),
        "{text}"
    );
}

#[test]
fn escape_removes_the_draft() {
    let story = midgame(Some(0));
    let view = story.view.as_ref();
    let mut screen = screen_of(&story);
    enter(&mut screen, "8J E", view);
    type_text(&mut screen, "pa", view);
    press(&mut screen, KeyCode::Esc, view);
    assert!(
        shown(&screen, &story).contains("Draft 8J E"),
        "the first Esc clears the line"
    );
    press(&mut screen, KeyCode::Esc, view);
    assert!(!shown(&screen, &story).contains("Draft 8J E"));
}

#[test]
fn a_play_that_is_not_possible_stays_in_the_input_line() {
    let story = midgame(Some(0));
    let view = story.view.as_ref();
    let mut screen = screen_of(&story);
    assert_eq!(enter(&mut screen, "8J Q", view), Reaction::Redraw);
    let text = shown(&screen, &story);
    assert!(text.contains("! 8J Q: you don't have the tile Q"), "{text}");
    assert!(text.contains("> 8J Q"), "{text}");
}

#[test]
fn an_error_of_the_server_names_the_tile() {
    let story = midgame(Some(0));
    let mut screen = screen_of(&story);
    let mut refuse = |tiles: &str| {
        let detail = ErrorDetail {
            tiles: Some(faces(tiles)),
            ..ErrorDetail::default()
        };
        let text = "a tile of the play is not on the rack";
        let body = ErrorBody::new(ErrorCode::TileNotInRack, text).with_detail(detail);
        screen.report(&Report::Error(Some(1), Box::new(body)), story.view.as_ref());
        shown(&screen, &story)
    };
    let one = refuse("Q");
    assert!(one.contains("! You don't have the tile Q."), "{one}");
    let two = refuse("QZ");
    assert!(two.contains("! You don't have the tiles Q, Z."), "{two}");
}
