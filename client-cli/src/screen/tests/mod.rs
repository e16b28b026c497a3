//! Pictures of the screen, and that no size of the terminal is too small.

mod chat;
mod drafts;
mod every_rule_set;
mod hints;
mod invitations;
mod keys;
mod offers;
mod turns;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tilewire_protocol::*;

use super::*;
use crate::app::{Report, State, Status};
use crate::text::{Invocation, parse_clock, parse_end};
use offers::seek_of;
use tilewire_client::fixtures::{Story, T0, clocks, faces, options, setup, window};

/// The moment of every picture.
const NOW: i64 = T0 + 107_300;

fn screen_of(story: &Story) -> Screen {
    let mut screen = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    let status = Status {
        name: Some("Anna".to_owned()),
        ..Status::of(State::Connected)
    };
    screen.report(&Report::Status(Box::new(status)), None);
    for event in &story.events {
        screen.report(
            &Report::Push(Box::new(ServerMessage::Event(event.clone()))),
            story.view.as_ref(),
        );
    }
    screen
}

/// A program that was called without flags.
static PLAIN: Invocation = Invocation {
    program: String::new(),
    server: None,
    profile: None,
    data_dir: None,
};

fn content(view: Option<&GameView>) -> Content<'_> {
    Content {
        view,
        offer: None,
        similar: &[],
        lobby: None,
        choices: None,
        next: &[],
        invocation: &PLAIN,
        own: None,
        now: NOW,
        is_connected: true,
        lag_ms: Some(12),
    }
}

fn picture(screen: &Screen, content: &Content<'_>, size: (u16, u16)) -> String {
    drawn(screen, content, size).backend().to_string()
}

fn drawn(screen: &Screen, content: &Content<'_>, size: (u16, u16)) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| screen.draw(frame, content)).unwrap();
    terminal
}

fn snap(name: &str, story: &Story, size: (u16, u16)) {
    insta::assert_snapshot!(
        name,
        picture(&screen_of(story), &content(story.view.as_ref()), size)
    );
}

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

/// Two turns by both, the first of them with a blank.
fn midgame(seat: Option<u8>) -> Story {
    let mut story = Story::started(&["Anna", "Ben"], seat, "HORNAE?");
    story.play(0, "8F", "HORn", &[("HORn", 12)], 4, None);
    story.draws(0, 4, (seat == Some(0)).then_some("TIED"), 82);
    story.turn(2, 1);
    story.play(1, "H6", "FA.M", &[("FARM", 13)], 3, None);
    story.draws(1, 3, (seat == Some(1)).then_some("QIZ"), 79);
    story.turn(3, 0);
    story
}

#[test]
fn waiting_for_players() {
    let mut seek = seek_of("seek1", &["Anna", "Ben"]);
    seek.private = true;
    seek.code = Some("K7QM".to_owned());
    let screen = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    let content = Content {
        offer: Some((&seek, true)),
        ..content(None)
    };
    insta::assert_snapshot!("waiting_for_players", picture(&screen, &content, SMALL));
}

#[test]
fn offers_that_differ_only_in_the_clock() {
    let mut own = seek_of("seek1", &["Anna"]);
    own.options = GameOptions {
        seats: 2,
        end: parse_end("scoreless:6").ok(),
        uncatchable: Some(true),
        ties: Some(Ties::Stand),
        first: Some(FirstPlay::Owner),
        ..own.options
    };
    let mut similar = own.clone();
    similar.members[0].name = "Ben".to_owned();
    similar.options.clock = parse_clock("increment:15m+10s").ok();
    let mut screen = screen_of(&Story::new(&["Anna", "Ben"], Some(0)));
    let similar = [similar];
    screen.report(&Report::Similar(similar.to_vec()), None);
    let content = Content {
        offer: Some((&own, true)),
        similar: &similar,
        ..content(None)
    };
    insta::assert_snapshot!("similar_offers", picture(&screen, &content, SMALL));
}

