//! Who is told what of the lobby.

use tilewire_protocol::{LobbyChange as Change, LobbyChangeKind, Seek, SeekChanged, ServerMessage};
use tokio::sync::broadcast;

use super::desk::Desk;
use super::machine::{Former, OpenSeek, Plan};
use crate::game::GameNews;
use crate::metrics;

impl Desk {
    /// Makes a stored plan the state and tells everybody concerned.
    pub(super) fn adopt(&mut self, plan: &Plan) {
        let former = self.lobby.adopt(plan);
        self.tell(plan, &former);
    }

    /// Tells everybody concerned of a plan that is stored and adopted.
    pub(super) fn tell(&mut self, plan: &Plan, former: &Former) {
        metrics::seeks(self.lobby.len());
        for open in &plan.put {
            let change = match former.get(&open.seek.seek) {
                None => LobbyChangeKind::SeekAdded,
                Some(_) => LobbyChangeKind::SeekChanged,
            };
            let changed = SeekChanged {
                seek: open.seek.clone(),
            };
            self.tell_members(open, &ServerMessage::SeekChanged(Box::new(changed)));
            self.publish_seek(open, change);
        }
        for open in &plan.remove {
            self.tell_closed(open);
            self.publish_removal(open);
        }
    }

    /// Tells those who follow the lobby of a game.
    pub(super) fn news(&mut self, event: Result<GameNews, broadcast::error::RecvError>) {
        self.live = None;
        // Under load whoever wants to know asks for the list.
        if !self.services.overload.level().tells_presence() {
            return;
        }
        let (change, game) = match event {
            Ok(GameNews::Started(game)) => (LobbyChangeKind::GameStarted, game),
            Ok(GameNews::Ended(game)) => (LobbyChangeKind::GameEnded, game),
            // Some were missed; whoever asks for the list gets all of it.
            Err(_) => return,
        };
        let message = Change {
            change,
            seek: None,
            seek_id: None,
            game: Some(game),
        };
        self.followers.announce(message);
    }

    fn publish_seek(&self, open: &OpenSeek, change: LobbyChangeKind) {
        let shown = Seek {
            code: None,
            ..open.seek.clone()
        };
        let message = Change {
            change,
            seek: Some(shown),
            seek_id: None,
            game: None,
        };
        self.publish(open, message);
    }

    /// Tells those who follow the lobby that a seek is gone.
    pub(super) fn publish_removal(&self, open: &OpenSeek) {
        self.publish(open, removal(open));
    }

    /// Of a private seek nobody is told but its members, who are told anyway.
    fn publish(&self, open: &OpenSeek, change: Change) {
        if !open.seek.private {
            self.followers.announce(change);
        }
    }

    /// Tells the members of a seek that it is closed. Those who follow the lobby hear of it there: here it would overtake
    /// what is still on its way to them.
    fn tell_closed(&self, open: &OpenSeek) {
        let removed = ServerMessage::Lobby(Box::new(removal(open)));
        for person in &open.seek.members {
            for peer in self.services.registry.of(&person.identity.0) {
                if open.seek.private || !self.followers.board().has(peer.id()) {
                    peer.send(0, &removed);
                }
            }
        }
    }

    fn tell_members(&self, open: &OpenSeek, message: &ServerMessage) {
        for person in &open.seek.members {
            for peer in self.services.registry.of(&person.identity.0) {
                peer.send(0, message);
            }
        }
    }
}

/// A seek as somebody sees it: private ones only by their members.
pub(super) fn seen_by(open: &OpenSeek, identity: &str) -> Option<Seek> {
    let is_member = open
        .seek
        .members
        .iter()
        .any(|person| person.identity.0 == identity);
    if open.starting.is_some() || (open.seek.private && !is_member) {
        return None;
    }
    let code = open.seek.code.clone().filter(|_| is_member);
    Some(Seek {
        code,
        ..open.seek.clone()
    })
}

fn removal(open: &OpenSeek) -> Change {
    Change {
        change: LobbyChangeKind::SeekRemoved,
        seek: None,
        seek_id: Some(open.seek.seek.clone()),
        game: None,
    }
}
