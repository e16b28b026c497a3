//! Lines on the wire, and refusals.

use tilewire_protocol::{
    ChatAnswer, ChatClosed, ChatClosedReason, ChatLine, ChatSaid, DirectRoom, ErrorCode,
    ErrorDetail, IdentityId, OkBody, RoomId, ServerMessage,
};
use tilewire_rules::time::Millis;

use tilewire_store::{DirectLine, StoredLine};
use tilewire_wire::Refusal;

/// Returns a line as clients see it.
pub(super) fn to_wire(line: &StoredLine) -> ChatLine {
    ChatLine {
        line: line.line,
        at: line.at.0,
        identity: IdentityId(line.identity.clone()),
        name: line.name.clone(),
        seat: line.seat,
        text: line.text.clone(),
    }
}

/// Returns a direct room as its players see it in lists.
pub(super) fn direct_room(room: DirectLine) -> DirectRoom {
    DirectRoom {
        room: RoomId(room.room),
        with: room.handle,
        last: room.last,
        at: room.at.0,
    }
}

/// Returns the push of a line.
pub(super) fn push(line: &StoredLine) -> ServerMessage {
    ServerMessage::Chat(Box::new(ChatSaid {
        room: RoomId(line.room.clone()),
        line: to_wire(line),
    }))
}

/// Returns the answer to a request of the chat.
pub(super) fn answer(chat: ChatAnswer) -> OkBody {
    OkBody {
        chat: Some(Box::new(chat)),
        ..OkBody::default()
    }
}

/// Returns a refusal with the text of its code.
pub(super) fn refusal(code: ErrorCode) -> Refusal {
    Refusal::new(code, code.meaning())
}

/// Returns the refusal of a request that may be repeated after a time.
pub(super) fn later(code: ErrorCode, text: &str, retry_after_ms: Millis) -> Refusal {
    let mut refusal = Refusal::new(code, text);
    *refusal.detail = ErrorDetail {
        retry_after_ms: Some(retry_after_ms.0),
        ..ErrorDetail::default()
    };
    refusal
}

/// Returns the answer to a line that is stored.
pub(super) fn accepted(room: &RoomId, line: u64) -> OkBody {
    answer(ChatAnswer {
        room: Some(room.clone()),
        line: Some(line),
        ..ChatAnswer::default()
    })
}

/// Returns the push to a connection that is in a room no longer.
pub(super) fn closed(room: &RoomId, reason: ChatClosedReason) -> ServerMessage {
    ServerMessage::ChatClosed(ChatClosed {
        room: room.clone(),
        reason,
    })
}

/// Returns the refusal of a request that the storage keeps from being served.
pub(super) fn paused() -> Refusal {
    Refusal::new(
        ErrorCode::StoragePaused,
        "the storage does not answer; ask again",
    )
}
