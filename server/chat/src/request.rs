//! A client's request of the chat, and the facts in memory that decide about it.

use tilewire_people::moderation::Restraint;
use tilewire_protocol::{ChatSay, ErrorCode, GameId, RoomId};
use tilewire_rules::time::Timestamp;
use tokio::sync::OwnedSemaphorePermit;

use super::access::Admission;
use super::line::refusal;
use tilewire_accounts::moderation_messages as moderation;
use tilewire_accounts::people::{Blocks, ChatOff};
use tilewire_accounts::restrictions::Restrictions;
use tilewire_delivery::outbound::Peer;
use tilewire_delivery::overload::{LeftOut, Overload};
use tilewire_wire::Refusal;

/// A client's request, after the connection has checked the permission.
#[derive(Debug)]
pub enum Action {
    /// Join a room; the answer has the lines after this one.
    Join(Admission, u64),
    /// Follow all direct rooms.
    FollowDirect,
    /// Leave a room.
    Leave(RoomId),
    /// Leave the rooms of a game; there is no answer.
    LeaveGame(GameId),
    /// Write a line.
    Say(ChatSay),
}

/// A request and its connection.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) peer: Peer,
    pub(super) request_id: u64,
    pub(super) action: Action,
    /// Its place among the requests without an answer; dropping the request frees it.
    pub(super) _place: OwnedSemaphorePermit,
}

/// Facts in memory that other parts of the server keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) blocks: &'a Blocks,
    pub(super) chat_off: &'a ChatOff,
    pub(super) restrictions: &'a Restrictions,
    pub(super) overload: &'a Overload,
}

impl Facts<'_> {
    /// Checks that a connection has chat. The player can have switched it off after the request was admitted; a switch that
    /// comes after this check finds the connection in the room.
    pub(super) fn check_on(self, peer: &Peer) -> Result<(), Refusal> {
        match peer
            .pass()
            .is_some_and(|pass| self.chat_off.is_off_for(pass))
        {
            true => Err(refusal(ErrorCode::ChatOff)),
            false => Ok(()),
        }
    }

    /// Checks that a connection may write, wherever it writes.
    pub(super) fn check_say(self, now: Timestamp, peer: &Peer) -> Result<(), Refusal> {
        self.check_on(peer)?;
        if !self.overload.level().takes_chat() {
            let body = self.overload.refusal(LeftOut::Chatting);
            let mut refused = Refusal::new(body.code, body.message);
            refused.detail = body.detail.unwrap_or_default();
            return Err(refused);
        }
        let muted = self.restrictions.of(peer.identity(), Restraint::Mute, now);
        match muted {
            Some(restriction) => Err(moderation::restricted(&restriction)),
            None => Ok(()),
        }
    }

    /// Says whether both players of a direct room have chat.
    pub(super) fn have_chat(self, pair: &[String; 2]) -> bool {
        pair.iter().all(|own| !self.chat_off.is_off(own))
    }
}
