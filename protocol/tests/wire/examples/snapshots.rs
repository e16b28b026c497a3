//! Snapshots of games.

use tilewire_protocol::*;

use super::parts::*;
use super::turns::turns;

/// A snapshot of a player's view with an open window.
pub(crate) fn player_snapshot() -> Snapshot {
    let tile = |square: &str, tile: &str| BoardTile {
        square: square.to_owned(),
        tile: tile.to_owned(),
    };
    let seat = |score, rack: Option<&[&str]>| SnapshotSeat {
        score,
        rack_count: 7,
        rack: rack.map(strings),
        ready: true,
        retired: None,
        turn_debt: 0,
        connected: true,
        vacation_until: None,
    };
    Snapshot {
        game: game(),
        epoch: 1,
        seq: 31,
        at: NOON + 90_000,
        role: Role::Player,
        seat: Some(1),
        setup: setup(),
        phase: Phase::Running,
        turn_no: 5,
        on_turn: Some(1),
        first: Some(0),
        board: vec![tile("H8", "A"), tile("I8", "h")],
        seats: vec![
            seat(61, None),
            seat(48, Some(&["A", "E", "I", "Q", "T", "?", "Z"])),
        ],
        bag: 60,
        clocks: clocks(),
        window: Some(window()),
        waiting_until: Some(NOON + 95_000),
        turns: turns(),
        abort_request: None,
        nudge: None,
        adjourn_request: None,
        adjourned: None,
        time_refused: Vec::new(),
        hints: Vec::new(),
        vanished: vec![VanishedSeat {
            seat: 0,
            claim_at: NOON + 150_000,
        }],
        result: None,
    }
}

fn window() -> SnapshotWindow {
    SnapshotWindow {
        play_id: 30,
        author: 0,
        is_final: false,
        closes_at: Some(NOON + 100_000),
        eligible: vec![1],
        accepted: vec![],
        holder: Some(1),
        hold_until: Some(NOON + 130_000),
        holds_used: vec![1],
        challenger: Some(1),
        decide_by: Some(NOON + 120_000),
    }
}

/// A snapshot of a finished game for a spectator.
pub(crate) fn ended_snapshot() -> Snapshot {
    let seat = |retired| SnapshotSeat {
        score: 0,
        rack_count: 0,
        rack: None,
        ready: true,
        retired,
        turn_debt: 1,
        connected: false,
        vacation_until: None,
    };
    Snapshot {
        role: Role::Spectator,
        seat: None,
        phase: Phase::Ended,
        on_turn: None,
        first: None,
        board: vec![],
        seats: vec![seat(None), seat(Some(RetireReason::Resigned))],
        clocks: standing_clocks(),
        window: None,
        waiting_until: None,
        turns: vec![],
        vanished: vec![],
        result: Some(result()),
        ..player_snapshot()
    }
}

/// A snapshot for a spectator who sees the racks.
pub(crate) fn commentary_snapshot() -> Snapshot {
    let mut snapshot = player_snapshot();
    snapshot.role = Role::Spectator;
    snapshot.seat = None;
    snapshot.seats[0].rack = Some(strings(&["B", "D", "L", "O", "R"]));
    snapshot.setup.options.spectators = Some(SpectatorView {
        delay_ms: 60_000,
        racks: true,
    });
    snapshot
}
