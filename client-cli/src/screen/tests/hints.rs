//! The hint in the empty input line, and the help page: only commands that the game allows.

use super::*;

/// The last row of the screen.
fn hint_of(story: &Story) -> String {
    let whole = picture(&screen_of(story), &content(story.view.as_ref()), LARGE);
    let last = whole.lines().last().unwrap_or_default();
    last.trim_matches('"').trim().to_owned()
}

fn void_game() -> Story {
    let mut setup = setup(&["Anna", "Ben"]);
    setup.options.challenge = Some(Challenge::of(ChallengeKind::Void));
    let mut story = Story::begun(setup, Some(0), "HORNAE?");
    story.play(0, "8F", "HORN", &[("HORN", 14)], 4, None);
    story.draws(0, 4, Some("TIED"), 82);
    story
}

#[test]
fn a_void_game_hints_no_challenge() {
    let mut story = void_game();
    story.turn(2, 1);
    assert_eq!(
        hint_of(&story),
        "> type a play to see it as a draft, help, quit"
    );
    story.play(1, "H6", "FA.M", &[("FARM", 13)], 3, None);
    story.turn(3, 0);
    assert_eq!(hint_of(&story), "> 8F HORN, exchange AEI, pass, help, quit");
    let mut screen = screen_of(&story);
    screen.line("help", story.view.as_ref());
    let help = picture(&screen, &content(story.view.as_ref()), SMALL);
    assert!(!help.contains("  challenge"), "{help}");
}

#[test]
fn hints_are_offered_while_some_are_left_and_shown() {
    let mut setup = setup(&["Anna", "Ben"]);
    setup.options.hints = Some(1);
    let mut story = Story::begun(setup, Some(0), "HORNAE?");
    let offered = "> 8F HORN, exchange AEI, pass, hint, help, quit";
    assert_eq!(hint_of(&story), offered);
    let mut screen = screen_of(&story);
    screen.line("help", story.view.as_ref());
    let help = picture(&screen, &content(story.view.as_ref()), SMALL);
    assert!(help.contains("hint          show a play"), "{help}");
    story.tell(EventBody::HintUsed(HintUsed { seat: 0, grade: 2 }));
    let none_left = "> 8F HORN, exchange AEI, pass, help, quit";
    assert_eq!(hint_of(&story), none_left);
    let mut screen = screen_of(&story);
    let hint = Hint {
        game: "game1".into(),
        turn_no: 1,
        grade: 2,
        theme: HintTheme::Play,
        line: Some("8".to_owned()),
        start: None,
        tiles: Vec::new(),
        words: Vec::new(),
        score: None,
    };
    let push = Report::Push(Box::new(ServerMessage::Hint(Box::new(hint))));
    screen.report(&push, story.view.as_ref());
    let shown = picture(&screen, &content(story.view.as_ref()), LARGE);
    for text in ["Anna used a hint.", "Hint: find a play, in row 8."] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn a_play_that_can_be_challenged_hints_the_answers() {
    let mut story = midgame(Some(1));
    let play_id = story.play(0, "10F", "TIED", &[("TIED", 9)], 4, window(&[1], false));
    assert_eq!(hint_of(&story), "> challenge, accept, hold, help, quit");
    story.turn(4, 1);
    let on_turn = "> 8F HORN, exchange AEI, pass, challenge, accept, hold, help, quit";
    assert_eq!(hint_of(&story), on_turn);
    story.tell(EventBody::HoldStarted(HoldStarted {
        play_id,
        seat: 1,
        until: T0 + 150_000,
        clocks: clocks(&[1_300_000, 1_200_000], None),
    }));
    assert!(hint_of(&story).contains("challenge, accept, release, help"));
    story.tell(EventBody::Accepted(Accepted { play_id, seat: 1 }));
    assert!(!hint_of(&story).contains("challenge"));
}

#[test]
fn a_game_that_waits_hints_abort() {
    let story = Story::new(&["Anna", "Ben"], Some(0));
    assert_eq!(hint_of(&story), "> abort, help, quit");
}
