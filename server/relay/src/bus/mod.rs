//! The bus: carries batches between the nodes of a cluster, at most once, and in order for each publisher.

mod memory;
mod nats;

#[cfg(test)]
mod contract;

pub use memory::{MemoryBus, MemoryPort};
pub use nats::{NatsBus, NatsConfig, NatsError, problem};

use std::fmt::Debug;

use bytes::Bytes;
use tokio::sync::mpsc;

use tilewire_store::NodeId;

/// The batches that have come for a node, in order for each publisher. It ends with the bus.
pub type Inbox = mpsc::Receiver<Bytes>;

/// One node's end of the bus.
///
/// A batch arrives once at most. Those of one node to another arrive in the order in which they were published, with gaps where
/// some were lost. The bus loses what it cannot carry: it never waits, and reports no loss.
pub trait Bus: Debug + Send + Sync {
    /// Publishes a batch for a node. Nobody may be there.
    fn publish(&self, to: NodeId, batch: Bytes);
}
