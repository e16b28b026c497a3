//! The wire as a third-party client sees it: JSON messages over a socket, and recorded bytes read back.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite;
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

use crate::PATIENCE;

/// A connection that speaks `tilewire.v1.json`.
#[derive(Debug)]
pub struct Wire {
    socket: WebSocket<Uninterrupted>,
    next_id: u64,
    /// Pushed messages not looked at yet, as `[op, 0, body]`.
    pub pushed: Vec<Value>,
}

/// A socket that waits on when a signal comes: with a timeout, the system does not take that up again by itself.
#[derive(Debug)]
struct Uninterrupted(TcpStream);

fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

impl Read for Uninterrupted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        uninterrupted(|| self.0.read(bytes))
    }
}

impl Write for Uninterrupted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        uninterrupted(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Wire {
    /// Connects and upgrades; the server's `hello` is read.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn connect(address: &str) -> Self {
        let mut wire = Self::upgrade(address, "tilewire.v1.json").expect("the server upgrades");
        assert_eq!(wire.read().expect("a first message")[0], "hello");
        wire
    }

    /// Connects and upgrades with this subprotocol.
    ///
    /// # Errors
    /// The HTTP status the server refuses with.
    ///
    /// # Panics
    /// When there is no server.
    pub fn upgrade(address: &str, subprotocol: &str) -> Result<Self, u16> {
        Self::upgrade_to(address, "/ws", subprotocol)
    }

    fn upgrade_to(address: &str, path: &str, subprotocol: &str) -> Result<Self, u16> {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a timeout can be set");
        Self::over_at(stream, path, subprotocol)
    }

    /// Upgrades a connection that is there already.
    ///
    /// # Errors
    /// The HTTP status the server refuses with.
    ///
    /// # Panics
    /// When there is no HTTP answer.
    pub fn over(stream: TcpStream, subprotocol: &str) -> Result<Self, u16> {
        Self::over_at(stream, "/ws", subprotocol)
    }

    fn over_at(stream: TcpStream, path: &str, subprotocol: &str) -> Result<Self, u16> {
        let address = stream.peer_addr().expect("it is connected");
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .expect("a URL");
        let value = subprotocol.parse().expect("a header value");
        request
            .headers_mut()
            .insert("Sec-WebSocket-Protocol", value);
        match tungstenite::client(request, Uninterrupted(stream)) {
            Ok((socket, _)) => Ok(Self {
                socket,
                next_id: 0,
                pushed: Vec::new(),
            }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Connects and upgrades at this path and query.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn upgrade_at(address: &str, path: &str) -> Self {
        Self::upgrade_to(address, path, "tilewire.v1.json").expect("the server upgrades")
    }

    /// Connects as a new guest; returns the token too.
    #[must_use]
    pub fn guest(address: &str, name: &str) -> (Self, String) {
        let mut wire = Self::connect(address);
        let welcome = wire.ask("auth", json!({ "name": name, "client": "tests" }));
        assert_eq!(welcome[0], "welcome", "{welcome}");
        let token = welcome[2]["token"].as_str().expect("a token").to_owned();
        (wire, token)
    }

    /// Connects as the identity of a token.
    #[must_use]
    pub fn known(address: &str, token: &str) -> Self {
        let mut wire = Self::connect(address);
        let welcome = wire.ask("auth", json!({ "token": token, "client": "tests" }));
        assert_eq!(welcome[0], "welcome", "{welcome}");
        wire
    }

    /// Sends a request and returns its answer `[op, id, body]`; pushes on the way are kept.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "bodies are written where they are sent"
    )]
    pub fn ask(&mut self, op: &str, body: Value) -> Value {
        let id = self.send(op, &body);
        loop {
            let message = self
                .read()
                .unwrap_or_else(|code| panic!("closed with {code:?} instead of an answer"));
            if message[1] == id {
                return message;
            }
            assert_eq!(message[1], 0, "no other answer is due: {message}");
            self.pushed.push(message);
        }
    }

    /// Sends a request and returns the body of its `ok`.
    pub fn ok(&mut self, op: &str, body: Value) -> Value {
        let answer = self.ask(op, body);
        assert_eq!(answer[0], "ok", "{answer}");
        answer[2].clone()
    }

    /// Sends a request and returns the code of its error.
    pub fn refused(&mut self, op: &str, body: Value) -> String {
        let answer = self.ask(op, body);
        assert_eq!(answer[0], "error", "{answer}");
        answer[2]["code"]
            .as_str()
            .expect("an error has a code")
            .to_owned()
    }

    /// Sends a request without waiting; returns its id.
    pub fn send(&mut self, op: &str, body: &Value) -> u64 {
        self.next_id += 1;
        self.send_text(&json!([op, self.next_id, body]).to_string());
        self.next_id
    }

    /// Sends a request whose answer will not be read; says whether the connection took it.
    pub fn ask_in_vain(&mut self, op: &str, body: &Value) -> bool {
        self.next_id += 1;
        let request = json!([op, self.next_id, body]).to_string();
        self.socket.send(Message::text(request)).is_ok()
    }

    /// Sends any text.
    pub fn send_text(&mut self, text: &str) {
        self.send_message(Message::text(text));
    }

    /// Sends any message.
    pub fn send_message(&mut self, message: Message) {
        // A server that has closed is seen when reading.
        drop(self.socket.send(message));
    }

    /// Returns the first message, kept or new, that `wanted` accepts among the pushed ones.
    ///
    /// # Panics
    /// When the connection ends or nothing comes.
    pub fn pushed(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.pushed.iter().position(&wanted) {
            return self.pushed.remove(at);
        }
        #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let message = self
                .read()
                .unwrap_or_else(|code| panic!("closed with {code:?}"));
            if wanted(&message) {
                return message;
            }
            self.pushed.push(message);
        }
        panic!("nothing of the kind came, only {:?}", self.pushed);
    }

    /// Returns the body of the first event of this kind.
    pub fn event(&mut self, kind: &str) -> Value {
        self.pushed(|message| message[0] == "event" && message[2]["kind"] == kind)[2].clone()
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// The close code, if the server closed with one.
    ///
    /// # Panics
    /// When nothing comes for too long.
    pub fn read(&mut self) -> Result<Value, Option<u16>> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Ok(serde_json::from_str(text.as_str()).expect("the server sends JSON"));
                }
                Ok(Message::Close(frame)) => {
                    return Err(frame.map(|frame| CloseCode::into(frame.code)));
                }
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                    panic!("the server said nothing for too long");
                }
                Err(_) => return Err(None),
            }
        }
    }

    /// Reads until the server closes, and returns the close code.
    pub fn closed(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.read() {
                return code;
            }
        }
    }
}

