//! Plain HTTP requests, one for each connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use crate::PATIENCE;

/// An answer over plain HTTP.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body.
    pub body: String,
}

/// Sends a request such as `GET /metrics`, with further header lines, each ended by CRLF. `Host` is the address unless
/// the headers have another.
///
/// # Errors
/// When nothing listens, or the answer is not HTTP in UTF-8.
pub fn ask(address: &str, request: &str, headers: &str, body: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let host = match headers.contains("Host: ") {
        true => String::new(),
        false => format!("Host: {address}\r\n"),
    };
    let length = match body.len() {
        0 => String::new(),
        bytes => format!("Content-Length: {bytes}\r\n"),
    };
    write!(
        stream,
        "{request} HTTP/1.1\r\n{host}Connection: close\r\n{length}{headers}\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    Ok(Answer {
        status: status.ok_or_else(|| io::Error::other("no status"))?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// Returns the status and body of a GET.
///
/// # Panics
/// When the server does not speak HTTP.
#[must_use]
pub fn get(address: &str, path: &str) -> (u16, String) {
    get_with(address, path, "")
}

/// The same with further header lines, each ended by CRLF.
///
/// # Panics
/// When there is no HTTP answer.
#[must_use]
pub fn get_with(address: &str, path: &str, headers: &str) -> (u16, String) {
    let answer = ask(address, &format!("GET {path}"), headers, "");
    let answer = answer.expect("it listens, and answers in UTF-8");
    (answer.status, answer.body)
}
