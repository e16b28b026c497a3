//! The command line of `tilewire` and its help.
//!
//! Invariant: clap answers every invalid argument with the name of the flag and an example.

mod criteria;
mod game;
mod guide;
mod screen;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tilewire_protocol::{Codec, Level, LookUp, WEBSOCKET_PATH, limits};

use tilewire_rules::bot::BotLevel;

pub use game::{GameArgs, change_offer};
pub use screen::ScreenArgs;

use crate::account::AccountTask;
use crate::analysis::{AnalyzeArgs, PositionArgs};
use crate::bots::{MatchArgs, TrainArgs};
use crate::history::HistoryTask;
use crate::lexicon::LexiconArgs;
use crate::people::PeopleTask;
use crate::record::{RecordArgs, VerifyArgs};
use crate::text::{DEFAULT_PROFILE, Invocation, parse_duration_ms};

/// The server without `--server`.
const DEFAULT_SERVER: &str = "ws://127.0.0.1:7780";

/// Play and watch crossword board games on a Tilewire server, in a terminal or from scripts.
#[derive(Debug, Parser)]
#[command(name = "tilewire", version, about, after_help = guide::EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The task.
    #[command(subcommand)]
    pub work: Work,
    /// Flags of every task.
    #[command(flatten)]
    pub common: Common,
}

/// Flags of every task.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection and identity")]
pub struct Common {
    /// The server; with `wss://`, the trusted certificates are those of the system or of `SSL_CERT_FILE`
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "TILEWIRE_SERVER",
        default_value = DEFAULT_SERVER,
        value_parser = parse_server
    )]
    pub server: String,
    /// The identity to use; two profiles on one machine are two players
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "TILEWIRE_PROFILE",
        default_value = DEFAULT_PROFILE,
        value_parser = parse_profile
    )]
    pub profile: String,
    /// Your display name; the server keeps it until you change it
    #[arg(long, global = true, value_name = "NAME")]
    pub name: Option<String>,
    /// Write JSON: play, watch and lobby run in line mode, every other command prints its result as an object
    #[arg(long, global = true)]
    pub json: bool,
    /// The directory for identities [default: the data directory of the platform]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "TILEWIRE_DATA",
        visible_alias = "home"
    )]
    pub data_dir: Option<PathBuf>,
    /// The encoding of messages
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "ENCODING",
        default_value = "msgpack"
    )]
    pub encoding: Encoding,
    /// How long to try to reconnect after a lost connection, such as 30s or 10m
    #[arg(long, global = true, value_name = "DURATION", default_value = "10m", value_parser = parse_duration_ms)]
    pub give_up: i64,
}

impl Common {
    /// How the user called `program` with these flags.
    #[must_use]
    pub fn invocation(&self, program: String) -> Invocation {
        let server = self
            .server
            .strip_suffix(WEBSOCKET_PATH)
            .unwrap_or(&self.server);
        let data_dir = self.data_dir.as_deref();
        Invocation {
            program,
            server: (server != DEFAULT_SERVER).then(|| server.to_owned()),
            profile: (self.profile != DEFAULT_PROFILE).then(|| self.profile.clone()),
            data_dir: data_dir.map(|dir| dir.to_string_lossy().into_owned()),
        }
    }
}

/// A task.
#[derive(Debug, Subcommand)]
pub enum Work {
    /// A task on a server.
    #[command(flatten)]
    Online(Task),
    /// A task with an account.
    #[command(flatten)]
    Account(AccountTask),
    /// A task about finished games.
    #[command(flatten)]
    History(HistoryTask),
    /// A task about another player.
    #[command(flatten)]
    People(PeopleTask),
    /// A task without a server.
    #[command(flatten)]
    Offline(Tool),
}

