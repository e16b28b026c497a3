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
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
use tilewire_control::admin_token::{ADMIN_PATH, AdminToken};

use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;

/// The content type of the metrics: the text format of Prometheus with its version.
const METRICS_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Why a server is not ready whose start needs nothing from outside any more.
const LOADING: &str = "starting: games are being loaded";

/// The stage of the process.
#[derive(Default)]
pub struct Readiness(Mutex<Stage>);

#[derive(Default)]
enum Stage {
    /// The games are being loaded.
    #[default]
    Loading,
    /// The start waits for something.
    Waiting(String),
    Ready(Trouble),
    Stopping,
}

impl Readiness {
    /// Notes that the start waits for something.
    pub fn set_waiting(&self, text: String) {
        self.set(Stage::Waiting(text));
    }

    /// Notes that the start waits for nothing any more.
    pub fn set_loading(&self) {
        self.set(Stage::Loading);
    }

    /// Notes that every unfinished game is loaded and clients may connect, unless there is `trouble`.
    pub fn set_ready(&self, trouble: Trouble) {
        self.set(Stage::Ready(trouble));
    }

    /// Notes that the server is stopping.
    pub fn set_stopping(&self) {
        self.set(Stage::Stopping);
    }

    fn set(&self, stage: Stage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    /// Returns the reason why clients may not connect, if there is one.
    fn obstacle(&self) -> Option<String> {
        let stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stage {
            Stage::Loading => Some(LOADING.to_owned()),
            Stage::Waiting(text) => Some(format!("starting: waiting for {text}")),
            Stage::Ready(trouble) => trouble(),
            Stage::Stopping => Some("stopping".to_owned()),
        }
    }
}

impl fmt::Debug for Readiness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readiness").finish_non_exhaustive()
    }
}

/// Returns the reason why a server that has started cannot serve, if there is one.
pub type Trouble = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// The parts of the server that the listener shows or uses.
#[derive(Clone)]
pub struct Admin {
    /// The stage of the process.
    pub readiness: Arc<Readiness>,
    /// Renders the metrics.
    pub metrics: PrometheusHandle,
    /// Sends notices.
    pub notices: Arc<Notices>,
    /// The admin tokens, and the services behind the admin routes.
    pub access: Access,
}

/// The token of the metrics, and what the other requests use.
#[derive(Debug, Clone)]
pub struct Access {
    /// The token that metrics require, if there is one.
    pub token: Option<Arc<AdminToken>>,
    /// The token that operations and notices require, once the data directory is there.
    pub operations: Arc<OnceLock<AdminToken>>,
    /// The services of the running server, once all games are loaded. The listener is there before them.
    pub running: watch::Receiver<Option<Arc<Services>>>,
}

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
        match self.readiness.obstacle() {
            None => (StatusCode::OK, "ready\n".to_owned()),
            Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
        }
    }

    /// Returns the answer to a request that needs what the start has not made yet.
    fn not_started(&self) -> (StatusCode, String) {
        let why = self.readiness.obstacle();
        let why = why.unwrap_or_else(|| LOADING.to_owned());
        (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"))
    }

    /// Returns the metrics. They are read on a thread that may block: the files of the system are slow.
    async fn page(self) -> Response {
        metrics::ready(self.readiness.obstacle().is_none());
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
            .route_layer(with_token)
            .route(
                "/notice",
                post(notice::send)
                    .route_layer(from_fn_with_state(self.clone(), access::require_operator)),
            )
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
