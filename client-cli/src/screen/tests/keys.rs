//! Keys: editing, recalling and confirming lines, and the bell.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::*;

pub(super) fn press(screen: &mut Screen, code: KeyCode, view: Option<&GameView>) -> Reaction {
    screen.event(&Event::Key(KeyEvent::from(code)), view)
}

pub(super) fn type_text(screen: &mut Screen, text: &str, view: Option<&GameView>) {
    for c in text.chars() {
        press(screen, KeyCode::Char(c), view);
    }
}

pub(super) fn enter(screen: &mut Screen, text: &str, view: Option<&GameView>) -> Reaction {
    type_text(screen, text, view);
    press(screen, KeyCode::Enter, view)
}

pub(super) fn sent(text: &str) -> Reaction {
    Reaction::Line(text.to_owned())
}

#[test]
fn keys_edit_recall_and_confirm_lines() {
    let mut screen = Screen::new(Theme::new(Colours::On), ScreenOptions::default());
    assert_eq!(enter(&mut screen, "8F HORN", None), sent("8F HORN"));
    assert_eq!(enter(&mut screen, "resign", None), Reaction::Redraw);
    assert_eq!(enter(&mut screen, "no", None), Reaction::Redraw);
    assert_eq!(enter(&mut screen, "resign", None), Reaction::Redraw);
    assert_eq!(enter(&mut screen, "yes", None), sent("resign"));
    for _ in 0..2 {
        press(&mut screen, KeyCode::Up, None);
    }
    assert_eq!(press(&mut screen, KeyCode::Enter, None), sent("8F HORN"));
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(screen.event(&Event::Key(control_c), None), sent("quit"));
}

#[test]
fn abort_asks_for_confirmation() {
    let story = Story::new(&["Anna", "Ben"], Some(0));
    let mut screen = screen_of(&story);
    let view = story.view.as_ref();
    assert_eq!(enter(&mut screen, "abort", view), Reaction::Redraw);
    let asked = picture(&screen, &content(view), SMALL);
    assert!(
        asked.contains("Really abort the game for all players? Type yes:"),
        "{asked}"
    );
    assert_eq!(enter(&mut screen, "y", view), Reaction::Redraw);
    let declined = picture(&screen, &content(view), SMALL);
    assert!(declined.contains("Cancelled."), "{declined}");
    assert_eq!(enter(&mut screen, "abort", view), Reaction::Redraw);
    press(&mut screen, KeyCode::Esc, view);
    assert_eq!(enter(&mut screen, "yes", view), sent("yes"), "Esc declines");
    assert_eq!(enter(&mut screen, "abort", view), Reaction::Redraw);
    assert_eq!(enter(&mut screen, "yes", view), sent("abort"));
}

#[test]
fn in_a_rated_game_that_runs_abort_asks_the_opponent() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    if let Some(view) = &mut story.view {
        view.setup.options.rated = true;
    }
    let mut screen = screen_of(&story);
    let view = story.view.as_ref();
    assert_eq!(enter(&mut screen, "abort", view), Reaction::Redraw);
    let asked = picture(&screen, &content(view), SMALL);
    assert!(asked.contains("Really ask once to abort"), "{asked}");
    assert_eq!(enter(&mut screen, "yes", view), sent("abort"));
    // An answer needs no confirmation.
    assert_eq!(enter(&mut screen, "abort no", view), sent("abort no"));
}

#[test]
fn a_request_to_abort_is_shown_with_its_answers() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "HORNAE?");
    if let Some(view) = &mut story.view {
        view.setup.seats[0].rating = Some(SeatRating {
            value: 1712,
            deviation: 61,
            provisional: false,
        });
    }
    let (seat, until) = (0, T0 + 45_000);
    story.tell(EventBody::AbortRequested(AbortRequested { seat, until }));
    let screen = screen_of(&story);
    let shown = picture(&screen, &content(story.view.as_ref()), SMALL);
    assert!(shown.contains("Anna (1712)"), "{shown}");
    assert!(shown.contains("abort yes, abort no"), "{shown}");
}

#[test]
fn a_nudge_is_shown_with_its_answer_and_then_with_the_claim() {
    let nudged = |seat: u8| {
        let mut story = Story::started(&["Anna", "Ben"], Some(seat), "HORNAE?");
        story.tell(EventBody::Nudged(Nudged {
            seat: 1,
            target: 0,
            claim_at: Some(NOW + 45_000),
        }));
        story
    };
    let shown = |story: &Story, later: i64| {
        let mut content = content(story.view.as_ref());
        content.now = NOW + later;
        picture(&screen_of(story), &content, LARGE)
    };
    let asked = nudged(0);
    let question = shown(&asked, 0);
    assert!(
        question.contains("still there, 45 s left: here"),
        "{question}"
    );
    assert!(question.contains(", here, help"), "{question}");
    let asker = nudged(1);
    let waits = shown(&asker, 44_000);
    assert!(waits.contains("Anna is still there, 1 s left."), "{waits}");
    assert!(!waits.contains("claim"), "{waits}");
    let claims = shown(&asker, 45_000);
    assert!(claims.contains("Anna hasn't answered: claim"), "{claims}");
    assert!(claims.contains("> claim, help"), "{claims}");
}

