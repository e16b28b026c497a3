//! The conformance kit: cases that prove, clause by clause, that a server or a client speaks the protocol of
//! `docs/PROTOCOL.md`.
//!
//! The kit shares no code with the server or the reference client: frames and MessagePack are its own, and the oracle
//! folds the events. It uses the rules to find words and to recompute bags.

pub mod api;
pub mod audit;
pub mod client;
pub mod failure;
pub mod link;
pub mod mutations;
pub mod opening;
pub mod own_server;
pub mod pack;
pub mod pair;
pub mod position;
pub mod raw;
pub mod registered;
pub mod relay;
pub mod run;
pub mod secrecy;
pub mod server;
pub mod words;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use data_encoding::BASE64;

pub use pack::Encoding;

/// How much the clocks of several servers may differ, ms.
const CLOCKS_DIFFER_MS: i64 = 250;
/// The pause before several servers are asked again about a change at one of them.
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// The outcome of a case: success, or a description of the fault.
pub type Check = Result<()>;

/// One proof.
pub struct Case<T: 'static> {
    /// How it is called and chosen.
    pub name: &'static str,
    /// The clauses of the protocol it proves.
    pub clauses: &'static [&'static str],
    /// Carries it out.
    pub run: fn(&T) -> Check,
}

impl<T> Case<T> {
    /// A case of this name that proves these clauses.
    #[must_use]
    pub const fn of(
        name: &'static str,
        clauses: &'static [&'static str],
        run: fn(&T) -> Check,
    ) -> Self {
        Self { name, clauses, run }
    }
}

/// Why a case could not be carried out against this server: no failure, but no proof either.
#[derive(Debug)]
pub struct Skipped(pub String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// Gives a case up without a verdict.
///
/// # Errors
/// Always.
pub fn skip<T>(why: impl Into<String>) -> Result<T> {
    Err(anyhow::Error::new(Skipped(why.into())))
}

/// The dealt tiles do not allow the plays that a case needs, so it is repeated in another game.
#[derive(Debug)]
pub struct Unlucky(pub &'static str);

impl fmt::Display for Unlucky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unlucky {}

/// The server under test, or several that share their games, and how to speak to it.
#[derive(Debug, Clone)]
pub struct Target {
    /// Where each listens, `HOST:PORT`. Connections go to them in turn.
    addresses: Arc<[String]>,
    /// How many connections there were.
    connections: Arc<AtomicUsize>,
    /// The path of the WebSocket.
    pub path: String,
    /// How messages travel.
    pub encoding: Encoding,
    /// How long to wait for an immediate reaction.
    pub patience: Duration,
}

impl Target {
    /// Reads a URL such as `ws://127.0.0.1:7780/ws`.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(url: &str, encoding: Encoding, patience: Duration) -> Result<Self> {
        Self::of_all(&[url.to_owned()], encoding, patience)
    }

    /// Reads the URLs of servers that share their games. Each connection of a case goes to the next one.
    ///
    /// # Errors
    /// When there is none, one is no URL, or their paths are not the same.
    pub fn of_all(urls: &[String], encoding: Encoding, patience: Duration) -> Result<Self> {
        let places = urls.iter().map(|url| place(url));
        let places: Vec<(String, &str)> = places.collect::<Result<_>>()?;
        let (_, path) = places.first().context("name a server")?;
        let is_same = places.iter().all(|(_, other)| other == path);
        ensure!(is_same, "all servers have the same path");
        Ok(Self {
            path: format!("/{path}"),
            addresses: places.iter().map(|(address, _)| address.clone()).collect(),
            connections: Arc::default(),
            encoding,
            patience,
        })
    }

    /// Returns the same target at another address.
    #[must_use]
    pub fn at(self, address: &str) -> Self {
        Self {
            addresses: [address.to_owned()].into(),
            ..self
        }
    }

    /// Returns the address of the first server.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.addresses[0]
    }

    /// Connects to the next server, without sending anything.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn connect(&self) -> Result<raw::Raw> {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let address = &self.addresses[number % self.addresses.len()];
        raw::Raw::connect(address, self.patience)
    }

    /// Checks something that a request has changed. One server has to show it at once; of several, each in some time
    /// (P-CONN-14), so the check is repeated.
    ///
    /// # Errors
    /// When it is not shown.
    pub fn shows(&self, mut check: impl FnMut() -> Check) -> Check {
        let until = now() + self.patience;
        loop {
            let shown = check();
            if shown.is_ok() || self.addresses.len() == 1 || now() >= until {
                return shown;
            }
            thread::sleep(ASKED_AGAIN_AFTER);
        }
    }

    /// Returns how much the clocks of the servers may differ, ms.
    #[must_use]
    pub fn clocks_differ_ms(&self) -> i64 {
        match self.addresses.len() {
            1 => 0,
            _ => CLOCKS_DIFFER_MS,
        }
    }

    /// Checks that every server listens.
    ///
    /// # Errors
    /// If one does not.
    pub fn reach(&self) -> Result<()> {
        let mut addresses = self.addresses.iter();
        addresses.try_for_each(|address| raw::Raw::connect(address, self.patience).map(drop))
    }
}

/// Returns the address and the path of a URL.
fn place(url: &str) -> Result<(String, &str)> {
    let rest = url
        .strip_prefix("ws://")
        .with_context(|| format!("`{url}`: write ws://HOST:PORT/ws"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, "ws"));
    let address = if host.contains(':') {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    Ok((address, path))
}

/// The keys of handshakes and the answers RFC 6455 prescribes for them: the first pair is its own example.
pub const KEYS: [(&str, &str); 2] = [
    ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ("x3JJHMbDL1EzLkh9GBhXDw==", "HSmrc0sMlYUkAGmm5OPpG2HaGWk="),
];

/// The moment, by a clock that never jumps.
#[expect(clippy::disallowed_methods, reason = "the kit measures time limits")]
#[must_use]
pub fn now() -> Instant {
    Instant::now()
}

/// Whether a text is base64 of 16 bytes, as the key of a handshake must be.
#[must_use]
pub fn is_key(text: &str) -> bool {
    BASE64
        .decode(text.as_bytes())
        .is_ok_and(|key| key.len() == 16)
}
