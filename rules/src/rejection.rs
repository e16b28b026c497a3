//! Why a command is refused: one variant per rule. A refused command changes nothing.

use crate::alphabet::Tile;
use crate::play::PlacementError;
use crate::time::{Timestamp, TurnNo};

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// Not all players are ready.
    #[error("the game has not started")]
    NotStarted,
    /// The game has started, or the player is already ready.
    #[error("you have already said that you are ready")]
    AlreadyReady,
    /// The nonce is not the one whose hash was announced.
    #[error("the nonce does not match the hash you announced")]
    BadNonce,
    /// The player has left this game.
    #[error("you have left this game")]
    Retired,
    /// Another seat is on turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The command names another turn, or a play that does not exist.
    #[error("the position has changed; turn {} is being played", .expected.0)]
    WrongPosition {
        /// The turn being played.
        expected: TurnNo,
    },
    /// An out-play waits for its final challenge: no more turns.
    #[error("the last play can only be challenged, held or accepted")]
    FinalPhase,
    /// The placement breaks a rule.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The play forms words that are not in the lexicon (automatic validation only).
    #[error("not in the lexicon: {}", .words.join(", "))]
    InvalidWords {
        /// The bad words.
        words: Vec<String>,
    },
    /// The exchange names no tiles.
    #[error("name at least one tile to exchange")]
    NothingToExchange,
    /// The rack does not hold all tiles to exchange.
    #[error("your rack does not hold these tiles")]
    NotOnRack {
        /// The tiles that it lacks, as often as it lacks them.
        missing: Vec<Tile>,
    },
    /// The bag holds too few tiles for any exchange.
    #[error("the bag holds {bag} tiles; exchanging needs {needed}")]
    BagTooSmall {
        /// Tiles in the bag, owed tiles taken off.
        bag: usize,
        /// Tiles that every exchange needs.
        needed: usize,
    },
    /// The exchange takes more tiles than the bag holds.
    #[error("the bag holds {bag} tiles; you cannot exchange {exchanged}")]
    TooManyExchanged {
        /// Tiles in the bag, owed tiles taken off.
        bag: usize,
        /// Tiles to exchange.
        exchanged: usize,
    },
    /// Plays are validated automatically; there is nothing to challenge.
    #[error("this game has no challenges")]
    NoChallenges,
    /// The play can no longer be challenged.
    #[error("the play can no longer be challenged")]
    WindowClosed,
    /// The play was challenged before.
    #[error("the play has already been challenged")]
    AlreadyChallenged,
    /// The seat has accepted the play, which is final.
    #[error("you have already accepted the play")]
    AlreadyAccepted,
    /// The play is the player's own.
    #[error("it is your own play")]
    OwnPlay,
    /// The seat held this play before.
    #[error("you have already held this play")]
    HoldUsed,
    /// A hold is not possible any more.
    #[error("it is too late to hold this play")]
    CannotHold,
    /// An opponent holds the play; turns wait.
    #[error("the last play is held")]
    Held {
        /// When the hold ends at the latest.
        until: Timestamp,
    },
    /// The seat does not hold the play.
    #[error("you do not hold this play")]
    NotHeld,
    /// A challenge waits for the author's answer.
    #[error("a challenge is being decided")]
    ChallengePending {
        /// When it is decided at the latest.
        until: Timestamp,
    },
    /// No challenge waits for this player's answer.
    #[error("no challenge of your play is being decided")]
    NoChallengePending,
    /// Every seat has completed a turn, so the game can only be played or resigned.
    #[error("the game can no longer be aborted; you can resign")]
    CannotAbort,
    /// The seat has asked once to abort the game.
    #[error("you have already asked to abort this game")]
    AlreadyRequested,
    /// The other seat has not asked to abort the game, or the request was declined.
    #[error("no request to abort the game waits for your answer")]
    NoAbortRequest,
    /// The seat on turn cannot be nudged, or not yet.
    #[error("you cannot ask now whether your opponent is still there")]
    CannotNudge {
        /// When a nudge becomes possible, if the seat on turn does nothing until then.
        from: Option<Timestamp>,
    },
    /// The seat has nudged as often as one seat can in a game.
    #[error("you have asked twice in this game whether your opponent is still there")]
    NudgesUsed,
    /// No nudge waits for this player's answer.
    #[error("nobody asks whether you are still there")]
    NoNudge,
    /// The game cannot be adjourned, or not now: its players need not be present, a play can be challenged, or a request of
    /// this player is open.
    #[error("this game cannot be adjourned now")]
    CannotAdjourn {
        /// When the challenge window closes or the request ends by its timer, if it does.
        until: Option<Timestamp>,
    },
    /// The seat has asked to adjourn as often as one seat can in a game.
    #[error("you have asked three times to adjourn this game")]
    AdjournsUsed,
    /// No request to adjourn the game waits for this player's answer.
    #[error("no request to adjourn the game waits for your answer")]
    NoAdjournRequest,
    /// The game is adjourned: it takes a resignation and players who are ready to resume.
    #[error("the game is adjourned; say that you are ready to resume it")]
    Adjourned {
        /// When the adjournment ends.
        until: Timestamp,
    },
    /// An operator has paused the game: it takes no commands.
    #[error("an operator has paused the game")]
    Paused {
        /// When the game goes on by itself.
        until: Timestamp,
    },
    /// The game is not adjourned.
    #[error("the game is not adjourned")]
    NotAdjourned,
    /// Time cannot be given in this game, at this moment, to this seat, or so much.
    #[error("you cannot give this time")]
    CannotGiveTime,
    /// The seat has given time as often as one seat can in a game.
    #[error("you have given time ten times in this game")]
    GiftsUsed,
    /// The seat takes no time in this game.
    #[error("the player takes no time in this game")]
    TimeRefused,
    /// The game has no hints.
    #[error("this game has no hints")]
    NoHints,
    /// The seat has used all hints that the options give it.
    #[error("you have used all your hints in this game")]
    HintsUsed,
    /// The last play can be challenged.
    #[error("there are no hints while the last play can be challenged")]
    CannotHint {
        /// When the challenge window closes at the latest, if it has a timer.
        until: Option<Timestamp>,
    },
    /// The named player is connected, or the waiting time has not passed.
    #[error("you cannot claim against this player now")]
    CannotClaim {
        /// When the claim becomes possible, if the player stays away.
        claim_at: Option<Timestamp>,
    },
    /// The seat has sent a command that waits for the challenge window.
    #[error("your last command is still waiting for the challenge window")]
    CommandWaiting,
    /// The command id was used for another command.
    #[error("this cmd_id was used for another command")]
    CommandIdReused,
}
