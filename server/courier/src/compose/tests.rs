//! Letters are made of public facts only, and look right as text and as HTML.

use tilewire_people::accounts::Notice;
use tilewire_people::codes::MailPurpose;
use tilewire_people::letters::Language;
use tilewire_rules::board::Premium;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::EndReason;
use tilewire_rules::game::Action;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};

use super::sheet::Cell;
use super::words::Body;
use super::*;
pub(super) use crate::pages::tests::{Table, some_play};
use tilewire_store::AwaitedAction;

const CLOCK: ClockKind = ClockKind::PerMove {
    limit_ms: 72 * 3_600_000,
    bank_ms: 0,
};

/// A game after one play, as its next player sees it.
fn played() -> (Table, Sheet) {
    let mut table = Table::begin("email-challenge", 2, CLOCK);
    let seat = table.on_turn();
    let turn_no = table.state().turn().unwrap().no;
    let placement = some_play(table.state(), seat);
    table.act(seat, Action::Play { turn_no, placement });
    let sheet = Sheet::of(table.state(), table.on_turn());
    (table, sheet)
}

fn turn() -> About {
    About::Turn {
        asked: AwaitedAction::Turn(TurnNo(2)),
        deadline: Some(Timestamp(1_800_000_000_000)),
        is_reminder: false,
    }
}

fn every_about() -> Vec<About> {
    let asked = [
        AwaitedAction::Turn(TurnNo(2)),
        AwaitedAction::Consent(tilewire_rules::time::Seq(9)),
        AwaitedAction::Final(tilewire_rules::time::Seq(9)),
    ];
    let mut all: Vec<About> = asked
        .into_iter()
        .flat_map(|asked| {
            [false, true].map(|is_reminder| About::Turn {
                asked,
                deadline: Some(Timestamp(1_800_000_000_000)),
                is_reminder,
            })
        })
        .collect();
    all.push(About::Update);
    all.extend(
        [(true, false), (true, true), (false, false)].map(|(has_won, is_shared)| About::Result {
            reason: EndReason::OutPlay,
            has_won,
            is_shared,
        }),
    );
    all.push(About::Invitation {
        from: "Zoë\r\nBcc: eve@example.org".to_owned(),
        rule_set: "Classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        limit_ms: Some(72 * 3_600_000),
        until: Timestamp(1_800_000_000_000),
    });
    all.push(About::Digest(vec!["one".to_owned()]));
    all.push(About::Security {
        notice: Notice::PasswordChanged,
        handle: "anna".to_owned(),
    });
    let purposes = [
        MailPurpose::Register,
        MailPurpose::LogIn,
        MailPurpose::Recover,
    ];
    all.extend(purposes.map(|purpose| About::Code {
        digits: "01234567".to_owned(),
        purpose,
    }));
    all.push(About::Test);
    all
}

fn made(body: &Body, sheet: Option<&Sheet>) -> String {
    let from = "Tilewire <tiles@example.org>".parse().unwrap();
    let id = message_id("key", domain_of(&from));
    let envelope = Envelope {
        from: &from,
        to: "anna@example.net",
        id: &id,
        at: Timestamp(1_800_000_000_000),
    };
    let links = Links {
        game: sheet.map(|_| "https://play.example/games/g1".to_owned()),
        page: None,
        settings: Some("https://play.example/account".to_owned()),
        unsubscribe: Some("https://play.example/unsubscribe/turn/anna/00".to_owned()),
    };
    let parcel = parcel(envelope, body, sheet, &links).unwrap();
    assert_eq!(parcel.to.to_string(), "anna@example.net");
    String::from_utf8(parcel.bytes).expect("every part is encoded as ASCII")
}

/// The headers of a message; a line that goes on is part of its header.
fn headers(message: &str) -> Vec<&str> {
    let (head, _) = message.split_once("\r\n\r\n").unwrap();
    head.split("\r\n")
        .filter(|line| !line.starts_with([' ', '\t']))
        .collect()
}

