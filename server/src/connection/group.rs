//! Messages that are told together, to many.

use std::io::Write;

use bytes::Bytes;
use tilewire_protocol::Codec;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::outbox::Amount;

/// Messages that go out together and in the same bytes to everybody who gets them: they are encoded and framed once.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    messages: Vec<Bytes>,
    framed: Bytes,
    /// Counted once: it is asked for several times for each who gets it.
    amount: Amount,
}

impl Group {
    /// Frames messages that are encoded for `codec`.
    #[must_use]
    pub fn new(codec: Codec, messages: Vec<Bytes>) -> Self {
        let amount = Amount {
            messages: messages.len(),
            bytes: messages.iter().map(Bytes::len).sum(),
        };
        let mut framed = Vec::new();
        for message in &messages {
            let frame = data_frame(codec, message.clone());
            framed.reserve(frame.len());
            append(frame, &mut framed);
        }
        Self {
            messages,
            framed: framed.into(),
            amount,
        }
    }

    /// Returns the messages, not framed.
    #[must_use]
    pub fn messages(&self) -> &[Bytes] {
        &self.messages
    }

    pub(super) const fn amount(&self) -> Amount {
        self.amount
    }

    /// Returns all of them as they travel, each in a WebSocket frame of its own.
    pub(super) const fn framed(&self) -> &Bytes {
        &self.framed
    }
}

/// Returns the frame of a message that is encoded for `codec`.
pub(super) fn data_frame(codec: Codec, message: Bytes) -> Frame {
    let data = match codec {
        Codec::MsgPack => Data::Binary,
        Codec::Json => Data::Text,
    };
    Frame::message(message, OpCode::Data(data), true)
}

/// Writes a frame to memory.
pub(super) fn append(frame: Frame, memory: &mut impl Write) {
    // Memory takes everything.
    drop(frame.format(memory));
}
