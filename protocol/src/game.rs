//! The parts of a game: setup, clocks, windows, words and results.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bytes::Bytes;
use crate::clocks::Clocks;
use crate::enums::{ChallengeKind, EndReason, RackCount};
use crate::ids::GameId;
use crate::lobby::Person;
use crate::options::GameOptions;
use crate::text::is_false;

/// The part of a game that never changes after its creation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSetup {
    /// Its id; part of the seed of the bag.
    pub game: GameId,
    /// The agreed options, with every default filled in.
    pub options: GameOptions,
    /// Board, tiles and numbers of the rule set.
    pub rule_set: RuleSetInfo,
    /// The players, by seat.
    pub seats: Vec<Person>,
    /// The target score of each seat, by seat; absent: no targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targets: Option<Vec<i32>>,
    /// The lexicon.
    pub lexicon: LexiconRef,
    /// SHA-256 of the server's secret for the bag, 32 bytes.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema_parts::Hash"))]
    pub commitment: Bytes,
    /// The nonce hashes that seats announced.
    pub nonce_hashes: Vec<NonceHash>,
    /// When the game was created, unix ms.
    pub created_at: i64,
    /// When the game is cancelled unless every seat is ready, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_by: Option<i64>,
    /// Whether spectators need its code.
    pub private: bool,
    /// The place in a series of rematches; absent: the game is not a rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Box<Series>>,
}

/// The place of a game in a series of rematches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// The first game of the series.
    pub first_game: GameId,
    /// The number of this game in the series; the first one has 1.
    pub number: u32,
    /// The points of each seat from the games before, in half points: 2 for a win, 1 for a shared win.
    pub score: Vec<u32>,
    /// The seat that has the first turn.
    pub first: u8,
}

/// A rule set, complete enough to draw the board and to score a play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleSetInfo {
    /// Its id.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// Language of the tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// BCP 47 tag of `language`, such as `de`; absent: the server knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_tag: Option<String>,
    /// Tiles on a full rack.
    pub rack_size: u8,
    /// Bonuses for playing many tiles at once.
    pub bingo: Vec<Bingo>,
    /// Fewest tiles in the bag that allow an exchange.
    pub exchange_min_bag: u8,
    /// Fewest tiles in the first play.
    pub opening_min_tiles: u8,
    /// When unplayed tiles count.
    pub rack_count: RackCount,
    /// The board.
    pub board: BoardInfo,
    /// The tiles, one entry for each face, in alphabet order, the blank (`?`) last.
    pub tiles: Vec<TileInfo>,
}

/// The bonus for a number of tiles played in one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bingo {
    /// Exactly this many tiles.
    pub tiles: u8,
    /// Points, added after all multipliers.
    pub bonus: i32,
}

/// An empty board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardInfo {
    /// Number of rows.
    pub rows: u8,
    /// Number of columns.
    pub cols: u8,
    /// The square the first play must cover, such as `H8`.
    pub start: String,
    /// One string for each row from the top, one character for each column:
    /// `.` plain, `'` `"` `^` double, triple, quadruple letter, `-` `=` `~` double, triple, quadruple word.
    pub layout: Vec<String>,
    /// Whether each game deals its own premium squares, announced by `board_drawn`; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub drawn: bool,
}

/// A rule set as players see it before a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleSetDescription {
    /// Board, tiles and numbers.
    pub rule_set: RuleSetInfo,
    /// Its special features, in one sentence for people.
    pub summary: String,
    /// Languages it can be played in, the default first.
    pub languages: Vec<String>,
    /// Fewest seats.
    pub min_seats: u8,
    /// Most seats.
    pub max_seats: u8,
    /// The challenge rules that can be chosen, the default first.
    pub challenges: Vec<ChallengeKind>,
    /// The target scores, one row for each number of seats; absent: no targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targets: Option<Vec<TargetRow>>,
    /// The default options, with a lexicon that fits.
    pub usual: GameOptions,
}

/// The targets of one number of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetRow {
    /// Number of seats.
    pub seats: u8,
    /// Points a beginner needs.
    pub beginner: i32,
    /// Points an intermediate player needs.
    pub intermediate: i32,
    /// Points an expert needs.
    pub expert: i32,
}

/// One face of the tile set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TileInfo {
    /// The face; `?` for the blank.
    pub face: String,
    /// Number of tiles with this face.
    pub count: u32,
    /// Points.
    pub value: i32,
}

/// A lexicon by name and content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LexiconRef {
    /// Its name.
    pub name: String,
    /// SHA-256 of its content, 32 bytes.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema_parts::Hash"))]
    pub hash: Bytes,
}

/// A seat's promise about its nonce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NonceHash {
    /// The seat.
    pub seat: u8,
    /// SHA-256 of the nonce, 32 bytes.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema_parts::Hash"))]
    pub hash: Bytes,
}

