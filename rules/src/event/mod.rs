//! The events of a game.
//!
//! A game is its log: the state is a fold over these records (see [`crate::state`]). Events with
//! hidden content are separate variants of [`Event`]; everyone may see every [`PublicEvent`].
//! [`crate::view`] decides which audience sees the hidden content.

mod hex;
mod hint;
mod player;
mod reasons;
mod series;

pub use hint::{HintGrade, UnknownGrade};
pub use player::{Player, PlayerKind, SeatRating};
pub use reasons::{AbortDecline, Adjudication, EndReason, HoldEnd, Retirement, WindowClose};
pub use series::{Series, WIN};

use crate::alphabet::{Letter, Placed, Tile};
use crate::board::{Direction, Square};
use crate::clock::Clocks;
use crate::options::GameOptions;
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use serde::{Deserialize, Serialize};

/// One entry of a game's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The number of the event: 1, 2, 3 … without gaps.
    pub seq: Seq,
    /// When the event took effect; never earlier than the previous record, except after an outage.
    pub at: Timestamp,
    /// The event.
    pub event: Event,
    /// The command that caused the event, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandRef>,
}

/// Identifies an accepted command, so that a retry is recognised even after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRef {
    /// The seat that sent it.
    pub seat: Seat,
    /// The sender's id for it.
    pub cmd_id: String,
    /// Digest of the content: a command with the same id and different content is refused.
    pub digest: u64,
}

/// One event of a game.
#[expect(
    clippy::large_enum_variant,
    reason = "a log has one creation, which is not worth another allocation"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The game was created. Hidden until the end: the server's secret.
    Created(Created),
    /// The bag was shuffled, together with the tiles that an exchange put back. Hidden: the order.
    BagShuffled {
        /// The label of the stream that the shuffle used (R-BAG-3).
        label: String,
        /// The bag in drawing order.
        order: Vec<Tile>,
    },
    /// A seat drew tiles. Other seats do not see which.
    TilesDrawn {
        /// The seat that drew.
        seat: Seat,
        /// The tiles in the order in which they were drawn.
        tiles: Vec<Tile>,
        /// Tiles left in the bag.
        bag: u16,
    },
    /// A seat laid tiles aside to exchange them. Other seats do not see which.
    Exchanged {
        /// The turn that the event ended.
        turn_no: TurnNo,
        /// The seat that exchanged.
        seat: Seat,
        /// The tiles laid aside.
        tiles: Vec<Tile>,
    },
    /// An event without hidden content.
    Public(PublicEvent),
}

/// The creation of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// The game's id; part of its seed.
    pub game: String,
    /// The options of the game.
    pub options: GameOptions,
    /// The players in seat order.
    pub players: Vec<Player>,
    /// SHA-256 of the lexicon's data.
    #[serde(with = "hex::bytes")]
    pub lexicon_hash: [u8; 32],
    /// SHA-256 of the secret.
    #[serde(with = "hex::bytes")]
    pub commitment: [u8; 32],
    /// The server's secret; hidden until the game is over.
    #[serde(with = "hex::bytes")]
    pub secret: [u8; 32],
    /// The place in a series of rematches; `None` if the game is not a rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Box<Series>>,
}

/// A word of a play and its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredWord {
    /// The word in the faces of the alphabet; lower case for blanks.
    pub word: String,
    /// The letters of the word.
    pub letters: Vec<Letter>,
    /// The points of the word with premiums, without the bonus.
    pub score: i32,
}

/// A tile play as committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayMade {
    /// The turn that the event ended.
    pub turn_no: TurnNo,
    /// The author.
    pub seat: Seat,
    /// The first square of the main word.
    pub start: Square,
    /// The direction of the main word.
    pub direction: Direction,
    /// The squares of the main word: `None` where a tile lay before the play.
    pub tiles: Vec<Option<Placed>>,
    /// The words formed, the main word first.
    pub words: Vec<ScoredWord>,
    /// The bonus for the number of tiles laid, in points (R-SCORE-8).
    pub bonus: i32,
    /// The points of the turn, bonus included.
    pub score: i32,
    /// The author's score after the play.
    pub total: i32,
    /// The number of tiles that the author draws when the window closes.
    pub owed: u8,
    /// The challenge window that the play opened, if plays can be challenged.
    pub window: Option<WindowOpened>,
}

/// A new challenge window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowOpened {
    /// When the window closes by its timer, if it has one.
    pub closes_at: Option<Timestamp>,
    /// The seats that may challenge, accept or hold.
    pub eligible: Vec<Seat>,
    /// The stopped clocks, if the play is an out-play.
    pub final_clocks: Option<Clocks>,
}

