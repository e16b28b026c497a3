//! The command line: what `tilewire` can be asked to do, and its help.
//!
//! Invariant: everything a user can get wrong here is answered by clap with the name of the flag and an example.

mod guide;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tilewire_protocol::{Challenge, Clock, Codec, Level, SpectatorView, WEBSOCKET_PATH};

use tilewire_rules::bot::BotLevel;

use crate::app::Offer;
use crate::bots::{MatchArgs, TrainArgs};
use crate::lexicon::LexiconArgs;
use crate::record::{RecordArgs, VerifyArgs};
use crate::text::{parse_challenge, parse_clock, parse_duration_ms, parse_spectators};

/// Play and watch crossword board games on a Tilewire server, in a terminal or from scripts.
#[derive(Debug, Parser)]
#[command(name = "tilewire", version, about, after_help = guide::EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub work: Work,
    /// Flags every task has.
    #[command(flatten)]
    pub common: Common,
}

/// Flags every task has.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection and identity")]
pub struct Common {
    /// The server to connect to; `wss://` takes the certificates this machine trusts, or those of `SSL_CERT_FILE`
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "TILEWIRE_SERVER",
        default_value = "ws://127.0.0.1:7780",
        value_parser = parse_server
    )]
    pub server: String,
    /// Which of your identities to use; two profiles on one machine are two players
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "TILEWIRE_PROFILE",
        default_value = "default",
        value_parser = parse_profile
    )]
    pub profile: String,
    /// The name to show to others; the server keeps it until you change it
    #[arg(long, global = true, value_name = "NAME")]
    pub name: Option<String>,
    /// Line mode: commands on stdin, one JSON object per line on stdout
    #[arg(long, global = true)]
    pub json: bool,
    /// Where identities are kept [default: the data directory of the platform]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "TILEWIRE_DATA",
        visible_alias = "home"
    )]
    pub data_dir: Option<PathBuf>,
    /// How messages travel
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "ENCODING",
        default_value = "msgpack"
    )]
    pub encoding: Encoding,
    /// How long to go on trying when a connection is lost, such as 30s or 10m
    #[arg(long, global = true, value_name = "DURATION", default_value = "10m", value_parser = parse_duration_ms)]
    pub give_up: i64,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Work {
    /// Something on a server.
    #[command(flatten)]
    Online(Task),
    /// Something that needs no server.
    #[command(flatten)]
    Offline(Tool),
}

/// What needs no server.
#[derive(Debug, Subcommand)]
pub enum Tool {
    /// Let two bots play each other many times
    BotMatch(MatchArgs),
    /// Learn what tiles kept on a rack are worth, for the expert bot
    BotTrain(TrainArgs),
    /// Make lexica of word lists, and look at them
    Lexicon(LexiconArgs),
    /// Check, convert and show records of games
    Record(RecordArgs),
    /// Recompute the bag of a finished game from its secret, and prove every draw
    Verify(VerifyArgs),
}

/// What to do on a server.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Play a game: offer one, join one, be matched, or return to one
    #[command(after_help = "`tilewire play --help` explains what to type in a game, and line mode.", after_long_help = guide::PLAY)]
    Play(Box<PlayArgs>),
    /// Watch a live game
    #[command(after_long_help = guide::WATCH)]
    Watch(WatchArgs),
    /// See open offers and live games as they come and go, and join, offer or watch from there
    #[command(after_long_help = guide::LOBBY)]
    Lobby(Box<LobbyArgs>),
    /// List your unfinished games, the games being played, and the open offers
    Games,
    /// Show who you are on the server, and where the proof of it is kept
    Whoami,
    /// Let a bot play a game, or several
    Bot(Box<BotArgs>),
    /// List the rule sets of the server, or describe one
    Rules(RulesArgs),
}