#[test]
fn an_adjourned_game_waits_for_its_players() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "HORNAE?");
    let shown = |story: &Story| {
        let mut content = content(story.view.as_ref());
        content.now = NOW;
        picture(&screen_of(story), &content, LARGE)
    };
    story.tell(EventBody::AdjournRequested(AdjournRequested {
        seat: 0,
        until: NOW + 45_000,
    }));
    let asked = shown(&story);
    assert!(asked.contains("45 s left: adjourn yes,"), "{asked}");
    let clocks = story.view.as_ref().map(|view| view.clocks.clone());
    story.tell(EventBody::Adjourned(Adjourned {
        until: NOW + 60_000,
        claim_until: NOW + 90_000,
        vanished: None,
        clocks: clocks.expect("a game"),
    }));
    let sleeps = shown(&story);
    assert!(sleeps.contains("waiting for"), "{sleeps}");
    assert!(sleeps.contains("To resume, type resume."), "{sleeps}");
    assert!(sleeps.contains("> resume, resign, help"), "{sleeps}");
    story.tell(EventBody::ReadyToResume(ResumeReadiness { seat: 1 }));
    let ready = shown(&story);
    assert!(ready.contains("> resign, help"), "{ready}");
}

#[test]
fn given_time_is_told_and_on_the_clock() {
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    story.tell(EventBody::TimeGiven(TimeGiven {
        seat: 1,
        target: 0,
        time_ms: 15_000,
        clocks: clocks(&[1_455_000, 1_440_000], Some((0, NOW))),
    }));
    story.tell(EventBody::TimeRefused(TimeRefused { seat: 0 }));
    let shown = picture(&screen_of(&story), &content(story.view.as_ref()), LARGE);
    for text in [
        "Ben gave Anna 15s.",
        "Anna doesn't accept extra time in this game.",
        "24:15",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn the_help_says_how_to_give_time_where_the_game_allows_it() {
    let check = |change: &dyn Fn(&mut GameOptions), text: Option<&str>| {
        let mut setup = setup(&["Anna", "Ben"]);
        change(&mut setup.options);
        let story = Story::begun(setup, Some(0), "HORNAE?");
        let mut screen = screen_of(&story);
        screen.line("help", story.view.as_ref());
        let help = picture(&screen, &content(story.view.as_ref()), SMALL);
        match text {
            Some(text) => assert!(help.contains(text), "{text}: {help}"),
            None => assert!(!help.contains("give an opponent"), "{help}"),
        }
        assert!(help.contains("earlier input"), "the page has room: {help}");
    };
    let by = |kind| {
        move |options: &mut GameOptions| {
            if let Some(clock) = &mut options.clock {
                clock.kind = kind;
            }
        }
    };
    check(
        &by(ClockKind::Overtime),
        Some("give 15       give an opponent 15 seconds"),
    );
    check(
        &by(ClockKind::PerMove),
        Some("give          give an opponent one move's extra time"),
    );
    check(&by(ClockKind::Untimed), None);
    check(&|options| options.rated = true, None);
}

#[test]
fn the_bell_rings_once_for_each_turn_of_the_player() {
    let options = ScreenOptions {
        bell: Bell::Rings,
        ..ScreenOptions::default()
    };
    let mut story = Story::started(&["Anna", "Ben"], Some(0), "HORNAE?");
    let mut screen = Screen::new(Theme::new(Colours::Off), options);
    let mut silent = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    let mut rings = |story: &Story| {
        let event = story.events.last().unwrap().clone();
        let report = Report::Push(Box::new(ServerMessage::Event(event)));
        screen.report(&report, story.view.as_ref());
        silent.report(&report, story.view.as_ref());
        assert!(!silent.take_bell());
        (screen.take_bell(), screen.take_bell())
    };
    assert_eq!(rings(&story), (true, false), "the first turn");
    story.play(0, "8F", "HORn", &[("HORn", 12)], 0, None);
    assert_eq!(rings(&story), (false, false));
    story.turn(2, 1);
    assert_eq!(rings(&story), (false, false), "the turn of the opponent");
    story.turn(3, 0);
    assert_eq!(rings(&story), (true, false), "the next turn");
    let seat = 1;
    story.tell(EventBody::SeatReturned(SeatReturned { seat }));
    assert_eq!(
        rings(&story),
        (false, false),
        "another event in the same turn"
    );
}
