//! The tables of the cluster in memory, with the semantics of READ COMMITTED: a statement sees the rows of the moment at which
//! it begins, and of the rows that it changes the newest. Simulations use it in place of PostgreSQL.

use std::collections::BTreeMap;

use super::{
    ClusterChange, ClusterDone, ClusterView, DatabaseTime, Incarnation, LastRenewal, NodeId,
    NodeRow, NodeState, Part, PartRow, Release, Term,
};

/// The rows that a statement sees.
#[derive(Debug, Clone, Default)]
pub struct NodeRows {
    /// The nodes.
    pub nodes: BTreeMap<NodeId, NodeRow>,
    /// The parts.
    pub parts: BTreeMap<Part, PartRow>,
}

impl NodeRows {
    /// Says whether a node has the lease with one of these incarnations.
    #[must_use]
    pub fn prove(&self, node: NodeId, incarnations: &[Incarnation]) -> bool {
        self.nodes.get(&node).is_some_and(|row| {
            row.state != NodeState::Fenced && incarnations.contains(&row.incarnation)
        })
    }

    /// Says whether a node owns a part in a term.
    #[must_use]
    pub fn own(&self, node: NodeId, part: Part, term: Term) -> bool {
        let row = self.parts.get(&part);
        row.is_some_and(|row| row.owner == Some(node) && row.term == term)
    }
}

/// The tables.
#[derive(Debug)]
pub struct MemoryNodes {
    /// The newest rows.
    pub rows: NodeRows,
    lease_ms: i64,
    /// When each node last renewed its lease. Other statements show that it lives, not that its games are played.
    renewed: BTreeMap<NodeId, DatabaseTime>,
    /// How long the games of each part have stood still in all, ms.
    still_ms: BTreeMap<Part, i64>,
}

