//! The effects of a room, carried out and checked.

use super::*;

impl Scene {
    pub(super) fn carry_out(&mut self, effect: RoomEffect<TestPeer>) {
        match effect {
            RoomEffect::Append(append) => {
                assert!(self.pending.is_none(), "one append at a time");
                self.pending = Some(Pending::Append(append));
            }
            RoomEffect::Reload => {
                assert!(self.pending.is_none(), "one journal call at a time");
                self.pending = Some(Pending::Load);
            }
            RoomEffect::Rest(rest) => {
                assert!(self.pending.is_none(), "one journal call at a time");
                self.pending = Some(Pending::Rest(*rest));
            }
            RoomEffect::Reply {
                peer,
                request_id,
                message,
                received_at: _,
            } => self.answered(peer.id.0, request_id, message),
            RoomEffect::HandBack {
                peer,
                request_id,
                otherwise,
            } => self.answered(peer.id.0, request_id, ServerMessage::Error(otherwise)),
            RoomEffect::Push { to, message } => {
                for peer in to {
                    self.heard_by(&peer, message.clone());
                }
            }
            effect @ (RoomEffect::OpenHub(_) | RoomEffect::Hub(_) | RoomEffect::CloseHub) => {
                self.carry_out_at_hub(effect);
            }
            other @ (RoomEffect::AskBot(_)
            | RoomEffect::FindHint(_)
            | RoomEffect::Inspected(..)
            | RoomEffect::Summary(_)
            | RoomEffect::OwnSummary(_)
            | RoomEffect::CallPlayer { .. }
            | RoomEffect::Started(_)
            | RoomEffect::Ended(_)
            | RoomEffect::Stop
            | RoomEffect::Fenced
            | RoomEffect::Broken(_)) => self.other.push(other),
        }
    }

    /// Carries out an effect on the hub.
    fn carry_out_at_hub(&mut self, effect: RoomEffect<TestPeer>) {
        match effect {
            RoomEffect::OpenHub(start) => {
                self.check_public(&start.position.seen_by(start.position.watchers));
                start.history.iter().for_each(|told| self.check_shown(told));
                self.hub_head = Some(start.position.seq());
            }
            RoomEffect::Hub(HubInput::Watch(attach)) => {
                assert!(self.hub_head.is_some(), "a hub is open");
                let ok = ServerMessage::Ok(Box::default());
                self.answered(attach.peer.id.0, attach.request_id, ok);
            }
            RoomEffect::Hub(HubInput::Unwatch {
                answer: Some((peer, request_id)),
                ..
            }) => {
                let ok = ServerMessage::Ok(Box::default());
                self.answered(peer.id.0, request_id, ok);
            }
            RoomEffect::Hub(HubInput::Publish(publication)) => {
                let position = &publication.position;
                self.check_public(&position.seen_by(position.watchers));
                for message in publication.messages {
                    self.check_shown(&message);
                    if let ServerMessage::Event(event) = &message {
                        self.check_durable(event);
                        assert_eq!(self.hub_head.map(|head| head + 1), Some(event.seq));
                        self.hub_head = Some(event.seq);
                    }
                    self.shown.push(message);
                }
            }
            RoomEffect::CloseHub => assert!(self.hub_head.take().is_some(), "a hub is open"),
            other => self.other.push(other),
        }
    }
}
