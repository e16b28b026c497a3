//! Messages that many connections get in the same bytes.

use std::io::Write;
use std::ops::AddAssign;

use bytes::Bytes;
use tilewire_protocol::Codec;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::push_frame::PushFrame;

/// A number of messages, and of their bytes without frames.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) messages: usize,
    pub(super) bytes: usize,
}

impl AddAssign for Amount {
    fn add_assign(&mut self, more: Self) {
        self.messages += more.messages;
        self.bytes += more.bytes;
    }
}

/// Messages that go to several connections together and in the same bytes. They are encoded and framed once.
#[derive(Debug, PartialEq, Eq)]
pub struct Framed {
    frames: Vec<PushFrame>,
    framed: Bytes,
    /// Counted once, because every recipient asks for it several times.
    amount: Amount,
}

impl Framed {
    /// Frames pushes that are encoded for `codec`.
    #[must_use]
    pub fn new(codec: Codec, frames: Vec<PushFrame>) -> Self {
        let amount = Amount {
            messages: frames.len(),
            bytes: frames.iter().map(|frame| frame.payload().len()).sum(),
        };
        let mut framed = Vec::new();
        for frame in &frames {
            let frame = data_frame(codec, frame.payload().clone());
            framed.reserve(frame.len());
            append(frame, &mut framed);
        }
        Self {
            frames,
            framed: framed.into(),
            amount,
        }
    }

    /// Returns the frame of each push.
    #[must_use]
    pub fn frames(&self) -> &[PushFrame] {
        &self.frames
    }

    pub(super) const fn amount(&self) -> Amount {
        self.amount
    }

    /// Returns the bytes for the socket: each message in a WebSocket frame of its own.
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

/// Appends a frame to a buffer.
pub(super) fn append(frame: Frame, buffer: &mut impl Write) {
    // A write to memory cannot fail.
    drop(frame.format(buffer));
}
