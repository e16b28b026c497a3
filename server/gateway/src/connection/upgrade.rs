//! Plain HTTP on the players' listener, and the upgrade to a WebSocket.
//!
//! The handshake is done here, and tungstenite gets the socket: the server checks the request before it allocates a
//! session.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_TYPE, HOST, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper_util::rt::{TokioIo, TokioTimer};
use tilewire_protocol::{Codec, WEBSOCKET_PATH};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::admission::{Refusal, Slot};
use super::meter::Cost;
use super::records::RECORDS_PATH;
use super::services::Services;
use super::{handshake, origin, page, proxy, records, serve, unsubscribe};
use tilewire_api as api;
use tilewire_base::address::ClientAddress;
use tilewire_base::metrics;

/// A client that has no WebSocket yet.
#[derive(Debug, Clone)]
struct Guest {
    services: Arc<Services>,
    slot: Arc<Slot>,
    /// The other end of the connection.
    from: IpAddr,
}

/// Serves one client over HTTP, with TLS if there is an acceptor, until it ends or becomes a WebSocket.
pub(super) async fn receive(
    services: Arc<Services>,
    stream: TcpStream,
    from: IpAddr,
    acceptor: Option<TlsAcceptor>,
    slot: Slot,
) {
    let timing = &services.config.timing;
    let (handshake, http) = (
        timing.handshake_ms.to_duration(),
        timing.http_ms.to_duration(),
    );
    let slot = Arc::new(slot);
    let guest = Guest {
        services,
        slot,
        from,
    };
    let Some(acceptor) = acceptor else {
        return serve(guest, stream, http).await;
    };
    // Boxed, so that connections without TLS do not keep its size.
    match tokio::time::timeout(handshake, Box::pin(acceptor.accept(stream))).await {
        Ok(Ok(stream)) => Box::pin(serve(guest, stream, http)).await,
        Ok(Err(error)) => {
            metrics::connection_refused("tls_failed");
            tracing::debug!(%from, %error, "a TLS handshake failed");
        }
        Err(_) => {
            metrics::connection_refused("tls_timeout");
            tracing::debug!(%from, "a TLS handshake took too long");
        }
    }
}

async fn serve<S>(guest: Guest, stream: S, within: Duration)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let config = Arc::clone(&guest.services.config);
    let from = guest.from;
    let service = service_fn(move |request| {
        let guest = guest.clone();
        async move { Ok::<_, Infallible>(answer(&guest, request).await) }
    });
    let serving = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(config.timing.handshake_ms.to_duration())
        .max_buf_size(config.limits.http_header_bytes)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // A client that does not become a WebSocket may not stay for long.
    match tokio::time::timeout(within, serving).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            if error.is_timeout() {
                metrics::connection_refused("http_timeout");
            } else if error.is_parse() {
                metrics::connection_refused("http_malformed");
            }
            tracing::debug!(%from, %error, "an HTTP connection ended");
        }
        Err(_) => {
            metrics::connection_refused("http_timeout");
            tracing::debug!(%from, "an HTTP connection took too long");
        }
    }
}

async fn answer(guest: &Guest, request: Request<Incoming>) -> Response<Body> {
    guest.pay(&request).await;
    if !names_one_host(&request) {
        metrics::connection_refused("http_malformed");
        return malformed();
    }
    if api::is_known(request.uri().path()) {
        return use_api(guest, request).await;
    }
    let path = request.uri().path();
    if unsubscribe::is_known(path) {
        let people = &guest.services.people;
        return unsubscribe::answer(people, request.method(), path, request.headers()).await;
    }
    let is_reading = matches!(request.method(), &Method::GET | &Method::HEAD);
    // A browser's address bar and a record differ by the point in the name.
    let origins = &guest.services.config.site.page_origins.0;
    let file = page::answer(path, request.headers(), origins);
    if let Some(file) = file.filter(|_| is_reading) {
        return file;
    }
    if is_reading
        && !matches!(path, WEBSOCKET_PATH | page::STATUS_PATH)
        && let Some(nowhere) = page::nowhere(path, request.headers(), origins)
    {
        return nowhere;
    }
    match (request.method(), path) {
        (&Method::GET, path) if path.starts_with(RECORDS_PATH) => {
            let from = guest.address(request.headers());
            records::answer(&guest.services, path, from, request.headers()).await
        }
        (&Method::GET, page::STATUS_PATH) => status(guest, request.headers()),
        (&Method::GET, WEBSOCKET_PATH) => upgrade(guest, request),
        (_, path) if is_known(path) => text(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET is allowed\n".to_owned(),
        ),
        _ => text(
            StatusCode::NOT_FOUND,
            format!("there is nothing here; the WebSocket is at {WEBSOCKET_PATH}\n"),
        ),
    }
}

/// Says whether a request has one `Host`, as HTTP/1.1 demands (RFC 9112, 3.2): programs before the server and the server could
/// read two of them differently.
fn names_one_host(request: &Request<Incoming>) -> bool {
    request.version() < Version::HTTP_11 || request.headers().get_all(HOST).iter().count() == 1
}

/// Returns the answer to a request that is not HTTP. The connection ends.
fn malformed() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

fn is_known(path: &str) -> bool {
    path == WEBSOCKET_PATH || path.starts_with(RECORDS_PATH) || page::is_known(path)
}