/// A task without a server.
#[derive(Debug, Subcommand)]
pub enum Tool {
    /// Play many games between two bots
    BotMatch(MatchArgs),
    /// Train the leave values of the expert bot
    BotTrain(TrainArgs),
    /// Show the mistakes of a finished game, or of all games in a directory
    Analyze(AnalyzeArgs),
    /// List the best turns of a position, simulate them, or solve the position if the bag is empty
    Position(PositionArgs),
    /// Build lexica from word lists, and inspect them
    Lexicon(LexiconArgs),
    /// Check, convert and show game records
    Record(RecordArgs),
    /// Recompute the bag of a finished game from its secret, and verify every draw
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    #[command(after_help = guide::COMPLETIONS)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
    /// Print the man page, or write a page for each command
    #[command(after_help = guide::MAN)]
    Man {
        /// The directory for one page for each command; existing pages are replaced
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// A task on a server.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Play a game: offer, join or resume one
    #[command(after_help = "`tilewire play --help` lists the commands in a game and explains line mode.", after_long_help = guide::PLAY)]
    Play(Box<PlayArgs>),
    /// Watch a live game
    #[command(after_long_help = guide::WATCH)]
    Watch(WatchArgs),
    /// Follow the open offers and live games; join, offer or watch from there
    #[command(after_long_help = guide::LOBBY)]
    Lobby(Box<LobbyArgs>),
    /// List your unfinished games, the live games and the open offers, or your finished games
    Games(GamesArgs),
    /// Show your name and identity on the server, and the file with your token
    Whoami,
    /// Let a bot play one or more games
    Bot(Box<BotArgs>),
    /// List the rule sets of the server, or describe one
    Rules(RulesArgs),
    /// Look up words in the lexicon of a game that has ended
    Lookup(LookupArgs),
}

/// Flags of `play`.
#[derive(Debug, Clone, Args)]
pub struct PlayArgs {
    /// The way to a game.
    #[command(flatten)]
    pub mode: Mode,
    /// Accept all plays of opponents immediately
    #[arg(long)]
    pub auto_accept: bool,
    /// Line mode: do not exit at the end of the game, but at `quit` or EOF
    #[arg(long)]
    pub stay: bool,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
    /// Do not list the offer; other players join and watch with its code
    #[arg(
        long,
        help_heading = "Options of the game (for a new offer and for --quick)"
    )]
    pub private: bool,
    /// Your level: beginner, intermediate or expert; it sets your target in rule sets with targets
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub level: Option<Level>,
    /// The options of the game.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The way to a game; without a flag, offer a new one.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub struct Mode {
    /// Join this offer; `tilewire games` lists them
    #[arg(long, value_name = "SEEK")]
    pub join: Option<String>,
    /// Join the private offer with this code
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Join an offer with the same options, or open one
    #[arg(long)]
    pub quick: bool,
    /// Return to this unfinished game; without GAME, to the only one
    #[arg(long, value_name = "GAME", num_args = 0..=1)]
    pub resume: Option<Option<String>>,
}

/// Flags of `lobby`.
#[derive(Debug, Clone, Args)]
pub struct LobbyArgs {
    /// Accept all plays of opponents immediately
    #[arg(long)]
    pub auto_accept: bool,
    /// Line mode: do not exit at the end of the game, but at `quit` or EOF
    #[arg(long)]
    pub stay: bool,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
    /// Your level: beginner, intermediate or expert; it sets your target in rule sets with targets
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub level: Option<Level>,
    /// The options of the games that `new` and `quick` offer.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Flags of `bot`.
#[derive(Debug, Clone, Args)]
pub struct BotArgs {
    /// The way to a game.
    #[command(flatten)]
    pub mode: Mode,
    /// Strength: beginner, casual, improver, club, expert or master; it also sets the target in rule sets with targets
    #[arg(
        long,
        value_name = "BOT",
        default_value = "club",
        visible_alias = "strength"
    )]
    pub level: BotLevel,
    /// Number of games, one after the other; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub games: u64,
    /// Shortest and longest pause before it acts, such as 500ms,3s
    #[arg(long, value_name = "FROM,TO", default_value = "500ms,3s", value_parser = parse_pause)]
    pub pause: (i64, i64),
    /// Lexicon file, built by `tilewire lexicon build` [default: the built-in lexicon]
    #[arg(long, value_name = "FILE")]
    pub lexicon_file: Option<PathBuf>,
    /// Do not list the offer; other players join and watch with its code
    #[arg(
        long,
        help_heading = "Options of the game (for a new offer and for --quick)"
    )]
    pub private: bool,
    /// The options of the game.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Flags of `rules`.
