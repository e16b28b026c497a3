//! The metrics of a server among several.

use tilewire_rules::time::Millis;

use super::table::{
    CLUSTER_CUT_OFFS, CLUSTER_LATE, CLUSTER_LEFT, CLUSTER_LOBBY, CLUSTER_SHARDS, CLUSTER_STILL,
    CLUSTER_TAKEN,
};

/// The server owns so many shards, and the lobby or not.
pub(crate) fn parts(shards: usize, has_lobby: bool) {
    #[expect(clippy::cast_precision_loss, reason = "there are few shards")]
    CLUSTER_SHARDS.level(&[]).set(shards as f64);
    CLUSTER_LOBBY.level(&[]).set(f64::from(u8::from(has_lobby)));
}

/// The server has got so many parts.
pub(crate) fn parts_taken(parts: usize) {
    CLUSTER_TAKEN.count(&[]).increment(parts as u64);
}

/// A part has gone to another server.
pub(crate) fn part_left() {
    CLUSTER_LEFT.count(&[]).increment(1);
}

/// A part that the server has loaded had stood still for so long.
pub(crate) fn part_stood_still(still_ms: Millis) {
    CLUSTER_STILL
        .spread(&[])
        .record(still_ms.to_duration().as_secs_f64());
}

/// The lease was renewed late.
pub(crate) fn renewed_late() {
    CLUSTER_LATE.count(&[]).increment(1);
}

/// The database did not answer the server, which has dropped its games.
pub(crate) fn cut_off() {
    CLUSTER_CUT_OFFS.count(&[]).increment(1);
}
