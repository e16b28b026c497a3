//! The life of the server process: open, recover, serve, stop in order.

mod background_tasks;
mod foundation;
mod front;
mod lobby_tasks;
mod membership;
mod outside;
mod relaying;
mod waiting;

pub use relaying::{RelayOver, relay_over};

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use self::background_tasks::{TaskServices, notifiers};
use self::foundation::Foundation;
use self::front::Front;
use self::outside::Outside;
use self::waiting::until_there;
use crate::app::{App, Parts};
use crate::local::Local;
use crate::refresh;
use crate::refresh::Refresh;
use crate::{open_files, sampling, sighup};
use tilewire_base::clock::ServerClock;
use tilewire_base::tasks::{Signals, Tasks};
use tilewire_cluster::{Member, StopReason};
use tilewire_config::{Config, Sources};
use tilewire_control::LoadedFrom;
use tilewire_delivery::overload;
use tilewire_delivery::overload::Fullness;
use tilewire_gateway::connection::{Certificates, HandshakeRuntime};
use tilewire_operate::banner;
use tilewire_operate::banner::Banner;
use tilewire_store::{Stamp, Storage};

/// Connections that the system holds until they are accepted, at most `net.core.somaxconn`. After a restart all clients
/// connect at once, and a client that finds no room tries again only after a second.
const BACKLOG: u32 = 4_096;
/// How often the metrics are tidied.
const UPKEEP: Duration = Duration::from_secs(5);
/// How often scheduled notices are looked at.
const NOTICES_EVERY: Duration = Duration::from_secs(1);

/// Serves until the process gets a signal to stop, then stops in order.
///
/// # Errors
/// The reason why the server cannot start: a port or data directory in use, or an unreadable storage.
pub fn run(mut config: Config, sources: Sources) -> anyhow::Result<()> {
    let loaded = config.clone();
    if let Some(files) = open_files::raise() {
        open_files::fit(&mut config.limits, files);
    }
    // Blocking here, not in the program, compiles the server's tasks once: with this library.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let loaded_from = LoadedFrom {
        sources,
        config: loaded,
    };
    let ended = runtime.block_on(serve(config, loaded_from));
    // An attempt to reach a database may go on for as long as one may take.
    runtime.shutdown_background();
    ended
}

async fn serve(config: Config, loaded_from: LoadedFrom) -> anyhow::Result<()> {
    let mut signals = Signals::new()?;
    // Until the tasks of this signal run, it has nothing to read again, and must not end the process.
    let _hangups = signal(SignalKind::hangup()).context("cannot wait for signals")?;
    let Local {
        certificates,
        site,
        admin_token,
        catalogue,
    } = Local::read(&config)?;
    let tasks = Tasks::default();
    let front = Front::open(&config, admin_token, &tasks)?;
    let mut outside = Outside::new(&config, catalogue.names());
    let reach = async || outside.reach().await;
    let reached = until_there(&front.readiness, &mut signals, reach).await?;
    let Some(reached) = reached else {
        tracing::info!("stopped before the start was complete");
        return Ok(());
    };
    let mut foundation = Foundation::lay(&config, front.wiring, reached, &front.access).await?;
    let players = front.players.listen(BACKLOG)?;
    let addresses = Addresses {
        players: players.local_addr()?,
        operator: front.operator,
    };
    watch_stalls(&tasks, &foundation.clock);
    let handshakes = HandshakeRuntime::open().context("cannot start threads for handshakes")?;
    let ratings = foundation.ratings().await?;
    let notifiers = notifiers(&config, &foundation.storage).await?;
    let parts = Parts {
        loaded_from: Some(loaded_from),
        letters: notifiers.letters.clone(),
        pushes: notifiers.pushes.clone(),
        handshake_runtime: handshakes.handle().clone(),
        ..foundation.parts(&config, &ratings, site)
    };
    let started = tokio::select! {
        started = App::start_with(parts, catalogue) => started.context("cannot load the stored games")?,
        () = signals.next() => bail!("a signal to stop came before all games were loaded"),
    };
    let services = TaskServices {
        storage: Arc::clone(&foundation.storage),
        app: Arc::clone(&started),
        ratings,
        notifiers,
        jumped_at: foundation.liveness.jumped_at,
    };
    relaying::begin(&mut foundation, &tasks, &started);
    let member = foundation.member.as_ref();
    membership::start(member, &tasks, &config, services).await?;
    begin_tasks(&tasks, &foundation, &started, certificates.as_ref())?;
    let serving = tokio::spawn(Arc::clone(&started).serve(players, certificates.clone()));
    let running = Some(started.connection_services());
    front.running.send_replace(running);
    front.readiness.set_ready(foundation.trouble());
    announce(addresses, &config, certificates.as_deref());

    let lost = membership::until_stop(&mut signals, member).await;
    tracing::info!("stopping");
    tasks.exit_on(signals);
    front.readiness.set_stopping();
    let stopping = Stopping {
        storage: foundation.storage,
        app: started,
        member: foundation.member,
        tasks,
        serving,
    };
    stopping.stop(&config, lost).await
}

