//! Connections from other addresses, and HTTP requests of clients that break the rules.
//!
//! The whole of 127.0.0.0/8 is this machine: a server that counts addresses takes a connection bound to another of
//! these addresses for a connection of another client.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};

use socket2::{Domain, Socket, Type};

use crate::PATIENCE;
use crate::wire::Wire;

/// The receive buffer of a client that does not read, bytes; small, so that it fills quickly.
const SMALL_BUFFER: usize = 4_096;

/// Connects from `127.0.0.LAST`.
///
/// # Panics
/// When there is no server.
#[must_use]
pub fn connect(last: u8, address: &str) -> TcpStream {
    open(last, address, None)
}

/// Connects from `127.0.0.LAST` with a small receive buffer.
///
/// # Panics
/// When there is no server.
#[must_use]
pub fn connect_deaf(last: u8, address: &str) -> TcpStream {
    open(last, address, Some(SMALL_BUFFER))
}

fn open(last: u8, address: &str, buffer: Option<usize>) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    if let Some(bytes) = buffer {
        socket.set_recv_buffer_size(bytes).expect("a small buffer");
    }
    let own = SocketAddr::new(IpAddr::from([127, 0, 0, last]), 0);
    socket
        .bind(&own.into())
        .expect("an address of this machine");
    let server: SocketAddr = address.parse().expect("an address");
    socket.connect(&server.into()).expect("the server listens");
    let stream = TcpStream::from(socket);
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a timeout can be set");
    stream
}

/// An HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The lines before the body.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// Returns a header's value, its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// Sends a WebSocket upgrade with additional header lines (each ended by CRLF); returns the server's refusal, or the
/// connection.
///
/// # Errors
/// The refusal.
///
/// # Panics
/// When there is no HTTP answer.
pub fn upgrade(mut stream: TcpStream, headers: &str) -> Result<TcpStream, Answer> {
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: tilewire.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Protocol: tilewire.v1.json\r\n{headers}\r\n"
    );
    // The server may close a refused connection before the client has sent everything.
    drop(stream.write_all(request.as_bytes()));
    let answer = answer_of(&mut stream);
    match answer.status {
        101 => Ok(stream),
        _ => Err(answer),
    }
}

/// Asks for a page from `127.0.0.LAST`, with additional header lines (each ended by CRLF).
///
/// # Panics
/// When there is no HTTP answer.
#[must_use]
pub fn http(last: u8, address: &str, path: &str, headers: &str) -> Answer {
    let mut stream = connect(last, address);
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: tilewire.test\r\nConnection: close\r\n{headers}\r\n");
    // The server may close a refused connection before the client has sent everything.
    drop(stream.write_all(request.as_bytes()));
    answer_of(&mut stream)
}

/// Reads an HTTP answer and its body.
fn answer_of(stream: &mut TcpStream) -> Answer {
    let head = head(stream);
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("an HTTP answer, not {head:?}"));
    let mut answer = Answer {
        status,
        head,
        body: String::new(),
    };
    let length = answer
        .header("content-length")
        .and_then(|text| text.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).expect("the whole body");
    answer.body = String::from_utf8(body).expect("text");
    answer
}

/// Reads up to the empty line.
fn head(stream: &mut TcpStream) -> String {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read_exact(&mut byte).is_ok() {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// Connects from `127.0.0.LAST` as a new guest.
///
/// # Errors
/// The HTTP status of a server that refuses, or the close code of one that ends the connection.
pub fn guest(last: u8, address: &str) -> Result<Wire, Option<u16>> {
    let mut wire = Wire::over(connect(last, address)).map_err(Some)?;
    wire.read()?;
    wire.send(
        "auth",
        &serde_json::json!({ "name": "stranger", "client": "tests" }),
    );
    wire.read()?;
    Ok(wire)
}

/// Reads until the server ends the connection; says whether it did.
///
/// # Panics
/// When it does not.
pub fn ended(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}
