//! A relay for WebSocket frames between a client and a server. It logs the traffic and lets a [`Tap`] keep, change,
//! repeat, delay and invent messages.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::now;
use super::pack::Encoding;
use super::raw::{Frame, MASK, joined, split_frame};

/// One end of the relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// Decides about each frame. One tap handles all connections of a relay, one frame at a time.
pub trait Tap: Send {
    /// Whether the relay decodes the client's frames; if not, it passes the bytes unchanged.
    fn reads_client(&self) -> bool {
        true
    }

    /// The server's answer to the handshake, head and all.
    fn head(&mut self, head: String) -> String {
        head
    }

    /// A plain HTTP answer of the server: its head, without the length of the body, and its body.
    fn http(&mut self, head: String, body: Vec<u8>) -> (String, Vec<u8>) {
        (head, body)
    }

    /// Handles a frame of either side; a frame that the tap does not pass on is lost.
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection);
}

/// A tap that passes everything on.
#[derive(Debug)]
pub struct Plain;

impl Tap for Plain {
    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        wire.pass(from, frame);
    }
}

/// A frame as the other side received it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The number of the connection, from 0.
    pub connection: usize,
    /// Its sender.
    pub from: Side,
    /// When.
    pub at: Instant,
    /// The frame.
    pub frame: Frame,
    /// The decoded message, if the frame is one.
    pub message: Option<Value>,
}

/// One connection through the relay.
#[derive(Debug)]
pub struct Connection {
    /// Its number, from 0.
    pub connection: usize,
    /// The codec of its messages.
    pub encoding: Encoding,
    client: TcpStream,
    server: TcpStream,
    shared: Arc<Shared>,
}

impl Connection {
    /// Passes a frame to the other side.
    #[expect(clippy::needless_pass_by_value, reason = "a frame is handed over")]
    pub fn pass(&mut self, from: Side, frame: Frame) {
        self.note(from, &frame);
        let (to, mask) = match from {
            Side::Client => (&mut self.server, frame.masked.then_some(MASK)),
            Side::Server => (&mut self.client, None),
        };
        // The reading thread notices a closed connection.
        drop(to.write_all(&frame.bytes(mask)));
    }

    /// Passes a message on in place of `frame`.
    pub fn say(&mut self, from: Side, message: &Value) {
        let mut frame = Frame::whole(self.encoding.opcode(), self.encoding.encode(message));
        frame.masked = from == Side::Client;
        self.pass(from, frame);
    }

    /// Passes a message on without logging it, so that the log keeps the original.
    pub fn say_unheard(&mut self, from: Side, message: &Value) {
        let frame = Frame::whole(self.encoding.opcode(), self.encoding.encode(message));
        let written = match from {
            Side::Client => self.server.write_all(&frame.bytes(Some(MASK))),
            Side::Server => self.client.write_all(&frame.bytes(None)),
        };
        drop(written);
    }

    /// Logs a frame that is not delivered.
    pub fn note_only(&mut self, from: Side, frame: &Frame) {
        self.note(from, frame);
    }

    /// Sends bytes to the client without logging them.
    pub fn raw_to_client(&mut self, bytes: &[u8]) {
        drop(self.client.write_all(bytes));
    }

    /// Passes a message of the server to the client after a delay.
    pub fn say_later(&self, message: Value, after: Duration) {
        let copies = (self.client.try_clone(), self.server.try_clone());
        let (Ok(client), Ok(server)) = copies else {
            return;
        };
        let mut later = Self {
            connection: self.connection,
            encoding: self.encoding,
            client,
            server,
            shared: Arc::clone(&self.shared),
        };
        std::thread::spawn(move || {
            std::thread::sleep(after);
            // The lock of the tap keeps other threads from writing in the middle of this frame.
            let shared = Arc::clone(&later.shared);
            let guard = lock(&shared.tap);
            later.say(Side::Server, &message);
            drop(guard);
        });
    }

