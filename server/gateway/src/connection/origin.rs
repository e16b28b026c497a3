//! The check of `Origin`: which web pages may connect.
//!
//! A browser lets every page open WebSockets to every server, and names the page's site in `Origin`. Other programs
//! send no `Origin`.

use axum::body::Body;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, HOST, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};

use tilewire_config::{AllowedOrigin, WebOrigin};

/// Says whether a request may connect: it comes from no page, from a page of this server's own address, or from an
/// allowed site.
pub(super) fn is_allowed(allowed: &[AllowedOrigin], headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let (origin, more) = (origins.next(), origins.next());
    let Some(origin) = origin else {
        return true;
    };
    if allowed.contains(&AllowedOrigin::Any) {
        return true;
    }
    // `null`, which sandboxed pages and files send, does not name a site.
    let origin = origin
        .to_str()
        .ok()
        .and_then(|text| text.parse::<WebOrigin>().ok());
    let Some(origin) = origin.filter(|_| more.is_none()) else {
        return false;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host.is_some_and(|host| origin.is_host(host)) || allowed.contains(&AllowedOrigin::Site(origin))
}

/// Returns the value of `Origin`, if a page sends the request.
pub(super) fn page_of(headers: &HeaderMap) -> Option<&HeaderValue> {
    headers.get(ORIGIN)
}

/// Returns the answer to a browser that asks whether a page may send a token and a body.
pub(super) fn preflight() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, DELETE"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type"),
        (ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// Lets the browser show an answer to the page that asked. Credentials of the browser, such as cookies, stay excluded.
pub(super) fn allow_reading(response: &mut Response<Body>, page: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, page);
    headers.insert(VARY, HeaderValue::from_static("origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(allowed: &[&str], origins: &[&str]) -> bool {
        let allowed: Vec<_> = allowed.iter().map(|entry| entry.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, "play.example:7780".parse().unwrap());
        for origin in origins {
            headers.append(ORIGIN, origin.parse().unwrap());
        }
        is_allowed(&allowed, &headers)
    }

    #[test]
    fn programs_own_pages_and_listed_sites_may() {
        assert!(allows(&[], &[]));
        assert!(allows(&[], &["http://play.example:7780"]));
        assert!(allows(&["https://site.example"], &["https://site.example"]));
        assert!(allows(&["*"], &["https://anything.example"]));
        assert!(allows(&["*"], &["null"]));
    }

    #[test]
    fn other_pages_may_not() {
        for other in [
            "https://evil.example",
            "http://play.example",
            "null",
            "http://play.example:7780.evil",
        ] {
            assert!(!allows(&["https://site.example"], &[other]), "{other}");
        }
        assert!(!allows(&["https://site.example"], &["http://site.example"]));
        assert!(!allows(
            &[],
            &["http://play.example:7780", "http://play.example:7780"]
        ));
    }
}
