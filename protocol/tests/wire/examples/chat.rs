//! The messages of the chat.

use tilewire_protocol::*;

use super::client::cmd;
use super::parts::*;

pub(super) fn requests() -> Vec<(&'static str, ClientMessage)> {
    let join = |kind, game, with: Option<&str>, after| {
        ClientMessage::ChatJoin(ChatJoin {
            kind,
            game,
            with: with.map(str::to_owned),
            after,
        })
    };
    vec![
        (
            "client_chat_join_players",
            join(ChatKind::Players, Some(game()), None, Some(41)),
        ),
        (
            "client_chat_join_spectators",
            join(ChatKind::Spectators, Some(game()), None, None),
        ),
        (
            "client_chat_join_direct",
            join(ChatKind::Direct, None, Some("Ben"), None),
        ),
        (
            "client_chat_join_all_direct",
            join(ChatKind::Direct, None, None, None),
        ),
        (
            "client_chat_join_lobby",
            join(ChatKind::Lobby, None, None, None),
        ),
        (
            "client_chat_leave",
            ClientMessage::ChatLeave(ChatLeave { room: room() }),
        ),
        (
            "client_chat_say",
            ClientMessage::ChatSay(ChatSay {
                room: room(),
                cmd_id: cmd(),
                text: "good luck \u{1f340}".to_owned(),
            }),
        ),
    ]
}

pub(super) fn answers() -> Vec<(&'static str, OkBody)> {
    let ok = |chat| OkBody {
        chat: Some(Box::new(chat)),
        ..OkBody::default()
    };
    vec![
        (
            "server_ok_chat_joined",
            ok(ChatAnswer {
                room: Some(room()),
                lines: Some(vec![line(Some(1))]),
                can_say: true,
                ..ChatAnswer::default()
            }),
        ),
        (
            "server_ok_chat_rooms",
            ok(ChatAnswer {
                rooms: Some(vec![DirectRoom {
                    room: RoomId("d-mzxw6ytboi".to_owned()),
                    with: "Ben".to_owned(),
                    last: 7,
                    at: NOON,
                }]),
                ..ChatAnswer::default()
            }),
        ),
        (
            "server_ok_chat_said",
            ok(ChatAnswer {
                room: Some(room()),
                line: Some(42),
                ..ChatAnswer::default()
            }),
        ),
    ]
}

pub(super) fn error() -> ErrorBody {
    let code = ErrorCode::RepeatedLine;
    ErrorBody::new(code, "you wrote the same a moment ago").with_detail(ErrorDetail {
        retry_after_ms: Some(21_000),
        text: Some("good luck".to_owned()),
        ..ErrorDetail::default()
    })
}

pub(super) fn pushes() -> Vec<(&'static str, ServerMessage)> {
    vec![
        (
            "server_chat",
            ServerMessage::Chat(Box::new(ChatSaid {
                room: room(),
                line: line(None),
            })),
        ),
        (
            "server_chat_closed",
            ServerMessage::ChatClosed(ChatClosed {
                room: room(),
                reason: ChatClosedReason::TooSlow,
            }),
        ),
    ]
}

pub(super) fn without_chat(mut message: ServerMessage) -> ServerMessage {
    if let ServerMessage::Welcome(welcome) = &mut message {
        (welcome.registered, welcome.chat_off) = (true, true);
    }
    message
}

pub(super) fn switched_off() -> ServerMessage {
    ServerMessage::ChatClosed(ChatClosed {
        room: room(),
        reason: ChatClosedReason::ChatOff,
    })
}

/// Returns the notices to a player.
fn notice(kind: ModerationKind, reason: &str, until: Option<i64>) -> ServerMessage {
    ServerMessage::Moderation(ModerationNotice {
        kind,
        reason: reason.to_owned(),
        until,
    })
}

/// Messages to players about waiting times.
pub(super) fn waiting() -> Vec<(&'static str, ServerMessage)> {
    let reason = format!("waiting time, because you abandoned game {}", game());
    vec![
        (
            "server_moderation_waiting",
            notice(ModerationKind::Wait, &reason, Some(NOON + 600_000)),
        ),
        (
            "server_moderation_forgiven",
            notice(ModerationKind::Forgive, "the server was at fault", None),
        ),
    ]
}

/// Messages to players about moderation.
pub(super) fn moderation() -> Vec<(&'static str, ServerMessage)> {
    let insults = "insults in chat";
    vec![
        (
            "server_chat_hidden",
            ServerMessage::ChatHidden(ChatHidden {
                room: room(),
                lines: vec![41, 42],
            }),
        ),
        (
            "server_moderation",
            notice(ModerationKind::Mute, insults, Some(NOON + 86_400_000)),
        ),
        (
            "server_moderation_undone",
            notice(ModerationKind::Undo, insults, None),
        ),
    ]
}

pub(super) fn restricted() -> ErrorBody {
    let code = ErrorCode::Restricted;
    ErrorBody::new(code, "you cannot begin rated games").with_detail(ErrorDetail {
        until: Some(NOON),
        reason: Some("left six games".to_owned()),
        ..ErrorDetail::default()
    })
}

fn room() -> RoomId {
    RoomId(format!("p-{}", game()))
}

fn line(seat: Option<u8>) -> ChatLine {
    ChatLine {
        line: 42,
        at: NOON,
        identity: ann().identity,
        name: "Ann".to_owned(),
        seat,
        text: "good luck \u{1f340}".to_owned(),
    }
}
