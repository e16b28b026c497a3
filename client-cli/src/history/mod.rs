//! Finished games: `tilewire stats`, `leaderboard`, `archive` and `find`, over the server's HTTP API.

mod curve;
mod show;

use std::fmt::Write as _;

use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tilewire_protocol::http::Player;

use crate::account::Endpoint;
use crate::account::api::{Api, encoded};
use crate::account::show::write_json;

/// The pool of `leaderboard` without a name.
const USUAL_POOL: &str = "classic/wordnik/standard";

/// A task about finished games.
#[derive(Debug, Subcommand)]
pub enum HistoryTask {
    /// Show your statistics and ratings, or those of a player
    Stats(StatsArgs),
    /// Show the best players of a rating pool
    Leaderboard(LeaderboardArgs),
    /// List finished games of all players, the newest first
    Archive(ArchiveArgs),
    /// Find a player: profile and ratings, or all usernames that begin like this
    Find {
        /// The username or its start, in any case
        #[arg(value_name = "NAME")]
        player: String,
    },
}

/// Flags of `stats`.
#[derive(Debug, Clone, Args)]
pub struct StatsArgs {
    /// The username of a player; without it, you
    #[arg(value_name = "NAME", default_value = "me", hide_default_value = true)]
    pub player: String,
    /// Show your games against this player instead
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
}

/// Flags of `leaderboard`.
#[derive(Debug, Clone, Args)]
pub struct LeaderboardArgs {
    /// The pool: RULE-SET/LEXICON-FAMILY/SPEED, such as classic/wordnik/rapid
    #[arg(value_name = "POOL", default_value = USUAL_POOL)]
    pub pool: String,
    /// The board: by rating, or by the average per turn of a week, of a month, or of all time
    #[arg(long, value_enum, value_name = "BOARD", default_value = "rating")]
    pub board: Board,
}

/// A board of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Board {
    /// By rating
    Rating,
    /// By the average per turn of the last 7 days
    Week,
    /// By the average per turn of the last 30 days
    Month,
    /// By the average per turn of all time
    All,
}

/// Flags of `archive`.
#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// Only games of this player: a username, an identity, or `me`
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Only games of the player against this one
    #[arg(long, value_name = "NAME", requires = "player")]
    pub opponent: Option<String>,
    /// Only games of this rule set
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Only games with this lexicon
    #[arg(long, value_name = "LEXICON")]
    pub lexicon: Option<String>,
    /// Only games rated in this pool
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
    /// Only rated games, or only casual ones
    #[arg(long, value_name = "true|false")]
    pub rated: Option<bool>,
    /// Only games that ended for this reason, such as `out_play` or resignation
    #[arg(long, value_name = "REASON")]
    pub reason: Option<String>,
    /// Only games with this result for the player
    #[arg(long, value_enum, value_name = "RESULT", requires = "player")]
    pub result: Option<Outcome>,
    /// Only games that ended at this time or later, unix ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub from: Option<i64>,
    /// Only games that ended before this time, unix ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub until: Option<i64>,
    /// Only games in which the player scored at least this
    #[arg(
        long,
        value_name = "POINTS",
        requires = "player",
        allow_negative_numbers = true
    )]
    pub min: Option<i32>,
    /// Only games in which the player scored at most this
    #[arg(
        long,
        value_name = "POINTS",
        requires = "player",
        allow_negative_numbers = true
    )]
    pub max: Option<i32>,
    /// The most games, 1 to 200
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub limit: u16,
    /// Continue behind an earlier list, which named this place
    #[arg(long, value_name = "PLACE")]
    pub before: Option<String>,
    /// Explain the end of each game: the rules that decided it
    #[arg(long)]
    pub why: bool,
}

/// How a game ended for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Outcome {
    /// The player won alone
    Won,
    /// The player lost
    Lost,
    /// The player tied
    Shared,
    /// The game has no result
    None,
}

