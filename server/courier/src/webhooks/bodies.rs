//! The events that webhooks get. The document of the HTTP API describes them from these types.
//!
//! Invariant: no type here has a field for a rack, a tile that is not on the board, a private code or an address.

use schemars::JsonSchema;
use serde::Serialize;
use tilewire_protocol::GameOptions;
use tilewire_rules::time::Timestamp;

use tilewire_base::clock::time_text;
use tilewire_config::WebhookEvent;

/// An event as it is posted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Envelope<T> {
    /// The kind of the event.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When it happened, as in RFC 3339.
    timestamp: String,
    /// The data of the event.
    data: T,
}

/// A game was created: its players are known.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "GameCreated")]
pub(crate) struct GameCreated {
    /// The id of the game.
    pub(super) game: String,
    /// Whether spectators need a code.
    pub(super) private: bool,
    /// The options of the game.
    pub(super) options: Box<GameOptions>,
    /// The players, in seat order.
    pub(super) players: Vec<WebhookPlayer>,
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "EventPlayer")]
pub(crate) struct WebhookPlayer {
    /// The seat, from 0.
    pub(super) seat: u8,
    /// The identity; absent if the webhook does not learn of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) identity: Option<String>,
    /// The name at the start of the game; absent if the webhook does not learn of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Whether a bot of the server plays.
    pub(super) bot: bool,
    /// The result, when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<WebhookResult>,
}

/// The result of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "EventResult")]
pub(crate) struct WebhookResult {
    /// The final score.
    pub(super) score: i32,
    /// 1 for the winners; absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rank: Option<u8>,
    /// Whether the player has won, alone or with others.
    pub(super) won: bool,
}

/// The first turn of a game began.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "GameStarted")]
pub(crate) struct GameStarted {
    /// The id of the game.
    pub(super) game: String,
    /// The seat on turn.
    pub(super) seat: u8,
}

/// A turn was completed, or a challenge was decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "GameTurn")]
pub(crate) struct GameTurn {
    /// The id of the game.
    pub(super) game: String,
    /// The number of the event in the game: events of a game with a higher number are later.
    pub(super) seq: u64,
    /// The seat whose turn it was; of a challenge, the seat that challenged.
    pub(super) seat: u8,
    /// The action of the seat.
    #[serde(flatten)]
    pub(super) act: TurnAct,
    /// The score of each seat afterwards.
    pub(super) scores: Vec<i32>,
    /// Tiles in the bag afterwards.
    pub(super) bag: u32,
}

/// The action of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "act", rename_all = "snake_case")]
#[schemars(rename = "TurnAct")]
pub(crate) enum TurnAct {
    /// It laid tiles.
    Play {
        /// The number of the turn.
        turn_no: u32,
        /// The first square and the direction, such as `8H`.
        start: String,
        /// The words formed, the main word first; blanks in lower case.
        words: Vec<WebhookWord>,
        /// The points of the turn.
        points: i32,
    },
    /// It exchanged tiles.
    Exchange {
        /// The number of the turn.
        turn_no: u32,
        /// How many.
        count: u32,
    },
    /// It passed.
    Pass {
        /// The number of the turn.
        turn_no: u32,
    },
    /// It lost its turn after a challenge that failed.
    LostTurn {
        /// The number of the turn.
        turn_no: u32,
    },
    /// It challenged a play, and the challenge was decided.
    Challenge {
        /// `seq` of the play.
        play: u64,
        /// Whether the play came off the board.
        off: bool,
    },
}

/// A word of a play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "EventWord")]
pub(crate) struct WebhookWord {
    /// The word.
    pub(super) word: String,
    /// Its points, without the bonus for many tiles.
    pub(super) points: i32,
}

/// A game is over.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "GameOver")]
pub(crate) struct GameOver {
    /// The id of the game.
    pub(super) game: String,
    /// Why it ended, as in the protocol's `ended`.
    pub(super) reason: String,
    /// The players with their results, in seat order.
    pub(super) players: Vec<WebhookPlayer>,
}

/// Something happened to an account.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "AccountChanged")]
pub(crate) struct AccountChanged {
    /// The identity of the player.
    pub(super) identity: String,
    /// The handle after a registration or a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) handle: Option<String>,
    /// When a suspension ends by itself, as in RFC 3339; absent if it lasts until it is undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<String>,
}

/// The test of an operator.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "TestEvent")]
pub struct TestEvent {
    /// A sentence for people.
    pub text: String,
}

/// The kind of the test of an operator.
pub const TEST: &str = "test";

/// Returns an event as it is posted.
pub fn envelope<T: Serialize>(kind: &'static str, at: Timestamp, data: T) -> String {
    let envelope = Envelope {
        kind,
        timestamp: time_text(at),
        data,
    };
    serde_json::to_string(&envelope).expect("an event is plain data")
}

/// Returns the events for the document of the API: kind, summary, and the schema of the body.
pub fn described() -> Vec<(&'static str, &'static str, BodySchema)> {
    let of = |event: WebhookEvent| {
        let (summary, schema): (_, BodySchema) = match event {
            WebhookEvent::GameCreated => ("A game was created", schema::<GameCreated>),
            WebhookEvent::GameStarted => ("The first turn of a game began", schema::<GameStarted>),
            WebhookEvent::GameTurn => (
                "A turn was completed, or a challenge was decided",
                schema::<GameTurn>,
            ),
            WebhookEvent::GameEnded => ("A game ended with a result", schema::<GameOver>),
            WebhookEvent::GameCancelled => ("A game was aborted or cancelled", schema::<GameOver>),
            WebhookEvent::GameAdjudicated => ("An operator ended a game", schema::<GameOver>),
            WebhookEvent::AccountRegistered => {
                ("A player has an account", schema::<AccountChanged>)
            }
            WebhookEvent::AccountRenamed => {
                ("A player has another handle", schema::<AccountChanged>)
            }
            WebhookEvent::AccountSuspended => ("A player was suspended", schema::<AccountChanged>),
            WebhookEvent::AccountRestored => (
                "The suspension of a player was undone",
                schema::<AccountChanged>,
            ),
            WebhookEvent::AccountErased => ("A player is erased", schema::<AccountChanged>),
        };
        (event.name(), summary, schema)
    };
    let test: (_, _, BodySchema) = (TEST, "An operator tries the webhook", schema::<TestEvent>);
    WebhookEvent::ALL
        .into_iter()
        .map(of)
        .chain([test])
        .collect()
}

/// Returns the schema of a body.
pub(crate) type BodySchema = fn(&mut schemars::SchemaGenerator) -> schemars::Schema;

fn schema<T: JsonSchema>(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<Envelope<T>>()
}
