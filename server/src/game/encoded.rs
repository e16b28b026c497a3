//! A message that is encoded at most once per codec, however many get it.

use std::sync::OnceLock;

use bytes::Bytes;
use tilewire_protocol::{Codec, ServerMessage, encode_server};

use crate::metrics;

/// A push and its encodings.
#[derive(Debug)]
pub(crate) struct Encoded {
    message: ServerMessage,
    msgpack: OnceLock<Bytes>,
    json: OnceLock<Bytes>,
}

impl Encoded {
    pub(crate) const fn new(message: ServerMessage) -> Self {
        Self {
            message,
            msgpack: OnceLock::new(),
            json: OnceLock::new(),
        }
    }

    pub(crate) const fn message(&self) -> &ServerMessage {
        &self.message
    }

    /// The payload of the frame, the same allocation for all who get it.
    pub(crate) fn frame(&self, codec: Codec) -> Bytes {
        let cell = match codec {
            Codec::MsgPack => &self.msgpack,
            Codec::Json => &self.json,
        };
        let is_snapshot = matches!(self.message, ServerMessage::Snapshot(_));
        let encode = || {
            if is_snapshot {
                metrics::snapshot_encoded();
            }
            encode_server(codec, 0, &self.message).into()
        };
        let frame = cell.get_or_init(encode).clone();
        if is_snapshot {
            metrics::snapshot_sent();
        }
        frame
    }
}