fn summary_of(game: &str, phase: Phase) -> GameSummary {
    let seat = |name: &str, score, on_turn| SummarySeat {
        identity: name.into(),
        name: name.to_owned(),
        score,
        on_turn,
        bot: false,
        rank: None,
        rating: None,
    };
    GameSummary {
        game: game.into(),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: vec![seat("Carla", 120, false), seat("Dora", 98, true)],
        phase,
        turn_no: 9,
        clocks: None,
        started_at: Some(T0),
        watching: 0,
        private: false,
        ended_at: None,
    }
}

#[test]
fn the_lobby() {
    let lists = Lists {
        mine: vec![summary_of("game3", Phase::Running)],
        live: vec![
            summary_of("game3", Phase::Running),
            summary_of("game4", Phase::Final),
        ],
        seeks: vec![
            seek_of("seek1", &["Ben"]),
            seek_of("seek2", &["Cleopatra the Seventh", "Do"]),
        ],
        ..Lists::default()
    };
    let mut screen = screen_of(&Story::new(&["Anna", "Ben"], Some(0)));
    let at = |lists| Content {
        lobby: Some(lists),
        ..content(None)
    };
    insta::assert_snapshot!("lobby_80x24", picture(&screen, &at(&lists), SMALL));
    insta::assert_snapshot!("lobby_120x40", picture(&screen, &at(&lists), LARGE));
    let empty = Lists::default();
    insta::assert_snapshot!("lobby_empty", picture(&screen, &at(&empty), SMALL));
    let crowded = Lists {
        live: vec![summary_of("game4", Phase::Running); 30],
        seeks: vec![seek_of("seek1", &["Ben"]); 30],
        ..lists.clone()
    };
    insta::assert_snapshot!("lobby_crowded", picture(&screen, &at(&crowded), SMALL));
    for size in [(0, 0), (1, 1), (10, 3), (30, 7), (79, 12)] {
        drop(drawn(&screen, &at(&crowded), size));
    }
    screen.line("help", None);
    insta::assert_snapshot!("lobby_help", picture(&screen, &at(&empty), SMALL));
}

#[test]
fn games_to_choose_from() {
    let games = [
        summary_of("game3", Phase::Running),
        summary_of("game4", Phase::Final),
    ];
    let screen = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    let content = Content {
        choices: Some(&games),
        ..content(None)
    };
    insta::assert_snapshot!("choices_80x24", picture(&screen, &content, SMALL));
}

#[test]
fn waiting_to_be_ready() {
    let mut story = Story::new(&["Anna", "Ben"], Some(0));
    story.tell(EventBody::SeatReady(SeatReady {
        seat: 0,
        nonce: None,
    }));
    let mut early = content(story.view.as_ref());
    early.now = T0 + 20_000;
    insta::assert_snapshot!(
        "waiting_to_be_ready",
        picture(&screen_of(&story), &early, SMALL)
    );
}

#[test]
fn my_turn() {
    let story = midgame(Some(0));
    snap("my_turn_80x24", &story, SMALL);
    snap("my_turn_120x40", &story, LARGE);
}

#[test]
fn a_play_that_can_be_challenged() {
    let mut story = midgame(Some(1));
    story.play(
        0,
        "10F",
        "DEEDED",
        &[("DEEDED", 20), ("MD", 4)],
        6,
        window(&[1], false),
    );
    story.turn(4, 1);
    snap("window_80x24", &story, SMALL);
    snap("window_120x40", &story, LARGE);
}

#[test]
fn a_hold() {
    let mut story = midgame(Some(0));
    let play_id = story.play(0, "10F", "TIED", &[("TIED", 9)], 4, window(&[1], false));
    story.turn(4, 1);
    let clocks = clocks(&[1_300_000, 1_200_000], Some((1, T0 + 100_000)));
    let hold = HoldStarted {
        play_id,
        seat: 1,
        until: T0 + 150_000,
        clocks,
    };
    story.tell(EventBody::HoldStarted(hold));
    snap("hold_80x24", &story, SMALL);
}

