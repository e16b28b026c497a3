//! Who is told what of the lobby.

use tilewire_protocol::{LobbyChange as Change, LobbyChangeKind, Seek, SeekChanged, ServerMessage};
use tokio::sync::broadcast;

use super::desk::Desk;
use super::machine::{OpenSeek, Plan};
use crate::game::GameNews;
use crate::metrics;
use crate::peers::{Delivery, Peer};

impl Desk {
    /// Makes a stored plan the state and tells everybody concerned.
    pub(super) fn adopt(&mut self, plan: &Plan) {
        let is_new = |open: &OpenSeek| self.lobby.get(&open.seek.seek).is_none();
        let changes: Vec<LobbyChangeKind> = plan
            .put
            .iter()
            .map(|open| {
                if is_new(open) {
                    LobbyChangeKind::SeekAdded
                } else {
                    LobbyChangeKind::SeekChanged
                }
            })
            .collect();
        self.lobby.adopt(plan);
        metrics::seeks(self.lobby.len());
        for (open, change) in plan.put.iter().zip(changes) {
            self.tell_members(
                open,
                &ServerMessage::SeekChanged(Box::new(SeekChanged {
                    seek: open.seek.clone(),
                })),
            );
            self.publish_seek(open, change);
        }
        for open in &plan.remove {
            let removed = removal(open);
            self.tell_members(open, &removed);
            self.publish(open.seek.private, &removed, &open.seek);
        }
    }

    pub(super) fn news(&mut self, event: Result<GameNews, broadcast::error::RecvError>) {
        // Under load whoever wants to know asks for the list.
        if !self.app.overload.level().tells_presence() {
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
        self.send_to_subscribers(&ServerMessage::Lobby(Box::new(message)), |_| true);
    }

    pub(super) fn publish_seek(&mut self, open: &OpenSeek, change: LobbyChangeKind) {
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
        self.publish(
            open.seek.private,
            &ServerMessage::Lobby(Box::new(message)),
            &open.seek,
        );
    }

    /// Tells who follows the lobby; of a private seek nobody but its members, who are told anyway.
    pub(super) fn publish(&mut self, private: bool, message: &ServerMessage, seek: &Seek) {
        if !private {
            let is_removal = matches!(message, ServerMessage::Lobby(change) if change.change == LobbyChangeKind::SeekRemoved);
            let is_member = |peer: &Peer| {
                seek.members
                    .iter()
                    .any(|person| person.identity.0 == peer.identity())
            };
            self.send_to_subscribers(message, |peer| !(is_removal && is_member(peer)));
        }
    }

    pub(super) fn send_to_subscribers(
        &mut self,
        message: &ServerMessage,
        wants: impl Fn(&Peer) -> bool,
    ) {
        self.subscribers
            .retain(|_, peer| !wants(peer) || peer.send(0, message) == Delivery::Queued);
    }

    pub(super) fn tell_members(&self, open: &OpenSeek, message: &ServerMessage) {
        for person in &open.seek.members {
            for peer in self.app.peers.of(&person.identity.0) {
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

pub(super) fn removal(open: &OpenSeek) -> ServerMessage {
    let seek_id = Some(open.seek.seek.clone());
    ServerMessage::Lobby(Box::new(Change {
        change: LobbyChangeKind::SeekRemoved,
        seek: None,
        seek_id,
        game: None,
    }))
}
