//! Floods: each attacks one limit of the server from one address.

pub mod effect;
mod entries;
mod frames;

use std::io::Write;
use std::time::Duration;

use serde_json::json;

use crate::addresses::{self, connect, connect_deaf, ended, upgrade};
use crate::duel::options;
use crate::wire::Wire;

/// The last byte of the address floods come from, 127.0.0.66.
const FLOODER: u8 = 66;
/// Between two bytes of a header that never ends.
const SLOWLY: Duration = Duration::from_millis(20);
/// Connections that are opened together.
const TOGETHER: usize = 50;
/// Messages sent without waiting for an answer: more than may be sent, and more than is read.
const PILE: usize = 3_000;
/// Connections that ask the lobby together.
const CROWD: usize = 12;
/// Bytes of a frame that is too large.
const LARGE: usize = 1024 * 1024;

/// A flood that goes on until it is told to stop.
pub struct Flood<'a> {
    /// Where players connect.
    pub address: &'a str,
    /// Whether to go on.
    pub goes_on: &'a dyn Fn() -> bool,
    /// Called on every refusal by the gate.
    pub met: &'a dyn Fn(),
    /// Where the connections seem to come from.
    pub from: From,
}

/// Where the connections of a flood seem to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum From {
    /// 127.0.0.66.
    Address,
    /// Every network of 2001:db8::/48, for floods of frames: the server must trust 127.0.0.66 as a proxy.
    Network,
}

impl std::fmt::Debug for Flood<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Flood({})", self.address)
    }
}

/// A kind of flood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// As many connections as possible that never authenticate.
    Connections,
    /// Connections that are opened and closed again, as fast as they come.
    Churn,
    /// Requests that come byte by byte.
    Headers,
    /// Connections that say nothing.
    Silence,
    /// Messages without end.
    Messages,
    /// Frames that are too large.
    Frames,
    /// Questions whose answers are not read.
    Unread,
    /// Seeks without end.
    Seeks,
    /// More requests for the lobby than it can do.
    Lobby,
    /// Requests for the list of live games, as many as are allowed, over many connections.
    Lists,
    /// Chat, invitations, rematches and what players ask of each other, as much as is allowed, over many connections.
    Social,
    /// Empty pings without end.
    Pings,
    /// Pongs that nobody asked for, without end.
    Pongs,
    /// Messages that never end, in empty fragments.
    Fragments,
    /// Games that are started and aborted.
    Games,
    /// New guests without end.
    Guests,
    /// Requests for records over HTTP.
    Records,
    /// Wrong codes of private games, over the WebSocket and over HTTP.
    Codes,
}

