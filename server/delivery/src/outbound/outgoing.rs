//! The content of an outbox: frames to write, and the close frame.

use std::sync::Arc;

use bytes::Bytes;
use tilewire_protocol::CloseCode;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use super::framed::{Amount, Framed};
use super::push_frame::{PushFrame, Pushes};

/// Frames that are written together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A message, encoded for the connection.
    Message(Bytes),
    /// Messages that other connections get too.
    Framed(Arc<Framed>),
    /// A ping with this payload.
    Ping(Bytes),
    /// The answer to a ping with this payload.
    Pong(Bytes),
}

impl From<Bytes> for Outgoing {
    /// A message, encoded for the connection.
    fn from(message: Bytes) -> Self {
        Self::Message(message)
    }
}

impl From<Pushes> for Outgoing {
    fn from(pushes: Pushes) -> Self {
        match pushes {
            Pushes::One(frame) => Self::Message(frame.into_payload()),
            Pushes::Framed(framed) => Self::Framed(framed),
        }
    }
}

impl Outgoing {
    /// Returns the payload of each frame.
    pub fn contents(&self) -> impl Iterator<Item = &Bytes> {
        let (one, others) = match self {
            Self::Message(bytes) | Self::Ping(bytes) | Self::Pong(bytes) => (Some(bytes), &[][..]),
            Self::Framed(framed) => (None, framed.frames()),
        };
        one.into_iter().chain(others.iter().map(PushFrame::payload))
    }

    /// Returns the number of frames and bytes.
    pub(super) fn amount(&self) -> Amount {
        match self {
            Self::Message(bytes) | Self::Ping(bytes) | Self::Pong(bytes) => Amount {
                messages: 1,
                bytes: bytes.len(),
            },
            Self::Framed(framed) => framed.amount(),
        }
    }
}

/// Bytes of text that fit into a close frame beside its code (RFC 6455, 5.5).
const CLOSE_REASON_MAX_BYTES: usize = 123;

/// The end of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// The reason, for programs.
    pub code: CloseCode,
    /// The reason, for people, or advice for programs.
    pub reason: String,
    /// The code of the client's close frame, which the server sends back.
    pub answers: Option<u16>,
}

impl Closing {
    /// Returns the close frame, with as much of the reason as fits.
    #[must_use]
    pub fn frame(&self) -> CloseFrame {
        let end = self.reason.floor_char_boundary(CLOSE_REASON_MAX_BYTES);
        CloseFrame {
            code: self.answers.unwrap_or(self.code.as_u16()).into(),
            reason: self.reason[..end].into(),
        }
    }
}
