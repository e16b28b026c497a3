//! The position of a client in the stream of a game.

use tilewire_protocol::Attach;

/// How far a client knows a game: the incarnation of its log, and the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumePoint {
    /// The incarnation of the log.
    pub epoch: u64,
    /// The last event the client has.
    pub seq: u64,
}

impl ResumePoint {
    /// Returns the position that a client gives with `attach`, if it gives one.
    #[must_use]
    pub const fn of(attach: &Attach) -> Option<Self> {
        match (attach.epoch, attach.seq) {
            (Some(epoch), Some(seq)) => Some(Self { epoch, seq }),
            // All events of every incarnation.
            (None, Some(seq)) => Some(Self { epoch: 0, seq }),
            _ => None,
        }
    }
}