#[test]
fn every_letter_has_words_in_every_language_and_no_header_of_its_own() {
    let (_, sheet) = played();
    for about in every_about() {
        let is_of_game = matches!(
            about,
            About::Turn { .. } | About::Update | About::Result { .. }
        );
        let sheet = is_of_game.then_some(&sheet);
        let [english, german] =
            [Language::En, Language::De].map(|language| words(&about, sheet, language));
        assert_ne!(english.subject, german.subject, "{about:?}");
        for body in [english, german] {
            assert!(
                !body.subject.is_empty() && !body.lead.is_empty(),
                "{about:?}"
            );
            let message = made(&body, sheet);
            let names: Vec<&str> = headers(&message)
                .into_iter()
                .filter_map(|line| Some(line.split_once(':')?.0))
                .collect();
            assert!(!names.contains(&"Bcc"), "{names:?}");
            let once = |wanted| names.iter().filter(|name| **name == wanted).count();
            for name in [
                "From",
                "To",
                "Subject",
                "Message-ID",
                "Date",
                "List-Unsubscribe",
            ] {
                assert_eq!(once(name), 1, "{name} in {names:?}");
            }
        }
    }
}

#[test]
fn a_letter_can_be_ended_by_one_request() {
    let message = made(&words(&About::Update, None, Language::En), None);
    let link = "List-Unsubscribe: <https://play.example/unsubscribe/turn/anna/00>";
    assert!(message.contains(link), "{message}");
    let one_click = "List-Unsubscribe-Post: List-Unsubscribe=One-Click";
    assert!(message.contains(one_click), "{message}");
}

#[test]
fn a_letter_has_the_same_name_each_time() {
    let id = message_id("g1/0/turn/9", "example.org");
    assert_eq!(id, message_id("g1/0/turn/9", "example.org"));
    assert_ne!(id, message_id("g1/1/turn/9", "example.org"));
    assert!(id.ends_with("@example.org>") && id.starts_with('<'), "{id}");
}

/// The racks of a game, as texts, and the code of the private game.
#[test]
fn a_letter_shows_the_scores_and_the_play_and_no_rack() {
    let (table, sheet) = played();
    let body = words(&turn(), Some(&sheet), Language::En);
    let text = text::text(&body, Some(&sheet), &Links::default());
    let state = table.state();
    let score = state.history().last().unwrap().total;
    assert!(text.contains(&format!("total {score}")), "{text}");
    assert!(text.contains("ANNA") && text.contains("BEN"), "{text}");
    let html = html::html(&body, Some(&sheet), &Links::default(), true);
    for seat in Seat::all(2) {
        let rack = state.tiles().rack(seat);
        assert!(!rack.is_empty());
        let faces: Vec<&str> = rack
            .iter()
            .map(|tile| state.rules().tiles.tile_face(*tile))
            .collect();
        for between in ["", " ", ","] {
            let rack = faces.join(between);
            assert!(!text.contains(&rack) && !html.contains(&rack), "{rack}");
        }
    }
    assert!(!text.contains("SECRET") && !html.contains("SECRET"));
    // Nothing but the words and the board has letters of tiles.
    let on_board = sheet.rows.iter().flatten();
    let on_board = on_board
        .filter(|cell| matches!(cell, Cell::Tile { .. }))
        .count();
    assert_eq!(on_board, 2);
}

#[test]
fn the_board_is_drawn_in_rows() {
    let (_, mut sheet) = played();
    sheet.rows = vec![
        vec![Cell::Empty(Premium::Word(3)), Cell::Empty(Premium::Plain)],
        vec![
            Cell::Tile {
                face: "A".to_owned(),
                is_new: true,
            },
            Cell::Tile {
                face: "b".to_owned(),
                is_new: false,
            },
        ],
    ];
    let body = words(&turn(), Some(&sheet), Language::En);
    let text = text::text(&body, Some(&sheet), &Links::default());
    assert!(text.contains("    A B\n  1 = .\n  2 A b\n"), "{text}");
}

#[test]
fn the_picture_is_a_png_of_the_board() {
    let (_, sheet) = played();
    let picture = picture::picture(&sheet).unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(&picture));
    let reader = decoder.read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (361, 361));
    assert!(picture.len() < 20_000, "{} bytes", picture.len());
    let message = made(&words(&turn(), Some(&sheet), Language::En), Some(&sheet));
    assert!(message.contains("Content-ID: <board>"), "{message}");
}

#[test]
fn names_are_text_in_html() {
    let (_, mut sheet) = played();
    sheet.players[0].name = "<b>\"&'".to_owned();
    let body = words(&turn(), Some(&sheet), Language::De);
    let html = html::html(&body, Some(&sheet), &Links::default(), false);
    assert!(html.contains("&lt;b&gt;&quot;&amp;&#39;"), "{html}");
    assert!(!html.contains("<b>"), "{html}");
}
