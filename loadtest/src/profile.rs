//! The profile of a mixed load, read from a TOML file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use tilewire_protocol::limits;
use tilewire_rules::bot::BotLevel;
use tilewire_rules::ruleset::RuleSet;

use crate::options::ChallengeRule;

/// The largest count in a profile.
const MANY: u32 = 1_000_000;
/// A day, the longest time a profile can name.
const DAY_S: f64 = 86_400.0;
/// How far from 1 the sum of all shares may be.
const SHARES_OFF: f64 = 0.001;

/// A profile.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    /// Concurrent matches of all kinds together.
    pub(crate) matches: u32,
    /// Measured time, seconds; `--for` overrides it.
    pub(crate) run_s: f64,
    /// Time after each start of the server that does not count for the growth of memory, seconds.
    pub(crate) settle_s: f64,
    /// Time between two samples, seconds.
    pub(crate) sample_s: f64,
    /// Bound on the growth of the server's memory, KiB per hour; absent: no bound.
    pub(crate) slope_max_kib_per_h: Option<f64>,
    /// The kinds of matches.
    pub(crate) kind: Vec<Kind>,
    /// The spectators.
    #[serde(default)]
    pub(crate) spectators: Spectators,
    /// The idle connections.
    #[serde(default)]
    pub(crate) idle: Idle,
    /// The seekers in the lobby.
    #[serde(default)]
    pub(crate) lobby: Lobby,
    /// The injected faults.
    #[serde(default)]
    pub(crate) faults: Faults,
}

/// A kind of match.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kind {
    /// Share of all matches.
    pub(crate) share: f64,
    /// A built-in rule set.
    pub(crate) rule_set: String,
    /// Players, house bots included.
    #[serde(default = "two")]
    pub(crate) seats: u8,
    /// House bots that take seats, by level.
    #[serde(default)]
    pub(crate) house_bots: Vec<String>,
    /// Level of the other players: beginner, club or expert.
    #[serde(default = "beginner")]
    pub(crate) level: String,
    /// Mean time between two turns, milliseconds.
    pub(crate) think_ms: u64,
    /// Challenge rule; absent: the rule of the rule set.
    pub(crate) challenge: Option<ChallengeRule>,
    /// Time budget of each player, seconds.
    #[serde(default = "usual_budget")]
    pub(crate) budget_s: f64,
    /// Share of turns that begin with an illegal play.
    #[serde(default)]
    pub(crate) illegal: f64,
    /// Share of commands sent twice.
    #[serde(default)]
    pub(crate) repeated: f64,
    /// Share of commands after which the connection is dropped and resumed.
    #[serde(default)]
    pub(crate) dropped: f64,
}

/// Spectators, the same number for each match.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Spectators {
    /// Spectators per match.
    pub(crate) per_match: u32,
    /// Mean time of a visit, seconds.
    pub(crate) stay_s: f64,
    /// Mean time between two visits, seconds.
    pub(crate) away_s: f64,
    /// Share of events after which a connection is dropped and resumed.
    pub(crate) dropped: f64,
    /// Share of visits with a period without reading.
    pub(crate) stalled: f64,
    /// Length of that period, seconds.
    pub(crate) stall_s: f64,
}

/// Idle connections.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Idle {
    /// Number of connections.
    pub(crate) connections: u32,
    /// Mean time until a connection is replaced by another, seconds.
    pub(crate) stay_s: f64,
}

/// Seekers in the lobby.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Lobby {
    /// Number of clients that follow the lobby and open seeks.
    pub(crate) seekers: u32,
    /// Mean time a seek is open before it is withdrawn, and until the next one, seconds.
    pub(crate) seek_s: f64,
}

/// Intervals between faults, seconds; 0: never.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Faults {
    /// Interval of kills (SIGKILL), each followed by a start.
    pub(crate) kill_every_s: f64,
    /// Interval of graceful restarts (SIGTERM).
    pub(crate) restart_every_s: f64,
    /// Interval of pauses of the process (SIGSTOP).
    pub(crate) hold_every_s: f64,
    /// Length of such a pause.
    pub(crate) hold_s: f64,
    /// Interval of reconnect storms of all players and spectators.
    pub(crate) storm_every_s: f64,
}

const fn two() -> u8 {
    2
}

fn beginner() -> String {
    BotLevel::Beginner.name().to_owned()
}

