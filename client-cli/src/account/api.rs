//! Requests to the API.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tilewire_protocol::Token;
use ureq::http;

use super::Endpoint;
use crate::text::{format_ms, printable};

/// The start of every path.
const API_PATH: &str = "/api/v1";
/// The largest answer that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// The largest file that is read, in bytes.
const FILE_MAX_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// The bytes that are read of a file at once.
const PART_BYTES: usize = 64 * 1024;
/// Such parts that wait until they are written.
const PARTS: usize = 4;
/// The name of the program, which names a session without a label.
const AGENT: &str = concat!("tilewire ", env!("CARGO_PKG_VERSION"));

#[derive(Deserialize)]
struct Refusal {
    message: String,
    #[serde(default)]
    detail: Option<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    #[serde(default)]
    retry_after_ms: Option<i64>,
}

/// The API of a server.
pub(crate) struct Api {
    agent: ureq::Agent,
    server: String,
    token: Option<Token>,
}

impl Api {
    pub(crate) fn new(endpoint: &Endpoint<'_>) -> Self {
        Self {
            agent: crate::http::agent(endpoint.server),
            server: endpoint.server.to_owned(),
            token: endpoint.token.clone(),
        }
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let answer = self.send("GET", path, None)?;
        serde_json::from_slice(&answer).context("the server's answer cannot be read")
    }

    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T> {
        let answer = self.send("POST", path, Some(body))?;
        serde_json::from_slice(&answer).context("the server's answer cannot be read")
    }

    pub(crate) fn put<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T> {
        let answer = self.send("PUT", path, Some(body))?;
        serde_json::from_slice(&answer).context("the server's answer cannot be read")
    }

    pub(crate) fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let answer = self.send("DELETE", path, None)?;
        serde_json::from_slice(&answer).context("the server's answer cannot be read")
    }

    /// Sends a request without a body. The answer has no body either.
    pub(crate) fn send_bare(&self, method: &str, path: &str) -> Result<()> {
        self.send(method, path, None).map(drop)
    }

    /// Writes the file that a path answers with to `out`, and returns its length in bytes.
    pub(crate) fn download(&self, path: &str, out: &mut impl Write) -> Result<u64> {
        let agent = crate::http::agent_for_files(&self.server);
        let (url, answer) = self.answer_of(&agent, "GET", path, None)?;
        if answer.status().is_success() {
            let body = answer.into_body().into_with_config();
            let body = body.limit(FILE_MAX_BYTES).reader();
            let copied = copy_while_it_comes(body, out, crate::http::TIMEOUT);
            return copied.with_context(|| format!("cannot read {url}"));
        }
        Err(refused(&url, answer)?)
    }

    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Vec<u8>> {
        let (url, mut answer) = self.answer(method, path, body)?;
        if answer.status().is_success() {
            return read(&url, &mut answer);
        }
        Err(refused(&url, answer)?)
    }

    /// Sends a request; returns its URL and the answer.
    fn answer(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(String, http::Response<ureq::Body>)> {
        self.answer_of(&self.agent, method, path, body)
    }

    fn answer_of(
        &self,
        agent: &ureq::Agent,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(String, http::Response<ureq::Body>)> {
        let url = crate::http::url(&self.server, &format!("{API_PATH}{path}"));
        let mut request = http::Request::builder()
            .method(method)
            .uri(&url)
            .header("user-agent", AGENT);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {}", token.as_str()));
        }
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                agent.run(request.body(serde_json::to_vec(body)?)?)
            }
            None => agent.run(request.body(())?),
        };
        let answer = sent.with_context(|| format!("cannot reach {url}"))?;
        Ok((url, answer))
    }
}

/// Copies a body to its end, however long it is; fails when nothing comes for `patience`. Returns its length in bytes.
fn copy_while_it_comes(
    mut body: impl Read + Send + 'static,
    out: &mut impl Write,
    patience: Duration,
) -> io::Result<u64> {
    let (sender, parts) = sync_channel(PARTS);
    // A read that waits for ever ends with the program.
    thread::spawn(move || {
        loop {
            let mut part = vec![0; PART_BYTES];
            let read = body.read(&mut part).map(|length| {
                part.truncate(length);
                part
            });
            let is_last = !matches!(&read, Ok(part) if !part.is_empty());
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut copied = 0;
    loop {
        let part = parts.recv_timeout(patience);
        let part = part.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        if part.is_empty() {
            return Ok(copied);
        }
        out.write_all(&part)?;
        copied += u64::try_from(part.len()).unwrap_or(u64::MAX);
    }
}

fn read(url: &str, answer: &mut http::Response<ureq::Body>) -> Result<Vec<u8>> {
    let body = answer.body_mut().with_config().limit(MAX_BYTES);
    body.read_to_vec()
        .with_context(|| format!("cannot read {url}"))
}

/// Returns the error of an answer that is none.
fn refused(url: &str, mut answer: http::Response<ureq::Body>) -> Result<Error> {
    let (status, body) = (answer.status(), read(url, &mut answer)?);
    Ok(match serde_json::from_slice::<Refusal>(&body) {
        Ok(refusal) => anyhow!(refusal.text()),
        Err(_) => anyhow!("{url}: the server answers {status}"),
    })
}

impl Refusal {
    fn text(&self) -> String {
        let message = printable(&self.message);
        let detail = self.detail.as_ref();
        match detail.and_then(|detail| detail.retry_after_ms) {
            Some(wait) => format!("{message} (try again in {})", format_ms(wait)),
            None => message,
        }
    }
}

/// A part of a path: every byte but letters and digits as a percent sign and two digits.
pub(crate) fn encoded(part: &str) -> String {
    let mut text = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("a string grows");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{copy_while_it_comes, encoded};

    /// A body that comes in parts.
    struct Sent(Receiver<u8>);

    impl Read for Sent {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.recv() {
                Ok(byte) => {
                    into[0] = byte;
                    Ok(1)
                }
                Err(_) => Ok(0),
            }
        }
    }

    #[test]
    fn a_file_is_read_as_long_as_it_comes() {
        let (sender, body) = channel();
        b"abc".iter().for_each(|byte| sender.send(*byte).unwrap());
        drop(sender);
        let mut out = Vec::new();
        let copied = copy_while_it_comes(Sent(body), &mut out, Duration::MAX);
        assert_eq!((copied.unwrap(), out.as_slice()), (3, &b"abc"[..]));
    }

    #[test]
    fn a_file_that_stops_is_given_up() {
        let (sender, body) = channel();
        sender.send(b'a').unwrap();
        let mut out = Vec::new();
        let patience = Duration::from_millis(50);
        let copied = copy_while_it_comes(Sent(body), &mut out, patience);
        assert_eq!(copied.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(sender);
    }

    #[test]
    fn a_name_is_one_part_of_a_path() {
        for (name, expected) in [
            ("anna_B-2", "anna_B-2"),
            ("Zoë", "Zo%C3%AB"),
            ("../x", "%2E%2E%2Fx"),
        ] {
            assert_eq!(encoded(name), expected);
        }
    }
}
