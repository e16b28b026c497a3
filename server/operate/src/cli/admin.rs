//! The command `admin`: what it asks of a running server.

use clap::{Args, Subcommand, ValueEnum};

use super::admin_server::ServerTask;

/// A request to the running server, and the format of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct AdminCommand {
    /// The request.
    #[command(subcommand)]
    pub task: AdminTask,
    /// Print the answer as JSON, as docs/admin.md describes it
    #[arg(long, global = true)]
    pub json: bool,
}

/// A request to the running server.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum AdminTask {
    /// List the authenticated connections
    Connections {
        /// Only players with this text in the display name, in any case
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
        /// Only those of this identity
        #[arg(long, value_name = "IDENTITY")]
        identity: Option<String>,
    },
    /// Find players by the start of the handle, or by the identity
    Players {
        /// The start of a handle, or an identity
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Show a player with sessions, connections, games and the history of actions
    Player {
        /// The handle or the identity
        #[arg(value_name = "PLAYER")]
        player: String,
    },
    /// Give a player another handle; the player is told
    Rename {
        /// The handle or the identity
        #[arg(value_name = "PLAYER")]
        player: String,
        /// The new handle
        #[arg(value_name = "HANDLE")]
        handle: String,
        /// The reason, which the player reads
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Suspend a player: all sessions end, and the player reads the reason
    Suspend {
        /// The handle or the identity
        #[arg(value_name = "PLAYER")]
        player: String,
        /// The hours after which it ends by itself; without them, it lasts until it is undone
        #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=87_600))]
        hours: Option<u32>,
        /// The reason, which the player reads
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Undo an action about a player; the player is told
    Undo {
        /// The number of the action
        #[arg(value_name = "NUMBER")]
        number: u64,
        /// The reason, which the player reads
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List games that fit all filters, the newest first
    Games(GameFilters),
    /// Requests about one game, or about the clocks of all games.
    #[command(flatten)]
    Game(GameTask),
    /// Requests about the server as a whole.
    #[command(flatten)]
    Server(ServerTask),
    /// List what everybody with a role did, the newest first
    Audit,
}

/// A request about one game, or about the clocks of all games.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum GameTask {
    /// Show a game with log, clocks, queue and spectators
    Game {
        /// The game
        #[arg(value_name = "GAME")]
        game: String,
        /// Show the racks and exchanges of all seats too; the audit has the request
        #[arg(long, requires = "reason")]
        tiles: bool,
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT", requires = "tiles")]
        reason: Option<String>,
    },
    /// End a game without a result; the players read the reason
    Cancel {
        /// The game
        #[arg(value_name = "GAME")]
        game: String,
        /// The number of the last event that you have seen, as `game` shows it; nothing happens if the game has moved on
        #[arg(long, value_name = "NUMBER")]
        seq: u64,
        /// The reason, which the players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// End a game with a result; the players read the reason
    Adjudicate {
        /// The game
        #[arg(value_name = "GAME")]
        game: String,
        /// The result
        #[arg(value_name = "RESULT")]
        result: GameResult,
        /// The seat that wins, for win; the first is 0
        #[arg(long, value_name = "SEAT", required_if_eq("result", "win"))]
        seat: Option<u8>,
        /// The number of the last event that you have seen, as `game` shows it; nothing happens if the game has moved on
        #[arg(long, value_name = "NUMBER")]
        seq: u64,
        /// The reason, which the players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Pause a game, or every game in memory: clocks stand, and no command is taken; the players read the reason
    Pause {
        /// The game
        #[arg(value_name = "GAME", required_unless_present = "all")]
        game: Option<String>,
        /// Pause every game in memory
        #[arg(long, conflicts_with = "game")]
        all: bool,
        /// The hours after which a game goes on by itself; without them, 24
        #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=168))]
        hours: Option<u32>,
        /// The reason, which the players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Let a paused game, or every paused game in memory, go on
    Continue {
        /// The game
        #[arg(value_name = "GAME", required_unless_present = "all")]
        game: Option<String>,
        /// Every paused game in memory
        #[arg(long, conflicts_with = "game")]
        all: bool,
        /// The reason, which the players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Give time to a seat of a game; the players read the reason
    GiveTime {
        /// The game
        #[arg(value_name = "GAME")]
        game: String,
        /// The seat; the first is 0
        #[arg(long, value_name = "SEAT")]
        seat: u8,
        /// How many seconds
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=604_800))]
        seconds: u32,
        /// The reason, which the players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// The filters of a list of games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct GameFilters {
    /// The phase
    #[arg(long, value_name = "STATE")]
    pub state: Option<GameState>,
    /// A player: the list has private games that sleep, and games that are over, of this player only
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The id of the rule set
    #[arg(long, value_name = "ID")]
    pub rule_set: Option<String>,
    /// Whether the game is rated
    #[arg(long, value_name = "BOOL")]
    pub rated: Option<bool>,
    /// Whether the game is private
    #[arg(long, value_name = "BOOL")]
    pub private: Option<bool>,
    /// The least age, seconds
    #[arg(long, value_name = "SECONDS")]
    pub age: Option<u32>,
    /// The least time for which the running clock has been running, seconds
    #[arg(long, value_name = "SECONDS")]
    pub waiting: Option<u32>,
}

/// The result of a game that an operator ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum GameResult {
    /// One seat wins
    Win,
    /// All players in the game share the win
    Draw,
    /// The scores decide; unplayed tiles are not counted
    AsItStands,
}

impl GameResult {
    /// Returns the name in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::AsItStands => "as_it_stands",
        }
    }
}

/// The phase of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GameState {
    /// Not all players are ready
    Waiting,
    /// Turns are played
    Running,
    /// The last play can be challenged
    Final,
    /// The game is over
    Ended,
}

impl GameState {
    /// Returns the name in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Final => "final",
            Self::Ended => "ended",
        }
    }
}
