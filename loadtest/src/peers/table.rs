//! What a comparison came to: for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::catalog::{OURS, Peer};
use crate::host::Machine;
use crate::report::{Spread, complain, say, spreads};

/// The figures shown: key, title, what to divide by, unit.
const LINES: &[(&str, &str, f64, &str)] = &[
    (
        "cpu_us_per_delivery",
        "processor for each delivery",
        1.0,
        "µs",
    ),
    (
        "deliveries_per_cpu_s",
        "deliveries for each second of it",
        1.0,
        "",
    ),
    (
        "rss_bytes_per_connection",
        "memory for each connection",
        1_024.0,
        "KiB",
    ),
    ("push_us.p50", "due to arrival, p50", 1_000.0, "ms"),
    ("push_us.p99", "due to arrival, p99", 1_000.0, "ms"),
    ("deliveries_per_s", "deliveries", 1.0, "/s"),
    ("moves_per_s", "moves", 1.0, "/s"),
    ("cpu_us_per_move", "processor for each move", 1.0, "µs"),
    ("rss_bytes_per_room", "memory for each room", 1_024.0, "KiB"),
    ("ack_us.p50", "move due to its answer, p50", 1_000.0, "ms"),
    ("ack_us.p99", "move due to its answer, p99", 1_000.0, "ms"),
    ("capacity_per_s", "capacity, moves", 1.0, "/s"),
    ("harness_cores", "the clients' core was busy", 0.01, "%"),
];

/// The figures whose ratio is taken for each pair.
const RATIOS: &[(&str, &str)] = &[
    (
        "deliveries_per_cpu_s",
        "deliveries for each second of the processor",
    ),
    ("cpu_us_per_move", "processor for each move"),
    ("capacity_per_s", "capacity"),
];

/// All pairs of ours and one peer.
#[derive(Debug)]
pub(super) struct Pairs {
    peer: Peer,
    ours: Vec<Value>,
    theirs: Vec<Value>,
}

impl Pairs {
    /// None yet.
    pub(super) const fn new(peer: Peer) -> Self {
        Self {
            peer,
            ours: Vec::new(),
            theirs: Vec::new(),
        }
    }

    /// Takes the figures of a pair in.
    pub(super) fn add(&mut self, ours: Value, theirs: Value) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// Ours divided by theirs, pair by pair.
    fn ratio(&self, name: &str) -> Option<Spread> {
        let pairs = self.ours.iter().zip(&self.theirs);
        let ratios = pairs.filter_map(|(ours, theirs)| {
            let (ours, theirs) = (ours[name].as_f64()?, theirs[name].as_f64()?);
            (theirs > 0.0).then(|| json!({ "ratio": ours / theirs }))
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
            "peer": self.peer,
            "traits": { "ours": OURS, "theirs": self.peer.traits() },
            "ratios_of_pairs": ratios,
            "ours": { "spread": spreads(&self.ours), "runs": self.ours },
            "theirs": { "spread": spreads(&self.theirs), "runs": self.theirs },
        })
    }

    fn write(&self, text: &mut String) -> Result<()> {
        let name = self.peer.name();
        writeln!(
            text,
            "{:<36}{:<32}  {name}, {} pairs",
            "",
            "ours",
            self.ours.len()
        )?;
        let (ours, theirs) = (spreads(&self.ours), spreads(&self.theirs));
        for (key, title, divisor, unit) in LINES {
            if let (Some(ours), Some(theirs)) = (ours.get(*key), theirs.get(*key)) {
                let (ours, theirs) = (show(*ours, *divisor, unit), show(*theirs, *divisor, unit));
                writeln!(text, "  {title:<34}{ours:<32}  {theirs}")?;
            }
        }
        for (key, title) in RATIOS {
            if let Some(ratio) = self.ratio(key) {
                writeln!(text, "  {title}, ours to theirs: {}", show(ratio, 1.0, ""))?;
            }
        }
        let traits = self.peer.traits();
        for (title, ours, theirs) in [
            ("after a lost connection", OURS.resume, traits.resume),
            ("for who does not read", OURS.stalled, traits.stalled),
            ("after a crash", OURS.durable, traits.durable),
        ] {
            writeln!(text, "  {title}: ours {ours}; {name}: {theirs}")?;
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

/// Ours and several peers.
#[derive(Debug)]
pub(super) struct Comparison {
    settings: Value,
    conditions: Value,
    machine: Machine,
    peers: Vec<Pairs>,
}

impl Comparison {
    /// With nobody yet.
    pub(super) const fn new(settings: Value, conditions: Value, machine: Machine) -> Self {
        Self {
            settings,
            conditions,
            machine,
            peers: Vec::new(),
        }
    }

    /// Takes a peer in.
    pub(super) fn add(&mut self, pairs: Pairs) {
        self.peers.push(pairs);
    }

    /// Writes the text, and JSON where it was asked for; the text goes to where the JSON does not.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn write(&self, json_to: Option<&str>) -> Result<()> {
        let mut text = String::new();
        for pairs in &self.peers {
            pairs.write(&mut text)?;
        }
        let all: Vec<Value> = self.peers.iter().map(Pairs::json).collect();
        let report = json!({
            "scenario": "peers",
            "version": env!("CARGO_PKG_VERSION"),
            "machine": self.machine,
            "settings": self.settings,
            "conditions": self.conditions,
            "peers": all,
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
        let mut pairs = Pairs::new(Peer::Nchan);
        for (ours, theirs) in [(100.0, 100.0), (300.0, 100.0), (40.0, 20.0)] {
            let run = |rate: f64| json!({ "deliveries_per_cpu_s": rate });
            pairs.add(run(ours), run(theirs));
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
