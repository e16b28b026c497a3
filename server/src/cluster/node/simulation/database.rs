//! The database of the simulation, with the semantics of READ COMMITTED: a statement sees the rows of the moment at which it
//! begins, and of the rows that it changes the newest.

use std::collections::BTreeMap;

use super::{BOUNDS, Flaw};
use crate::cluster::Identity;
use crate::storage::{
    ClusterChange, ClusterDone, ClusterView, DatabaseTime, Incarnation, LastRenewal, NodeId,
    NodeRow, NodeState, Part, PartRow, Term,
};

/// The rows that a statement sees.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub(super) nodes: BTreeMap<NodeId, NodeRow>,
    pub(super) parts: BTreeMap<Part, PartRow>,
}

/// The log of the games of a part.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub(super) head: u64,
    /// The newest term whose owner has read the log.
    pub(super) read_in: Term,
    /// When it last grew.
    pub(super) grew_at: i64,
}

/// What a node sends.
#[derive(Debug, Clone)]
pub(super) enum Statement {
    /// Begins a life of a node.
    Join,
    /// Replaces the incarnations of lost connections.
    Replace(Vec<Incarnation>),
    /// A question of the machine.
    Change(ClusterChange),
    /// Adds a record to the log of a part that ends at `after`.
    Append { part: Part, term: Term, after: u64 },
}

/// What it gets.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Joined,
    Replaced,
    Changed(ClusterDone),
    Appended(bool),
    Fenced,
}

pub(super) struct Database {
    pub(super) rows: Rows,
    pub(super) logs: BTreeMap<Part, Log>,
    /// The difference of its clock to the true time.
    pub(super) offset: i64,
    pub(super) fences: Vec<(i64, NodeId)>,
    pub(super) problems: Vec<String>,
    /// When each node last renewed its lease. Other statements show that it lives, not that its games are played.
    renewed: BTreeMap<NodeId, DatabaseTime>,
    owners: BTreeMap<(Part, Term), NodeId>,
    flaw: Option<Flaw>,
}

impl Database {
    pub(super) fn new(parts: &[Part], flaw: Option<Flaw>) -> Self {
        let row = |part: &Part| PartRow {
            part: *part,
            owner: None,
            term: Term(0),
            orphaned_at: None,
        };
        let log = Log {
            head: 0,
            read_in: Term(0),
            grew_at: 0,
        };
        Self {
            rows: Rows {
                nodes: BTreeMap::new(),
                parts: parts.iter().map(|part| (*part, row(part))).collect(),
            },
            logs: parts.iter().map(|part| (*part, log.clone())).collect(),
            offset: 0,
            fences: Vec::new(),
            problems: Vec::new(),
            renewed: BTreeMap::new(),
            owners: BTreeMap::new(),
            flaw,
        }
    }

    /// Executes a statement at the true time `time` that began with the rows `seen`.
    pub(super) fn execute(
        &mut self,
        time: i64,
        seen: &Rows,
        (identity, incarnation): (Identity, Incarnation),
        statement: &Statement,
    ) -> Reply {
        let now = DatabaseTime(time + self.offset);
        let node = identity.node;
        if let Statement::Join = statement {
            self.join(now, identity, incarnation);
            return Reply::Joined;
        }
        let mine = match statement {
            Statement::Replace(mine) => mine.clone(),
            _ => vec![incarnation],
        };
        let row = match self.flaw {
            Some(Flaw::LeaseIsRead) => seen.nodes.get(&node),
            _ => self.rows.nodes.get(&node),
        };
        let is_mine =
            |row: &&NodeRow| row.state != NodeState::Fenced && mine.contains(&row.incarnation);
        if row.filter(is_mine).is_none() {
            return Reply::Fenced;
        }
        let Some(row) = self.rows.nodes.get_mut(&node) else {
            return Reply::Fenced;
        };
        row.seen = now;
        match statement {
            Statement::Replace(_) => {
                row.incarnation = incarnation;
                Reply::Replaced
            }
            Statement::Append { part, term, after } => {
                Reply::Appended(self.append(time, seen, (node, *part, *term), *after))
            }
            Statement::Change(change) => Reply::Changed(self.change(time, seen, node, change)),
            Statement::Join => Reply::Joined,
        }
    }

