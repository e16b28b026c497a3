//! Requests of clients. The server answers each exactly once.

use serde::{Deserialize, Serialize};

use crate::adjourn::AnswerAdjourn;
use crate::bytes::{Bytes, Token};
use crate::chat::{ChatJoin, ChatLeave, ChatSay};
use crate::criteria::SeekCriteria;
use crate::enums::{GameScope, Level};
use crate::hints::AskHint;
use crate::ids::{CmdId, GameId, SeekId};
use crate::invitation::{AnswerInvitation, Invite};
#[cfg(feature = "schema")]
use crate::limits;
use crate::macros::wire_messages;
use crate::options::GameOptions;
use crate::questions::{AnswerAbort, Claim, GiveTime};
use crate::text::is_false;

wire_messages! {
    /// A request of a client.
    ClientMessage {
        /// Proves or creates an identity; the first message of a connection.
        Auth(Auth) = "auth",
        /// Changes the display name.
        Rename(Rename) = "rename",
        /// Asks for the server's time.
        Time(Empty) = "time",
        /// Asks for a fresh token.
        Renew(Empty) = "renew",
        /// Asks for the lobby and its changes.
        LobbySubscribe(Empty) = "lobby_subscribe",
        /// Ends the stream of lobby changes.
        LobbyUnsubscribe(Empty) = "lobby_unsubscribe",
        /// Describes a rule set.
        RuleSet(AskRuleSet) = "rule_set",
        /// Lists games.
        ListGames(ListGames) = "list_games",
        /// Asks whether words are in the lexicon of a game that has ended.
        LookUp(LookUp) = "look_up",
        /// Asks for a private seek, which joins nothing.
        FindSeek(FindSeek) = "find_seek",
        /// Opens a seek.
        Seek(Box<OpenSeek>) = "seek",
        /// Joins an equal open seek or opens one.
        QuickMatch(Box<QuickMatch>) = "quick_match",
        /// Joins a seek.
        JoinSeek(JoinSeek) = "join_seek",
        /// Leaves a joined seek.
        LeaveSeek(SeekCommand) = "leave_seek",
        /// Closes a seek of one's own.
        CancelSeek(SeekCommand) = "cancel_seek",
        /// Starts a seek of one's own with its present members.
        StartSeek(SeekCommand) = "start_seek",
        /// Offers a rematch of a game that has ended, or agrees to the one that another seat offers.
        OfferRematch(OfferRematch) = "offer_rematch",
        /// Declines a rematch, or takes back one's own offer.
        DeclineRematch(GameCommand) = "decline_rematch",
        /// Invites a player to a game.
        Invite(Box<Invite>) = "invite",
        /// Accepts or declines an invitation, or takes back one's own.
        AnswerInvitation(AnswerInvitation) = "answer_invitation",
        /// Asks for a game's events, from a known position or from a snapshot.
        Attach(Attach) = "attach",
        /// Ends the stream of a game's events.
        Detach(Detach) = "detach",
        /// Says that the seat is ready to start.
        Ready(Ready) = "ready",
        /// Plays tiles.
        Play(Play) = "play",
        /// Exchanges tiles.
        Exchange(Exchange) = "exchange",
        /// Passes.
        Pass(Pass) = "pass",
        /// Challenges a play.
        Challenge(PlayCommand) = "challenge",
        /// Holds the challenge window open.
        Hold(PlayCommand) = "hold",
        /// Ends one's own hold.
        Release(PlayCommand) = "release",
        /// Accepts a play for good.
        Accept(PlayCommand) = "accept",
        /// Withdraws one's own challenged play (consent rule).
        Withdraw(PlayCommand) = "withdraw",
        /// Stands by one's own challenged play (consent rule).
        Stand(PlayCommand) = "stand",
        /// Resigns.
        Resign(GameCommand) = "resign",
        /// Aborts the game before it counts; in a rated game that has begun, asks the other seat for it.
        Abort(GameCommand) = "abort",
        /// Answers the other seat's request to abort a rated game.
        AnswerAbort(AnswerAbort) = "answer_abort",
        /// Claims the place of a seat that has vanished, or that has not answered a nudge.
        Claim(Claim) = "claim",
        /// Joins a chat room, or follows all direct rooms.
        ChatJoin(ChatJoin) = "chat_join",
        /// Leaves a chat room.
        ChatLeave(ChatLeave) = "chat_leave",
        /// Writes a line into a joined chat room.
        ChatSay(ChatSay) = "chat_say",
        /// Asks whether the player on turn is still there.
        Nudge(GameCommand) = "nudge",
        /// Answers a nudge.
        Here(GameCommand) = "here",
        /// Asks the other seats to adjourn the game.
        Adjourn(GameCommand) = "adjourn",
        /// Answers another seat's request to adjourn the game.
        AnswerAdjourn(AnswerAdjourn) = "answer_adjourn",
        /// Says that the seat is ready to resume an adjourned game.
        ResumeGame(GameCommand) = "resume_game",
        /// Gives time to another player of a casual game.
        GiveTime(GiveTime) = "give_time",
        /// Takes no time in this game.
        RefuseTime(GameCommand) = "refuse_time",
        /// Asks for a hint in the own turn.
        Hint(AskHint) = "hint",
    }
}

