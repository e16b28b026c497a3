//! One request to a program of others: a `POST` over a connection of its own. Each step has a time, the answer has a size, its
//! body is not read, and no redirect is followed.

use std::fmt;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{HOST, InvalidHeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Uri};
use bytes::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tilewire_rules::time::Millis;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::address::Reach;
use super::bounded::Bounded;
use super::failure::{Answer, Failure};
use super::trust::{TrustFault, connector};
use tilewire_base::request_stage::Stage;
use tilewire_config::target::Target;

/// The bytes that the other side may send on one connection, TLS and its certificates included.
const ANSWER_BYTES: usize = 64 * 1024;
/// The largest head of an answer, bytes.
const HEAD_BYTES: usize = 16 * 1024;
/// Addresses of one name that are tried.
const ADDRESSES: usize = 4;
/// The server's `User-Agent`. It omits the version, which strangers need not know.
const AGENT: &str = "tilewire";

/// Sends requests.
#[derive(Clone)]
pub struct Caller {
    tls: TlsConnector,
    step: Duration,
    reach: Reach,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("step", &self.step)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

impl Caller {
    /// Returns a caller that gives each step so much time. `ca_file` has the certificates that vouch for the other side; an
    /// empty path: those of the system do.
    ///
    /// # Errors
    /// When the certificates cannot be used.
    pub fn load(ca_file: &Path, step: Duration, reach: Reach) -> Result<Self, TrustFault> {
        Ok(Self {
            tls: connector(ca_file)?,
            step,
            reach,
        })
    }

    /// Posts a body with these headers. Every answer from 200 to 299 is a success.
    ///
    /// # Errors
    /// Names the step that failed.
    pub async fn post(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<(), Failure> {
        let request = request(target, headers, body);
        let request = request.map_err(|error| Failure::new(Stage::Address, &error))?;
        let addresses = self.addresses(target).await?;
        let stream = self.connect(&addresses).await?;
        let answer = if target.is_https() {
            let stream = self.protect(target, stream).await?;
            self.step(Stage::Answer, exchange(stream, request)).await?
        } else {
            self.step(Stage::Answer, exchange(stream, request)).await?
        };
        match answer.status.is_success() {
            true => Ok(()),
            false => Err(Failure::refused(answer)),
        }
    }

    /// Returns the addresses of the target that may be reached.
    async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, Failure> {
        if !self.reach.any_port && !target.has_usual_port() {
            return Err(Failure::new(
                Stage::Address,
                &"only the usual port may be used",
            ));
        }
        let found = lookup_host((target.bare_host(), target.port()));
        let found = self.step(Stage::Resolve, found).await?;
        let found: Vec<SocketAddr> = found.collect();
        let reachable = found.iter().filter(|one| self.reach.has(one.ip()));
        let reachable: Vec<SocketAddr> = reachable.copied().take(ADDRESSES).collect();
        match (reachable.is_empty(), found.first()) {
            (false, _) => Ok(reachable),
            (true, Some(refused)) => Err(not_public(refused.ip())),
            (true, None) => Err(Failure::new(Stage::Resolve, &"the name has no address")),
        }
    }

    /// Connects to the first of these addresses that takes the connection, and checks where it leads.
    async fn connect(&self, addresses: &[SocketAddr]) -> Result<Bounded<TcpStream>, Failure> {
        let stream = TcpStream::connect(addresses);
        let stream = self.step(Stage::Connect, stream).await?;
        let peer = stream.peer_addr();
        let peer = peer.map_err(|error| Failure::new(Stage::Connect, &error))?;
        match self.reach.has(peer.ip()) {
            true => Ok(Bounded::new(stream, peer, ANSWER_BYTES)),
            false => Err(not_public(peer.ip())),
        }
    }

    async fn protect(
        &self,
        target: &Target,
        stream: Bounded<TcpStream>,
    ) -> Result<TlsStream<Bounded<TcpStream>>, Failure> {
        let name = target.server_name();
        let name = name.map_err(|error| Failure::new(Stage::Tls, &error))?;
        self.step(Stage::Tls, self.tls.connect(name, stream)).await
    }

    /// Does a step within its time.
    async fn step<T, E: fmt::Display>(
        &self,
        stage: Stage,
        doing: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(self.step, doing).await {
            Ok(done) => done.map_err(|error| Failure::new(stage, &error)),
            Err(_) => Err(Failure::new(stage, &"no answer in time")),
        }
    }
}

fn not_public(address: IpAddr) -> Failure {
    let reason = format!("{address} is not a public address; allow_private can allow it");
    Failure::new(Stage::Address, &reason)
}

/// Sends a request and reads the head of the answer. The connection ends with this.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Body>,
) -> Result<Answer, String> {
    let failed = |error: hyper::Error| tilewire_protocol::causes(&error);
    let mut settings = http1::Builder::new();
    settings.max_buf_size(HEAD_BYTES);
    let opened = settings.handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = opened.map_err(failed)?;
    // It ends with this call, also if the time is over.
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // The request reports the failure.
        connection.await.ok();
    });
    let answer = sender.send_request(request).await.map_err(failed)?;
    Ok(Answer {
        status: answer.status(),
        retry_after_ms: retry_after_ms(answer.headers()),
    })
}

fn request(
    target: &Target,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Body>, InvalidHeaderValue> {
    let host = HeaderValue::from_str(&target.authority())?;
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = Uri::from(target.path().clone());
    *request.headers_mut() = headers;
    request.headers_mut().insert(HOST, host);
    let agent = HeaderValue::from_static(AGENT);
    request.headers_mut().insert(USER_AGENT, agent);
    Ok(request)
}

fn retry_after_ms(headers: &HeaderMap) -> Option<Millis> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    let seconds: u32 = text.trim().parse().ok()?;
    Some(Millis(i64::from(seconds) * 1_000))
}

#[cfg(test)]
mod tests;
