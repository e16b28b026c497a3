//! The check of requests before they are answered: no web page, and the token where one is required.
//!
//! A web page on the operator's machine can send requests to a listener on loopback, also with a host name that resolves
//! to loopback (DNS rebinding). The browser names the page in `Origin`, and the host name in `Host`. The programs of an
//! operator send no `Origin`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Admin;
use tilewire_base::http::bearer;
use tilewire_control::admin_token::AdminToken;

/// The reasons why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("origin: web pages may not use this listener")]
    Origin,
    #[error("host: without admin.token_file, `Host` must be an IP address or localhost")]
    Host,
    #[error(
        "token: this needs `Authorization: Bearer` with the token of admin.token_file, or of admin-token in data_dir"
    )]
    Token,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Origin | Self::Host => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
        };
        let mut response = (status, format!("{self}\n")).into_response();
        if self == Self::Token {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// Refuses requests of web pages. A page does not know the token, so with one every host name is accepted.
pub(super) async fn refuse_pages(
    State(has_token): State<bool>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    if headers.contains_key(ORIGIN) {
        return Refusal::Origin.into_response();
    }
    if !has_token && !headers.get_all(HOST).iter().all(names_no_site) {
        return Refusal::Host.into_response();
    }
    next.run(request).await
}

/// Refuses requests without the token, if one is required.
pub(super) async fn require_token(
    State(token): State<Option<Arc<AdminToken>>>,
    request: Request,
    next: Next,
) -> Response {
    match token.is_none_or(|token| names(&request, &token)) {
        true => next.run(request).await,
        false => Refusal::Token.into_response(),
    }
}

/// Refuses requests without the token of the operator: other users of the machine can reach the listener.
pub(super) async fn require_operator(
    State(admin): State<Admin>,
    request: Request,
    next: Next,
) -> Response {
    match admin.access.operations.get() {
        None => admin.not_started().into_response(),
        Some(token) if names(&request, token) => next.run(request).await,
        Some(_) => Refusal::Token.into_response(),
    }
}

/// Says whether a request has a token.
pub(super) fn names(request: &Request, token: &AdminToken) -> bool {
    let given = request.headers().get(AUTHORIZATION).and_then(bearer);
    given.is_some_and(|given| token.is(given))
}

/// Says whether a `Host` is an IP address or `localhost`, with or without a port. DNS cannot change what these mean.
fn names_no_site(host: &HeaderValue) -> bool {
    let Some(authority) = (host.to_str().ok()).and_then(|host| host.parse::<Authority>().ok())
    else {
        return false;
    };
    let name = authority.host();
    // The parser also accepts a name behind brackets, such as `[::1].example`.
    let rest = authority.as_str().strip_prefix(name);
    if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':')) {
        return false;
    }
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost") || address.unwrap_or(name).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_dns_can_change_is_a_site() {
        let is_no_site = |host: &'static str| names_no_site(&HeaderValue::from_static(host));
        for host in [
            "localhost",
            "LocalHost:7781",
            "127.0.0.1:7781",
            "[::1]",
            "[::1]:7781",
        ] {
            assert!(is_no_site(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:7781",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "localhost@evil.example",
            "[::1].evil.example",
        ] {
            assert!(!is_no_site(host), "{host}");
        }
    }
}
