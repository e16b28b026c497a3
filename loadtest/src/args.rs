//! The command line.

use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize, Serializer};
use tilewire_protocol::ChallengeKind;
use tilewire_rules::bot::BotLevel;

use crate::floor::FloorArgs;
use crate::peers::PeersArgs;
use crate::report::compare::CompareArgs;
use crate::scenario::clocks::ClocksArgs;
use crate::scenario::crash::CrashArgs;
use crate::scenario::hot::HotArgs;
use crate::scenario::idle::IdleArgs;
use crate::scenario::matches::MatchesArgs;
use crate::scenario::mixed::MixedArgs;
use crate::scenario::restart::RestartArgs;
use crate::series::{DisturbArgs, GrowthArgs, MemoryArgs};

const EXAMPLES: &str = "\
Examples:
  tilewire-loadtest matches --games 500 --think 2000
      500 games at once, a turn every two seconds in each, for half a minute
  tilewire-loadtest matches --games 50 --flat-out --illegal 0.05 --repeated 0.05 --dropped 0.02
      50 games as fast as they go, with mischief
  tilewire-loadtest matches --games 100 --json before.json --repeat 5
      Five runs, kept to be compared
  tilewire-loadtest hot --spectators 2000 --rate 5 --floor framed --pairs 5
      One game with 2000 spectators, in turns with a server that only passes frames on
  tilewire-loadtest matches --games 100 --floor framed --pairs 5
      The same in turns with a server that moves the same frames without rules and disk
  tilewire-loadtest mixed loadtest/profiles/soak.toml --for 1h --html soak.html
      An hour of everything at once, with faults; fails if the server's memory keeps growing
  tilewire-loadtest peers --peer nchan --spectators 1000 --rate 10 --pairs 5
      The same for a server of somebody else's; loadtest/peers/install puts it in place
  tilewire-loadtest compare before.json after.json --bound 1.1
      What changed; fails if anything became more than 10 % worse

Every run is judged: each game is replayed by the rules from what its clients were sent. Anything wrong ends the test
with exit status 1.";

/// Loads a Tilewire server, measures it, and judges everything it says.
///
/// A server of its own is started for each run, on cores of its own and with a fresh directory, unless --url names one
/// that runs already. Load comes by schedule, whether the server keeps up or not, and times count from when a command
/// was due.
#[derive(Debug, Parser)]
#[command(name = "tilewire-loadtest", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) task: Task,
    /// How to do it.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Load a server and measure it
    #[command(flatten)]
    Load(Scenario),
    /// Processor time for each move and each delivery as games and spectators become more
    Growth(GrowthArgs),
    /// Memory for each connection and each game, by what they are
    Memory(MemoryArgs),
    /// A crowd in peace, the same in a storm, the same with spectators who do not read
    Disturb(DisturbArgs),
    /// What changed between two reports
    Compare(CompareArgs),
    /// Ours and servers of somebody else's, in turns
    Peers(PeersArgs),
    /// What the machine could do without rules and disk
    Floor(FloorArgs),
    /// Clients of another process, which says what they do
    #[command(hide = true)]
    ClientProcess,
}

/// What a server is loaded with.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Many games at once, played by bots and watched
    Matches(MatchesArgs),
    /// One game that everybody watches
    Hot(HotArgs),
    /// Connections that do nothing
    Idle(IdleArgs),
    /// Many running clocks: how late flags fall
    Clocks(ClocksArgs),
    /// A start with many unfinished games, and all clients coming back
    Restart(RestartArgs),
    /// Killed again and again: nothing acknowledged may be lost or doubled
    Crash(CrashArgs),
    /// Everything at once by a profile, for hours if need be: games of many kinds, comings and goings, faults
    Mixed(MixedArgs),
}

/// How to do it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// The server's program [default: tilewire-server beside this one]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) server_bin: Option<PathBuf>,
    /// Load the server that listens there instead of starting one; ws://ADDR:PORT/ws is understood as well
    #[arg(long, global = true, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) url: Option<String>,
    /// Where that server keeps its figures
    #[arg(long, global = true, value_name = "ADDR:PORT", requires = "url")]
    pub(crate) admin: Option<String>,
    /// Cores of the server [default: half of them]
    #[arg(long, global = true, value_name = "N,N", value_delimiter = ',')]
    pub(crate) server_cores: Option<Vec<usize>>,
    /// Lines for the server's configuration, such as `[timing]` and `heartbeat_ms = 30000`; may be repeated
    #[arg(long, global = true, value_name = "LINE")]
    pub(crate) set: Vec<String>,
    /// Time before measuring begins. Players come during its first half (`restart`: all of it), with those who watch
    /// or follow them; spectators of `hot` and connections of `idle` have come before it
    #[arg(long, global = true, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) warm_up: Duration,
    /// Time that is measured
    #[arg(long, global = true, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub(crate) duration: Duration,
    /// Append to a file beside the server's data now and then, to know whether it was the disk that stood still
    #[arg(long, global = true)]
    pub(crate) disk_probe: bool,
    /// Runs, each with a fresh server
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) repeat: u32,
    /// What all chance follows from
    #[arg(long, global = true, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the report as JSON; - for the standard output
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<String>,
    /// Write the report with plots as a page
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// The challenge rules games can be loaded with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChallengeRule {
    /// The server refuses what is no word.
    Void,
    /// A failed challenge costs nothing.
    Single,
    /// A failed challenge costs the next turn.
    Double,
}

