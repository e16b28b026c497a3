//! The page over HTTP: its files with their headers, and the state of the server for pages.

use axum::body::Body;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde_json::{Value, json};
use tilewire_protocol::PROTOCOL_VERSION;

use crate::page::{PageFile, find};
use tilewire_config::{Config, PageOrigin};

/// The path of the state of the server. A script cannot read the HTTP answer to a refused WebSocket, so it asks here why.
pub(super) const STATUS_PATH: &str = "/status";

/// The page may load its own files and connect to its own server, and nothing else. The origins of pages that may contain it
/// follow.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      require-trusted-types-for 'script'; frame-ancestors";
/// The longest time that HTTP knows: a year.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// A browser may keep the answer, and asks each time whether it still holds.
const ASK_AGAIN: &str = "no-cache";

/// Returns the answer with the file of the page at `path`, if there is one. Pages of `origins` may contain it.
pub(super) fn answer(
    path: &str,
    headers: &HeaderMap,
    origins: &[PageOrigin],
) -> Option<Response<Body>> {
    find(path).map(|file| {
        let mut answer = file_answer(file, headers);
        answer
            .headers_mut()
            .insert(CONTENT_SECURITY_POLICY, policy(origins));
        answer
    })
}

/// Returns the page, which tells a browser that the address leads nowhere. Other clients and addresses of files get no page.
pub(super) fn nowhere(
    path: &str,
    headers: &HeaderMap,
    origins: &[PageOrigin],
) -> Option<Response<Body>> {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let is_browser = accepted.is_some_and(|types| types.contains("text/html"));
    if !is_browser || path.contains('.') {
        return None;
    }
    let mut unconditional = headers.clone();
    unconditional.remove(IF_NONE_MATCH);
    let mut page = answer("/", &unconditional, origins)?;
    *page.status_mut() = StatusCode::NOT_FOUND;
    page.headers_mut().remove(ETAG);
    Some(page)
}

/// Returns the content security policy of the page.
fn policy(origins: &[PageOrigin]) -> HeaderValue {
    let mut text = POLICY.to_owned();
    if origins.is_empty() {
        text.push_str(" 'none'");
    }
    for origin in origins {
        text.push(' ');
        text.push_str(&origin.to_string());
    }
    HeaderValue::from_str(&text).expect("an origin has no characters that a header refuses")
}

/// Says whether the page has something at `path`.
pub(super) fn is_known(path: &str) -> bool {
    path == STATUS_PATH || find(path).is_some()
}

/// Returns the state of a server that takes connections (P-CONN-13), with the origins of pages that may tell the server's page
/// its player's token, and whether the server sends letters.
pub(super) fn status(config: &Config) -> Response<Body> {
    let mut answer = Response::new(Body::from(state(config).to_string()));
    let fields = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    set(&mut answer, &fields);
    answer
}

fn state(config: &Config) -> Value {
    let mut state = json!({
        "protocol": PROTOCOL_VERSION,
        "server": concat!("tilewire-server/", env!("CARGO_PKG_VERSION")),
    });
    let origins = &config.site.page_origins.0;
    if !origins.is_empty() {
        state["page_origins"] = json!(origins);
    }
    if config.mail.is_on() {
        state["mail"] = json!(true);
    }
    state
}

