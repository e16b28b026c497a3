//! The two encodings of version 1, and the WebSocket subprotocols that name them.

/// WebSocket subprotocol whose messages are MessagePack in binary frames.
pub const SUBPROTOCOL_MSGPACK: &str = "tilewire.v1.msgpack";

/// WebSocket subprotocol whose messages are JSON in text frames.
pub const SUBPROTOCOL_JSON: &str = "tilewire.v1.json";

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