/// Reads the messages out of the bytes a server sent on one connection, the HTTP answer in front of them included.
///
/// # Panics
/// When the bytes are no WebSocket stream, up to an unfinished last frame.
#[must_use]
pub fn messages(bytes: &[u8]) -> Vec<Value> {
    let head = bytes
        .windows(4)
        .position(|end| end == b"\r\n\r\n")
        .map_or(bytes.len(), |at| at + 4);
    let (mut rest, mut found) = (&bytes[head..], Vec::new());
    while let Some((opcode, payload, after)) = frame(rest) {
        match opcode {
            1 => found.push(serde_json::from_slice(payload).expect("text frames are JSON")),
            2 => {
                let (value, rest) = msgpack(payload);
                assert!(rest.is_empty(), "one frame, one message");
                found.push(value);
            }
            _ => {}
        }
        rest = after;
    }
    found
}

/// Splits an unmasked frame off: its opcode, its payload, what follows.
fn frame(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (opcode, length) = (bytes.first()? & 0x0f, usize::from(bytes.get(1)? & 0x7f));
    let (length, start) = match length {
        126 => (big_endian(bytes.get(2..4)?), 4),
        127 => (big_endian(bytes.get(2..10)?), 10),
        length => (length, 2),
    };
    let payload = bytes.get(start..start + length)?;
    Some((opcode, payload, &bytes[start + length..]))
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |number, byte| (number << 8) | usize::from(*byte))
}

/// Reads one value of MessagePack; binary becomes text in hexadecimal.
fn msgpack(bytes: &[u8]) -> (Value, &[u8]) {
    let (tag, rest) = (bytes[0], &bytes[1..]);
    let sized = |width: usize| (big_endian(&rest[..width]), &rest[width..]);
    match tag {
        0x00..=0x7f => (json!(tag), rest),
        0xe0..=0xff => (json!(i64::from(tag) - 256), rest),
        0x80..=0x8f => map(usize::from(tag & 0x0f), rest),
        0x90..=0x9f => array(usize::from(tag & 0x0f), rest),
        0xa0..=0xbf => string(usize::from(tag & 0x1f), rest),
        0xc0 => (Value::Null, rest),
        0xc2 | 0xc3 => (json!(tag == 0xc3), rest),
        0xc4..=0xc6 => {
            let (length, rest) = sized(1 << (tag - 0xc4));
            let hex: String = rest[..length]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            (json!(hex), &rest[length..])
        }
        0xcc..=0xcf => {
            let (number, rest) = sized(1 << (tag - 0xcc));
            (json!(number), rest)
        }
        0xd0..=0xd3 => {
            let width = 1 << (tag - 0xd0);
            let (number, rest) = sized(width);
            let shift = 64 - 8 * width;
            let number = i64::from_ne_bytes(number.to_ne_bytes()) << shift >> shift;
            (json!(number), rest)
        }
        0xd9..=0xdb => {
            let (length, rest) = sized(1 << (tag - 0xd9));
            string(length, rest)
        }
        0xdc | 0xdd => {
            let (length, rest) = sized(2 << (tag - 0xdc));
            array(length, rest)
        }
        0xde | 0xdf => {
            let (length, rest) = sized(2 << (tag - 0xde));
            map(length, rest)
        }
        other => panic!("{other:#x} is not used by the protocol"),
    }
}

fn string(length: usize, bytes: &[u8]) -> (Value, &[u8]) {
    let text = std::str::from_utf8(&bytes[..length]).expect("text is UTF-8");
    (json!(text), &bytes[length..])
}

fn array(length: usize, mut bytes: &[u8]) -> (Value, &[u8]) {
    let mut values = Vec::new();
    for _ in 0..length {
        let (value, rest) = msgpack(bytes);
        values.push(value);
        bytes = rest;
    }
    (Value::Array(values), bytes)
}

fn map(length: usize, mut bytes: &[u8]) -> (Value, &[u8]) {
    let mut fields = serde_json::Map::new();
    for _ in 0..length {
        let (key, rest) = msgpack(bytes);
        let (value, rest) = msgpack(rest);
        fields.insert(key.as_str().expect("keys are text").to_owned(), value);
        bytes = rest;
    }
    (Value::Object(fields), bytes)
}
