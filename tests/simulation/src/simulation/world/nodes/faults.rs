//! The faults of a simulation with several servers, and their repair.

use tilewire_game::{Location, Placement};
use tilewire_store::{Incarnation, Part, Shards};

use super::NodeEvent;
use crate::simulation::disk_nodes::Way;
use crate::simulation::world::{Coming, World};

/// When servers start, ms.
const STARTS_MS: (i64, i64) = (0, 1_500);
/// When the first fault comes, ms.
const FIRST_MS: (i64, i64) = (8_000, 30_000);
/// The time between two faults, ms.
const BETWEEN_MS: (i64, i64) = (1_000, 30_000);
/// How long a fault lasts, ms.
const LASTS_MS: (i64, i64) = (200, 9_000);
/// Time beyond the lease within which a server that is cut off has dropped its games, ms.
const DROPS_MS: i64 = 1_500;

impl World {
    /// Queues the starts of the servers and the first fault.
    pub(super) fn plan_nodes(&mut self) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let count = nodes.all.len();
        let starts: Vec<i64> = (0..count)
            .map(|_| nodes.chance.ms(STARTS_MS.0, STARTS_MS.1))
            .collect();
        let first = nodes.chance.ms(FIRST_MS.0, FIRST_MS.1);
        for (at, start) in starts.into_iter().enumerate() {
            self.at(self.now + start, Coming::Node(NodeEvent::Start(at)));
        }
        self.at(self.now + first, Coming::Node(NodeEvent::Fault));
    }

    pub(super) fn node_event(&mut self, event: NodeEvent) {
        match event {
            NodeEvent::Start(at) => self.start_node(at),
            NodeEvent::Fault if self.is_calm => {}
            NodeEvent::Fault => self.break_something(),
            NodeEvent::Release(at, life) => self.release(at, life),
            NodeEvent::Mend(at, life) => self.mend(at, life),
            NodeEvent::OutageEnds => self.end_outage(),
        }
    }

    fn break_something(&mut self) {
        let now = self.now;
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let at = nodes.chance.index(nodes.all.len());
        let until = now + nodes.chance.ms(LASTS_MS.0, LASTS_MS.1);
        let next = now + nodes.chance.ms(BETWEEN_MS.0, BETWEEN_MS.1);
        let fault = nodes.chance.below(9);
        self.at(next, Coming::Node(NodeEvent::Fault));
        self.auditor.breaks(self.epoch + now, self.epoch + until);
        match fault {
            0..3 => {
                self.trace.say(now, || format!("server {at} is killed"));
                self.auditor.count_nodes(|counts| counts.killed += 1);
                self.end_node(at);
            }
            3..5 => self.hold(at, until),
            5..7 => self.cut(at, until),
            7 => self.begin_outage(until),
            _ => self.drain(at),
        }
    }

    /// Lets a process stand still.
    fn hold(&mut self, at: usize, until: i64) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &mut nodes.all[at];
        let (Some(link), Some(clock)) = (&node.link, &node.clock) else {
            return;
        };
        if link.way() != Way::Open {
            return;
        }
        link.set(Way::Held);
        clock.hold();
        node.held_until = until;
        let life = node.life;
        self.trace
            .say(self.now, || format!("server {at} stands still"));
        self.auditor.count_nodes(|counts| counts.held += 1);
        // It does nothing as long as it stands still.
        self.auditor
            .has_lobby(self.epoch + self.now, (at, life), false);
        let lines = self.wires.values_mut();
        for wire in lines.filter(|wire| wire.node == Some(at)) {
            wire.stalled_until = wire.stalled_until.max(until);
        }
        self.at(until, Coming::Node(NodeEvent::Release(at, life)));
    }

    fn release(&mut self, at: usize, life: i64) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let (is_out, node) = (nodes.outage_until > self.now, &mut nodes.all[at]);
        if node.life != life {
            return;
        }
        if let Some(clock) = &node.clock {
            clock.release();
        }
        if let Some(link) = &node.link {
            link.set(if is_out { Way::Cut } else { Way::Open });
        }
        let until = std::mem::take(&mut node.held_until);
        let deferred = std::mem::take(&mut node.deferred);
        let owns_lobby = self.disk.look_at_nodes(|rows| {
            let row = rows.parts.get(&Part::LOBBY);
            let is_fenced = !rows.prove(node.id, &[Incarnation(life)]);
            row.and_then(|row| row.owner) == Some(node.id) && !is_fenced
        });
        if node.has_lobby && owns_lobby == Some(true) {
            let wall = self.epoch + self.now;
            self.auditor.has_lobby(wall, (at, life), true);
        }
        if until > self.now {
            self.comes_first(until, deferred);
        }
        self.trace.say(self.now, || format!("server {at} goes on"));
        // Timers that were due meanwhile are late.
        self.auditor.is_late(self.epoch + self.now + LASTS_MS.1);
    }

    /// Cuts a server off from the disk.
    fn cut(&mut self, at: usize, until: i64) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &nodes.all[at];
        let Some(link) = node.link.as_ref().filter(|link| link.way() == Way::Open) else {
            return;
        };
        link.set(Way::Cut);
        let life = node.life;
        self.trace
            .say(self.now, || format!("server {at} is cut off until {until}"));
        self.auditor.count_nodes(|counts| counts.cut += 1);
        let lease_ms = self.scenario.config.cluster.lease_ms.0;
        let is_long = until - self.now > lease_ms + DROPS_MS;
        self.at(until, Coming::Node(NodeEvent::Mend(at, life)));
        if is_long {
            self.auditor.count_nodes(|counts| counts.dropped += 1);
        }
    }

    fn mend(&mut self, at: usize, life: i64) {
        let lease_ms = self.scenario.config.cluster.lease_ms.0;
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let (is_out, node) = (nodes.outage_until > self.now, &mut nodes.all[at]);
        let Some(link) = node.link.as_ref().filter(|_| node.life == life) else {
            return;
        };
        if link.way() != Way::Cut || is_out {
            return;
        }
        if let Some(running) = &node.running
            && link.is_cut_for_longer_than(lease_ms + DROPS_MS)
        {
            let owners = running.member.owners();
            let serves = owners.mine() != Shards::NONE || owners.lobby() == Location::Mine;
            assert!(!serves, "server {at} serves behind the end of its lease");
        }
        link.set(Way::Open);
        self.trace
            .say(self.now, || format!("server {at} reaches the disk again"));
    }

    /// Cuts all servers off from the disk.
    fn begin_outage(&mut self, until: i64) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        if nodes.outage_until > self.now {
            return;
        }
        nodes.outage_until = until;
        for node in &nodes.all {
            if let Some(link) = node.link.as_ref().filter(|link| link.way() == Way::Open) {
                link.set(Way::Cut);
            }
        }
        let wall = self.epoch + self.now;
        self.trace
            .say(self.now, || format!("the disk is gone until {until}"));
        self.auditor.outage(wall, self.epoch + until);
        self.at(until, Coming::Node(NodeEvent::OutageEnds));
    }

    fn end_outage(&mut self) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        if nodes.outage_until > self.now {
            return;
        }
        for node in &nodes.all {
            if let Some(link) = node.link.as_ref().filter(|link| link.way() == Way::Cut) {
                link.set(Way::Open);
            }
        }
    }

    /// Asks a server to stop: it gives everything to the others first.
    fn drain(&mut self, at: usize) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &mut nodes.all[at];
        if let Some(running) = &node.running
            && !node.is_draining
        {
            node.is_draining = true;
            running.member.drain();
            self.trace
                .say(self.now, || format!("server {at} is asked to stop"));
            self.auditor.count_nodes(|counts| counts.drained += 1);
        }
    }

    /// Mends everything.
    pub(super) fn mend_all(&mut self) {
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        nodes.outage_until = self.now;
        self.auditor.outage_ends(self.epoch + self.now);
        let lives: Vec<(usize, i64, Option<Way>)> = nodes
            .all
            .iter()
            .enumerate()
            .map(|(at, node)| {
                let way = node.link.as_ref().map(|link| link.way());
                (at, node.life, way)
            })
            .collect();
        for (at, life, way) in lives {
            match way {
                Some(Way::Held) => self.release(at, life),
                Some(Way::Cut) => self.mend(at, life),
                _ => {}
            }
        }
    }
}
