//! The database of the simulation: the tables of the cluster, the log of each part, and planted bugs of the statements.

use std::collections::BTreeMap;

use super::{BOUNDS, Flaw};
use crate::Identity;
use tilewire_store::{
    ClusterChange, ClusterDone, DatabaseTime, Incarnation, LastRenewal, MemoryNodes, NodeId,
    NodeRows, Part, Term,
};

/// The log of the games of a part.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub(super) head: u64,
    /// The newest term whose owner has read the log.
    pub(super) read_in: Term,
    /// When it last grew.
    pub(super) grew_at: i64,
}

/// A statement from a node to the database.
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

/// The database's reply to a statement.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Joined,
    Replaced,
    Changed(ClusterDone),
    Appended(bool),
    Fenced,
}

pub(super) struct Database {
    pub(super) tables: MemoryNodes,
    pub(super) logs: BTreeMap<Part, Log>,
    /// The difference of its clock to the true time.
    pub(super) offset: i64,
    pub(super) fences: Vec<(i64, NodeId)>,
    pub(super) problems: Vec<String>,
    owners: BTreeMap<(Part, Term), NodeId>,
    flaw: Option<Flaw>,
}

impl Database {
    pub(super) fn new(parts: &[Part], flaw: Option<Flaw>) -> Self {
        let log = Log {
            head: 0,
            read_in: Term(0),
            grew_at: 0,
        };
        Self {
            tables: MemoryNodes::new(parts.iter().copied(), BOUNDS.lease_ms.0),
            logs: parts.iter().map(|part| (*part, log.clone())).collect(),
            offset: 0,
            fences: Vec::new(),
            problems: Vec::new(),
            owners: BTreeMap::new(),
            flaw,
        }
    }

    /// Executes a statement at the true time `time` that began with the rows `seen`.
    pub(super) fn execute(
        &mut self,
        time: i64,
        seen: &NodeRows,
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
        let rows = match self.flaw {
            Some(Flaw::LeaseIsRead) => seen,
            _ => &self.tables.rows,
        };
        if !rows.prove(node, &mine) {
            return Reply::Fenced;
        }
        self.tables.see(now, node);
        match statement {
            Statement::Replace(_) => {
                if let Some(row) = self.tables.rows.nodes.get_mut(&node) {
                    row.incarnation = incarnation;
                }
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
        let before = self.tables.rows.parts.clone();
        let life = (identity.node, incarnation);
        self.tables
            .join(now, life, (identity.release, identity.reads_form));
        if self.flaw == Some(Flaw::JoinKeepsParts) {
            self.tables.rows.parts = before;
        }
    }

    fn append(
        &mut self,
        time: i64,
        seen: &NodeRows,
        (node, part, term): (NodeId, Part, Term),
        after: u64,
    ) -> bool {
        let Some(log) = self.logs.get_mut(&part) else {
            return false;
        };
        if !seen.own(node, part, term) || log.head != after {
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
        seen: &NodeRows,
        node: NodeId,
        change: &ClusterChange,
    ) -> ClusterDone {
        let now = DatabaseTime(time + self.offset);
        let before = self.tables.rows.clone();
        let change = self.spoil(change);
        let done = self.tables.change(now, seen, node, &change);
        match &done {
            ClusterDone::Fenced(fenced) => {
                self.fences.extend(fenced.iter().map(|node| (time, *node)));
                done
            }
            ClusterDone::Renewed(_) if self.flaw == Some(Flaw::UnwellJudges) => {
                let was = before.nodes.get(&node).map(|row| row.well_since);
                let row = self.tables.rows.nodes.get_mut(&node);
                if let (Some(row), Some(was)) = (row, was) {
                    row.well_since = was;
                }
                done
            }
            ClusterDone::Taken(_) if self.flaw == Some(Flaw::CreditIsForgotten) => {
                self.forget_credit(now, &before, done)
            }
            _ => done,
        }
    }

    /// Returns the change that a planted bug makes in place of another.
    fn spoil(&self, change: &ClusterChange) -> ClusterChange {
        let mut change = change.clone();
        match (&mut change, self.flaw) {
            (ClusterChange::Take(parts), Some(Flaw::TermIsIgnored)) => {
                for (part, term) in parts {
                    let row = self.tables.rows.parts.get(part);
                    *term = row.map_or(*term, |row| row.term);
                }
            }
            (ClusterChange::Renew { last, .. }, Some(Flaw::CutIsHidden))
                if matches!(last, LastRenewal::LostSince(_)) =>
            {
                *last = LastRenewal::None;
            }
            _ => {}
        }
        change
    }

    /// Lets parts that were taken stand still since the last renewal of the owner before only.
    fn forget_credit(
        &mut self,
        now: DatabaseTime,
        before: &NodeRows,
        done: ClusterDone,
    ) -> ClusterDone {
        let ClusterDone::Taken(mut rows) = done else {
            return done;
        };
        for row in &mut rows {
            let owner = before.parts.get(&row.part).and_then(|row| row.owner);
            let renewed = owner.and_then(|owner| self.tables.renewed(owner));
            row.orphaned_at = Some(renewed.unwrap_or(now));
            self.tables.rows.parts.insert(row.part, *row);
        }
        ClusterDone::Taken(rows)
    }

    /// Reads the log of a part for its owner.
    pub(super) fn read(&mut self, node: NodeId, part: Part, term: Term) -> Option<u64> {
        let is_owned = self.tables.rows.own(node, part, term);
        let log = self.logs.get_mut(&part)?;
        if is_owned {
            log.read_in = log.read_in.max(term);
        }
        Some(log.head)
    }
}
