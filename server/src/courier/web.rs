//! One request to a program of others: a `POST` over a connection of its own. Each step has a time, the answer has a size, and
//! no redirect is followed.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{HOST, RETRY_AFTER, USER_AGENT};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{HeaderMap, Request, Uri};
use bytes::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tilewire_rules::time::Millis;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;

use super::reach::{NoConnection, connect, resolve};
use super::stream::Bounded;
use super::trust;
use crate::config::Network;

/// The bytes that the other side may send on one connection, TLS and its certificates included.
const ANSWER_BYTES: usize = 64 * 1024;
/// What the server calls itself.
const AGENT: &str = concat!("tilewire/", env!("CARGO_PKG_VERSION"));

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WebStage {
    /// The name has an address.
    Resolve,
    /// The address may be reached.
    Address,
    /// The other side takes the connection.
    Connect,
    /// TLS begins.
    Tls,
    /// The other side reads the request and answers.
    Answer,
    /// The answer says that the request was taken.
    Status,
}

impl WebStage {
    /// Returns the name in metrics and messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Address => "address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Answer => "answer",
            Self::Status => "status",
        }
    }
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", stage.name())]
pub(crate) struct WebFault {
    /// The step that failed.
    pub(crate) stage: WebStage,
    /// Why.
    pub(crate) reason: String,
    /// How long the other side wants to be left alone.
    pub(crate) retry_after_ms: Option<Millis>,
}

impl WebFault {
    fn new(stage: WebStage, reason: &impl ToString) -> Self {
        Self {
            stage,
            reason: reason.to_string(),
            retry_after_ms: None,
        }
    }
}

impl From<NoConnection> for WebFault {
    fn from(error: NoConnection) -> Self {
        let stage = match &error {
            NoConnection::Name(_) => WebStage::Resolve,
            NoConnection::Refused(_) => WebStage::Address,
            NoConnection::Connect(_) => WebStage::Connect,
        };
        Self::new(stage, &error)
    }
}

/// The address of a program, and how it is spoken to.
#[derive(Clone)]
pub(crate) struct WebTarget {
    host: String,
    port: u16,
    authority: Authority,
    path: PathAndQuery,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    allowed: Vec<Network>,
    step: Duration,
}

impl std::fmt::Debug for WebTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A path can contain a secret.
        f.debug_struct("WebTarget")
            .field("authority", &self.authority)
            .finish_non_exhaustive()
    }
}

impl WebTarget {
    /// Returns the target with an address `https://…` or `http://…`. With an empty `ca_file`, the certificates of the system
    /// vouch for it.
    ///
    /// # Errors
    /// Says what cannot be used.
    pub(crate) fn new(
        url: &str,
        ca_file: &Path,
        allowed: &[Network],
        step: Duration,
    ) -> Result<Self, String> {
        let uri: Uri = url.parse().map_err(|_| "its url is no address")?;
        let authority = uri.authority().ok_or("its url has no host")?.clone();
        let bare = authority.host().trim_matches(['[', ']']).to_owned();
        let tls = match uri.scheme_str() {
            Some("https") => {
                let name = ServerName::try_from(bare.clone());
                let name = name.map_err(|_| "no certificate could have the host of its url")?;
                Some((connector(ca_file)?, name))
            }
            _ => None,
        };
        let usual = if tls.is_some() { 443 } else { 80 };
        Ok(Self {
            port: authority.port_u16().unwrap_or(usual),
            path: uri
                .path_and_query()
                .cloned()
                .unwrap_or_else(|| PathAndQuery::from_static("/")),
            host: bare,
            authority,
            tls,
            allowed: allowed.to_vec(),
            step,
        })
    }

    /// Posts a body with these headers. Every answer from 200 to 299 is a success; its body is not read.
    ///
    /// # Errors
    /// Names the step that failed.
    pub(crate) async fn post(&self, headers: &HeaderMap, body: Bytes) -> Result<(), WebFault> {
        let addresses = resolve(&self.host, self.port, &self.allowed);
        let addresses = self.step(WebStage::Resolve, addresses).await?;
        let connection = connect(&addresses, &self.allowed);
        let (stream, peer) = self.step(WebStage::Connect, connection).await?;
        let bounded = Bounded::new(stream, peer, ANSWER_BYTES);
        let Some((connector, name)) = &self.tls else {
            return self.exchange(bounded, headers, body).await;
        };
        let handshake = connector.connect(name.clone(), bounded);
        let handshake = async {
            handshake
                .await
                .map_err(|error| WebFault::new(WebStage::Tls, &error))
        };
        let stream = self.step(WebStage::Tls, handshake).await?;
        self.exchange(stream, headers, body).await
    }

    async fn exchange(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<(), WebFault> {
        let failed = |error: hyper::Error| {
            WebFault::new(WebStage::Answer, &tilewire_protocol::causes(&error))
        };
        let exchange = async {
            let opened = http1::Builder::new()
                .max_buf_size(ANSWER_BYTES)
                .handshake::<_, Body>(TokioIo::new(stream));
            let (mut sender, connection) = opened.await.map_err(failed)?;
            // It ends with this call, also if the time is over.
            let mut driver = JoinSet::new();
            driver.spawn(async move {
                // The request reports the failure.
                connection.await.ok();
            });
            let answer = sender.send_request(self.request(headers, body)).await;
            let answer = answer.map_err(failed)?;
            match answer.status() {
                status if status.is_success() => Ok(()),
                status => Err(WebFault {
                    retry_after_ms: retry_after(answer.headers()),
                    ..WebFault::new(WebStage::Status, &status.as_u16())
                }),
            }
        };
        self.step(WebStage::Answer, exchange).await
    }

    fn request(&self, headers: &HeaderMap, body: Bytes) -> Request<Body> {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = axum::http::Method::POST;
        *request.uri_mut() = Uri::from(self.path.clone());
        headers.clone_into(request.headers_mut());
        let host = self.authority.as_str().parse();
        let host = host.expect("an authority has no sign that a header cannot have");
        request.headers_mut().insert(HOST, host);
        let agent = AGENT.parse().expect("a name is plain text");
        request.headers_mut().insert(USER_AGENT, agent);
        request
    }

    /// Does a step within its time.
    async fn step<T, E: Into<WebFault>>(
        &self,
        stage: WebStage,
        doing: impl Future<Output = Result<T, E>>,
    ) -> Result<T, WebFault> {
        match tokio::time::timeout(self.step, doing).await {
            Ok(done) => done.map_err(Into::into),
            Err(_) => Err(WebFault::new(stage, &"no answer in time")),
        }
    }
}

fn connector(ca_file: &Path) -> Result<TlsConnector, String> {
    let own = !ca_file.as_os_str().is_empty();
    let trusted = own.then(|| trust::certificates(ca_file)).transpose();
    let trusted = trusted.map_err(|error| format!("cannot read {}: {error}", ca_file.display()))?;
    if trusted.as_ref().is_some_and(Vec::is_empty) {
        return Err(format!(
            "{} has no certificate that can be used",
            ca_file.display()
        ));
    }
    trust::connector(trusted).map_err(|error| error.to_string())
}

/// Reads a `Retry-After` in seconds. The other form, a date, is not read.
fn retry_after(headers: &HeaderMap) -> Option<Millis> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    let seconds: u32 = text.trim().parse().ok()?;
    Some(Millis(i64::from(seconds) * 1_000))
}

#[cfg(test)]
mod tests;
