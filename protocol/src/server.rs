//! Messages of servers: answers (with the id of the request) and pushes (id 0).

use serde::{Deserialize, Serialize};

use crate::bytes::{Bytes, Token};
use crate::chat::{ChatAnswer, ChatClosed, ChatHidden, ChatSaid};
use crate::clocks::Clocks;
use crate::enums::{AttachOutcome, ChatKind, LobbyChangeKind, RematchEnd, Role};
use crate::error_code::ErrorCode;
use crate::event::Event;
use crate::game::{LookedUpWord, RuleSetDescription};
use crate::hints::Hint;
use crate::ids::{GameId, IdentityId, SeekId};
use crate::invitation::Invitation;
use crate::lobby::{GameSummary, SeatRating, Seek};
use crate::macros::wire_messages;
use crate::moderation::ModerationNotice;
use crate::pushes::{Crowd, Detached, GameRef, Lag, Notice, Presence};
use crate::snapshot::Snapshot;
use crate::text::is_false;

wire_messages! {
    /// A message of a server.
    ServerMessage {
        /// Describes the server; the first message of a connection.
        Hello(Hello) = "hello",
        /// Answers `auth`.
        Welcome(Welcome) = "welcome",
        /// Answers every other successful request.
        Ok(Box<OkBody>) = "ok",
        /// Answers a failed request; the id is 0 if the request's id could not be read.
        Error(ErrorBody) = "error",
        /// Pushes one event of an attached game.
        Event(Event) = "event",
        /// Pushes the whole state of an attached game.
        Snapshot(Box<Snapshot>) = "snapshot",
        /// Pushes a change of the lobby.
        Lobby(Box<LobbyChange>) = "lobby",
        /// Tells the members of a seek that it changed.
        SeekChanged(Box<SeekChanged>) = "seek_changed",
        /// Tells the members of a seek that their game exists.
        GameCreated(GameCreated) = "game_created",
        /// Tells the players of a game that has ended of a rematch, and its spectators of the new game.
        Rematch(Box<RematchChanged>) = "rematch",
        /// Tells the two players of an invitation that it is open, or how it ended.
        Invitation(Box<Invitation>) = "invitation",
        /// Says that the seat on turn has sent its turn, and that the turn waits for the challenge window of the last play.
        TurnWaiting(TurnWaiting) = "turn_waiting",
        /// Tells a seat what its hint says.
        Hint(Box<Hint>) = "hint",
        /// Tells a player's connections that are not attached to a game that it is the player's turn in it.
        YourTurn(YourTurn) = "your_turn",
        /// Tells a player how a rated game changed the player's rating.
        Rating(RatingChanged) = "rating",
        /// Says that a player connected or disconnected.
        Presence(Presence) = "presence",
        /// Says how many spectators watch.
        Crowd(Crowd) = "crowd",
        /// Says the lag that the server measured.
        Lag(Lag) = "lag",
        /// Shows people a notice about the server.
        Notice(Notice) = "notice",
        /// Says that a game is paused because the storage fails.
        Paused(GameRef) = "paused",
        /// Says that a paused game continues.
        Unpaused(GameRef) = "unpaused",
        /// Says that the server ended the stream of a game's events.
        Detached(Detached) = "detached",
        /// Pushes a line of a joined chat room.
        Chat(Box<ChatSaid>) = "chat",
        /// Says that the connection is in a chat room no longer.
        ChatClosed(ChatClosed) = "chat_closed",
        /// Says that lines of a joined chat room are hidden.
        ChatHidden(ChatHidden) = "chat_hidden",
        /// Tells a player what a moderator did about the player.
        Moderation(ModerationNotice) = "moderation",
    }
    unknown {
        /// A message of a later version; clients ignore it.
        Unknown
    }
}

/// Describes the server and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello {
    /// The protocol version, 1.
    pub protocol: u32,
    /// Name and version of the server program.
    pub server: String,
    /// The server's time, unix ms.
    pub server_time: i64,
    /// How often the server pings, ms.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub heartbeat_ms: i64,
    /// The time limit for `auth`, ms.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub auth_within_ms: i64,
    /// The limits of this server.
    pub limits: HelloLimits,
    /// The available lexica.
    pub lexica: Vec<LexiconInfo>,
    /// The available rule sets.
    pub rule_sets: Vec<RuleSetName>,
    /// The house bots that a seek can ask for, weakest first; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<String>,
    /// The kinds of chat rooms that the server has; absent: chat is off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chat: Vec<ChatKind>,
}

/// The limits that a client must keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HelloLimits {
    /// Largest frame a client may send, bytes.
    pub client_frame_bytes: u32,
    /// Most unanswered requests on one connection.
    pub requests_in_flight: u32,
    /// Most attached games on one connection.
    pub attached_games: u32,
    /// Messages per second that a client may send on average.
    pub messages_per_second: u32,
    /// Messages that a client may send in one burst.
    pub message_burst: u32,
    /// Most open seeks of one identity.
    pub open_seeks: u32,
}

/// An available lexicon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LexiconInfo {
    /// Its name, as in game options.
    pub name: String,
    /// SHA-256 of its content, 32 bytes.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema_parts::Hash"))]
    pub hash: Bytes,
    /// Number of words.
    pub words: u64,
    /// Its language, as for tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// BCP 47 tag of `language`, such as `de`; absent: the server knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_tag: Option<String>,
}

/// An available rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleSetName {
    /// Its id, as in game options.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// Its special features, in one sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Languages it can be played in, the default first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<String>>,
}