    fn join(&mut self, now: DatabaseTime, identity: Identity, incarnation: Incarnation) {
        let fresh = NodeRow {
            node: identity.node,
            incarnation,
            state: NodeState::Up,
            release: identity.release,
            reads_form: identity.reads_form,
            seen: now,
            well_since: now,
        };
        self.rows.nodes.insert(identity.node, fresh);
        let renewed = self.renewed.insert(identity.node, now);
        if self.flaw != Some(Flaw::JoinKeepsParts) {
            self.release(identity.node, renewed.unwrap_or(now));
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

    fn append(
        &mut self,
        time: i64,
        seen: &Rows,
        (node, part, term): (NodeId, Part, Term),
        after: u64,
    ) -> bool {
        let is_mine = |row: &&PartRow| row.owner == Some(node) && row.term == term;
        let Some(log) = self.logs.get_mut(&part) else {
            return false;
        };
        if seen.parts.get(&part).filter(is_mine).is_none() || log.head != after {
            return false;
        }
        if term < log.read_in {
            let problem = format!(
                "{time}: {node:?} appends to {part:?} with {term:?}, read in {:?}",
                log.read_in
            );
            self.problems.push(problem);
        }
        let owner = *self.owners.entry((part, term)).or_insert(node);
        if owner != node {
            let problem =
                format!("{time}: {node:?} and {owner:?} append to {part:?} with {term:?}");
            self.problems.push(problem);
        }
        log.head += 1;
        log.grew_at = time;
        true
    }

    fn change(
        &mut self,
        time: i64,
        seen: &Rows,
        node: NodeId,
        change: &ClusterChange,
    ) -> ClusterDone {
        let now = DatabaseTime(time + self.offset);
        match change {
            ClusterChange::Renew { is_draining, last } => {
                ClusterDone::Renewed(self.renew(now, node, *is_draining, *last))
            }
            ClusterChange::Fence { nodes, after } => {
                let fenced = self.fence(now, node, nodes, *after);
                self.fences.extend(fenced.iter().map(|node| (time, *node)));
                ClusterDone::Fenced(fenced)
            }
            ClusterChange::Take(parts) => {
                let taken = parts
                    .iter()
                    .filter_map(|part| self.take(now, seen, node, *part));
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
                    if let Some(row) = self.owned(node, *part, *term) {
                        row.orphaned_at = None;
                    }
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

    fn renew(
        &mut self,
        now: DatabaseTime,
        node: NodeId,
        is_draining: bool,
        last: LastRenewal,
    ) -> ClusterView {
        self.renewed.insert(node, now);
        if let Some(row) = self.rows.nodes.get_mut(&node) {
            row.state = if is_draining {
                NodeState::Draining
            } else {
                NodeState::Up
            };
        }
        let since = match last {
            LastRenewal::At(at) => {
                let is_late = !(0..BOUNDS.lease_ms.0 / 2).contains(&(now.0 - at.0));
                is_late.then_some(at)
            }
            LastRenewal::LostSince(at) if self.flaw != Some(Flaw::CutIsHidden) => Some(at),
            LastRenewal::None | LastRenewal::LostSince(_) => None,
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

    /// Notes that a node was unwell since a moment: it judges nobody for some time, and may have dropped its games.
    fn note_gap(&mut self, now: DatabaseTime, node: NodeId, since: DatabaseTime) {
        if let Some(row) = self.rows.nodes.get_mut(&node)
            && self.flaw != Some(Flaw::UnwellJudges)
        {
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
        let lease_ms = BOUNDS.lease_ms.0;
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
        seen: &Rows,
        node: NodeId,
        (part, term): (Part, Term),
    ) -> Option<PartRow> {
        let row = self.rows.parts.get_mut(&part)?;
        let owner = row.owner.and_then(|owner| seen.nodes.get(&owner));
        let is_free = owner.is_none_or(|owner| owner.state == NodeState::Fenced);
        let is_term = row.term == term || self.flaw == Some(Flaw::TermIsIgnored);
        if !is_free || !is_term {
            return None;
        }
        let renewed = row.owner.and_then(|owner| self.renewed.get(&owner));
        let since = renewed.copied().unwrap_or(now);
        row.orphaned_at = row.orphaned_at.or(Some(since));
        if self.flaw == Some(Flaw::CreditIsForgotten) {
            row.orphaned_at = Some(since);
        }
        row.owner = Some(node);
        row.term = row.term.next();
        Some(*row)
    }

    fn give(
        &mut self,
        now: DatabaseTime,
        seen: &Rows,
        (node, part, term): (NodeId, Part, Term),
        (to, since): (NodeId, DatabaseTime),
    ) -> bool {
        let is_up = seen.nodes.get(&to).is_some_and(|row| {
            row.state == NodeState::Up && (now.0 - row.seen.0).abs() < BOUNDS.lease_ms.0
        });
        let Some(row) = self.owned(node, part, term).filter(|_| is_up) else {
            return false;
        };
        row.owner = Some(to);
        row.term = row.term.next();
        row.orphaned_at = row.orphaned_at.or(Some(since));
        true
    }

    fn owned(&mut self, node: NodeId, part: Part, term: Term) -> Option<&mut PartRow> {
        let row = self.rows.parts.get_mut(&part)?;
        (row.owner == Some(node) && row.term == term).then_some(row)
    }

    /// Reads the log of a part for its owner.
    pub(super) fn read(&mut self, node: NodeId, part: Part, term: Term) -> Option<u64> {
        let is_owned = self.owned(node, part, term).is_some();
        let log = self.logs.get_mut(&part)?;
        if is_owned {
            log.read_in = log.read_in.max(term);
        }
        Some(log.head)
    }
}
