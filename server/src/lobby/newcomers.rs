//! Those who begin to follow the lobby get its lists; who comes with many others, the same encoding of them.

use tilewire_protocol::{ErrorCode, GameSummary, OkBody, ServerMessage};

use super::desk::{Asked, Desk};
use super::tell::seen_by;
use crate::outbound::EncodedAnswer;
use crate::wire::Refusal;

/// How long a list of games being played is good, if none begins or ends, ms.
const LISTED_FOR_MS: i64 = 500;

impl Desk {
    /// Has all of them follow the lobby, and gives them the lists as they stand.
    pub(super) async fn greet(&mut self, newcomers: Vec<Asked>) {
        let mut for_most = None;
        for asked in newcomers {
            let most = self.services.config.limits.lobby_subscribers;
            if !self.followers.board().follow(&asked.peer, most) {
                let text = "as many follow the lobby as may";
                asked.answer(Err(Refusal::new(ErrorCode::Busy, text)));
                continue;
            }
            let (identity, request_id) = (asked.peer.identity(), asked.request_id);
            if self.lobby.is_in_private(identity) {
                asked.answer(Ok(self.lists(identity).await));
                continue;
            }
            let lists = match &mut for_most {
                Some(lists) => lists,
                lists @ None => {
                    let ok = Box::new(self.lists(identity).await);
                    lists.insert(EncodedAnswer::new(ServerMessage::Ok(ok)))
                }
            };
            asked.peer.send_shared(request_id, lists);
        }
    }

    /// Returns the lists as somebody sees them.
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

    /// Returns the public games being played, as they were a moment ago.
    async fn live(&mut self) -> Vec<GameSummary> {
        let now = self.services.clock.now();
        match &self.live {
            Some((at, games)) if now - at < LISTED_FOR_MS => games.clone(),
            Some(_) | None => {
                let games = self.services.directory.live().await;
                self.live = Some((now, games.clone()));
                games
            }
        }
    }
}
