//! The form of the HTTP API: bodies, tokens, errors, headers.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::api::{self, Answer, ask, credentials, offered, refuses, send};
use crate::link::Link;
use crate::registered::{PASSWORD, new_handle, player};

/// The cases about the form of requests and answers.
pub const CASES: &[Case<Target>] = &[
    Case::of("api/document", &["H-FORM-6"], document),
    Case::of("api/bodies", &["H-FORM-1", "H-FORM-3"], bodies),
    Case::of("api/unknown-fields", &["H-FORM-1"], unknown_fields),
    Case::of("api/tokens", &["H-FORM-2"], tokens),
    Case::of("api/errors", &["H-FORM-3"], errors),
    Case::of("api/fields", &["H-FORM-3"], fields),
    Case::of("api/announced-bodies", &["H-FORM-1"], announced_bodies),
    Case::of("api/no-http", &["H-FORM-8"], no_http),
    Case::of("api/headers", &["H-FORM-2", "H-FORM-4"], headers),
    Case::of("api/origins", &["H-FORM-5"], origins),
];

/// Most bytes of a body (H-FORM-1).
const BODY_MAX_BYTES: usize = 4_096;

/// The requests of version 1.
const REQUESTS: [(&str, &str); 32] = [
    ("post", "/register"),
    ("post", "/login"),
    ("post", "/recover"),
    ("post", "/logout"),
    ("get", "/sessions"),
    ("delete", "/sessions/{id}"),
    ("delete", "/sessions"),
    ("post", "/password"),
    ("post", "/handle"),
    ("get", "/me"),
    ("get", "/players"),
    ("get", "/players/{handle}"),
    ("get", "/relations"),
    ("put", "/following/{handle}"),
    ("delete", "/following/{handle}"),
    ("put", "/blocked/{handle}"),
    ("delete", "/blocked/{handle}"),
    ("get", "/archive"),
    ("get", "/games/{id}/result"),
    ("get", "/players/{handle}/statistics"),
    ("get", "/players/{handle}/ratings"),
    ("get", "/players/{handle}/versus/{other}"),
    ("get", "/leaderboards/{pool}"),
    ("get", "/export"),
    ("post", "/reports"),
    ("get", "/moderation/reports"),
    ("get", "/moderation/reports/{number}"),
    ("post", "/moderation/actions"),
    ("post", "/moderation/actions/{number}/undo"),
    ("get", "/moderation/players/{handle}"),
    ("get", "/moderation/audit"),
    ("get", "/openapi.json"),
];

fn guest(target: &Target) -> Result<String> {
    offered(target)?;
    Ok(Link::guest(target, "Anna")?.token())
}

fn document(target: &Target) -> Check {
    offered(target)?;
    let document = api::ok(target, "GET /openapi.json", None, &Value::Null)?;
    let version = document["openapi"].as_str().context("a version")?;
    ensure!(version.starts_with("3.1"), "OpenAPI {version}");
    for (method, path) in REQUESTS {
        let operation = &document["paths"][path][method];
        ensure!(operation.is_object(), "{method} {path} is not described");
    }
    Ok(())
}

