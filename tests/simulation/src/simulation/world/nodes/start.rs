//! How a server of several starts.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_cluster::{Callback, Joining, Member, Serving};
use tilewire_config::Config;
use tilewire_delivery::outbound::Registry;
use tilewire_relay::RelayHandle;
use tilewire_relay::bus::{Bus, Inbox, MemoryPort};
use tilewire_results::chronicle::RatingCache;
use tilewire_rules::time::Timestamp;
use tilewire_server::app::{App, InCluster};
use tilewire_server::{RelayOver, relay_over};
use tilewire_store::{GameWriter, Incarnation, NodeId};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::lobby::Lobby;
use super::{Report, Reports, Running};
use crate::simulation::chance::Chance;
use crate::simulation::disk::Disk;
use crate::simulation::disk_nodes::{Link, Way, now_on_the_clock};
use crate::simulation::durable::token_key;
use crate::simulation::flaws::Flaw;
use crate::simulation::scenario;
use crate::simulation::world::World;
use crate::simulation::world::people::parts_of;

/// Batches that may wait for a server.
const WAITING: usize = 4_096;
/// One in so many batches may take longer.
const SLOW_BATCHES: u64 = 3;
/// Longest time of a batch on its way, ms: servers wait for longer before a flag falls.
const SLOW_MS: u64 = 40;
/// The wait before another attempt to start.
const AGAIN: Duration = Duration::from_millis(300);

/// A server's end of the bus: a process that has ended or stands still says nothing. Batches take some time on their way, and arrive in
/// order.
#[derive(Debug)]
struct Port {
    link: Arc<Link>,
    chance: Mutex<Chance>,
    on_the_way: mpsc::UnboundedSender<(Instant, NodeId, Bytes)>,
}

impl Port {
    fn new(port: MemoryPort, link: Arc<Link>, chance: Chance) -> Self {
        let (on_the_way, mut batches) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some((arrives_at, to, batch)) = batches.recv().await {
                sleep_until(arrives_at).await;
                port.publish(to, batch);
            }
        });
        Self {
            link,
            chance: Mutex::new(chance),
            on_the_way,
        }
    }
}

impl Bus for Port {
    fn publish(&self, to: NodeId, batch: Bytes) {
        if matches!(self.link.way(), Way::Dead | Way::Held) {
            return;
        }
        let takes = {
            let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
            let most = if chance.one_in(SLOW_BATCHES) {
                SLOW_MS
            } else {
                2
            };
            Duration::from_millis(chance.below(most + 1))
        };
        // The task ends with the runtime.
        self.on_the_way
            .send((now_on_the_clock() + takes, to, batch))
            .ok();
    }
}

/// The arguments of a server process.
struct Process {
    at: usize,
    life: i64,
    config: Config,
    disk: Arc<Disk>,
    link: Arc<Link>,
    clock: ServerClock,
    ids: Ids,
    bus: (Port, Inbox),
    reports: Reports,
    flaw: Option<Flaw>,
}

impl World {
    /// Starts the process of a server, unless it runs.
    pub(super) fn start_node(&mut self, at: usize) {
        let wall = Timestamp(self.wall());
        let config = self.scenario.config.clone();
        let Some(nodes) = &mut self.nodes else {
            return;
        };
        let node = &mut nodes.all[at];
        if node.link.is_some() {
            return;
        }
        node.life += 1;
        let link = Link::new(node.id, Incarnation(node.life));
        if nodes.outage_until > self.now {
            link.set(Way::Cut);
        }
        let clock = ServerClock::holdable(wall);
        let (port, inbox) = nodes.bus.connect(node.id, WAITING);
        let chance = Chance::new(nodes.chance.draw(), "bus");
        let port = Port::new(port, Arc::clone(&link), chance);
        (node.link, node.clock) = (Some(Arc::clone(&link)), Some(clock.clone()));
        let process = Process {
            at,
            life: node.life,
            config,
            disk: self.disk.of_node(Arc::clone(&link)),
            link,
            clock,
            ids: self.ids.clone(),
            bus: (port, inbox),
            reports: nodes.reports.clone(),
            flaw: self.options.flaw,
        };
        let life = process.life;
        self.trace
            .say(self.now, || format!("server {at} starts in life {life}"));
        tokio::spawn(process.start());
    }
}

impl Process {
    async fn start(self) {
        if !self.disk.reaches().await {
            return self.reports.tell(self.at, self.life, stopped());
        }
        self.disk.join(&self.link);
        let joining = Joining {
            node: self.link.node,
            life: self.link.life,
            writer: Arc::clone(&self.disk) as Arc<dyn GameWriter>,
            terms: Arc::clone(&self.link.terms),
        };
        let keeper = self.disk.keeper();
        let begun = Member::of(joining, &self.config.cluster, &self.clock, keeper);
        let (member, machine) = begun.expect("no thread is needed");
        tokio::spawn(machine);
        let member = Arc::new(member);
        let (watched, reports) = (Arc::clone(&member), self.reports.clone());
        let (at, life) = (self.at, self.life);
        tokio::spawn(async move {
            let reason = watched.stopped().await;
            reports.tell(at, life, Report::Stopped(reason));
        });
        let relay = RelayHandle::default();
        let (app, ratings) = self.app(&member, &relay).await;
        self.serve(member, &relay, app, ratings);
    }

    /// Starts everything but the share of the games.
    async fn app(&self, member: &Member, relay: &RelayHandle) -> (Arc<App>, Arc<RatingCache>) {
        loop {
            let ratings = RatingCache::filled(self.clock.clone(), &*self.disk.stores()).await;
            let ratings = Arc::new(ratings.expect("the disk never refuses them"));
            let mut parts = parts_of(
                self.config.clone(),
                &self.disk,
                &self.clock,
                &self.ids,
                &ratings,
            );
            parts.registry = Arc::new(Registry::among(Arc::new(relay.clone())));
            parts.cluster = Some(InCluster {
                placement: Arc::clone(member.owners()) as _,
                still: Arc::clone(member.still_times()),
                relay: Some(relay.clone()),
                wrong_entries: None,
            });
            if let Ok(app) = App::start_with(parts, scenario::catalogue()).await {
                return (app, ratings);
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    fn serve(
        self,
        member: Arc<Member>,
        relay: &RelayHandle,
        app: Arc<App>,
        ratings: Arc<RatingCache>,
    ) {
        let (port, inbox) = self.bus;
        let exchange = relay_over(RelayOver {
            bus: Box::new(port),
            handle: relay,
            member: &member,
            app: &app,
            keys: &[token_key()],
        });
        let stop = CancellationToken::new();
        tokio::spawn(Arc::clone(&exchange).run(inbox, stop.clone()));
        tokio::spawn(Arc::clone(&exchange).report_games(stop.clone()));
        let lobby = Lobby::new(
            (self.at, self.life),
            &self.disk,
            (&app, ratings),
            self.reports.clone(),
            self.flaw,
        );
        let sent_away = Arc::clone(&app);
        member.serve(Serving {
            directory: Arc::clone(&app.directory),
            lobby: Arc::new(lobby),
            on_cut_off: Callback(Box::new(move || sent_away.send_away())),
            on_change: Callback(Box::new(move || exchange.changed())),
        });
        let running = Box::new(Running { app, member, stop });
        let report = Report::Started(running);
        self.reports.tell(self.at, self.life, report);
        self.disk.changed.notify_one();
    }
}

/// The report of a process that could not start.
const fn stopped() -> Report {
    Report::Stopped(tilewire_cluster::StopReason::Left)
}
