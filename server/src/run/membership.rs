//! The part of a server's life that only one among several has: it joins, serves its share, and leaves.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tilewire_protocol::CloseCode;
use tilewire_rules::time::{Millis, Timestamp};

use super::background_tasks::{self, TaskServices};
use super::lobby_tasks::LobbyTasks;
use super::relaying::Ends;
use crate::app::{App, InCluster};
use tilewire_base::clock::ServerClock;
use tilewire_base::tasks::{Signals, Tasks};
use tilewire_cluster::{Callback, Member, Serving, StopReason};
use tilewire_config::Config;
use tilewire_databases::postgres::{OpenNode, open_node};
use tilewire_delivery::outbound::Peer;
use tilewire_store::Storage;

/// Advice for a client that goes to another server. A client adds as much again at random.
const COME_BACK: &str = "retry_after_ms=50";
/// Longest pause between two closings: a server with few clients does not need the whole time.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// A storage, and what it takes to be one server among several.
pub(super) struct Opened {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) clock: ServerClock,
    joined: Option<OpenNode>,
}

/// Opens the storage. A server among several joins the others, and takes its time from the database.
pub(super) fn open(
    config: &Config,
    clock: ServerClock,
    offers: &[String],
) -> anyhow::Result<Opened> {
    if !config.cluster.is_on() {
        let storage = tilewire_databases::open(&config.data_dir, &config.storage, clock.now())?;
        return Ok(Opened {
            storage,
            clock,
            joined: None,
        });
    }
    let offers = (offers, config.lexica.missing);
    let joined = open_node(&config.storage, &config.cluster, clock.now(), offers)?;
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

/// Returns the services' view of the cluster.
pub(super) fn share(member: &Member, ends: Option<&Ends>) -> InCluster {
    InCluster {
        placement: Arc::clone(member.owners()) as _,
        still: Arc::clone(member.still_times()),
        relay: ends.map(|ends| ends.relay.clone()),
        wrong_entries: ends.map(|ends| ends.wrong_entries.clone()),
    }
}

/// Starts the tasks that maintain stored data and players; in a cluster, the server with the lobby runs most of them.
pub(super) async fn start(
    member: Option<&Member>,
    tasks: &Tasks,
    config: &Config,
    services: TaskServices,
) -> anyhow::Result<()> {
    background_tasks::tell_vacations(tasks, &services);
    match member {
        Some(member) => {
            serve(member, config, services);
            Ok(())
        }
        None => background_tasks::start(tasks, config, &services).await,
    }
}

/// Takes games, and the lobby when it is this server's.
fn serve(member: &Member, config: &Config, services: TaskServices) {
    let (app, told) = (Arc::clone(&services.app), Arc::clone(&services.app));
    member.serve(Serving {
        directory: Arc::clone(&app.directory),
        lobby: Arc::new(LobbyTasks::new(config.clone(), services)),
        on_change: Callback(Box::new(move || tell_others(&told))),
        on_cut_off: Callback(Box::new(move || app.send_away())),
    });
}

/// Tells the other servers that parts have other owners.
fn tell_others(app: &App) {
    if let Some(exchange) = app.connection_services().exchange() {
        exchange.changed();
    }
}

/// Closes the connections of clients one after the other, spread over at most `within`, and accepts no more. The clients go on
/// at other servers, which relay for the games of this one until it gives them away.
async fn move_clients(app: &App, within: Millis) {
    app.accept_no_more();
    let registry = &app.connection_services().registry;
    let mut peers = registry.all();
    peers.retain(Peer::is_here);
    let connections = peers.len();
    tracing::info!(connections, "the clients move to other servers");
    for peer in peers {
        peer.close(CloseCode::Restarting, COME_BACK);
        tokio::time::sleep(pause_between(connections, within)).await;
    }
}

/// Returns the pause between the closings of this number of connections.
fn pause_between(connections: usize, within: Millis) -> Duration {
    let connections = u32::try_from(connections).unwrap_or(u32::MAX).max(1);
    (within.to_duration() / connections).min(LONGEST_PAUSE)
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

/// Sends the clients to the other servers, and then gives these everything. After the time of the settings, what is left
/// stays without an owner.
pub(super) async fn leave(member: &Member, app: &App, config: &Config) {
    let reach_all_games = config.cluster.relays() && member.owners().knows_others();
    if reach_all_games {
        // Without its lease, this server has nothing to give.
        tokio::select! {
            () = move_clients(app, config.cluster.move_ms) => {}
            _ = member.stopped() => {}
        }
    }
    member.drain();
    let cluster = &config.cluster;
    // The last part is given, the rest of them stops, and the database answers.
    let most = cluster.drain_ms + cluster.pause_ms + cluster.lease_ms;
    match tokio::time::timeout(most.to_duration(), member.stopped()).await {
        Ok(_) => tracing::info!("the other servers have everything"),
        Err(_) => tracing::warn!("this server could not leave the others in order"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closings_are_spread_over_the_time_but_few_of_them_take_less() {
        let pause = |connections| pause_between(connections, Millis(60_000));
        assert_eq!(pause(60_000), Duration::from_millis(1));
        assert_eq!(pause(1_200), LONGEST_PAUSE);
        assert_eq!(pause(3), LONGEST_PAUSE);
        assert_eq!(pause(0), LONGEST_PAUSE);
        assert_eq!(pause_between(5, Millis(0)), Duration::ZERO);
    }
}
