//! The frame of a push, with a summary of the push for the gateway of a client that is connected to another node.

use std::sync::Arc;

use bytes::Bytes;
use tilewire_protocol::{Codec, GameId, ServerMessage, encode_server};

use super::framed::Framed;

/// The part of a push that the gateway of its client needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushSummary {
    /// The event of a game with this number.
    Event(GameId, u64),
    /// The whole game at an epoch, after the event with a number.
    Snapshot(GameId, u64, u64),
    /// A game takes no commands now.
    Paused(GameId),
    /// A game takes commands again.
    Unpaused(GameId),
    /// The stream of a game has ended.
    Detached(GameId),
    /// Something else of the stream of a game.
    OfStream(GameId),
    /// Something that the gateway need not know.
    Other,
}

impl PushSummary {
    /// Returns the summary of a push.
    #[must_use]
    pub fn of(message: &ServerMessage) -> Self {
        match message {
            ServerMessage::Event(event) => Self::Event(event.game.clone(), event.seq),
            ServerMessage::Snapshot(snapshot) => {
                Self::Snapshot(snapshot.game.clone(), snapshot.epoch, snapshot.seq)
            }
            ServerMessage::Paused(of) => Self::Paused(of.game.clone()),
            ServerMessage::Unpaused(of) => Self::Unpaused(of.game.clone()),
            ServerMessage::Detached(detached) => Self::Detached(detached.game.clone()),
            ServerMessage::TurnWaiting(waiting) => Self::OfStream(waiting.game.clone()),
            ServerMessage::Hint(hint) => Self::OfStream(hint.game.clone()),
            ServerMessage::Presence(presence) => Self::OfStream(presence.game.clone()),
            ServerMessage::Crowd(crowd) => Self::OfStream(crowd.game.clone()),
            _ => Self::Other,
        }
    }
}

/// The frame of a push for one codec, and the summary of the push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushFrame {
    payload: Bytes,
    summary: Arc<PushSummary>,
}

impl PushFrame {
    /// Returns the frame with this payload.
    #[must_use]
    pub const fn new(payload: Bytes, summary: Arc<PushSummary>) -> Self {
        Self { payload, summary }
    }

    /// Encodes a push for one connection.
    #[must_use]
    pub fn encode(codec: Codec, message: &ServerMessage) -> Self {
        let payload = encode_server(codec, 0, message).into();
        Self::new(payload, Arc::new(PushSummary::of(message)))
    }

    /// Returns the payload of the frame.
    #[must_use]
    pub const fn payload(&self) -> &Bytes {
        &self.payload
    }

    /// Returns the payload alone.
    #[must_use]
    pub fn into_payload(self) -> Bytes {
        self.payload
    }

    /// Returns the summary of the push.
    #[must_use]
    pub fn summary(&self) -> &PushSummary {
        &self.summary
    }
}

/// Pushes that a connection gets together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushes {
    /// One push.
    One(PushFrame),
    /// Pushes that other connections get too.
    Framed(Arc<Framed>),
}

impl From<PushFrame> for Pushes {
    fn from(frame: PushFrame) -> Self {
        Self::One(frame)
    }
}

impl Pushes {
    /// Returns the frame of each push.
    #[must_use]
    pub fn frames(&self) -> &[PushFrame] {
        match self {
            Self::One(frame) => std::slice::from_ref(frame),
            Self::Framed(framed) => framed.frames(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::Value;
    use tilewire_protocol::decode_server;

    use super::*;

    /// Reads the summary of a push from its frame in JSON.
    fn read(frame: &[u8]) -> PushSummary {
        let frame: Value = serde_json::from_slice(frame).unwrap();
        let game = || GameId(frame[2]["game"].as_str().unwrap().to_owned());
        let number = |field: &str| frame[2][field].as_u64().unwrap();
        match frame[0].as_str().unwrap() {
            "event" => PushSummary::Event(game(), number("seq")),
            "snapshot" => PushSummary::Snapshot(game(), number("epoch"), number("seq")),
            "paused" => PushSummary::Paused(game()),
            "unpaused" => PushSummary::Unpaused(game()),
            "detached" => PushSummary::Detached(game()),
            "turn_waiting" | "hint" | "presence" | "crowd" => PushSummary::OfStream(game()),
            _ => PushSummary::Other,
        }
    }

    /// The golden vectors of the protocol hold every message that a server sends.
    #[test]
    fn the_summary_of_a_push_is_the_one_that_its_frame_tells() {
        let golden = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../protocol/tests/golden/v1"
        );
        let mut missing: BTreeSet<&str> = ServerMessage::OPS.iter().copied().collect();
        for file in fs::read_dir(golden).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if !name.ends_with(".json") || name.starts_with("client_") {
                continue;
            }
            let (_, message) = decode_server(Codec::Json, &fs::read(&path).unwrap()).unwrap();
            missing.remove(message.op());
            let json = encode_server(Codec::Json, 0, &message);
            for codec in Codec::ALL {
                let frame = PushFrame::encode(codec, &message);
                let payload = encode_server(codec, 0, &message);
                assert_eq!(frame.payload()[..], payload, "{name}");
                assert_eq!(*frame.summary(), read(&json), "{name}");
            }
        }
        assert_eq!(missing, BTreeSet::new(), "every kind of frame was checked");
    }
}
