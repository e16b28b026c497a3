//! Series: several runs of scenarios in sequence, and one table of their metrics.

mod disturb;
mod growth;
mod memory;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::{Value, json};

use crate::host::Machine;
use crate::options::{CommonOptions, conditions};
use crate::report::{complain, say, title};
use crate::scenario::{self, Scenario};
use crate::stats::Spread;
pub(crate) use disturb::DisturbArgs;
pub(crate) use growth::GrowthArgs;
pub(crate) use memory::MemoryArgs;

/// A run of a series: its title and its command.
#[derive(Debug)]
struct Step {
    title: String,
    command: Vec<String>,
    // Additional warm-up for a larger load, seconds.
    more_warm_up_s: f64,
}

/// The command line of a step.
#[derive(Debug, Parser)]
struct CommandLine {
    #[command(subcommand)]
    scenario: Scenario,
}

/// A column of the table: the key of the metric, its title, and the divisor of its value.
type Column = (&'static str, &'static str, f64);

/// A series of runs and the columns of its table.
#[derive(Debug)]
pub(crate) struct Series {
    name: &'static str,
    columns: Vec<Column>,
    // The columns whose ratio to the first row is shown.
    ratios: Vec<&'static str>,
    steps: Vec<Step>,
}

/// The result of a run.
#[derive(Debug)]
struct Row {
    title: String,
    command: String,
    warm_up: Duration,
    metrics: BTreeMap<String, Spread>,
    machine: Machine,
    violations: u64,
    is_good: bool,
}

impl Step {
    fn new(title: impl Into<String>, command: &str) -> Self {
        let words = command.split_whitespace();
        Self {
            title: title.into(),
            command: words.map(str::to_owned).collect(),
            more_warm_up_s: 0.0,
        }
    }

    /// A run that needs time to establish so many connections.
    fn with_warm_up(mut self, connections: u32) -> Self {
        self.more_warm_up_s = f64::from(connections) / f64::from(COMING_PER_S);
        self
    }

    fn run(&self, common: &CommonOptions) -> Result<Row> {
        let words = ["tilewire-loadtest"].into_iter().map(str::to_owned);
        let line = CommandLine::try_parse_from(words.chain(self.command.iter().cloned()))?;
        let mut own = common.clone();
        own.warm_up += Duration::from_secs_f64(self.more_warm_up_s);
        let command = self.command.join(" ");
        let report = scenario::measure(&line.scenario, &own)
            .with_context(|| format!("`{command}` failed"))?;
        Ok(Row {
            title: self.title.clone(),
            command: format!("tilewire-loadtest {command}"),
            warm_up: own.warm_up,
            metrics: report.spreads()?,
            machine: report.machine().clone(),
            violations: report.violations(),
            is_good: report.is_good(),
        })
    }
}

/// Connections established per second during the warm-up of a row.
const COMING_PER_S: u32 = 500;

/// Makes all runs of all series and writes their tables; returns whether all runs passed.
///
/// # Errors
/// When a run cannot be made, or a report cannot be written.
pub(crate) fn run(name: &str, all: &[Series], common: &CommonOptions) -> Result<bool> {
    let (mut tables, mut reports, mut is_good) = (Vec::new(), Vec::new(), true);
    let mut violations = 0;
    let mut machine: Option<Machine> = None;
    for series in all {
        let rows = series.rows(common)?;
        tables.push(series.table(&rows)?);
        reports.push(series.json(&rows));
        is_good &= rows.iter().all(|row| row.is_good);
        machine = machine.or_else(|| rows.first().map(|row| row.machine.clone()));
        violations += rows.iter().map(|row| row.violations).sum::<u64>();
    }
    let machine = machine.context("a series has steps")?;
    tables.insert(0, title(name, &machine));
    let table = tables.join("\n\n");
    let report = json!({
        "scenario": name,
        "version": env!("CARGO_PKG_VERSION"),
        "machine": machine,
        "conditions": conditions(name, common),
        "tables": reports,
        "violations": violations,
    });
    let report = serde_json::to_string_pretty(&report)?;
    match common.json.as_deref() {
        Some("-") => {
            say(&report);
            complain(&table);
        }
        Some(file) => {
            fs::write(file, report + "\n").with_context(|| format!("{file} cannot be written"))?;
            say(&table);
        }
        None => say(&table),
    }
    Ok(is_good)
}

impl Series {
    fn rows(&self, common: &CommonOptions) -> Result<Vec<Row>> {
        let steps = self.steps.iter();
        steps
            .map(|step| {
                if !common.quiet {
                    complain(&format!("{}: {}", self.name, step.command.join(" ")));
                }
                step.run(common)
            })
            .collect()
    }

    fn table(&self, rows: &[Row]) -> Result<String> {
        let mut text = format!("{:<26}", self.name);
        // Columns without any value are left out.
        let is_known = |key| {
            rows.iter()
                .filter_map(|row| row.median(key))
                .any(|it| it != 0.0)
        };
        let columns = self.columns.iter().filter(|(key, ..)| is_known(key));
        let columns: Vec<&Column> = columns.collect();
        for (_, title, _) in &columns {
            write!(text, "{title:>14}")?;
        }
        for key in &self.ratios {
            write!(text, "{:>14}", format!("{} x", self.title_of(key)))?;
        }
        for row in rows {
            write!(text, "\n{:<26}", row.title)?;
            for (key, _, divisor) in &columns {
                let shown = row.median(key).map(|value| value / divisor);
                write!(text, "{:>14}", shown.map_or("-".to_owned(), figure))?;
            }
            for key in &self.ratios {
                let ratio = ratio(rows, row, key);
                let shown = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
                write!(text, "{shown:>14}")?;
            }
        }
        for row in rows.iter().filter(|row| !row.is_good) {
            write!(
                text,
                "\n{}: {} violations; see `{}`",
                row.title, row.violations, row.command
            )?;
        }
        Ok(text)
    }

    fn title_of(&self, key: &str) -> &'static str {
        let column = self.columns.iter().find(|(known, ..)| *known == key);
        column.map_or("", |(_, title, _)| title)
    }

    fn json(&self, rows: &[Row]) -> Value {
        let shown = rows.iter().map(|row| {
            let medians = row.metrics.iter().map(|(key, s)| (key.clone(), s.median));
            let ratios = self.ratios.iter().map(|key| (*key, ratio(rows, row, key)));
            json!({
                "title": row.title,
                "command": row.command,
                "warm_up_s": row.warm_up.as_secs_f64(),
                "violations": row.violations,
                "figures": medians.collect::<BTreeMap<_, _>>(),
                "spread": row.metrics,
                "ratio_to_first": ratios.collect::<BTreeMap<_, _>>(),
            })
        });
        json!({ "name": self.name, "rows": shown.collect::<Vec<_>>() })
    }
}

impl Row {
    fn median(&self, key: &str) -> Option<f64> {
        self.metrics.get(key).map(|spread| spread.median)
    }
}

fn ratio(rows: &[Row], row: &Row, key: &str) -> Option<f64> {
    let first = rows.iter().find_map(|row| row.median(key))?;
    let own = row.median(key)?;
    (first > 0.0).then(|| own / first)
}

fn figure(value: f64) -> String {
    if value.abs() >= 1_000.0 || value == value.round() {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}