/// Does a task and writes the result.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses.
pub fn run(task: &HistoryTask, endpoint: &Endpoint<'_>) -> Result<()> {
    let api = Api::new(endpoint);
    let get = |path: String| api.get::<Value>(&path);
    match task {
        HistoryTask::Stats(StatsArgs {
            player,
            against: Some(against),
        }) => {
            let path = format!("/players/{}/versus/{}", encoded(player), encoded(against));
            let answer = get(path)?;
            if endpoint.as_json {
                return write_json("head_to_head", &answer);
            }
            show::head_to_head(&read(answer)?)
        }
        HistoryTask::Stats(StatsArgs {
            player,
            against: None,
        }) => {
            let statistics = get(format!("/players/{}/statistics", encoded(player)))?;
            let ratings = get(format!("/players/{}/ratings", encoded(player)))?;
            if endpoint.as_json {
                let all = json!({ "statistics": statistics, "ratings": ratings["ratings"] });
                return write_json("stats", &all);
            }
            show::statistics(&read(statistics)?)?;
            show::ratings(&read(ratings)?)
        }
        HistoryTask::Leaderboard(LeaderboardArgs { pool, board }) => {
            let answer = get(format!(
                "/leaderboards/{}?board={}",
                encoded(pool),
                name(board)
            ))?;
            if endpoint.as_json {
                return write_json("leaderboard", &answer);
            }
            show::leaderboard(&read(answer)?)
        }
        HistoryTask::Archive(args) => {
            let answer = get(args.path())?;
            if endpoint.as_json {
                return write_json("archive", &answer);
            }
            show::archive(&read(answer)?, args.why)
        }
        HistoryTask::Find { player } => find(endpoint, &api, player),
    }
}

/// Shows the only player with such a handle, or lists the players whose handle begins so.
fn find(endpoint: &Endpoint<'_>, api: &Api, wanted: &str) -> Result<()> {
    let found: Value = api.get(&format!("/players?name={}", encoded(wanted)))?;
    let players: Vec<Player> = read(found["players"].clone())?;
    let is_it = |player: &&Player| player.handle.to_lowercase() == wanted.trim().to_lowercase();
    let only = players.iter().find(is_it).or(match &players[..] {
        [only] => Some(only),
        _ => None,
    });
    let Some(player) = only else {
        if endpoint.as_json {
            return write_json("players", &found);
        }
        return show::players(wanted, &players);
    };
    let ratings: Value = api.get(&format!("/players/{}/ratings", encoded(&player.handle)))?;
    if endpoint.as_json {
        let same = |other: &&Value| other["handle"] == player.handle.as_str();
        let profile = found["players"].as_array().into_iter().flatten().find(same);
        let all = json!({ "player": profile, "ratings": ratings["ratings"] });
        return write_json("found", &all);
    }
    show::player(player)?;
    show::ratings(&read(ratings)?)
}

fn read<T: DeserializeOwned>(answer: Value) -> Result<T> {
    serde_json::from_value(answer).context("the server's answer cannot be read")
}

/// The name of a value on the command line, which is also that of the API.
fn name(value: &impl ValueEnum) -> String {
    let known = value.to_possible_value();
    known.map_or_else(String::new, |known| known.get_name().to_owned())
}

impl ArchiveArgs {
    /// The path of the request.
    fn path(&self) -> String {
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        let fields = [
            ("player", self.player.clone()),
            ("opponent", self.opponent.clone()),
            ("rule_set", self.rules.clone()),
            ("lexicon", self.lexicon.clone()),
            ("pool", self.pool.clone()),
            ("rated", self.rated.map(|rated| rated.to_string())),
            ("reason", self.reason.clone()),
            ("result", self.result.as_ref().map(name)),
            ("from", text(self.from)),
            ("until", text(self.until)),
            ("score_min", text(self.min.map(i64::from))),
            ("score_max", text(self.max.map(i64::from))),
            ("before", self.before.clone()),
        ];
        let mut path = format!("/archive?limit={}", self.limit);
        for (name, value) in fields {
            if let Some(value) = value {
                write!(path, "&{name}={}", encoded(&value)).expect("a string grows");
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{ArchiveArgs, HistoryTask};

    #[derive(Debug, Parser)]
    struct CommandLine {
        #[command(subcommand)]
        task: HistoryTask,
    }

    fn archive(line: &str) -> ArchiveArgs {
        match CommandLine::try_parse_from(line.split(' '))
            .expect("valid")
            .task
        {
            HistoryTask::Archive(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn filters_become_a_query() {
        assert_eq!(archive("tilewire archive").path(), "/archive?limit=20");
        let line = "tilewire archive --player me --opponent Zoë --pool a/b/rapid --result won --min -5 --rated true --limit 200";
        assert_eq!(
            archive(line).path(),
            "/archive?limit=200&player=me&opponent=Zo%C3%AB&pool=a%2Fb%2Frapid&rated=true&result=won&score_min=-5"
        );
        for wrong in ["--limit 0", "--limit 201", "--result won", "--opponent ben"] {
            let line = format!("tilewire archive {wrong}");
            assert!(
                CommandLine::try_parse_from(line.split(' ')).is_err(),
                "{wrong}"
            );
        }
    }
}
