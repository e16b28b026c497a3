//! The turns of a snapshot.

use tilewire_protocol::*;

use super::parts::{strings, words};
use super::snapshots::player_snapshot;

/// One turn of each kind.
pub(super) fn turns() -> Vec<TurnRecord> {
    vec![
        TurnRecord {
            off: true,
            total: 53,
            ..play()
        },
        TurnRecord {
            tiles: Some(strings(&["?", "U"])),
            count: Some(2),
            ..turn(2, 1, TurnKind::Exchange)
        },
        turn(3, 0, TurnKind::Pass),
        turn(4, 1, TurnKind::LostTurn),
    ]
}

/// A snapshot with plays that were challenged, and with racks before turns.
pub(super) fn judged_snapshot() -> Snapshot {
    let mut snapshot = player_snapshot();
    snapshot.setup.rule_set.language = Some("english".to_owned());
    snapshot.setup.rule_set.language_tag = Some("en".to_owned());
    let refused = TurnRecord {
        off: true,
        challenger: Some(1),
        bad_words: strings(&["FARMs", "FOX"]),
        ..play()
    };
    let lost = TurnRecord {
        rack: Some(strings(&["A", "D", "I", "L", "O", "S", "T"])),
        ..turn(2, 1, TurnKind::LostTurn)
    };
    let stands = TurnRecord {
        turn_no: 3,
        play_id: Some(22),
        bonus: Some(50),
        score: 103,
        total: 103,
        challenger: Some(1),
        points: vec![SeatPoints {
            seat: 1,
            points: -5,
        }],
        ..play()
    };
    snapshot.turns = vec![refused, lost, stands];
    snapshot
}

fn play() -> TurnRecord {
    TurnRecord {
        start: Some("8F".to_owned()),
        tiles: Some(strings(&["F", "A", ".", "m"])),
        words: Some(words()),
        score: 53,
        play_id: Some(12),
        ..turn(1, 0, TurnKind::Play)
    }
}

fn turn(turn_no: u32, seat: u8, kind: TurnKind) -> TurnRecord {
    TurnRecord {
        turn_no,
        seat,
        kind,
        start: None,
        tiles: None,
        words: None,
        score: 0,
        total: 0,
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
