//! The requests to the directory, and its errors.

use tilewire_base::address::ClientAddress;
use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::event::{PlayerKind, SeatRating, Series};
use tilewire_rules::options::GameOptions;
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::Level;

use crate::recovery::LostLexicon;
use tilewire_store::StoreError;

/// A game to create.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Its id. The caller stores it first, so that it can repeat the creation after a crash.
    pub id: GameId,
    /// Its options, for as many seats as players.
    pub options: GameOptions,
    /// The players, in seat order.
    pub players: Vec<NewPlayer>,
    /// The code for spectators; `None` makes a public game.
    pub private_code: Option<String>,
    /// The place in a series of rematches.
    pub series: Option<Series>,
    /// The address of the client that opened it, if it is known.
    pub from: Option<ClientAddress>,
}

/// A player of a new game.
#[derive(Debug, Clone)]
pub struct NewPlayer {
    /// The identity that owns the seat.
    pub identity: String,
    /// The display name at this moment.
    pub name: String,
    /// SHA-256 of the nonce the player will send with `ready`, if it announced one.
    pub nonce_hash: Option<[u8; 32]>,
    /// The level that it named.
    pub level: Option<Level>,
    /// The kind of player, if it is known.
    pub kind: Option<PlayerKind>,
    /// The player's rating in the pool of the game.
    pub rating: Option<SeatRating>,
}

/// The reasons why no game was created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] tilewire_rules::options::OptionsError),
    /// The number of players differs from the number of seats.
    #[error("a game for {seats} got {players} players")]
    Players {
        /// Seats of the options.
        seats: u8,
        /// The number of players.
        players: usize,
    },
    /// The server has no such rule set or lexicon.
    #[error("there is no {} here", quoted(.0))]
    Unknown(String),
    /// The server has too many games.
    #[error("the server has too many games")]
    Full,
    /// The clients of an address, or of a network, have too many games.
    #[error("your address has too many games")]
    AddressFull,
    /// Another game has this id.
    #[error("another game has this id")]
    Taken,
    /// The storage refused the game; nothing was created.
    #[error("the storage refused the game")]
    Storage,
    /// It is not known whether the storage has the game: create the same game again to find out.
    #[error("it is not known yet whether the game was created; ask again")]
    Unsure,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
}

/// The reasons why the unfinished games were not started.
#[derive(Debug, thiserror::Error)]
pub enum TakeUpError {
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Games are damaged.
    #[error(
        "{count} unfinished games are damaged:\n{games}Their logs were left as they are. See all that is wrong with \
         tilewire-server check; restore a backup into another directory with tilewire-server restore FILE --data-dir \
         NEW-DIR; or set these games aside and play the others with --damaged-games leave"
    )]
    Damaged {
        /// The number of games.
        count: usize,
        /// One line per game, for the first ones.
        games: String,
    },
    /// The lexicon of a game is missing, or has changed.
    #[error(
        "the unfinished game {game} cannot go on{}: {lexicon}. Put the file {}.fst of that hash back into the folder \
         lexica of the data directory (a changed list needs a new name), or leave such games alone with \
         lexica.missing = \"leave\"",
        and_others(*others),
        lexicon.name
    )]
    Lexicon {
        /// The first such game.
        game: GameId,
        /// The lexicon.
        lexicon: Box<LostLexicon>,
        /// The number of further games without their lexicon.
        others: usize,
    },
}

fn and_others(others: usize) -> String {
    match others {
        0 => String::new(),
        others => format!(", nor can {others} more"),
    }
}

/// The reasons why a game was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// There is no such game, or it has been removed.
    #[error("there is no such game, or it has been removed")]
    Unknown,
    /// Its log does not replay; the operator has to look at it.
    #[error("the game cannot be loaded; the operator has been told")]
    Broken,
    /// The storage does not answer now.
    #[error("the game cannot be loaded now")]
    Unavailable,
    /// Another node runs the game.
    #[error("another node runs this game")]
    Elsewhere,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
}

impl FindError {
    /// Returns the error code for the client.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::Unknown => ErrorCode::UnknownGame,
            Self::Broken => ErrorCode::Internal,
            Self::Unavailable => ErrorCode::StoragePaused,
            Self::Elsewhere => ErrorCode::Busy,
            Self::Stopping => ErrorCode::ShuttingDown,
        }
    }
}
