//! The request that a command leads to.

use serde_json::{Value, json};
use tilewire_rules::time::{Millis, Timestamp};

use crate::cli::{AdminTask, GameFilters, GameTask, NoticeArgs, ServerTask};

/// One hour.
const HOUR: Millis = Millis(3_600_000);
/// One minute.
const MINUTE: Millis = Millis(60_000);

/// A request, and how to print its answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ConsoleRequest {
    pub(super) method: &'static str,
    /// The parts of the path below the API; they can have any characters.
    pub(super) path: Vec<String>,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) body: Option<Value>,
    pub(super) print: Print,
}

/// How to print an answer as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Print {
    /// Line by line.
    List(List),
    /// A player with everything.
    Player,
    /// A game with everything.
    Game,
    /// Whether games may begin.
    Lobby,
    /// The changes of a reload of the settings.
    Reload,
    /// The number of an action.
    Number,
}

/// A list in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    /// The field of the answer with the lines.
    pub(super) field: &'static str,
    /// The parameter for the next page.
    pub(super) place: &'static str,
    pub(super) kind: ItemKind,
}

/// The kind of the items in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    Connection,
    Player,
    Game,
    Notice,
    Block,
    Watch,
    Entry,
}

fn list(field: &'static str, place: &'static str, kind: ItemKind) -> Print {
    Print::List(List { field, place, kind })
}

fn get<const PARTS: usize>(path: [&str; PARTS], print: Print) -> ConsoleRequest {
    ConsoleRequest {
        method: "GET",
        path: path.map(str::to_owned).into(),
        query: Vec::new(),
        body: None,
        print,
    }
}

fn post<const PARTS: usize>(path: [&str; PARTS], body: Value) -> ConsoleRequest {
    ConsoleRequest {
        method: "POST",
        body: Some(body),
        ..get(path, Print::Number)
    }
}

/// Returns the moment this number of hours after `now`, unix ms.
fn hence(now: Timestamp, hours: u32) -> i64 {
    (now + HOUR * i64::from(hours)).0
}

/// Returns the request for something that is done to one game, or to all of them.
fn of_game(game: Option<&str>, what: &str, body: Value) -> ConsoleRequest {
    match game {
        Some(game) => post(["games", game, what], body),
        None => post([what], body),
    }
}

/// Returns the request of a command.
pub(super) fn asked(task: &AdminTask, now: Timestamp) -> ConsoleRequest {
    match task {
        AdminTask::Connections { name, identity } => {
            let print = list("connections", "behind", ItemKind::Connection);
            let mut asked = get(["connections"], print);
            asked.query.extend(given("name", name.clone()));
            asked.query.extend(given("identity", identity.clone()));
            asked
        }
        AdminTask::Players { name } => {
            let mut asked = get(["players"], list("players", "behind", ItemKind::Player));
            asked.query.push(("name", name.clone()));
            asked
        }
        AdminTask::Player { player } => get(["players", player], Print::Player),
        AdminTask::Rename {
            player,
            handle,
            reason,
        } => post(
            ["players", player, "rename"],
            json!({ "handle": handle, "reason": reason }),
        ),
        AdminTask::Suspend {
            player,
            hours,
            reason,
        } => {
            let body = json!({ "reason": reason, "until": hours.map(|hours| hence(now, hours)) });
            post(["players", player, "suspend"], body)
        }
        AdminTask::Undo { number, reason } => {
            let number = number.to_string();
            post(["actions", &number, "undo"], json!({ "reason": reason }))
        }
        AdminTask::Games(filters) => {
            let mut asked = get(["games"], list("games", "behind", ItemKind::Game));
            asked.query = of_filters(filters);
            asked
        }
        AdminTask::Game(task) => about_game(task, now),
        AdminTask::Server(task) => about_server(task, now),
        AdminTask::Audit => get(["audit"], list("entries", "before", ItemKind::Entry)),
    }
}

