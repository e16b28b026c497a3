//! The catalogue of error codes. Codes are stable strings; new ones are only ever added.

use crate::text::visit_text;

/// The part of the protocol that an error code belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorGroup {
    /// Frames, messages, authentication and load.
    Protocol,
    /// Seeks and options.
    Lobby,
    /// Games.
    Game,
    /// Chat.
    Chat,
}

/// Whether the same request, unchanged, may succeed later.
#[derive(Clone, Copy)]
enum Retry {
    Never,
    Later,
}

/// How a client reacts to an error; a command that is sent again keeps its `cmd_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Remedy {
    /// The program is at fault.
    Repair,
    /// Send it again, later.
    Wait,
    /// Send it again, on the next connection.
    Reconnect,
    /// Connect with a new identity.
    NewIdentity,
    /// Let the player choose again.
    Choose,
    /// Nothing helps: show the reason to the player.
    Stop,
    /// The state has changed: look at it again.
    CatchUp,
    /// Ask again after the next event of the game.
    AwaitEvent,
    /// Ask again after the answer to the other command.
    AwaitAnswer,
    /// Drop the state of the game.
    Forget,
    /// Follow fewer games.
    Detach,
}

impl Remedy {
    /// The advice in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Repair => "log it as a fault of the program; do not send it again",
            Self::Wait => {
                "send it again after `detail.retry_after_ms`, or after 1 s and then at growing intervals"
            }
            Self::Reconnect => "wait for the close, reconnect, resume, send it again",
            Self::NewIdentity => "forget the token, then as close code 4002 says",
            Self::Stop => "show `message` to the player and stop, as close code 4009 says",
            Self::Choose => "show it to the player, who does something else",
            Self::CatchUp => "take in the events and pushes that come; let the player decide anew",
            Self::AwaitEvent => {
                "send it again at `detail.until`, or when the game's next event has come, if it is still wanted"
            }
            Self::AwaitAnswer => "send it again when the other command is answered",
            Self::Forget => "drop what is known of the game",
            Self::Detach => "`detach` from another game, then send it again",
        }
    }
}

macro_rules! error_codes {
    ($($variant:ident = $text:literal, $group:ident, $retry:ident, $remedy:ident, $meaning:literal;)+) => {
        /// Why a request failed, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)+
            /// A code of a later version; use `retryable` and `message`.
            Unknown,
        }

        impl ErrorCode {
            /// Every known code, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code as it stands on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Unknown => "unknown",
                }
            }

            /// Reads a code from the wire; one not listed becomes `Unknown`.
            #[must_use]
            pub fn from_wire(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)+
                    _ => Self::Unknown,
                }
            }

            /// The part of the protocol that the code belongs to.
            #[must_use]
            pub const fn group(self) -> ErrorGroup {
                match self {
                    $(Self::$variant => ErrorGroup::$group,)+
                    Self::Unknown => ErrorGroup::Protocol,
                }
            }

            /// Whether the same request, unchanged, may succeed later.
            #[must_use]
            pub const fn retryable(self) -> bool {
                let retry = match self {
                    $(Self::$variant => Retry::$retry,)+
                    Self::Unknown => Retry::Never,
                };
                matches!(retry, Retry::Later)
            }

            /// How a client reacts to it.
            #[must_use]
            pub const fn remedy(self) -> Remedy {
                match self {
                    $(Self::$variant => Remedy::$remedy,)+
                    Self::Unknown => Remedy::Choose,
                }
            }

            /// The meaning of the code, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                    Self::Unknown => "A code of a later version.",
                }
            }
        }
    };
}

