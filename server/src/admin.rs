//! The operator's listener: health, readiness, metrics, and notices to all clients.
//!
//! It must not be public: everyone who reaches it can send notices.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tilewire_rules::time::Timestamp;

use axum::Router;
use axum::extract::{Json, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Deserialize;
use tokio::net::TcpListener;

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

/// A notice of the operator to all connected clients.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorNotice {
    /// The topic, for programs, such as `maintenance`.
    pub code: String,
    /// The text, for people.
    pub text: String,
    /// When the event begins, unix ms.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// When the event ends, unix ms.
    #[serde(default)]
    pub until: Option<Timestamp>,
}

/// Sends a notice to all clients; returns the number of connections.
pub type Announce = Arc<dyn Fn(OperatorNotice) -> usize + Send + Sync>;

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
    pub announce: Announce,
}

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin").finish_non_exhaustive()
    }
}

impl Admin {
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

    fn router(self) -> Router {
        Router::new()
            .route("/healthz", get(|| async { "alive\n" }))
            .route(
                "/readyz",
                get(|State(admin): State<Self>| async move { admin.ready() }),
            )
            .route(
                "/metrics",
                get(|State(admin): State<Self>| async move {
                    ([(CONTENT_TYPE, METRICS_FORMAT)], admin.metrics.render())
                }),
            )
            .route("/notice", post(notice))
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
        axum::serve(listener, self.router())
            .with_graceful_shutdown(stop)
            .await
    }
}

async fn notice(State(admin): State<Admin>, Json(notice): Json<OperatorNotice>) -> String {
    tracing::info!(code = notice.code, "the operator sends a notice");
    let told = (admin.announce)(notice);
    format!("{told} connections told\n")
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use metrics_exporter_prometheus::PrometheusBuilder;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::{Admin, Readiness};

    #[derive(Default)]
    struct World {
        trouble: Mutex<Option<String>>,
        notices: Mutex<Vec<String>>,
    }

    async fn ask(address: std::net::SocketAddr, request: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!(
            "{request} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn health_readiness_figures_and_notices() {
        let world = Arc::new(World::default());
        let readiness = Arc::new(Readiness::default());
        let recorder = PrometheusBuilder::new().build_recorder();
        let (asked, told) = (Arc::clone(&world), Arc::clone(&world));
        let admin = Admin {
            readiness: Arc::clone(&readiness),
            trouble: Arc::new(move || asked.trouble.lock().unwrap().clone()),
            metrics: recorder.handle(),
            announce: Arc::new(move |notice| {
                told.notices.lock().unwrap().push(notice.text);
                7
            }),
        };
        metrics::with_local_recorder(&recorder, || crate::metrics::games(3));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(admin.serve(listener, async {
            stopped.await.ok();
        }));
        assert!(
            ask(address, "GET /healthz", "")
                .await
                .starts_with("HTTP/1.1 200")
        );
        let starting = ask(address, "GET /readyz", "").await;
        assert!(
            starting.starts_with("HTTP/1.1 503") && starting.contains("starting"),
            "{starting}"
        );
        readiness.set_ready();
        assert!(
            ask(address, "GET /readyz", "")
                .await
                .starts_with("HTTP/1.1 200")
        );
        *world.trouble.lock().unwrap() = Some("disk full".to_owned());
        let failing = ask(address, "GET /readyz", "").await;
        assert!(
            failing.starts_with("HTTP/1.1 503") && failing.contains("disk full"),
            "{failing}"
        );
        readiness.set_stopping();
        assert!(ask(address, "GET /readyz", "").await.contains("stopping"));
        let metrics = ask(address, "GET /metrics", "").await;
        assert!(metrics.contains("tilewire_games 3"), "{metrics}");
        let format = "content-type: text/plain; version=0.0.4; charset=utf-8\r\n";
        assert!(metrics.contains(format), "{metrics}");
        let notice = r#"{"code":"maintenance","text":"Back at noon","at":1}"#;
        assert!(
            ask(address, "POST /notice", notice)
                .await
                .contains("7 connections told")
        );
        assert_eq!(*world.notices.lock().unwrap(), ["Back at noon"]);
        let unknown = r#"{"code":"maintenance","text":"x","when":1}"#;
        assert!(
            ask(address, "POST /notice", unknown)
                .await
                .starts_with("HTTP/1.1 422")
        );
        stop.send(()).unwrap();
        serving.await.unwrap().unwrap();
    }
}
