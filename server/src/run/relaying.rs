//! The relay in the life of a server: it begins before the first connection, and ends after the last one.

use std::sync::Arc;

use anyhow::Context;
use tilewire_rules::time::Millis;
use tokio::sync::watch;

use crate::app::App;
use tilewire_api::tell_of_wrong_entries;
use tilewire_base::tasks::Tasks;
use tilewire_cluster::{Hints, Member};
use tilewire_config::Config;
use tilewire_delivery::outbound::OtherNodes;
use tilewire_game::GameNodes;
use tilewire_gateway::connection::RemoteClients;
use tilewire_relay::asks::AskBounds;
use tilewire_relay::bus::{Bus, NatsBus, NatsConfig};
use tilewire_relay::gateway::GatewayBounds;
use tilewire_relay::link::LinkBounds;
use tilewire_relay::owner::OwnerBounds;
use tilewire_relay::{Bounds, Exchange, Start};
use tilewire_store::{Credentials, TokenKey};

/// Pause before another attempt, after an owner has refused: it is loading the game.
const RETRY_MS: Millis = Millis(40);
/// The greatest age of a request that counts: what a gateway says of it cannot move a flag further.
const AGE_MAX_MS: Millis = Millis(10_000);

/// Requests over HTTP that wait for other nodes.
const ASKS_OPEN: usize = 256;
/// Requests over HTTP of other nodes that are answered at the same time.
const ASKS_SERVED: usize = 64;
/// The longest wait of such a request for a node that has the part: a hand-over takes less, a takeover takes more.
const ASK_REACH_MS: Millis = Millis(1_500);
/// The longest wait of such a request for its answer: less than clients and the command `admin` wait.
const ASK_ANSWER_MS: Millis = Millis(15_000);

/// Begins to relay, if this is one server among several that do.
pub(super) async fn begin(
    member: Option<&Member>,
    tasks: &Tasks,
    config: &Config,
    (app, credentials): (&Arc<App>, &Credentials),
) -> anyhow::Result<()> {
    let Some(member) = member else {
        return Ok(());
    };
    if !config.cluster.relays() {
        tracing::warn!(
            "cluster.nats_url is empty: a player has to connect to the server of the game, and to that of the lobby"
        );
        return Ok(());
    }
    let (me, _) = member.identity();
    let at = NatsConfig::from(&config.cluster);
    let connected = NatsBus::connect(&at, me).await;
    let (bus, inbox) = connected.context("cluster.nats_url")?;
    let (is_reached, told) = (bus.is_reached(), member.hints());
    tasks.spawn_until_stop(|stop| async move {
        let telling = tell_of_bus(is_reached, told);
        stop.run_until_cancelled(telling).await;
    });
    let keys = &credentials.keys;
    let exchange = relay_over(Box::new(bus), member, config, (app, keys));
    let reporting = Arc::clone(&exchange);
    tasks.spawn_until_stop(|stop| reporting.report_games(stop));
    if let Some(entries) = app.connection_services().people.wrong_entries().to_tell() {
        let telling = Arc::clone(&exchange);
        tasks.spawn_until_stop(|stop| async move {
            let telling = tell_of_wrong_entries(&telling, entries);
            stop.run_until_cancelled(telling).await;
        });
    }
    tasks.spawn_until_stop(|stop| exchange.run(inbox, stop));
    tracing::info!(node = me.0, "this server relays for the others");
    Ok(())
}

/// Returns the relay of a server over a bus; its task is for the caller to run.
pub fn relay_over(
    bus: Box<dyn Bus>,
    member: &Member,
    config: &Config,
    (app, keys): (&Arc<App>, &[TokenKey]),
) -> Arc<Exchange> {
    let (me, incarnation) = member.identity();
    let (services, hints) = (app.connection_services(), member.hints());
    let exchange = Exchange::new(Start {
        me,
        incarnation,
        bounds: bounds(config),
        bus,
        owners: Arc::clone(member.owners()),
        look: Box::new(move || hints.look()),
        keys: keys.to_vec(),
        clock: services.clock.clone(),
        directory: Arc::clone(&services.directory),
        registry: Arc::clone(&services.registry),
        runtime: services.main_runtime.clone(),
        remote_service: Box::new(RemoteClients(Arc::clone(&services))),
    });
    // A server begins to relay once.
    drop(services.relay.set(Arc::clone(&exchange)));
    let others = Arc::clone(&exchange) as Arc<dyn OtherNodes>;
    services.registry.join(others);
    let games = Arc::clone(&exchange) as Arc<dyn GameNodes>;
    services.directory.join(games);
    member.owners().spread();
    exchange
}

/// Tells the node whether the bus reaches it.
async fn tell_of_bus(mut is_reached: watch::Receiver<bool>, node: Hints) {
    while is_reached.changed().await.is_ok() {
        let is_reached = *is_reached.borrow_and_update();
        match is_reached {
            true => tracing::info!("NATS reaches this server again"),
            false => tracing::error!(
                "NATS does not reach this server: its games go to servers that it reaches"
            ),
        }
        node.apart(!is_reached);
    }
}

fn bounds(config: &Config) -> Bounds {
    let cluster = &config.cluster;
    Bounds {
        link: LinkBounds {
            beat_ms: cluster.beat_ms,
            silent_ms: cluster.silent_ms,
        },
        gateway: GatewayBounds {
            grace_ms: cluster.grace_ms,
            retry_ms: RETRY_MS,
            hold_ms: cluster.hold_ms,
            lagging_retry_ms: config.timing.lagging_retry_ms,
            held_bytes: cluster.held_bytes,
        },
        owner: OwnerBounds {
            channels: cluster.channels,
            age_max_ms: AGE_MAX_MS,
        },
        asks: AskBounds {
            open: ASKS_OPEN,
            served: ASKS_SERVED,
            reach_ms: ASK_REACH_MS,
            answer_ms: ASK_ANSWER_MS,
            retry_ms: RETRY_MS,
        },
    }
}
