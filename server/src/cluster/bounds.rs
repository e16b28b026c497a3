//! The bounds of a node in a cluster.

use tilewire_rules::time::Millis;

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
    /// Time for the games of a part to finish what they are storing; then the part is kept for now.
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
