//! The metrics of the backups that the server makes by itself.

use metrics::{counter, describe_counter, describe_gauge, gauge};
use tilewire_rules::time::Timestamp;

const BACKUPS: &str = "tilewire_backups_total";
const NEWEST: &str = "tilewire_backup_newest_timestamp_seconds";

/// A backup was made, or it failed.
pub fn backup_ended(is_done: bool) {
    let outcome = if is_done { "done" } else { "failed" };
    counter!(BACKUPS, "outcome" => outcome).increment(1);
}

/// The newest complete backup is of this time.
pub fn newest_backup(at: Timestamp) {
    #[expect(clippy::cast_precision_loss, reason = "seconds stay far below 2^53")]
    gauge!(NEWEST).set((at.0 / 1_000) as f64);
}

/// Shows the metrics before the first backup.
pub(super) fn show_zeros() {
    for outcome in ["done", "failed"] {
        counter!(BACKUPS, "outcome" => outcome).increment(0);
    }
    gauge!(NEWEST).set(0.0);
}

pub(super) fn describe() {
    describe_counter!(
        BACKUPS,
        "Backups that the server began by itself, by outcome: done or failed"
    );
    describe_gauge!(
        NEWEST,
        "Unix time of the newest complete backup in backup.directory, 0 if none is known"
    );
}
