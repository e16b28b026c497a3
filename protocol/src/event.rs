//! Game events: numbered from 1 without gaps, equal for every audience, hidden fields absent.

use serde::{Deserialize, Serialize, Serializer};

use crate::adjourn::{
    AdjournAgreed, AdjournDeclined, AdjournRequested, Adjourned, ResumeReadiness, Resumed,
};
use crate::body::{Body, NoFields};
use crate::bytes::Bytes;
use crate::clocks::{ClockCredited, Clocks, GamePaused, Vacation};
use crate::enums::{HoldReason, RetireReason, WindowReason};
use crate::game::{GameResult, GameSetup, OpenWindow, OrderTile, ScoredWord, SeatPoints};
use crate::hints::HintUsed;
use crate::ids::GameId;
use crate::questions::{
    AbortDeclined, AbortRequested, NudgeAnswered, Nudged, TimeGiven, TimeRefused,
};
use crate::wire::{ReadError, Reader, Writer};

/// One event of one game, with the fields that this audience may see.
///
/// On the wire it is one flat map: the four fields of the header, then those of the kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The game.
    pub game: GameId,
    /// Its number.
    pub seq: u64,
    /// When it took effect, server time, unix ms.
    pub at: i64,
    /// The body.
    pub body: EventBody,
}

/// The fields of every event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct EventHeader {
    /// The game.
    game: GameId,
    /// Its number.
    seq: u64,
    /// When it took effect, server time, unix ms.
    at: i64,
    /// The kind of event; it determines the other fields.
    kind: String,
}

/// Defines [`EventBody`] from the table of kinds.
macro_rules! event_kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident($body:ty) = $kind:literal,)+) => {
        /// The body of an event: one variant for each kind.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum EventBody {
            $($(#[doc = $doc])+ $variant($body),)+
            /// A kind of a later version; clients ignore it, but count its `seq`.
            Unknown {
                /// The kind as received.
                kind: String,
            },
        }

        impl EventBody {
            /// Every known kind, in the order of the document.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];

            /// The name of the kind.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                    Self::Unknown { kind } => kind,
                }
            }
        }

        #[cfg(feature = "schema")]
        impl EventBody {
            /// Describes the fields of every kind, without those of the header.
            pub(crate) fn described(generator: &mut schemars::SchemaGenerator) -> Vec<crate::schema_parts::Described> {
                vec![$(crate::schema_parts::Described {
                    name: $kind,
                    doc: concat!($($doc),+).trim(),
                    body: generator.subschema_for::<$body>(),
                }),+]
            }
        }

        impl Serialize for Event {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let header = self.header();
                match &self.body {
                    $(EventBody::$variant(body) => Flat { header, body }.serialize(serializer),)+
                    EventBody::Unknown { .. } => header.serialize(serializer),
                }
            }
        }

        impl EventBody {
            /// Writes the header, then the fields of the kind, as one map.
            fn write(&self, header: &Header<'_>, writer: &mut Writer) {
                match self {
                    $(Self::$variant(body) => writer.merged(header, body),)+
                    Self::Unknown { .. } => writer.merged(header, &NoFields {}),
                }
            }

            /// Reads the fields of `kind` from the same map as the header.
            fn read(kind: String, body: &Reader<'_>) -> Result<Self, ReadError> {
                match kind.as_str() {
                    $($kind => Body::read(body).map(Self::$variant),)+
                    _ => Ok(Self::Unknown { kind }),
                }
            }
        }
    };
}

