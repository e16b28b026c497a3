//! Pairs of runs of Tilewire and a rival, and the report on them: text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};
use tilewire_loadtest::host::Machine;
use tilewire_loadtest::options::CommonOptions;
use tilewire_loadtest::report::{complain, say};
use tilewire_loadtest::stats::{Spread, spreads};

/// The guarantees of a server besides sending frames.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Traits {
    /// The data that a client receives after a lost connection.
    pub(crate) resume: &'static str,
    /// The server's treatment of a client that does not read.
    pub(crate) stalled: &'static str,
    /// The data that survives a kill of the process.
    pub(crate) durable: &'static str,
}

/// The traits of Tilewire.
const TILEWIRE: Traits = Traits {
    resume: "from any event number, without gaps or repeats",
    stalled: "bounded queue; a snapshot when it reads again",
    durable: "every event is on disk before it is sent",
};

/// The metrics of the report: key, title, divisor, unit.
const LINES: &[(&str, &str, f64, &str)] = &[
    ("deliveries_per_s", "deliveries", 1.0, "/s"),
    ("moves_per_s", "moves", 1.0, "/s"),
    ("capacity_per_s", "capacity, moves", 1.0, "/s"),
    ("server_cpu_us_per_move", "CPU per move", 1.0, "µs"),
    ("server_cpu_us_per_delivery", "CPU per delivery", 1.0, "µs"),
    ("deliveries_per_cpu_s", "deliveries per CPU second", 1.0, ""),
    (
        "bytes_per_connection",
        "memory per connection",
        1_024.0,
        "KiB",
    ),
    ("bytes_per_game", "memory per game", 1_024.0, "KiB"),
    (
        "ack_latency_us.p50",
        "acknowledgement latency p50",
        1_000.0,
        "ms",
    ),
    (
        "ack_latency_us.p99",
        "acknowledgement latency p99",
        1_000.0,
        "ms",
    ),
    ("push_latency_us.p50", "push latency p50", 1_000.0, "ms"),
    ("push_latency_us.p99", "push latency p99", 1_000.0, "ms"),
    ("harness_cores", "load of the clients' core", 0.01, "%"),
];

/// The metrics whose ratio is taken for each pair.
const RATIOS: &[(&str, &str)] = &[
    ("deliveries_per_cpu_s", "deliveries per CPU second"),
    ("server_cpu_us_per_move", "CPU per move"),
    ("capacity_per_s", "capacity"),
];

/// Whether Tilewire runs first in this pair. The second run may find the machine warmer, so the order alternates.
pub(crate) const fn is_tilewire_first(pair: u32) -> bool {
    pair.is_multiple_of(2)
}

/// All pairs of Tilewire and one rival.
#[derive(Debug)]
pub(crate) struct Pairs {
    rival: &'static str,
    traits: Option<Traits>,
    tilewire: Vec<Value>,
    theirs: Vec<Value>,
}

impl Pairs {
    /// No pair yet; a bare server has no traits.
    pub(crate) const fn new(rival: &'static str, traits: Option<Traits>) -> Self {
        Self {
            rival,
            traits,
            tilewire: Vec::new(),
            theirs: Vec::new(),
        }
    }

    /// Adds the metrics of a pair.
    pub(crate) fn add(&mut self, tilewire: Value, theirs: Value) {
        self.tilewire.push(tilewire);
        self.theirs.push(theirs);
    }

    /// Tilewire divided by the rival, pair by pair.
    fn ratio(&self, name: &str) -> Option<Spread> {
        let pairs = self.tilewire.iter().zip(&self.theirs);
        let ratios = pairs.filter_map(|(tilewire, theirs)| {
            let (tilewire, theirs) = (tilewire[name].as_f64()?, theirs[name].as_f64()?);
            (theirs > 0.0).then(|| json!({ "ratio": tilewire / theirs }))
        });
        let ratios: Vec<Value> = ratios.collect();
        spreads(&ratios).get("ratio").copied()
    }

    fn json(&self) -> Value {
        let ratios = RATIOS
            .iter()
            .filter_map(|(name, _)| Some((*name, self.ratio(name)?)));
        let ratios: BTreeMap<_, _> = ratios.collect();
        json!({
            "rival": self.rival,
            "traits": self.traits.map(|theirs| json!({ "tilewire": TILEWIRE, "rival": theirs })),
            "ratio_of_pairs": ratios,
            "tilewire": { "spread": spreads(&self.tilewire), "runs": self.tilewire },
            "theirs": { "spread": spreads(&self.theirs), "runs": self.theirs },
        })
    }