impl Flood<'_> {
    /// Floods.
    ///
    /// # Panics
    /// When the server does something else than its gate says.
    pub fn run(&self, kind: Kind) {
        match kind {
            Kind::Connections => self.connections(),
            Kind::Churn => self.churn(),
            Kind::Headers => self.headers(),
            Kind::Silence => self.silence(),
            Kind::Messages => self.messages(),
            Kind::Frames => self.frames(),
            Kind::Unread => self.unread(),
            Kind::Seeks => self.seeks(),
            Kind::Lobby => self.lobby(),
            Kind::Lists => self.lists(),
            Kind::Social => self.social(),
            Kind::Pings => self.pings(),
            Kind::Pongs => self.pongs(),
            Kind::Fragments => self.fragments(),
            Kind::Games => self.games(),
            Kind::Guests => self.guests(),
            Kind::Records => self.records(),
            Kind::Codes => self.codes(),
        }
    }

    /// The header lines that name the client of a connection with this number.
    fn origin(&self, number: usize) -> String {
        match self.from {
            From::Address => String::new(),
            From::Network => format!("X-Forwarded-For: 2001:db8:0:{:x}::1\r\n", number % 0x1_0000),
        }
    }

    fn goes_on(&self) -> bool {
        (self.goes_on)()
    }

    fn connections(&self) {
        let mut open = Vec::new();
        while self.goes_on() {
            match upgrade(connect(FLOODER, self.address), "") {
                Ok(stream) => open.push(stream),
                Err(answer) => {
                    assert_eq!(answer.status, 429, "{answer:?}");
                    (self.met)();
                }
            }
        }
    }

    fn churn(&self) {
        while self.goes_on() {
            if let Err(answer) = upgrade(connect(FLOODER, self.address), "") {
                assert_eq!(answer.status, 429, "{answer:?}");
                (self.met)();
            }
        }
    }

    fn headers(&self) {
        while self.goes_on() {
            let mut slow: Vec<_> = (0..TOGETHER)
                .map(|_| connect(FLOODER, self.address))
                .collect();
            let start = b"GET /ws HTTP/1.1\r\nX-Slow: ";
            slow.retain_mut(|stream| stream.write_all(start).is_ok());
            while self.goes_on() && !slow.is_empty() {
                slow.retain_mut(|stream| stream.write_all(b"a").is_ok());
                // As slowly as a slow client is: the headers must not become too large first.
                std::thread::sleep(SLOWLY);
            }
            if slow.is_empty() {
                (self.met)();
            }
        }
    }

    fn silence(&self) {
        while self.goes_on() {
            let mut silent: Vec<_> = (0..TOGETHER)
                .map(|_| connect(FLOODER, self.address))
                .collect();
            assert!(silent.iter_mut().all(ended));
            (self.met)();
        }
    }

    /// A new guest; `None` when the server limits the rate of the address.
    fn guest(&self) -> Option<Wire> {
        addresses::guest(FLOODER, self.address).ok()
    }

    fn messages(&self) {
        while self.goes_on() {
            let Some(mut wire) = self.guest() else {
                continue;
            };
            for _ in 0..PILE {
                wire.send("time", &json!({}));
            }
            // A connection that is gone while messages are on their way is reset.
            assert!(matches!(wire.closed(), Some(4004) | None));
            (self.met)();
        }
    }

    fn frames(&self) {
        let large = " ".repeat(LARGE);
        while self.goes_on() {
            let Some(mut wire) = self.guest() else {
                continue;
            };
            wire.send_text(&large);
            assert!(matches!(wire.closed(), Some(1009) | None));
            (self.met)();
        }
    }

    fn unread(&self) {
        while self.goes_on() {
            let stream = connect_deaf(FLOODER, self.address);
            let Ok(mut wire) = Wire::over(stream) else {
                continue;
            };
            wire.send("auth", &json!({ "name": "deaf", "client": "tests" }));
            // The client reads nothing until the server closes the connection.
            while wire.try_send("rule_set", &json!({ "rule_set": "classic" })) {}
            (self.met)();
        }
    }

    fn seeks(&self) {
        let mut setup = options(&json!({ "kind": "untimed" }));
        let mut guest = None;
        for number in 0.. {
            // Of equal seeks an identity has one.
            setup["vanish_claim_ms"] = (60_000 + number).into();
            if !self.goes_on() {
                return;
            }
            let Some(wire) = guest.as_mut() else {
                guest = self.guest();
                continue;
            };
            let seek = json!({ "cmd_id": format!("s-{number}"), "options": setup });
            let answer = wire.ask("seek", seek);
            match answer[2]["code"].as_str() {
                None => {}
                Some("too_many_seeks") => (self.met)(),
                Some("rate_limited") => guest = None,
                Some(_) => panic!("{answer}"),
            }
        }
    }

    /// Reads until all these are answered; says whether they were, or the server has closed for the flood it is.
    fn answered(&self, wire: &mut Wire, mut open: Vec<u64>) -> bool {
        while !open.is_empty() {
            let message = match wire.read() {
                Ok(message) => message,
                Err(code) => {
                    assert!(matches!(code, Some(4004) | None), "{code:?}");
                    return false;
                }
            };
            open.retain(|id| message[1] != *id);
            if message[2]["code"] == "busy" {
                (self.met)();
            }
        }
        true
    }

    fn lobby(&self) {
        let mut setup = options(&json!({ "kind": "untimed" }));
        let (mut crowd, mut number) = (Vec::<Wire>::new(), 0);
        while self.goes_on() {
            while crowd.len() < CROWD && self.goes_on() {
                crowd.extend(self.guest());
            }
            let mut asked = Vec::new();
            for wire in &mut crowd {
                let mut ask = || {
                    number += 1;
                    setup["vanish_claim_ms"] = (60_000 + number).into();
                    let seek = json!({ "cmd_id": format!("s-{number}"), "options": setup });
                    wire.send("seek", &seek)
                };
                asked.push([(); 8].map(|()| ask()).to_vec());
            }
            // Each is answered, if only with `busy`.
            let mut asked = asked.into_iter();
            crowd.retain_mut(|wire| self.answered(wire, asked.next().unwrap_or_default()));
        }
    }
}
