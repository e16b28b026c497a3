//! Converts a client's game commands to the rules' actions.

use tilewire_protocol::{AskHint, ClientMessage, ErrorCode, Exchange, GiveTime, Play, limits};
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::event::HintGrade;
use tilewire_rules::game::Action;
use tilewire_rules::notation::{self, NotationError};
use tilewire_rules::options::GIFT_RANGE_MS;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Seat, Seq, TurnNo};

use super::Refusal;

const _: () = assert!(
    GIFT_RANGE_MS.0 == limits::GIFT_MIN_MS && GIFT_RANGE_MS.1 == limits::GIFT_MAX_MS,
    "clients can ask for every gift that the rules allow, and for no other"
);

/// Returns the action of a command in a game with these rules.
///
/// # Errors
/// When a coordinate or a face cannot be read, or the message is not a game command.
pub fn action(rules: &RuleSet, message: &ClientMessage) -> Result<Action, Refusal> {
    Ok(match message {
        ClientMessage::Ready(body) => Action::Ready {
            nonce: body
                .nonce
                .as_ref()
                .map(|nonce| nonce.0.clone())
                .unwrap_or_default(),
        },
        ClientMessage::Play(body) => Action::Play {
            turn_no: TurnNo(body.turn_no),
            placement: placement(rules, body)?,
        },
        ClientMessage::Exchange(body) => Action::Exchange {
            turn_no: TurnNo(body.turn_no),
            tiles: tiles(rules, body)?,
        },
        ClientMessage::Pass(body) => Action::Pass {
            turn_no: TurnNo(body.turn_no),
        },
        ClientMessage::Challenge(body) => Action::Challenge(Seq(body.play_id)),
        ClientMessage::Hold(body) => Action::Hold(Seq(body.play_id)),
        ClientMessage::Release(body) => Action::Release(Seq(body.play_id)),
        ClientMessage::Accept(body) => Action::Accept(Seq(body.play_id)),
        ClientMessage::Withdraw(body) => Action::Withdraw(Seq(body.play_id)),
        ClientMessage::Stand(body) => Action::Stand(Seq(body.play_id)),
        ClientMessage::Resign(_) => Action::Resign,
        ClientMessage::Abort(_) => Action::Abort,
        ClientMessage::AnswerAbort(body) => Action::AnswerAbort {
            accept: body.accept,
        },
        ClientMessage::Claim(body) => Action::Claim(Seat(body.seat)),
        ClientMessage::Nudge(_) => Action::Nudge,
        ClientMessage::Here(_) => Action::Here,
        ClientMessage::Adjourn(_) => Action::Adjourn,
        ClientMessage::AnswerAdjourn(body) => Action::AnswerAdjourn { agree: body.agree },
        ClientMessage::ResumeGame(_) => Action::ResumeGame,
        ClientMessage::GiveTime(body) => give_time(body),
        ClientMessage::RefuseTime(_) => Action::RefuseTime,
        ClientMessage::Hint(body) => hint(body)?,
        ClientMessage::Auth(_)
        | ClientMessage::Rename(_)
        | ClientMessage::Time(_)
        | ClientMessage::Renew(_)
        | ClientMessage::LobbySubscribe(_)
        | ClientMessage::LobbyUnsubscribe(_)
        | ClientMessage::RuleSet(_)
        | ClientMessage::ListGames(_)
        | ClientMessage::LookUp(_)
        | ClientMessage::FindSeek(_)
        | ClientMessage::Seek(_)
        | ClientMessage::QuickMatch(_)
        | ClientMessage::JoinSeek(_)
        | ClientMessage::LeaveSeek(_)
        | ClientMessage::CancelSeek(_)
        | ClientMessage::StartSeek(_)
        | ClientMessage::OfferRematch(_)
        | ClientMessage::DeclineRematch(_)
        | ClientMessage::Invite(_)
        | ClientMessage::AnswerInvitation(_)
        | ClientMessage::Attach(_)
        | ClientMessage::Detach(_)
        | ClientMessage::ChatJoin(_)
        | ClientMessage::ChatLeave(_)
        | ClientMessage::ChatSay(_) => {
            let text = format!("{} is not a game command", message.op());
            return Err(Refusal::new(ErrorCode::UnknownOp, text));
        }
    })
}

const fn give_time(body: &GiveTime) -> Action {
    Action::GiveTime {
        target: Seat(body.seat),
        time_ms: body.time_ms,
    }
}

fn hint(body: &AskHint) -> Result<Action, Refusal> {
    let grade = HintGrade::try_from(body.grade);
    Ok(Action::Hint {
        turn_no: TurnNo(body.turn_no),
        grade: grade
            .map_err(|error| Refusal::field(ErrorCode::BadField, "grade", error.to_string()))?,
    })
}

fn placement(rules: &RuleSet, play: &Play) -> Result<Placement, Refusal> {
    let (start, direction) = coordinate(&play.start)?;
    let tiles = play
        .tiles
        .iter()
        .map(|face| {
            notation::parse_cell(face, &rules.tiles).map_err(|error| with_face(error, face))
        })
        .collect::<Result<_, _>>()?;
    Ok(Placement {
        start,
        direction,
        tiles,
    })
}

/// Returns the start of a play. The protocol has one text for each start, the people's notation has several.
fn coordinate(text: &str) -> Result<(Square, Direction), NotationError> {
    let (start, direction) = notation::parse_coordinate(text)?;
    if notation::format_coordinate(start, direction) == text {
        Ok((start, direction))
    } else {
        Err(NotationError::Coordinate(text.to_owned()))
    }
}

fn tiles(rules: &RuleSet, exchange: &Exchange) -> Result<Vec<Tile>, Refusal> {
    exchange
        .tiles
        .iter()
        .map(|face| {
            rules
                .tiles
                .parse_tile(face)
                .ok_or_else(|| with_face(NotationError::UnknownTile(face.clone()), face))
        })
        .collect()
}

fn with_face(error: NotationError, face: &str) -> Refusal {
    let mut refusal = Refusal::from(error);
    refusal.detail.tiles = Some(vec![face.to_owned()]);
    refusal
}

impl From<NotationError> for Refusal {
    fn from(error: NotationError) -> Self {
        let text = error.to_string();
        match error {
            NotationError::Coordinate(_) => Self::field(ErrorCode::BadCoordinate, "start", text),
            NotationError::UnknownTile(face) => Self::tile(ErrorCode::UnknownTile, &face, text),
            NotationError::BlankUnassigned => Self::new(ErrorCode::BlankUnassigned, text),
            NotationError::Shape | NotationError::Bracket(_) => {
                Self::new(ErrorCode::UnknownTile, text)
            }
        }
    }
}
