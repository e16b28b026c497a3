//! How a game leaves memory: the server stops, another node gets the game, or it cannot go on.

pub(crate) use tilewire_protocol::{Detached, ErrorBody, ErrorCode, ServerMessage as Message};

use super::{Actor, End};
use crate::directory::Word;
use crate::hub::HubInput;
use crate::room::RoomInput;
use tilewire_delivery::outbound::{Leaving, Peer};

impl Actor {
    pub(super) fn obey(&mut self, word: Word) -> Option<End> {
        match word {
            Word::Play => None,
            Word::Stop => self.stop(RoomInput::Stop),
            Word::HandOver => self.stop(RoomInput::HandOver),
            // The outcome of an append in flight does not matter: the next owner reads the log.
            Word::Forget => Some(End::Moved),
        }
    }

    pub(super) fn stop(&mut self, input: RoomInput<Peer>) -> Option<End> {
        self.is_stopping = true;
        self.take(input)
    }

    /// Ends the actor: refuses the waiting requests, and after a failure detaches all clients.
    pub(crate) fn end(&mut self, failure: Option<ErrorCode>) {
        self.mailbox.close();
        let (code, text) = match failure {
            Some(code @ ErrorCode::Busy) => (code, "the game was loaded anew; attach again"),
            Some(code) => (code, "the game was stopped by a fault; attach again"),
            None if self.is_stopping => (ErrorCode::ShuttingDown, "the server is stopping"),
            None => (ErrorCode::Busy, "the game has just left memory; ask again"),
        };
        let moves = failure == Some(ErrorCode::Busy);
        let refuse = |peer: &Peer, request_id| {
            if !moves || !peer.hand_back(request_id) {
                peer.send(request_id, &Message::Error(ErrorBody::new(code, text)));
            }
        };
        while let Ok(message) = self.mailbox.try_recv() {
            if let Some((peer, request_id)) = message.request() {
                refuse(peer, request_id);
            }
        }
        let (players, unanswered) = self.room.stranded();
        for (peer, request_id) in unanswered {
            refuse(&peer, request_id);
        }
        if failure.is_some() {
            let detached = Message::Detached(Detached {
                game: self.game.clone(),
                code,
                message: text.to_owned(),
            });
            match moves {
                true => self.let_go(players, detached),
                false => {
                    for peer in players {
                        peer.send(0, &detached);
                    }
                    self.post(HubInput::Dismiss(Box::new(detached)));
                }
            }
        }
        self.close_hub();
    }

    /// Lets all clients go on at the next owner; those that cannot get this message.
    fn let_go(&self, players: Vec<Peer>, otherwise: Message) {
        for peer in players {
            let leaving = Leaving {
                game: self.game.clone(),
                position: Some(self.room.resume_point()),
                code: None,
                is_spectator: false,
                is_delayed: false,
                is_paused: self.room.stands_still(),
            };
            if !peer.let_go(leaving) {
                peer.send(0, &otherwise);
            }
        }
        self.post(HubInput::LetGo {
            code: self.room.code().cloned(),
            otherwise: Box::new(otherwise),
        });
    }
}
