//! All metrics of the server, with their names. `docs/metrics.md` is made from the table.
//!
//! The rest of the server calls the functions and knows no names. Before [`install`] nothing is counted.

mod backups;
mod cluster;
pub mod document;
mod letters;
mod metric;
mod process;
mod pushes;
pub mod record;
pub mod table;
mod webhooks;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

pub use backups::{backup_ended, newest_backup};
pub use cluster::{
    batch_read, batch_refused, batch_sent, bus_reached, cut_off, game_placed, games_elsewhere,
    http_passed_on, lobby_left, part_left, part_stood_still, parts, parts_taken, relayed,
    renewed_late,
};
pub use document::document;
pub use letters::{
    letter_dropped, letter_sent, letters_waiting, mail_conversation, mail_failed, mail_reached,
};
pub use metric::{Kind, Label, Metric, Unit, Values};
pub use pushes::{push_dropped, push_failed, push_request, push_sent, pushes_waiting};
pub use record::*;
pub use webhooks::{
    webhook_delivered, webhook_delivery, webhook_failure, webhooks_failed, webhooks_stored,
};

/// Upper bounds of the buckets for durations, seconds.
const SECONDS: &[f64] = &[
    0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0,
    10.0,
];

/// Upper bounds of the buckets for batch sizes.
const SIZES: &[f64] = &[
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
];

/// Returns the declarations of all metrics.
#[must_use]
pub const fn all() -> &'static [Metric] {
    table::ALL
}

/// Starts counting for the whole process, and returns the renderer of the metrics.
///
/// The caller calls [`PrometheusHandle::run_upkeep`] every few seconds.
///
/// # Errors
/// When a recorder is installed already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), SIZES)?
        .install_recorder()?;
    look_up();
    show_zeros();
    process::note_start();
    table::BUILD_INFO
        .level(&[metric::VERSION, table::PROFILE])
        .set(1.0);
    Ok(handle)
}

/// Shows every metric from the start, so that a missing one is not mistaken for zero and the first event is an increase.
fn show_zeros() {
    let is_recorded = |metric: &&Metric| {
        let mut of_process = table::OF_PROCESS.iter();
        of_process.all(|other| other.name != metric.name)
    };
    for metric in table::ALL.iter().filter(is_recorded) {
        metric.show();
    }
}

/// Returns the metrics as text for Prometheus. It reads files of the operating system.
#[must_use]
pub fn page(recorded: &PrometheusHandle) -> String {
    let mut page = known(&recorded.render());
    page.push_str(&process::page());
    page
}

/// Returns a page without the samples of values that are not known.
fn known(page: &str) -> String {
    let lines = page.split_inclusive('\n');
    lines.filter(|line| !line.ends_with(" NaN\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use metrics_exporter_prometheus::PrometheusBuilder;

    #[test]
    fn a_value_that_is_not_known_has_no_sample() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        let has_sample = || page(&handle).contains("\ntilewire_storage_free_bytes ");
        ::metrics::with_local_recorder(&recorder, || {
            show_zeros();
            assert!(!has_sample());
            storage_bytes(1, 2, 0);
            assert!(has_sample(), "{}", page(&handle));
            table::FREE_BYTES.forget();
            assert!(!has_sample());
        });
        assert!(page(&handle).contains("\ntilewire_storage_log_bytes 2\n"));
    }
}
