//! A gateway's state of one request, and of one game.

use bytes::Bytes;
use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::time::{Millis, Timestamp};

use super::input::Subject;
use crate::message::Outcome;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_store::{NodeId, Part, Shard};

/// An unanswered request.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) source: Source,
    pub(super) subject: Subject,
    pub(super) part: Part,
    pub(super) message: Bytes,
    pub(super) received_at: Timestamp,
    pub(super) lag_ms: Millis,
    pub(super) is_attached: bool,
    pub(super) stage: Stage,
    /// Since when it has no owner, if it waits for one.
    pub(super) since: Timestamp,
    /// Whether an owner that was lost may have carried it out.
    pub(super) is_in_doubt: bool,
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The client, which gave it this id.
    Client(u64),
    /// The gateway, which attaches a game again.
    Gateway,
}

/// Where a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits for an owner, and for this time.
    Waiting { not_before: Timestamp },
    /// This node has it.
    Sent(NodeId),
}

/// A game that the client follows.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) part: Part,
    pub(super) code: Option<String>,
    /// How far the client knows the game; `None` until the snapshot of an attach has come.
    pub(super) position: Option<ResumePoint>,
    pub(super) is_spectator: bool,
    /// Whether the client sees the game late, and is told nothing of its present.
    pub(super) is_delayed: bool,
    /// Whether the client believes that the game takes no commands.
    pub(super) is_paused: bool,
    pub(super) stream: Stream,
    /// When the gateway may ask for a lost stream.
    pub(super) attach_at: Timestamp,
}

/// Where the stream of a game comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// From this node.
    From(NodeId),
    /// From nowhere since this time.
    Lost(Timestamp),
    /// From nowhere for a while: the client reads slowly, and gets a snapshot then.
    Behind,
}

impl Pending {
    /// Says whether the request begins or ends the stream of a game.
    pub(super) fn is_about_stream(&self, of: &GameId) -> bool {
        match &self.subject {
            Subject::Attach(game, ..) | Subject::Detach(game) => game == of,
            _ => false,
        }
    }

    /// Says whether the request is refused when it has no answer for too long. An owner of a game may take its time: a turn can
    /// wait for the other players. The lobby answers at once, or has forgotten the request.
    pub(super) fn must_end(&self) -> bool {
        matches!(self.stage, Stage::Waiting { .. }) || self.part == Part::LOBBY
    }

    pub(super) fn is_own_attach(&self, game: &GameId) -> bool {
        self.source == Source::Gateway && self.is_about_stream(game)
    }

    /// Loses the owner.
    pub(super) const fn lose(&mut self, now: Timestamp) {
        self.stage = Stage::Waiting {
            not_before: Timestamp::MIN,
        };
        self.since = now;
        self.is_in_doubt = true;
    }

    /// Says whether the request has to be asked again after this answer: the owner refuses it and says that a later attempt can
    /// succeed, but a former owner may have carried it out.
    pub(super) fn stays_in_doubt(&self, outcome: &Outcome) -> bool {
        let Outcome::Refused(code) = outcome else {
            return false;
        };
        let is_later = match ErrorCode::from_wire(code) {
            ErrorCode::StoragePaused => true,
            ErrorCode::Busy => matches!(self.subject, Subject::Command(_)),
            _ => false,
        };
        self.is_in_doubt && self.source != Source::Gateway && is_later
    }
}

impl Followed {
    pub(super) fn new(game: &GameId, code: Option<String>, stream: Stream) -> Self {
        Self {
            part: Part::from(Shard::of(game)),
            code,
            position: None,
            is_spectator: false,
            is_delayed: false,
            is_paused: false,
            stream,
            attach_at: Timestamp::MIN,
        }
    }
}
