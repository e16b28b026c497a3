//! The request for an upgrade to WebSocket.

use anyhow::Result;

use super::raw::{Head, Raw};
use super::{KEYS, Target};

/// A request for an upgrade, with every line of it open to change.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The first line.
    pub line: String,
    /// The headers in order.
    pub headers: Vec<(&'static str, String)>,
}

impl Opening {
    /// The request as RFC 6455 wants it, with an offer of subprotocols.
    #[must_use]
    pub fn usual(target: &Target, offer: &str) -> Self {
        Self {
            line: format!("GET {} HTTP/1.1", target.path),
            headers: vec![
                ("Host", target.address().to_owned()),
                ("Upgrade", "websocket".to_owned()),
                ("Connection", "Upgrade".to_owned()),
                ("Sec-WebSocket-Key", KEYS[0].0.to_owned()),
                ("Sec-WebSocket-Version", "13".to_owned()),
                ("Sec-WebSocket-Protocol", offer.to_owned()),
            ],
        }
    }

    /// The same without a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    /// The same with another value of a header, or with the header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        match self.headers.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.headers.push((name, value.to_owned())),
        }
        self
    }

    /// The bytes of the request.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let headers = self.headers.iter();
        let headers: String = headers
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        format!("{}\r\n{headers}\r\n", self.line).into_bytes()
    }

    /// Sends it; returns the connection and the answer.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn send(&self, target: &Target) -> Result<(Raw, Head)> {
        let mut raw = target.connect()?;
        let head = self.send_on(&mut raw)?;
        Ok((raw, head))
    }

    /// Sends it on a connection; returns the answer.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn send_on(&self, raw: &mut Raw) -> Result<Head> {
        raw.write(&self.bytes());
        raw.head()
    }
}
