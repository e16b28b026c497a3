//! Other players: `tilewire follow`, `unfollow`, `block`, `unblock`, `report` and `friends`, over the server's HTTP API.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use serde_json::{Value, json};
use tilewire_protocol::http::{FollowedPlayer, Relations};

use crate::account::Endpoint;
use crate::account::api::{Api, encoded};
use crate::account::show::write_json;
use crate::reporting::{ReportOrder, ReportReason};
use crate::text::{padded, printable};

/// The columns of a handle in a list: 20 characters and a margin.
const HANDLE_COLUMNS: usize = 22;

/// A task about another player.
#[derive(Debug, Subcommand)]
pub enum PeopleTask {
    /// Follow a player; players who follow each other are friends and see each other online
    Follow(Named),
    /// Stop following a player
    Unfollow(Named),
    /// Block a player: you won't be paired, and you stop following each other
    Block(Named),
    /// Unblock a player
    Unblock(Named),
    /// Report a player to the moderators; the player won't be told
    Report(ReportArgs),
    /// List your friends, the players you follow, and those you have blocked
    Friends,
}

/// A player.
#[derive(Debug, Clone, clap::Args)]
pub struct Named {
    /// The username, in any case
    #[arg(value_name = "NAME")]
    pub player: String,
}

/// A report.
#[derive(Debug, Clone, clap::Args)]
pub struct ReportArgs {
    /// The username, in any case
    #[arg(value_name = "NAME")]
    pub player: String,
    /// The reason
    #[arg(value_name = "REASON")]
    pub reason: ReportReason,
    /// A description of what happened, in your own words
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// The game that it is about
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

/// Does a task and writes the result.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses.
pub fn run(task: &PeopleTask, endpoint: &Endpoint<'_>) -> Result<()> {
    if endpoint.token.is_none() {
        bail!("this profile has no identity on the server; sign in first: tilewire login USERNAME");
    }
    let api = Api::new(endpoint);
    match task {
        PeopleTask::Follow(named) => act(&api, endpoint, named, &FOLLOW),
        PeopleTask::Unfollow(named) => act(&api, endpoint, named, &UNFOLLOW),
        PeopleTask::Block(named) => act(&api, endpoint, named, &BLOCK),
        PeopleTask::Unblock(named) => act(&api, endpoint, named, &UNBLOCK),
        PeopleTask::Report(args) => report(&api, endpoint, args),
        PeopleTask::Friends => friends(&api, endpoint),
    }
}

/// A request about another player.
struct Act {
    method: &'static str,
    list: &'static str,
    /// The type of the JSON object.
    kind: &'static str,
    /// Returns the message about the player with this name.
    said: fn(&str) -> String,
}

const FOLLOW: Act = Act {
    method: "PUT",
    list: "following",
    kind: "followed",
    said: |name| {
        format!(
            "You are following {name}.\n\
             You become friends when {name} follows you back."
        )
    },
};

const UNFOLLOW: Act = Act {
    method: "DELETE",
    list: "following",
    kind: "unfollowed",
    said: |name| format!("You no longer follow {name}."),
};

const BLOCK: Act = Act {
    method: "PUT",
    list: "blocked",
    kind: "blocked",
    said: |name| {
        format!(
            "You have blocked {name}.\n\
             You won't be paired, see each other's offers or follow each other.\n\
             A game in progress continues. {name} won't be told."
        )
    },
};

const UNBLOCK: Act = Act {
    method: "DELETE",
    list: "blocked",
    kind: "unblocked",
    said: |name| format!("You have unblocked {name}. Follows are not restored."),
};

fn act(api: &Api, endpoint: &Endpoint<'_>, Named { player }: &Named, act: &Act) -> Result<()> {
    api.send_bare(act.method, &format!("/{}/{}", act.list, encoded(player)))?;
    if endpoint.as_json {
        return write_json(act.kind, &json!({ "handle": player }));
    }
    writeln!(stdout(), "{}", (act.said)(&printable(player)))?;
    Ok(())
}

fn report(api: &Api, endpoint: &Endpoint<'_>, args: &ReportArgs) -> Result<()> {
    let answer: Value = api.post("/reports", &order(args).body())?;
    if endpoint.as_json {
        return write_json("reported", &answer);
    }
    writeln!(stdout(), "{}", reported(&printable(&args.player)))?;
    Ok(())
}

/// The report of the arguments.
fn order(args: &ReportArgs) -> ReportOrder {
    ReportOrder {
        name: args.player.clone(),
        player: args.player.clone(),
        reason: args.reason,
        words: args.words.join(" "),
        game: args.game.clone(),
        line: None,
        code: None,
    }
}

/// Sends a report; returns its number.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses.
pub(crate) fn send_report(endpoint: &Endpoint<'_>, order: &ReportOrder) -> Result<u64> {
    let answer: Value = Api::new(endpoint).post("/reports", &order.body())?;
    let number = answer["number"].as_u64();
    number.context("the server's answer cannot be read")
}

/// Returns the confirmation of a report about the player with this name.
fn reported(name: &str) -> String {
    format!(
        "Your report about {name} has been sent to the moderators.\n\
         {name} won't be told.\nTo avoid this player: tilewire block {name}"
    )
}

fn friends(api: &Api, endpoint: &Endpoint<'_>) -> Result<()> {
    let answer: Value = api.get("/relations")?;
    if endpoint.as_json {
        return write_json("friends", &answer);
    }
    let lists = serde_json::from_value(answer).context("the server's answer cannot be read")?;
    write!(stdout(), "{}", text(lists))?;
    Ok(())
}

/// The lists as text of at most 80 columns.
fn text(lists: Relations) -> String {
    let Relations {
        followed, blocked, ..
    } = lists;
    let (mut friends, followed): (Vec<FollowedPlayer>, Vec<FollowedPlayer>) =
        followed.into_iter().partition(|player| player.friend);
    friends.sort_by_key(|friend| friend.online != Some(true));
    let mut text = String::new();
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            writeln!(text, "{title}").expect("a string grows");
            for line in lines {
                writeln!(text, "  {line}").expect("a string grows");
            }
        }
    };
    section("Friends", friends.iter().map(friend_line).collect());
    section(
        "Following",
        followed
            .iter()
            .map(|player| printable(&player.handle))
            .collect(),
    );
    section(
        "Blocked",
        blocked
            .iter()
            .map(|player| printable(&player.handle))
            .collect(),
    );
    if text.is_empty() {
        text.push_str("You aren't following or blocking anyone. To follow: tilewire follow NAME\n");
    }
    text
}

