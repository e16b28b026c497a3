//! Updates the node's state from the tables, and from the answers to its changes.

use tilewire_rules::time::Timestamp;

use super::{Effect, Node, OwnedPart, is_orphan, is_seen};
use tilewire_store::{ClusterView, LastRenewal, NodeId, NodeState, Part, PartRow, Term};

impl Node {
    pub(super) fn renewed(
        &mut self,
        asked_at: Timestamp,
        now: Timestamp,
        view: ClusterView,
        effects: &mut Vec<Effect>,
    ) {
        self.renew_at = asked_at + self.bounds.renew_ms;
        self.last = LastRenewal::At(view.now);
        for row in &view.parts {
            self.compare(row, effects);
        }
        self.on_their_way.retain(|part, term| {
            let row = view.parts.iter().find(|row| row.part == *part);
            row.is_some_and(|row| row.term == *term && row.orphaned_at.is_some())
        });
        self.view = Some(view);
        self.read_at = now;
        self.find_orphans(now);
    }

    /// Compares a part as the database has it with what this node does.
    fn compare(&mut self, row: &PartRow, effects: &mut Vec<Effect>) {
        let is_mine = row.owner == Some(self.identity.node);
        let fresh = OwnedPart::fresh(row);
        match self.held.get_mut(&row.part) {
            None if is_mine => {
                self.held.insert(row.part, fresh);
            }
            None => {}
            Some(held) if is_mine && held.term == row.term => held.was_kept(),
            Some(held) => {
                effects.push(Effect::Drop(row.part, held.term));
                if is_mine {
                    *held = fresh;
                } else {
                    self.held.remove(&row.part);
                }
            }
        }
    }

    /// Finds the parts that have no owner, and remembers since when.
    fn find_orphans(&mut self, now: Timestamp) {
        let before = std::mem::take(&mut self.orphans);
        let Some(view) = &self.view else { return };
        let orphans = view.parts.iter().filter(|row| is_orphan(row, &view.nodes));
        self.orphans = orphans
            .map(|row| match before.get(&row.part) {
                Some((term, since)) if *term == row.term => (row.part, (row.term, *since)),
                _ => (row.part, (row.term, now)),
            })
            .collect();
    }

    /// Notes which of the nodes that were not seen are fenced. The database has seen the others meanwhile.
    pub(super) fn judged(&mut self, now: Timestamp, fenced: &[NodeId]) {
        let Some(view) = &mut self.view else { return };
        let (lease_ms, at) = (self.bounds.lease_ms, view.now);
        for row in &mut view.nodes {
            if fenced.contains(&row.node) {
                row.state = NodeState::Fenced;
            } else if !is_seen(row, at, lease_ms) {
                row.seen = at;
            }
        }
        self.find_orphans(now);
    }

    /// Notes which parts this node has taken. Another one was faster with the rest.
    pub(super) fn taken(&mut self, asked: &[(Part, Term)], rows: &[PartRow]) {
        for (part, _) in asked {
            self.orphans.remove(part);
        }
        for row in rows {
            self.held.insert(row.part, OwnedPart::fresh(row));
            self.show(*row);
        }
    }

    /// Notes that parts need no credit any more.
    pub(super) fn settled(&mut self, parts: &[(Part, Term)]) {
        let rows = self.view.iter_mut().flat_map(|view| &mut view.parts);
        for row in rows.filter(|row| parts.contains(&(row.part, row.term))) {
            row.orphaned_at = None;
        }
    }

    /// Shows a row in the view.
    pub(super) fn show(&mut self, row: PartRow) {
        let mut rows = self.view.iter_mut().flat_map(|view| &mut view.parts);
        if let Some(shown) = rows.find(|shown| shown.part == row.part) {
            *shown = row;
        }
    }
}
