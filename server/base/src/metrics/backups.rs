//! The metrics of the backups that the server makes by itself.

use tilewire_rules::time::Timestamp;

use super::table::{BACKUP_NEWEST, BACKUPS};

/// A backup was made, or it failed.
pub fn backup_ended(is_done: bool) {
    let outcome = if is_done { "done" } else { "failed" };
    BACKUPS.count(&[outcome]).increment(1);
}

/// The newest complete backup is of this time.
pub fn newest_backup(at: Timestamp) {
    #[expect(clippy::cast_precision_loss, reason = "seconds stay far below 2^53")]
    BACKUP_NEWEST.level(&[]).set((at.0 / 1_000) as f64);
}