/// Flags of `play`.
#[derive(Debug, Clone, Args)]
pub struct PlayArgs {
    /// Which game.
    #[command(flatten)]
    pub mode: Mode,
    /// Accept every play of the others at once
    #[arg(long)]
    pub auto_accept: bool,
    /// Line mode: stay after the end of the game, until `quit` or the end of the input
    #[arg(long)]
    pub stay: bool,
    /// Hide the offer; others join by its code, and watch by it
    #[arg(long, help_heading = "The game to offer (or to be matched for)")]
    pub private: bool,
    /// How good you are: beginner, intermediate or expert; sets your target where the rule set has targets
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub level: Option<Level>,
    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Which game to play; none of them: offer a new one.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub struct Mode {
    /// Join an offered game; `tilewire games` lists them
    #[arg(long, value_name = "SEEK")]
    pub join: Option<String>,
    /// Join a private game
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Join somebody who wants the same game, or wait for one
    #[arg(long)]
    pub quick: bool,
    /// Return to a game you play; without GAME to the only one
    #[arg(long, value_name = "GAME", num_args = 0..=1)]
    pub resume: Option<Option<String>>,
}

/// What to play (when offering a game and with --quick).
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The game to offer (or to be matched for)")]
pub struct GameArgs {
    /// Rule set; `tilewire rules` lists them [default: the first the server offers]
    #[arg(long, value_name = "ID", visible_alias = "rules")]
    pub rule_set: Option<String>,
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub seats: u8,
    /// Word list; its language is that of the tiles [default: the first the server offers that fits]
    #[arg(long, value_name = "NAME")]
    pub lexicon: Option<String>,
    /// sudden:25m, increment:15m+10s, delay:15m+10s, overtime:25m,penalty=10,cap=10m,
    /// per-move:72h,bank=1h or untimed [default: the rule set's]
    #[arg(long, value_name = "CLOCK", value_parser = parse_clock)]
    pub clock: Option<Clock>,
    /// What a failed challenge costs: void (no challenges, the server refuses bad words), single,
    /// double, five-point, ten-point or triple; then window=20s (0: no timer), per-word, consent,
    /// such as five-point,per-word [default: the rule set's]
    #[arg(long, value_name = "KIND[,..]", value_parser = parse_challenge)]
    pub challenge: Option<Challenge>,
    /// Play against a house bot: beginner, club or expert; once for each seat to fill
    #[arg(long, value_name = "BOT")]
    pub bot: Vec<String>,
    /// How long an opponent must be gone before you can claim the win [default: the server's]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration_ms)]
    pub claim_after: Option<i64>,
    /// How much later than you those who watch see the game, up to an hour, such as 3m; with racks, of a minute at
    /// least, for commentary: 3m,racks [default: they see it as it happens, without racks]
    #[arg(long, value_name = "DELAY[,racks]", value_parser = parse_spectators)]
    pub spectators: Option<SpectatorView>,
}

/// Flags of `lobby`.
#[derive(Debug, Clone, Args)]
pub struct LobbyArgs {
    /// Accept every play of the others at once
    #[arg(long)]
    pub auto_accept: bool,
    /// Line mode: stay after the end of the game, until `quit` or the end of the input
    #[arg(long)]
    pub stay: bool,
    /// How good you are: beginner, intermediate or expert; sets your target where the rule set has targets
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub level: Option<Level>,
    /// What `new` and `quick` offer.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Flags of `bot`.
#[derive(Debug, Clone, Args)]
pub struct BotArgs {
    /// Which game.
    #[command(flatten)]
    pub mode: Mode,
    /// How strong it is: beginner, club or expert; it plays for a target of that level where the rule set has targets
    #[arg(
        long,
        value_name = "BOT",
        default_value = "club",
        visible_alias = "strength"
    )]
    pub level: BotLevel,
    /// Games to play one after the other; 0 plays for ever
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub games: u64,
    /// How long it takes to act at least and at most, such as 500ms,3s
    #[arg(long, value_name = "FROM,TO", default_value = "500ms,3s", value_parser = parse_pause)]
    pub pause: (i64, i64),
    /// The words it knows, as made by `tilewire lexicon build` [default: the built-in list]
    #[arg(long, value_name = "FILE")]
    pub lexicon_file: Option<PathBuf>,
    /// Hide the offer; others join by its code, and watch by it
    #[arg(long, help_heading = "The game to offer (or to be matched for)")]
    pub private: bool,
    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Flags of `rules`.
#[derive(Debug, Clone, Args)]
pub struct RulesArgs {
    /// Which rule set; without it all are listed
    #[arg(value_name = "NAME")]
    pub rule_set: Option<String>,
    /// With the tiles of which language [default: the usual one]
    #[arg(long, value_name = "LANGUAGE", requires = "rule_set")]
    pub language: Option<String>,
}

/// Flags of `watch`.
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// Which game; without it the live one, or one to choose
    pub game: Option<String>,
    /// The code of a private game
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Line mode: stay after the end of the game, until `quit` or the end of the input
    #[arg(long)]
    pub stay: bool,
}

/// How messages travel.
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

impl GameArgs {
    /// What to offer.
    #[must_use]
    pub fn offer(&self, level: Option<Level>) -> Offer {
        Offer {
            rule_set: self.rule_set.clone(),
            seats: self.seats,
            lexicon: self.lexicon.clone(),
            clock: self.clock.clone(),
            challenge: self.challenge.clone(),
            level,
            bots: self.bot.clone(),
            vanish_claim_ms: self.claim_after,
            spectators: self.spectators.clone(),
        }
    }
}

/// Reads the address of a server; a missing path means the usual one.
///
/// # Errors
/// Anything that does not begin with `ws://` or `wss://` and a host.
fn parse_server(text: &str) -> Result<String, String> {
    let (scheme, rest) = ["ws", "wss"]
        .into_iter()
        .find_map(|scheme| Some((scheme, text.strip_prefix(scheme)?.strip_prefix("://")?)))
        .ok_or_else(|| format!("`{text}` is no server; write ws://HOST:PORT or wss://HOST"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if host.is_empty() || host.contains(char::is_whitespace) {
        return Err(format!("`{text}` names no host; write ws://HOST:PORT"));
    }
    Ok(match path {
        "" => format!("{scheme}://{host}{WEBSOCKET_PATH}"),
        _ => text.to_owned(),
    })
}

/// Reads two durations, such as `500ms,3s`; one alone is both.
///
/// # Errors
/// Anything else, and a first that is longer than the second.
fn parse_pause(text: &str) -> Result<(i64, i64), String> {
    let (from, to) = text.split_once(',').unwrap_or((text, text));
    let range = (parse_duration_ms(from)?, parse_duration_ms(to)?);
    if range.0 > range.1 {
        return Err(format!("`{text}`: the first is longer than the second"));
    }
    Ok(range)
}

/// Reads a player's level.
///
/// # Errors
/// Anything but the three levels.
fn parse_level(text: &str) -> Result<Level, String> {
    match Level::from_wire(text) {
        Level::Unknown => Err(format!(
            "`{text}` is no level; write beginner, intermediate or expert"
        )),
        level => Ok(level),
    }
}

/// Reads the name of a profile, which becomes the name of a file.
///
/// # Errors
/// Anything but letters, digits, `_` and `-`.
fn parse_profile(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if (1..=64).contains(&text.len()) && text.chars().all(good) {
        Ok(text.to_owned())
    } else {
        Err("a profile is named by 1 to 64 letters, digits, _ and -".to_owned())
    }
}

#[cfg(test)]
mod tests;
