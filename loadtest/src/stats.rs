//! Statistics over runs: medians, ratios, and the spread of each metric.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A metric over all runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
pub struct Spread {
    /// The minimum.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The maximum.
    pub high: f64,
}

impl Spread {
    /// Converts to a larger unit.
    #[must_use]
    pub fn divided(self, divisor: f64) -> Self {
        Self {
            low: self.low / divisor,
            median: self.median / divisor,
            high: self.high / divisor,
        }
    }
}

/// The median: the mean of the middle two for an even number of values, `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let above = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(above);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], above))
}

/// A ratio; `None` if the divisor is zero.
#[expect(
    clippy::cast_precision_loss,
    reason = "far fewer than 2^52 of anything"
)]
pub fn per(amount: f64, units: u64) -> Option<f64> {
    (units > 0).then(|| amount / units as f64)
}

/// Converts a count to a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "far fewer than 2^52 of anything"
)]
pub const fn number(count: u64) -> f64 {
    count as f64
}

/// Each metric over all runs; a metric inside an object is named `a.b`.
pub fn spreads(runs: &[Value]) -> BTreeMap<String, Spread> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for run in runs {
        for (name, value) in run.as_object().into_iter().flatten() {
            match value {
                Value::Object(inner) => {
                    // A histogram without samples does not count as zeros.
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

/// The minimum, median and maximum of some values.
fn spread(values: &[f64]) -> Option<Spread> {
    Some(Spread {
        low: values.iter().copied().min_by(f64::total_cmp)?,
        median: median(values)?,
        high: values.iter().copied().max_by(f64::total_cmp)?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_middle_is_half_way_between_the_two_of_an_even_number() {
        let check = |values: &[f64], wanted| assert_eq!(median(values), wanted, "{values:?}");
        check(&[], None);
        check(&[5.0], Some(5.0));
        check(&[9.0, 1.0], Some(5.0));
        check(&[9.0, 1.0, 2.0], Some(2.0));
        check(&[9.0, 1.0, 2.0, 4.0], Some(3.0));
    }

    #[test]
    fn a_run_that_timed_nothing_took_no_time() {
        let run = |count: u64, p50: u64| json!({ "moves": count, "ack_latency_us": { "count": count, "p50": p50 } });
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
                ("ack_latency_us.count", 0.0, 3.0, 5.0),
                ("ack_latency_us.p50", 700.0, 800.0, 900.0),
            ],
        );
        check(
            &[(0, 0), (0, 0)],
            [
                ("moves", 0.0, 0.0, 0.0),
                ("ack_latency_us.count", 0.0, 0.0, 0.0),
                ("ack_latency_us.p50", 0.0, 0.0, 0.0),
            ],
        );
    }
}
