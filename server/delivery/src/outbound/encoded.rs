//! Messages that are encoded at most once per codec, however many connections get them.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tilewire_protocol::{Codec, ServerMessage, SharedAnswer, encode_server};

use super::push_frame::{PushFrame, PushSummary};
use tilewire_base::metrics;

/// One value per codec, made on first use.
#[derive(Debug)]
pub struct PerCodec<T> {
    msgpack: OnceLock<T>,
    json: OnceLock<T>,
}

impl<T> Default for PerCodec<T> {
    fn default() -> Self {
        Self {
            msgpack: OnceLock::new(),
            json: OnceLock::new(),
        }
    }
}

impl<T> PerCodec<T> {
    /// Returns the value for a codec, and makes it first if there is none.
    pub fn get_or_init(&self, codec: Codec, make: impl FnOnce() -> T) -> &T {
        let cell = match codec {
            Codec::MsgPack => &self.msgpack,
            Codec::Json => &self.json,
        };
        cell.get_or_init(make)
    }
}

/// A push with its encodings.
#[derive(Debug)]
pub struct Encoded {
    message: ServerMessage,
    payloads: PerCodec<Bytes>,
    summary: OnceLock<Arc<PushSummary>>,
}

impl Encoded {
    /// Wraps a message that is not encoded yet.
    pub fn new(message: ServerMessage) -> Self {
        Self {
            message,
            payloads: PerCodec::default(),
            summary: OnceLock::new(),
        }
    }

    /// Returns the message.
    pub const fn message(&self) -> &ServerMessage {
        &self.message
    }

    /// Returns the frame; all recipients share its allocations.
    pub fn frame(&self, codec: Codec) -> PushFrame {
        let is_snapshot = matches!(self.message, ServerMessage::Snapshot(_));
        let encode = || {
            if is_snapshot {
                metrics::snapshot_encoded();
            }
            encode_server(codec, 0, &self.message).into()
        };
        let payload = self.payloads.get_or_init(codec, encode).clone();
        let summarize = || Arc::new(PushSummary::of(&self.message));
        let summary = Arc::clone(self.summary.get_or_init(summarize));
        if is_snapshot {
            metrics::snapshot_sent();
        }
        PushFrame::new(payload, summary)
    }
}

/// An answer that several connections get, each under the id of its own request, with its encodings.
#[derive(Debug)]
pub struct EncodedAnswer {
    message: ServerMessage,
    shared: PerCodec<SharedAnswer>,
}

impl EncodedAnswer {
    /// Wraps a message that is not encoded yet.
    pub fn new(message: ServerMessage) -> Self {
        Self {
            message,
            shared: PerCodec::default(),
        }
    }

    /// Returns the message.
    pub const fn message(&self) -> &ServerMessage {
        &self.message
    }

    /// Returns the payload of the frame that answers a request.
    pub(crate) fn frame(&self, codec: Codec, request_id: u64) -> Bytes {
        let encode = || SharedAnswer::new(codec, &self.message);
        let shared = self.shared.get_or_init(codec, encode);
        shared.frame(request_id).into()
    }
}
