//! Encodes acts of moderators for their players.

use tilewire_people::moderation::{Kind, Restraint};
use tilewire_protocol::{ErrorCode, ErrorDetail, ModerationKind, ModerationNotice, ServerMessage};

use tilewire_base::clock::time_text;
use tilewire_store::{StoredNotice, StoredRestriction};
use tilewire_wire::Refusal;

/// Returns the message about an act of a moderator.
pub(crate) fn notice(notice: &StoredNotice) -> ServerMessage {
    ServerMessage::Moderation(ModerationNotice {
        kind: kind(notice.kind),
        reason: notice.reason.clone(),
        until: notice.until.map(|until| until.0),
    })
}

const fn kind(kind: Kind) -> ModerationKind {
    match kind {
        Kind::Mute => ModerationKind::Mute,
        Kind::NoRated => ModerationKind::NoRated,
        Kind::NoPublic => ModerationKind::NoPublic,
        Kind::Suspend => ModerationKind::Suspend,
        Kind::HideLines => ModerationKind::HideLines,
        Kind::Rename => ModerationKind::Rename,
        Kind::Undo => ModerationKind::Undo,
        Kind::Wait => ModerationKind::Wait,
        Kind::Forgive => ModerationKind::Forgive,
    }
}

/// Returns the refusal of something that a restriction forbids.
pub fn restricted(restriction: &StoredRestriction) -> Refusal {
    let (code, forbidden) = match restriction.restraint {
        Restraint::Mute => (ErrorCode::Muted, "cannot write in chat"),
        Restraint::NoRated => (ErrorCode::Restricted, "cannot begin rated games"),
        Restraint::NoPublic | Restraint::Wait => {
            (ErrorCode::Restricted, "cannot open or join public games")
        }
        Restraint::Suspend => (ErrorCode::Revoked, "are suspended"),
    };
    let until = restriction.until.map(time_text);
    let until = until.map_or_else(String::new, |until| format!(" until {until}"));
    let message = format!("you {forbidden}{until}: {}", restriction.reason);
    let mut refusal = Refusal::new(code, message);
    *refusal.detail = ErrorDetail {
        until: restriction.until.map(|until| until.0),
        reason: Some(restriction.reason.clone()),
        ..ErrorDetail::default()
    };
    refusal
}
