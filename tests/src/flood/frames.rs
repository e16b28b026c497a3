//! Floods of frames over many connections at once: lists, pings, pongs, fragments.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::{FLOODER, Flood};
use crate::addresses::{connect, upgrade};
use crate::conformance::raw::{CONTINUATION, Frame, MASK, PING, PONG, TEXT, frame};

/// Connections of such a flood.
const LINES: usize = 50;
/// Frames that are written together.
const BLOCK: usize = 1_000;
/// Lists that a connection asks for at once, and again in every pause: as many as are allowed.
const LISTS: (usize, usize) = (90, 18);
/// The pause between two blocks of requests that are within the limits.
const PAUSE: Duration = Duration::from_secs(1);
/// The pause when no socket takes anything.
const REST: Duration = Duration::from_millis(1);

/// What a flood writes: one block, then others.
struct Blocks {
    first: Vec<u8>,
    next: Vec<u8>,
    pause: Duration,
}

/// A connection that never waits: the rest of its block is written later.
struct Line {
    stream: TcpStream,
    waiting: Vec<u8>,
}

/// What became of a write.
#[derive(PartialEq, Eq)]
enum Written {
    All,
    Some,
    Nothing,
    Ended,
}

impl Line {
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
        let list = |id: usize| {
            let request = json!(["list_games", id + 2, { "scope": "live" }]).to_string();
            Frame::whole(TEXT, request).bytes(Some(MASK))
        };
        let (first, next) = LISTS;
        self.write_blocks(&Blocks {
            first: (0..first).flat_map(list).collect(),
            next: (0..next).flat_map(list).collect(),
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
        let mut lines: Vec<(Line, bool)> = Vec::new();
        let mut has_flooded = false;
        while self.goes_on() {
            while lines.len() < LINES && self.goes_on() {
                number += 1;
                let Some(line) = Line::open(self, number) else {
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
