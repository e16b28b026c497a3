//! RFC 6455 byte by byte: a socket that can keep or break every rule of WebSocket.
//!
//! No WebSocket library is used here: a library refuses to send the frames that a server must handle.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

/// A continuation of a message.
pub const CONTINUATION: u8 = 0;
/// A text message.
pub const TEXT: u8 = 1;
/// A binary message.
pub const BINARY: u8 = 2;
/// A close frame: its sender ends the connection.
pub const CLOSE: u8 = 8;
/// A ping: its sender asks whether the other side is still there.
pub const PING: u8 = 9;
/// A pong: the answer to a ping.
pub const PONG: u8 = 10;

/// The bit of a message's last frame.
pub const FIN: u8 = 0x80;
/// The mask of every frame that this module sends. Any mask is valid; a fixed one makes a run repeatable.
pub const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// A frame as it was read, unmasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Whether it is the last of its message.
    pub fin: bool,
    /// The reserved bits.
    pub reserved: u8,
    /// Its opcode.
    pub opcode: u8,
    /// Its payload.
    pub payload: Vec<u8>,
    /// Whether it was masked.
    pub masked: bool,
}

impl Frame {
    /// A whole message, or a control frame.
    #[must_use]
    pub fn whole(opcode: u8, payload: impl Into<Vec<u8>>) -> Self {
        Self {
            fin: true,
            reserved: 0,
            opcode,
            payload: payload.into(),
            masked: false,
        }
    }

    /// A close frame.
    #[must_use]
    pub fn close(code: u16, reason: &str) -> Self {
        Self::whole(CLOSE, close_payload(code, reason))
    }

    /// The code of a close frame; `None` when it has none.
    #[must_use]
    pub fn close_code(&self) -> Option<u16> {
        let code = self.payload.get(..2)?;
        Some(u16::from_be_bytes([code[0], code[1]]))
    }

    /// The bytes of the frame. Clients must mask frames, and servers must not.
    #[must_use]
    pub fn bytes(&self, mask: Option<[u8; 4]>) -> Vec<u8> {
        let fin = if self.fin { FIN } else { 0 };
        frame(fin | self.reserved | self.opcode, &self.payload, mask)
    }
}

/// The bytes of a frame whose first byte is `first`.
#[must_use]
pub fn frame(first: u8, payload: &[u8], mask: Option<[u8; 4]>) -> Vec<u8> {
    let mut bytes = header(first, payload.len() as u64, mask);
    match mask {
        None => bytes.extend(payload),
        Some(mask) => bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(a, b)| a ^ b)),
    }
    bytes
}

/// The first bytes of a frame of this length.
#[must_use]
pub fn header(first: u8, len: u64, mask: Option<[u8; 4]>) -> Vec<u8> {
    let bit = if mask.is_some() { 0x80 } else { 0 };
    let mut bytes = vec![first];
    match len {
        0..=125 => bytes.push(bit | u8::try_from(len).unwrap_or(0)),
        126..=0xffff => {
            bytes.push(bit | 126);
            bytes.extend(u16::try_from(len).unwrap_or(0).to_be_bytes());
        }
        _ => {
            bytes.push(bit | 127);
            bytes.extend(len.to_be_bytes());
        }
    }
    bytes.extend(mask.into_iter().flatten());
    bytes
}

/// The payload of a close frame.
#[must_use]
pub fn close_payload(code: u16, reason: &str) -> Vec<u8> {
    [&code.to_be_bytes(), reason.as_bytes()].concat()
}

