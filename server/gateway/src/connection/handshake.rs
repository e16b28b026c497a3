//! The opening handshake of a WebSocket (RFC 6455, 4.2), checked by its headers alone.

use axum::body::Body;
use axum::http::header::{
    CONNECTION, HOST, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Version};
use data_encoding::BASE64;
use tilewire_protocol::{Codec, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, WEBSOCKET_PATH};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::upgrade::text;

/// The only version of WebSocket.
const WEBSOCKET_VERSION: &str = "13";

/// A valid handshake.
#[derive(Debug)]
pub(super) struct Offer {
    /// The codec that the client and the server use.
    pub(super) codec: Codec,
    subprotocol: &'static str,
    accept: String,
}

impl Offer {
    /// Returns the answer that makes the connection a WebSocket.
    pub(super) fn accepted(self) -> Response<Body> {
        let answer = Response::builder()
            .status(StatusCode::SWITCHING_PROTOCOLS)
            .header(UPGRADE, "websocket")
            .header(CONNECTION, "Upgrade")
            .header(SEC_WEBSOCKET_ACCEPT, self.accept)
            .header(SEC_WEBSOCKET_PROTOCOL, self.subprotocol)
            .body(Body::empty());
        answer.unwrap_or_else(|_| text(StatusCode::INTERNAL_SERVER_ERROR, String::new()))
    }
}

/// Checks a request for a WebSocket; the error is the answer to an invalid one.
pub(super) fn offer(headers: &HeaderMap, version: Version) -> Result<Offer, Box<Response<Body>>> {
    let refuse = |status, why: String| Err(Box::new(text(status, why)));
    let can_upgrade = version >= Version::HTTP_11;
    if !can_upgrade
        || !names(headers, &UPGRADE, "websocket")
        || !names(headers, &CONNECTION, "upgrade")
    {
        return refuse(
            StatusCode::UPGRADE_REQUIRED,
            format!("{WEBSOCKET_PATH} is for WebSocket clients\n"),
        );
    }
    if !names(headers, &SEC_WEBSOCKET_VERSION, WEBSOCKET_VERSION) {
        let mut refused = text(
            StatusCode::BAD_REQUEST,
            "the server speaks version 13 of WebSocket only\n".to_owned(),
        );
        refused.headers_mut().insert(
            SEC_WEBSOCKET_VERSION,
            HeaderValue::from_static(WEBSOCKET_VERSION),
        );
        return Err(Box::new(refused));
    }
    if !headers.contains_key(HOST) {
        return refuse(StatusCode::BAD_REQUEST, "Host is missing\n".to_owned());
    }
    let key = headers.get(SEC_WEBSOCKET_KEY);
    let Some(key) = key.filter(|key| is_key(key.as_bytes())) else {
        return refuse(
            StatusCode::BAD_REQUEST,
            "Sec-WebSocket-Key is missing, or not 16 bytes in base64\n".to_owned(),
        );
    };
    let Some((codec, subprotocol)) = subprotocol(headers) else {
        let known =
            format!("offer one of the subprotocols {SUBPROTOCOL_MSGPACK}, {SUBPROTOCOL_JSON}\n");
        return refuse(StatusCode::BAD_REQUEST, known);
    };
    Ok(Offer {
        codec,
        subprotocol,
        accept: derive_accept_key(key.as_bytes()),
    })
}

/// Says whether a value of `Sec-WebSocket-Key` is valid: 16 bytes in base64 (RFC 6455, 4.2.1).
fn is_key(value: &[u8]) -> bool {
    BASE64.decode(value).is_ok_and(|key| key.len() == 16)
}

/// Returns the first subprotocol in the client's offer that the server knows.
fn subprotocol(headers: &HeaderMap) -> Option<(Codec, &'static str)> {
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