/// A body without fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Empty {}

/// Proves or creates an identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Auth {
    /// The token of an earlier `welcome`; absent: a new guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
    /// The wanted display name; absent: the present one, or one that the server chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name and version of the client program, for the operator's logs.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CLIENT_NAME_MAX_BYTES)))]
    pub client: String,
}

/// Changes the display name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rename {
    /// The wanted display name.
    pub name: String,
}

/// Describes a rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskRuleSet {
    /// Its id, one of those in `hello`.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CATALOGUE_NAME_MAX_BYTES)))]
    pub rule_set: String,
    /// Language of the tiles; absent: the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CATALOGUE_NAME_MAX_BYTES)))]
    pub language: Option<String>,
}

/// Lists games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListGames {
    /// The scope of the list.
    pub scope: GameScope,
    /// `finished`: only games that ended before this one; absent: the games that ended last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<GameId>,
}

/// Asks whether words are in the lexicon of a game that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookUp {
    /// The game.
    pub game: GameId,
    /// The code of a private game, for those who did not play in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CODE_MAX_BYTES)))]
    pub code: Option<String>,
    /// The words, each as in the `words` of a play; lower case counts like upper case.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = limits::LOOK_UP_WORDS_MAX), inner(length(min = 1, max = limits::WORD_MAX_BYTES))))]
    pub words: Vec<String>,
}

/// Asks for a private seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindSeek {
    /// Its code.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CODE_MAX_BYTES)))]
    pub code: String,
}

/// Opens a seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenSeek {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The options of the game.
    pub options: GameOptions,
    /// Whether the lobby hides it and others join by code; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub private: bool,
    /// House bots that join at once, by level, as listed in `hello`; absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::SEATS_MAX)))]
    pub bots: Vec<String>,
    /// SHA-256 of the nonce that `ready` will contain, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
    /// The player's level; counts where the rule set has targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The players that the seek admits; absent: everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Box<SeekCriteria>>,
}

/// Joins the oldest open public seek with equal options, else opens one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuickMatch {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The options of the game.
    pub options: GameOptions,
    /// SHA-256 of the nonce that `ready` will contain, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
    /// The player's level; counts where the rule set has targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Whether the last step of the rating range of a rated game admits every rating; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub any_rating: bool,
}

/// Joins a seek, named by exactly one of `seek` and `code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("oneOf" = [{"required": ["seek"]}, {"required": ["code"]}])))]
pub struct JoinSeek {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// A public seek.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek: Option<SeekId>,
    /// The code of a private seek.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CODE_MAX_BYTES)))]
    pub code: Option<String>,
    /// SHA-256 of the nonce that `ready` will contain, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
    /// The player's level; counts where the rule set has targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// Leaves, cancels or starts a seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeekCommand {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The seek.
    pub seek: SeekId,
}

/// Offers a rematch, or agrees to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OfferRematch {
    /// The game that has ended.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// SHA-256 of the nonce that the client will send with `ready`, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
}

/// Asks for a game's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        extend("dependentRequired" = {"epoch": ["seq"]}),
        extend("anyOf" = [{"required": ["epoch"]}, {"properties": {"seq": {"const": 0}}}])
    )
)]
pub struct Attach {
    /// The game.
    pub game: GameId,
    /// The epoch of the client's position; given together with `seq`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// The `seq` of the client's last event; given together with `epoch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The code of a private game, for spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CODE_MAX_BYTES)))]
    pub code: Option<String>,
}

/// Ends the stream of a game's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detach {
    /// The game.
    pub game: GameId,
}

/// Says that the seat is ready to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ready {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The nonce; its hash was announced. At most 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Nonce>")
    )]
    pub nonce: Option<Bytes>,
}