#[derive(Debug, Clone, Args)]
pub struct RulesArgs {
    /// The rule set to describe; without it, list all
    #[arg(value_name = "NAME")]
    pub rule_set: Option<String>,
    /// Show the tiles of this language [default: the language of the rule set]
    #[arg(long, value_name = "LANGUAGE", requires = "rule_set")]
    pub language: Option<String>,
}

/// Flags of `lookup`.
#[derive(Debug, Clone, Args)]
pub struct LookupArgs {
    /// The game; `tilewire games --finished` lists yours
    #[arg(value_name = "GAME")]
    pub game: String,
    /// The words; a tile with several letters goes in brackets, such as `[LL]AMA`
    #[arg(value_name = "WORD", required = true, num_args = 1..=limits::LOOK_UP_WORDS_MAX)]
    pub words: Vec<String>,
    /// The code of a private game in which you did not play
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
}

/// Flags of `games`.
#[derive(Debug, Clone, Args)]
pub struct GamesArgs {
    /// List your finished games instead, the one that ended last first
    #[arg(long)]
    pub finished: bool,
    /// Only finished games that ended before this one
    #[arg(long, value_name = "GAME", requires = "finished")]
    pub before: Option<String>,
}

/// Flags of `watch`.
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// The game; without it, the only live game or a choice
    pub game: Option<String>,
    /// The code of a private game
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Line mode: do not exit at the end of the game, but at `quit` or EOF
    #[arg(long)]
    pub stay: bool,
}

impl LookupArgs {
    /// The request to the server.
    #[must_use]
    pub fn request(&self) -> LookUp {
        LookUp {
            game: self.game.as_str().into(),
            code: self.code.clone(),
            words: self.words.clone(),
        }
    }
}

/// An encoding of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// MessagePack in binary frames
    Msgpack,
    /// JSON in text frames
    Json,
}

impl Encoding {
    /// The codec of the protocol.
    #[must_use]
    pub const fn codec(self) -> Codec {
        match self {
            Self::Msgpack => Codec::MsgPack,
            Self::Json => Codec::Json,
        }
    }
}

/// Parses the address of a server; a missing path becomes the standard one.
///
/// # Errors
/// Returns an error if the text does not start with `ws://` or `wss://` and a host.
fn parse_server(text: &str) -> Result<String, String> {
    let (scheme, rest) = ["ws", "wss"]
        .into_iter()
        .find_map(|scheme| Some((scheme, text.strip_prefix(scheme)?.strip_prefix("://")?)))
        .ok_or_else(|| {
            format!("`{text}` is not a server address; write ws://HOST:PORT or wss://HOST")
        })?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if host.is_empty() || host.contains(char::is_whitespace) {
        return Err(format!("`{text}` contains no host; write ws://HOST:PORT"));
    }
    Ok(match path {
        "" => format!("{scheme}://{host}{WEBSOCKET_PATH}"),
        _ => text.to_owned(),
    })
}

/// Parses two durations, such as `500ms,3s`; a single one counts for both.
///
/// # Errors
/// Returns an error for other text, and if the first duration is longer than the second.
fn parse_pause(text: &str) -> Result<(i64, i64), String> {
    let (from, to) = text.split_once(',').unwrap_or((text, text));
    let range = (parse_duration_ms(from)?, parse_duration_ms(to)?);
    if range.0 > range.1 {
        return Err(format!(
            "`{text}`: the first duration is longer than the second"
        ));
    }
    Ok(range)
}

/// Parses the level of a player.
///
/// # Errors
/// Returns an error for anything except the three levels.
fn parse_level(text: &str) -> Result<Level, String> {
    match Level::from_wire(text) {
        Level::Unknown => Err(format!(
            "`{text}` is not a level; write beginner, intermediate or expert"
        )),
        level => Ok(level),
    }
}

/// Parses the name of a profile, which is also the name of its file.
///
/// # Errors
/// Returns an error for characters other than letters, digits, `_` and `-`.
fn parse_profile(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if (1..=64).contains(&text.len()) && text.chars().all(good) {
        Ok(text.to_owned())
    } else {
        Err("the name of a profile has 1 to 64 letters, digits, _ and -".to_owned())
    }
}

#[cfg(test)]
mod tests;
