//! Requests to the HTTP API of `docs/http.md`, one for each connection.

use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::raw::Head;
use super::{Target, now, skip};
use crate::failure;

/// The start of every path.
const PATH: &str = "/api/v1";

/// The pause before a request that was refused for now is sent again.
const PAUSE: Duration = Duration::from_millis(100);

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// Its head.
    pub head: Head,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the body as JSON.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn json(&self) -> Result<Value> {
        let text = || String::from_utf8_lossy(&self.body).into_owned();
        serde_json::from_slice(&self.body).with_context(|| format!("no JSON: {}", text()))
    }

    /// Checks that this is an error of the API in its one form (H-FORM-3); returns it.
    ///
    /// # Errors
    /// When it is something else.
    pub fn error(&self) -> Result<Value> {
        let status = self.head.status;
        ensure!(
            status >= 400,
            "not refused, but answered {status}: {}",
            String::from_utf8_lossy(&self.body)
        );
        let kind = self.head.header("Content-Type");
        ensure!(kind == Some("application/json"), "of the type {kind:?}");
        let error = self.json()?;
        let has_form = error["code"].as_str().is_some_and(|code| !code.is_empty())
            && error["message"].is_string()
            && error["retryable"].is_boolean()
            && (error.get("detail").is_none() || error["detail"].is_object());
        ensure!(has_form, "an error of another form: {error}");
        if let Some(wait) = error["detail"]["retry_after_ms"].as_i64() {
            let said = self.head.header("Retry-After").and_then(|s| s.parse().ok());
            let seconds = wait.saturating_add(999) / 1_000;
            ensure!(said == Some(seconds), "Retry-After is {said:?}: {error}");
        }
        Ok(error)
    }
}

/// Sends a request such as `GET /me` once, with these headers and this body; returns the answer.
///
/// # Errors
/// When there is no answer.
pub fn send(
    target: &Target,
    request: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Answer> {
    let (method, path) = request.split_once(' ').context("a method and a path")?;
    let length = body.len().to_string();
    let own = [
        ("Host", target.address()),
        ("Connection", "close"),
        ("Content-Length", &length),
    ];
    let has_body = method == "POST" || !body.is_empty();
    let headers: String = own[..if has_body { 3 } else { 2 }]
        .iter()
        .chain(headers)
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    failure::sent(&format!("{request} {}", String::from_utf8_lossy(body)));
    let text = format!("{method} {PATH}{path} HTTP/1.1\r\n{headers}\r\n");
    let mut raw = target.connect()?;
    raw.write(&[text.as_bytes(), body].concat());
    let head = raw.head().with_context(|| request.to_owned())?;
    let body = raw.body(&head).with_context(|| request.to_owned())?;
    Ok(Answer { head, body })
}

/// Sends a request with a token, if there is one, and a JSON body, unless it is null. A request that is refused because the
/// server is busy is sent again.
///
/// # Errors
/// When there is no answer, or the server stays busy.
pub fn ask(target: &Target, request: &str, token: Option<&str>, body: &Value) -> Result<Answer> {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = Vec::new();
    headers.extend(bearer.as_deref().map(|value| ("Authorization", value)));
    let mut bytes = Vec::new();
    if !body.is_null() {
        headers.push(("Content-Type", "application/json"));
        bytes = body.to_string().into_bytes();
    }
    let began = now();
    loop {
        let answer = send(target, request, &headers, &bytes)?;
        if answer.head.status != 503 || began.elapsed() > target.patience {
            return Ok(answer);
        }
        thread::sleep(PAUSE);
    }
}

/// Sends a request that must succeed; returns its body, or null if there is none.
///
/// # Errors
/// When it is refused.
pub fn ok(target: &Target, request: &str, token: Option<&str>, body: &Value) -> Result<Value> {
    let answer = ask(target, request, token, body)?;
    let status = answer.head.status;
    ensure!(
        (200..300).contains(&status),
        "{request} is answered {status}: {}",
        String::from_utf8_lossy(&answer.body)
    );
    if answer.body.is_empty() {
        Ok(Value::Null)
    } else {
        answer.json()
    }
}

/// Sends a GET of the holder of a token that must succeed; returns the body.
///
/// # Errors
/// When it is refused.
pub fn get(target: &Target, path: &str, token: &str) -> Result<Value> {
    ok(target, &format!("GET {path}"), Some(token), &Value::Null)
}

/// Sends a request that must be refused with this status and code; returns the error.
///
/// # Errors
/// When it is not, or the error has another form.
pub fn refuses(
    target: &Target,
    (request, token, body): (&str, Option<&str>, &Value),
    status: u16,
    code: &str,
) -> Result<Value> {
    let answer = ask(target, request, token, body)?;
    let error = answer.error().with_context(|| request.to_owned())?;
    ensure!(
        answer.head.status == status && error["code"] == code,
        "{request}: {status} {code} expected, {} {error}",
        answer.head.status
    );
    Ok(error)
}

/// Checks that the server has the API. A server without accounts answers 404 for the document of the API.
///
/// # Errors
/// Skips the case when the server has no accounts.
pub fn offered(target: &Target) -> Result<()> {
    let answer = ask(target, "GET /openapi.json", None, &Value::Null)?;
    match answer.head.status {
        200 => Ok(()),
        404 => skip("not offered: the server has no accounts"),
        status => anyhow::bail!("the document of the API is answered {status}"),
    }
}

/// Sends a GET until `wanted` accepts the body: the server writes results soon after a game, not at once.
///
/// # Errors
/// When that takes longer than the patience of the target.
pub fn until(
    target: &Target,
    path: &str,
    token: &str,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Value> {
    let began = now();
    loop {
        let answer = ask(target, &format!("GET {path}"), Some(token), &Value::Null)?;
        let body = answer.json()?;
        if answer.head.status == 200 && wanted(&body) {
            return Ok(body);
        }
        ensure!(began.elapsed() < target.patience, "{path} stays {body}");
        thread::sleep(PAUSE);
    }
}

/// The body of a request with a handle and a password.
#[must_use]
pub fn credentials(handle: &str, password: &str) -> Value {
    json!({ "handle": handle, "password": password, "label": "conformance" })
}
