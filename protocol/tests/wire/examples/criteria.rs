//! Seeks for certain players, and rated quick matches.

use tilewire_protocol::*;

use super::client::cmd;
use super::parts::{seek, short_options};

/// Everything that an owner can ask for.
fn criteria() -> SeekCriteria {
    SeekCriteria {
        min_rating: Some(1_400),
        max_rating: Some(1_700),
        established: true,
        registered: true,
        followed: true,
        exclude: vec!["Bob".to_owned()],
    }
}

/// Requests.
pub(crate) fn requests() -> Vec<(&'static str, ClientMessage)> {
    let options = || GameOptions {
        rated: true,
        ..short_options()
    };
    vec![
        (
            "client_seek_criteria",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: options(),
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
                criteria: Some(Box::new(criteria())),
            })),
        ),
        (
            "client_quick_match_any_rating",
            ClientMessage::QuickMatch(Box::new(QuickMatch {
                cmd_id: cmd(),
                options: options(),
                nonce_hash: None,
                level: None,
                any_rating: true,
            })),
        ),
    ]
}

/// Pushes.
pub(crate) fn pushes() -> Vec<(&'static str, ServerMessage)> {
    let changed = |criteria: Option<SeekCriteria>, range| {
        let seek = Seek {
            criteria: criteria.map(Box::new),
            range,
            ..seek()
        };
        ServerMessage::SeekChanged(Box::new(SeekChanged { seek }))
    };
    let range = QuickRange {
        start: 100,
        step: 50,
        every_ms: 5_000,
        most: 500,
        any: true,
    };
    vec![
        (
            "server_seek_changed_criteria",
            changed(Some(criteria()), None),
        ),
        ("server_seek_changed_range", changed(None, Some(range))),
    ]
}

/// The error for a player who is not admitted.
pub(crate) fn error() -> ErrorBody {
    let error = ErrorBody::new(
        ErrorCode::NotEligible,
        "the seek admits registered players only",
    );
    error.with_detail(ErrorDetail {
        reason: Some("guest".to_owned()),
        ..ErrorDetail::default()
    })
}
