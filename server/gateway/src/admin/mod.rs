//! The operator's listener: health, readiness, metrics, notices to all clients, and the API for admins.
//!
//! Programs of the operator use it, and no web page can (`access`). The API for admins requires a token everywhere, also on
//! loopback: other users of the machine can reach it there.

mod access;
mod notice;
mod operations;
#[cfg(test)]
mod tests;

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::connection::Services;
pub use notice::{Announce, Notices, OperatorNotice};
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_control::admin_token::{ADMIN_PATH, AdminToken, TokenFileError};

use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;

/// The content type of the metrics: the text format of Prometheus with its version.
const METRICS_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

const STARTING: u8 = 0;
const READY: u8 = 1;
const STOPPING: u8 = 2;

/// The stage of the process.
#[derive(Debug, Default)]
pub struct Readiness(AtomicU8);

impl Readiness {
    /// Notes that every unfinished game is loaded and clients may connect.
    pub fn set_ready(&self) {
        self.0.store(READY, Ordering::Release);
    }

    /// Notes that the server is stopping.
    pub fn set_stopping(&self) {
        self.0.store(STOPPING, Ordering::Release);
    }
}

/// Returns the fault of the storage, if it has one.
pub type Trouble = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// The parts of the server that the listener shows or uses.
#[derive(Clone)]
pub struct Admin {
    /// The stage of the process.
    pub readiness: Arc<Readiness>,
    /// The fault of the storage.
    pub trouble: Trouble,
    /// Renders the metrics.
    pub metrics: PrometheusHandle,
    /// Sends notices.
    pub notices: Arc<Notices>,
    /// The admin tokens, and the services behind the admin routes.
    pub access: Access,
}

/// The tokens of the listener, and what their owners use.
#[derive(Debug, Clone)]
pub struct Access {
    /// The token that metrics and notices require, if there is one.
    pub token: Option<Arc<AdminToken>>,
    /// The token that operations require.
    pub operations: Arc<AdminToken>,
    /// The services of the running server, once all games are loaded.
    pub running: Running,
}

impl Access {
    /// Returns the access of a configuration to the services that `running` will show; `token` is that of `admin.token_file`.
    ///
    /// # Errors
    /// When the token that operations require cannot be read or made.
    pub fn of(
        config: &Config,
        token: Option<Arc<AdminToken>>,
        running: Running,
    ) -> Result<Self, TokenFileError> {
        Ok(Self {
            token,
            operations: Arc::new(AdminToken::required(config, &Ids::system())?),
            running,
        })
    }
}

/// The services of the running server, once all games are loaded. The listener is there before them.
pub type Running = watch::Receiver<Option<Arc<Services>>>;

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin").finish_non_exhaustive()
    }
}

impl Admin {
    /// Returns the services of the running server, once all games are loaded.
    fn running(&self) -> Option<Arc<Services>> {
        self.access.running.borrow().clone()
    }

    /// Says whether clients may connect, or why not.
    fn ready(&self) -> (StatusCode, String) {
        let waits = |why: &str| (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"));
        match self.readiness.0.load(Ordering::Acquire) {
            STARTING => waits("starting: games are being loaded"),
            READY => match (self.trouble)() {
                None => (StatusCode::OK, "ready\n".to_owned()),
                Some(trouble) => waits(&format!("the storage does not take writes: {trouble}")),
            },
            _ => waits("stopping"),
        }
    }

    /// Returns the metrics. They are read on a thread that may block: the files of the system are slow.
    async fn page(self) -> Response {
        let read = move || metrics::page(&self.metrics);
        match SlowWork::OnThread.run(read).await {
            Ok(page) => ([(CONTENT_TYPE, METRICS_FORMAT)], page).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }

    fn router(self) -> Router {
        let with_token = from_fn_with_state(self.access.token.clone(), access::require_token);
        let no_pages = from_fn_with_state(self.access.token.is_some(), access::refuse_pages);
        Router::new()
            .route(
                "/metrics",
                get(|State(admin): State<Self>| async move { admin.page().await }),
            )
            .route("/notice", post(notice::send))
            .route_layer(with_token)
            .route("/healthz", get(|| async { "alive\n" }))
            .route(
                "/readyz",
                get(|State(admin): State<Self>| async move { admin.ready() }),
            )
            .route(&format!("{ADMIN_PATH}/{{*rest}}"), any(operations::answer))
            .layer(no_pages)
            .layer(DefaultBodyLimit::max(notice::BODY_MAX_BYTES))
            .with_state(self)
    }

    /// Serves the operator until `stop` completes.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let router = self.router();
        axum::serve(
            listener,
            router.into_make_service_with_connect_info::<SocketAddr>(),
        )
        .with_graceful_shutdown(stop)
        .await
    }
}
