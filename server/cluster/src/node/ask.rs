//! Which question a node puts to the database next, and when.

use tilewire_rules::time::Timestamp;

use super::{Effect, Life, Node, Stage, is_seen};
use crate::rendezvous;
use tilewire_store::{
    ClusterChange, ClusterView, Incarnation, NodeId, NodeRow, NodeState, Part, PartRow, Term,
};

impl Node {
    /// Puts the next question, if none is open.
    pub(super) fn ask(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if self.asked.is_some() {
            return;
        }
        let Some(change) = self.next(now) else {
            return;
        };
        if let ClusterChange::Give { part, .. } = &change
            && let Some(held) = self.held.get_mut(part)
        {
            held.stage = Stage::Giving;
        }
        self.asked = Some((now, change.clone()));
        self.last_asked_at = now;
        effects.push(Effect::Ask(change));
    }

    fn next(&self, now: Timestamp) -> Option<ClusterChange> {
        if now >= self.renew_at {
            return Some(ClusterChange::Renew {
                is_draining: !self.is_open(),
                last: self.last,
            });
        }
        let view = self.view.as_ref()?;
        if let Life::Leaving(since) = self.life {
            let is_quiet = self.is_quiet(now, since);
            return is_quiet.then(|| ClusterChange::Leave(self.all_still_since(now)));
        }
        self.give(view)
            .or_else(|| self.settle(view))
            .or_else(|| self.fence(view))
            .or_else(|| self.take(now, view))
    }

    /// Gives a paused part to the node that it belongs to.
    fn give(&self, view: &ClusterView) -> Option<ClusterChange> {
        let mut held = self.held.iter();
        let (part, held) = held.find(|(_, held)| held.stage == Stage::Paused)?;
        Some(ClusterChange::Give {
            part: *part,
            term: held.term,
            to: self.receiver(*part, view)?,
            since: held.still_since?,
        })
    }

    /// Settles the parts after the node has loaded their games.
    fn settle(&self, view: &ClusterView) -> Option<ClusterChange> {
        let is_due = |row: &&PartRow| {
            let held = self.held.get(&row.part);
            let is_loaded = held.is_some_and(|held| held.term == row.term && held.is_loaded());
            row.orphaned_at.is_some() && is_loaded
        };
        let due = view.parts.iter().filter(is_due);
        let due: Vec<(Part, Term)> = due.map(|row| (row.part, row.term)).collect();
        (!due.is_empty()).then_some(ClusterChange::Settle(due))
    }

    /// Fences the nodes that are gone. The database looks at all of it again.
    fn fence(&self, view: &ClusterView) -> Option<ClusterChange> {
        let (lease_ms, after) = (self.bounds.lease_ms, view.now);
        let me = view.nodes.iter().find(|row| self.is_me(row))?;
        let is_well = after.0 - me.well_since.0 >= lease_ms.0;
        let is_gone = |row: &&NodeRow| {
            let is_open = row.state != NodeState::Fenced && !self.is_me(row);
            is_open && !is_seen(row, after, lease_ms)
        };
        let gone = view.nodes.iter().filter(is_gone);
        let nodes: Vec<(NodeId, Incarnation)> =
            gone.map(|row| (row.node, row.incarnation)).collect();
        (is_well && !nodes.is_empty()).then_some(ClusterChange::Fence { nodes, after })
    }

    /// Takes the parts without an owner that belong to this node, and those that the nodes before it in the order have not
    /// taken in their time.
    fn take(&self, now: Timestamp, view: &ClusterView) -> Option<ClusterChange> {
        // If the bus reaches no node, a node still has to run the games.
        let is_needed = self.is_open() || self.live(view).next().is_none();
        if self.life != Life::Up || !is_needed {
            return None;
        }
        let unloaded = self.held.values().filter(|held| !held.is_loaded()).count();
        let room = self.bounds.loads.saturating_sub(unloaded);
        let orphans = self.orphans.iter();
        let due = orphans.filter(|(part, (_, since))| now >= self.claims_at(**part, *since, view));
        let due: Vec<(Part, Term)> = due
            .map(|(part, (term, _))| (*part, *term))
            .take(room)
            .collect();
        (!due.is_empty()).then_some(ClusterChange::Take(due))
    }

    /// Returns from when on this node may take a part that it has known without an owner since `since`.
    fn claims_at(&self, part: Part, since: Timestamp, view: &ClusterView) -> Timestamp {
        let live = self.live(view).map(|row| row.node);
        let before = rendezvous::rank(part, self.identity.node, live);
        since + self.bounds.claim_wait_ms * i64::try_from(before).unwrap_or(i64::MAX)
    }

    /// Returns the nodes that are up and were seen in time.
    pub(super) fn live<'v>(&self, view: &'v ClusterView) -> impl Iterator<Item = &'v NodeRow> {
        let lease_ms = self.bounds.lease_ms;
        let rows = view.nodes.iter();
        rows.filter(move |row| row.state == NodeState::Up && is_seen(row, view.now, lease_ms))
    }

    pub(super) fn is_me(&self, row: &NodeRow) -> bool {
        row.node == self.identity.node
    }

    /// Returns when the node wants [`Input::Tick`](super::Input::Tick), if no other input comes before. The time can be over:
    /// everything that became due after the last input is still to be done.
    #[must_use]
    pub fn wakes_at(&self) -> Timestamp {
        let bounds = &self.bounds;
        let of_life = match self.life {
            Life::Up => None,
            Life::Draining(since) => Some(since + bounds.drain_ms),
            Life::Leaving(since) => Some(since + bounds.pause_ms),
            Life::Ended => return Timestamp::MAX,
        };
        let renewal = self.asked.is_none().then_some(self.renew_at);
        let cut_off = self.proved_at.map(|at| at + bounds.lease_ms);
        let moves = self.held.values().map(|held| match held.stage {
            Stage::Pausing(since) => since + bounds.pause_ms,
            _ => held.not_before,
        });
        let view = self.view.as_ref();
        let claims = view.into_iter().flat_map(|view| {
            let orphans = self.orphans.iter();
            orphans.map(|(part, (_, since))| self.claims_at(*part, *since, view))
        });
        let fixed = of_life.into_iter().chain(renewal).chain(cut_off);
        let later = fixed
            .chain(moves)
            .chain(claims)
            .filter(|at| *at > self.handled_at);
        later.min().unwrap_or(Timestamp::MAX)
    }
}