fn bodies(target: &Target) -> Check {
    offered(target)?;
    let json = ("Content-Type", "application/json");
    let too_large = format!("{{\"handle\":\"{}\"}}", "x".repeat(BODY_MAX_BYTES));
    for (kind, body, status, code) in [
        (None, "{}", 415, "bad_frame"),
        (Some(("Content-Type", "text/plain")), "{}", 415, "bad_frame"),
        (Some(json), too_large.as_str(), 413, "too_large"),
        (Some(json), "{", 400, "bad_frame"),
        (Some(json), r#"{"handle":"a""#, 400, "bad_frame"),
        (
            Some(json),
            r#"{"handle":"a","password":"b"} {}"#,
            400,
            "bad_frame",
        ),
        (Some(json), "{}", 400, "bad_field"),
        (
            Some(json),
            r#"{"handle":1,"password":"b"}"#,
            400,
            "bad_field",
        ),
    ] {
        let headers: Vec<_> = kind.into_iter().collect();
        let answer = send(target, "POST /login", &headers, body.as_bytes())?;
        let error = answer.error()?;
        let is_so = answer.head.status == status && error["code"] == code;
        let short = body.get(..40).unwrap_or(body);
        ensure!(is_so, "{kind:?} {short}: {} {error}", answer.head.status);
    }
    Ok(())
}

fn unknown_fields(target: &Target) -> Check {
    let ben = player(target)?;
    let mut body = credentials(&ben.handle, PASSWORD);
    body["later"] = json!({ "version": 7 });
    let session = api::ok(target, "POST /login", None, &body)?;
    ensure!(session["token"].is_string(), "{session}");
    Ok(())
}

/// A token of the protocol and one of the API are the same; a token anywhere else is none.
fn tokens(target: &Target) -> Check {
    let token = guest(target)?;
    let me = api::get(target, "/me", &token)?;
    let link = Link::known(target, &token)?;
    ensure!(me["identity"] == link.identity(), "{me}");
    ensure!(me.get("handle").is_none(), "a guest has no handle: {me}");
    let none = |answer: Answer, status: u16, code: &str| -> Check {
        let error = answer.error()?;
        let is_so = answer.head.status == status && error["code"] == code;
        ensure!(is_so, "{} {error}", answer.head.status);
        Ok(())
    };
    let cookie = format!("token={token}");
    let in_url = format!("GET /me?token={token}");
    let missing = "not_authenticated";
    none(
        send(target, "GET /me", &[("Cookie", &cookie)], b"")?,
        401,
        missing,
    )?;
    none(send(target, &in_url, &[], b"")?, 401, missing)?;
    let basic = format!("Basic {token}");
    let basic = [("Authorization", basic.as_str())];
    none(send(target, "GET /me", &basic, b"")?, 401, missing)?;
    none(
        ask(target, "GET /me", Some("x.y.z"), &Value::Null)?,
        401,
        "bad_token",
    )
}

/// Every refusal has the same form, from every part of the API.
fn errors(target: &Target) -> Check {
    let token = guest(target)?;
    let token = Some(token.as_str());
    let null = &Value::Null;
    let good = &credentials(&new_handle(), PASSWORD);
    for (request, token, body, status, code) in [
        ("GET /me", None, null, 401, "not_authenticated"),
        ("POST /register", None, good, 401, "not_authenticated"),
        ("GET /archive", None, null, 401, "not_authenticated"),
        ("GET /nothing", token, null, 404, "not_found"),
        ("GET /players/nobody-2", token, null, 404, "unknown_player"),
        ("GET /games/none/result", token, null, 404, "unknown_game"),
        ("GET /register", token, null, 405, "method_not_allowed"),
        ("POST /archive", token, null, 405, "method_not_allowed"),
        ("GET /archive?limit=0", token, null, 400, "bad_field"),
        ("POST /logout", token, null, 403, "not_registered"),
    ] {
        let error = refuses(target, (request, token, body), status, code)?;
        ensure!(error["retryable"] == false, "{request}: {error}");
    }
    // A path that is none with a wrong method says which methods it has.
    let answer = ask(target, "GET /login", token, null)?;
    let allowed = answer.head.header("Allow");
    ensure!(allowed == Some("POST"), "Allow is {allowed:?}");
    Ok(())
}

/// The error of a wrong field names the field: of a wrong value, one that is missing, and one that does not exist.
fn fields(target: &Target) -> Check {
    let token = guest(target)?;
    let token = Some(token.as_str());
    let null = &Value::Null;
    for (request, body, field) in [
        ("GET /archive?limit=0", null, "limit"),
        ("GET /archive?limit=many", null, "limit"),
        ("GET /archive?result=splendid", null, "result"),
        ("GET /archive?colour=blue", null, "colour"),
        ("GET /players", null, "name"),
        ("POST /login", &json!({}), "handle"),
        ("POST /login", &json!({ "handle": "a" }), "password"),
        (
            "POST /login",
            &json!({ "handle": 1, "password": "b" }),
            "handle",
        ),
    ] {
        let error = refuses(target, (request, token, body), 400, "bad_field")?;
        let named = &error["detail"]["field"];
        ensure!(named == field, "{request} {body}: {error}");
    }
    Ok(())
}

/// A body that is announced as too large is refused before it comes.
fn announced_bodies(target: &Target) -> Check {
    offered(target)?;
    let mut raw = target.connect()?;
    let host = target.address();
    let head = format!(
        "POST /api/v1/login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{{"
    );
    raw.write(head.as_bytes());
    let head = raw.head()?;
    let body = raw.body(&head)?;
    let error = Answer { head, body };
    let is_so = error.head.status == 413 && error.error()?["code"] == "too_large";
    ensure!(is_so, "answered {}", error.head.status);
    Ok(())
}

/// Text that is no HTTP is answered by a status alone.
fn no_http(target: &Target) -> Check {
    offered(target)?;
    for request in [
        "GET /api/v1/me HTTP/1.1\r\nno header\r\n\r\n",
        "GET /api/v1/me HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "GET /api/v1/me HTTP/1.1\r\n\r\n",
        "GET /api/v1/me HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n",
    ] {
        let mut raw = target.connect()?;
        raw.write(request.as_bytes());
        let head = raw.head().with_context(|| request.to_owned())?;
        ensure!(
            (400..500).contains(&head.status),
            "{request:?}: {}",
            head.status
        );
    }
    Ok(())
}

fn headers(target: &Target) -> Check {
    let token = guest(target)?;
    for (request, token) in [
        ("GET /me", Some(token.as_str())),
        ("GET /archive", Some(&token)),
        ("GET /export", Some(&token)),
        ("GET /openapi.json", None),
        ("GET /me", None),
        ("GET /nothing", None),
    ] {
        let answer = ask(target, request, token, &Value::Null)?;
        let caching = answer.head.header("Cache-Control");
        ensure!(caching == Some("no-store"), "{request}: {caching:?}");
        let cookie = answer.head.header("Set-Cookie");
        ensure!(cookie.is_none(), "{request} sets a cookie: {cookie:?}");
    }
    Ok(())
}

/// A page may send requests if it may open a WebSocket.
fn origins(target: &Target) -> Check {
    use crate::opening::Opening;
    offered(target)?;
    let own = format!("http://{}", target.address());
    for origin in [own.as_str(), "null", "https://conformance.invalid"] {
        let opening = Opening::usual(target, target.encoding.subprotocol());
        let (_, head) = opening.with("Origin", origin).send(target)?;
        let may_connect = head.status == 101;
        ensure!(
            may_connect || head.status == 403 && origin != own,
            "the WebSocket of {origin} is answered {}",
            head.status
        );
        let answer = send(target, "GET /openapi.json", &[("Origin", origin)], b"")?;
        let is_told = answer.head.header("Access-Control-Allow-Origin") == Some(origin);
        if may_connect {
            ensure!(answer.head.status == 200 && is_told, "{:?}", answer.head);
        } else {
            let error = answer.error()?;
            let is_so = answer.head.status == 403 && error["code"] == "origin";
            ensure!(is_so, "{origin}: {} {error}", answer.head.status);
        }
        let answer = send(target, "OPTIONS /login", &[("Origin", origin)], b"")?;
        let status = answer.head.status;
        let is_allowed = (200..300).contains(&status);
        ensure!(is_allowed == may_connect, "{origin} asks: {status}");
    }
    Ok(())
}