    fn write(&self, text: &mut String) -> Result<()> {
        let (name, pairs) = (self.rival, self.tilewire.len());
        writeln!(text, "{:<32}{:<32}  {name}, {pairs} pairs", "", "tilewire")?;
        let (tilewire, theirs) = (spreads(&self.tilewire), spreads(&self.theirs));
        for (key, title, divisor, unit) in LINES {
            if let (Some(own), Some(theirs)) = (tilewire.get(*key), theirs.get(*key)) {
                let (own, theirs) = (show(*own, *divisor, unit), show(*theirs, *divisor, unit));
                writeln!(text, "  {title:<30}{own:<32}  {theirs}")?;
            }
        }
        for (key, title) in RATIOS {
            if let Some(ratio) = self.ratio(key) {
                writeln!(
                    text,
                    "  {title}, tilewire / {name}: {}",
                    show(ratio, 1.0, "")
                )?;
            }
        }
        let Some(traits) = self.traits else {
            return Ok(());
        };
        for (title, own, theirs) in [
            ("after a lost connection", TILEWIRE.resume, traits.resume),
            (
                "a client that does not read",
                TILEWIRE.stalled,
                traits.stalled,
            ),
            ("after a crash", TILEWIRE.durable, traits.durable),
        ] {
            writeln!(text, "  {title}: tilewire: {own}; {name}: {theirs}")?;
        }
        Ok(())
    }
}

fn show(spread: Spread, divisor: f64, unit: &str) -> String {
    let digits = match spread.median / divisor {
        small if small.abs() < 1_000.0 => 2,
        _ => 0,
    };
    let [low, median, high] = [spread.low, spread.median, spread.high]
        .map(|value| format!("{:.digits$}", value / divisor));
    let space = if unit.is_empty() { "" } else { " " };
    if low == high {
        format!("{median}{space}{unit}")
    } else {
        format!("{median}{space}{unit} ({low} to {high})")
    }
}

/// A report on Tilewire and one or more rivals.
#[derive(Debug)]
pub(crate) struct Comparison {
    scenario: &'static str,
    settings: Value,
    conditions: Value,
    machine: Machine,
    rivals: Vec<Pairs>,
}

impl Comparison {
    /// A report without pairs.
    pub(crate) fn new(
        scenario: &'static str,
        settings: Value,
        common: &CommonOptions,
        machine: Machine,
    ) -> Self {
        let conditions = json!({
            "warm_up_s": common.warm_up.as_secs_f64(),
            "duration_s": common.duration.as_secs_f64(),
            "seed": common.seed,
            "set": common.set,
        });
        Self {
            scenario,
            settings,
            conditions,
            machine,
            rivals: Vec::new(),
        }
    }

    /// Adds the pairs of one rival.
    pub(crate) fn add(&mut self, pairs: Pairs) {
        self.rivals.push(pairs);
    }

    /// Writes the text, and the JSON if `json_to` names a file or the standard output (`-`).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(&self, json_to: Option<&str>) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("tilewire {version}: {}, {}\n", self.scenario, self.machine);
        for pairs in &self.rivals {
            pairs.write(&mut text)?;
        }
        let all: Vec<Value> = self.rivals.iter().map(Pairs::json).collect();
        let report = json!({
            "scenario": self.scenario,
            "version": version,
            "machine": self.machine,
            "settings": self.settings,
            "conditions": self.conditions,
            "rivals": all,
        });
        match json_to {
            Some("-") => {
                say(&serde_json::to_string_pretty(&report)?);
                complain(text.trim_end());
            }
            Some(file) => {
                say(text.trim_end());
                fs::write(file, serde_json::to_string_pretty(&report)? + "\n")
                    .with_context(|| format!("{file} cannot be written"))?;
            }
            None => say(text.trim_end()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_taken_pair_by_pair() {
        let traits = Traits {
            resume: "none",
            stalled: "closed",
            durable: "not durable",
        };
        let mut pairs = Pairs::new("toy", Some(traits));
        for (own, theirs) in [(100.0, 100.0), (300.0, 100.0), (40.0, 20.0)] {
            let run = |rate: f64| json!({ "deliveries_per_cpu_s": rate });
            pairs.add(run(own), run(theirs));
        }
        let ratio = pairs.ratio("deliveries_per_cpu_s").expect("a ratio");
        assert_eq!((ratio.low, ratio.median, ratio.high), (1.0, 2.0, 3.0));
        let mut text = String::new();
        pairs.write(&mut text).expect("text");
        assert!(
            text.contains("2.00 (1.00 to 3.00)") && text.contains("not durable"),
            "{text}"
        );
    }
}
