//! Messages to bytes and back, in both encodings.
//!
//! A frame is `[op, id, body]`. Decoding first checks the structure of the whole frame, in one linear pass that allocates
//! next to nothing. Only then it reads the body into its type. So no declared length is believed before it is checked.

mod check;
mod error;
mod json;
mod msgpack;

pub use error::DecodeError;

use crate::client::ClientMessage;
use crate::encoding::Codec;
use crate::error_code::ErrorCode;
use crate::limits;
use crate::server::ServerMessage;
use crate::wire::{Fault, Reader, Writer};

/// Encodes a request.
#[must_use]
pub fn encode_client(codec: Codec, id: u64, message: &ClientMessage) -> Vec<u8> {
    encode(codec, message.op(), id, |writer| message.write_body(writer))
}

/// Encodes an answer (with the request's `id`) or a push (`id` 0).
#[must_use]
pub fn encode_server(codec: Codec, id: u64, message: &ServerMessage) -> Vec<u8> {
    encode(codec, message.op(), id, |writer| message.write_body(writer))
}

/// An answer for many requests: the part that does not depend on the request is encoded once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAnswer {
    codec: Codec,
    op: String,
    /// The part of the frame after the id.
    rest: Vec<u8>,
}

impl SharedAnswer {
    /// Encodes the part that does not depend on the request.
    #[must_use]
    pub fn new(codec: Codec, message: &ServerMessage) -> Self {
        let mut writer = Writer::new(codec, Vec::new());
        message.write_body(&mut writer);
        Self {
            codec,
            op: message.op().to_owned(),
            rest: with_end(codec, writer.into_bytes()),
        }
    }

    /// Returns the frame that answers the request `id`, the same as that of [`encode_server`].
    #[must_use]
    pub fn frame(&self, id: u64) -> Vec<u8> {
        let capacity = HEAD_MAX_BYTES + self.op.len() + self.rest.len();
        let mut out = Vec::with_capacity(capacity);
        write_head(self.codec, &mut out, &self.op, id);
        out.extend_from_slice(&self.rest);
        out
    }
}

/// Writes `[op, id, body]`.
fn encode(codec: Codec, op: &str, id: u64, body: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut out = Vec::with_capacity(match codec {
        Codec::MsgPack => 256,
        Codec::Json => 512,
    });
    write_head(codec, &mut out, op, id);
    let mut writer = Writer::new(codec, out);
    body(&mut writer);
    with_end(codec, writer.into_bytes())
}

/// Writes the part before the body.
fn write_head(codec: Codec, out: &mut Vec<u8>, op: &str, id: u64) {
    match codec {
        Codec::MsgPack => msgpack::write_head(out, op, id),
        Codec::Json => json::write_head(out, op, id),
    }
}

/// Ends a frame behind its body.
fn with_end(codec: Codec, mut frame: Vec<u8>) -> Vec<u8> {
    if codec == Codec::Json {
        frame.push(b']');
    }
    frame
}

/// Most bytes before the body, the letters of the op not counted: an id of twenty digits in brackets, quotes and commas.
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
            let body = Reader::msgpack(envelope.body);
            request(envelope.op, envelope.id, &body)
        }
        Codec::Json => {
            let (envelope, text) = json::envelope(frame)?;
            request(&envelope.op, envelope.id, &Reader::json(text))
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
            let body = Reader::msgpack(envelope.body);
            reply(envelope.op, envelope.id, &body)
        }
        Codec::Json => {
            let (envelope, text) = json::envelope(frame)?;
            reply(&envelope.op, envelope.id, &Reader::json(text))
        }
    }
}

impl ClientMessage {
    /// A number that is equal for equal commands, in every encoding and order of fields, and differs for others (but for
    /// chance, 2^-64).
    ///
    /// It is stored with the `cmd_id`, to tell a retry from another command with the same id. So it must never change:
    /// FNV-1a over the whole request in MessagePack, with the id 0.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        encode_client(Codec::MsgPack, 0, self)
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }
}

fn request(op: &str, id: u64, body: &Reader<'_>) -> Result<(u64, ClientMessage), DecodeError> {
    if id == 0 {
        let fault = Fault::new(ErrorCode::BadMessage, "the id of a request is 1 or more");
        return Err(DecodeError::new(fault, None));
    }
    let refused = |fault| DecodeError::new(fault, Some(id));
    let Some(message) = ClientMessage::read_body(op, body) else {
        let shown: String = op.chars().take(40).collect();
        return Err(refused(Fault::new(
            ErrorCode::UnknownOp,
            format!("no request has the op `{shown}`"),
        )));
    };
    let message = message.map_err(|error| refused(error.into_fault()))?;
    check::request(&message).map_err(refused)?;
    Ok((id, message))
}

fn reply(op: &str, id: u64, body: &Reader<'_>) -> Result<(u64, ServerMessage), DecodeError> {
    match ServerMessage::read_body(op, body) {
        None => Ok((id, ServerMessage::Unknown { op: op.to_owned() })),
        Some(Ok(message)) => Ok((id, message)),
        Some(Err(error)) => Err(DecodeError::new(error.into_fault(), Some(id))),
    }
}

fn too_large(bytes: usize, limit: usize) -> DecodeError {
    let text = format!("a frame of {bytes} bytes; at most {limit} are allowed");
    DecodeError::new(Fault::new(ErrorCode::TooLarge, text), None)
}
