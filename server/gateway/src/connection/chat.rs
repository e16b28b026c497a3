//! The requests of a client about chat.

use tilewire_protocol::{ChatJoin, ChatKind, ClientMessage, ServerMessage};

use super::served::{Served, busy};
use tilewire_chat::{Access, Action};
use tilewire_delivery::outbound::Peer;
use tilewire_wire::Refusal;

impl Served {
    /// Checks a request about chat and hands it to the chat, which answers it.
    pub(super) async fn chat(&self, peer: &Peer, id: u64, message: ClientMessage) {
        let action = match message {
            ClientMessage::ChatJoin(asked) => self.join_chat(peer, asked).await,
            ClientMessage::ChatLeave(asked) => Ok(Action::Leave(asked.room)),
            ClientMessage::ChatSay(asked) => Ok(Action::Say(asked)),
            _ => return,
        };
        match action {
            Ok(action) => {
                let handed_in = self.services.chat.request(peer.clone(), id, action);
                if handed_in.is_err() && !self.is_elsewhere(peer, id) {
                    peer.send(id, &busy("the chat is overloaded"));
                }
            }
            Err(refusal) => {
                peer.send(id, &ServerMessage::Error(refusal.into()));
            }
        }
    }

    async fn join_chat(&self, peer: &Peer, asked: ChatJoin) -> Result<Action, Refusal> {
        let services = &self.services;
        let access = Access {
            config: &services.config,
            directory: &services.directory,
            accounts: &services.accounts,
            people: &services.people,
        };
        if asked.kind == ChatKind::Direct && asked.with.is_none() {
            access.check_open(peer, asked.kind)?;
            return Ok(Action::FollowDirect);
        }
        let game = asked.game.as_ref();
        let is_attached =
            self.is_attached || game.is_some_and(|game| self.ledger.is_attached(game));
        let admission = access.admit(peer, &asked, is_attached).await?;
        Ok(Action::Join(admission, asked.after.unwrap_or(0)))
    }
}
