//! The turns of a snapshot.

use tilewire_protocol::*;

use super::parts::{strings, words};

/// One turn of each kind, and a play of each outcome of a challenge.
pub(super) fn turns() -> Vec<TurnRecord> {
    let challenged = TurnRecord {
        start: Some("8F".to_owned()),
        tiles: Some(strings(&["F", "A", ".", "m"])),
        words: Some(words()),
        score: 53,
        play_id: Some(12),
        challenger: Some(1),
        ..turn(1, 0, TurnKind::Play, 0)
    };
    vec![
        TurnRecord {
            off: true,
            bad_words: strings(&["FARMs", "FOX"]),
            ..challenged.clone()
        },
        TurnRecord {
            tiles: Some(strings(&["?", "U"])),
            count: Some(2),
            rack: Some(strings(&["?", "A", "I", "L", "S", "T", "U"])),
            ..turn(2, 1, TurnKind::Exchange, 0)
        },
        turn(3, 0, TurnKind::Pass, 0),
        TurnRecord {
            rack: Some(strings(&["A", "D", "I", "L", "O", "S", "T"])),
            ..turn(4, 1, TurnKind::LostTurn, 0)
        },
        TurnRecord {
            turn_no: 5,
            play_id: Some(22),
            bonus: Some(50),
            score: 103,
            total: 103,
            points: vec![SeatPoints {
                seat: 1,
                points: -5,
            }],
            ..challenged
        },
    ]
}

fn turn(turn_no: u32, seat: u8, kind: TurnKind, total: i32) -> TurnRecord {
    TurnRecord {
        turn_no,
        seat,
        kind,
        start: None,
        tiles: None,
        words: None,
        score: 0,
        total,
        count: None,
        off: false,
        play_id: None,
        bonus: None,
        challenger: None,
        bad_words: vec![],
        points: vec![],
        rack: None,
    }
}
