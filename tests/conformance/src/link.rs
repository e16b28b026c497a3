//! A connection of a client that checks every message it receives against its open requests.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::opening::Opening;
use super::raw::{BINARY, CLOSE, Ended, Frame, Heard, PING, PONG, Raw, TEXT};
use super::{Target, now};
use crate::failure;

/// A connection of one client.
#[derive(Debug)]
pub struct Link {
    /// The bytes below.
    pub raw: Raw,
    target: Target,
    next_id: u64,
    open: BTreeSet<u64>,
    answers: Vec<Value>,
    pushed: VecDeque<Value>,
    /// Everything the server said, in order.
    pub heard: Vec<Value>,
    /// The body of `hello`.
    pub hello: Value,
    /// The body of `welcome`; null before it.
    pub welcome: Value,
    /// How long the link waits before it answers a ping.
    pub pong_delay: Duration,
    closed: Option<Ended>,
}

/// The status of a refused upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused(pub u16);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the upgrade is answered {}", self.0)
    }
}

impl std::error::Error for Refused {}

impl Link {
    /// Connects and reads `hello`.
    ///
    /// # Errors
    /// When the server refuses, or says something else first.
    pub fn open(target: &Target) -> Result<Self> {
        let raw = target.connect()?;
        let mut link = Self::upgraded(target, raw, target.encoding.subprotocol())?;
        let hello = link.next_message()?;
        ensure!(
            hello[0] == "hello" && hello[1] == 0,
            "the server speaks first, with hello: {hello}"
        );
        link.hello = hello[2].clone();
        Ok(link)
    }

    /// Upgrades a connection with an offer of subprotocols; nothing is read.
    ///
    /// # Errors
    /// [`Refused`] when the server answers with another status than 101.
    pub fn upgraded(target: &Target, mut raw: Raw, offer: &str) -> Result<Self> {
        let head = Opening::usual(target, offer).send_on(&mut raw)?;
        ensure!(head.status == 101, Refused(head.status));
        Ok(Self {
            raw,
            target: target.clone(),
            next_id: 0,
            open: BTreeSet::new(),
            answers: Vec::new(),
            pushed: VecDeque::new(),
            heard: Vec::new(),
            hello: Value::Null,
            welcome: Value::Null,
            pong_delay: Duration::ZERO,
            closed: None,
        })
    }

    /// Connects as a new guest.
    ///
    /// # Errors
    /// When the server does not welcome it.
    pub fn guest(target: &Target, name: &str) -> Result<Self> {
        Self::authenticated(target, json!({ "name": name, "client": "conformance" }))
    }

    /// Connects as the identity of a token.
    ///
    /// # Errors
    /// When the server does not welcome it.
    pub fn known(target: &Target, token: &str) -> Result<Self> {
        Self::authenticated(target, json!({ "token": token, "client": "conformance" }))
    }

    fn authenticated(target: &Target, auth: Value) -> Result<Self> {
        let mut link = Self::open(target)?;
        let welcome = link.ask("auth", auth)?;
        ensure!(welcome[0] == "welcome", "auth is answered {welcome}");
        link.welcome = welcome[2].clone();
        Ok(link)
    }

    /// The token of the identity.
    #[must_use]
    pub fn token(&self) -> String {
        self.welcome["token"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The identity.
    #[must_use]
    pub fn identity(&self) -> &str {
        self.welcome["identity"].as_str().unwrap_or_default()
    }

    /// Sends a request without waiting; returns its id.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "bodies are written where they are sent"
    )]
    pub fn send(&mut self, op: &str, body: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send_value(&json!([op, id, body]));
        self.open.insert(id);
        id
    }

    /// Sends any message; [`Link::answer`] finds the answer if its id was passed to `expect`.
    pub fn send_value(&mut self, message: &Value) {
        failure::sent(&message.to_string());
        let bytes = self.target.encoding.encode(message);
        self.send_bytes(&bytes);
    }