/// Starts the tasks that every server has, alone or among others.
fn begin_tasks(
    tasks: &Tasks,
    foundation: &Foundation,
    app: &Arc<App>,
    certificates: Option<&Arc<Certificates>>,
) -> anyhow::Result<()> {
    let (clock, storage) = (&foundation.clock, &foundation.storage);
    keep_current(tasks, &app.connection_services().config, certificates)?;
    watch_load(tasks, clock, storage, app);
    send_notices(tasks, app);
    follow_settings(tasks, app)?;
    refresh_credentials(tasks, app, storage, foundation.credentials.version)
}

/// A server that stops.
struct Stopping {
    storage: Arc<dyn Storage>,
    app: Arc<App>,
    member: Option<Member>,
    tasks: Tasks,
    serving: JoinHandle<()>,
}

impl Stopping {
    /// Stops in order. One among several that has not `lost` its share gives it to the others first.
    async fn stop(self, config: &Config, lost: Option<StopReason>) -> anyhow::Result<()> {
        if let Some(member) = &self.member
            && lost.is_none()
        {
            membership::leave(member, &self.app, config).await;
        }
        if !self.app.shutdown().await {
            tracing::warn!("the server did not finish within timing.shutdown_ms");
        }
        self.tasks.finish().await;
        self.serving.abort();
        let last_stamp = self.app.directory.stamp();
        close(&*self.storage, last_stamp.filter(|_| self.member.is_none())).await;
        match lost {
            Some(StopReason::Fenced) => {
                bail!("this server has lost its lease to the others; start it again")
            }
            Some(StopReason::Left) | None => Ok(()),
        }
    }
}

/// Writes the last stamp, of a server that has its storage for itself, and closes the storage.
async fn close(storage: &dyn Storage, last_stamp: Option<Stamp>) {
    if let Some(stamp) = last_stamp {
        storage.stamp(stamp).await.ok(); // the last stamp but one does as well
    }
    storage.close().await;
    tracing::info!("stopped");
}

/// Starts the task that notices when the server stands still.
fn watch_stalls(tasks: &Tasks, clock: &ServerClock) {
    let watcher = clock.watch_stalls();
    tasks.spawn_until_stop(|stop| async move {
        stop.run_until_cancelled(watcher).await;
    });
}