    /// Decodes a frame, if it is a message.
    #[must_use]
    pub fn message(&self, frame: &Frame) -> Option<Value> {
        let is_message = frame.opcode == self.encoding.opcode();
        is_message.then(|| self.encoding.decode(&frame.payload).ok())?
    }

    /// Closes the connection in both directions.
    pub fn cut(&self) {
        // It may be closed already.
        drop(self.client.shutdown(Shutdown::Both));
        drop(self.server.shutdown(Shutdown::Both));
    }

    /// Closes the connection to the server only: the client can still read earlier messages and write.
    pub fn leave_server(&self) {
        drop(self.server.shutdown(Shutdown::Both));
    }

    fn note(&self, from: Side, frame: &Frame) {
        let entry = Entry {
            connection: self.connection,
            from,
            at: now(),
            frame: frame.clone(),
            message: self.message(frame),
        };
        lock(&self.shared.log).push(entry);
    }
}

struct Shared {
    /// Where new connections go.
    target: Mutex<String>,
    /// The sockets of the connections that there are, by their numbers.
    sockets: Mutex<BTreeMap<usize, [TcpStream; 2]>>,
    tap: Mutex<Box<dyn Tap>>,
    log: Mutex<Vec<Entry>>,
    opened: Mutex<Vec<Instant>>,
    ended: Mutex<Vec<(usize, Instant)>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

/// A relay on a port of its own.
#[derive(Debug)]
pub struct Relay {
    /// Where clients connect, `HOST:PORT`.
    pub address: String,
    shared: Arc<Shared>,
}

impl Relay {
    /// Starts a relay to the server at `target`.
    ///
    /// # Errors
    /// When no port is free.
    pub fn start(target: &str, tap: Box<dyn Tap>) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let shared = Arc::new(Shared {
            target: Mutex::new(target.to_owned()),
            sockets: Mutex::default(),
            tap: Mutex::new(tap),
            log: Mutex::default(),
            opened: Mutex::default(),
            ended: Mutex::default(),
        });
        let for_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for (client, number) in listener.incoming().map_while(Result::ok).zip(0..) {
                let shared = Arc::clone(&for_thread);
                lock(&shared.opened).push(now());
                std::thread::spawn(move || {
                    drop(connect(&shared, client, number));
                    // It closes with the last handle.
                    lock(&shared.sockets).remove(&number);
                });
            }
        });
        Ok(Self { address, shared })
    }

    /// Sends new connections to another server, and closes those that there are.
    pub fn redirect(&self, target: &str) {
        let mut current = lock(&self.shared.target);
        target.clone_into(&mut current);
        for socket in lock(&self.shared.sockets).values().flatten() {
            drop(socket.shutdown(Shutdown::Both)); // it may be closed already
        }
    }

    /// Returns where new connections go.
    #[must_use]
    pub fn target(&self) -> String {
        lock(&self.shared.target).clone()
    }

    /// Returns all frames so far, as they were passed on.
    #[must_use]
    pub fn log(&self) -> Vec<Entry> {
        lock(&self.shared.log).clone()
    }

    /// When each connection was opened, by number.
    #[must_use]
    pub fn opened(&self) -> Vec<Instant> {
        lock(&self.shared.opened).clone()
    }

    /// When a connection ended, if it has.
    #[must_use]
    pub fn ended(&self, connection: usize) -> Option<Instant> {
        let ended = lock(&self.shared.ended);
        ended
            .iter()
            .find(|(known, _)| *known == connection)
            .map(|(_, at)| *at)
    }
}