fn about_game(task: &GameTask, now: Timestamp) -> ConsoleRequest {
    match task {
        GameTask::Game {
            game,
            tiles: true,
            reason,
        } => {
            let body = json!({ "reason": reason });
            let mut asked = post(["games", game, "tiles"], body);
            asked.print = Print::Game;
            asked
        }
        GameTask::Game { game, .. } => get(["games", game], Print::Game),
        GameTask::Cancel { game, seq, reason } => post(
            ["games", game, "cancel"],
            json!({ "seq": seq, "reason": reason }),
        ),
        GameTask::Adjudicate {
            game,
            result,
            seat,
            seq,
            reason,
        } => {
            let result = result.name();
            let body = json!({ "seq": seq, "reason": reason, "result": result, "seat": seat });
            post(["games", game, "adjudicate"], body)
        }
        GameTask::Pause {
            game,
            hours,
            reason,
            ..
        } => {
            let body = json!({ "reason": reason, "until": hours.map(|hours| hence(now, hours)) });
            of_game(game.as_deref(), "pause", body)
        }
        GameTask::Continue { game, reason, .. } => {
            of_game(game.as_deref(), "continue", json!({ "reason": reason }))
        }
        GameTask::GiveTime {
            game,
            seat,
            seconds,
            reason,
        } => {
            let time_ms = i64::from(*seconds) * 1_000;
            let body = json!({ "seat": seat, "time_ms": time_ms, "reason": reason });
            post(["games", game, "time"], body)
        }
    }
}

fn about_server(task: &ServerTask, now: Timestamp) -> ConsoleRequest {
    match task {
        ServerTask::Lobby => get(["lobby"], Print::Lobby),
        ServerTask::CloseLobby { reason } => post(["lobby", "close"], json!({ "reason": reason })),
        ServerTask::OpenLobby { reason } => post(["lobby", "open"], json!({ "reason": reason })),
        ServerTask::Notices => get(["notices"], list("notices", "behind", ItemKind::Notice)),
        ServerTask::Notice(notice) => post(["notices"], of_notice(notice, now)),
        ServerTask::CancelNotice { number, reason } => {
            let number = number.to_string();
            post(["notices", &number, "cancel"], json!({ "reason": reason }))
        }
        ServerTask::Addresses => get(["addresses"], list("blocks", "behind", ItemKind::Block)),
        ServerTask::BlockAddress {
            network,
            hours,
            reason,
        } => {
            let until = hours.map(|hours| hence(now, hours));
            let body = json!({ "network": network, "reason": reason, "until": until });
            post(["addresses"], body)
        }
        ServerTask::LiftAddress { network, reason } => {
            let body = json!({ "network": network, "reason": reason });
            post(["addresses", "lift"], body)
        }
        ServerTask::Reload { reason } => {
            let mut asked = post(["settings", "reload"], json!({ "reason": reason }));
            asked.print = Print::Reload;
            asked
        }
        ServerTask::Watch {
            game,
            player,
            minutes,
            reason,
        } => {
            let for_ms = (MINUTE * i64::from(*minutes)).0;
            let body = json!({
                "game": game, "player": player, "for_ms": for_ms, "reason": reason,
            });
            post(["watches"], body)
        }
        ServerTask::Watches => get(["watches"], list("watches", "behind", ItemKind::Watch)),
    }
}

fn of_notice(notice: &NoticeArgs, now: Timestamp) -> Value {
    let minutes = |minutes: u32| MINUTE * i64::from(minutes);
    let at = notice.event_in.map(|within| now + minutes(within));
    let until = at.zip(notice.event_for);
    let until = until.map(|(at, length)| at + minutes(length));
    json!({
        "code": notice.code,
        "text": notice.text,
        "at": at.map(|at| at.0),
        "until": until.map(|until| until.0),
        "first": notice.delay.map(|delay| (now + minutes(delay)).0),
        "every_ms": notice.every.map(|every| minutes(every).0),
        "reason": notice.reason,
    })
}

fn of_filters(filters: &GameFilters) -> Vec<(&'static str, String)> {
    let ms = |seconds: Option<u32>| seconds.map(|seconds| i64::from(seconds) * 1_000);
    let text = |value: Option<bool>| value.map(|value| value.to_string());
    let all = [
        given("state", filters.state.map(|state| state.name().to_owned())),
        given("player", filters.player.clone()),
        given("rule_set", filters.rule_set.clone()),
        given("rated", text(filters.rated)),
        given("private", text(filters.private)),
        given("age_min_ms", ms(filters.age).map(|ms| ms.to_string())),
        given(
            "waiting_min_ms",
            ms(filters.waiting).map(|ms| ms.to_string()),
        ),
    ];
    all.into_iter().flatten().collect()
}

