//! Converts the rules' rejections to errors of the protocol.

use tilewire_protocol::{ErrorBody, ErrorCode, ErrorDetail};
use tilewire_rules::play::PlacementError;
use tilewire_rules::rejection::Rejection;
use tilewire_rules::ruleset::RuleSet;

/// Returns the error for the sender of a refused command.
#[must_use]
pub fn error(rules: &RuleSet, rejection: &Rejection) -> ErrorBody {
    let Some(detail) = detail(rules, rejection) else {
        return ErrorBody::new(code(rejection), rejection.to_string());
    };
    let text = match &detail.tiles {
        Some(tiles) => missing(tiles),
        None => rejection.to_string(),
    };
    ErrorBody::new(code(rejection), text).with_detail(detail)
}

/// Names the tiles that a rack lacks.
fn missing(tiles: &[String]) -> String {
    let noun = if tiles.len() == 1 { "tile" } else { "tiles" };
    format!("you don't have the {noun} {}", tiles.join(", "))
}

const fn code(rejection: &Rejection) -> ErrorCode {
    match rejection {
        Rejection::GameOver => ErrorCode::GameOver,
        Rejection::NotStarted => ErrorCode::NotStarted,
        Rejection::AlreadyReady => ErrorCode::AlreadyReady,
        Rejection::BadNonce => ErrorCode::BadNonce,
        // A player that has left the game has no seat in it.
        Rejection::Retired => ErrorCode::NotAPlayer,
        Rejection::NotYourTurn => ErrorCode::NotYourTurn,
        Rejection::WrongPosition { .. } => ErrorCode::WrongPosition,
        Rejection::FinalPhase => ErrorCode::FinalPhase,
        Rejection::Placement(error) => placement_code(error),
        Rejection::InvalidWords { .. } => ErrorCode::InvalidWords,
        Rejection::NothingToExchange => ErrorCode::NoTiles,
        Rejection::NotOnRack { .. } => ErrorCode::TileNotInRack,
        Rejection::BagTooSmall { .. } => ErrorCode::BagTooSmall,
        Rejection::TooManyExchanged { .. } => ErrorCode::TooManyExchanged,
        Rejection::NoChallenges => ErrorCode::NoChallenges,
        Rejection::WindowClosed => ErrorCode::WindowClosed,
        Rejection::AlreadyChallenged => ErrorCode::AlreadyChallenged,
        Rejection::AlreadyAccepted => ErrorCode::AlreadyAccepted,
        Rejection::OwnPlay => ErrorCode::OwnPlay,
        Rejection::HoldUsed => ErrorCode::HoldUsed,
        Rejection::CannotHold => ErrorCode::CannotHold,
        Rejection::Held { .. } => ErrorCode::Held,
        Rejection::NotHeld => ErrorCode::NotHeld,
        Rejection::ChallengePending { .. } => ErrorCode::ChallengePending,
        Rejection::NoChallengePending => ErrorCode::NoChallengePending,
        Rejection::CannotAbort => ErrorCode::CannotAbort,
        Rejection::AlreadyRequested => ErrorCode::AlreadyRequested,
        Rejection::NoAbortRequest => ErrorCode::NoAbortRequest,
        Rejection::CannotNudge { .. } => ErrorCode::CannotNudge,
        Rejection::NudgesUsed => ErrorCode::NudgesUsed,
        Rejection::NoNudge => ErrorCode::NoNudge,
        Rejection::CannotAdjourn { .. } => ErrorCode::CannotAdjourn,
        Rejection::AdjournsUsed => ErrorCode::AdjournsUsed,
        Rejection::NoAdjournRequest => ErrorCode::NoAdjournRequest,
        Rejection::Adjourned { .. } => ErrorCode::Adjourned,
        Rejection::Paused { .. } => ErrorCode::Paused,
        Rejection::NotAdjourned => ErrorCode::NotAdjourned,
        Rejection::CannotGiveTime => ErrorCode::CannotGiveTime,
        Rejection::GiftsUsed => ErrorCode::GiftsUsed,
        Rejection::TimeRefused => ErrorCode::TimeRefused,
        Rejection::NoHints => ErrorCode::NoHints,
        Rejection::HintsUsed => ErrorCode::HintsUsed,
        Rejection::CannotHint { .. } => ErrorCode::CannotHint,
        Rejection::CannotClaim { .. } => ErrorCode::CannotClaim,
        Rejection::CommandWaiting => ErrorCode::CommandInFlight,
        Rejection::CommandIdReused => ErrorCode::CmdIdReused,
    }
}

