//! Hints in casual games.

use tilewire_protocol::*;

use super::client::cmd;
use super::parts::{game, short_options};
use super::snapshots::player_snapshot;

/// The requests about hints.
pub(super) fn requests() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_hint",
            ClientMessage::Hint(AskHint {
                game: game(),
                cmd_id: cmd(),
                turn_no: 17,
                grade: 3,
            }),
        ),
        (
            "client_seek_hints",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: GameOptions {
                    hints: Some(3),
                    ..short_options()
                },
                private: false,
                bots: vec!["beginner".to_owned()],
                nonce_hash: None,
                level: None,
                criteria: None,
            })),
        ),
    ]
}

/// The event about hints.
pub(super) fn events() -> Vec<(&'static str, EventBody)> {
    let used = HintUsed { seat: 0, grade: 2 };
    vec![("event_hint_used", EventBody::HintUsed(used))]
}

/// The pushes about hints.
pub(super) fn pushes() -> Vec<(&'static str, ServerMessage)> {
    let hint = |grade, theme| Hint {
        game: game(),
        turn_no: 17,
        grade,
        theme,
        line: None,
        start: None,
        tiles: Vec::new(),
        words: Vec::new(),
        score: None,
    };
    let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let line = Hint {
        line: Some("8".to_owned()),
        ..hint(2, HintTheme::WordPremium)
    };
    let turn = Hint {
        line: Some("8".to_owned()),
        start: Some("8F".to_owned()),
        tiles: strings(&["F", "A", ".", "m"]),
        words: vec![ScoredWord {
            word: "FARm".to_owned(),
            score: 22,
        }],
        score: Some(22),
        ..hint(3, HintTheme::Play)
    };
    let exchange = Hint {
        tiles: strings(&["Q", "V"]),
        ..hint(3, HintTheme::Exchange)
    };
    let snapshot = Snapshot {
        hints: vec![UsedHint {
            seat: 0,
            turn_no: 1,
            grade: 1,
        }],
        ..player_snapshot()
    };
    let told = |hint| ServerMessage::Hint(Box::new(hint));
    vec![
        ("server_hint_theme", told(hint(1, HintTheme::SeveralWords))),
        ("server_hint_line", told(line)),
        ("server_hint_turn", told(turn)),
        ("server_hint_exchange", told(exchange)),
        (
            "server_snapshot_hints",
            ServerMessage::Snapshot(Box::new(snapshot)),
        ),
    ]
}
