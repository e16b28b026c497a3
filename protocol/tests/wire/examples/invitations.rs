//! Invitations.

use tilewire_protocol::*;

use super::parts::{NOON, ann, bob, game, hash, short_options};

/// Requests.
pub(crate) fn requests() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_invite",
            ClientMessage::Invite(Box::new(Invite {
                cmd_id: "k3Zp-Q_9aa-12".into(),
                handle: "Bob".to_owned(),
                options: short_options(),
                nonce_hash: Some(hash(1)),
                level: Some(Level::Beginner),
            })),
        ),
        (
            "client_accept_invitation",
            ClientMessage::AnswerInvitation(AnswerInvitation {
                cmd_id: "k3Zp-Q_9aa-12".into(),
                invitation: "s2345abcde".into(),
                accept: true,
                reason: None,
                nonce_hash: Some(hash(1)),
                level: Some(Level::Expert),
            }),
        ),
        (
            "client_decline_invitation",
            ClientMessage::AnswerInvitation(AnswerInvitation {
                cmd_id: "k3Zp-Q_9aa-12".into(),
                invitation: "s2345abcde".into(),
                accept: false,
                reason: Some(DeclineReason::Busy),
                nonce_hash: None,
                level: None,
            }),
        ),
    ]
}

/// The answer to an `invite`.
pub(crate) fn answer() -> OkBody {
    OkBody {
        invitation: Some(Box::new(open())),
        ..OkBody::default()
    }
}

/// Pushes.
pub(crate) fn pushes() -> Vec<(&'static str, ServerMessage)> {
    let told = |invitation| ServerMessage::Invitation(Box::new(invitation));
    vec![
        ("server_invitation", told(open())),
        (
            "server_invitation_accepted",
            told(Invitation {
                end: Some(InvitationEnd::Accepted),
                game: Some(game()),
                ..open()
            }),
        ),
        (
            "server_invitation_declined",
            told(Invitation {
                end: Some(InvitationEnd::Declined),
                reason: Some(DeclineReason::OtherOptions),
                ..open()
            }),
        ),
    ]
}

fn open() -> Invitation {
    Invitation {
        invitation: "s2345abcde".into(),
        from: ann(),
        to: bob(),
        options: short_options(),
        created_at: NOON,
        expires_at: NOON + 900_000,
        end: None,
        reason: None,
        game: None,
    }
}
