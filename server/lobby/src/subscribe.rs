//! Subscribing to the lobby: a new subscriber gets the lists. Clients that subscribe together share one encoding of
//! them.

use tilewire_protocol::{ErrorCode, OkBody, ServerMessage};

use super::announce::{is_seen_by, seen_by};
use super::task::{LobbyTask, Request};
use tilewire_delivery::outbound::EncodedAnswer;
use tilewire_delivery::shares::fair;
use tilewire_wire::Refusal;

impl LobbyTask {
    /// Adds the subscribers, and answers each with the current lists.
    pub(super) async fn subscribe(&mut self, requests: Vec<Request>) {
        let mut for_most = None;
        for request in requests {
            let most = self.services.settings.now().limits.lobby_subscribers;
            if !self.publisher.feed().subscribe(&request.peer, most) {
                let text = "too many clients subscribe to the lobby";
                request.answer(Err(Refusal::new(ErrorCode::Busy, text)));
                continue;
            }
            let (identity, request_id) = (request.peer.identity(), request.request_id);
            let misses_some =
                self.services.blocks.concern(identity) || self.lobby.excludes(identity);
            if misses_some {
                let hidden = self.hidden_from(identity);
                self.publisher.feed().hide(request.peer.id(), hidden);
            }
            if misses_some || self.lobby.has_own_view(identity) {
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
    async fn lists(&self, identity: &str) -> OkBody {
        let presence = &*self.services.presence;
        let live = self.services.directory.live_games(presence).await;
        let games = match live.answer().message() {
            ServerMessage::Ok(ok) => ok.games.clone(),
            _ => None,
        };
        let most = self.services.settings.now().limits.list_entries;
        let blocks = &self.services.blocks;
        let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
        let visible = self.lobby.seeks().filter(|open| {
            is_seen_by(open, identity) && !open.is_closed_to(identity, &are_blocked)
        });
        let seeks = fair(visible.collect(), most, |open| open.list_owner());
        let seeks = seeks.into_iter().filter_map(|open| seen_by(open, identity));
        OkBody {
            seeks: Some(seeks.collect()),
            games,
            online: Some(u32::try_from(self.services.presence.online()).unwrap_or(u32::MAX)),
            ..OkBody::default()
        }
    }
}
