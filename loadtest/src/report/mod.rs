//! The report: as text, as JSON, and as an HTML page with plots.

pub(crate) mod compare;
mod html;
mod plot;
mod terms;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::host::Machine;
use crate::options::CommonOptions;
use crate::results::RunResult;
use crate::stats::{Spread, spreads};

/// All runs of a scenario.
#[derive(Debug)]
pub(crate) struct Report {
    scenario: &'static str,
    settings: Value,
    // The flags that all scenarios have.
    conditions: Value,
    machine: Machine,
    results: Vec<RunResult>,
}

impl Report {
    /// A report on these runs.
    pub(crate) const fn new(
        scenario: &'static str,
        settings: Value,
        conditions: Value,
        machine: Machine,
        results: Vec<RunResult>,
    ) -> Self {
        Self {
            scenario,
            settings,
            conditions,
            machine,
            results,
        }
    }

    /// The title: scenario, version and machine.
    fn title(&self) -> String {
        title(self.scenario, &self.machine)
    }

    /// Where the server and the clients run.
    fn cores(&self) -> String {
        let clients = &self.machine.client_cores;
        let server = match self.conditions["url"].as_str() {
            Some(address) => format!("at {address}"),
            None => format!("on cores {:?}", self.machine.server_cores),
        };
        format!("server {server}, clients on cores {clients:?}")
    }

    /// The machine of the runs.
    pub(crate) const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The number of objections of the audit in all runs.
    pub(crate) fn violations(&self) -> u64 {
        let runs = self.results.iter();
        runs.map(|result| result.metrics.violations).sum()
    }

    /// Errors by kind, in all runs.
    fn errors(&self) -> BTreeMap<&str, u64> {
        let mut errors: BTreeMap<&str, u64> = BTreeMap::new();
        for (kind, count) in self.results.iter().flat_map(|result| &result.errors) {
            *errors.entry(kind).or_default() += count;
        }
        errors
    }

    /// Whether every run passed.
    pub(crate) fn is_good(&self) -> bool {
        self.violations() == 0 && self.results.iter().all(|o| o.failures.is_empty())
    }

    /// Writes the requested formats. The text goes to stderr if the JSON goes to stdout.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, common: &CommonOptions) -> Result<()> {
        let text = text::render(self)?;
        if let Some(file) = &common.html {
            fs::write(file, html::render(self, &text)?)
                .with_context(|| format!("{} cannot be written", file.display()))?;
        }
        match common.json.as_deref() {
            Some("-") => {
                say(&serde_json::to_string_pretty(&self.json()?)?);
                complain(&text);
            }
            Some(file) => {
                say(&text);
                fs::write(file, serde_json::to_string_pretty(&self.json()?)? + "\n")
                    .with_context(|| format!("{file} cannot be written"))?;
            }
            None => say(&text),
        }
        Ok(())
    }

    /// The spread of each metric over all runs.
    ///
    /// # Errors
    /// If a metric is not a number, which is a defect of the harness.
    pub(crate) fn spreads(&self) -> Result<BTreeMap<String, Spread>> {
        let runs = self.results.iter();
        let runs: Vec<Value> = runs
            .map(|result| serde_json::to_value(&result.metrics))
            .collect::<Result<_, _>>()?;
        Ok(spreads(&runs))
    }

    /// The report as JSON: the median of each metric under its name, then the spread, the runs and their course.
    fn json(&self) -> Result<Value> {
        let runs: Vec<Value> = self
            .results
            .iter()
            .map(|result| serde_json::to_value(&result.metrics))
            .collect::<Result<_, _>>()?;
        let spreads = spreads(&runs);
        let mut report = Map::new();
        report.insert("scenario".to_owned(), json!(self.scenario));
        report.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        report.insert("machine".to_owned(), serde_json::to_value(&self.machine)?);
        report.insert("settings".to_owned(), self.settings.clone());
        report.insert("conditions".to_owned(), self.conditions.clone());
        for (name, spread) in &spreads {
            put(&mut report, name, spread.median);
        }
        report.insert("violations".to_owned(), json!(self.violations()));
        let objections: Vec<&String> = self.results.iter().flat_map(|o| &o.objections).collect();
        report.insert("objections".to_owned(), json!(objections));
        let failures: Vec<&String> = self.results.iter().flat_map(|o| &o.failures).collect();
        report.insert("failures".to_owned(), json!(failures));
        report.insert("spread".to_owned(), serde_json::to_value(&spreads)?);
        report.insert("runs".to_owned(), Value::Array(runs));
        report.insert("error_kinds".to_owned(), json!(self.errors()));
        if let Some(last) = self.results.last() {
            report.insert("samples".to_owned(), serde_json::to_value(&last.samples)?);
            let curves: BTreeMap<_, _> = last.curves.iter().cloned().collect();
            report.insert("curves".to_owned(), serde_json::to_value(curves)?);
        }
        Ok(Value::Object(report))
    }
}

/// The title of a report: scenario, version and machine.
pub(crate) fn title(scenario: &str, machine: &Machine) -> String {
    format!(
        "{scenario}: tilewire {}, {machine}",
        env!("CARGO_PKG_VERSION")
    )
}

/// Sets `a.b` as the field `b` of the object `a`. Whole numbers stay whole.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only what is whole and small"
)]
fn put(object: &mut Map<String, Value>, name: &str, value: f64) {
    let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
    let value = if is_whole {
        json!(value as i64)
    } else {
        json!(value)
    };
    match name.split_once('.') {
        None => {
            object.insert(name.to_owned(), value);
        }
        Some((outer, inner)) => {
            let within = object.entry(outer).or_insert_with(|| json!({}));
            if let Value::Object(within) = within {
                within.insert(inner.to_owned(), value);
            }
        }
    }
}

/// Prints a line on stdout; a closed stdout is not an error.
pub fn say(text: &str) {
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// Prints a line on stderr.
pub fn complain(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}
