//! The part of a server's life that only one among several has: it joins, serves its share, and leaves.

use std::sync::Arc;

use anyhow::Context;
use tilewire_rules::time::Timestamp;

use super::lobby_tasks::LobbyTasks;
use super::tending::{self, Tended};
use crate::app::{App, InCluster};
use crate::clock::ServerClock;
use crate::cluster::{Member, Serving, StopReason, Told};
use crate::config::Config;
use crate::storage::postgres::{OpenNode, open_node};
use crate::storage::{self, Storage};
use crate::tasks::{Signals, Tasks};

/// A storage, and what it takes to be one server among several.
pub(super) struct Opened {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) clock: ServerClock,
    joined: Option<OpenNode>,
}

/// Opens the storage. A server among several joins the others, and takes its time from the database.
pub(super) fn open(config: &Config, clock: ServerClock) -> anyhow::Result<Opened> {
    if !config.cluster.is_on() {
        let storage = storage::open(&config.data_dir, &config.storage, clock.now())?;
        return Ok(Opened {
            storage,
            clock,
            joined: None,
        });
    }
    let joined = open_node(&config.storage, &config.cluster, clock.now())?;
    let now = joined.tables.view().context("cannot read the time")?.now;
    Ok(Opened {
        storage: Arc::clone(&joined.storage) as _,
        // So the clocks of the servers agree, whatever their machines say.
        clock: ServerClock::starting_at(Timestamp(now.0)),
        joined: Some(joined),
    })
}

impl Opened {
    /// Keeps the lease from now on, if this is one server among several.
    pub(super) fn member(
        self,
        config: &Config,
        clock: &ServerClock,
    ) -> anyhow::Result<Option<Member>> {
        let begin = |joined| Member::begin(joined, &config.cluster, clock);
        let member = self.joined.map(begin).transpose();
        member.context("cannot start the threads of a cluster")
    }
}

/// Returns what the games need to know of a server's share.
pub(super) fn share(member: &Member) -> InCluster {
    InCluster {
        placement: Arc::clone(member.owners()) as _,
        still: Arc::clone(member.still_times()),
    }
}

/// Starts what looks after stored data and players; of several servers, the one with the lobby does most of it.
pub(super) async fn tend(
    member: Option<&Member>,
    tasks: &Tasks,
    config: &Config,
    tended: Tended,
) -> anyhow::Result<()> {
    tending::tell_vacations(tasks, &tended);
    match member {
        Some(member) => {
            serve(member, config, tended);
            Ok(())
        }
        None => tending::tend(tasks, config, &tended).await,
    }
}

/// Takes games, and the lobby when it is this server's.
fn serve(member: &Member, config: &Config, tended: Tended) {
    let (app, told) = (Arc::clone(&tended.app), Arc::clone(&tended.app));
    member.serve(Serving {
        directory: Arc::clone(&app.directory),
        lobby: Arc::new(LobbyTasks::new(config.clone(), tended)),
        on_change: Told(Box::new(move || tell_others(&told))),
        on_cut_off: Told(Box::new(move || app.send_away())),
    });
}

/// Tells the other servers that parts have other owners.
fn tell_others(app: &App) {
    if let Some(exchange) = app.connection_services().relay.get() {
        exchange.changed();
    }
}

/// Waits until the server has to stop: after a signal, or because its lease was taken.
pub(super) async fn until_stop(
    signals: &mut Signals,
    member: Option<&Member>,
) -> Option<StopReason> {
    match member {
        None => {
            signals.next().await;
            None
        }
        Some(member) => tokio::select! {
            () = signals.next() => None,
            reason = member.stopped() => Some(reason),
        },
    }
}

/// Gives everything to the other servers. After the time of the settings, what is left stays without an owner.
pub(super) async fn leave(member: &Member, config: &Config) {
    member.drain();
    let cluster = &config.cluster;
    // The last part is given, the rest of them stops, and the database answers.
    let most = cluster.drain_ms + cluster.pause_ms + cluster.lease_ms;
    match tokio::time::timeout(most.to_duration(), member.stopped()).await {
        Ok(_) => tracing::info!("the other servers have everything"),
        Err(_) => tracing::warn!("this server could not leave the others in order"),
    }
}
