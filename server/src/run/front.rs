//! The part of a server that is there before its start is complete: its addresses, and the listener of the operator, which says
//! what the start waits for.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;

use super::foundation::Wiring;
use super::{BACKLOG, UPKEEP};
use crate::listening::{bind, bound_buffers};
use tilewire_base::metrics;
use tilewire_base::tasks::Tasks;
use tilewire_config::Config;
use tilewire_control::admin_token::AdminToken;
use tilewire_gateway::admin::{Access, Admin, Readiness};
use tilewire_gateway::connection::Services;

/// The part of a server that is there before its start is complete.
pub(super) struct Front {
    pub(super) readiness: Arc<Readiness>,
    pub(super) access: Access,
    pub(super) wiring: Wiring,
    /// Shows the operator's listener the services, once all games are loaded.
    pub(super) running: watch::Sender<Option<Arc<Services>>>,
    /// The reserved address for players. It takes no connections yet.
    pub(super) players: TcpSocket,
    /// The address of the operator's listener.
    pub(super) operator: SocketAddr,
}

impl Front {
    /// Reserves the addresses, and serves the operator.
    ///
    /// # Errors
    /// When an address is in use.
    pub(super) fn open(
        config: &Config,
        token: Option<Arc<AdminToken>>,
        tasks: &Tasks,
    ) -> anyhow::Result<Self> {
        // Before anything is written: a server whose port is in use leaves no directory behind.
        let players = bound_buffers(bind(config.listen, "--listen")?, &config.limits)?;
        let listener = bind(config.admin_listen, "--admin-listen")?;
        let listener = listener.listen(BACKLOG)?;
        let operator = listener.local_addr()?;
        let figures = metrics::install().context("cannot install the metrics")?;
        let (running, seen) = watch::channel(None);
        let front = Self {
            readiness: Arc::default(),
            access: Access {
                token,
                operations: Arc::default(),
                running: seen,
            },
            wiring: Wiring::of(config),
            running,
            players,
            operator,
        };
        let admin = Admin {
            readiness: Arc::clone(&front.readiness),
            metrics: figures.clone(),
            notices: front.wiring.notices(config),
            access: front.access.clone(),
        };
        serve_admin(tasks, admin, listener);
        tidy_metrics(tasks, figures);
        Ok(front)
    }
}

/// Starts the task that tidies the metrics.
fn tidy_metrics(tasks: &Tasks, figures: PrometheusHandle) {
    tasks.every(UPKEEP, move || {
        figures.run_upkeep();
        async {}
    });
}

/// Starts the task that serves the operator.
fn serve_admin(tasks: &Tasks, admin: Admin, listener: TcpListener) {
    tasks.spawn_until_stop(|stop| async move {
        if let Err(error) = admin.serve(listener, stop.cancelled_owned()).await {
            tracing::error!(%error, "the admin listener failed");
        }
    });
}
