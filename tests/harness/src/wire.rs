//! A connection of the conformance kit for tests that end at the first failure: it panics where the kit returns errors.

use std::net::TcpStream;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

use crate::PATIENCE;
use tilewire_conformance::link::{Link, Refused};
use tilewire_conformance::raw::{BINARY, CLOSE, Ended, Frame, Raw};
use tilewire_conformance::{Encoding, Target};

/// A connection that speaks `tilewire.v1.json`.
#[derive(Debug)]
pub struct Wire {
    link: Link,
}

/// Returns the server at `address` as a target of the kit.
#[must_use]
pub fn target(address: &str) -> Target {
    let url = format!("ws://{address}/ws");
    Target::parse(&url, Encoding::Json, PATIENCE).expect("a URL")
}

/// Returns the name of the key that signed a token.
///
/// # Panics
/// When it is no token.
#[must_use]
pub fn kid(token: &str) -> String {
    let head = token.split('.').next().expect("a header");
    let head = BASE64URL_NOPAD.decode(head.as_bytes()).expect("base64url");
    let head: Value = serde_json::from_slice(&head).expect("JSON");
    head["kid"].as_str().expect("a key").to_owned()
}

impl From<Link> for Wire {
    fn from(link: Link) -> Self {
        Self { link }
    }
}

impl Wire {
    /// Connects, upgrades and reads `hello`.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn connect(address: &str) -> Self {
        Link::open(&target(address))
            .expect("the server upgrades")
            .into()
    }

    /// Connects and upgrades with an offer of subprotocols; `hello` is not read.
    ///
    /// # Errors
    /// The HTTP status with which the server refuses.
    ///
    /// # Panics
    /// When there is no server.
    pub fn upgrade(address: &str, offer: &str) -> Result<Self, u16> {
        let stream = TcpStream::connect(address).expect("the server listens");
        Self::upgrade_to(&target(address), stream, offer)
    }

    /// Upgrades a connection; `hello` is not read.
    ///
    /// # Errors
    /// The HTTP status with which the server refuses.
    ///
    /// # Panics
    /// When there is no HTTP answer.
    pub fn over(stream: TcpStream) -> Result<Self, u16> {
        let address = stream.peer_addr().expect("it is connected").to_string();
        let target = target(&address);
        Self::upgrade_to(&target, stream, target.encoding.subprotocol())
    }

    fn upgrade_to(target: &Target, stream: TcpStream, offer: &str) -> Result<Self, u16> {
        let raw = Raw::over(stream, PATIENCE).expect("it is connected");
        match Link::upgraded(target, raw, offer) {
            Ok(link) => Ok(link.into()),
            Err(error) => match error.downcast_ref() {
                Some(Refused(status)) => Err(*status),
                None => panic!("{error:?}"),
            },
        }
    }

    /// Connects at another path, with a query; reads `hello`.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn connect_at(address: &str, path: &str) -> Self {
        let mut target = target(address);
        path.clone_into(&mut target.path);
        Link::open(&target).expect("the server upgrades").into()
    }

    /// Connects as a new guest; returns its token too.
    ///
    /// # Panics
    /// When the server does not welcome it.
    #[must_use]
    pub fn guest(address: &str, name: &str) -> (Self, String) {
        let link = Link::guest(&target(address), name).expect("a welcome");
        let token = link.token();
        (link.into(), token)
    }

    /// Connects as the identity of a token.
    ///
    /// # Panics
    /// When the server does not welcome it.
    #[must_use]
    pub fn known(address: &str, token: &str) -> Self {
        let link = Link::known(&target(address), token);
        link.expect("a welcome").into()
    }

    /// Answers each ping so much later.
    pub fn delay_pongs(&mut self, delay: Duration) {
        self.link.pong_delay = delay;
    }

    /// Sends a request and returns its answer `[op, id, body]`.
    #[track_caller]
    pub fn ask(&mut self, op: &str, body: Value) -> Value {
        let answer = self.link.ask(op, body);
        answer.unwrap_or_else(|error| panic!("{op}: {error:?}"))
    }

    /// Sends a request and returns its answer; `None` if the connection ends without one.
    pub fn ask_if_open(&mut self, op: &str, body: Value) -> Option<Value> {
        self.link.ask(op, body).ok()
    }

    /// Sends a request and returns the body of its `ok`.
    #[track_caller]
    pub fn ok(&mut self, op: &str, body: Value) -> Value {
        let answer = self.link.ok(op, body);
        answer.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Sends a request and returns the code of its error.
    #[track_caller]
    pub fn refused(&mut self, op: &str, body: Value) -> String {
        let error = self.link.refused(op, body);
        let error = error.unwrap_or_else(|error| panic!("{error:?}"));
        error["code"].as_str().expect("a code").to_owned()
    }

    /// Sends a request without waiting; returns its id.
    pub fn send(&mut self, op: &str, body: &Value) -> u64 {
        self.link.send(op, body.clone())
    }

    /// Sends a request whose answer is not read; returns whether the connection took it.
    pub fn try_send(&mut self, op: &str, body: &Value) -> bool {
        let request = json!([op, 1, body]).to_string();
        let frame = Frame::whole(Encoding::Json.opcode(), request);
        self.link.raw.try_send(&frame)
    }

    /// Sends a text frame.
    pub fn send_text(&mut self, text: &str) {
        self.link.send_bytes(text.as_bytes());
    }

    /// Expects an answer to this id, which a frame sent as text may name.
    pub fn expect(&mut self, id: u64) {
        self.link.expect(id);
    }

    /// Returns the code of the next error.
    #[track_caller]
    pub fn error(&mut self) -> Value {
        loop {
            let message = self.read().expect("the connection stays open");
            if message[0] == "error" {
                return message[2]["code"].clone();
            }
        }
    }

    /// Sends a binary frame.
    pub fn send_binary(&mut self, bytes: &[u8]) {
        self.link.raw.send(&Frame::whole(BINARY, bytes));
    }

    /// Waits for the answer to a request.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        let answer = self.link.answer(id);
        answer.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Returns the first pushed message, kept or new, that `wanted` accepts.
    #[track_caller]
    pub fn pushed(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let message = self.link.push(wanted);
        message.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Returns the pushed messages that were not looked at yet.
    pub fn take_pushed(&mut self) -> Vec<Value> {
        self.link.take_pushes()
    }

    /// Returns the body of the first event of this kind.
    #[track_caller]
    pub fn event(&mut self, kind: &str) -> Value {
        self.pushed(|message| message[0] == "event" && message[2]["kind"] == kind)[2].clone()
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// The close code, if the server closed the connection with one.
    ///
    /// # Panics
    /// When nothing comes, or a message breaks the protocol.
    #[track_caller]
    pub fn read(&mut self) -> Result<Value, Option<u16>> {
        self.link
            .next_message()
            .map_err(|error| match self.link.end() {
                Some(ended) => ended.code,
                None => panic!("{error:?}"),
            })
    }

    /// Reads until the server closes; returns the close code.
    #[track_caller]
    pub fn closed(&mut self) -> Option<u16> {
        self.farewell().code
    }

    /// Waits until the server closes the connection; returns the code and the text of its close frame.
    ///
    /// # Panics
    /// When the connection stays open.
    pub fn farewell(&mut self) -> Ended {
        let ended = self.link.ended(PATIENCE);
        ended.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Closes the connection with a close frame, and waits for the server's.
    pub fn close(mut self) {
        self.link.raw.send(&Frame::whole(CLOSE, ""));
        self.closed();
    }
}
