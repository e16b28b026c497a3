//! Plain HTTP on the players' listener, and the upgrade to a WebSocket.
//!
//! The handshake is done here and the socket handed to tungstenite: what may be spoken is decided before anything is
//! allocated for a session.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{
    CONNECTION, CONTENT_TYPE, HOST, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Version,
};
use data_encoding::BASE64;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tilewire_protocol::{Codec, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, WEBSOCKET_PATH};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::records::RECORDS_PATH;
use super::{records, socket};
use crate::app::App;

/// The only version of WebSocket there is.
const WEBSOCKET_VERSION: &str = "13";

/// Speaks HTTP with one client until it goes or becomes a WebSocket.
pub(super) async fn serve(app: Arc<App>, stream: TcpStream, slot: super::Slot) {
    let slot = Arc::new(slot);
    let within = app.config.timing.auth_within_ms.unsigned_abs();
    let service = service_fn(move |request| {
        let (app, slot) = (Arc::clone(&app), Arc::clone(&slot));
        async move { Ok::<_, Infallible>(answer(&app, request, &slot).await) }
    });
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(std::time::Duration::from_millis(within))
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "an HTTP connection ended");
    }
}

async fn answer(
    app: &Arc<App>,
    request: Request<Incoming>,
    slot: &Arc<super::Slot>,
) -> Response<Body> {
    match (request.method(), request.uri().path()) {
        (&Method::GET, path) if path.starts_with(RECORDS_PATH) => {
            records::answer(app, path, request.headers()).await
        }
        (&Method::GET, "/") => text(StatusCode::OK, front_page()),
        (&Method::GET, WEBSOCKET_PATH) => upgrade(app, request, slot),
        (_, path) if is_known(path) => text(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET is possible here\n".to_owned(),
        ),
        _ => text(
            StatusCode::NOT_FOUND,
            format!("there is nothing here; the WebSocket is at {WEBSOCKET_PATH}\n"),
        ),
    }
}

fn is_known(path: &str) -> bool {
    path == "/" || path == WEBSOCKET_PATH || path.starts_with(RECORDS_PATH)
}

fn front_page() -> String {
    format!(
        "Tilewire {}: a live server for crossword board games.\n\n\
         Clients connect by WebSocket to {WEBSOCKET_PATH} and speak {SUBPROTOCOL_MSGPACK} or {SUBPROTOCOL_JSON}.\n\
         Records of finished games: {RECORDS_PATH}GAME.gcg and {RECORDS_PATH}GAME.jsonl\n\
         The reference client: tilewire play\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn upgrade(
    app: &Arc<App>,
    mut request: Request<Incoming>,
    slot: &Arc<super::Slot>,
) -> Response<Body> {
    let headers = request.headers();
    let can_upgrade = request.version() >= Version::HTTP_11;
    if !can_upgrade
        || !names(headers, &UPGRADE, "websocket")
        || !names(headers, &CONNECTION, "upgrade")
    {
        return text(
            StatusCode::UPGRADE_REQUIRED,
            format!("{WEBSOCKET_PATH} is for WebSocket clients\n"),
        );
    }
    if !names(headers, &SEC_WEBSOCKET_VERSION, WEBSOCKET_VERSION) {
        let mut refused = text(
            StatusCode::BAD_REQUEST,
            "only version 13 of WebSocket is spoken here\n".to_owned(),
        );
        refused.headers_mut().insert(
            SEC_WEBSOCKET_VERSION,
            HeaderValue::from_static(WEBSOCKET_VERSION),
        );
        return refused;
    }
    if !headers.contains_key(HOST) {
        return text(StatusCode::BAD_REQUEST, "Host is missing\n".to_owned());
    }
    let key = headers.get(SEC_WEBSOCKET_KEY);
    let Some(key) = key.filter(|key| is_key(key.as_bytes())) else {
        return text(
            StatusCode::BAD_REQUEST,
            "Sec-WebSocket-Key is missing, or not 16 bytes in base64\n".to_owned(),
        );
    };
    let accept = derive_accept_key(key.as_bytes());
    let Some((codec, subprotocol)) = spoken(headers) else {
        let known =
            format!("offer one of the subprotocols {SUBPROTOCOL_MSGPACK}, {SUBPROTOCOL_JSON}\n");
        return text(StatusCode::BAD_REQUEST, known);
    };
    let (app, slot) = (Arc::clone(app), Arc::clone(slot));
    let upgraded = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        match upgraded.await {
            Ok(upgraded) => socket::serve(app, TokioIo::new(upgraded), codec, slot.from()).await,
            Err(error) => tracing::debug!(%error, "an upgrade came to nothing"),
        }
        // The connection counts until its socket is done.
        drop(slot);
    });
    let answer = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(UPGRADE, "websocket")
        .header(CONNECTION, "Upgrade")
        .header(SEC_WEBSOCKET_ACCEPT, accept)
        .header(SEC_WEBSOCKET_PROTOCOL, subprotocol)
        .body(Body::empty());
    answer.unwrap_or_else(|_| text(StatusCode::INTERNAL_SERVER_ERROR, String::new()))
}

/// Says whether the value of `Sec-WebSocket-Key` is one: 16 bytes in base64 (RFC 6455, 4.2.1).
fn is_key(value: &[u8]) -> bool {
    BASE64.decode(value).is_ok_and(|key| key.len() == 16)
}

/// Returns the first subprotocol of the client's offer that is spoken here.
fn spoken(headers: &HeaderMap) -> Option<(Codec, &'static str)> {
    let offers = headers.get_all(SEC_WEBSOCKET_PROTOCOL);
    let mut offers = offers
        .iter()
        .filter_map(|offer| offer.to_str().ok())
        .flat_map(|offer| offer.split(','));
    offers.find_map(|offer| match offer.trim() {
        SUBPROTOCOL_MSGPACK => Some((Codec::MsgPack, SUBPROTOCOL_MSGPACK)),
        SUBPROTOCOL_JSON => Some((Codec::Json, SUBPROTOCOL_JSON)),
        _ => None,
    })
}

fn names(headers: &HeaderMap, header: &HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(header);
    let mut values = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    values.any(|value| value.trim().eq_ignore_ascii_case(wanted))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sixteen_bytes_in_base64() {
        assert!(is_key(b"dGhlIHNhbXBsZSBub25jZQ=="));
        for bad in [
            &b""[..],
            b"AAAAAAAAAAAAAAAAAAAA",
            b"AAAAAAAAAAAAAAAAAAAAAAA=",
            b"dGhlIHNhbXBsZSBub25jZQ",
            b"this is no key at all!!!",
        ] {
            assert!(!is_key(bad), "{}", String::from_utf8_lossy(bad));
        }
    }
}