/// Splits the first frame off `bytes`; returns it and its length, or `None` when it is not all there.
#[must_use]
pub fn split_frame(bytes: &[u8]) -> Option<(Frame, usize)> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let number = |bytes: &[u8]| {
        let wide = bytes
            .iter()
            .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        usize::try_from(wide).ok()
    };
    let (len, mut at) = match second & 0x7f {
        126 => (number(bytes.get(2..4)?)?, 4),
        127 => (number(bytes.get(2..10)?)?, 10),
        len => (usize::from(len), 2),
    };
    let mut mask = [0; 4];
    let masked = second & 0x80 != 0;
    if masked {
        mask.copy_from_slice(bytes.get(at..at + 4)?);
        at += 4;
    }
    let end = at.checked_add(len)?;
    let payload = bytes.get(at..end)?;
    let payload = payload.iter().zip(mask.iter().cycle());
    let frame = Frame {
        fin: first & FIN != 0,
        reserved: first & 0x70,
        opcode: first & 0x0f,
        payload: payload.map(|(byte, mask)| byte ^ mask).collect(),
        masked,
    };
    Some((frame, end))
}

/// Joins the chunks of an HTTP body; `None` if the last one is not there.
#[must_use]
pub fn joined(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let at = bytes.windows(2).position(|end| end == b"\r\n")?;
        let length = std::str::from_utf8(&bytes[..at]).ok()?;
        let length = usize::from_str_radix(length.split(';').next()?.trim(), 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        let chunk = bytes.get(at + 2..)?.split_at_checked(length)?;
        body.extend(chunk.0);
        bytes = chunk.1.strip_prefix(b"\r\n")?;
    }
}

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The code of the close frame; `None` when there was no frame or no code.
    pub code: Option<u16>,
    /// Whether there was a close frame.
    pub said: bool,
    /// The reason in it.
    pub reason: String,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.said) {
            (Some(code), _) => write!(f, "close code {code}, reason `{}`", self.reason),
            (None, true) => f.write_str("a close frame without a code"),
            (None, false) => f.write_str("no close frame"),
        }
    }
}

/// The answer to a handshake.
#[derive(Debug)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    /// The value of a header; the case of its name does not matter.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The headers as they came, without the status line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| format!("{name}: {value}"))
            .collect()
    }
}

/// The result of a read.
#[derive(Debug)]
pub enum Heard {
    /// A frame.
    Frame(Frame),
    /// The stream ended.
    End,
    /// Nothing arrived in time.
    Nothing,
}

/// A TCP connection, with the bytes that were received but not read.
#[derive(Debug)]
pub struct Raw {
    stream: TcpStream,
    buffer: Vec<u8>,
    patience: Duration,
}

impl Raw {
    /// Connects without sending anything.
    ///
    /// # Errors
    /// If no server listens.
    pub fn connect(address: &str, patience: Duration) -> Result<Self> {
        let stream =
            TcpStream::connect(address).with_context(|| format!("connecting {address}"))?;
        Self::over(stream, patience)
    }

