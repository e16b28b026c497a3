//! What the directory is asked and what it answers.

use tilewire_protocol::ErrorCode;
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::Level;

use crate::game::recovery::LostLexicon;
use crate::storage::StoreError;

/// What a new game is made of.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Its id, chosen by the caller and noted before, so that a creation can be repeated after a crash.
    pub id: String,
    /// What it is played with; seat count equals the number of players.
    pub options: GameOptions,
    /// Who plays, in seat order.
    pub players: Vec<NewPlayer>,
    /// The code spectators need; `None` makes a public game.
    pub private_code: Option<String>,
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
    /// The level it named.
    pub level: Option<Level>,
}

/// Why no game was made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The options cannot be played.
    #[error(transparent)]
    Options(#[from] tilewire_rules::options::OptionsError),
    /// The number of players is not the number of seats.
    #[error("a game for {seats} got {players} players")]
    Players {
        /// Seats of the options.
        seats: u8,
        /// Players named.
        players: usize,
    },
    /// The server has no such rule set or lexicon.
    #[error("there is no {0:?} here")]
    Unknown(String),
    /// The server plays as many games as it may.
    #[error("the server plays as many games as it may")]
    Full,
    /// Another game has this id.
    #[error("another game has this id")]
    Taken,
    /// The storage did not take the game; nothing was made.
    #[error("the storage did not take the game")]
    Storage,
    /// The storage does not say whether it took the game: make the same game again to find out.
    #[error("it is not known yet whether the game was made; ask again")]
    Unsure,
    /// Another node runs the game.
    #[error("another node runs this game")]
    Elsewhere,
    /// The server stops.
    #[error("the server is about to stop")]
    Stopping,
}

/// Why the unfinished games were not taken up.
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
        /// How many.
        count: usize,
        /// A line for each, as far as they are named.
        games: String,
    },
    /// The lexicon of a game is not there, or another one has its name.
    #[error(
        "the unfinished game {game} cannot go on{}: {lexicon}. Put the file {}.fst of that hash back into the folder \
         lexica of the data directory (a changed list needs a new name), or leave such games alone with \
         lexica.missing = \"leave\"",
        and_others(*others),
        lexicon.name
    )]
    Lexicon {
        /// The first such game.
        game: String,
        /// What it lacks.
        lexicon: Box<LostLexicon>,
        /// How many more games lack theirs.
        others: usize,
    },
}

fn and_others(others: usize) -> String {
    match others {
        0 => String::new(),
        others => format!(", nor can {others} more"),
    }
}

/// Why a game was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// There is no such game, or it is kept no longer.
    #[error("there is no such game, or it is kept no longer")]
    Unknown,
    /// Its log does not replay; people have to look at it.
    #[error("the game cannot be loaded; the operator has been told")]
    Broken,
    /// The storage does not answer now.
    #[error("the game cannot be loaded now")]
    Unavailable,
    /// Another node runs the game.
    #[error("another node runs this game")]
    Elsewhere,
    /// The server stops.
    #[error("the server is about to stop")]
    Stopping,
}

impl FindError {
    /// Returns the code a client is told.
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
