//! Asks the admin listener for the metrics.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tilewire_control::admin_token::AdminToken;

/// The longest wait for the server.
const PATIENCE: Duration = Duration::from_secs(5);
/// Largest page, bytes; a real one has less than 200 KiB.
const PAGE_MAX_BYTES: u64 = 4 * 1024 * 1024;

/// An admin listener.
pub(super) struct Source {
    address: SocketAddr,
    request: String,
}

/// The reasons why there is no page.
#[derive(Debug, thiserror::Error)]
pub(super) enum AskError {
    /// Nobody answers.
    #[error("no answer from the admin listener on {0}: {1}")]
    Silent(SocketAddr, io::Error),
    /// The server refuses to show the page.
    #[error("the admin listener on {0} refuses: {1}")]
    Refused(SocketAddr, String),
}

impl Source {
    /// Prepares to ask the listener at an address, with its token if it has one.
    pub(super) fn new(address: SocketAddr, token: Option<&AdminToken>) -> Self {
        let authorization = token.map(|token| format!("Authorization: {}\r\n", token.bearer()));
        let request = format!(
            "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{}\r\n",
            authorization.unwrap_or_default()
        );
        Self { address, request }
    }

    /// Returns the address of the listener.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the metrics as text.
    ///
    /// # Errors
    /// On a timeout, or when the server refuses.
    pub(super) fn ask(&self) -> Result<String, AskError> {
        let answer = self
            .exchange()
            .map_err(|error| AskError::Silent(self.address, error))?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.lines().next().unwrap_or_default();
        if status.split(' ').nth(1) == Some("200") {
            return Ok(body.to_owned());
        }
        let said = if body.is_empty() { status } else { body };
        Err(AskError::Refused(self.address, said.trim().to_owned()))
    }

    fn exchange(&self) -> io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(self.request.as_bytes())?;
        let mut answer = String::new();
        stream.take(PAGE_MAX_BYTES).read_to_string(&mut answer)?;
        Ok(answer)
    }
}