/// Plays tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Play {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The number of the turn that the command is meant for.
    pub turn_no: u32,
    /// Start and direction of the play: `8F` across, `F8` down.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::COORDINATE_MAX_BYTES)))]
    pub start: String,
    /// The faces along the play; `.` for a tile on the board, lower case for a blank.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::REQUEST_TILES_MAX), inner(length(min = 1, max = limits::FACE_MAX_BYTES))))]
    pub tiles: Vec<String>,
}

/// Exchanges tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exchange {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The number of the turn that the command is meant for.
    pub turn_no: u32,
    /// The faces of the tiles to give back; `?` for a blank.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::REQUEST_TILES_MAX), inner(length(min = 1, max = limits::FACE_MAX_BYTES))))]
    pub tiles: Vec<String>,
}

/// Passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pass {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The number of the turn that the command is meant for.
    pub turn_no: u32,
}

/// Acts on a play: challenge, hold, release, accept, withdraw, stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayCommand {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The `seq` of the play's `play_made` event.
    pub play_id: u64,
}

/// Acts on the game as a whole: resign, abort, nudge, here, adjourn, resume_game, refuse_time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameCommand {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
}

impl ClientMessage {
    /// Returns the game and the command id of a command in a game; `None` for other requests.
    #[must_use]
    pub fn game_command(&self) -> Option<(&GameId, &CmdId)> {
        match self {
            Self::Ready(body) => Some((&body.game, &body.cmd_id)),
            Self::Play(body) => Some((&body.game, &body.cmd_id)),
            Self::Exchange(body) => Some((&body.game, &body.cmd_id)),
            Self::Pass(body) => Some((&body.game, &body.cmd_id)),
            Self::Challenge(body)
            | Self::Hold(body)
            | Self::Release(body)
            | Self::Accept(body)
            | Self::Withdraw(body)
            | Self::Stand(body) => Some((&body.game, &body.cmd_id)),
            Self::Resign(body)
            | Self::Abort(body)
            | Self::Nudge(body)
            | Self::Here(body)
            | Self::Adjourn(body)
            | Self::ResumeGame(body)
            | Self::RefuseTime(body) => Some((&body.game, &body.cmd_id)),
            Self::AnswerAdjourn(body) => Some((&body.game, &body.cmd_id)),
            Self::GiveTime(body) => Some((&body.game, &body.cmd_id)),
            Self::Hint(body) => Some((&body.game, &body.cmd_id)),
            Self::AnswerAbort(body) => Some((&body.game, &body.cmd_id)),
            Self::Claim(body) => Some((&body.game, &body.cmd_id)),
            Self::Auth(_)
            | Self::Rename(_)
            | Self::Time(_)
            | Self::Renew(_)
            | Self::LobbySubscribe(_)
            | Self::LobbyUnsubscribe(_)
            | Self::RuleSet(_)
            | Self::ListGames(_)
            | Self::LookUp(_)
            | Self::FindSeek(_)
            | Self::Seek(_)
            | Self::QuickMatch(_)
            | Self::JoinSeek(_)
            | Self::LeaveSeek(_)
            | Self::CancelSeek(_)
            | Self::StartSeek(_)
            | Self::OfferRematch(_)
            | Self::DeclineRematch(_)
            | Self::Invite(_)
            | Self::AnswerInvitation(_)
            | Self::Attach(_)
            | Self::Detach(_)
            | Self::ChatJoin(_)
            | Self::ChatLeave(_)
            | Self::ChatSay(_) => None,
        }
    }

    /// Says whether this is a command that ends a turn.
    #[must_use]
    pub const fn ends_turn(&self) -> bool {
        matches!(self, Self::Play(_) | Self::Exchange(_) | Self::Pass(_))
    }

    /// Returns the id of a command that changes seeks, offers of rematches or invitations; `None` for other requests.
    #[must_use]
    pub fn seek_command(&self) -> Option<&CmdId> {
        match self {
            Self::Seek(body) => Some(&body.cmd_id),
            Self::QuickMatch(body) => Some(&body.cmd_id),
            Self::JoinSeek(body) => Some(&body.cmd_id),
            Self::LeaveSeek(body) | Self::CancelSeek(body) | Self::StartSeek(body) => {
                Some(&body.cmd_id)
            }
            Self::OfferRematch(body) => Some(&body.cmd_id),
            Self::DeclineRematch(body) => Some(&body.cmd_id),
            Self::Invite(body) => Some(&body.cmd_id),
            Self::AnswerInvitation(body) => Some(&body.cmd_id),
            _ => None,
        }
    }
}
