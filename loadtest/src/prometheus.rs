//! The server's metrics from `/metrics`, and the difference between two readings.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use tokio::net::TcpStream;

use crate::http;

/// Every sample of one reading: name with labels, and value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reading(BTreeMap<String, f64>);

impl Reading {
    /// Asks the admin listener.
    ///
    /// # Errors
    /// When it does not answer.
    pub(crate) async fn take(admin: &str) -> Result<Self> {
        let (status, body) = get(admin, "/metrics").await?;
        if status != 200 {
            bail!("{admin}/metrics answers {status}");
        }
        Ok(Self::parse(&body))
    }

    fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self(
            lines
                .filter_map(|line| {
                    let (name, value) = line.rsplit_once(' ')?;
                    Some((name.to_owned(), value.parse().ok()?))
                })
                .collect(),
        )
    }

    /// Adds what another server counts.
    pub(crate) fn add(&mut self, other: &Self) {
        for (key, value) in &other.0 {
            *self.0.entry(key.clone()).or_default() += value;
        }
    }

    /// The sum over all labels of a name.
    pub(crate) fn sum(&self, name: &str) -> f64 {
        let of_name = |key: &&String| key.split('{').next() == Some(name);
        let keys = self.0.keys().filter(of_name);
        keys.filter_map(|key| self.0.get(key)).sum()
    }

    /// The sum over the labels of a name that include this value.
    pub(crate) fn sum_where(&self, name: &str, value: &str) -> f64 {
        let value = format!("\"{value}\"");
        let of_name = |key: &&String| key.split('{').next() == Some(name) && key.contains(&value);
        let keys = self.0.keys().filter(of_name);
        keys.filter_map(|key| self.0.get(key)).sum()
    }

    /// Returns the increase since `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let differences = self.0.iter().map(|(key, value)| {
            let earlier = before.0.get(key).copied().unwrap_or(0.0);
            (key.clone(), value - earlier)
        });
        Self(differences.collect())
    }

    /// The upper bound of the histogram's bucket that contains this quantile, over all labels.
    pub(crate) fn quantile(&self, name: &str, share: f64) -> Option<f64> {
        let mut buckets: BTreeMap<u64, f64> = BTreeMap::new();
        let prefix = format!("{name}_bucket{{");
        for (key, count) in &self.0 {
            let Some(labels) = key.strip_prefix(&prefix) else {
                continue;
            };
            let bound = labels.split("le=\"").nth(1)?.split('"').next()?;
            let bound: f64 = bound.parse().unwrap_or(f64::INFINITY);
            *buckets.entry(bound.to_bits()).or_default() += count;
        }
        let total = *buckets.values().last()?;
        let found = buckets
            .iter()
            .find(|(_, count)| total > 0.0 && **count >= total * share)?;
        Some(f64::from_bits(*found.0))
    }
}

/// Status and body of a plain HTTP GET.
///
/// # Errors
/// If there is no HTTP answer.
pub(crate) async fn get(address: &str, path: &str) -> Result<(u16, String)> {
    let stream = TcpStream::connect(address)
        .await
        .with_context(|| format!("{address} does not listen"))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    http::ask(stream, &request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# TYPE a histogram\na_bucket{op=\"x\",le=\"0.1\"} 1\na_bucket{op=\"x\",le=\"0.5\"} 4\n\
        a_bucket{op=\"x\",le=\"+Inf\"} 4\na_bucket{op=\"y\",le=\"0.1\"} 3\na_bucket{op=\"y\",le=\"0.5\"} 3\n\
        a_bucket{op=\"y\",le=\"+Inf\"} 4\nb{kind=\"p\"} 2\nb{kind=\"q\"} 3\nbb 7\n";

    #[test]
    fn sums_and_quantiles_over_labels() {
        let reading = Reading::parse(TEXT);
        assert_eq!(reading.sum("b"), 5.0);
        assert_eq!(reading.sum_where("b", "q"), 3.0);
        // Of eight, four are at most 0.1 and seven at most 0.5.
        assert_eq!(reading.quantile("a", 0.5), Some(0.1));
        assert_eq!(reading.quantile("a", 0.6), Some(0.5));
        assert_eq!(reading.quantile("a", 0.99), Some(f64::INFINITY));
        assert_eq!(reading.quantile("c", 0.5), None);
    }

    #[test]
    fn only_what_came_since() {
        let before = Reading::parse("b{kind=\"p\"} 1\n");
        let since = Reading::parse(TEXT).since(&before);
        assert_eq!(since.sum("b"), 4.0);
    }
}