    /// Uses an open TCP connection.
    ///
    /// # Errors
    /// When the connection is closed.
    pub fn over(stream: TcpStream, patience: Duration) -> Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
            patience,
        })
    }

    /// Sends bytes unchanged. If the other side has closed the connection, only a read reports it.
    pub fn write(&mut self, bytes: &[u8]) {
        drop(self.stream.write_all(bytes));
    }

    /// Sends bytes; says whether the socket took all of them.
    pub fn try_write(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Sends a masked frame.
    pub fn send(&mut self, frame: &Frame) {
        self.write(&frame.bytes(Some(MASK)));
    }

    /// Sends a masked frame; says whether the socket took all of it.
    pub fn try_send(&mut self, frame: &Frame) -> bool {
        self.try_write(&frame.bytes(Some(MASK)))
    }

    /// Shuts the connection down without a close frame.
    pub fn cut(&self) {
        drop(self.stream.shutdown(Shutdown::Both));
    }

    /// Reads the head of an HTTP answer.
    ///
    /// # Errors
    /// When the bytes are not the head of an HTTP answer.
    pub fn head(&mut self) -> Result<Head> {
        let end = loop {
            let at = self.buffer.windows(4).position(|end| end == b"\r\n\r\n");
            if let Some(at) = at {
                break at;
            }
            ensure!(self.more(self.patience)?, "no whole HTTP answer came");
        };
        let head: Vec<u8> = self.buffer.drain(..end + 4).collect();
        let head = String::from_utf8(head).context("the head of the answer is text")?;
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status.and_then(|status| status.parse().ok());
        let headers = lines.filter_map(|line| line.split_once(':'));
        Ok(Head {
            status: status.context("an HTTP status")?,
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
                .collect(),
        })
    }

    /// Reads the body of an HTTP answer, behind which the server closes the connection.
    ///
    /// # Errors
    /// When the server does not close it, or the body is not all there.
    pub fn body(&mut self, head: &Head) -> Result<Vec<u8>> {
        while self.more(self.patience)? {}
        let bytes = std::mem::take(&mut self.buffer);
        if head.header("Transfer-Encoding") == Some("chunked") {
            return joined(&bytes).context("a body in whole chunks");
        }
        let length = head.header("Content-Length").map(str::parse).transpose()?;
        ensure!(
            length.is_none_or(|length: usize| length == bytes.len()),
            "{length:?} bytes are announced, {} came",
            bytes.len()
        );
        Ok(bytes)
    }

    /// Reads the next frame, for at most `within`.
    ///
    /// # Errors
    /// If the other side sends a frame that no server may send.
    pub fn hear(&mut self, within: Duration) -> Result<Heard> {
        let until = super::now() + within;
        loop {
            if let Some((frame, len)) = split_frame(&self.buffer) {
                self.buffer.drain(..len);
                ensure!(!frame.masked, "a server masks no frame: {frame:?}");
                ensure!(frame.reserved == 0, "no extension was agreed on: {frame:?}");
                return Ok(Heard::Frame(frame));
            }
            let left = until.saturating_duration_since(super::now());
            if left.is_zero() {
                return Ok(Heard::Nothing);
            }
            match self.more(left) {
                Ok(true) => {}
                Ok(false) => return Ok(Heard::End),
                Err(_) => return Ok(Heard::Nothing),
            }
        }
    }

    /// Reads the next frame.
    ///
    /// # Errors
    /// When the connection ends or nothing comes.
    pub fn frame(&mut self) -> Result<Frame> {
        match self.hear(self.patience)? {
            Heard::Frame(frame) => Ok(frame),
            Heard::End => bail!("the connection ended without a close frame"),
            Heard::Nothing => bail!("nothing came within {:?}", self.patience),
        }
    }

    /// Reads and discards everything until the connection ends.
    ///
    /// # Errors
    /// When it does not end within `within`.
    pub fn ended(&mut self, within: Duration) -> Result<Ended> {
        let until = super::now() + within;
        let mut ended = Ended {
            code: None,
            said: false,
            reason: String::new(),
        };
        loop {
            match self.hear(until.saturating_duration_since(super::now()))? {
                Heard::Frame(frame) if frame.opcode == CLOSE => {
                    ended.code = frame.close_code();
                    ended.said = true;
                    let reason = frame.payload.get(2..).unwrap_or_default();
                    ended.reason = String::from_utf8_lossy(reason).into_owned();
                    // The other side waits for this answer before it closes the connection.
                    self.send(&frame);
                }
                Heard::Frame(_) => {}
                Heard::End => return Ok(ended),
                Heard::Nothing => bail!("the connection did not end within {within:?}; {ended}"),
            }
        }
    }

    /// Reads more bytes; false at the end of the stream.
    fn more(&mut self, within: Duration) -> Result<bool> {
        let within = within.max(Duration::from_millis(1));
        self.stream.set_read_timeout(Some(within))?;
        let mut bytes = [0; 16 * 1024];
        match self.stream.read(&mut bytes) {
            Ok(0) => Ok(false),
            Ok(count) => {
                self.buffer.extend(&bytes[..count]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                bail!("nothing came within {within:?}")
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(_) => Ok(false),
        }
    }
}
