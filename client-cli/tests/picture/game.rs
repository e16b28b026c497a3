//! The screen of the picture: a player in the middle of a real game, which two bots have played.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use tilewire_cli::app::{Report, State, Status};
use tilewire_cli::screen::{Colours, Content, Screen, ScreenOptions, Theme};
use tilewire_cli::text::Invocation;
use tilewire_client::fixtures::{Story, T0, clocks, faces, window};
use tilewire_protocol::{EventBody, PlayMade, ScoredWord, ServerMessage, TilesDrawn, TurnStarted};
use tilewire_rules::board::Board;
use tilewire_rules::notation;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;

pub(crate) const TITLE: &str = "tilewire play";

/// The size of the terminal.
const SIZE: (u16, u16) = (112, 30);
/// The moment of the picture.
const NOW: i64 = T0 + 107_300;
/// The time that each player has used for a turn, ms.
const PACE_MS: [i64; 2] = [71_300, 54_800];

/// The turns of the game: the rack before the turn, and the play.
const TURNS: &[(&str, &str)] = &[
    ("UAEWU?D", "H4 WAUkED"),
    ("PSBNSVA", "5G P.VANS"),
    ("UOLRVTN", "4D VROU."),
    ("BSYFTGA", "L1 BAFT."),
    ("LTNCEOI", "8H .LECTION"),
    ("SYGTNKE", "2J KY.NG"),
    ("SNDOIMP", "G8 SIMP"),
    ("STEOOAW", "H11 AWETO"),
    ("NDOEINL", "14A INDOLEN."),
    ("SOGXERG", "I10 GREX"),
    ("E?SUETA", "E4 .ESAlUTE"),
    ("SOGAIIE", "1K O.IAS"),
];
/// The player's rack after these turns.
const RACK: &str = "LHEDTNI";
/// The play that the player is typing.
const TYPED: &str = "O1 .HINED";

/// Draws the screen of the player.
pub(crate) fn screen() -> Buffer {
    let mut story = story();
    if let Some(view) = &mut story.view {
        view.watching = 3;
    }
    let mut screen = Screen::new(Theme::new(Colours::On), ScreenOptions::default());
    let connected = Status {
        name: Some("Ada".to_owned()),
        ..Status::of(State::Connected)
    };
    screen.report(&Report::Status(Box::new(connected)), None);
    for event in &story.events {
        let push = ServerMessage::Event(event.clone());
        screen.report(&Report::Push(Box::new(push)), story.view.as_ref());
    }
    for c in TYPED.chars() {
        let key = Event::Key(KeyEvent::from(KeyCode::Char(c)));
        screen.event(&key, story.view.as_ref());
    }
    let content = Content {
        view: story.view.as_ref(),
        offer: None,
        similar: &[],
        lobby: None,
        choices: None,
        next: &[],
        invocation: &Invocation {
            program: "tilewire".to_owned(),
            server: None,
            profile: None,
            data_dir: None,
        },
        own: None,
        now: NOW,
        is_connected: true,
        lag_ms: Some(12),
    };
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).expect("a terminal");
    terminal
        .draw(|frame| screen.draw(frame, &content))
        .expect("a test terminal takes everything");
    terminal.backend().buffer().clone()
}

/// Replays the game; the last play can still be challenged.
fn story() -> Story {
    let rules = RuleSet::classic();
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    let mut story = Story::started(&["Ada", "Grace"], Some(0), TURNS[0].0);
    let mut bag = story.view().bag;
    let own_racks = || TURNS.iter().step_by(2).map(|(rack, _)| *rack).chain([RACK]);
    for (index, (rack, text)) in TURNS.iter().enumerate() {
        let seat = index % 2;
        let placement = notation::parse(text, &rules.tiles).expect("a play");
        let held = notation::parse_rack(rack, &rules.tiles).expect("a rack");
        let play = Play::resolve(&rules, &board, &held, &placement).expect("a legal play");
        for (square, placed) in play.placed() {
            board.place(*square, *placed);
        }
        let count = u32::try_from(play.placed().len()).expect("few tiles");
        let is_last = index + 1 == TURNS.len();
        story.tell(EventBody::PlayMade(made(&story, seat, &play, is_last)));
        if !is_last {
            bag -= count;
            let own = own_racks().nth(index / 2 + 1).filter(|_| seat == 0);
            let tiles = own.map(|next| drawn(&story.view().rack, next));
            story.tell(EventBody::TilesDrawn(TilesDrawn {
                seat: u8::try_from(seat).expect("two seats"),
                count,
                tiles,
                bag,
            }));
        }
        start_turn(&mut story, index + 1);
    }
    story
}

fn made(story: &Story, seat: usize, play: &Play, is_last: bool) -> PlayMade {
    let rules = RuleSet::classic();
    let cells = play.tiles().iter();
    let words = play.words().iter().map(|word| ScoredWord {
        word: word.text.clone(),
        score: word.score,
    });
    PlayMade {
        turn_no: story.view().turn_no,
        seat: u8::try_from(seat).expect("two seats"),
        start: notation::format_coordinate(play.start(), play.direction()),
        tiles: cells
            .map(|cell| notation::format_cell(*cell, &rules.tiles))
            .collect(),
        words: words.collect(),
        bonus: Some(play.bonus()).filter(|bonus| *bonus != 0),
        score: play.score(),
        total: story.view().seats[seat].score + play.score(),
        owed: u32::try_from(play.placed().len()).expect("few tiles"),
        window: window(&[0], false).filter(|_| is_last),
        clocks: None,
    }
}

/// The tiles that turn the rack `left` into `next`.
fn drawn(left: &[String], next: &str) -> Vec<String> {
    let mut drawn = faces(next);
    for face in left {
        if let Some(place) = drawn.iter().position(|tile| tile == face) {
            drawn.remove(place);
        }
    }
    drawn
}

/// Starts the turn after `played` turns.
fn start_turn(story: &mut Story, played: usize) {
    let seat = u8::try_from(played % 2).expect("two seats");
    let played = i64::try_from(played).expect("few turns");
    let left = [(played + 1) / 2 * PACE_MS[0], played / 2 * PACE_MS[1]];
    let left = left.map(|used| 1_500_000 - used);
    story.tell(EventBody::TurnStarted(TurnStarted {
        turn_no: u32::try_from(played).expect("few turns") + 1,
        seat,
        clocks: clocks(&left, Some((seat, T0 + 100_000))),
    }));
}