impl Common {
    /// How many runs are asked for, each with a fresh server.
    pub(crate) fn runs(&self, scenario: &Scenario) -> u32 {
        match scenario {
            Scenario::Hot(args) => args.beside.pairs.unwrap_or(self.repeat),
            Scenario::Matches(args) => args.beside.pairs.unwrap_or(self.repeat),
            _ => self.repeat,
        }
    }
}

impl ChallengeRule {
    /// The same on the wire.
    pub(crate) const fn kind(self) -> ChallengeKind {
        match self {
            Self::Void => ChallengeKind::Void,
            Self::Single => ChallengeKind::Single,
            Self::Double => ChallengeKind::Double,
        }
    }
}

/// Reads a time in seconds, such as `0.5`.
///
/// # Errors
/// When it is none, or longer than a day.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "seconds are expected")?;
    if !(0.0..=86_400.0).contains(&seconds) {
        return Err("from 0 to 86400 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Reads a time in milliseconds, such as `2000` or `12.5`.
///
/// # Errors
/// When it is none, or longer than a day.
pub(crate) fn millis(text: &str) -> Result<Duration, String> {
    let millis: f64 = text.parse().map_err(|_| "milliseconds are expected")?;
    if !(0.0..=86_400_000.0).contains(&millis) {
        return Err("from 0 to 86400000 milliseconds".to_owned());
    }
    Ok(Duration::from_secs_f64(millis / 1_000.0))
}

/// Writes a time as milliseconds.
pub(crate) fn in_millis<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    if time.subsec_nanos().is_multiple_of(1_000_000) {
        return to.serialize_u128(time.as_millis());
    }
    to.serialize_f64(time.as_secs_f64() * 1_000.0)
}

/// Reads where a server listens: `ADDR:PORT`, `ws://ADDR:PORT` or `ws://ADDR:PORT/ws`. Returns the first of these.
///
/// # Errors
/// When it is anything else.
pub(crate) fn address(text: &str) -> Result<String, String> {
    let expected = || "ADDR:PORT is expected, or ws://ADDR:PORT/ws; there is no TLS".to_owned();
    let address = match text.strip_prefix("ws://") {
        Some(rest) => rest.strip_suffix("/ws").unwrap_or(rest),
        None => text,
    };
    let (host, port) = address.rsplit_once(':').ok_or_else(expected)?;
    let is_port = port.parse::<u16>().is_ok_and(|port| port > 0) && !port.starts_with('+');
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = match host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(is_name),
    };
    if is_port && is_host {
        Ok(address.to_owned())
    } else {
        Err(expected())
    }
}

/// Reads a share, such as `0.05`.
///
/// # Errors
/// When it is not from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "a number is expected")?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("from 0 to 1".to_owned())
    }
}

/// How well bots play, by name, in reports and for other processes.
pub(crate) mod level_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tilewire_rules::bot::BotLevel;

    /// Writes the name.
    pub(crate) fn serialize<S: Serializer>(
        level: &BotLevel,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.name())
    }

    /// Reads the name.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BotLevel, D::Error> {
        super::level(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Reads how well bots play.
///
/// # Errors
/// When there is no such level.
pub(crate) fn level(text: &str) -> Result<BotLevel, String> {
    text.parse().map_err(|error| format!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_its_address() {
        let check = |text: &str, wanted: Option<&str>| {
            assert_eq!(address(text).ok().as_deref(), wanted, "{text}");
        };
        for host in [
            "127.0.0.1:7780",
            "localhost:1",
            "a-b.example.org:80",
            "[::1]:7780",
        ] {
            check(host, Some(host));
            check(&format!("ws://{host}"), Some(host));
            check(&format!("ws://{host}/ws"), Some(host));
            for wrong in ["wss://", "http://", "ws:", "//", "user@"] {
                check(&format!("{wrong}{host}"), None);
            }
            for wrong in ["/", "/ws/", "/play", "/ws?x=1", "?x=1", "00000"] {
                check(&format!("ws://{host}{wrong}"), None);
            }
            check(&format!("{host}/ws"), None);
        }
        for wrong in [
            "",
            "localhost",
            "127.0.0.1:",
            ":7780",
            "::1:7780",
            "[::1]",
            "a:0",
            "a:+1",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn milliseconds_may_have_parts() {
        let check = |text: &str, wanted: Option<u64>| {
            let wanted = wanted.map(Duration::from_micros);
            assert_eq!(millis(text).ok(), wanted, "{text}");
        };
        check("2000", Some(2_000_000));
        check("12.5", Some(12_500));
        check("0", Some(0));
        for wrong in ["", "-1", "2s", "1e12", "NaN"] {
            check(wrong, None);
        }
        let written =
            |text: &str| in_millis(&millis(text).expect(text), serde_json::value::Serializer);
        assert_eq!(written("2000").ok(), Some(serde_json::json!(2_000)));
        assert_eq!(written("12.5").ok(), Some(serde_json::json!(12.5)));
    }
}