fn given(name: &'static str, value: Option<String>) -> Option<(&'static str, String)> {
    Some((name, value?))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Task};

    #[track_caller]
    fn check(line: &str, request: &str, query: &[(&'static str, &str)], body: Option<Value>) {
        let cli = Cli::parse_from(format!("tilewire-server admin {line}").split(' '));
        let Some(Task::Admin(command)) = cli.task else {
            panic!("{line} is no command of an admin");
        };
        let asked = asked(&command.task, Timestamp(1_000));
        assert_eq!(
            format!("{} {}", asked.method, asked.path.join("/")),
            request
        );
        let expected: Vec<(&str, String)> = query
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        assert_eq!((asked.query, asked.body), (expected, body), "{line}");
    }

    #[test]
    fn each_command_is_a_request() {
        check("connections", "GET connections", &[], None);
        check(
            "connections --name an",
            "GET connections",
            &[("name", "an")],
            None,
        );
        check("players ann", "GET players", &[("name", "ann")], None);
        check("player anna --json", "GET players/anna", &[], None);
        check(
            "games --state running --rated true --age 60",
            "GET games",
            &[
                ("state", "running"),
                ("rated", "true"),
                ("age_min_ms", "60000"),
            ],
            None,
        );
        check("game g1", "GET games/g1", &[], None);
        check(
            "game g1 --tiles --reason report",
            "POST games/g1/tiles",
            &[],
            Some(json!({ "reason": "report" })),
        );
        check(
            "rename eve eva --reason insult",
            "POST players/eve/rename",
            &[],
            Some(json!({ "handle": "eva", "reason": "insult" })),
        );
        check(
            "suspend eve --hours 1 --reason spam",
            "POST players/eve/suspend",
            &[],
            Some(json!({ "reason": "spam", "until": 3_601_000 })),
        );
        check(
            "undo 7 --reason mistake",
            "POST actions/7/undo",
            &[],
            Some(json!({ "reason": "mistake" })),
        );
        check("audit", "GET audit", &[], None);
    }

    #[test]
    fn each_command_about_a_game_is_a_request() {
        check(
            "cancel g1 --seq 9 --reason fault",
            "POST games/g1/cancel",
            &[],
            Some(json!({ "seq": 9, "reason": "fault" })),
        );
        check(
            "adjudicate g1 win --seat 1 --seq 9 --reason cheat",
            "POST games/g1/adjudicate",
            &[],
            Some(json!({ "seq": 9, "reason": "cheat", "result": "win", "seat": 1 })),
        );
        check(
            "pause g1 --hours 1 --reason fault",
            "POST games/g1/pause",
            &[],
            Some(json!({ "reason": "fault", "until": 3_601_000 })),
        );
        check(
            "continue --all --reason over",
            "POST continue",
            &[],
            Some(json!({ "reason": "over" })),
        );
        check(
            "give-time g1 --seat 1 --seconds 60 --reason fault",
            "POST games/g1/time",
            &[],
            Some(json!({ "seat": 1, "time_ms": 60_000, "reason": "fault" })),
        );
    }

    #[test]
    fn each_command_about_the_server_is_a_request() {
        check("lobby", "GET lobby", &[], None);
        check(
            "close-lobby --reason update",
            "POST lobby/close",
            &[],
            Some(json!({ "reason": "update" })),
        );
        check(
            "notice maintenance soon --event-in 60 --every 10 --reason update",
            "POST notices",
            &[],
            Some(json!({
                "code": "maintenance", "text": "soon", "at": 3_601_000, "until": null,
                "first": null, "every_ms": 600_000, "reason": "update",
            })),
        );
        check(
            "block-address 203.0.113.0/24 --hours 1 --reason flood",
            "POST addresses",
            &[],
            Some(json!({
                "network": "203.0.113.0/24", "until": 3_601_000, "reason": "flood",
            })),
        );
        check(
            "lift-address 203.0.113.0/24 --reason over",
            "POST addresses/lift",
            &[],
            Some(json!({ "network": "203.0.113.0/24", "reason": "over" })),
        );
        check(
            "watch --player eve --minutes 5 --reason report",
            "POST watches",
            &[],
            Some(json!({
                "game": null, "player": "eve", "for_ms": 300_000, "reason": "report",
            })),
        );
    }

    #[test]
    fn hidden_tiles_need_a_reason() {
        let line = "tilewire-server admin game g1 --tiles";
        assert!(Cli::try_parse_from(line.split(' ')).is_err());
    }
}