/// Serves one connection: the heads first, then frames in both directions.
fn connect(shared: &Arc<Shared>, mut client: TcpStream, number: usize) -> std::io::Result<()> {
    let mut server = {
        // Locked until the sockets are known, so that a redirection closes this connection or changes its target.
        let target = lock(&shared.target);
        let server = TcpStream::connect(target.as_str())?;
        let sockets = [client.try_clone()?, server.try_clone()?];
        lock(&shared.sockets).insert(number, sockets);
        server
    };
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (head, rest) = read_head(&mut client)?;
    server.write_all(&head)?;
    server.write_all(&with_body(&mut client, &head, rest)?)?;
    let (head, from_server) = read_head(&mut server)?;
    let head = String::from_utf8_lossy(&head).into_owned();
    if head.split(' ').nth(1) != Some("101") {
        let body = with_body(&mut server, head.as_bytes(), from_server)?;
        client.write_all(&plain_answer(shared, &head, body))?;
        lock(&shared.ended).push((number, now()));
        return Ok(());
    }
    let head = lock(&shared.tap).head(head);
    client.write_all(head.as_bytes())?;
    let encoding = header(&head, "Sec-WebSocket-Protocol").and_then(Encoding::of);
    let wire = |client: &TcpStream, server: &TcpStream| -> std::io::Result<Connection> {
        Ok(Connection {
            connection: number,
            encoding: encoding.unwrap_or(Encoding::Json),
            client: client.try_clone()?,
            server: server.try_clone()?,
            shared: Arc::clone(shared),
        })
    };
    let (up, down) = (wire(&client, &server)?, wire(&client, &server)?);
    let reads_client = encoding.is_some() && lock(&shared.tap).reads_client();
    let from_client = client.try_clone()?;
    let upwards = std::thread::spawn(move || {
        if reads_client {
            pump(from_client, up, Side::Client, Vec::new());
        } else {
            pipe(from_client, up);
        }
    });
    pump(server, down, Side::Server, from_server);
    drop(upwards.join());
    lock(&shared.ended).push((number, now()));
    Ok(())
}

/// Reads up to the end of an HTTP head; returns it and the bytes after it.
fn read_head(stream: &mut TcpStream) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            let rest = bytes.split_off(at + 4);
            return Ok((bytes, rest));
        }
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend(&buffer[..count]);
    }
}

/// Returns the value of a header in a head.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim())
}

/// Reads the rest of the body that a head announces; `bytes` is the part that came with the head.
fn with_body(stream: &mut TcpStream, head: &[u8], mut bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let head = String::from_utf8_lossy(head);
    if header(&head, "Transfer-Encoding") == Some("chunked") {
        stream.read_to_end(&mut bytes)?;
        return joined(&bytes).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into());
    }
    let length = header(&head, "Content-Length").and_then(|length| length.parse().ok());
    let missing = length.unwrap_or(0_u64).saturating_sub(bytes.len() as u64);
    stream.take(missing).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the bytes of a plain HTTP answer that the tap has seen.
fn plain_answer(shared: &Shared, head: &str, body: Vec<u8>) -> Vec<u8> {
    let is_about_length = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default();
        let names = ["Content-Length", "Transfer-Encoding"];
        names.iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    let lines = head
        .trim_end()
        .lines()
        .filter(|line| !is_about_length(line));
    let head = lines.fold(String::new(), |head, line| head + line + "\r\n");
    let (head, body) = lock(&shared.tap).http(head, body);
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    [head.into_bytes(), body].concat()
}

/// Splits the bytes of one side into frames and gives them to the tap, until that side closes the connection.
fn pump(mut from: TcpStream, mut wire: Connection, side: Side, mut bytes: Vec<u8>) {
    let shared = Arc::clone(&wire.shared);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        while let Some((frame, len)) = split_frame(&bytes) {
            bytes.drain(..len);
            let mut tap = lock(&shared.tap);
            tap.frame(side, frame, &mut wire);
        }
        match from.read(&mut buffer) {
            Ok(count) if count > 0 => bytes.extend(&buffer[..count]),
            _ => break,
        }
    }
    // The other side sees the end as it would without a relay.
    let to = match side {
        Side::Client => &wire.server,
        Side::Server => &wire.client,
    };
    drop(to.shutdown(Shutdown::Write));
    if side == Side::Client {
        drop(wire.server.shutdown(Shutdown::Both));
    }
}

/// Passes bytes unchanged.
fn pipe(mut from: TcpStream, mut wire: Connection) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count) = from.read(&mut buffer) {
        if count == 0 || wire.server.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    drop(wire.server.shutdown(Shutdown::Write));
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
