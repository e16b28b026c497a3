//! Attaching to a game: the client's request, and its position in the stream.

use tilewire_protocol::{ErrorBody, ErrorCode, GameId, OkBody, ServerMessage};

use tilewire_base::ids::normal_code;
use tilewire_delivery::outbound::ResumePoint;

/// A request for the events of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Attach<P> {
    /// The connection.
    pub peer: P,
    /// The request to answer.
    pub request_id: u64,
    /// The position up to which the client already has the stream.
    pub from: Option<ResumePoint>,
}

/// Checks the code that a client who does not play in a game has given; `right` is the code of a private game.
///
/// # Errors
/// The refusal, when the game is private and this is not its code.
pub fn check_code(right: Option<&str>, given: Option<&str>) -> Result<(), ErrorBody> {
    match (right, given) {
        (Some(_), None) => {
            let text = "the game is private and needs its code";
            Err(ErrorBody::new(ErrorCode::CodeRequired, text))
        }
        (Some(right), Some(given)) if normal_code(right) != normal_code(given) => {
            let text = "this is not the game's code";
            Err(ErrorBody::new(ErrorCode::WrongCode, text))
        }
        (Some(_), Some(_)) | (None, _) => Ok(()),
    }
}

/// Returns the answer to a `detach`.
pub(super) fn detached(game: &GameId) -> ServerMessage {
    ServerMessage::Ok(Box::new(OkBody {
        game: Some(game.clone()),
        ..OkBody::default()
    }))
}
