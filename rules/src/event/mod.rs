//! What happens in a game, as numbered facts.
//!
//! A game is its log: the state is a fold over these records (see [`crate::state`]). Events with
//! something hidden are variants of [`Event`] of their own; everything in [`PublicEvent`] may be
//! seen by anybody. [`crate::view`] decides who sees what of the others.

mod hex;

use crate::alphabet::{Letter, Placed, Tile};
use crate::board::{Direction, Square};
use crate::clock::Clocks;
use crate::options::GameOptions;
use crate::ruleset::Level;
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use serde::{Deserialize, Serialize};

/// One entry of a game's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number: 1, 2, 3 … without gaps.
    pub seq: Seq,
    /// When it took effect; never before the record in front of it, except after an outage.
    pub at: Timestamp,
    /// What happened.
    pub event: Event,
    /// The command that caused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandRef>,
}

/// Names an accepted command, so that a retry is recognised even after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRef {
    /// Who sent it.
    pub seat: Seat,
    /// The sender's id for it.
    pub cmd_id: String,
    /// Digest of its content: the same id with another content is refused.
    pub digest: u64,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The game was created. Hidden until the end: the server's secret.
    Created(Created),
    /// The bag (with what an exchange put back) was mixed. Hidden: the order.
    BagShuffled {
        /// Which stream of the game's seed was used (R-BAG).
        label: String,
        /// The bag in drawing order.
        order: Vec<Tile>,
    },
    /// A seat drew tiles. Hidden from others: which.
    TilesDrawn {
        /// Who drew.
        seat: Seat,
        /// What was drawn, in order.
        tiles: Vec<Tile>,
        /// Tiles left in the bag.
        bag: u16,
    },
    /// A seat laid tiles aside to exchange them. Hidden from others: which.
    Exchanged {
        /// The turn this ended.
        turn_no: TurnNo,
        /// Who exchanged.
        seat: Seat,
        /// What was laid aside.
        tiles: Vec<Tile>,
    },
    /// Something anybody may see.
    Public(PublicEvent),
}

/// The creation of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// The game's id; part of its seed.
    pub game: String,
    /// What it is played with.
    pub options: GameOptions,
    /// Who plays, in seat order.
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
}

/// A player of a game, as known when it was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The identity that owns the seat.
    pub identity: String,
    /// The name to show.
    pub name: String,
    /// SHA-256 of the nonce the player will send, if one was announced (R-BAG).
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex::option")]
    pub nonce_hash: Option<[u8; 32]>,
    /// The player's level, where targets depend on it (R-END-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// A word of a play and its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredWord {
    /// The word, in the alphabet's faces; lower case where a blank lies.
    pub word: String,
    /// Its letters, as the lexicon spells it.
    pub letters: Vec<Letter>,
    /// Its points with premiums, bonus excluded.
    pub score: i32,
}

/// A tile play as committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayMade {
    /// The turn this ended.
    pub turn_no: TurnNo,
    /// The author.
    pub seat: Seat,
    /// The first square of the main word.
    pub start: Square,
    /// Which way the main word reads.
    pub direction: Direction,
    /// The squares of the main word: `None` where a tile lay already.
    pub tiles: Vec<Option<Placed>>,
    /// The words formed, the main word first.
    pub words: Vec<ScoredWord>,
    /// The bonus for many tiles in one turn.
    pub bonus: i32,
    /// Points of the turn, bonus included.
    pub score: i32,
    /// The author's score after it.
    pub total: i32,
    /// Replacement tiles the author will draw when the window closes.
    pub owed: u8,
    /// The challenge window it opened, if plays can be challenged.
    pub window: Option<WindowOpened>,
}

/// A challenge window as it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowOpened {
    /// When it closes by itself, if it does.
    pub closes_at: Option<Timestamp>,
    /// Who may challenge, accept or hold.
    pub eligible: Vec<Seat>,
    /// The clocks, stopped, when this is the final challenge of an out-play.
    pub final_clocks: Option<Clocks>,
}

/// The verdict on a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeDecided {
    /// The play.
    pub play_id: Seq,
    /// The challenger.
    pub seat: Seat,
    /// Whether the play comes off or stands.
    pub verdict: Verdict,
    /// The words that are not in the lexicon; empty where the author withdrew the play.
    pub bad_words: Vec<String>,
    /// Points gained (or lost, when negative) by the challenge, per seat concerned.
    pub points: Vec<(Seat, i32)>,
    /// The score of every seat after it.
    pub totals: Vec<i32>,
    /// The clocks, running again, when they stood while the author was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// How a challenge ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A word is not in the lexicon: the play comes off.
    Off,
    /// The author withdrew the play: it comes off, and the lexicon was not consulted.
    Withdrawn,
    /// All words are good; the challenge costs no turn.
    Stands,
    /// All words are good; the challenger loses a turn, now or when it comes.
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

/// Why a challenge window closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowClose {
    /// The seat on turn ended its turn.
    NextTurn,
    /// Every eligible seat accepted.
    Accepted,
    /// Its time was over.
    Timer,
    /// A challenge was decided.
    Verdict,
    /// The author left the game.
    AuthorRetired,
    /// Nobody is left who could challenge.
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
    /// The holder let go.
    Released,
    /// The holder accepted the play.
    Accepted,
    /// The play was challenged.
    Challenged,
    /// The longest hold was over.
    Limit,
    /// The holder left the game.
    Retired,
    /// The window closed for another reason.
    Closed,
}