/// Answers `auth`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welcome {
    /// The client's identity.
    pub identity: IdentityId,
    /// Its display name.
    pub name: String,
    /// The token to keep for the next connection; replaces any earlier one.
    pub token: Token,
    /// When the token expires, unix ms; absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The server's time, unix ms.
    pub server_time: i64,
    /// Whether the identity may play rated games: it is registered, or of an embedding site; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub registered: bool,
    /// Whether the identity has no chat, because the player or the embedding site has switched it off; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub chat_off: bool,
    /// The client's own unfinished games.
    pub games: Vec<GameSummary>,
}

/// Answers a request that succeeded; which fields are present depends on the request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OkBody {
    /// `rename`: the display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `time`: the server's time, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_time: Option<i64>,
    /// `rule_set`: the rule set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Box<RuleSetDescription>>,
    /// `lobby_subscribe`: the open public seeks, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeks: Option<Vec<Seek>>,
    /// `lobby_subscribe`, `list_games`: games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameSummary>>,
    /// `lobby_subscribe`: rounded number of connected people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub online: Option<u32>,
    /// `look_up`: the words in the order of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<LookedUpWord>>,
    /// Seek commands: the seek after the command; `find_seek`: the seek.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek: Option<Seek>,
    /// `invite`: the invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Box<Invitation>>,
    /// Seek commands: the game that started; `attach`, `detach` and game commands: the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// Game commands: the `seq` of the command's event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// `attach`: the incarnation of the game's event log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// `attach`: the client's role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// `attach`: the client's seat; absent for spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// `attach`: what the server sends next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttachOutcome>,
    /// `attach`: the `seq` of the game's last event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<u64>,
    /// `attach` by a spectator of a delayed game: how much later than players the client sees events, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub delay_ms: Option<i64>,
    /// `renew`: the token to keep for the next connection; replaces any earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
    /// `renew`: when the token expires, unix ms; absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// Chat requests: the room and its lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<Box<ChatAnswer>>,
}

/// Answers a failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// The error, for programs.
    pub code: ErrorCode,
    /// The error, for people.
    pub message: String,
    /// Whether the same request, unchanged, may succeed later.
    pub retryable: bool,
    /// Details that a client may need to react.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Box<ErrorDetail>>,
}

/// Details that a client may need to react to an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// `invalid_words`: the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<String>>,
    /// Placement errors: the squares concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squares: Option<Vec<String>>,
    /// `tile_not_in_rack`, `unknown_tile`: the faces concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
    /// `held`, `cannot_claim`, `challenge_pending`, `muted`, `restricted`, `revoked`: when the obstacle ends, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// `wrong_position`: the number of the current turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_turn_no: Option<u32>,
    /// When to retry, in ms from now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub retry_after_ms: Option<i64>,
    /// `bad_field`, `bad_options`: the path of the field, such as `options.clock.delay_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// `not_rateable`: the reason, for programs; `muted`, `restricted`, `revoked`: the moderator's reason, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `repeated_line`: the text that was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A change of the lobby.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyChange {
    /// The kind of change.
    pub change: LobbyChangeKind,
    /// `seek_added`, `seek_changed`: the seek.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek: Option<Seek>,
    /// `seek_removed`: its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_id: Option<SeekId>,
    /// `game_started`, `game_changed`, `game_ended`, `game_removed`: the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameSummary>,
}

/// Tells the members of a seek that it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeekChanged {
    /// The seek after the change.
    pub seek: Seek,
}

/// Tells the members of a seek that their game exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameCreated {
    /// The game.
    pub game: GameId,
    /// The seek it came from.
    pub seek: SeekId,
    /// The client's seat.
    pub seat: u8,
}

/// Says that the seat on turn has sent its turn, and that the turn waits for the challenge window of the last play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnWaiting {
    /// The game.
    pub game: GameId,
    /// The number of the turn.
    pub turn_no: u32,
    /// The seat on turn.
    pub seat: u8,
    /// When the turn takes effect, unless an acceptance, a hold or a challenge changes that, unix ms.
    pub until: i64,
    /// The clocks from now on; that of the seat stands, except while the seat itself holds the play.
    pub clocks: Clocks,
}

/// Tells a player's connections that are not attached to a game that it is the player's turn in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YourTurn {
    /// The game.
    pub game: GameId,
    /// The player's seat.
    pub seat: u8,
    /// The number of the turn.
    pub turn_no: u32,
}

/// Tells a player how a rated game changed the player's rating.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingChanged {
    /// The game.
    pub game: GameId,
    /// The pool in which it is rated: rule set, family of lexica and speed.
    pub pool: String,
    /// The rating before the game, in whole points.
    pub before: i32,
    /// The rating after it.
    pub after: SeatRating,
}

/// An offer of a rematch, its end, or the new game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RematchChanged {
    /// The game that has ended.
    pub game: GameId,
    /// An open offer: the seats that want a rematch, the offering seat first; absent: there is no offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<u8>,
    /// An open offer: when it expires, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// Why the offer ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<RematchEnd>,
    /// The seat that declined, or that took its offer back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<u8>,
    /// The new game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<GameId>,
}

impl RematchChanged {
    /// Returns a message about the rematch of a game that says nothing yet.
    #[must_use]
    pub const fn about(game: GameId) -> Self {
        Self {
            game,
            agreed: Vec::new(),
            expires_at: None,
            end: None,
            by: None,
            next: None,
        }
    }
}

impl OkBody {
    /// Makes the answer to a game command.
    #[must_use]
    pub fn accepted(game: GameId, seq: u64) -> Self {
        Self {
            game: Some(game),
            seq: Some(seq),
            ..Self::default()
        }
    }
}

impl ErrorBody {
    /// Makes an error with the catalogue's `retryable` and no detail.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: code.retryable(),
            detail: None,
        }
    }

    /// Adds a detail.
    #[must_use]
    pub fn with_detail(mut self, detail: ErrorDetail) -> Self {
        self.detail = Some(Box::new(detail));
        self
    }
}
