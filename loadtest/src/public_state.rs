//! The public part of a snapshot, for comparison with the fold of the game's events.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use tilewire_protocol::{Clocks, ScoredWord, Snapshot, TurnKind, TurnRecord};

/// A game at one moment. Who is connected and the open window are not in it: the first is no part of the game, the
/// second changes with the time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PublicState {
    /// Number of the current turn; 0 before the first.
    pub(crate) turn_no: u32,
    /// The seat on turn, if there is one.
    pub(crate) on_turn: Option<u8>,
    /// The tiles on the board: squares and faces, sorted.
    pub(crate) board: Vec<(String, String)>,
    /// Tiles in the bag; owed ones count as dealt.
    pub(crate) bag: u32,
    /// The seats, in order.
    pub(crate) seats: Vec<SeatState>,
    /// The finished turns, oldest first.
    pub(crate) turns: Vec<TurnLine>,
    /// The clocks once a turn has begun.
    pub(crate) clocks: Option<ClockState>,
    /// Whether there is a result.
    pub(crate) is_over: bool,
}

/// One seat of a [`PublicState`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SeatState {
    /// Points so far.
    pub(crate) score: i32,
    /// Tiles on the rack; owed ones count as dealt.
    pub(crate) rack_count: u32,
    /// Whether its player has said so.
    pub(crate) is_ready: bool,
    /// Whether it has left the game.
    pub(crate) is_retired: bool,
}

/// One line of the scoresheet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TurnLine {
    /// Which turn.
    pub(crate) turn_no: u32,
    /// The seat that played it.
    pub(crate) seat: u8,
    /// How it was used.
    pub(crate) kind: &'static str,
    /// Where a play starts.
    pub(crate) start: Option<String>,
    /// The faces along it.
    pub(crate) tiles: Vec<String>,
    /// The words it forms, and their points.
    pub(crate) words: Vec<(String, i32)>,
    /// Its points.
    pub(crate) score: i32,
    /// The seat's points after it.
    pub(crate) total: i32,
    /// Tiles exchanged.
    pub(crate) count: Option<u32>,
    /// Whether it was challenged off.
    pub(crate) is_off: bool,
    /// The number of the play.
    pub(crate) play_id: Option<u64>,
}

/// Clocks: the main time and the allowance of each seat, and the running clock with its start.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ClockState(Vec<i64>, Vec<i64>, Option<(u8, i64)>);

impl PublicState {
    /// The state that a snapshot shows.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let board = snapshot.board.iter();
        let seats = snapshot.seats.iter();
        Self {
            turn_no: snapshot.turn_no,
            on_turn: snapshot.on_turn,
            board: sorted(board.map(|laid| (laid.square.clone(), laid.tile.clone()))),
            bag: snapshot.bag,
            seats: seats
                .map(|seat| SeatState {
                    score: seat.score,
                    rack_count: seat.rack_count,
                    is_ready: seat.ready,
                    is_retired: seat.retired.is_some(),
                })
                .collect(),
            turns: snapshot.turns.iter().map(TurnLine::of).collect(),
            clocks: (snapshot.turn_no > 0).then(|| ClockState::of(&snapshot.clocks)),
            is_over: snapshot.result.is_some(),
        }
    }

    /// All of it in one number.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl TurnLine {
    /// The turn as a snapshot shows it.
    pub(crate) fn of(turn: &TurnRecord) -> Self {
        // The tiles of an exchange are shown to their player only.
        let tiles = turn.tiles.clone().filter(|_| turn.kind == TurnKind::Play);
        Self {
            turn_no: turn.turn_no,
            seat: turn.seat,
            kind: match turn.kind {
                TurnKind::Play => "play",
                TurnKind::Exchange => "exchange",
                TurnKind::Pass => "pass",
                TurnKind::LostTurn => "lost turn",
                TurnKind::Unknown => "unknown",
            },
            start: turn.start.clone(),
            tiles: tiles.unwrap_or_default(),
            words: words(turn.words.as_deref().unwrap_or_default()),
            score: turn.score,
            total: turn.total,
            count: turn.count,
            is_off: turn.off,
            play_id: turn.play_id,
        }
    }
}

impl ClockState {
    /// Returns the clocks of a message.
    pub(crate) fn of(clocks: &Clocks) -> Self {
        let running = clocks.running.map(|running| (running.seat, running.since));
        Self(clocks.main_ms.clone(), clocks.allowance_ms.clone(), running)
    }
}

/// Squares and faces in a canonical order.
pub(crate) fn sorted(board: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut board: Vec<(String, String)> = board.collect();
    board.sort_unstable();
    board
}

/// Words and their scores.
pub(crate) fn words(words: &[ScoredWord]) -> Vec<(String, i32)> {
    let words = words.iter();
    words.map(|word| (word.word.clone(), word.score)).collect()
}
