//! How parts leave a node: to the node that they belong to, one after the other, and all of them before the node stops.

use tilewire_rules::time::Timestamp;

use super::{Effect, Life, Node, Stage};
use crate::rendezvous;
use tilewire_store::{
    ClusterView, DatabaseTime, LastRenewal, NodeId, NodeRow, Part, PartRow, Term,
};

impl Node {
    /// Begins and gives up moves of parts.
    pub(super) fn move_parts(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if self.has_nothing_to_wait_for(now) {
            self.life = Life::Leaving(now);
        }
        if let Life::Leaving(_) = self.life {
            self.pause_all(now, effects);
            return;
        }
        self.give_up_moves(now, effects);
        let moving = self.held.values().filter(|held| held.is_moving()).count();
        let room = self.bounds.gives;
        let room = room.saturating_sub(moving + self.on_their_way.len());
        for part in self.movable(now, room) {
            self.pause(now, part, effects);
        }
    }

    fn pause(&mut self, now: Timestamp, part: Part, effects: &mut Vec<Effect>) {
        // Players of other nodes could not play since the bus was lost.
        let still_since = self.moment(self.apart_since.unwrap_or(now));
        if let Some(held) = self.held.get_mut(&part) {
            held.stage = Stage::Pausing(now);
            held.still_since = still_since;
            effects.push(Effect::Pause(part, held.term));
        }
    }

    /// Returns a moment on the clock of the database that is certainly not after `now`, and as a rule just before it.
    fn moment(&self, now: Timestamp) -> Option<DatabaseTime> {
        let read = |view: &ClusterView| DatabaseTime(view.now.0 + (now - self.read_at).0);
        match (self.view.as_ref().map(read), self.last) {
            (Some(at), _) => Some(at),
            (None, LastRenewal::At(at) | LastRenewal::LostSince(at)) => Some(at),
            (None, LastRenewal::None) => None,
        }
    }

    /// Returns since when games of this node stand still that it leaves without an owner.
    pub(super) fn all_still_since(&self, now: Timestamp) -> DatabaseTime {
        let held = self.held.values().filter_map(|held| held.still_since);
        let since = held.chain(self.moment(now)).min();
        since.unwrap_or(DatabaseTime(0)) // it never read the tables, and owns nothing
    }

    /// Says whether a node that drains has given everything away, has no time left, or has no node to give to.
    fn has_nothing_to_wait_for(&self, now: Timestamp) -> bool {
        let Life::Draining(since) = self.life else {
            return false;
        };
        let is_done = |view: &ClusterView| {
            let is_empty = self.held.is_empty() && self.on_their_way.is_empty();
            is_empty || self.receivers(view).next().is_none()
        };
        now - since >= self.bounds.drain_ms || self.view.as_ref().is_some_and(is_done)
    }

    fn pause_all(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let held = self.held.iter();
        let served = held.filter(|(_, held)| held.stage == Stage::Serving);
        let served: Vec<Part> = served.map(|(part, _)| *part).collect();
        for part in served {
            self.pause(now, part, effects);
        }
    }

    /// Says whether no game is storing anything, or there is no time left to wait for it.
    pub(super) fn is_quiet(&self, now: Timestamp, leaving_since: Timestamp) -> bool {
        let is_busy = |stage| matches!(stage, Stage::Serving | Stage::Pausing(_));
        let is_over = now - leaving_since >= self.bounds.pause_ms;
        is_over || !self.held.values().any(|held| is_busy(held.stage))
    }

    /// Notes that the games of a part are quiet.
    pub(super) fn paused(&mut self, part: Part, term: Term) {
        if let Some(held) = self.held.get_mut(&part)
            && held.term == term
            && matches!(held.stage, Stage::Pausing(_))
        {
            held.stage = Stage::Paused;
        }
    }

    /// Keeps the parts that were not quiet in time, and those that have no other node any more.
    fn give_up_moves(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let is_stuck = |part: &Part, stage| match stage {
            Stage::Pausing(since) => now - since >= self.bounds.pause_ms,
            Stage::Paused => {
                let view = self.view.as_ref();
                view.is_some_and(|view| self.receiver(*part, view).is_none())
            }
            _ => false,
        };
        let held = self.held.iter();
        let stuck = held.filter(|(part, held)| is_stuck(part, held.stage));
        let stuck: Vec<Part> = stuck.map(|(part, _)| *part).collect();
        for part in stuck {
            self.resume(now, part, effects);
        }
    }

    fn resume(&mut self, now: Timestamp, part: Part, effects: &mut Vec<Effect>) {
        let retry_ms = self.bounds.retry_ms;
        if let Some(held) = self.held.get_mut(&part) {
            held.stage = Stage::Serving;
            held.still_since = None;
            held.not_before = now + retry_ms;
            effects.push(Effect::Resume(part, held.term));
        }
    }

    /// Notes that a part has moved to another node, or has not.
    pub(super) fn given(
        &mut self,
        now: Timestamp,
        (part, term): (Part, Term),
        to: Option<NodeId>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(held) = self.held.get_mut(&part) else {
            return;
        };
        let Some(to) = to else {
            held.stage = Stage::Paused;
            if !matches!(self.life, Life::Leaving(_)) {
                self.resume(now, part, effects);
            }
            return;
        };
        self.held.remove(&part);
        self.on_their_way.insert(part, term.next());
        effects.push(Effect::Drop(part, term));
        let orphaned_at = self.moment(now);
        self.show(PartRow {
            part,
            owner: Some(to),
            term: term.next(),
            orphaned_at,
        });
    }

    /// Returns the next parts that belong to other nodes, up to a limit.
    fn movable(&self, now: Timestamp, most: usize) -> Vec<Part> {
        let Some(view) = &self.view else {
            return Vec::new();
        };
        let is_due = |row: &&PartRow| {
            let held = self.held.get(&row.part);
            let is_played = held.is_some_and(|held| {
                held.stage == Stage::Serving && held.term == row.term && held.not_before <= now
            });
            is_played && row.orphaned_at.is_none() && self.receiver(row.part, view).is_some()
        };
        let due = view.parts.iter().filter(is_due);
        due.take(most).map(|row| row.part).collect()
    }

    /// Returns the node to which a part of this node belongs; `None` if it belongs here.
    pub(super) fn receiver(&self, part: Part, view: &ClusterView) -> Option<NodeId> {
        let me = self.identity.node;
        let others = self.receivers(view).map(|row| row.node);
        let here = self.is_open().then_some(me);
        rendezvous::first(part, others.chain(here)).filter(|node| *node != me)
    }

    /// Returns the nodes to which this one may give parts: no older ones, and, unless it drains, only those that were well
    /// for some time.
    fn receivers<'v>(&self, view: &'v ClusterView) -> impl Iterator<Item = &'v NodeRow> {
        let identity = self.identity;
        let settle_ms = match self.life {
            Life::Up => self.bounds.settle_ms.0,
            _ => 0,
        };
        self.live(view).filter(move |row| {
            let can_read = row.release >= identity.release && row.reads_form >= identity.reads_form;
            let is_settled = view.now.0 - row.well_since.0 >= settle_ms;
            row.node != identity.node && can_read && is_settled
        })
    }
}
