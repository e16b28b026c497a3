//! The time between two pages of metrics: levels at its end, rates, and quantiles of what happened in it.

use super::page::Page;
use tilewire_base::metrics::Metric;

/// The time between two pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval<'a> {
    before: &'a Page,
    after: &'a Page,
    seconds: f64,
}

impl<'a> Interval<'a> {
    /// Compares a page with an earlier one.
    pub(super) const fn new(before: &'a Page, after: &'a Page, seconds: f64) -> Self {
        Self {
            before,
            after,
            seconds,
        }
    }

    /// Returns a label of a metric at the end.
    pub(super) fn label(&self, metric: &Metric, label: &str) -> Option<&'a str> {
        self.after.of(metric.name).next()?.label(label)
    }

    /// Returns the sum of a gauge over its labels at the end.
    pub(super) fn level(&self, metric: &Metric) -> f64 {
        self.after.sum(metric.name)
    }

    /// Returns a gauge at the end, if its value is known.
    pub(super) fn known(&self, metric: &Metric) -> Option<f64> {
        let is_known = self.after.knows(metric.name);
        is_known.then(|| self.level(metric))
    }

    /// Returns a gauge with one label at the end.
    pub(super) fn level_of(&self, metric: &Metric, label: &str, value: &str) -> f64 {
        self.after.with(metric.name, label, value)
    }

    /// Returns the increase of a counter for each second.
    pub(super) fn rate(&self, metric: &Metric) -> f64 {
        self.per_second(self.after.sum(metric.name) - self.before.sum(metric.name))
    }

    /// Returns the number of values of a histogram for each second.
    pub(super) fn values(&self, metric: &Metric) -> f64 {
        let name = format!("{}_count", metric.name);
        self.per_second(self.after.sum(&name) - self.before.sum(&name))
    }

    /// Returns the value below which this share of a histogram's values in the interval is, as Prometheus computes it:
    /// values are spread evenly in a bucket, and those above the last bound are at it. `None` without values.
    pub(super) fn quantile(&self, metric: &Metric, share: f64) -> Option<f64> {
        let buckets = self.buckets(metric);
        let all = buckets.last()?.1;
        let wanted = all * share;
        if all <= 0.0 {
            return None;
        }
        let (mut low, mut below) = (0.0, 0.0);
        for (bound, count) in buckets {
            if count >= wanted && count > below {
                let part = (wanted - below) / (count - below);
                return Some(if bound.is_finite() {
                    low + (bound - low) * part
                } else {
                    low
                });
            }
            if bound.is_finite() {
                low = bound;
            }
            below = count;
        }
        Some(low)
    }

    /// Returns the upper bounds of a histogram's buckets in order, and how many values of the interval are up to each.
    fn buckets(&self, metric: &Metric) -> Vec<(f64, f64)> {
        let name = format!("{}_bucket", metric.name);
        let mut found: Vec<(f64, f64)> = Vec::new();
        for (page, sign) in [(self.after, 1.0), (self.before, -1.0)] {
            for sample in page.of(&name) {
                // The infinite bound is `+Inf`, which is a number too.
                let Some(bound) = sample.label("le").and_then(|le| le.parse().ok()) else {
                    continue;
                };
                match found.iter_mut().find(|(other, _)| *other == bound) {
                    Some((_, count)) => *count += sign * sample.value,
                    None => found.push((bound, sign * sample.value)),
                }
            }
        }
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
        found
    }

    /// A server that has started again counts from zero: that is no decrease.
    fn per_second(&self, increase: f64) -> f64 {
        if self.seconds > 0.0 {
            increase.max(0.0) / self.seconds
        } else {
            0.0
        }
    }
}