/// A word formed by a play; on the wire a pair, `["HORN", 14]`, which keeps the most common long event short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredWord {
    /// The faces along the word; a blank in lower case.
    pub word: String,
    /// Its points, multipliers included.
    pub score: i32,
}

/// The shape of a [`ScoredWord`].
#[cfg(feature = "schema")]
impl schemars::JsonSchema for ScoredWord {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ScoredWord".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array",
            "description": "A word formed by a play and its points, multipliers included; blanks in lower case.",
            "prefixItems": [generator.subschema_for::<String>(), generator.subschema_for::<i32>()],
            "minItems": 2,
            "maxItems": 2
        })
    }
}

impl Serialize for ScoredWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.word, self.score).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ScoredWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (word, score) = Deserialize::deserialize(deserializer)?;
        Ok(Self { word, score })
    }
}

/// A word that was looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookedUpWord {
    /// The word as it was asked for.
    pub word: String,
    /// Whether it is in the lexicon of the game.
    pub valid: bool,
}

/// A tile on a square.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardTile {
    /// The square, such as `H8`.
    pub square: String,
    /// Its face; a blank in lower case.
    pub tile: String,
}

/// A tile shown in the draw for first play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrderTile {
    /// The seat that drew it.
    pub seat: u8,
    /// Its face; `?` for a blank.
    pub tile: String,
}

/// A change of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatPoints {
    /// The seat.
    pub seat: u8,
    /// Points added; negative: points taken.
    pub points: i32,
}

/// The challenge window that a play opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenWindow {
    /// When its time runs out, unix ms; absent: no timer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<i64>,
    /// Seats that may challenge, hold or accept; absent: all but the author's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eligible: Option<Vec<u8>>,
    /// Whether this is the final phase after an out-play; absent: no.
    #[serde(rename = "final", default, skip_serializing_if = "is_false")]
    pub is_final: bool,
}

impl OpenWindow {
    /// Makes the window of a play by `author`; of the `seats` seats, the `eligible` ones may judge it.
    #[must_use]
    pub fn new(
        closes_at: Option<i64>,
        author: u8,
        seats: u8,
        eligible: Vec<u8>,
        is_final: bool,
    ) -> Self {
        let all = all_but(author, seats);
        Self {
            closes_at,
            eligible: (eligible != all).then_some(eligible),
            is_final,
        }
    }

    /// Returns the seats that may challenge, hold or accept a play by `author` in a game of `seats` seats.
    #[must_use]
    pub fn judges(&self, author: u8, seats: u8) -> Vec<u8> {
        self.eligible
            .clone()
            .unwrap_or_else(|| all_but(author, seats))
    }
}

fn all_but(author: u8, seats: u8) -> Vec<u8> {
    (0..seats).filter(|seat| *seat != author).collect()
}

/// A seat that has vanished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VanishedSeat {
    /// The seat.
    pub seat: u8,
    /// When its place can be claimed, unix ms.
    pub claim_at: i64,
}

/// A request to abort a rated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbortRequest {
    /// The seat that asked.
    pub seat: u8,
    /// When the request is declined without an answer, unix ms.
    pub until: i64,
}

/// A nudge that waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nudge {
    /// The seat that asked.
    pub seat: u8,
    /// The seat on turn, which is asked.
    pub target: u8,
    /// When the place of `target` can be claimed without an answer, unix ms; absent: the limit of the turn decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_at: Option<i64>,
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The reason.
    pub reason: EndReason,
    /// The account of each seat, by seat.
    pub results: Vec<SeatResult>,
    /// Winning seats: one, several (shared), or none (aborted, cancelled).
    pub winners: Vec<u8>,
    /// `aborted`: the seat that aborted the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborter: Option<u8>,
    /// The exchanged tiles of all seats, oldest first; absent: no tiles were exchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<ExchangedTiles>,
    /// The server's secret, 32 bytes; with it, the events and the exchanges, a client can check the bag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub secret: Option<Bytes>,
    /// The clocks as they stopped.
    pub clocks: Clocks,
}

/// The tiles that a seat exchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExchangedTiles {
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat.
    pub seat: u8,
    /// The tiles given back.
    pub tiles: Vec<String>,
}

/// The final account of one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatResult {
    /// The seat.
    pub seat: u8,
    /// Points from plays and challenges.
    pub score: i32,
    /// Points from the counting of unplayed tiles: positive for the seat that went out, else zero or negative.
    pub rack_points: i32,
    /// Points for overtime: zero or negative.
    pub time_penalty: i32,
    /// `score + rack_points + time_penalty`.
    pub final_score: i32,
    /// 1 is best; equal ranks are shared; 0 in games without a result (aborted, cancelled).
    pub rank: u8,
    /// The tiles left on the rack, now public.
    pub rack: Vec<String>,
}
