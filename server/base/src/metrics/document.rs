//! `docs/metrics.md`, made from the table of metrics.

use std::fmt::Write as _;

use super::metric::{Kind, Metric, TAKEN, Values};
use super::{SECONDS, SIZES, table};

const HEAD: &str = "\
# Metrics

The admin listener shows these metrics on `/metrics`, in the text format of Prometheus. A test compares this table with the
code: `UPDATE_DOCS=1 cargo nextest run --workspace metrics::` writes it. [The folder `monitoring`](monitoring) has alert rules,
a dashboard for Grafana and a configuration for Prometheus that use them. `tilewire-server top` shows the most important ones in a terminal.

Every metric is there from the start of the server, with every value of its labels. The values of a label are words that the
server chooses, so the number of series has a bound. The metrics whose names begin with `tilewire_process_` need Linux.

";

/// Returns the text of the document.
#[must_use]
pub fn document() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| metric | kind | unit | labels | meaning |\n|---|---|---|---|---|\n");
    for metric in table::ALL {
        let (name, kind, unit) = (metric.name, metric.kind.name(), metric.unit.name());
        let row = format!(
            "| `{name}` | {kind} | {unit} | {} | {} |",
            labels(metric),
            metric.help
        );
        text.push_str(&row);
        text.push('\n');
    }
    let buckets = |bounds: &[f64]| {
        let bounds: Vec<String> = bounds.iter().map(f64::to_string).collect();
        bounds.join(", ")
    };
    let series: usize = table::ALL.iter().map(series).sum();
    // Writing to a string does not fail.
    write!(
        text,
        "\nThe buckets of a histogram in seconds end at {}; those of a size end at {}. A server has {series} series.\n",
        buckets(SECONDS),
        buckets(SIZES),
    )
    .ok();
    text
}

fn labels(metric: &Metric) -> String {
    let labels = metric.labels.iter().map(|label| {
        let values = match label.values {
            Values::These(words) if label.name == "profile" => {
                debug_assert_eq!(words.len(), 1, "this build has one profile");
                "`debug` or `release`".to_owned()
            }
            Values::These(words) => quoted(words),
            Values::RuleSets => quoted(&label.values.list()),
            Values::ErrorCodes => "[an error code](PROTOCOL.md#errors)".to_owned(),
            Values::Outcomes => {
                format!("`{TAKEN}` or [an error code](PROTOCOL.md#errors)")
            }
            Values::CloseCodes => "[a close code](PROTOCOL.md#close-codes)".to_owned(),
            Values::EndReasons => quoted(&label.values.list()),
            Values::Version => "the version of the server".to_owned(),
        };
        format!("`{}`: {values}", label.name)
    });
    labels.collect::<Vec<_>>().join("; ")
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// Returns how many series a metric has: a histogram has one for each bucket, one without a bound, a sum and a count.
fn series(metric: &Metric) -> usize {
    let values = metric.labels.iter().map(|label| label.values.list().len());
    let of_each = match metric.kind {
        Kind::Counter | Kind::Gauge => 1,
        Kind::Histogram if metric.name.ends_with("_size") => SIZES.len() + 3,
        Kind::Histogram => SECONDS.len() + 3,
    };
    of_each * values.product::<usize>()
}
