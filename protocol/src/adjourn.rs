//! Adjourning a game: the answer to a request, the events, and the part of a snapshot.

use serde::{Deserialize, Serialize};

use crate::clocks::Clocks;
use crate::enums::AbortDecline;
use crate::ids::{CmdId, GameId};

/// Answers another seat's request to adjourn the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerAdjourn {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// Whether the seat agrees.
    pub agree: bool,
}

/// A seat asked the others to adjourn the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjournRequested {
    /// The seat that asks.
    pub seat: u8,
    /// When the request is declined if a seat has not answered, unix ms.
    pub until: i64,
}

/// A seat agreed to adjourn the game, and others have not answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjournAgreed {
    /// The seat that agrees.
    pub seat: u8,
}

/// A request to adjourn the game was declined; the game goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjournDeclined {
    /// The seat that had asked.
    pub seat: u8,
    /// The reason.
    pub reason: AbortDecline,
}

/// The game was adjourned. What players asked of each other is over, and no seat counts as vanished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjourned {
    /// When the game is aborted if no seat is ready; from then on, a ready seat can claim. Unix ms.
    pub until: i64,
    /// When the game is aborted if seats are ready and none has claimed, unix ms.
    pub claim_until: i64,
    /// The vanished seat, if the server adjourned the game for it; absent: the players agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vanished: Option<u8>,
    /// The clocks; none runs.
    pub clocks: Clocks,
}

/// The seat of an adjourned game that has become ready, or is ready no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResumeReadiness {
    /// The seat.
    pub seat: u8,
}

/// All seats were ready: the adjourned game goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resumed {
    /// The clocks from now on: that of the seat on turn runs with the time that it had.
    pub clocks: Clocks,
}

/// A request to adjourn the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjournRequest {
    /// The seat that asked.
    pub seat: u8,
    /// When the request is declined if a seat has not answered, unix ms.
    pub until: i64,
    /// The other seats that have agreed, in the order of their answers.
    pub agreed: Vec<u8>,
}

/// The sleep of an adjourned game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjournment {
    /// When the game is aborted if no seat is ready; from then on, a ready seat can claim. Unix ms.
    pub until: i64,
    /// When the game is aborted if seats are ready and none has claimed, unix ms.
    pub claim_until: i64,
    /// The seats that are ready to resume, in the order in which they became ready.
    pub ready: Vec<u8>,
}