error_codes! {
    BadFrame = "bad_frame", Protocol, Never, Repair, "The frame is not well-formed MessagePack or JSON, or has bytes after its end.";
    BadMessage = "bad_message", Protocol, Never, Repair, "The frame is well-formed but is no `[op, id, body]` of this protocol.";
    UnknownOp = "unknown_op", Protocol, Never, Repair, "No request has this op.";
    BadField = "bad_field", Protocol, Never, Repair, "A field is missing, of the wrong type or out of range; `detail.field` names it.";
    TooLarge = "too_large", Protocol, Never, Repair, "The frame, or a list or text in it, is larger than allowed.";
    RateLimited = "rate_limited", Protocol, Later, Wait, "Too many messages; `detail.retry_after_ms` says when to go on.";
    NotAuthenticated = "not_authenticated", Protocol, Never, Repair, "The first message must be `auth`.";
    AlreadyAuthenticated = "already_authenticated", Protocol, Never, Repair, "`auth` came twice on one connection.";
    BadToken = "bad_token", Protocol, Never, NewIdentity, "The server does not accept the token, or the token expired or was revoked.";
    Revoked = "revoked", Protocol, Never, Stop, "The operator revoked the identity, or a moderator suspended it; `message` says why, if there is a reason.";
    BadName = "bad_name", Protocol, Never, Choose, "The display name breaks the rules for names.";
    UnsupportedVersion = "unsupported_version", Protocol, Never, Repair, "The server does not speak the version that was asked for.";
    RequestIdReused = "request_id_reused", Protocol, Never, Repair, "The id belongs to a request still in flight.";
    Busy = "busy", Protocol, Later, Wait, "The server is overloaded and did not take the request.";
    ShuttingDown = "shutting_down", Protocol, Later, Reconnect, "The server is about to stop; reconnect and ask again.";
    Internal = "internal", Protocol, Later, Wait, "The server failed; nothing was changed unless a later event says so.";

    UnknownSeek = "unknown_seek", Lobby, Never, CatchUp, "There is no such open seek.";
    WrongCode = "wrong_code", Lobby, Never, Choose, "No open private seek or game has this code.";
    SeekFull = "seek_full", Lobby, Never, CatchUp, "All seats of the seek are taken.";
    AlreadyJoined = "already_joined", Lobby, Never, CatchUp, "The identity is a member of the seek already.";
    AlreadySeeking = "already_seeking", Lobby, Never, CatchUp, "The identity is a member of an open public seek with equal options already.";
    OwnerAway = "owner_away", Lobby, Later, Wait, "The owner of the seek is not connected, and the game is live.";
    NotAMember = "not_a_member", Lobby, Never, CatchUp, "The identity is no member of the seek.";
    NotTheOwner = "not_the_owner", Lobby, Never, Choose, "Only the owner of the seek may do this.";
    TooManySeeks = "too_many_seeks", Lobby, Never, Choose, "The identity has as many open seeks as it may have.";
    TooManyGames = "too_many_games", Lobby, Never, Choose, "The identity plays, or has joined seeks for, as many games as it may.";
    TooFewPlayers = "too_few_players", Lobby, Never, Choose, "A game needs at least two players.";
    BadOptions = "bad_options", Lobby, Never, Choose, "The options do not go together or are out of range; `detail.field` names one.";
    NotRateable = "not_rateable", Lobby, Never, Choose, "A game with these options or players is never rated; `detail.reason` says why.";
    NotEligible = "not_eligible", Lobby, Never, Choose, "The player does not meet the criteria of the seek; `detail.reason` says which.";
    Restricted = "restricted", Lobby, Never, Choose, "A moderator has restricted the player, or the player waits after leaving games; `detail.until` says for how long and `detail.reason` why.";
    LobbyClosed = "lobby_closed", Lobby, Never, Choose, "The operator has closed the lobby: no games begin; `detail.reason` says why.";
    NoRematch = "no_rematch", Lobby, Never, CatchUp, "Nobody offers a rematch of this game.";
    RematchBegun = "rematch_begun", Lobby, Never, CatchUp, "The rematch of this game has begun.";
    RematchTooLate = "rematch_too_late", Lobby, Never, Choose, "The time to offer a rematch of this game is over.";
    UnknownPlayer = "unknown_player", Lobby, Never, Choose, "No player has this handle.";
    NotRegistered = "not_registered", Lobby, Never, Choose, "Guests cannot do this.";
    Yourself = "yourself", Lobby, Never, Choose, "The handle is the player's own.";
    AlreadyInvited = "already_invited", Lobby, Never, CatchUp, "The identity has invited this player to a game with equal options already.";
    TooManyInvitations = "too_many_invitations", Lobby, Never, Choose, "The identity has as many open invitations as it may have.";
    UnknownInvitation = "unknown_invitation", Lobby, Never, CatchUp, "There is no such open invitation.";
    UnknownLexicon = "unknown_lexicon", Lobby, Never, Choose, "The server has no lexicon of this name.";
    UnknownRuleSet = "unknown_rule_set", Lobby, Never, Choose, "The server has no rule set of this id.";
    CmdIdReused = "cmd_id_reused", Lobby, Never, Repair, "The `cmd_id` was used for a different command.";

    UnknownGame = "unknown_game", Game, Never, Forget, "There is no such game, or it is kept no longer.";
    NotAPlayer = "not_a_player", Game, Never, Choose, "The identity has no seat in this game.";
    CodeRequired = "code_required", Game, Never, Choose, "The game is private; watching it needs its code.";
    TooManyAttached = "too_many_attached", Game, Never, Detach, "The connection is attached to as many games as it may be.";
    GameOver = "game_over", Game, Never, CatchUp, "The game has ended.";
    NotStarted = "not_started", Game, Never, CatchUp, "The game waits for its players to be ready.";
    NotOver = "not_over", Game, Never, Choose, "The game has not ended, or the identity plays another one with the same lexicon.";
    AlreadyReady = "already_ready", Game, Never, CatchUp, "The seat is ready already.";
    BadNonce = "bad_nonce", Game, Never, Choose, "The nonce does not match the hash that was announced.";
    NotYourTurn = "not_your_turn", Game, Never, CatchUp, "Another seat is on turn.";
    WrongPosition = "wrong_position", Game, Never, CatchUp, "The command was meant for another turn or another play.";
    Gap = "gap", Game, Never, Choose, "The tiles leave a gap, or `.` stands on an empty square.";
    NotInLine = "not_in_line", Game, Never, Repair, "The tiles are not in one line. A play of this version always is a line, so no server sends this.";
    OffBoard = "off_board", Game, Never, Choose, "A tile would lie off the board.";
    Occupied = "occupied", Game, Never, Choose, "A tile lies on the square already.";
    NotAdjacent = "not_adjacent", Game, Never, Choose, "The play touches no tile on the board.";
    CentreMissed = "centre_missed", Game, Never, Choose, "The first play does not cover the start square.";
    TileNotInRack = "tile_not_in_rack", Game, Never, Choose, "The rack does not hold this tile.";
    TooFewTiles = "too_few_tiles", Game, Never, Choose, "The first play needs more tiles.";
    NoTiles = "no_tiles", Game, Never, Choose, "The play or exchange holds no tile from the rack.";
    BadCoordinate = "bad_coordinate", Game, Never, Repair, "The start of the play is no coordinate.";
    UnknownTile = "unknown_tile", Game, Never, Repair, "The tile set has no such face.";
    BlankUnassigned = "blank_unassigned", Game, Never, Repair, "A blank is played without the letter it stands for.";
    WordTooShort = "word_too_short", Game, Never, Choose, "The play forms no word of two letters or more: one tile on an empty board, where the rule set lets one tile begin.";
    InvalidWords = "invalid_words", Game, Never, Choose, "The lexicon lacks the words in `detail.words` (`void` only).";
    BagTooSmall = "bag_too_small", Game, Never, Choose, "The bag holds too few tiles for any exchange.";
    TooManyExchanged = "too_many_exchanged", Game, Never, Choose, "More tiles are to be exchanged than the bag holds.";
    WindowClosed = "window_closed", Game, Never, CatchUp, "The play can no longer be challenged, held or accepted.";
    AlreadyChallenged = "already_challenged", Game, Never, CatchUp, "The play was challenged already.";
    AlreadyAccepted = "already_accepted", Game, Never, CatchUp, "The seat accepted the play already.";
    OwnPlay = "own_play", Game, Never, Choose, "The play is the seat's own.";
    CannotHold = "cannot_hold", Game, Never, Choose, "It is too late to hold the play.";
    HoldUsed = "hold_used", Game, Never, Choose, "The seat has held this play once already.";
    Held = "held", Game, Later, AwaitEvent, "A seat holds the window open; `detail.until` says how long at most.";
    NotHeld = "not_held", Game, Never, CatchUp, "The seat does not hold the play.";
    ChallengePending = "challenge_pending", Game, Later, AwaitEvent, "The author is deciding whether to withdraw the play.";
    NoChallengePending = "no_challenge_pending", Game, Never, CatchUp, "There is no challenge to withdraw or stand against.";
    NoChallenges = "no_challenges", Game, Never, Choose, "The game is played without challenges.";
    CannotAbort = "cannot_abort", Game, Never, Choose, "The game counts already and cannot be called off.";
    AlreadyRequested = "already_requested", Game, Never, Choose, "The seat has asked once to abort the game.";
    NoAbortRequest = "no_abort_request", Game, Never, CatchUp, "No request to abort the game waits for the seat's answer.";
    CannotNudge = "cannot_nudge", Game, Later, AwaitEvent, "No other seat is on turn, or it has not been silent for long enough.";
    NudgesUsed = "nudges_used", Game, Never, Choose, "The seat has nudged twice in this game.";
    NoNudge = "no_nudge", Game, Never, CatchUp, "No nudge waits for the seat's answer.";
    CannotAdjourn = "cannot_adjourn", Game, Later, AwaitEvent, "The game is not live, a play can be challenged, or a request of the seat is open.";
    AdjournsUsed = "adjourns_used", Game, Never, Choose, "The seat has asked three times to adjourn this game.";
    NoAdjournRequest = "no_adjourn_request", Game, Never, CatchUp, "No request to adjourn the game waits for the seat's answer.";
    Adjourned = "adjourned", Game, Never, CatchUp, "The game is adjourned until all seats are ready; `detail.until` says how long at most.";
    Paused = "paused", Game, Never, CatchUp, "An operator has paused the game; `detail.until` says how long at most.";
    NotAdjourned = "not_adjourned", Game, Never, CatchUp, "The game is not adjourned.";
    CannotGiveTime = "cannot_give_time", Game, Never, Choose, "No time can be given in this game, at this moment or to this seat, or not so much.";
    GiftsUsed = "gifts_used", Game, Never, Choose, "The seat has given time ten times in this game.";
    TimeRefused = "time_refused", Game, Never, Choose, "The seat takes no time in this game.";
    NoHints = "no_hints", Game, Never, Choose, "The game is played without hints.";
    HintsUsed = "hints_used", Game, Never, Choose, "The seat has used all its hints in this game.";
    CannotHint = "cannot_hint", Game, Later, AwaitEvent, "The last play can be challenged; `detail.until` says until when, if the window has a timer.";
    CannotClaim = "cannot_claim", Game, Later, AwaitEvent, "The seat has neither vanished nor left a nudge unanswered nor missed the end of an adjournment, or not for long enough.";
    FinalPhase = "final_phase", Game, Never, CatchUp, "The last play is up for challenge; no turn can be played.";
    StoragePaused = "storage_paused", Game, Later, Wait, "The game waits for the storage; nothing was changed.";
    CommandInFlight = "command_in_flight", Game, Later, AwaitAnswer, "Another command in this game is unanswered on this connection.";

    ChatOff = "chat_off", Chat, Never, Choose, "Chat is switched off: on this server, by the site of the player, or by the player.";
    NoSuchRoom = "no_such_room", Chat, Never, CatchUp, "There is no such room, or it is not open to the identity.";
    NotInRoom = "not_in_room", Chat, Never, CatchUp, "The connection has not joined the room.";
    TooManyRooms = "too_many_rooms", Chat, Never, Choose, "The connection, or the server, has as many joined rooms as it may have.";
    CannotSay = "cannot_say", Chat, Never, Choose, "The identity can read the room and cannot write in it.";
    BadText = "bad_text", Chat, Never, Choose, "The text is empty or too long.";
    RepeatedLine = "repeated_line", Chat, Never, Choose, "The player wrote the same text a moment ago; `detail.text` gives it back.";
    TooManyLines = "too_many_lines", Chat, Later, Wait, "The player writes too many lines; `detail.retry_after_ms` says when to go on.";
    Muted = "muted", Chat, Never, Choose, "A moderator has muted the player; `detail.until` says for how long and `detail.reason` why.";
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for ErrorCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        visit_text(deserializer, Self::from_wire)
    }
}
