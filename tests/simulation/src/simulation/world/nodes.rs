//! Several servers of a simulation share one disk, and play the games of each other over a bus in memory.
//!
//! All of them are in one virtual time. A process that is killed goes on as a ghost: the disk answers it nothing, and nothing
//! that it says arrives anywhere. One that stands still has a clock that is held, and hears and says nothing.

mod faults;
mod lobby;
mod start;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_cluster::{Member, StopReason};
use tilewire_config::Config;
use tilewire_relay::bus::MemoryBus;
use tilewire_rules::time::Timestamp;
use tilewire_server::app::App;
use tilewire_store::NodeId;
use tokio_util::sync::CancellationToken;

use super::{Coming, Exit, World};
use crate::simulation::chance::Chance;
use crate::simulation::disk::Disk;
use crate::simulation::disk_nodes::{Link, Way};
use crate::simulation::line::LineId;

/// Time until a client tries again that finds no server, ms.
const NO_SERVER_MS: i64 = 700;

/// Something that happens to a server.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeEvent {
    /// Its process starts.
    Start(usize),
    /// Something breaks.
    Fault,
    /// The life of a server goes on, which stood still.
    Release(usize, i64),
    /// The way of a life to the disk is mended.
    Mend(usize, i64),
    /// The disk can be reached again.
    OutageEnds,
}

/// A report of a server's task.
pub(super) enum Report {
    /// The process of a life has started.
    Started(Box<Running>),
    /// It has ended by itself.
    Stopped(StopReason),
    /// The lobby begins, or has ended.
    Lobby(bool),
}

/// The reports of the servers' tasks, each with its server and that server's incarnation.
#[derive(Clone, Default)]
pub(super) struct Reports(Arc<Mutex<Vec<(usize, i64, Report)>>>);

impl Reports {
    pub(super) fn tell(&self, node: usize, life: i64, report: Report) {
        let mut reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reports.push((node, life, report));
    }

    fn take(&self) -> Vec<(usize, i64, Report)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A process that serves.
pub(super) struct Running {
    app: Arc<App>,
    member: Arc<Member>,
    /// Ends the relay.
    stop: CancellationToken,
}

/// A server.
struct Node {
    id: NodeId,
    /// Counts its processes.
    life: i64,
    link: Option<Arc<Link>>,
    clock: Option<ServerClock>,
    running: Option<Running>,
    /// Until when it stands still.
    held_until: i64,
    /// The numbers of the events that have come since it stands still. They are queued for the end of that time.
    deferred: Vec<u64>,
    is_draining: bool,
    has_lobby: bool,
}

/// The servers.
pub(super) struct Nodes {
    all: Vec<Node>,
    bus: MemoryBus,
    chance: Chance,
    reports: Reports,
    /// Until when no server reaches the disk.
    outage_until: i64,
    /// The server to which a client connects that does so now.
    pub(super) chosen: Option<usize>,
}

impl Nodes {
    pub(super) fn new(seed: u64, config: &Config, disk: &Disk) -> Self {
        let mut chance = Chance::new(seed, "nodes");
        disk.share(config.cluster.lease_ms.0);
        let node = |id| Node {
            id: NodeId(id),
            life: 0,
            link: None,
            clock: None,
            running: None,
            held_until: 0,
            deferred: Vec::new(),
            is_draining: false,
            has_lobby: false,
        };
        let count = *chance.pick(&[2, 3]);
        Self {
            all: (1..=count).map(node).collect(),
            bus: MemoryBus::default(),
            chance,
            reports: Reports::default(),
            outage_until: 0,
            chosen: None,
        }
    }

