//! The bounds of a node in a cluster.

use tilewire_rules::time::Millis;

use tilewire_config::ClusterConfig;

/// The bounds of a node in a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Time between two renewals of the lease.
    pub renew_ms: Millis,
    /// Time to live of a lease: a node that was not seen for as long is fenced, and one that did not reach the database for as
    /// long drops its games.
    pub lease_ms: Millis,
    /// Time for which a part without an owner is left to each node that comes first for it.
    pub claim_wait_ms: Millis,
    /// Time for which a node must have been well before parts move to it without need.
    pub settle_ms: Millis,
    /// Time for the games of a part to finish what they are storing; then the node keeps the part, and tries again later.
    pub pause_ms: Millis,
    /// Time until a part that could not be given away is tried again.
    pub retry_ms: Millis,
    /// Time for a node that stops to give its parts away; then it leaves them without an owner.
    pub drain_ms: Millis,
    /// Parts that are loaded at the same time.
    pub loads: usize,
    /// Parts of one node that are on their way to other nodes at the same time.
    pub gives: usize,
}

impl From<&ClusterConfig> for Bounds {
    fn from(config: &ClusterConfig) -> Self {
        Self {
            renew_ms: config.renew_ms,
            lease_ms: config.lease_ms,
            claim_wait_ms: config.claim_wait_ms,
            settle_ms: config.settle_ms,
            pause_ms: config.pause_ms,
            retry_ms: config.retry_ms,
            drain_ms: config.drain_ms,
            loads: config.loads,
            gives: config.gives,
        }
    }
}