/// Starts the task that reads keys and revocations again, regularly and after SIGHUP.
fn refresh_credentials(
    tasks: &Tasks,
    app: &App,
    storage: &Arc<dyn Storage>,
    seen: u64,
) -> anyhow::Result<()> {
    let services = app.connection_services();
    let refresh = Refresh {
        accounts: Arc::clone(&app.accounts),
        registry: Arc::clone(&services.registry),
        people: Arc::clone(&services.people),
        directory: Arc::clone(&services.directory),
        clock: services.clock.clone(),
        storage: Arc::clone(storage),
        relay: services.exchange(),
        blocked: (services.config.cluster.is_on()).then(|| Arc::clone(&services.blocked)),
        seen,
        every: services.config.identity.refresh_ms.to_duration(),
    };
    let hangups = signal(SignalKind::hangup()).context("cannot wait for signals")?;
    tasks.spawn_until_stop(|stop| refresh::run(refresh, hangups, stop));
    Ok(())
}

/// Starts the task that reads the settings again, from the sources of the start, after SIGHUP.
fn follow_settings(tasks: &Tasks, app: &App) -> anyhow::Result<()> {
    let settings = Arc::clone(&app.connection_services().settings);
    let hangups = signal(SignalKind::hangup()).context("cannot wait for signals")?;
    tasks.spawn_until_stop(|stop| sighup::reload_settings(settings, hangups, stop));
    Ok(())
}

/// Starts the task that sends the notices that admins have scheduled.
fn send_notices(tasks: &Tasks, app: &App) {
    let services = app.connection_services();
    tasks.every(NOTICES_EVERY, move || {
        for notice in services.notices.due(services.clock.now()) {
            let connections = services.registry.notice(&notice);
            tracing::info!(
                code = notice.code,
                connections,
                "a scheduled notice was sent"
            );
        }
        async {}
    });
}

/// Starts the tasks that measure the load, set the level of load shedding, and sample the other metrics.
fn watch_load(tasks: &Tasks, clock: &ServerClock, storage: &Arc<dyn Storage>, app: &Arc<App>) {
    let (sampled, sizes) = (Arc::clone(app), Arc::clone(storage));
    tasks.every(sampling::EVERY, move || {
        sampling::sample(Arc::clone(&sampled), Arc::clone(&sizes))
    });
    let (clock, storage, app) = (clock.clone(), Arc::clone(storage), Arc::clone(app));
    tasks.spawn_until_stop(|stop| async move {
        let overload = Arc::clone(&app.overload);
        let fullness = || Fullness {
            journal: storage.level().percent(),
            lobby: app.lobby.level().percent(),
        };
        overload::watch(overload, clock, fullness, stop).await;
    });
}

/// Reads the certificate again when its files change, and after SIGHUP, if there is one.
fn keep_current(
    tasks: &Tasks,
    config: &Config,
    certificates: Option<&Arc<Certificates>>,
) -> anyhow::Result<()> {
    let Some(certificates) = certificates else {
        return Ok(());
    };
    let watched = Arc::clone(certificates);
    tasks.every(
        config.timing.certificate_check_ms.to_duration(),
        move || {
            let watched = Arc::clone(&watched);
            async move {
                sighup::reload_certificate(watched).await;
            }
        },
    );
    let hangups = signal(SignalKind::hangup()).context("cannot wait for signals")?;
    let renewed = Arc::clone(certificates);
    tasks.spawn_until_stop(|stop| sighup::reload_certificates(renewed, hangups, stop));
    Ok(())
}

/// The addresses that the server listens on.
#[derive(Clone, Copy)]
struct Addresses {
    players: SocketAddr,
    operator: SocketAddr,
}

/// Prints the server's addresses and the next commands.
fn announce(addresses: Addresses, config: &Config, certificates: Option<&Certificates>) {
    let Addresses { players, operator } = addresses;
    let banner = Banner {
        players,
        operator,
        data_dir: &config.data_dir,
        has_tls: certificates.is_some(),
        tls_name: certificates.and_then(Certificates::name),
        client: banner::client_command(),
    };
    let mut stdout = io::stdout().lock();
    // Standard output may be closed.
    stdout.write_all(banner.text().as_bytes()).ok();
    stdout.flush().ok();
    tracing::info!(%players, %operator, "ready");
}
