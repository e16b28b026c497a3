//! Summarizes frames for the gateway of their client.

use tilewire_protocol::{Role, ServerMessage};

use super::message::{Attached, FrameSummary, Outcome};
use tilewire_delivery::outbound::PushSummary;

impl From<&PushSummary> for FrameSummary {
    fn from(summary: &PushSummary) -> Self {
        match summary {
            PushSummary::Event(game, seq) => Self::Event(game.clone(), *seq),
            PushSummary::Snapshot(game, epoch, seq) => Self::Snapshot(game.clone(), *epoch, *seq),
            PushSummary::Paused(game) => Self::Paused(game.clone()),
            PushSummary::Unpaused(game) => Self::Unpaused(game.clone()),
            PushSummary::Detached(game) => Self::Detached(game.clone()),
            PushSummary::OfStream(game) => Self::OfStream(game.clone()),
            PushSummary::Other => Self::Other,
        }
    }
}

impl Outcome {
    /// Returns the result that an answer says.
    #[must_use]
    pub fn of(answer: &ServerMessage) -> Self {
        match answer {
            ServerMessage::Error(body) => Self::Refused(body.code.as_str().to_owned()),
            ServerMessage::Ok(ok) => match (ok.epoch, ok.outcome) {
                (Some(epoch), Some(outcome)) => Self::Attached(Attached {
                    epoch,
                    with_snapshot: outcome != tilewire_protocol::AttachOutcome::Events,
                    is_spectator: ok.role != Some(Role::Player),
                    is_delayed: ok.delay_ms.is_some(),
                }),
                _ => Self::Done,
            },
            _ => Self::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::{AttachOutcome, ErrorBody, ErrorCode, OkBody};

    use super::*;

    #[test]
    fn an_answer_says_its_outcome() {
        let check = |message, expected| assert_eq!(Outcome::of(&message), expected);
        let ok = |body| ServerMessage::Ok(Box::new(body));
        check(ok(OkBody::default()), Outcome::Done);
        for (outcome, with_snapshot, delay_ms) in [
            (AttachOutcome::Events, false, None),
            (AttachOutcome::Snapshot, true, Some(60_000)),
        ] {
            let body = OkBody {
                epoch: Some(9),
                role: Some(Role::Spectator),
                outcome: Some(outcome),
                delay_ms,
                ..OkBody::default()
            };
            let attached = Attached {
                epoch: 9,
                with_snapshot,
                is_spectator: true,
                is_delayed: delay_ms.is_some(),
            };
            check(ok(body), Outcome::Attached(attached));
        }
        let refused = ErrorBody::new(ErrorCode::UnknownGame, "gone");
        let refused = ServerMessage::Error(refused);
        check(refused, Outcome::Refused("unknown_game".to_owned()));
    }
}