impl MemoryNodes {
    /// Returns tables of parts without owners. Leases live for `lease_ms`.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = Part>, lease_ms: i64) -> Self {
        let row = |part| PartRow {
            part,
            owner: None,
            term: Term(0),
            orphaned_at: None,
        };
        Self {
            rows: NodeRows {
                nodes: BTreeMap::new(),
                parts: parts.into_iter().map(|part| (part, row(part))).collect(),
            },
            lease_ms,
            renewed: BTreeMap::new(),
            still_ms: BTreeMap::new(),
        }
    }

    /// Begins a life of a node. Its parts of the life before have no owner from now on.
    pub fn join(
        &mut self,
        now: DatabaseTime,
        (node, incarnation): (NodeId, Incarnation),
        (release, reads_form): (Release, i32),
    ) {
        let fresh = NodeRow {
            node,
            incarnation,
            state: NodeState::Up,
            release,
            reads_form,
            seen: now,
            well_since: now,
        };
        self.rows.nodes.insert(node, fresh);
        let renewed = self.renewed.insert(node, now);
        self.release(node, renewed.unwrap_or(now));
    }

    /// Notes that a node lives: it has stored something.
    pub fn see(&mut self, now: DatabaseTime, node: NodeId) {
        if let Some(row) = self.rows.nodes.get_mut(&node) {
            row.seen = now;
        }
    }

    /// Returns the last renewal of a node's lease.
    #[must_use]
    pub fn renewed(&self, node: NodeId) -> Option<DatabaseTime> {
        self.renewed.get(&node).copied()
    }

    /// Returns how long the games of each part have stood still in all, ms.
    #[must_use]
    pub const fn still_ms(&self) -> &BTreeMap<Part, i64> {
        &self.still_ms
    }

    /// Makes a change for a node that has proved its lease. The statement began with the rows `seen`.
    pub fn change(
        &mut self,
        now: DatabaseTime,
        seen: &NodeRows,
        node: NodeId,
        change: &ClusterChange,
    ) -> ClusterDone {
        match change {
            ClusterChange::Renew { is_draining, last } => {
                ClusterDone::Renewed(self.renew(now, node, *is_draining, *last))
            }
            ClusterChange::Fence { nodes, after } => {
                ClusterDone::Fenced(self.fence(now, node, nodes, *after))
            }
            ClusterChange::Take(parts) => {
                let taken = parts.iter();
                let taken = taken.filter_map(|part| self.take(now, seen, node, *part));
                ClusterDone::Taken(taken.collect())
            }
            ClusterChange::Give {
                part,
                term,
                to,
                since,
            } => ClusterDone::Given(self.give(now, seen, (node, *part, *term), (*to, *since))),
            ClusterChange::Settle(parts) => {
                for (part, term) in parts {
                    self.settle(now, (node, *part, *term));
                }
                ClusterDone::Settled
            }
            ClusterChange::Leave(since) => {
                if let Some(row) = self.rows.nodes.get_mut(&node) {
                    row.state = NodeState::Fenced;
                }
                self.release(node, *since);
                ClusterDone::Left
            }
        }
    }

    /// Leaves the parts of a node without an owner.
    fn release(&mut self, node: NodeId, since: DatabaseTime) {
        for row in self.rows.parts.values_mut() {
            if row.owner == Some(node) {
                row.owner = None;
                row.term = row.term.next();
                row.orphaned_at = row.orphaned_at.or(Some(since));
            }
        }
    }

    fn renew(
        &mut self,
        now: DatabaseTime,
        node: NodeId,
        is_draining: bool,
        last: LastRenewal,
    ) -> ClusterView {
        self.renewed.insert(node, now);
        if let Some(row) = self.rows.nodes.get_mut(&node) {
            row.state = match is_draining {
                true => NodeState::Draining,
                false => NodeState::Up,
            };
            // The first renewal of a life comes as late as an outage after the start lets it.
            if last == LastRenewal::None {
                row.well_since = now;
            }
        }
        let since = match last {
            LastRenewal::None => None,
            LastRenewal::At(at) => {
                let is_late = !(0..self.lease_ms / 2).contains(&(now.0 - at.0));
                is_late.then_some(at)
            }
            LastRenewal::LostSince(at) => Some(at),
        };
        if let Some(since) = since {
            self.note_gap(now, node, since);
        }
        ClusterView {
            now,
            nodes: self.rows.nodes.values().cloned().collect(),
            parts: self.rows.parts.values().copied().collect(),
        }
    }

    /// Notes that a node was unwell since a moment: it fences no other node for some time, and may have dropped its games.
    fn note_gap(&mut self, now: DatabaseTime, node: NodeId, since: DatabaseTime) {
        if let Some(row) = self.rows.nodes.get_mut(&node) {
            row.well_since = now;
        }
        let mine = self.rows.parts.values_mut();
        for row in mine.filter(|row| row.owner == Some(node)) {
            row.orphaned_at = row.orphaned_at.or(Some(since));
        }
    }

    fn fence(
        &mut self,
        now: DatabaseTime,
        node: NodeId,
        nodes: &[(NodeId, Incarnation)],
        after: DatabaseTime,
    ) -> Vec<NodeId> {
        let lease_ms = self.lease_ms;
        let is_well = self.rows.nodes.get(&node).is_some_and(|row| {
            now.0 - row.well_since.0 >= lease_ms && (0..lease_ms).contains(&(now.0 - after.0))
        });
        let mut fenced = Vec::new();
        for (other, incarnation) in nodes {
            if let Some(row) = self.rows.nodes.get_mut(other)
                && is_well
                && row.incarnation == *incarnation
                && row.state != NodeState::Fenced
                && (now.0 - row.seen.0).abs() >= lease_ms
            {
                row.state = NodeState::Fenced;
                fenced.push(*other);
            }
        }
        fenced
    }

    fn take(
        &mut self,
        now: DatabaseTime,
        seen: &NodeRows,
        node: NodeId,
        (part, term): (Part, Term),
    ) -> Option<PartRow> {
        let row = self.rows.parts.get_mut(&part)?;
        let owner = row.owner.and_then(|owner| seen.nodes.get(&owner));
        let is_free = owner.is_none_or(|owner| owner.state == NodeState::Fenced);
        if !is_free || row.term != term {
            return None;
        }
        let renewed = row.owner.and_then(|owner| self.renewed.get(&owner));
        let since = renewed.copied().unwrap_or(now);
        row.orphaned_at = row.orphaned_at.or(Some(since));
        row.owner = Some(node);
        row.term = row.term.next();
        Some(*row)
    }

    fn give(
        &mut self,
        now: DatabaseTime,
        seen: &NodeRows,
        (node, part, term): (NodeId, Part, Term),
        (to, since): (NodeId, DatabaseTime),
    ) -> bool {
        let lease_ms = self.lease_ms;
        let is_up = seen
            .nodes
            .get(&to)
            .is_some_and(|row| row.state == NodeState::Up && (now.0 - row.seen.0).abs() < lease_ms);
        let Some(row) = self.owned(node, part, term).filter(|_| is_up) else {
            return false;
        };
        row.owner = Some(to);
        row.term = row.term.next();
        row.orphaned_at = row.orphaned_at.or(Some(since));
        true
    }

    fn settle(&mut self, now: DatabaseTime, (node, part, term): (NodeId, Part, Term)) {
        let Some(row) = self.owned(node, part, term) else {
            return;
        };
        if let Some(since) = row.orphaned_at.take() {
            *self.still_ms.entry(part).or_default() += (now.0 - since.0).max(0);
        }
    }

    fn owned(&mut self, node: NodeId, part: Part, term: Term) -> Option<&mut PartRow> {
        let row = self.rows.parts.get_mut(&part)?;
        (row.owner == Some(node) && row.term == term).then_some(row)
    }
}