#[test]
fn the_final_phase() {
    let mut story = midgame(Some(0));
    let play_id = story.play(0, "10F", "TIED", &[("TIED", 9)], 0, window(&[1], true));
    assert_eq!(story.view().phase, Phase::Final);
    snap("final_80x24", &story, SMALL);
    assert_eq!(story.view().window.as_ref().unwrap().play_id, play_id);
}

#[test]
fn the_end() {
    let mut story = midgame(Some(0));
    story.tell(EventBody::Passed(TurnUsed {
        turn_no: 3,
        seat: 0,
    }));
    let account = |seat, score, rack_points, time_penalty, rank, rack: &str| SeatResult {
        seat,
        score,
        rack_points,
        time_penalty,
        final_score: score + rack_points + time_penalty,
        rank,
        rack: faces(rack),
    };
    story.tell(EventBody::Ended(GameResult {
        reason: EndReason::OutPlay,
        results: vec![
            account(0, 345, 12, 0, 1, ""),
            account(1, 351, -12, -10, 2, "QI?"),
        ],
        winners: vec![0],
        aborter: None,
        exchanges: Vec::new(),
        secret: None,
        clocks: clocks(&[65_000, -4_000], None),
    }));
    let next = [
        "Record: tilewire record fetch game1 -o game1.gcg --server ws://example.org:7780",
        "Proof of the draws: tilewire verify game1 --server ws://example.org:7780",
    ]
    .map(str::to_owned);
    let content = Content {
        next: &next,
        ..content(story.view.as_ref())
    };
    let mut screen = screen_of(&story);
    insta::assert_snapshot!("ended_80x24", picture(&screen, &content, SMALL));
    insta::assert_snapshot!("ended_120x40", picture(&screen, &content, LARGE));
    let offered = ServerMessage::Rematch(Box::new(RematchChanged {
        agreed: vec![1],
        expires_at: Some(T0 + 60_000),
        ..RematchChanged::about(story.view().game.clone())
    }));
    screen.report(&Report::Push(Box::new(offered)), story.view.as_ref());
    insta::assert_snapshot!("rematch_offered_80x24", picture(&screen, &content, SMALL));
}

#[test]
fn an_aborted_game_names_the_player() {
    for (seat, text) in [
        (Some(0), "Ben aborted the game"),
        (Some(1), "you aborted the game"),
    ] {
        let mut story = Story::started(&["Anna", "Ben"], seat, "HORNAE?");
        let account = |seat| SeatResult {
            seat,
            score: 0,
            rack_points: 0,
            time_penalty: 0,
            final_score: 0,
            rank: 0,
            rack: Vec::new(),
        };
        story.tell(EventBody::Ended(GameResult {
            reason: EndReason::Aborted,
            results: vec![account(0), account(1)],
            winners: Vec::new(),
            aborter: Some(1),
            exchanges: Vec::new(),
            secret: None,
            clocks: clocks(&[65_000, 4_000], None),
        }));
        let whole = picture(&screen_of(&story), &content(story.view.as_ref()), SMALL);
        assert!(whole.contains(&format!("Game over: {text}.")), "{whole}");
        assert!(
            whole.contains(&format!("The game is over: {text}.")),
            "{whole}"
        );
        assert!(
            !whole.contains("= 0"),
            "a game without a result has no standings: {whole}"
        );
    }
}

#[test]
fn four_players() {
    let mut story = Story::started(
        &["Anna", "Benedict", "Cleopatra the Seventh", "Do"],
        Some(2),
        "QUIZZED",
    );
    let play_id = story.play(
        0,
        "8F",
        "HORN",
        &[("HORN", 14)],
        4,
        window(&[1, 2, 3], false),
    );
    story.turn(2, 1);
    story.tell(EventBody::Accepted(Accepted { play_id, seat: 3 }));
    story.tell(EventBody::SeatVanished(SeatVanished {
        seat: 1,
        claim_at: NOW + 45_000,
    }));
    story.tell(EventBody::SeatRetired(SeatRetired {
        seat: 3,
        reason: RetireReason::Resigned,
    }));
    snap("four_players_80x24", &story, SMALL);
    snap("four_players_120x40", &story, LARGE);
}

