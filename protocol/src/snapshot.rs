//! The state of a game at one moment, as one audience may see it. A client without earlier events starts from it.

use serde::{Deserialize, Serialize};

use crate::adjourn::{AdjournRequest, Adjournment};
use crate::clocks::Clocks;
use crate::enums::{Phase, RetireReason, Role, TurnKind};
use crate::game::{
    AbortRequest, BoardTile, GameResult, GameSetup, Nudge, ScoredWord, SeatPoints, VanishedSeat,
};
use crate::hints::UsedHint;
use crate::ids::GameId;
use crate::text::is_false;

/// The state of a game at one moment; the next event has `seq + 1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The game.
    pub game: GameId,
    /// The incarnation of its event log; part of the resume position.
    pub epoch: u64,
    /// The `seq` of the last event that it contains.
    pub seq: u64,
    /// Server time at which it was taken, unix ms.
    pub at: i64,
    /// The client's role.
    pub role: Role,
    /// The client's seat; absent for spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Everything fixed at creation.
    pub setup: GameSetup,
    /// The phase of the game.
    pub phase: Phase,
    /// Number of the current turn; 0 before the first.
    pub turn_no: u32,
    /// The seat on turn; absent when no seat is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_turn: Option<u8>,
    /// The seat that plays first; absent until it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u8>,
    /// The tiles on the board, a play under challenge included.
    pub board: Vec<BoardTile>,
    /// The seats, in order.
    pub seats: Vec<SnapshotSeat>,
    /// Tiles left in the bag; owed tiles count as dealt.
    pub bag: u32,
    /// The clocks.
    pub clocks: Clocks,
    /// The open challenge window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<SnapshotWindow>,
    /// When the turn takes effect that the seat on turn has sent and that waits, as in `turn_waiting`, unix ms; absent: no
    /// turn waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_until: Option<i64>,
    /// The finished turns, oldest first.
    pub turns: Vec<TurnRecord>,
    /// Seats that have vanished.
    pub vanished: Vec<VanishedSeat>,
    /// The request to abort the game that waits for an answer; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abort_request: Option<AbortRequest>,
    /// The nudge that waits for an answer; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudge: Option<Nudge>,
    /// The request to adjourn the game that waits for answers; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourn_request: Option<AdjournRequest>,
    /// The sleep of the game; absent: it is not adjourned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourned: Option<Adjournment>,
    /// The seats that take no time, in order; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time_refused: Vec<u8>,
    /// The hints that were used, oldest first; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<UsedHint>,
    /// The result; present when ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
}

/// One seat of a [`Snapshot`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SnapshotSeat {
    /// Points so far.
    pub score: i32,
    /// Tiles on the rack; owed tiles count as dealt.
    pub rack_count: u32,
    /// The tiles on the rack, without owed ones; present for the client's own seat only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<Vec<String>>,
    /// Whether the seat has said `ready`.
    pub ready: bool,
    /// Why the seat left the game; absent: it still plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<RetireReason>,
    /// Turns that it owes to failed challenges.
    pub turn_debt: u32,
    /// Whether a connection of its identity is attached.
    pub connected: bool,
    /// When the vacation of the player ends, unix ms; it can be over. Absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacation_until: Option<i64>,
}

/// The challenge window of a [`Snapshot`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SnapshotWindow {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The seat that made the play.
    pub author: u8,
    /// Whether this is the final phase after an out-play.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// When it closes, unix ms; absent: no timer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<i64>,
    /// Seats that may challenge, hold or accept; those that accepted stay listed.
    pub eligible: Vec<u8>,
    /// Seats that have accepted.
    pub accepted: Vec<u8>,
    /// The seat that holds; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u8>,
    /// When the hold ends by itself, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_until: Option<i64>,
    /// Seats that have used their hold of this play.
    pub holds_used: Vec<u8>,
    /// The challenger; absent: none yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenger: Option<u8>,
    /// When the lexicon decides unless the author does, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decide_by: Option<i64>,
}

/// One finished turn of the scoresheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnRecord {
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat.
    pub seat: u8,
    /// The kind of turn.
    pub kind: TurnKind,
    /// Start and direction (`play`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The faces along the play (`play`); the tiles exchanged (`exchange`, own seat only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
    /// The words formed (`play`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<ScoredWord>>,
    /// Points of the turn as made; a play challenged off keeps the points it lost.
    pub score: i32,
    /// The seat's points after the turn.
    pub total: i32,
    /// Tiles exchanged (`exchange`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Whether the play was challenged off; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub off: bool,
    /// The `seq` of the play (`play`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play_id: Option<u64>,
    /// Bonus for the number of tiles played, which `score` contains (`play`); absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<i32>,
    /// The seat that challenged the play, once the challenge is decided; absent: no challenge was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenger: Option<u8>,
    /// The words not in the lexicon, of a play that the lexicon took off; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bad_words: Vec<String>,
    /// Points that the challenge changed, without the undone score of the play; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<SeatPoints>,
    /// The rack before the turn, without owed tiles, in any order; present for the client's own seat, and for all seats
    /// where it sees their racks or once the game has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<Vec<String>>,
}