/// A friend in one line.
fn friend_line(friend: &FollowedPlayer) -> String {
    let name = padded(&printable(&friend.handle), HANDLE_COLUMNS);
    let presence = if friend.online == Some(true) {
        "online"
    } else {
        "offline"
    };
    match &friend.game {
        Some(game) => format!(
            "{name}{presence}, in a game: tilewire watch {}",
            printable(game)
        ),
        None => format!("{name}{presence}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::{
        BLOCK, FOLLOW, Relations, ReportArgs, ReportReason, UNBLOCK, UNFOLLOW, order, reported,
        text,
    };

    fn lists(value: serde_json::Value) -> Relations {
        serde_json::from_value(value).expect("lists")
    }

    #[test]
    fn friends_come_first_and_those_online_before_all() {
        let shown = text(lists(json!({
            "followed": [
                { "identity": "i1", "handle": "dora", "since": 1 },
                { "identity": "i2", "handle": "ben", "since": 2, "friend": true, "online": false },
                { "identity": "i3", "handle": "twenty-characters-20", "since": 3, "friend": true, "online": true,
                    "game": "g4k7abcdefghijklmnop" },
                { "identity": "i4", "handle": "cleo", "since": 4, "friend": true, "online": true },
            ],
            "blocked": [{ "identity": "i5", "handle": "eve\u{7}", "since": 5 }],
            "server_time": 6,
        })));
        let expected = "\
Friends
  twenty-characters-20  online, in a game: tilewire watch g4k7abcdefghijklmnop
  cleo                  online
  ben                   offline
Following
  dora
Blocked
  eve
";
        assert_eq!(shown, expected);
        assert!(shown.lines().all(|line| line.width() <= 80));
    }

    /// With the longest handle.
    #[test]
    fn what_is_said_fits_80_columns() {
        for act in [FOLLOW, UNFOLLOW, BLOCK, UNBLOCK] {
            let said = (act.said)(&"w".repeat(20));
            let widest = said.lines().map(UnicodeWidthStr::width).max();
            assert!(widest <= Some(80), "{said}");
        }
    }

    #[test]
    fn a_report_has_the_words_as_typed() {
        let mut args = ReportArgs {
            player: "eve".to_owned(),
            reason: ReportReason::Stalling,
            words: vec!["let".to_owned(), "it run".to_owned()],
            game: None,
        };
        let expected = json!({ "player": "eve", "reason": "stalling", "words": "let it run" });
        assert_eq!(order(&args).body(), expected);
        args.game = Some("g1".to_owned());
        assert_eq!(order(&args).body()["game"], "g1");
        let said = reported(&"w".repeat(20));
        let widest = said.lines().map(UnicodeWidthStr::width).max();
        assert!(widest <= Some(80), "{said}");
    }

    #[test]
    fn empty_lists_say_how_to_begin() {
        let shown = text(lists(
            json!({ "followed": [], "blocked": [], "server_time": 6 }),
        ));
        assert!(
            shown.contains("tilewire follow NAME") && shown.trim().width() <= 80,
            "{shown}"
        );
    }
}
