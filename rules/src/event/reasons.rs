//! Why something in a game came to its end.

use serde::{Deserialize, Serialize};

use crate::time::Seat;

/// Why a challenge window closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowClose {
    /// The seat on turn ended its turn.
    NextTurn,
    /// Every eligible seat accepted.
    Accepted,
    /// The timer ran out.
    Timer,
    /// A challenge was decided.
    Verdict,
    /// The author left the game.
    AuthorRetired,
    /// No seat is left that could challenge.
    LastOpponentRetired,
    /// The flag of the seat on turn fell.
    Flag,
    /// The game ended.
    GameOver,
}

/// Why a hold ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldEnd {
    /// The holder released the hold.
    Released,
    /// The holder accepted the play.
    Accepted,
    /// The play was challenged.
    Challenged,
    /// The hold reached its time limit.
    Limit,
    /// The holder left the game.
    Retired,
    /// The window closed for another reason.
    Closed,
}

/// Why a request to abort or to adjourn a game was declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbortDecline {
    /// The other player refused.
    Refused,
    /// The other player did not answer in time.
    Expired,
    /// The seat that had asked completed a turn, or the other seat did and the game counts. A request to adjourn: any seat
    /// completed a turn.
    Played,
}

/// Why a seat left the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retirement {
    /// The player resigned.
    Resigned,
    /// The flag fell.
    Flagged,
    /// The limit for a move by correspondence passed.
    Expired,
    /// The player was away, and an opponent claimed or the waiting time of the game ended.
    Abandoned,
}

impl Retirement {
    /// Returns why the game ends if this retirement leaves one active seat.
    #[must_use]
    pub const fn ends_game_as(self) -> EndReason {
        match self {
            Self::Resigned => EndReason::Resignation,
            Self::Flagged | Self::Expired => EndReason::Time,
            Self::Abandoned => EndReason::Abandonment,
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The bag is empty and a seat played its last tile.
    OutPlay,
    /// Too many turns in a row without score.
    ScorelessTurns,
    /// Too many passes in a row.
    Passes,
    /// The cap of turns in a row without score was reached, regardless of the inactivity rule (R-END-5).
    TurnCap,
    /// A seat reached its target score.
    Target,
    /// The bag is empty and no seat has a legal play left.
    AllPlayed,
    /// The bag is empty and the trailing seat can no longer catch up.
    Uncatchable,
    /// All other players resigned.
    Resignation,
    /// The last opponent ran out of time.
    Time,
    /// The last opponent stayed away.
    Abandonment,
    /// A triple challenge decided the game.
    TripleChallenge,
    /// A player aborted the game before every seat had completed a turn; no result.
    Aborted,
    /// A player did not get ready in time; no result.
    Cancelled,
    /// An operator decided the game (R-ADMIN-1).
    Adjudicated,
}

/// How an operator ends a game (R-ADMIN-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjudication {
    /// Without a result.
    NoResult,
    /// This seat wins. The scores do not count.
    Win(Seat),
    /// All active seats share the win.
    Draw,
    /// The scores decide. Unplayed tiles are not counted.
    AsItStands,
}

impl EndReason {
    /// Returns whether the game has winners and counts.
    #[must_use]
    pub const fn has_result(self) -> bool {
        !matches!(self, Self::Aborted | Self::Cancelled)
    }
}
