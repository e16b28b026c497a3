//! The configuration of a server under test.

use anyhow::{Result, anyhow};
use toml::{Table, Value};

/// Limits that no scenario reaches; the defaults protect a public server.
const LIMITS: &str = "\
[limits]
connections = 1000000
connections_per_address = 1000000
unauthenticated = 1000000
unauthenticated_per_address = 1000000
accepts_per_second = 1000000
accept_burst = 1000000
accepts_per_second_per_address = 1000000
accept_burst_per_address = 1000000
budget_per_second_per_address = 1000000000
budget_burst_per_address = 1000000000
connections_per_identity = 10000
messages_per_second = 1000000
message_burst = 1000000
rate_errors = 1000000
open_seeks = 1000
open_seeks_total = 1000000
open_seeks_per_address = 1000000
games_per_address = 1000000
games_per_minute = 1000000
games_burst = 1000000
games_per_minute_per_address = 1000000
games_burst_per_address = 1000000
lobby_mailbox = 65536
games_per_identity = 10000
new_guests_per_address = 1000000000
running_games = 1000000
spectators = 1000000
[chat]
scope = 2
burst = 1000
lines_per_minute = 60000
members = 10000000
";

/// The whole configuration: raised limits, the settings of the scenario, and the lines of `--set`. Later values win.
///
/// # Errors
/// When the lines are not valid TOML.
pub(crate) fn of(scenario: &str, lines: &[String]) -> Result<String> {
    let mut whole: Table = toml::from_str(LIMITS)?;
    merge(&mut whole, toml::from_str(scenario)?);
    merge(&mut whole, read(lines)?);
    Ok(toml::to_string(&whole)?)
}

/// Parses the lines of `--set`.
///
/// # Errors
/// When they are not valid TOML.
pub(crate) fn read(lines: &[String]) -> Result<Table> {
    let read = toml::from_str(&lines.join("\n"));
    read.map_err(|error| anyhow!("the lines of --set are invalid TOML: {error}"))
}

/// Merges settings into a table; the added values win.
fn merge(whole: &mut Table, added: Table) {
    for (name, value) in added {
        match (whole.get_mut(&name), value) {
            (Some(Value::Table(within)), Value::Table(added)) => merge(within, added),
            (_, value) => {
                whole.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_lines_override_defaults() {
        let scenario = "[timing]\nbot_pause_min_ms = 20\nbot_pause_max_ms = 200\n";
        let check = |lines: &[&str], wanted: &[(&str, &str, Option<i64>)]| {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let text = of(scenario, &lines).expect("TOML");
            let found: Table = toml::from_str(&text).expect("TOML again");
            for (table, name, value) in wanted {
                let found = found.get(*table).and_then(|table| table.get(*name));
                let found = found.and_then(Value::as_integer);
                assert_eq!(found, *value, "{table}.{name} in {text}");
            }
        };
        let usual = ("limits", "connections", Some(1_000_000));
        let pause = ("timing", "bot_pause_min_ms", Some(20));
        check(&[], &[usual, pause, ("timing", "heartbeat_ms", None)]);
        check(
            &["[timing]", "heartbeat_ms = 30000"],
            &[usual, pause, ("timing", "heartbeat_ms", Some(30_000))],
        );
        check(
            &["[timing]", "bot_pause_min_ms = 7"],
            &[("timing", "bot_pause_min_ms", Some(7))],
        );
        check(
            &["limits.connections = 5", "[overload]", "least_level = 1"],
            &[
                ("limits", "connections", Some(5)),
                ("limits", "spectators", Some(1_000_000)),
                ("overload", "least_level", Some(1)),
                pause,
            ],
        );
    }

    #[test]
    fn invalid_toml_is_named() {
        for wrong in ["timing", "heartbeat_ms 30000", "[timing", "a = "] {
            let said = read(&[wrong.to_owned()]).expect_err(wrong).to_string();
            assert!(said.contains("--set") && said.contains(wrong), "{said}");
        }
    }
}