event_kinds! {
    /// The game exists; always `seq` 1.
    Created(Created) = "created",
    /// A seat is ready.
    SeatReady(SeatReady) = "seat_ready",
    /// The premium squares of a random board were dealt.
    BoardDrawn(BoardDrawn) = "board_drawn",
    /// Tiles were drawn for first play; not where the owner plays first.
    OrderDrawn(OrderDrawn) = "order_drawn",
    /// The bag was shuffled.
    BagShuffled(BagShuffled) = "bag_shuffled",
    /// A seat drew tiles.
    TilesDrawn(TilesDrawn) = "tiles_drawn",
    /// A turn began.
    TurnStarted(TurnStarted) = "turn_started",
    /// Tiles were played.
    PlayMade(PlayMade) = "play_made",
    /// Tiles were exchanged.
    Exchanged(Exchanged) = "exchanged",
    /// A seat passed.
    Passed(TurnUsed) = "passed",
    /// A turn was lost to a failed challenge.
    TurnLost(TurnUsed) = "turn_lost",
    /// A seat accepted a play.
    Accepted(Accepted) = "accepted",
    /// A seat holds the window open.
    HoldStarted(HoldStarted) = "hold_started",
    /// A hold ended.
    HoldEnded(HoldEnded) = "hold_ended",
    /// A play was challenged and its author may withdraw it.
    ChallengeOpened(ChallengeOpened) = "challenge_opened",
    /// A challenge was decided.
    ChallengeDecided(ChallengeDecided) = "challenge_decided",
    /// A play can no longer be challenged.
    WindowClosed(WindowClosed) = "window_closed",
    /// An outage of the server was credited.
    ClockCredited(ClockCredited) = "clock_credited",
    /// A seat has no connection and the countdown to a claim runs.
    SeatVanished(SeatVanished) = "seat_vanished",
    /// A vanished seat returned.
    SeatReturned(SeatReturned) = "seat_returned",
    /// A seat asked to abort a rated game.
    AbortRequested(AbortRequested) = "abort_requested",
    /// A request to abort a rated game was declined; the game goes on.
    AbortDeclined(AbortDeclined) = "abort_declined",
    /// A seat asked whether the seat on turn is still there.
    Nudged(Nudged) = "nudged",
    /// The nudged seat is there.
    NudgeAnswered(NudgeAnswered) = "nudge_answered",
    /// A seat asked the others to adjourn the game.
    AdjournRequested(AdjournRequested) = "adjourn_requested",
    /// A seat agreed to adjourn the game, and others have not answered.
    AdjournAgreed(AdjournAgreed) = "adjourn_agreed",
    /// A request to adjourn the game was declined; the game goes on.
    AdjournDeclined(AdjournDeclined) = "adjourn_declined",
    /// The game was adjourned.
    Adjourned(Adjourned) = "adjourned",
    /// A seat of the adjourned game is ready to resume it.
    ReadyToResume(ResumeReadiness) = "ready_to_resume",
    /// A seat that was ready to resume has lost its last connection.
    NotReadyToResume(ResumeReadiness) = "not_ready_to_resume",
    /// All seats were ready: the adjourned game goes on.
    Resumed(Resumed) = "resumed",
    /// An operator paused the game.
    Paused(GamePaused) = "paused",
    /// A vacation of a player began, changed or ended.
    Vacation(Vacation) = "vacation",
    /// A seat gave time to another one, or an operator did.
    TimeGiven(TimeGiven) = "time_given",
    /// A seat takes no time.
    TimeRefused(TimeRefused) = "time_refused",
    /// The seat on turn used a hint.
    HintUsed(HintUsed) = "hint_used",
    /// A seat left the game.
    SeatRetired(SeatRetired) = "seat_retired",
    /// The game is over.
    Ended(GameResult) = "ended",
}

/// The game exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Created {
    /// Everything fixed at creation.
    pub setup: Box<GameSetup>,
}

/// A seat is ready.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatReady {
    /// The seat.
    pub seat: u8,
    /// Its contribution to the seed of the bag; absent: empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Nonce>")
    )]
    pub nonce: Option<Bytes>,
}

/// The premium squares of a random board were dealt; the game uses this board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardDrawn {
    /// One string for each row, as in the board of the rule set.
    pub layout: Vec<String>,
}

/// Tiles were drawn for first play, and put back. A game whose owner plays first has no such event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrderDrawn {
    /// The tiles of each round; all seats draw in the first, the tied seats in each further one.
    pub rounds: Vec<Vec<OrderTile>>,
    /// The seat that plays first.
    pub first: u8,
}

/// The bag was shuffled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BagShuffled {
    /// Label of the random stream that was used.
    pub label: String,
    /// Tiles in the bag.
    pub count: u32,
}

/// A seat drew tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TilesDrawn {
    /// The seat.
    pub seat: u8,
    /// Number of tiles.
    pub count: u32,
    /// The tiles; present for the seat itself only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
    /// Tiles left in the bag.
    pub bag: u32,
}

/// A turn began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnStarted {
    /// Its number; commands name it.
    pub turn_no: u32,
    /// The seat on turn.
    pub seat: u8,
    /// The clocks from now on.
    pub clocks: Clocks,
}

