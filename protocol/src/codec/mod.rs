//! Messages to bytes and back, in both encodings.
//!
//! A frame is `[op, id, body]`. Decoding looks at the structure of the whole frame first, in one linear pass that
//! allocates next to nothing, and only then reads the body into its type; so nothing is ever allocated on the word of a
//! declared length.

mod check;
mod error;
mod json;
mod msgpack;
mod texts;

pub use error::DecodeError;

use crate::body::BodySource;
use crate::client::ClientMessage;
use crate::error_code::ErrorCode;
use crate::limits;
use crate::server::ServerMessage;
use crate::{SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK};
use error::Fault;

/// An encoding of version 1, chosen by the WebSocket subprotocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Codec {
    /// MessagePack in binary frames.
    MsgPack,
    /// JSON in text frames.
    Json,
}

impl Codec {
    /// Both encodings, the preferred one first.
    pub const ALL: [Self; 2] = [Self::MsgPack, Self::Json];

    /// The encoding that a WebSocket subprotocol names.
    #[must_use]
    pub fn from_subprotocol(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|codec| codec.subprotocol() == name)
    }

    /// The WebSocket subprotocol that names this encoding.
    #[must_use]
    pub const fn subprotocol(self) -> &'static str {
        match self {
            Self::MsgPack => SUBPROTOCOL_MSGPACK,
            Self::Json => SUBPROTOCOL_JSON,
        }
    }

    /// Whether messages travel in text frames (else in binary frames).
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Json)
    }
}

/// Encodes a request.
#[must_use]
pub fn encode_client(codec: Codec, id: u64, message: &ClientMessage) -> Vec<u8> {
    match codec {
        Codec::MsgPack => msgpack::encode(message.op(), id, |out| message.serialize_body(out)),
        Codec::Json => json::encode(message.op(), id, |out| message.serialize_body(out)),
    }
}

/// Encodes an answer (with the request's `id`) or a push (`id` 0).
#[must_use]
pub fn encode_server(codec: Codec, id: u64, message: &ServerMessage) -> Vec<u8> {
    match codec {
        Codec::MsgPack => msgpack::encode(message.op(), id, |out| message.serialize_body(out)),
        Codec::Json => json::encode(message.op(), id, |out| message.serialize_body(out)),
    }
}

/// An answer that many get, each under the id of its own request. What is the same for all is encoded once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAnswer {
    codec: Codec,
    op: String,
    /// What follows the id in the frame.
    rest: Vec<u8>,
}

impl SharedAnswer {
    /// Encodes what does not depend on the request.
    #[must_use]
    pub fn new(codec: Codec, message: &ServerMessage) -> Self {
        let mut rest = Vec::new();
        match codec {
            Codec::MsgPack => msgpack::write_body(&mut rest, |out| message.serialize_body(out)),
            Codec::Json => json::write_body(&mut rest, |out| message.serialize_body(out)),
        }
        Self {
            codec,
            op: message.op().to_owned(),
            rest,
        }
    }

    /// Returns the frame that answers the request `id`: what [`encode_server`] would have returned.
    #[must_use]
    pub fn frame(&self, id: u64) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEAD_MAX_BYTES + self.op.len() + self.rest.len());
        match self.codec {
            Codec::MsgPack => msgpack::write_head(&mut out, &self.op, id),
            Codec::Json => json::write_head(&mut out, &self.op, id),
        }
        out.extend_from_slice(&self.rest);
        out
    }
}

/// What a frame has before its body, the op's own letters not counted: an id of twenty digits in brackets, quotes and
/// commas.
const HEAD_MAX_BYTES: usize = 32;

/// Decodes a request and checks what can be checked without knowing the rules of the game.
///
/// # Errors
/// Everything that is not a well-formed request of this version; the error carries the code to answer with, and the
/// request's id when it could be read.
pub fn decode_client(codec: Codec, frame: &[u8]) -> Result<(u64, ClientMessage), DecodeError> {
    if frame.len() > limits::CLIENT_FRAME_MAX_BYTES {
        return Err(too_large(frame.len(), limits::CLIENT_FRAME_MAX_BYTES));
    }
    match codec {
        Codec::MsgPack => {
            let envelope = msgpack::envelope(frame)?;
            request(envelope.op, envelope.id, &msgpack::Source(envelope.body))
        }
        Codec::Json => {
            let (envelope, text) = json::envelope(frame)?;
            request(&envelope.op, envelope.id, &json::Source(text))
        }
    }
}

/// Decodes an answer or a push; a message of a later version decodes to `Unknown`.
///
/// # Errors
/// Everything that is not a well-formed server message of this version.
pub fn decode_server(codec: Codec, frame: &[u8]) -> Result<(u64, ServerMessage), DecodeError> {
    if frame.len() > limits::SERVER_FRAME_MAX_BYTES {
        return Err(too_large(frame.len(), limits::SERVER_FRAME_MAX_BYTES));
    }
    match codec {
        Codec::MsgPack => {
            let envelope = msgpack::envelope(frame)?;
            reply(envelope.op, envelope.id, &msgpack::Source(envelope.body))
        }
        Codec::Json => {
            let (envelope, text) = json::envelope(frame)?;
            reply(&envelope.op, envelope.id, &json::Source(text))
        }
    }
}

impl ClientMessage {
    /// A number that two commands share only if they are the same command (but for chance, 2^-64), whatever the encoding
    /// and the order of fields they came in.
    ///
    /// It is stored beside the `cmd_id` to tell a retry from another command under the same id, so it must never change:
    /// FNV-1a over the op, a zero byte and the body in MessagePack.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        encode_client(Codec::MsgPack, 0, self)
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }
}

fn request<S>(op: &str, id: u64, source: &S) -> Result<(u64, ClientMessage), DecodeError>
where
    S: BodySource<Error = Fault>,
{
    if id == 0 {
        let fault = Fault::new(ErrorCode::BadMessage, "the id of a request is 1 or more");
        return Err(fault.into_error(None));
    }
    let message = match ClientMessage::from_body(op, source) {
        None => {
            let shown: String = op.chars().take(40).collect();
            return Err(Fault::new(
                ErrorCode::UnknownOp,
                format!("no request has the op `{shown}`"),
            )
            .into_error(Some(id)));
        }
        Some(read) => read.map_err(|fault| fault.into_error(Some(id)))?,
    };
    check::request(&message).map_err(|fault| fault.into_error(Some(id)))?;
    Ok((id, message))
}

fn reply<S>(op: &str, id: u64, source: &S) -> Result<(u64, ServerMessage), DecodeError>
where
    S: BodySource<Error = Fault>,
{
    match ServerMessage::from_body(op, source) {
        None => Ok((id, ServerMessage::Unknown { op: op.to_owned() })),
        Some(read) => Ok((id, read.map_err(|fault| fault.into_error(Some(id)))?)),
    }
}

fn too_large(bytes: usize, limit: usize) -> DecodeError {
    Fault::new(
        ErrorCode::TooLarge,
        format!("a frame of {bytes} bytes; at most {limit} are allowed"),
    )
    .into_error(None)
}
