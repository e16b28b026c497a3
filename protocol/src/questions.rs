//! Messages between players other than moves: requests to abort, nudges, given time, claims.

use serde::{Deserialize, Serialize};

use crate::clocks::Clocks;
use crate::enums::AbortDecline;
use crate::ids::{CmdId, GameId};
#[cfg(feature = "schema")]
use crate::limits;

/// A seat asked to abort a rated game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbortRequested {
    /// The seat that asks.
    pub seat: u8,
    /// When the request is declined without an answer, unix ms.
    pub until: i64,
}

/// A request to abort a rated game was declined; the game goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbortDeclined {
    /// The seat that had asked.
    pub seat: u8,
    /// The reason.
    pub reason: AbortDecline,
}

/// A seat asked whether the seat on turn is still there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nudged {
    /// The seat that asks.
    pub seat: u8,
    /// The seat on turn, which is asked.
    pub target: u8,
    /// When the place of `target` can be claimed without an answer, unix ms; absent: the limit of the turn decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_at: Option<i64>,
}

/// The nudged seat is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NudgeAnswered {
    /// The seat that was nudged.
    pub seat: u8,
}

/// Gives time to another player of a casual game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GiveTime {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The seat that gets the time.
    pub seat: u8,
    /// How much, ms; absent: one limit, in a game with a limit for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = limits::GIFT_MIN_MS, max = limits::GIFT_MAX_MS)))]
    pub time_ms: Option<i64>,
}

/// A seat gave time to another one, or an operator gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeGiven {
    /// The seat that gave; the target itself if an operator gave.
    pub seat: u8,
    /// The seat that got the time.
    pub target: u8,
    /// How much, ms; it is in the `main_ms` of the target.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub time_ms: i64,
    /// The clocks from now on; the one that ran runs on.
    pub clocks: Clocks,
}

/// A seat takes no time in this game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeRefused {
    /// The seat.
    pub seat: u8,
}

/// Answers the other seat's request to abort a rated game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerAbort {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// Whether the game ends without a result.
    pub accept: bool,
}

/// Claims the place of a seat that has vanished, or that has not answered a nudge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The seat.
    pub seat: u8,
}