const fn usual_budget() -> f64 {
    1_500.0
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// When the file cannot be read, a key is unknown, or a value is out of bounds.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is not a valid profile", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let profile: Self = toml::from_str(text)?;
        profile.check()?;
        Ok(profile)
    }

    /// The number of matches of each kind: by its share, and at least one.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the share of a number is not negative and not larger"
    )]
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let kinds = self.kind.iter();
        let numbers = kinds.map(|kind| (f64::from(self.matches) * kind.share).round() as u32);
        numbers.map(|number| number.max(1)).collect()
    }

    fn check(&self) -> Result<()> {
        within("matches", f64::from(self.matches), 1.0, f64::from(MANY))?;
        within("run_s", self.run_s, 1.0, DAY_S)?;
        within("settle_s", self.settle_s, 0.0, DAY_S)?;
        within("sample_s", self.sample_s, 0.1, 3_600.0)?;
        let shares: f64 = self.kind.iter().map(|kind| kind.share).sum();
        ensure!(
            (shares - 1.0).abs() < SHARES_OFF,
            "the shares of all kinds add up to {shares}, not to 1"
        );
        for (at, kind) in self.kind.iter().enumerate() {
            kind.check()
                .with_context(|| format!("kind {} ({})", at + 1, kind.rule_set))?;
        }
        let (watch, faults) = (&self.spectators, &self.faults);
        within(
            "spectators.per_match",
            f64::from(watch.per_match),
            0.0,
            f64::from(MANY),
        )?;
        within("spectators.dropped", watch.dropped, 0.0, 1.0)?;
        within("spectators.stalled", watch.stalled, 0.0, 1.0)?;
        if watch.per_match > 0 {
            within("spectators.stay_s", watch.stay_s, 0.01, DAY_S)?;
        }
        if self.idle.connections > 0 {
            within("idle.stay_s", self.idle.stay_s, 0.01, DAY_S)?;
        }
        if self.lobby.seekers > 0 {
            within("lobby.seek_s", self.lobby.seek_s, 0.01, DAY_S)?;
        }
        let times = [
            ("spectators.away_s", watch.away_s),
            ("spectators.stall_s", watch.stall_s),
            ("faults.kill_every_s", faults.kill_every_s),
            ("faults.restart_every_s", faults.restart_every_s),
            ("faults.hold_every_s", faults.hold_every_s),
            ("faults.hold_s", faults.hold_s),
            ("faults.storm_every_s", faults.storm_every_s),
        ];
        for (name, time) in times {
            within(name, time, 0.0, DAY_S)?;
        }
        Ok(())
    }
}

impl Kind {
    fn check(&self) -> Result<()> {
        within("share", self.share, 0.0, 1.0)?;
        ensure!(
            RuleSet::builtin(&self.rule_set).is_some(),
            "there is no rule set {:?}",
            self.rule_set
        );
        within(
            "seats",
            f64::from(self.seats),
            f64::from(limits::SEATS_MIN),
            f64::from(limits::SEATS_MAX),
        )?;
        ensure!(
            self.house_bots.len() < usize::from(self.seats),
            "house_bots leave no seat to a player"
        );
        for level in self.house_bots.iter().chain([&self.level]) {
            level
                .parse::<BotLevel>()
                .map_err(|error| anyhow::anyhow!("{error}"))?;
        }
        within("budget_s", self.budget_s, 1.0, DAY_S)?;
        for (name, share) in [
            ("illegal", self.illegal),
            ("repeated", self.repeated),
            ("dropped", self.dropped),
        ] {
            within(name, share, 0.0, 1.0)?;
        }
        Ok(())
    }
}

fn within(name: &str, value: f64, least: f64, most: f64) -> Result<()> {
    ensure!(
        (least..=most).contains(&value),
        "{name} is {value}; it must be from {least} to {most}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Profile;

    const SMALL: &str = "matches = 10\nrun_s = 5\nsettle_s = 1\nsample_s = 0.5\n\
        [[kind]]\nshare = 0.7\nrule_set = \"classic\"\nthink_ms = 100\n\
        [[kind]]\nshare = 0.3\nrule_set = \"wordfeud\"\nthink_ms = 100\nseats = 3\n";

    fn error(text: &str) -> String {
        let error = Profile::parse(text).expect_err("a mistake");
        format!("{error:#}")
    }

    #[test]
    fn shares_become_numbers() {
        let profile = Profile::parse(SMALL).expect("a profile");
        assert_eq!(profile.numbers(), [7, 3]);
    }

    #[test]
    fn mistakes_are_named() {
        let unknown = error(&format!("{SMALL}[faults]\nkill_evry_s = 3\n"));
        assert!(unknown.contains("kill_evry_s"), "{unknown}");
        let shares = error(&SMALL.replace("0.3", "0.4"));
        assert!(shares.contains("add up to"), "{shares}");
        let rules = error(&SMALL.replace("wordfeud", "wordfued"));
        assert!(rules.contains("kind 2 (wordfued)"), "{rules}");
        let seats = error(&SMALL.replace("seats = 3", "seats = 9"));
        assert!(seats.contains("from 2 to 4"), "{seats}");
        let full = error(&format!(
            "{SMALL}house_bots = [\"club\", \"club\", \"club\"]\n"
        ));
        assert!(full.contains("no seat"), "{full}");
    }
}
