//! The actions that commands request.

use crate::alphabet::Tile;
use crate::event::HintGrade;
use crate::play::Placement;
use crate::time::{Seat, Seq, TurnNo};

/// The action that a command requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Say that the player is ready.
    Ready {
        /// The player's nonce (R-BAG-2); empty for none.
        nonce: Vec<u8>,
    },
    /// Lay tiles.
    Play {
        /// The turn this is meant for.
        turn_no: TurnNo,
        /// The tiles.
        placement: Placement,
    },
    /// Exchange tiles.
    Exchange {
        /// The turn this is meant for.
        turn_no: TurnNo,
        /// The tiles to exchange.
        tiles: Vec<Tile>,
    },
    /// Pass.
    Pass {
        /// The turn this is meant for.
        turn_no: TurnNo,
    },
    /// Challenge a play.
    Challenge(Seq),
    /// Accept a play.
    Accept(Seq),
    /// Hold a play to think about a challenge.
    Hold(Seq),
    /// Release a hold.
    Release(Seq),
    /// Withdraw the own challenged play.
    Withdraw(Seq),
    /// Let the lexicon decide on the own challenged play.
    Stand(Seq),
    /// Give up.
    Resign,
    /// Abort the game before every seat has completed a turn; in a rated game that has begun, ask the other seat for it.
    Abort,
    /// Answer the other seat's request to abort a rated game.
    AnswerAbort {
        /// Whether the game ends without a result.
        accept: bool,
    },
    /// Claim the game against a player who is away, or who has not answered a nudge.
    Claim(Seat),
    /// Ask whether the player on turn is still there.
    Nudge,
    /// Answer a nudge.
    Here,
    /// Ask the other players to adjourn the game.
    Adjourn,
    /// Answer another seat's request to adjourn the game.
    AnswerAdjourn {
        /// Whether the player agrees.
        agree: bool,
    },
    /// Say that the player is ready to resume an adjourned game.
    ResumeGame,
    /// Give time to another seat.
    GiveTime {
        /// The seat that gets it.
        target: Seat,
        /// How much, ms; `None` for one limit, in a game with a limit for each move.
        time_ms: Option<i64>,
    },
    /// Take no time in this game.
    RefuseTime,
    /// Ask for a hint.
    Hint {
        /// The turn this is meant for.
        turn_no: TurnNo,
        /// How much the hint says.
        grade: HintGrade,
    },
}

impl Action {
    /// Returns whether the action ends the turn of its seat.
    #[must_use]
    pub const fn ends_turn(&self) -> bool {
        matches!(
            self,
            Self::Play { .. } | Self::Exchange { .. } | Self::Pass { .. }
        )
    }
}
