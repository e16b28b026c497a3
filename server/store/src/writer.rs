//! The interface between a node of a cluster and the connection that writes its games.

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use tilewire_rules::time::Millis;

use super::{AppendError, Give, Shard, StoreFuture};

/// The connection that writes the games of a node, as its share of the cluster needs it.
pub trait GameWriter: Debug + Send + Sync {
    /// Waits until everything that was handed over before is stored, or can never be stored.
    fn flush(&self) -> BoxFuture<'_, Result<(), AppendError>>;

    /// Gives a part to another node, behind everything that was handed over before. Returns whether it is given.
    fn give(&self, give: Arc<Give>) -> BoxFuture<'_, Result<bool, AppendError>>;

    /// Reads how long the games of each shard have stood still in all.
    fn still_times(&self) -> StoreFuture<'_, Vec<(Shard, Millis)>>;
}
