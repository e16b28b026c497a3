//! The relay in the life of a server: it begins before the first connection, and ends after the last one.

use std::sync::Arc;

use tilewire_rules::time::Millis;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::sync::watch;

use super::foundation::Foundation;
use crate::app::App;
use tilewire_api::tell_of_wrong_entries;
use tilewire_base::metrics;
use tilewire_base::tasks::Tasks;
use tilewire_cluster::{Hints, Member};
use tilewire_config::Config;
use tilewire_delivery::wrong_entries::{WrongEntries, WrongEntry};
use tilewire_gateway::connection::RemoteClients;
use tilewire_relay::asks::AskBounds;
use tilewire_relay::bus::Bus;
use tilewire_relay::gateway::GatewayBounds;
use tilewire_relay::link::LinkBounds;
use tilewire_relay::owner::OwnerBounds;
use tilewire_relay::{Bounds, Exchange, RelayHandle, Start};
use tilewire_store::TokenKey;

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

/// The ends that services hold of a relay that is not there yet, and the end that the relay reads.
pub(super) struct Ends {
    /// The way to the relay.
    pub(super) relay: RelayHandle,
    /// Takes wrong entries for the other servers.
    pub(super) wrong_entries: Sender<WrongEntry>,
    /// The wrong entries that the relay tells.
    told: Receiver<WrongEntry>,
}

impl Ends {
    /// Returns the ends for a server, if it is one among several that relay.
    pub(super) fn of(config: &Config) -> Option<Self> {
        if !config.cluster.relays() {
            return None;
        }
        let (wrong_entries, told) = WrongEntries::to_tell();
        Some(Self {
            relay: RelayHandle::default(),
            wrong_entries,
            told,
        })
    }
}

/// Begins to relay, if this is one server among several that do.
pub(super) fn begin(foundation: &mut Foundation, tasks: &Tasks, app: &App) {
    let Some(member) = &foundation.member else {
        return;
    };
    let Some((ends, (bus, inbox))) = foundation.relay.take() else {
        tracing::warn!(
            "cluster.nats_url is empty: a player has to connect to the server of the game, and to that of the lobby"
        );
        return;
    };
    let (me, _) = member.identity();
    let (is_reached, hints) = (bus.is_reached(), member.hints());
    tasks.spawn_until_stop(|stop| async move {
        let telling = tell_of_bus(is_reached, hints);
        stop.run_until_cancelled(telling).await;
    });
    let exchange = relay_over(RelayOver {
        bus: Box::new(bus),
        handle: &ends.relay,
        member,
        app,
        keys: &foundation.credentials.keys,
    });
    let reporting = Arc::clone(&exchange);
    tasks.spawn_until_stop(|stop| reporting.report_games(stop));
    let telling = Arc::clone(&exchange);
    tasks.spawn_until_stop(|stop| async move {
        let telling = tell_of_wrong_entries(&telling, ends.told);
        stop.run_until_cancelled(telling).await;
    });
    tasks.spawn_until_stop(|stop| exchange.run(inbox, stop));
    tracing::info!(node = me.0, "this server relays for the others");
}

/// The parts of the relay of a server.
pub struct RelayOver<'a> {
    /// The bus.
    pub bus: Box<dyn Bus>,
    /// The way to the relay with which the server was started.
    pub handle: &'a RelayHandle,
    /// The server among the others.
    pub member: &'a Member,
    /// The server.
    pub app: &'a App,
    /// The keys of tokens, the newest first.
    pub keys: &'a [TokenKey],
}

/// Makes the relay of a server; its task is for the caller to run.
pub fn relay_over(start: RelayOver<'_>) -> Arc<Exchange> {
    let member = start.member;
    let (me, incarnation) = member.identity();
    let (services, hints) = (start.app.connection_services(), member.hints());
    let exchange = Exchange::new(Start {
        me,
        incarnation,
        bounds: bounds(&services.config),
        bus: start.bus,
        owners: Arc::clone(member.owners()),
        look: Box::new(move || hints.look()),
        keys: start.keys.to_vec(),
        clock: services.clock.clone(),
        directory: Arc::clone(&services.directory),
        registry: Arc::clone(&services.registry),
        runtime: services.main_runtime.clone(),
        remote_service: Box::new(RemoteClients(Arc::clone(&services))),
    });
    start.handle.lead_to(&exchange);
    member.owners().spread();
    exchange
}

/// Tells the node whether the bus reaches it.
async fn tell_of_bus(mut is_reached: watch::Receiver<bool>, node: Hints) {
    metrics::bus_reached(true);
    while is_reached.changed().await.is_ok() {
        let is_reached = *is_reached.borrow_and_update();
        metrics::bus_reached(is_reached);
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
