//! Notices of the operator: how many, how long, and who sent them.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, Json, State};
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tilewire_protocol::Notice;
use tilewire_rules::time::{Millis, Timestamp};

use super::Admin;
use tilewire_api::announce;
use tilewire_base::clock::ServerClock;
use tilewire_base::http::retry_after_s;
use tilewire_delivery::session::Bucket;

/// Most bytes of a notice as JSON.
pub(super) const BODY_MAX_BYTES: usize = 4_096;

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

impl From<OperatorNotice> for Notice {
    fn from(notice: OperatorNotice) -> Self {
        Self {
            code: notice.code,
            text: notice.text,
            at: notice.at.map(|at| at.0),
            until: notice.until.map(|until| until.0),
        }
    }
}

/// Sends a notice to the clients of this server; returns the number of connections.
pub type Announce = Arc<dyn Fn(OperatorNotice) -> usize + Send + Sync>;

/// Sends notices at a limited rate.
pub struct Notices {
    announce: Announce,
    clock: ServerClock,
    rate: Mutex<Bucket>,
}

impl Notices {
    /// Returns a sender of at most `per_minute` notices per minute.
    #[must_use]
    pub fn new(announce: Announce, per_minute: u32, clock: ServerClock) -> Self {
        let rate = Mutex::new(Bucket::full_per_minute(clock.now(), per_minute));
        Self {
            announce,
            clock,
            rate,
        }
    }

    /// Sends a notice and returns the number of connections, or the time until the next notice may be sent.
    fn send(&self, notice: OperatorNotice) -> Result<usize, Millis> {
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        rate.take(self.clock.now())?;
        drop(rate);
        Ok((self.announce)(notice))
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}

/// Answers a request to send a notice.
pub(super) async fn send(
    State(admin): State<Admin>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Json(notice): Json<OperatorNotice>,
) -> Response {
    let (code, text) = (notice.code.clone(), notice.text.clone());
    let sent = Notice::from(notice.clone());
    match admin.notices.send(notice) {
        Ok(here) => {
            let connections = here + elsewhere(&admin, &sent).await;
            tracing::info!(%from, code, text, connections, "the operator sent a notice");
            format!("{connections} connections told\n").into_response()
        }
        Err(wait) => {
            tracing::warn!(%from, code, "a notice was refused: limits.notices_per_minute");
            let headers = [(RETRY_AFTER, retry_after_s(wait).to_string())];
            let text = "rate_limited: too many notices were sent in a short time\n";
            (StatusCode::TOO_MANY_REQUESTS, headers, text).into_response()
        }
    }
}

/// Lets the other servers send a notice to their clients; returns the number of connections.
async fn elsewhere(admin: &Admin, notice: &Notice) -> usize {
    let running = admin.running();
    match running.as_ref().and_then(|running| running.exchange()) {
        Some(relay) => announce(&relay, notice).await,
        None => 0,
    }
}