    /// Sends any bytes as a message of the right type of frame.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.raw
            .send(&Frame::whole(self.target.encoding.opcode(), bytes));
    }

    /// Says that an answer to this id is due.
    pub fn expect(&mut self, id: u64) {
        self.open.insert(id);
        self.next_id = self.next_id.max(id);
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// When the connection ends or nothing comes.
    pub fn answer(&mut self, id: u64) -> Result<Value> {
        loop {
            if let Some(at) = self.answers.iter().position(|answer| answer[1] == id) {
                return Ok(self.answers.remove(at));
            }
            self.read()
                .with_context(|| format!("waiting for the answer to {id}"))?;
        }
    }

    /// Sends a request and waits for its answer `[op, id, body]`.
    ///
    /// # Errors
    /// When none comes.
    pub fn ask(&mut self, op: &str, body: Value) -> Result<Value> {
        let id = self.send(op, body);
        self.answer(id)
    }

    /// Sends a request that must succeed; returns the body of the answer.
    ///
    /// # Errors
    /// When it is refused.
    pub fn ok(&mut self, op: &str, body: Value) -> Result<Value> {
        let told = body.to_string();
        let answer = self.ask(op, body)?;
        ensure!(answer[0] == "ok", "{op} {told} is answered {answer}");
        Ok(answer[2].clone())
    }

    /// Sends a request that must be refused; returns the body of the error.
    ///
    /// # Errors
    /// When it is not.
    pub fn refused(&mut self, op: &str, body: Value) -> Result<Value> {
        let told = body.to_string();
        let answer = self.ask(op, body)?;
        ensure!(answer[0] == "error", "{op} {told} is answered {answer}");
        Ok(answer[2].clone())
    }

    /// Sends a request that must be refused with this code.
    ///
    /// # Errors
    /// When it is not.
    pub fn refuses(&mut self, op: &str, body: Value, code: &str) -> Result<Value> {
        let told = body.to_string();
        let error = self.refused(op, body)?;
        ensure!(
            error["code"] == code,
            "{op} {told}: {code} expected, {error}"
        );
        Ok(error)
    }

    /// Waits for the first pushed message, kept or new, that is as wanted.
    ///
    /// # Errors
    /// When none comes.
    pub fn push(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            if let Some(at) = self.pushed.iter().position(&wanted) {
                return self.pushed.remove(at).context("it is there");
            }
            self.read().context("waiting for a push")?;
        }
    }

    /// Waits for a push of this op; returns its body.
    ///
    /// # Errors
    /// When none comes.
    pub fn pushed(&mut self, op: &str) -> Result<Value> {
        let push = self
            .push(|message| message[0] == op)
            .with_context(|| op.to_owned())?;
        Ok(push[2].clone())
    }

    /// Takes every push that has come so far.
    pub fn take_pushes(&mut self) -> Vec<Value> {
        self.pushed.drain(..).collect()
    }

    /// Waits for all earlier messages of the server: sends a time request and waits for its answer.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn fence(&mut self) -> Result<i64> {
        let time = self.ok("time", json!({}))?;
        time["server_time"].as_i64().context("a time")
    }

    /// Listens for a while, and answers pings.
    ///
    /// # Errors
    /// When the connection ends.
    pub fn listen(&mut self, within: Duration) -> Result<()> {
        let until = now() + within;
        loop {
            let left = until.saturating_duration_since(now());
            if left.is_zero() || !self.step(left)? {
                return Ok(());
            }
        }
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// When the connection ends, nothing comes, or what comes breaks the protocol.
    pub fn read(&mut self) -> Result<Value> {
        let until = now() + self.target.patience;
        let before = self.heard.len();
        while self.heard.len() == before {
            let left = until.saturating_duration_since(now());
            ensure!(
                !left.is_zero() && self.step(left)?,
                "nothing came within {:?}",
                self.target.patience
            );
        }
        self.heard.last().cloned().context("it was heard")
    }

    /// Reads the next message and consumes it.
    ///
    /// # Errors
    /// When the connection ends, nothing comes, or what comes breaks the protocol.
    pub fn next_message(&mut self) -> Result<Value> {
        let message = self.read()?;
        if message[1] == 0 {
            self.pushed.pop_back();
        } else {
            self.answers.pop();
        }
        Ok(message)
    }

    /// How the connection ended, if it has.
    #[must_use]
    pub const fn end(&self) -> Option<&Ended> {
        self.closed.as_ref()
    }

    /// Takes in one frame; false if none came.
    fn step(&mut self, within: Duration) -> Result<bool> {
        if let Some(ended) = &self.closed {
            bail!("the connection was closed: {ended}");
        }
        match self.raw.hear(within)? {
            Heard::Nothing => return Ok(false),
            Heard::End => {
                self.closed = Some(Ended {
                    code: None,
                    said: false,
                    reason: String::new(),
                });
                bail!("the connection ended without a close frame");
            }
            Heard::Frame(frame) => match frame.opcode {
                PING => {
                    thread::sleep(self.pong_delay);
                    self.raw.send(&Frame::whole(PONG, frame.payload));
                }
                PONG => {}
                CLOSE => {
                    let reason = frame.payload.get(2..).unwrap_or_default();
                    let ended = Ended {
                        code: frame.close_code(),
                        said: true,
                        reason: String::from_utf8_lossy(reason).into_owned(),
                    };
                    self.raw.send(&frame);
                    self.closed = Some(ended.clone());
                    bail!("the connection was closed: {ended}");
                }
                TEXT | BINARY => self.message(&frame)?,
                other => bail!("no server sends frames of opcode {other}"),
            },
        }
        Ok(true)
    }

    fn message(&mut self, frame: &Frame) -> Result<()> {
        let encoding = self.target.encoding;
        ensure!(frame.fin, "one frame is one message");
        ensure!(
            frame.opcode == encoding.opcode(),
            "a frame of the wrong type"
        );
        let message = encoding.decode(&frame.payload)?;
        check_shape(&message)?;
        self.heard.push(message.clone());
        match message[1].as_u64() {
            Some(0) => self.pushed.push_back(message),
            Some(id) => {
                ensure!(
                    self.open.remove(&id),
                    "a second answer, or one without a request: {message}"
                );
                self.answers.push(message);
            }
            None => bail!("an id is an unsigned integer: {message}"),
        }
        Ok(())
    }

    /// Reads until the server closes; returns how.
    ///
    /// # Errors
    /// When it does not within `within`.
    pub fn ended(&mut self, within: Duration) -> Result<Ended> {
        let until = now() + within;
        loop {
            if let Some(ended) = &self.closed {
                return Ok(ended.clone());
            }
            let left = until.saturating_duration_since(now());
            ensure!(
                !left.is_zero(),
                "the server did not close within {within:?}"
            );
            if let Err(error) = self.step(left)
                && self.closed.is_none()
            {
                return Err(error);
            }
        }
    }

    /// Reads until the server closes, which must be with this code.
    ///
    /// # Errors
    /// When it closes with another, or not at all.
    pub fn closes(&mut self, code: u16) -> Result<()> {
        let ended = self.ended(self.target.patience)?;
        ensure!(ended.code == Some(code), "{code} expected: {ended}");
        Ok(())
    }
}

/// Checks the invariants of every message: its shape, no `null`, no integer that JSON parsers round.
///
/// # Errors
/// The first violation.
pub fn check_shape(message: &Value) -> Result<()> {
    let parts = message.as_array().context("a message is an array")?;
    ensure!(parts.len() == 3, "of exactly three: {message}");
    ensure!(parts[0].is_string(), "an op is text: {message}");
    ensure!(parts[1].is_u64(), "an id is an unsigned integer: {message}");
    ensure!(parts[2].is_object(), "a body is a map: {message}");
    check_values(&parts[2]).with_context(|| message.to_string())
}

fn check_values(value: &Value) -> Result<()> {
    const MOST: u64 = (1 << 53) - 1;
    match value {
        Value::Null => bail!("null is never sent"),
        Value::Number(number) => {
            let size = number
                .as_u64()
                .or_else(|| number.as_i64().map(i64::unsigned_abs));
            ensure!(
                size.is_some_and(|size| size <= MOST),
                "{number} is out of range"
            );
        }
        Value::Array(values) => values.iter().try_for_each(check_values)?,
        Value::Object(fields) => fields.values().try_for_each(check_values)?,
        Value::Bool(_) | Value::String(_) => {}
    }
    Ok(())
}
