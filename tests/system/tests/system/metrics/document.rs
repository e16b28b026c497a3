//! The table of metrics, and everything that names metrics: documents, the dashboard and the alert rules.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tilewire_base::metrics;
use tilewire_base::metrics::{Kind, Metric};
use tilewire_harness::binaries::workspace;

use super::{monitoring, read};

/// The endings of the series of a histogram.
const OF_HISTOGRAM: [&str; 3] = ["_bucket", "_sum", "_count"];

/// `UPDATE_DOCS=1` writes the document.
#[test]
fn the_document_is_made_from_the_table() {
    let path = workspace().join("docs/metrics.md");
    let document = metrics::document();
    if fs::read_to_string(&path).ok().as_ref() == Some(&document) {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, document).expect("a file");
        return;
    }
    panic!("docs/metrics.md is not up to date; UPDATE_DOCS=1 rewrites it");
}

/// Returns the names of metrics in a text that is no metric of the table, or a series that the metric does not have.
fn unknown_names(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_name(c));
    let names = words.filter(|word| word.starts_with("tilewire_"));
    let unknown = names.filter(|name| !is_series(name));
    unknown.map(str::to_owned).collect()
}

/// Says whether a metric has series of this name.
fn is_series(name: &str) -> bool {
    metrics::all().iter().any(|metric| match metric.kind {
        Kind::Counter | Kind::Gauge => metric.name == name,
        Kind::Histogram => {
            let ending = name.strip_prefix(metric.name);
            ending.is_some_and(|ending| OF_HISTOGRAM.contains(&ending))
        }
    })
}

/// The selectors in braces behind the names of metrics: the name, and the labels in them.
fn selectors(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("tilewire_") {
        let (name, rest) = match text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            Some(end) => text[at..].split_at(end),
            None => continue,
        };
        let Some(inside) = rest.strip_prefix('{') else {
            continue;
        };
        let inside = inside.split('}').next().unwrap_or_default();
        let labels = inside.split(',').filter_map(|matcher| {
            let end = matcher.find(['=', '!'])?;
            Some(matcher[..end].trim().to_owned())
        });
        found.push((name.to_owned(), labels.collect()));
    }
    found
}

/// Returns the metric that has the series of this name.
fn metric_of(name: &str) -> Option<&'static Metric> {
    let exact = metrics::all().iter().find(|metric| metric.name == name);
    exact.or_else(|| {
        let base = OF_HISTOGRAM.iter().find_map(|end| name.strip_suffix(end))?;
        metrics::all().iter().find(|metric| metric.name == base)
    })
}

#[test]
fn a_name_that_no_metric_has_is_found() {
    let check = |text: &str, expected: &[&str]| {
        let found = unknown_names(text);
        assert!(found.iter().eq(expected.iter()), "{text}: {found:?}");
    };
    check("rate(tilewire_turns_total[5m]) > 0", &[]);
    check("tilewire_lag_seconds_bucket + tilewire_games", &[]);
    check("tilewire_lag_seconds", &["tilewire_lag_seconds"]);
    check("tilewire_games_count", &["tilewire_games_count"]);
    check("up * tilewire_no_such", &["tilewire_no_such"]);
    let found = selectors("a(tilewire_games{x=\"1\",y!=\"2\", z=~\"3\"}) tilewire_seeks");
    let labels = ["x", "y", "z"].map(str::to_owned).to_vec();
    assert_eq!(found, [("tilewire_games".to_owned(), labels)]);
}

/// Checks that the expressions in a text name only series that exist, with labels that they have.
fn check_expressions(text: &str) {
    let unknown = unknown_names(text);
    assert!(unknown.is_empty(), "{unknown:?}");
    let selectors = selectors(text);
    assert!(!selectors.is_empty(), "{text}");
    for (name, labels) in selectors {
        let metric = metric_of(&name).expect("it is known");
        for label in labels {
            // Prometheus adds these itself.
            let is_added = ["instance", "job", "le"].contains(&label.as_str());
            let is_own = metric.labels.iter().any(|own| own.name == label);
            assert!(is_added || is_own, "{name} has no label {label}");
        }
    }
}

#[test]
fn dashboard_rules_and_documents_name_metrics_that_exist() {
    check_expressions(&read(&monitoring().join("alerts.yml")));
    let dashboard = read(&monitoring().join("grafana.json"));
    check_expressions(&dashboard.replace("\\\"", "\""));
    let dashboard: Value = serde_json::from_str(&dashboard).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_i64()).collect();
    assert_eq!(ids.len(), panels.len(), "every panel has an id of its own");

    let operating = read(&workspace().join("docs/operating/watch.md"));
    let spans = operating.split('`').skip(1).step_by(2);
    let named: Vec<&str> = spans.filter(|span| span.starts_with("tilewire_")).collect();
    assert!(named.len() > 10, "{named:?}");
    for span in named {
        let name = span.split('{').next().unwrap_or_default();
        let is_metric = metrics::all().iter().any(|metric| metric.name == name);
        assert!(is_metric, "docs/operating/watch.md names {name}");
    }
}
