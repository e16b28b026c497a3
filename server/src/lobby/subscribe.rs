//! Subscribing to the lobby: a new subscriber gets the lists. Clients that subscribe together share one encoding of
//! them.

use tilewire_protocol::{ErrorCode, GameSummary, OkBody, ServerMessage};
use tilewire_rules::time::Millis;

use super::announce::seen_by;
use super::task::{LobbyTask, Request};
use crate::outbound::EncodedAnswer;
use crate::wire::Refusal;

/// The time for which a list of games is reused if no game begins or ends.
const LISTED_FOR_MS: Millis = Millis(500);

impl LobbyTask {
    /// Adds the subscribers, and answers each with the current lists.
    pub(super) async fn subscribe(&mut self, requests: Vec<Request>) {
        let mut for_most = None;
        for request in requests {
            let most = self.services.config.limits.lobby_subscribers;
            if !self.publisher.feed().subscribe(&request.peer, most) {
                let text = "too many clients subscribe to the lobby";
                request.answer(Err(Refusal::new(ErrorCode::Busy, text)));
                continue;
            }
            let (identity, request_id) = (request.peer.identity(), request.request_id);
            if self.lobby.is_in_private(identity) {
                request.answer(Ok(self.lists(identity).await));
                continue;
            }
            let lists = match &mut for_most {
                Some(lists) => lists,
                lists @ None => {
                    let ok = Box::new(self.lists(identity).await);
                    lists.insert(EncodedAnswer::new(ServerMessage::Ok(ok)))
                }
            };
            request.peer.send_shared(request_id, lists);
        }
    }

    /// Returns the lists as an identity sees them.
    async fn lists(&mut self, identity: &str) -> OkBody {
        let games = self.live().await;
        let most = self.services.config.limits.list_entries;
        let seeks = self.lobby.seeks();
        let seeks = seeks.filter_map(|open| seen_by(open, identity));
        OkBody {
            seeks: Some(seeks.take(most).collect()),
            games: Some(games),
            online: Some(u32::try_from(self.services.presence.online()).unwrap_or(u32::MAX)),
            ..OkBody::default()
        }
    }

    /// Returns the public games being played; the list may be [`LISTED_FOR_MS`] old.
    async fn live(&mut self) -> Vec<GameSummary> {
        let now = self.services.clock.now();
        match &self.live {
            Some((at, games)) if now - *at < LISTED_FOR_MS => games.clone(),
            Some(_) | None => {
                let games = self.services.directory.live().await;
                self.live = Some((now, games.clone()));
                games
            }
        }
    }
}