const fn placement_code(error: &PlacementError) -> ErrorCode {
    match error {
        PlacementError::NoTiles => ErrorCode::NoTiles,
        PlacementError::NotInLine => ErrorCode::NotInLine,
        PlacementError::OffBoard { .. } => ErrorCode::OffBoard,
        PlacementError::Occupied { .. } => ErrorCode::Occupied,
        PlacementError::Gap { .. } => ErrorCode::Gap,
        PlacementError::TooFewTiles { .. } => ErrorCode::TooFewTiles,
        PlacementError::CentreMissed { .. } => ErrorCode::CentreMissed,
        PlacementError::NotAdjacent => ErrorCode::NotAdjacent,
        PlacementError::TileNotInRack { .. } => ErrorCode::TileNotInRack,
        PlacementError::WordTooShort => ErrorCode::WordTooShort,
    }
}

fn detail(rules: &RuleSet, rejection: &Rejection) -> Option<ErrorDetail> {
    let mut detail = ErrorDetail::default();
    match rejection {
        Rejection::WrongPosition { expected } => detail.expected_turn_no = Some(expected.0),
        Rejection::InvalidWords { words } => detail.words = Some(words.clone()),
        Rejection::Held { until }
        | Rejection::ChallengePending { until }
        | Rejection::Adjourned { until }
        | Rejection::Paused { until } => detail.until = Some(until.0),
        Rejection::NotOnRack { missing } => {
            let faces = missing.iter().map(|tile| rules.tiles.tile_face(*tile));
            detail.tiles = Some(faces.map(str::to_owned).collect());
        }
        Rejection::CannotNudge { from } => detail.until = Some((*from)?.0),
        Rejection::CannotHint { until } => detail.until = Some((*until)?.0),
        Rejection::CannotAdjourn { until } => detail.until = Some((*until)?.0),
        Rejection::CannotClaim { claim_at } => detail.until = Some((*claim_at)?.0),
        Rejection::Placement(error) => match error {
            PlacementError::OffBoard { square }
            | PlacementError::Occupied { square }
            | PlacementError::Gap { square }
            | PlacementError::CentreMissed { start: square } => {
                detail.squares = Some(vec![square.to_string()]);
            }
            PlacementError::TileNotInRack { tile } => {
                detail.tiles = Some(vec![rules.tiles.tile_face(*tile).to_owned()]);
            }
            PlacementError::NoTiles
            | PlacementError::NotInLine
            | PlacementError::TooFewTiles { .. }
            | PlacementError::NotAdjacent
            | PlacementError::WordTooShort => return None,
        },
        Rejection::GameOver
        | Rejection::NotStarted
        | Rejection::AlreadyReady
        | Rejection::BadNonce
        | Rejection::Retired
        | Rejection::NotYourTurn
        | Rejection::FinalPhase
        | Rejection::NothingToExchange
        | Rejection::BagTooSmall { .. }
        | Rejection::TooManyExchanged { .. }
        | Rejection::NoChallenges
        | Rejection::WindowClosed
        | Rejection::AlreadyChallenged
        | Rejection::AlreadyAccepted
        | Rejection::OwnPlay
        | Rejection::HoldUsed
        | Rejection::CannotHold
        | Rejection::NotHeld
        | Rejection::NoChallengePending
        | Rejection::CannotAbort
        | Rejection::AlreadyRequested
        | Rejection::NoAbortRequest
        | Rejection::NudgesUsed
        | Rejection::NoNudge
        | Rejection::AdjournsUsed
        | Rejection::NoAdjournRequest
        | Rejection::NotAdjourned
        | Rejection::CannotGiveTime
        | Rejection::GiftsUsed
        | Rejection::TimeRefused
        | Rejection::NoHints
        | Rejection::HintsUsed
        | Rejection::CommandWaiting
        | Rejection::CommandIdReused => return None,
    }
    Some(detail)
}