/// The verdict on a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeDecided {
    /// The play.
    pub play_id: Seq,
    /// The challenger.
    pub seat: Seat,
    /// Whether the play comes off or stands, and what that costs.
    pub verdict: Verdict,
    /// The words that are not in the lexicon; empty if the author withdrew the play.
    pub bad_words: Vec<String>,
    /// The points that the challenge gave to seats; negative for a loss.
    pub points: Vec<(Seat, i32)>,
    /// The score of every seat after the verdict.
    pub totals: Vec<i32>,
    /// The clocks, if they stood while the author was asked and run again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// How a challenge ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least one word is not in the lexicon: the play comes off.
    Off,
    /// The author withdrew the play: it comes off, and the lexicon is not consulted.
    Withdrawn,
    /// All words are valid; the challenge costs no turn.
    Stands,
    /// All words are valid; the challenger loses its current or next turn.
    StandsTurnLost,
}

impl Verdict {
    /// Returns whether the play came off.
    #[must_use]
    pub const fn is_off(self) -> bool {
        match self {
            Self::Off | Self::Withdrawn => true,
            Self::Stands | Self::StandsTurnLost => false,
        }
    }
}

/// One seat's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The seat.
    pub seat: Seat,
    /// The score before any adjustment.
    pub score: i32,
    /// The points that unplayed tiles added or took.
    pub rack_points: i32,
    /// The points lost for overtime, 0 or more.
    pub time_penalty: i32,
    /// `score + rack_points - time_penalty`.
    pub final_score: i32,
    /// 1 for the winners; equal ranks are shared.
    pub rank: u8,
    /// The unplayed tiles.
    pub rack: Vec<Tile>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Why.
    pub reason: EndReason,
    /// Every seat's result, in seat order.
    pub results: Vec<SeatResult>,
    /// The winners: several share a win; none if there is no result.
    pub winners: Vec<Seat>,
    /// The seat that aborted the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborter: Option<Seat>,
    /// How an operator ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The server's secret, so that everyone can verify the bag.
    #[serde(with = "hex::bytes")]
    pub secret: [u8; 32],
    /// The clocks, stopped.
    pub clocks: Clocks,
}

