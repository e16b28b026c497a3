//! Summarizes a frame for the gateway of its client, from the head of the frame.

use tilewire_protocol::{Codec, GameId, Head, Role, ServerMessage};

use super::message::{Attached, FrameSummary, Outcome};

/// Returns the summary of a push.
#[must_use]
pub fn summary(codec: Codec, frame: &[u8]) -> FrameSummary {
    pushed(codec, frame).unwrap_or(FrameSummary::Other)
}

fn pushed(codec: Codec, frame: &[u8]) -> Option<FrameSummary> {
    let Head {
        op,
        game,
        epoch,
        seq,
        ..
    } = Head::read(codec, frame)?;
    let game = || game.map(|game| GameId(game.into_owned()));
    Some(match &*op {
        "event" => FrameSummary::Event(game()?, seq?),
        "snapshot" => FrameSummary::Snapshot(game()?, epoch?, seq?),
        "paused" => FrameSummary::Paused(game()?),
        "unpaused" => FrameSummary::Unpaused(game()?),
        "detached" => FrameSummary::Detached(game()?),
        "turn_waiting" | "presence" | "crowd" => FrameSummary::OfStream(game()?),
        _ => FrameSummary::Other,
    })
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
    use tilewire_protocol::{
        AttachOutcome, Crowd, Detached, ErrorBody, ErrorCode, GameRef, OkBody, encode_server,
    };

    use super::*;

    #[test]
    fn the_head_of_a_push_says_what_it_tells() {
        let game = GameId("g1".to_owned());
        let of = || GameRef { game: game.clone() };
        let detached = Detached {
            game: game.clone(),
            code: ErrorCode::Busy,
            message: "gone".to_owned(),
        };
        let crowd = Crowd {
            game: game.clone(),
            watching: 2,
        };
        for (message, expected) in [
            (
                ServerMessage::Paused(of()),
                FrameSummary::Paused(game.clone()),
            ),
            (
                ServerMessage::Unpaused(of()),
                FrameSummary::Unpaused(game.clone()),
            ),
            (
                ServerMessage::Detached(detached),
                FrameSummary::Detached(game.clone()),
            ),
            (
                ServerMessage::Crowd(crowd),
                FrameSummary::OfStream(game.clone()),
            ),
            (
                ServerMessage::Lag(tilewire_protocol::Lag { lag_ms: 7 }),
                FrameSummary::Other,
            ),
        ] {
            for codec in Codec::ALL {
                let frame = encode_server(codec, 0, &message);
                assert_eq!(summary(codec, &frame), expected, "{message:?}");
            }
        }
        assert_eq!(summary(Codec::Json, b"[]"), FrameSummary::Other);
    }

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
