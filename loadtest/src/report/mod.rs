//! The report: for people, for programs, and as a page with plots.

pub(crate) mod compare;
mod html;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::args::Common;
use crate::host::Machine;
use crate::median;
use crate::results::RunResult;

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

/// A figure over all runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
pub(crate) struct Spread {
    /// The smallest.
    pub(crate) low: f64,
    /// The one in the middle.
    pub(crate) median: f64,
    /// The largest.
    pub(crate) high: f64,
}

impl Spread {
    /// The same in a larger unit.
    fn divided(self, divisor: f64) -> Self {
        Self {
            low: self.low / divisor,
            median: self.median / divisor,
            high: self.high / divisor,
        }
    }
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

    /// How much the judge objects to, in all runs.
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

    /// Whether nothing makes the test a failure.
    pub(crate) fn is_good(&self) -> bool {
        self.violations() == 0 && self.results.iter().all(|o| o.failures.is_empty())
    }

    /// Writes what was asked for; the text always, to where the JSON does not go.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, common: &Common) -> Result<()> {
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

    /// Each figure over all runs.
    ///
    /// # Errors
    /// Never, as long as figures are numbers.
    pub(crate) fn spreads(&self) -> Result<BTreeMap<String, Spread>> {
        let runs = self.results.iter();
        let runs: Vec<Value> = runs
            .map(|result| serde_json::to_value(&result.metrics))
            .collect::<Result<_, _>>()?;
        Ok(spreads(&runs))
    }

    /// Everything: the median of each figure under its name, then spread, runs and course.
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

/// Each figure over all runs, those inside objects as `a.b`.
pub(crate) fn spreads(runs: &[Value]) -> BTreeMap<String, Spread> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for run in runs {
        for (name, value) in run.as_object().into_iter().flatten() {
            match value {
                Value::Object(inner) => {
                    // Times of which a run took none are no zeros beside those of other runs.
                    let is_empty = |run: &Value| run[name]["count"].as_u64() == Some(0);
                    let is_skipped = is_empty(run) && !runs.iter().all(is_empty);
                    for (field, value) in inner {
                        let is_counted = !is_skipped || field == "count";
                        if let Some(value) = value.as_f64().filter(|_| is_counted) {
                            values
                                .entry(format!("{name}.{field}"))
                                .or_default()
                                .push(value);
                        }
                    }
                }
                value => {
                    if let Some(value) = value.as_f64() {
                        values.entry(name.clone()).or_default().push(value);
                    }
                }
            }
        }
    }
    let values = values.into_iter();
    values
        .filter_map(|(name, values)| Some((name, spread(&values)?)))
        .collect()
}

/// The smallest, the middle and the largest of some values.
fn spread(values: &[f64]) -> Option<Spread> {
    Some(Spread {
        low: values.iter().copied().min_by(f64::total_cmp)?,
        median: median::of(values)?,
        high: values.iter().copied().max_by(f64::total_cmp)?,
    })
}

/// Says something on the standard output; with nobody listening there is nobody to tell.
pub(crate) fn say(text: &str) {
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// Says something on the standard error.
pub(crate) fn complain(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_timed_nothing_took_no_time() {
        let run = |count: u64, p50: u64| json!({ "moves": count, "ack_us": { "count": count, "p50": p50 } });
        let check = |runs: &[(u64, u64)], wanted: [(&str, f64, f64, f64); 3]| {
            let runs: Vec<Value> = runs.iter().map(|(count, p50)| run(*count, *p50)).collect();
            let found = spreads(&runs);
            for (name, low, median, high) in wanted {
                let wanted = Spread { low, median, high };
                assert_eq!(found.get(name), Some(&wanted), "{name} of {runs:?}");
            }
        };
        check(
            &[(3, 700), (0, 0), (5, 900)],
            [
                ("moves", 0.0, 3.0, 5.0),
                ("ack_us.count", 0.0, 3.0, 5.0),
                ("ack_us.p50", 700.0, 800.0, 900.0),
            ],
        );
        check(
            &[(0, 0), (0, 0)],
            [
                ("moves", 0.0, 0.0, 0.0),
                ("ack_us.count", 0.0, 0.0, 0.0),
                ("ack_us.p50", 0.0, 0.0, 0.0),
            ],
        );
    }
}