fn file_answer(file: &'static PageFile, headers: &HeaderMap) -> Response<Body> {
    let is_known_there = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .any(|tags| tags.to_str().is_ok_and(|tags| tags.contains(&file.etag)));
    let mut answer = Response::new(Body::empty());
    if is_known_there {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    } else if takes_gzip(headers) {
        *answer.body_mut() = Body::from(file.gzip.clone());
        set(&mut answer, &[(CONTENT_ENCODING, "gzip")]);
    } else {
        *answer.body_mut() = Body::from(file.plain.clone());
    }
    let caching = if file.is_immutable {
        FOR_EVER
    } else {
        ASK_AGAIN
    };
    let fields = [
        (CONTENT_TYPE, file.media_type),
        (CACHE_CONTROL, caching),
        (ETAG, &file.etag),
        (VARY, "accept-encoding"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    set(&mut answer, &fields);
    answer
}

fn set(answer: &mut Response<Body>, fields: &[(HeaderName, &'static str)]) {
    for (name, value) in fields {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}

/// Says whether a client reads gzip. A quality of 0 excludes an encoding.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(ACCEPT_ENCODING).iter();
    let mut encodings = encodings
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    encodings.any(|encoding| {
        let (name, parameters) = encoding.split_once(';').unwrap_or((encoding, ""));
        let quality = parameters.trim().strip_prefix("q=");
        name.trim().eq_ignore_ascii_case("gzip")
            && quality.is_none_or(|q| q.parse::<f32>().is_ok_and(|q| q > 0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(HeaderName, &'static str)]) -> HeaderMap {
        fields
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn a_client_gets_gzip_if_it_reads_gzip() {
        for (value, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0, br", false),
            ("br", false),
            ("", false),
        ] {
            assert_eq!(
                takes_gzip(&headers(&[(ACCEPT_ENCODING, value)])),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn an_asset_stays_and_the_page_is_asked_for() {
        let page = answer("/", &HeaderMap::new(), &[]).unwrap();
        assert_eq!(page.headers()[CACHE_CONTROL], ASK_AGAIN);
        let html = find("/").unwrap();
        let text = std::str::from_utf8(&html.plain).unwrap();
        let script = text.split('"').find(|part| part.ends_with(".js")).unwrap();
        assert_eq!(
            answer(script, &HeaderMap::new(), &[]).unwrap().headers()[CACHE_CONTROL],
            FOR_EVER
        );
    }

    #[test]
    fn a_browser_that_has_the_page_gets_no_body() {
        let mut known = HeaderMap::new();
        let tag = page_tag();
        known.insert(
            IF_NONE_MATCH,
            HeaderValue::from_str(&format!("W/\"x\", {tag}")).unwrap(),
        );
        assert_eq!(
            answer("/rules", &known, &[]).unwrap().status(),
            StatusCode::NOT_MODIFIED
        );
        assert_eq!(
            answer("/rules", &headers(&[(IF_NONE_MATCH, "\"x\"")]), &[])
                .unwrap()
                .status(),
            StatusCode::OK
        );
    }

    #[test]
    fn a_browser_without_a_page_gets_one_that_says_so() {
        let browser = headers(&[(ACCEPT, "text/html,*/*;q=0.8"), (IF_NONE_MATCH, "*")]);
        for path in ["/nope", "/games/", "/games/a/b"] {
            let page = nowhere(path, &browser, &[]).unwrap();
            assert_eq!(page.status(), StatusCode::NOT_FOUND, "{path}");
            assert_eq!(page.headers()[CONTENT_SECURITY_POLICY], policy(&[]));
            assert!(page.headers().get(ETAG).is_none());
        }
        assert!(nowhere("/games/g1.gcg", &browser, &[]).is_none());
        assert!(nowhere("/nope", &headers(&[(ACCEPT, "*/*")]), &[]).is_none());
        assert!(nowhere("/nope", &HeaderMap::new(), &[]).is_none());
    }

    #[test]
    fn only_pages_of_listed_origins_may_contain_the_page() {
        let ancestors = |origins: &[&str]| {
            let origins: Vec<PageOrigin> =
                origins.iter().map(|text| text.parse().unwrap()).collect();
            for path in ["/", "/rules"] {
                let page = answer(path, &HeaderMap::new(), &origins).unwrap();
                assert_eq!(page.headers()[CONTENT_SECURITY_POLICY], policy(&origins));
            }
            let policy = policy(&origins).to_str().unwrap().to_owned();
            policy.split_once("frame-ancestors ").unwrap().1.to_owned()
        };
        assert_eq!(ancestors(&[]), "'none'");
        assert_eq!(
            ancestors(&["https://site.example", "http://127.0.0.1:8080"]),
            "https://site.example http://127.0.0.1:8080"
        );
    }

    #[test]
    fn the_state_says_what_the_page_can_offer() {
        let mut config = Config::default();
        let told = |config: &Config| {
            let state = state(config);
            assert_eq!(state["protocol"], json!(PROTOCOL_VERSION));
            [state["mail"].clone(), state["page_origins"].clone()]
        };
        assert_eq!(told(&config), [Value::Null, Value::Null]);
        config.mail.server = "mail.example".to_owned();
        assert_eq!(told(&config), [json!(true), Value::Null]);
        config.site.page_origins.0 = vec!["https://site.example".parse().unwrap()];
        assert_eq!(
            told(&config),
            [json!(true), json!(["https://site.example"])]
        );
    }

    fn page_tag() -> String {
        find("/").unwrap().etag.clone()
    }
}
