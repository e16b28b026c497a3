//! The parts of a game's state: seats, turns, the open challenge window, the score sheet.

use crate::alphabet::{Placed, Tile};
use crate::board::Square;
use crate::event::{ChallengeDecided, CommandRef, HintGrade, PlayMade, Retirement};
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use std::collections::VecDeque;
use std::sync::Arc;

/// One seat of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatState {
    /// Points so far.
    pub score: i32,
    /// The nonce, once the player is ready.
    pub ready: Option<Vec<u8>>,
    /// Why the seat left the game, and in which order (0 = first).
    pub retired: Option<(Retirement, u8)>,
    /// The number of turns that the seat still has to lose.
    pub turn_debt: u8,
    /// When an opponent can claim the game, while the player is away.
    pub claim_at: Option<Timestamp>,
    /// How often the player was recorded as away.
    pub times_vanished: usize,
    /// Whether the seat has completed a turn.
    pub has_played: bool,
    /// Whether the seat has asked to abort the game.
    pub has_requested_abort: bool,
    /// Whether an opponent claimed because the seat did not answer a nudge (R-NUDGE-5).
    pub has_ignored_nudge: bool,
    /// How often the seat has nudged another one.
    pub nudges: u8,
    /// How often the seat has asked to adjourn the game.
    pub adjourn_requests: u8,
    /// Whether the server has adjourned the game because the seat was away (R-ADJ-8).
    pub was_adjourned_for: bool,
    /// How often the seat has given time.
    pub gifts: u8,
    /// Whether the seat takes no time.
    pub refuses_time: bool,
    /// When the last vacation of the player ends or ended (R-VAC).
    pub vacation_until: Option<Timestamp>,
    /// The last accepted commands, oldest first.
    pub recent: VecDeque<Remembered>,
}

/// An accepted command and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// The command.
    pub command: Arc<CommandRef>,
    /// The event it caused.
    pub seq: Seq,
}

/// A turn in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The turn's number.
    pub no: TurnNo,
    /// The seat on turn.
    pub seat: Seat,
}

/// A hint that a seat has used (R-HINT).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// The number of its event.
    pub seq: Seq,
    /// The turn in which it was used.
    pub turn_no: TurnNo,
    /// The seat, which was on turn.
    pub seat: Seat,
    /// How much it says.
    pub grade: HintGrade,
}

/// Runs of turns without score (R-END).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Runs {
    /// Passes, exchanges, plays challenged off and lost turns since the last scoring turn.
    pub scoreless: u32,
    /// Chosen passes since any other turn.
    pub passes: u32,
    /// Turns in a row without a point: like `scoreless`, but a play worth 0 does not end the run.
    pub without_score: u32,
}

impl Runs {
    /// Returns the runs after an exchange, a lost turn or a play that was taken off.
    #[must_use]
    pub const fn after_scoreless(self) -> Self {
        Self {
            scoreless: self.scoreless + 1,
            passes: 0,
            without_score: self.without_score + 1,
        }
    }

    /// Returns the runs after a pass.
    #[must_use]
    pub const fn after_pass(self) -> Self {
        Self {
            passes: self.passes + 1,
            ..self.after_scoreless()
        }
    }

    /// Returns the runs after a play without a point. A play with points ends all runs.
    #[must_use]
    pub const fn after_play_worth_nothing(self) -> Self {
        Self {
            scoreless: 0,
            passes: 0,
            without_score: self.without_score + 1,
        }
    }
}

/// The open challenge window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The play's id: the number of its event.
    pub play_id: Seq,
    /// Its author.
    pub author: Seat,
    /// When the play was made; moves with an outage.
    pub opened_at: Timestamp,
    /// When the window closes by its timer.
    pub closes_at: Option<Timestamp>,
    /// The seats that may act on the play.
    pub eligible: Vec<Seat>,
    /// The seats that have accepted.
    pub accepted: Vec<Seat>,
    /// The seats that have held the play.
    pub holds_used: Vec<Seat>,
    /// The current hold, if any.
    pub hold: Option<Hold>,
    /// The challenge that waits for the author's answer, if any.
    pub dispute: Option<Dispute>,
    /// The number of tiles that the author will draw.
    pub owed: u8,
    /// The values that a successful challenge restores.
    pub(crate) undo: Undo,
}

/// An open request to abort the game (R-SETUP-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbortRequest {
    /// The seat that asked.
    pub seat: Seat,
    /// When the request is declined if the other seat has not answered; moves with an outage.
    pub until: Timestamp,
}

/// A nudge that waits for an answer (R-NUDGE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nudge {
    /// The seat that asked.
    pub seat: Seat,
    /// The seat on turn, which is asked.
    pub target: Seat,
    /// When an opponent can claim the game, if the rules allow that; moves with an outage.
    pub claim_at: Option<Timestamp>,
}

/// A hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// The holder.
    pub seat: Seat,
    /// When the hold ends at the latest.
    pub until: Timestamp,
}

/// A challenge that waits for the author's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispute {
    /// The challenger.
    pub challenger: Seat,
    /// When the lexicon decides if the author has not answered.
    pub decide_by: Timestamp,
}

/// The values that are needed to take a play off the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Undo {
    pub(crate) placed: Vec<(Square, Placed)>,
    pub(crate) score: i32,
    pub(crate) runs: Runs,
}

/// One line of the score sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRecord {
    /// The turn.
    pub turn_no: TurnNo,
    /// The seat.
    pub seat: Seat,
    /// The kind of turn.
    pub kind: TurnKind,
    /// The seat's score after the turn, as counted now (a play challenged off counts nothing).
    pub total: i32,
    /// The rack before the turn, without owed tiles. It is hidden: only a view says who may see it.
    pub(crate) rack: Box<[Tile]>,
}

/// The kind of a completed turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnKind {
    /// A tile play.
    Play {
        /// Its id.
        play_id: Seq,
        /// The play.
        play: PlayMade,
        /// Whether the play still lies on the board.
        status: PlayStatus,
        /// The verdict on the challenge of the play, if one was decided.
        verdict: Option<Box<ChallengeDecided>>,
    },
    /// An exchange of this number of tiles.
    Exchange(usize),
    /// A chosen pass.
    Pass,
    /// A turn lost after a failed double challenge.
    LostTurn,
}

/// Whether a play lies on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayStatus {
    /// The play lies on the board, though its window may be open.
    OnBoard,
    /// A challenge or a withdrawal took the play off.
    ChallengedOff,
}
