//! The catalogue of error codes. Codes are stable strings; new ones are only ever added.

use crate::macros::visit_text;

/// Which part of the protocol an error code belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorGroup {
    /// Frames, messages, authentication and load.
    Protocol,
    /// Seeks and options.
    Lobby,
    /// Games.
    Game,
}

/// Whether the same request may succeed later without a change.
#[derive(Clone, Copy)]
enum Retry {
    Never,
    Later,
}

macro_rules! error_codes {
    ($($variant:ident = $text:literal, $group:ident, $retry:ident, $meaning:literal;)+) => {
        /// Why a request failed, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)+
            /// A code of a later version; go by `retryable` and `message`.
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

            /// Which part of the protocol the code belongs to.
            #[must_use]
            pub const fn group(self) -> ErrorGroup {
                match self {
                    $(Self::$variant => ErrorGroup::$group,)+
                    Self::Unknown => ErrorGroup::Protocol,
                }
            }

            /// Whether the same request may succeed later without a change.
            #[must_use]
            pub const fn retryable(self) -> bool {
                let retry = match self {
                    $(Self::$variant => Retry::$retry,)+
                    Self::Unknown => Retry::Never,
                };
                matches!(retry, Retry::Later)
            }

            /// What the code means, in one sentence.
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
    BadFrame = "bad_frame", Protocol, Never, "The frame is not well-formed MessagePack or JSON, or has bytes after its end.";
    BadMessage = "bad_message", Protocol, Never, "The frame is well-formed but is no `[op, id, body]` of this protocol.";
    UnknownOp = "unknown_op", Protocol, Never, "No request has this op.";
    BadField = "bad_field", Protocol, Never, "A field is missing, of the wrong type or out of range; `detail.field` names it.";
    TooLarge = "too_large", Protocol, Never, "The frame, or a list or text in it, is larger than allowed.";
    RateLimited = "rate_limited", Protocol, Later, "Too many messages; `detail.retry_after_ms` says when to go on.";
    NotAuthenticated = "not_authenticated", Protocol, Never, "The first message must be `auth`.";
    AlreadyAuthenticated = "already_authenticated", Protocol, Never, "`auth` came twice on one connection.";
    BadToken = "bad_token", Protocol, Never, "The token is not one of this server's, or no longer valid.";
    BadName = "bad_name", Protocol, Never, "The display name breaks the rules for names.";
    UnsupportedVersion = "unsupported_version", Protocol, Never, "The server does not speak the version that was asked for.";
    RequestIdReused = "request_id_reused", Protocol, Never, "The id belongs to a request still in flight.";
    Busy = "busy", Protocol, Later, "The server has too much to do to take the request.";
    ShuttingDown = "shutting_down", Protocol, Later, "The server is about to stop; reconnect and ask again.";
    Internal = "internal", Protocol, Later, "The server failed; nothing was changed unless a later event says so.";

    UnknownSeek = "unknown_seek", Lobby, Never, "There is no such open seek.";
    WrongCode = "wrong_code", Lobby, Never, "No open private seek or game has this code.";
    SeekFull = "seek_full", Lobby, Never, "All seats of the seek are taken.";
    AlreadyJoined = "already_joined", Lobby, Never, "The identity is a member of the seek already.";
    NotAMember = "not_a_member", Lobby, Never, "The identity is no member of the seek.";
    NotTheOwner = "not_the_owner", Lobby, Never, "Only the owner of the seek may do this.";
    TooManySeeks = "too_many_seeks", Lobby, Never, "The identity has as many open seeks as it may have.";
    TooFewPlayers = "too_few_players", Lobby, Never, "A game needs at least two players.";
    BadOptions = "bad_options", Lobby, Never, "The options do not go together or are out of range; `detail.field` names one.";
    UnknownLexicon = "unknown_lexicon", Lobby, Never, "The server has no lexicon of this name.";
    UnknownRuleSet = "unknown_rule_set", Lobby, Never, "The server has no rule set of this id.";
    CmdIdReused = "cmd_id_reused", Lobby, Never, "The `cmd_id` was used for a different command.";

    UnknownGame = "unknown_game", Game, Never, "There is no such game, or it is kept no longer.";
    NotAPlayer = "not_a_player", Game, Never, "The identity has no seat in this game.";
    CodeRequired = "code_required", Game, Never, "The game is private; watching it needs its code.";
    TooManyAttached = "too_many_attached", Game, Never, "The connection is attached to as many games as it may be.";
    GameOver = "game_over", Game, Never, "The game has ended.";
    NotStarted = "not_started", Game, Never, "The game waits for its players to be ready.";
    AlreadyReady = "already_ready", Game, Never, "The seat is ready already.";
    BadNonce = "bad_nonce", Game, Never, "The nonce does not match the hash that was announced.";
    NotYourTurn = "not_your_turn", Game, Never, "Another seat is on turn.";
    WrongPosition = "wrong_position", Game, Never, "The command was meant for another turn or another play.";
    Gap = "gap", Game, Never, "The tiles leave a gap, or `.` stands on an empty square.";
    NotInLine = "not_in_line", Game, Never, "The tiles are not in one line.";
    OffBoard = "off_board", Game, Never, "A tile would lie off the board.";
    Occupied = "occupied", Game, Never, "A tile lies on the square already.";
    NotAdjacent = "not_adjacent", Game, Never, "The play touches no tile on the board.";
    CentreMissed = "centre_missed", Game, Never, "The first play does not cover the start square.";
    TileNotInRack = "tile_not_in_rack", Game, Never, "The rack does not hold this tile.";
    TooFewTiles = "too_few_tiles", Game, Never, "The first play needs more tiles.";
    NoTiles = "no_tiles", Game, Never, "The play or exchange holds no tile from the rack.";
    BadCoordinate = "bad_coordinate", Game, Never, "The start of the play is no coordinate.";
    UnknownTile = "unknown_tile", Game, Never, "The tile set has no such face.";
    BlankUnassigned = "blank_unassigned", Game, Never, "A blank is played without the letter it stands for.";
    WordTooShort = "word_too_short", Game, Never, "The play forms no word of two letters or more.";
    InvalidWords = "invalid_words", Game, Never, "The lexicon lacks the words in `detail.words` (`void` only).";
    BagTooSmall = "bag_too_small", Game, Never, "The bag holds too few tiles for an exchange.";
    TooManyExchanged = "too_many_exchanged", Game, Never, "More tiles are exchanged than the bag holds.";
    WindowClosed = "window_closed", Game, Never, "The play can no longer be challenged, held or accepted.";
    AlreadyChallenged = "already_challenged", Game, Never, "The play was challenged already.";
    AlreadyAccepted = "already_accepted", Game, Never, "The seat accepted the play already.";
    OwnPlay = "own_play", Game, Never, "The play is the seat's own.";
    CannotHold = "cannot_hold", Game, Never, "The play cannot be held.";
    HoldUsed = "hold_used", Game, Never, "The seat has held this play once already.";
    Held = "held", Game, Later, "A seat holds the window open; `detail.until` says how long at most.";
    NotHeld = "not_held", Game, Never, "The seat does not hold the play.";
    ChallengePending = "challenge_pending", Game, Later, "The author is deciding whether to withdraw the play.";
    NoChallengePending = "no_challenge_pending", Game, Never, "There is no challenge to withdraw or stand against.";
    NoChallenges = "no_challenges", Game, Never, "The game is played without challenges.";
    CannotAbort = "cannot_abort", Game, Never, "The game counts already and cannot be called off.";
    CannotClaim = "cannot_claim", Game, Later, "The seat has not vanished, or not for long enough.";
    FinalPhase = "final_phase", Game, Never, "The last play is up for challenge; no turn can be played.";
    StoragePaused = "storage_paused", Game, Later, "The game waits for the storage; nothing was changed.";
    CommandInFlight = "command_in_flight", Game, Later, "Another command in this game is unanswered on this connection.";
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