/// An event that every audience sees completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicEvent {
    /// A player is ready.
    SeatReady {
        /// The seat that is ready.
        seat: Seat,
        /// The player's nonce; empty if none counts (R-BAG-2).
        nonce: Vec<u8>,
    },
    /// The premium squares were dealt; only for rule sets that deal them for each game (R-SET-3).
    BoardDrawn {
        /// One string for each row, with the symbols of [`crate::board::Premium::SYMBOLS`].
        layout: Vec<String>,
    },
    /// Tiles were drawn for the first play and put back.
    OrderDrawn {
        /// The draws of each round; later rounds contain the tied seats only.
        rounds: Vec<Vec<(Seat, Tile)>>,
        /// The seat that starts.
        first: Seat,
    },
    /// A turn began.
    TurnStarted {
        /// The turn.
        turn_no: TurnNo,
        /// The seat on turn.
        seat: Seat,
        /// All clocks; the clock of this seat runs.
        clocks: Clocks,
    },
    /// A play was made; its id is the number of the record.
    PlayMade(PlayMade),
    /// A seat passed.
    Passed {
        /// The turn that the event ended.
        turn_no: TurnNo,
        /// The seat that passed.
        seat: Seat,
    },
    /// A seat lost a turn because of a failed double challenge.
    TurnLost {
        /// The turn that was lost.
        turn_no: TurnNo,
        /// The seat that lost it.
        seat: Seat,
    },
    /// An opponent accepted a play.
    Accepted {
        /// The play.
        play_id: Seq,
        /// The seat that accepted.
        seat: Seat,
    },
    /// An opponent held the play to think about a challenge.
    HoldStarted {
        /// The play.
        play_id: Seq,
        /// The holder.
        seat: Seat,
        /// When the hold ends at the latest.
        until: Timestamp,
        /// All clocks; the holder's clock runs.
        clocks: Clocks,
    },
    /// A hold ended.
    HoldEnded {
        /// The play.
        play_id: Seq,
        /// The holder.
        seat: Seat,
        /// Why.
        reason: HoldEnd,
        /// All clocks.
        clocks: Clocks,
    },
    /// A play was challenged, and the author is asked whether to withdraw it.
    ChallengeOpened {
        /// The play.
        play_id: Seq,
        /// The challenger.
        seat: Seat,
        /// When the lexicon decides if the author has not answered.
        decide_by: Timestamp,
        /// All clocks; none runs.
        clocks: Clocks,
    },
    /// A challenge was decided.
    ChallengeDecided(ChallengeDecided),
    /// A challenge window closed; if the play stands, owed tiles are drawn next.
    WindowClosed {
        /// The play.
        play_id: Seq,
        /// Why.
        reason: WindowClose,
    },
    /// The server was down, or an operator had paused the game; deadlines moved by that time and no clock was charged for it.
    ClockCredited {
        /// The last moment the server is known to have run, or when the game was paused.
        stopped_at: Timestamp,
        /// When the game continued.
        resumed_at: Timestamp,
        /// All clocks.
        clocks: Clocks,
    },
    /// A player lost the last connection.
    SeatVanished {
        /// The seat that lost its connection.
        seat: Seat,
        /// When an opponent can claim the game.
        claim_at: Timestamp,
    },
    /// A player who was away is connected again.
    SeatReturned {
        /// The seat that is back.
        seat: Seat,
    },
    /// A player asked to abort a rated game.
    AbortRequested {
        /// The seat that asked.
        seat: Seat,
        /// When the request is declined if the other player has not answered.
        until: Timestamp,
    },
    /// A request to abort the game was declined: the game goes on.
    AbortDeclined {
        /// The seat that had asked.
        seat: Seat,
        /// Why.
        reason: AbortDecline,
    },
    /// A seat asked whether the player on turn is still there (R-NUDGE-1).
    Nudged {
        /// The seat that asked.
        seat: Seat,
        /// The seat on turn, which is asked.
        target: Seat,
        /// When an opponent can claim the game; `None` if the limit of the turn decides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_at: Option<Timestamp>,
    },
    /// The seat that was nudged has acted before the end of its turn (R-NUDGE-4).
    NudgeAnswered {
        /// The seat that had been nudged.
        seat: Seat,
    },
    /// A player asked the others to adjourn the game (R-ADJ-1).
    AdjournRequested {
        /// The seat that asked.
        seat: Seat,
        /// When the request is declined if a player has not answered.
        until: Timestamp,
    },
    /// A player agreed to adjourn the game, and others have not answered.
    AdjournAgreed {
        /// The seat that agreed.
        seat: Seat,
    },
    /// A request to adjourn the game was declined: the game goes on.
    AdjournDeclined {
        /// The seat that had asked.
        seat: Seat,
        /// Why.
        reason: AbortDecline,
    },
    /// The game was adjourned: no clock runs (R-ADJ-3).
    Adjourned {
        /// When the game is aborted if no player is ready to resume; from then on, a player who is ready can claim.
        until: Timestamp,
        /// When the game is aborted if no player has claimed.
        claim_until: Timestamp,
        /// The seat that was away, if the server adjourned the game for it (R-ADJ-8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vanished: Option<Seat>,
        /// All clocks, stopped.
        clocks: Clocks,
    },
    /// A player is ready to resume the adjourned game.
    ReadyToResume {
        /// The seat that is ready.
        seat: Seat,
    },
    /// A player who was ready to resume has lost the last connection.
    NotReadyToResume {
        /// The seat that is no longer ready.
        seat: Seat,
    },
    /// All players were ready: the adjourned game goes on.
    Resumed {
        /// All clocks; the clock of the seat on turn runs.
        clocks: Clocks,
    },
    /// An operator paused the game (R-ADMIN-3). The clocks are credited for it when it goes on.
    Paused {
        /// When the game goes on by itself.
        until: Timestamp,
        /// All clocks, stopped.
        clocks: Clocks,
    },
    /// A vacation of a player began, changed or ended (R-VAC-2).
    Vacation {
        /// The seat of the player.
        seat: Seat,
        /// When it ends; not after the event if it has ended.
        until: Timestamp,
        /// All clocks; the clock that ran runs on.
        clocks: Clocks,
    },
    /// A seat gave time to another one (R-GIFT-1), or an operator did (R-ADMIN-6).
    TimeGiven {
        /// The seat that gave; if an operator gave, the seat that got the time.
        seat: Seat,
        /// The seat that got the time.
        target: Seat,
        /// How much, ms.
        time_ms: i64,
        /// All clocks; the clock that ran runs on.
        clocks: Clocks,
    },
    /// A seat takes no time in this game (R-GIFT-3).
    TimeRefused {
        /// The seat.
        seat: Seat,
    },
    /// The seat on turn used a hint (R-HINT-1). What it was told is in no event.
    HintUsed {
        /// The seat.
        seat: Seat,
        /// How much the hint says.
        grade: HintGrade,
    },
    /// A player left the game.
    SeatRetired {
        /// The seat that left.
        seat: Seat,
        /// Why.
        reason: Retirement,
    },
    /// The game ended.
    Ended(Ended),
}
