//! Pushes of the lobby: which members and subscribers get which change.

use std::sync::Arc;

use tilewire_protocol::{
    GameSummary, LobbyChange as Change, LobbyChangeKind, Seek, SeekChanged, SeekId, ServerMessage,
};
use tokio::sync::broadcast;

use super::decision::{Former, Plan};
use super::open_seek::OpenSeek;
use super::task::LobbyTask;
use tilewire_base::metrics;
use tilewire_game::GameNews;

impl LobbyTask {
    /// Adopts a stored plan and pushes its changes.
    pub(super) fn adopt(&mut self, plan: &Plan) {
        let former = self.lobby.adopt(plan);
        self.tell(plan, &former);
    }

    /// Pushes the changes of a plan that is stored and adopted.
    pub(super) fn tell(&mut self, plan: &Plan, former: &Former) {
        metrics::seeks(self.lobby.len());
        for open in &plan.put {
            if open.is_offer() {
                self.tell_offer(open, former.get(&open.seek.seek));
                continue;
            }
            let change = match former.get(&open.seek.seek) {
                None => LobbyChangeKind::SeekAdded,
                Some(_) => LobbyChangeKind::SeekChanged,
            };
            self.tell_members(open);
            self.publish_seek(open, change);
        }
        for open in plan.put.iter().chain(&plan.start) {
            for identity in &plan.left_out {
                self.tell_removed(open, &identity.0);
            }
        }
        for open in &plan.remove {
            if open.is_offer() {
                self.tell_offer_ended(open);
                continue;
            }
            self.tell_closed(open);
            self.publish_removal(open);
        }
    }

    /// Announces a game to the subscribers.
    pub(super) fn game_news(&mut self, event: Result<GameNews, broadcast::error::RecvError>) {
        // Under load, clients ask for the list instead.
        if !self.services.overload.level().tells_presence() {
            return;
        }
        let (change, game) = match event {
            Ok(GameNews::Started(game)) => (LobbyChangeKind::GameStarted, game),
            Ok(GameNews::Ended(game)) => (LobbyChangeKind::GameEnded, game),
            // Some events were missed; clients that ask for the list get all games.
            Err(_) => return,
        };
        self.publish_game(change, game);
    }

    /// Announces the listed games that have changed since the last look, and those that all their players have left to a house bot.
    pub(super) async fn tell_game_changes(&mut self) {
        let is_heard = !self.publisher.feed().is_empty();
        if !is_heard || !self.services.overload.level().tells_presence() {
            return self.game_changes.forget();
        }
        let presence = Arc::clone(&self.services.presence);
        let (listed, left) = self.services.directory.live_again(&*presence).await;
        let look = self.game_changes.since_last_look(listed, left);
        for (change, game) in look {
            self.publish_game(change, game);
        }
    }

    fn publish_game(&self, change: LobbyChangeKind, game: GameSummary) {
        self.publisher.announce(Change {
            change,
            seek: None,
            seek_id: None,
            game: Some(game),
        });
    }

    fn publish_seek(&self, open: &OpenSeek, change: LobbyChangeKind) {
        self.publish(open, change_of(open, change));
    }

    /// Announces to the subscribers that a seek is gone.
    pub(super) fn publish_removal(&self, open: &OpenSeek) {
        self.publish(open, removal(&open.seek.seek));
    }

    /// Announces to the subscribers that a public seek is gone.
    pub(super) fn publish_public_removal(&self, seek: &SeekId) {
        self.publisher.announce(removal(seek));
    }

    /// Announces a change of a public seek. The members of a private seek are told separately.
    fn publish(&self, open: &OpenSeek, change: Change) {
        if !open.seek.private {
            let excluded = open.excluded_identities();
            self.publisher.announce_except(excluded, change);
        }
    }

    /// Tells the members of a seek that it is closed. Members that subscribe to the lobby learn of it there: a direct
    /// message would overtake earlier changes in the feed.
    fn tell_closed(&self, open: &OpenSeek) {
        for person in &open.seek.members {
            self.tell_removed(open, &person.identity.0);
        }
    }

    /// Tells an identity that it is no longer a member of a seek.
    fn tell_removed(&self, open: &OpenSeek, identity: &str) {
        let removed = ServerMessage::Lobby(Box::new(removal(&open.seek.seek)));
        for peer in self.services.registry.of(identity) {
            if open.seek.private || !self.publisher.feed().has(peer.id()) {
                peer.send(0, &removed);
            }
        }
    }

    /// Tells the members of a seek how it is now.
    fn tell_members(&self, open: &OpenSeek) {
        for person in &open.seek.members {
            let changed = SeekChanged {
                seek: open.shown_to(&person.identity.0),
            };
            let message = ServerMessage::SeekChanged(Box::new(changed));
            for peer in self.services.registry.of(&person.identity.0) {
                peer.send(0, &message);
            }
        }
    }
}

/// Says whether an identity sees a seek: only members see a private one, and nobody sees an offer to certain players.
pub(super) fn is_seen_by(open: &OpenSeek, identity: &str) -> bool {
    let is_listed = open.starting.is_none() && !open.is_offer();
    is_listed && (!open.seek.private || open.member(identity).is_some())
}

/// Returns a seek as an identity sees it, if it does.
pub(super) fn seen_by(open: &OpenSeek, identity: &str) -> Option<Seek> {
    is_seen_by(open, identity).then(|| open.shown_to(identity))
}

/// Returns a change of a public seek.
pub(super) fn change_of(open: &OpenSeek, change: LobbyChangeKind) -> Change {
    let shown = Seek {
        code: None,
        ..open.seek.clone()
    };
    Change {
        change,
        seek: Some(shown),
        seek_id: None,
        game: None,
    }
}

pub(super) fn removal(seek: &SeekId) -> Change {
    Change {
        change: LobbyChangeKind::SeekRemoved,
        seek: None,
        seek_id: Some(seek.clone()),
        game: None,
    }
}
