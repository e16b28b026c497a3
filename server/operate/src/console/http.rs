//! One request to the admin listener, over a connection of its own.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::request::ConsoleRequest;
use tilewire_control::admin_token::{ADMIN_PATH, AdminToken};

/// The longest wait for a connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// The longest wait for a part of the answer.
const READ_WITHIN: Duration = Duration::from_secs(30);
/// The largest answer, bytes.
const ANSWER_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A running server.
pub(super) struct Server {
    address: SocketAddr,
    authorization: String,
}

impl Server {
    /// Returns the server whose admin listener is bound to an address.
    pub(super) fn at(bound: SocketAddr, token: &AdminToken) -> Self {
        let ip = match bound.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        Self {
            address: SocketAddr::new(ip, bound.port()),
            authorization: token.authorization(),
        }
    }

    /// Sends a request and returns the body of its answer.
    pub(super) fn ask(&self, asked: &ConsoleRequest) -> anyhow::Result<Value> {
        let answer = self.exchange(asked).with_context(|| {
            let address = self.address;
            format!("no server answers on {address}; name its admin listener with --admin-listen")
        })?;
        let (head, body) = split(&answer).context("the answer is not HTTP")?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        let body: Option<Value> = serde_json::from_str(body).ok();
        if status.starts_with('2') {
            return body.context("the answer is not JSON");
        }
        let text = |field: &str| body.as_ref()?.get(field)?.as_str().map(str::to_owned);
        match (text("code"), text("message")) {
            (Some(code), Some(message)) => bail!("{code}: {message}"),
            _ => bail!("the server answered {status}"),
        }
    }

    fn exchange(&self, asked: &ConsoleRequest) -> anyhow::Result<String> {
        let mut stream = TcpStream::connect_timeout(&self.address, CONNECT_WITHIN)?;
        stream.set_read_timeout(Some(READ_WITHIN))?;
        stream.set_write_timeout(Some(READ_WITHIN))?;
        let body = asked.body.as_ref().map(Value::to_string);
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: {}\r\n",
            asked.method,
            target(asked),
            self.address,
            self.authorization
        );
        if let Some(body) = &body {
            write!(
                head,
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            )?;
        }
        let request = format!("{head}\r\n{}", body.unwrap_or_default());
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.take(ANSWER_MAX_BYTES).read_to_string(&mut answer)?;
        Ok(answer)
    }
}

/// Returns the path and the query of a request.
fn target(asked: &ConsoleRequest) -> String {
    let mut target = ADMIN_PATH.to_owned();
    for part in &asked.path {
        target.push('/');
        target.push_str(&encoded(part));
    }
    for (number, (name, value)) in asked.query.iter().enumerate() {
        let mark = if number == 0 { '?' } else { '&' };
        target.push(mark);
        target.push_str(name);
        target.push('=');
        target.push_str(&encoded(value));
    }
    target
}

/// Returns a text with every byte but letters, digits and `-._~` behind a percent sign.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            other => drop(write!(encoded, "%{other:02X}")),
        }
    }
    encoded
}

/// Returns the head and the body of an answer. The server sends its bodies in one piece.
fn split(answer: &str) -> Option<(&str, &str)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 ").then_some((head, body))
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Timestamp;

    use super::super::request::asked;
    use super::*;
    use crate::cli::AdminTask;

    #[test]
    fn what_an_operator_types_stays_one_part_of_the_path() {
        let player = "a/../b ?x=1&y\r\nZoë".to_owned();
        let request = asked(&AdminTask::Player { player }, Timestamp(0));
        let expected = "/admin/v1/players/a%2F..%2Fb%20%3Fx%3D1%26y%0D%0AZo%C3%AB";
        assert_eq!(target(&request), expected);
        let name = Some("a b".to_owned());
        let identity = Some("g1".to_owned());
        let request = asked(&AdminTask::Connections { name, identity }, Timestamp(0));
        let expected = "/admin/v1/connections?name=a%20b&identity=g1";
        assert_eq!(target(&request), expected);
    }
}
