//! A bus within one process, which loses batches when it is told to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc;

use super::{Bus, Inbox};
use tilewire_store::NodeId;

/// A bus within one process. Cheap to clone; clones are the same bus.
#[derive(Debug, Clone, Default)]
pub struct MemoryBus {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    inboxes: BTreeMap<NodeId, mpsc::Sender<Bytes>>,
    /// The ways, each from one node to another, that carry nothing.
    cut: BTreeSet<(NodeId, NodeId)>,
    /// Batches on a way that are to be lost.
    losses: BTreeMap<(NodeId, NodeId), usize>,
}

/// One node's end of a [`MemoryBus`].
#[derive(Debug, Clone)]
pub struct MemoryPort {
    bus: MemoryBus,
    node: NodeId,
}

impl MemoryBus {
    /// Connects a node, and takes the place of an earlier connection of it. `waiting` batches may wait in its inbox; beyond, they
    /// are lost.
    #[must_use]
    pub fn connect(&self, node: NodeId, waiting: usize) -> (MemoryPort, Inbox) {
        let (sender, inbox) = mpsc::channel(waiting);
        self.lock().inboxes.insert(node, sender);
        let bus = self.clone();
        (MemoryPort { bus, node }, inbox)
    }

    /// Cuts the way from one node to another.
    pub fn cut(&self, from: NodeId, to: NodeId) {
        self.lock().cut.insert((from, to));
    }

    /// Mends the way from one node to another.
    pub fn mend(&self, from: NodeId, to: NodeId) {
        self.lock().cut.remove(&(from, to));
    }

    /// Loses the next batches from one node to another.
    pub fn lose(&self, from: NodeId, to: NodeId, count: usize) {
        *self.lock().losses.entry((from, to)).or_default() += count;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Says whether the next batch on a way is lost.
    fn loses(&mut self, way: (NodeId, NodeId)) -> bool {
        let left = self.losses.entry(way).or_default();
        let is_lost = *left > 0;
        *left = left.saturating_sub(1);
        is_lost || self.cut.contains(&way)
    }
}

impl Bus for MemoryPort {
    fn publish(&self, to: NodeId, batch: Bytes) {
        let mut state = self.bus.lock();
        if !state.loses((self.node, to))
            && let Some(inbox) = state.inboxes.get(&to)
        {
            // A full inbox loses the batch.
            inbox.try_send(batch).ok();
        }
    }
}