/// Why a seat is out of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retirement {
    /// The player resigned.
    Resigned,
    /// The flag fell.
    Flagged,
    /// The limit for a move by correspondence passed.
    Expired,
    /// The player vanished, and an opponent claimed or the game waited long enough.
    Abandoned,
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The bag is empty and a seat played its last tile.
    OutPlay,
    /// Too many turns in a row without score.
    ScorelessTurns,
    /// Too many passes in a row.
    Passes,
    /// Far too many turns in a row without score, whatever the rule set counts.
    TurnCap,
    /// A seat reached its target score.
    Target,
    /// The bag is empty and nobody has a legal play left.
    AllPlayed,
    /// The bag is empty and the trailing seat can no longer catch up.
    Uncatchable,
    /// All others resigned.
    Resignation,
    /// The last opponent ran out of time.
    Time,
    /// The last opponent vanished.
    Abandonment,
    /// A triple challenge decided it.
    TripleChallenge,
    /// A player called it off before everybody had a turn; no result.
    Aborted,
    /// A player never came; no result.
    Cancelled,
}

impl EndReason {
    /// Returns whether the game has winners and counts.
    #[must_use]
    pub const fn has_result(self) -> bool {
        !matches!(self, Self::Aborted | Self::Cancelled)
    }
}

/// One seat's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// Whose.
    pub seat: Seat,
    /// Score before any adjustment.
    pub score: i32,
    /// What unplayed tiles added or took.
    pub rack_points: i32,
    /// Points lost for overtime, >= 0.
    pub time_penalty: i32,
    /// `score + rack_points - time_penalty`.
    pub final_score: i32,
    /// 1 for the winners; equal ranks are shared.
    pub rank: u8,
    /// The unplayed tiles, open now.
    pub rack: Vec<Tile>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Why.
    pub reason: EndReason,
    /// Every seat's result, in seat order.
    pub results: Vec<SeatResult>,
    /// Who won; several share a win, none where there is no result.
    pub winners: Vec<Seat>,
    /// The server's secret, so that anybody can verify the bag.
    #[serde(with = "hex::bytes")]
    pub secret: [u8; 32],
    /// The clocks, stopped.
    pub clocks: Clocks,
}

/// Events in which nothing is hidden from anybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicEvent {
    /// A player is at the table.
    SeatReady {
        /// Who.
        seat: Seat,
        /// The player's share of the seed; empty counts as none (R-BAG).
        nonce: Vec<u8>,
    },
    /// The premium squares were dealt; for boards that are drawn for each game only (R-SET-3).
    BoardDrawn {
        /// One string for each row, with the symbols of [`crate::board::Premium::SYMBOLS`].
        layout: Vec<String>,
    },
    /// Tiles were drawn for the first play and put back.
    OrderDrawn {
        /// Each round's draws; later rounds are among the tied seats.
        rounds: Vec<Vec<(Seat, Tile)>>,
        /// Who starts.
        first: Seat,
    },
    /// A seat came on turn.
    TurnStarted {
        /// The turn.
        turn_no: TurnNo,
        /// Who is on turn.
        seat: Seat,
        /// All clocks, the seat's running.
        clocks: Clocks,
    },
    /// A play was committed; its id is the record's number.
    PlayMade(PlayMade),
    /// A turn was passed.
    Passed {
        /// The turn this ended.
        turn_no: TurnNo,
        /// Who passed.
        seat: Seat,
    },
    /// A turn was lost because of a failed double challenge.
    TurnLost {
        /// The turn that was lost.
        turn_no: TurnNo,
        /// Who lost it.
        seat: Seat,
    },
    /// An opponent accepted a play.
    Accepted {
        /// The play.
        play_id: Seq,
        /// Who accepted.
        seat: Seat,
    },
    /// An opponent asked for time to think about a challenge.
    HoldStarted {
        /// The play.
        play_id: Seq,
        /// The holder.
        seat: Seat,
        /// When the hold ends at the latest.
        until: Timestamp,
        /// All clocks, the holder's running.
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
    /// A play was challenged, and its author is asked whether to withdraw it.
    ChallengeOpened {
        /// The play.
        play_id: Seq,
        /// The challenger.
        seat: Seat,
        /// When the lexicon decides.
        decide_by: Timestamp,
        /// All clocks, stopped.
        clocks: Clocks,
    },
    /// A challenge was decided.
    ChallengeDecided(ChallengeDecided),
    /// A play can no longer be challenged; owed tiles are drawn next.
    WindowClosed {
        /// The play.
        play_id: Seq,
        /// Why.
        reason: WindowClose,
    },
    /// The server was away; deadlines moved by the outage and nobody was charged for it.
    ClockCredited {
        /// The last moment the server is known to have run.
        stopped_at: Timestamp,
        /// When the game went on.
        resumed_at: Timestamp,
        /// All clocks.
        clocks: Clocks,
    },
    /// A player lost the last connection.
    SeatVanished {
        /// Who.
        seat: Seat,
        /// From when on an opponent can claim.
        claim_at: Timestamp,
    },
    /// A vanished player is back.
    SeatReturned {
        /// Who.
        seat: Seat,
    },
    /// A player is out of the game.
    SeatRetired {
        /// Who.
        seat: Seat,
        /// Why.
        reason: Retirement,
    },
    /// The game is over.
    Ended(Ended),
}