/// Answers a request for the API. A page may send one if it may open a WebSocket.
async fn use_api(guest: &Guest, request: Request<Incoming>) -> Response<Body> {
    let headers = request.headers();
    let settings = guest.services.settings.now();
    if !origin::is_allowed(&settings.http.allowed_origins.0, headers) {
        return api::foreign_page();
    }
    if let Err(refusal) = guest.check_address(headers) {
        metrics::connection_refused(refusal.name());
        return refused(refusal);
    }
    let page = origin::page_of(headers).cloned();
    let from = guest.address(headers);
    // A page of another site asks before it sends a token or a body.
    let is_question = request.method() == Method::OPTIONS && page.is_some();
    let mut response = if is_question {
        origin::preflight()
    } else {
        let relay = guest.services.exchange();
        let services = guest.services.for_players(relay.as_deref());
        api::answer(services, request.map(Body::new), from).await
    };
    if let Some(page) = page {
        origin::allow_reading(&mut response, page);
    }
    response
}

/// Answers as an upgrade would be answered for a limit.
fn status(guest: &Guest, headers: &HeaderMap) -> Response<Body> {
    match guest.count_client(headers) {
        Ok(()) => page::status(&guest.services.config),
        Err(refusal) => refused(refusal),
    }
}

fn upgrade(guest: &Guest, mut request: Request<Incoming>) -> Response<Body> {
    let offer = match handshake::offer(request.headers(), request.version()) {
        Ok(offer) => offer,
        Err(refused) => return *refused,
    };
    let settings = guest.services.settings.now();
    if !origin::is_allowed(&settings.http.allowed_origins.0, request.headers()) {
        metrics::connection_refused("origin");
        return text(
            StatusCode::FORBIDDEN,
            "origin: pages of this site may not connect; the operator allows sites with http.allowed_origins\n"
                .to_owned(),
        );
    }
    if let Err(refusal) = guest.count_client(request.headers()) {
        metrics::connection_refused(refusal.name());
        return refused(refusal);
    }
    let upgraded = hyper::upgrade::on(&mut request);
    let (services, slot, codec) = (
        Arc::clone(&guest.services),
        Arc::clone(&guest.slot),
        offer.codec,
    );
    tokio::spawn(async move {
        match upgraded.await {
            Ok(upgraded) => hand_over(services, upgraded, codec, slot).await,
            Err(error) => tracing::debug!(%error, "an upgrade failed"),
        }
    });
    offer.accepted()
}

/// Takes the socket, and the bytes that were read early, out of hyper's connection.
async fn hand_over(services: Arc<Services>, upgraded: Upgraded, codec: Codec, slot: Arc<Slot>) {
    let upgraded = match upgraded.downcast::<TokioIo<TcpStream>>() {
        Ok(parts) => {
            let (early, stream) = (parts.read_buf.to_vec(), parts.io.into_inner());
            return serve::serve_plain(services, stream, early, codec, slot).await;
        }
        Err(upgraded) => upgraded,
    };
    match upgraded.downcast::<TokioIo<TlsStream<TcpStream>>>() {
        Ok(parts) => {
            let (early, stream) = (parts.read_buf.to_vec(), parts.io.into_inner());
            Box::pin(serve::serve_bytes(services, stream, early, codec, slot)).await;
        }
        Err(_) => tracing::error!("an upgraded connection has an unknown type"),
    }
}

impl Guest {
    /// Charges a request to its address, and waits while the budget of the address is overdrawn.
    async fn pay(&self, request: &Request<Incoming>) {
        let cost = price(request.uri().path());
        let address = self.address(request.headers());
        let wait = self.services.budgets.charge_address(address, cost);
        tokio::time::sleep(wait.to_duration()).await;
    }

    /// Refuses a client if an admin has blocked its address.
    fn check_address(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let address = self.client(headers).unwrap_or(self.from);
        match self
            .services
            .blocked
            .has(address, self.services.clock.now())
        {
            true => Err(Refusal::AddressBlocked),
            false => Ok(()),
        }
    }

    /// Counts the connection for its client, if a trusted proxy names it. Refuses a blocked address.
    fn count_client(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_address(headers)?;
        let Some(client) = self.client(headers) else {
            return Ok(());
        };
        self.slot
            .comes_from(ClientAddress::from(client), self.services.clock.now())
    }

    /// Returns the address that a request is counted for: the client's, also behind a trusted proxy.
    fn address(&self, headers: &HeaderMap) -> ClientAddress {
        ClientAddress::from(self.client(headers).unwrap_or(self.from))
    }

    /// Returns the client's address, if the connection comes from a trusted proxy.
    fn client(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let http = &self.services.config.http;
        proxy::is_proxy(http, self.from).then(|| proxy::client_of(http, self.from, headers))
    }
}

fn refused(refusal: Refusal) -> Response<Body> {
    let said = format!("{}: {}\n", refusal.name(), refusal.meaning());
    let mut response = text(refusal.status(), said);
    response
        .headers_mut()
        .insert(RETRY_AFTER, refusal.retry_after_s().into());
    response
}

pub(super) fn text(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

/// Returns the cost of a request over HTTP.
fn price(path: &str) -> Cost {
    if api::is_export(path) {
        Cost::EXPORT
    } else if path.starts_with(RECORDS_PATH) || api::is_known(path) {
        Cost::RECORD
    } else {
        Cost::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_over_http_costs_what_it_makes_the_server_do() {
        for (path, cost) in [
            ("/", Cost::ONE),
            ("/games/abc.gcg", Cost::RECORD),
            ("/api/v1/archive", Cost::RECORD),
            ("/api/v1/export", Cost::EXPORT),
            ("/api/v1/account/export", Cost::EXPORT),
        ] {
            assert_eq!(price(path), cost, "{path}");
        }
    }
}