/// Tiles were played. The event's `seq` is the `play_id` by which the play is challenged, held or accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayMade {
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat on turn.
    pub seat: u8,
    /// Start and direction of the play: `8F` across, `F8` down.
    pub start: String,
    /// The faces along the play; `.` for a tile that was on the board, lower case for a blank.
    pub tiles: Vec<String>,
    /// The words formed, the main word first.
    pub words: Vec<ScoredWord>,
    /// Bonus for the number of tiles played; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<i32>,
    /// Points of the play, bonus included.
    pub score: i32,
    /// The seat's points after the play.
    pub total: i32,
    /// Replacement tiles that will be dealt when the window closes (at once without a window).
    pub owed: u32,
    /// The challenge window; absent: the play stands at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<OpenWindow>,
    /// The clocks, stopped; present if the play opened the final window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// Tiles were exchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exchanged {
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat on turn.
    pub seat: u8,
    /// Number of tiles.
    pub count: u32,
    /// The returned tiles; present for the seat itself only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
}

/// A turn was used without tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnUsed {
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat.
    pub seat: u8,
}

/// A seat accepted a play; it can no longer challenge it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accepted {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The seat.
    pub seat: u8,
}

/// A seat holds the window open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoldStarted {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The seat that holds.
    pub seat: u8,
    /// When the hold ends by itself, unix ms.
    pub until: i64,
    /// The clocks from now on: the holder's runs.
    pub clocks: Clocks,
}

/// A hold ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoldEnded {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The seat that held.
    pub seat: u8,
    /// Why it ended.
    pub reason: HoldReason,
    /// The clocks from now on.
    pub clocks: Clocks,
    /// When the window closes now, unix ms; absent: no timer, or the window closes with the hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<i64>,
}

/// A play was challenged and its author may withdraw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeOpened {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The challenger.
    pub seat: u8,
    /// When the lexicon decides unless the author does, unix ms.
    pub decide_by: i64,
    /// The clocks from now on.
    pub clocks: Clocks,
}

/// A challenge was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeDecided {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The challenger.
    pub seat: u8,
    /// Whether the challenge succeeded: the play comes off the board.
    pub upheld: bool,
    /// Whether the author withdrew the play; then the lexicon was not consulted.
    pub withdrawn: bool,
    /// The words not in the lexicon; empty unless upheld by the lexicon.
    pub bad_words: Vec<String>,
    /// Points that the challenge changed, without the undone score of the play.
    pub points: Vec<SeatPoints>,
    /// Turns that the challenger now owes.
    pub turn_debt: u32,
    /// The points of all seats after it, by seat.
    pub totals: Vec<i32>,
    /// The clocks, running again; present if they stood while the author decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// A play can no longer be challenged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowClosed {
    /// The play, by its `play_id`.
    pub play_id: u64,
    /// The reason.
    pub reason: WindowReason,
}

/// A seat has no connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatVanished {
    /// The seat.
    pub seat: u8,
    /// When its place can be claimed, unix ms.
    pub claim_at: i64,
}

/// A vanished seat returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatReturned {
    /// The seat.
    pub seat: u8,
}

/// A seat left the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatRetired {
    /// The seat.
    pub seat: u8,
    /// The reason.
    pub reason: RetireReason,
}

/// [`EventHeader`] as it is written.
#[derive(Clone, Copy, Serialize)]
struct Header<'a> {
    game: &'a GameId,
    seq: u64,
    at: i64,
    kind: &'a str,
}

/// An event for other data formats than those of the protocol, such as the output of a client.
#[derive(Serialize)]
struct Flat<'a, B> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(flatten)]
    body: &'a B,
}

impl Event {
    fn header(&self) -> Header<'_> {
        Header {
            game: &self.game,
            seq: self.seq,
            at: self.at,
            kind: self.body.kind(),
        }
    }
}

impl Body for Event {
    fn read(body: &Reader<'_>) -> Result<Self, ReadError> {
        let EventHeader {
            game,
            seq,
            at,
            kind,
        } = EventHeader::deserialize(&mut body.clone())?;
        Ok(Self {
            game,
            seq,
            at,
            body: EventBody::read(kind, body)?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        self.body.write(&self.header(), writer);
    }
}
