//! Floods of frames over many connections at once: lists, requests to players, pings, pongs, fragments.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::entries::NO_GAME;
use super::{FLOODER, Flood};
use crate::addresses::{connect, upgrade};
use crate::duel::options;
use tilewire_conformance::raw::{CONTINUATION, Frame, MASK, PING, PONG, TEXT, frame};

/// Connections of such a flood.
const LINES: usize = 50;
/// Frames that are written together.
const BLOCK: usize = 1_000;
/// Requests that a connection sends at once, and again in every pause: as many as are allowed.
const AT_ONCE: (usize, usize) = (90, 18);
/// The pause between two blocks of requests that are within the limits.
const PAUSE: Duration = Duration::from_secs(1);
/// The pause when no socket takes anything.
const REST: Duration = Duration::from_millis(1);

/// The bytes that a flood writes: one block, then others.
struct Blocks {
    first: Vec<u8>,
    next: Vec<u8>,
    pause: Duration,
}

/// A connection that never waits: the rest of its block is written later.
struct FloodConnection {
    stream: TcpStream,
    waiting: Vec<u8>,
}

/// The outcome of a write.
#[derive(PartialEq, Eq)]
enum Written {
    All,
    Some,
    Nothing,
    Ended,
}

impl FloodConnection {
    /// Connects and authenticates as a new guest.
    fn open(flood: &Flood<'_>, number: usize) -> Option<Self> {
        let stream = upgrade(connect(FLOODER, flood.address), &flood.origin(number)).ok()?;
        stream
            .set_nonblocking(true)
            .expect("a socket that never waits");
        let auth = json!(["auth", 1, { "name": "flood", "client": "tests" }]);
        let waiting = Frame::whole(TEXT, auth.to_string()).bytes(Some(MASK));
        Some(Self { stream, waiting })
    }

    /// Writes what waits, as far as the socket takes it, and reads and forgets what has come.
    fn go_on(&mut self) -> Written {
        let mut scratch = [0; 65_536];
        loop {
            match self.stream.read(&mut scratch) {
                Ok(0) => return Written::Ended,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => return Written::Ended,
            }
        }
        match self.stream.write(&self.waiting) {
            Ok(count) => {
                self.waiting.drain(..count);
                match self.waiting.is_empty() {
                    true => Written::All,
                    false => Written::Some,
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Written::Nothing,
            Err(_) => Written::Ended,
        }
    }
}

impl Flood<'_> {
    pub(super) fn lists(&self) {
        self.requests(|_| ("list_games", json!({ "scope": "live" })));
    }

    /// Sends requests that concern other players: chat, invitations, rematches, nudges, given time, adjournments.
    pub(super) fn social(&self) {
        self.requests(|number| {
            let cmd_id = format!("s-{number}");
            let of_game = json!({ "game": NO_GAME, "cmd_id": cmd_id });
            match number % 8 {
                0 | 1 => ("chat_join", json!({ "kind": "lobby" })),
                2 => (
                    "chat_say",
                    json!({ "room": "lobby", "cmd_id": cmd_id, "text": cmd_id }),
                ),
                3 => ("chat_join", json!({ "kind": "direct", "with": "anna" })),
                4 => ("offer_rematch", of_game),
                5 => ("nudge", of_game),
                6 => ("adjourn", of_game),
                _ => {
                    let options = options(&json!({ "kind": "untimed" }));
                    (
                        "invite",
                        json!({ "cmd_id": cmd_id, "handle": "anna", "options": options }),
                    )
                }
            }
        });
    }

    /// Sends requests over many connections, as many as are allowed.
    fn requests(&self, of: impl Fn(usize) -> (&'static str, Value)) {
        let request = |number: usize| {
            let (op, body) = of(number);
            let request = json!([op, number + 2, body]).to_string();
            Frame::whole(TEXT, request).bytes(Some(MASK))
        };
        let (first, next) = AT_ONCE;
        self.write_blocks(&Blocks {
            first: (0..first).flat_map(request).collect(),
            next: (0..next).flat_map(request).collect(),
            pause: PAUSE,
        });
    }

    pub(super) fn pings(&self) {
        self.same_frame(&Frame::whole(PING, "").bytes(Some(MASK)), Vec::new());
    }

    pub(super) fn pongs(&self) {
        self.same_frame(&Frame::whole(PONG, "").bytes(Some(MASK)), Vec::new());
    }

    /// A message that begins and never ends.
    pub(super) fn fragments(&self) {
        let empty = frame(CONTINUATION, b"", Some(MASK));
        self.same_frame(&empty, frame(TEXT, b"", Some(MASK)));
    }

    fn same_frame(&self, frame: &[u8], before: Vec<u8>) {
        let next = frame.repeat(BLOCK);
        self.write_blocks(&Blocks {
            first: [before, next.clone()].concat(),
            next,
            pause: Duration::ZERO,
        });
    }

    fn write_blocks(&self, blocks: &Blocks) {
        let mut number = 0;
        let mut lines: Vec<(FloodConnection, bool)> = Vec::new();
        let mut has_flooded = false;
        while self.goes_on() {
            while lines.len() < LINES && self.goes_on() {
                number += 1;
                let Some(line) = FloodConnection::open(self, number) else {
                    (self.met)();
                    break;
                };
                lines.push((line, false));
            }
            let mut is_stuck = true;
            lines.retain_mut(|(line, has_begun)| match line.go_on() {
                Written::All => {
                    has_flooded |= *has_begun;
                    let block = if *has_begun {
                        &blocks.next
                    } else {
                        &blocks.first
                    };
                    line.waiting.clone_from(block);
                    *has_begun = true;
                    is_stuck = false;
                    true
                }
                Written::Some => {
                    is_stuck = false;
                    true
                }
                Written::Nothing => true,
                Written::Ended => {
                    (self.met)();
                    false
                }
            });
            if is_stuck {
                std::thread::sleep(REST);
            }
            if has_flooded {
                // The server reads slowly from now on: more was sent than a budget allows.
                (self.met)();
            }
            std::thread::sleep(blocks.pause);
        }
    }
}
