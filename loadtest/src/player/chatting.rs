//! A player's lines of chat to the opponent.

use tilewire_protocol::{ChatJoin, ChatKind, ChatSay, ClientMessage, GameId, OkBody};

use super::{Disconnected, Player, Purpose};
use crate::link::Link;

impl Player {
    /// Joins the room of a game that the player is attached to, if it chats.
    pub(super) async fn join_chat(
        &mut self,
        link: &mut Link,
        game: GameId,
    ) -> Result<(), Disconnected> {
        self.room = None;
        if self.behavior.chat == 0.0 {
            return Ok(());
        }
        let join = ClientMessage::ChatJoin(ChatJoin {
            kind: ChatKind::Players,
            game: Some(game),
            with: None,
            after: None,
        });
        self.send(link, join, Purpose::Chat).await
    }

    /// Handles the answer to a request about chat.
    pub(super) fn chat_answered(&mut self, ok: &OkBody) {
        let chat = ok.chat.as_ref();
        if let Some(room) = chat.and_then(|chat| chat.lines.as_ref().and(chat.room.clone())) {
            self.room = Some(room);
        }
    }

    /// Writes a line after a turn, now and then.
    pub(super) async fn chat(&mut self, link: &mut Link, turn_no: u32) -> Result<(), Disconnected> {
        let Some(room) = self.room.clone() else {
            return Ok(());
        };
        if !self.rng.random_bool(self.behavior.chat) {
            return Ok(());
        }
        let say = ClientMessage::ChatSay(ChatSay {
            room,
            cmd_id: self.session.next_cmd_id(),
            text: format!("that was turn {turn_no}, and now it is your turn"),
        });
        self.send(link, say, Purpose::Chat).await
    }
}