#[test]
fn watching() {
    let mut story = midgame(None);
    story.view.as_mut().unwrap().watching = 20;
    snap("watch_80x24", &story, SMALL);
}

/// A game that shows spectators the racks, three minutes late.
fn commentary() -> Story {
    let mut setup = setup(&["Anna", "Ben"]);
    setup.options.spectators = Some(SpectatorView {
        delay_ms: 180_000,
        racks: true,
    });
    let mut story = Story::begun(setup, None, "");
    // The spectator sees the drawn tiles of both players.
    for (seat, rack) in [(0, "HORNAE?"), (1, "FAMQIZE")] {
        let state = &mut story.view.as_mut().unwrap().seats[seat];
        state.rack = faces(rack);
    }
    story.play(0, "8F", "HORn", &[("HORn", 12)], 4, None);
    story.draws(0, 4, Some("TIED"), 82);
    story.turn(2, 1);
    story.play(1, "H6", "FA.M", &[("FARM", 13)], 3, None);
    story.draws(1, 3, Some("LLS"), 79);
    story.turn(3, 0);
    story
}

#[test]
fn commenting() {
    let story = commentary();
    let content = Content {
        now: NOW + 180_000,
        ..content(story.view.as_ref())
    };
    let screen = screen_of(&story);
    let small = picture(&screen, &content, (40, 12));
    assert!(small.contains("Delayed by 3m."), "{small}");
    let whole = picture(&screen, &content, SMALL);
    // The clocks are those of three minutes ago, and nothing on a rack is unseen.
    for text in [
        "Delayed by 3m.",
        "N A E T I E D",
        "Q I Z E L L S",
        "21:53",
        "Unseen 79:",
    ] {
        assert!(whole.contains(text), "{text}: {whole}");
    }
}

/// A board as high as the terminal: everything else is beside it.
#[test]
fn a_large_board() {
    let setup = every_rule_set::setup_of("super", &["Anna", "Ben"]);
    let mut story = Story::begun(setup, Some(0), "HORNAE?");
    story.play(0, "11H", "HORn", &[("HORn", 12)], 4, window(&[1], false));
    snap("super_80x24", &story, SMALL);
    snap("super_120x40", &story, LARGE);
    let mut screen = screen_of(&story);
    assert_eq!(screen.line("help", story.view.as_ref()), Reaction::Redraw);
    let picture = picture(&screen, &content(story.view.as_ref()), SMALL);
    insta::assert_snapshot!("super_help_80x24", picture);
}

#[test]
fn help_and_the_small_terminal() {
    let story = midgame(Some(0));
    let mut screen = screen_of(&story);
    insta::assert_snapshot!(
        "small_40x12",
        picture(&screen, &content(story.view.as_ref()), (40, 12))
    );
    assert_eq!(screen.line("help", None), Reaction::Redraw);
    insta::assert_snapshot!(
        "help_80x24",
        picture(&screen, &content(story.view.as_ref()), SMALL)
    );
}

#[test]
fn every_terminal_size_can_be_drawn() {
    let story = midgame(Some(0));
    let mut screen = screen_of(&story);
    for _ in 0..2 {
        for width in [0, 1, 2, 3, 5, 10, 20, 33, 40, 71, 72, 79, 80, 110, 111, 200] {
            for height in [0, 1, 2, 3, 4, 5, 10, 20, 21, 22, 23, 24, 40, 60] {
                for content in [content(story.view.as_ref()), content(None)] {
                    drop(drawn(&screen, &content, (width, height)));
                }
            }
        }
        screen.line("help", None);
    }
}