    /// Chooses a server for a client that connects.
    fn choose(&mut self) -> Option<(usize, Arc<App>)> {
        let all = self.all.iter().enumerate();
        let up: Vec<(usize, &Running)> = all
            .filter_map(|(at, node)| Some((at, node.running.as_ref()?)))
            .collect();
        if up.is_empty() {
            return None;
        }
        let (at, running) = up[self.chance.index(up.len())];
        Some((at, Arc::clone(&running.app)))
    }
}

impl World {
    /// Lets several servers run until every game is over.
    pub(super) async fn life_of_nodes(&mut self) -> Exit {
        let clock = ServerClock::starting_at(Timestamp(self.wall()));
        self.disk.start(clock.clone());
        self.auditor.started(self.wall(), None, &BTreeSet::new());
        self.auditor.is_ready(self.wall());
        self.auditor.shares(&self.scenario.config.cluster);
        self.plan_nodes();
        loop {
            self.now = clock.now().0 - self.epoch;
            self.listen();
            if let Some(exit) = self.due(None) {
                return exit;
            }
            let next = self.queue.keys().next().map_or(self.now, |(at, _)| *at);
            let wait = Duration::from_millis(u64::try_from(next - self.now).unwrap_or(0));
            let (disk, lines) = (Arc::clone(&self.disk), Arc::clone(&self.lines));
            tokio::select! {
                biased;
                () = lines.changed.notified() => {}
                () = disk.changed.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    pub(super) fn comes_to_nodes(&mut self, coming: Coming) -> Option<Exit> {
        let coming = match coming {
            Coming::Node(event) => {
                self.node_event(event);
                return None;
            }
            Coming::Arrive(line, _) | Coming::Break(line, _)
                if let Some((node, until)) = self.held_until(line) =>
            {
                self.at(until, coming);
                let nodes = self.nodes.iter_mut();
                nodes.for_each(|nodes| nodes.all[node].deferred.push(self.queued));
                return None;
            }
            Coming::Calm => {
                self.mend_all();
                Coming::Calm
            }
            other => other,
        };
        let chosen = self.nodes.as_mut().and_then(Nodes::choose);
        match (chosen, coming) {
            (Some((at, app)), coming) => {
                self.choose(Some(at));
                let exit = self.comes(coming, &app);
                self.choose(None);
                exit
            }
            (None, coming) => {
                self.at(self.now + NO_SERVER_MS, coming);
                None
            }
        }
    }

    fn choose(&mut self, chosen: Option<usize>) {
        if let Some(nodes) = &mut self.nodes {
            nodes.chosen = chosen;
        }
    }

    /// Returns the server of a connection and until when it stands still, if it does.
    fn held_until(&self, line: LineId) -> Option<(usize, i64)> {
        let node = self.wires.get(&line)?.node?;
        let until = self.nodes.as_ref()?.all[node].held_until;
        (until > self.now).then_some((node, until))
    }

    /// A server goes on, before the end of the time for which it was to stand still: what has come since comes first.
    fn comes_first(&mut self, until: i64, deferred: Vec<u64>) {
        for number in deferred {
            if let Some(coming) = self.queue.remove(&(until, number)) {
                self.queue.insert((self.now - 1, number), coming);
            }
        }
    }

    /// Processes the reports of the servers.
    pub(super) fn hear_nodes(&mut self) {
        let Some(nodes) = &self.nodes else {
            return;
        };
        for (node, life, report) in nodes.reports.take() {
            self.hear_node(node, life, report);
        }
        for node in self.disk.take_fenced() {
            self.trace.say(self.now, || format!("{node:?} is fenced"));
            let server = usize::try_from(node.0 - 1).expect("numbers begin with 1");
            self.auditor.fenced(self.wall(), server);
        }
    }

    fn hear_node(&mut self, at: usize, life: i64, report: Report) {
        let wall = self.wall();
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &mut nodes.all[at];
        let is_alive = node.life == life && node.link.is_some();
        match report {
            Report::Started(running) if is_alive => {
                self.trace
                    .say(self.now, || format!("server {at} serves in life {life}"));
                self.starts += 1;
                node.running = Some(*running);
            }
            Report::Stopped(reason) if is_alive => {
                self.trace
                    .say(self.now, || format!("server {at} ends: {reason:?}"));
                self.end_node(at);
            }
            Report::Lobby(begins) if is_alive => {
                self.trace
                    .say(self.now, || format!("the lobby of server {at}: {begins}"));
                node.has_lobby = begins;
                // It does nothing as long as it stands still.
                if node.held_until == 0 {
                    self.auditor.has_lobby(wall, (at, life), begins);
                }
            }
            _ => {}
        }
    }

    /// Ends a process at once, and starts another one some time later.
    fn end_node(&mut self, at: usize) {
        self.kill_node(at);
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let wait = nodes.chance.ms(100, 6_000);
        self.at(self.now + wait, Coming::Node(NodeEvent::Start(at)));
    }

    /// Ends a process at once: its connections break, and it sends nothing more.
    fn kill_node(&mut self, at: usize) {
        let lines = self.wires.iter();
        let lines = lines.filter(|(_, wire)| wire.node == Some(at));
        let lines: Vec<LineId> = lines.map(|(line, _)| *line).collect();
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &mut nodes.all[at];
        let Some(link) = node.link.take() else {
            return;
        };
        link.set(Way::Dead);
        if let Some(running) = node.running.take() {
            running.stop.cancel();
        }
        if let Some(clock) = node.clock.take() {
            clock.release();
        }
        (node.held_until, node.is_draining) = (0, false);
        node.deferred.clear();
        node.has_lobby = false;
        let (id, life) = (node.id, node.life);
        self.auditor
            .has_lobby(self.epoch + self.now, (at, life), false);
        let lost = self.disk.look_at_nodes(|rows| {
            let mine = rows.parts.values();
            let mine = mine.filter(|row| row.owner == Some(id));
            mine.map(|row| row.part).collect()
        });
        let lost: BTreeSet<_> = lost.unwrap_or_default();
        let asleep = self.asleep();
        self.auditor
            .node_lost(self.epoch + self.now, &lost, &asleep);
        for line in lines {
            self.lines.hang_up(line, false);
            self.auditor.ended(line);
            self.break_off(line);
            self.wires.remove(&line);
        }
        let wires = &self.wires;
        self.queue.retain(|_, coming| match coming {
            Coming::Arrive(line, _) | Coming::Break(line, _) | Coming::Read(line) => {
                wires.contains_key(line)
            }
            _ => true,
        });
    }
}
