//! Attach and detach.

use tilewire_protocol::{AttachOutcome, ErrorBody, ErrorCode, OkBody, Role, ServerMessage};
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;

use super::attached::Left;
use super::{
    Attach, HubInput, HubStart, Participant, ResumePoint, Room, RoomEffect, refuse, reply,
};
use crate::attach::{check_code, detached};
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::overload;
use tilewire_delivery::overload::LeftOut;
use tilewire_wire::turn_waiting;

impl<P: Participant> Room<P> {
    /// Attaches a connection: as the player of its identity's seat if it has one, else as a spectator.
    pub(super) fn attach(
        &mut self,
        now: Timestamp,
        attach: Attach<P>,
        code: Option<&str>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        if self.is_stopping {
            let leaving = self.leaving();
            return self.turn_away(out, attach.peer, attach.request_id, leaving);
        }
        match self.seat_of(attach.peer.identity()) {
            Some(seat) => self.sit(now, seat, attach, out),
            None => match self.admit(&attach.peer, code) {
                Ok(()) => self.watch(now, attach, out),
                Err(error) => refuse(out, attach.peer, attach.request_id, error),
            },
        }
    }

    fn sit(&mut self, now: Timestamp, seat: Seat, attach: Attach<P>, out: &mut Vec<RoomEffect<P>>) {
        let Attach {
            peer,
            request_id,
            from,
        } = attach;
        let audience = Audience::Seat(seat);
        self.hints.tell_again();
        self.attached.sit(seat, peer.id(), peer.clone());
        let missed = self.missed(from, audience);
        let outcome = match missed {
            Some(_) => AttachOutcome::Events,
            None => AttachOutcome::Snapshot,
        };
        let ok = OkBody {
            game: Some(self.parts.facts.game.clone()),
            epoch: Some(self.parts.facts.epoch),
            role: Some(Role::Player),
            seat: Some(seat.0),
            outcome: Some(outcome),
            head: Some(self.history.head()),
            ..OkBody::default()
        };
        reply(
            out,
            peer.clone(),
            request_id,
            ServerMessage::Ok(Box::new(ok)),
        );
        let to_peer = |message| RoomEffect::Push {
            to: vec![peer.clone()],
            message,
        };
        match missed {
            Some(events) => {
                let waiting = self.game.waiting_turn();
                let waiting = waiting.map(|waiting| {
                    ServerMessage::TurnWaiting(turn_waiting(&self.parts.facts.game, &waiting))
                });
                out.extend(events.into_iter().chain(waiting).map(to_peer));
            }
            None => {
                let snapshot = Box::new(self.snapshot(now, audience));
                out.push(to_peer(ServerMessage::Snapshot(snapshot)));
            }
        }
        if self.stands_still() {
            out.push(to_peer(ServerMessage::Paused(self.game_ref())));
        }
    }

    /// Returns the events that a client has missed, if all of them are in memory.
    fn missed(&self, from: Option<ResumePoint>, audience: Audience) -> Option<Vec<ServerMessage>> {
        // Sequence number 0 is before the first event in every incarnation.
        let from = from.filter(|from| from.seq == 0 || from.epoch == self.parts.facts.epoch)?;
        let entries = self.history.after(from.seq)?;
        let (facts, rules) = (&self.parts.facts, &self.parts.rules);
        Some(
            entries
                .map(|entry| entry.seen_by(facts, rules, audience))
                .collect(),
        )
    }

    fn admit(&self, peer: &P, code: Option<&str>) -> Result<(), ErrorBody> {
        check_code(self.parts.code.as_deref(), code)?;
        let is_new = !self.attached.is_spectator(peer.id());
        if is_new && !self.level.takes_spectators() {
            let retry_after_ms = self.parts.bounds.overload_retry_ms;
            return Err(overload::refusal(LeftOut::Watching, retry_after_ms));
        }
        if is_new && self.attached.spectators() >= self.parts.bounds.spectators {
            let text = "the game has too many spectators";
            return Err(ErrorBody::new(ErrorCode::Busy, text));
        }
        Ok(())
    }

    fn watch(&mut self, now: Timestamp, attach: Attach<P>, out: &mut Vec<RoomEffect<P>>) {
        if self.attached.spectators() == 0 {
            out.push(RoomEffect::OpenHub(self.hub_start(now)));
        }
        if self.attached.watch(attach.peer.id()) {
            self.crowd_changed(now);
        }
        out.push(RoomEffect::Hub(HubInput::Watch(attach)));
    }

    pub(super) fn hub_start(&self, now: Timestamp) -> HubStart {
        if let Some(delayed) = &self.delayed {
            return delayed.hub_start(&self.parts, now);
        }
        let (facts, rules) = (&self.parts.facts, &self.parts.rules);
        HubStart {
            history: self
                .history
                .all()
                .map(|entry| entry.seen_by(facts, rules, Audience::Spectator))
                .collect(),
            position: self.position(now),
            is_paused: self.stands_still(),
        }
    }

    /// Detaches a connection, with a request to answer or because the connection ended.
    pub(super) fn leave(
        &mut self,
        now: Timestamp,
        peer: PeerId,
        answer: Option<(P, u64)>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let left = self.attached.leave(now, peer);
        match (left, answer) {
            // The hub answers, so that nothing follows its answer.
            (Left::Spectator, answer) => {
                out.push(RoomEffect::Hub(HubInput::Unwatch { peer, answer }));
                if self.attached.spectators() == 0 {
                    out.push(RoomEffect::CloseHub);
                }
                self.crowd_changed(now);
            }
            (Left::Nobody | Left::Device | Left::Player(_), Some((peer, request_id))) => {
                let ok = detached(&self.parts.facts.game);
                reply(out, peer, request_id, ok);
            }
            (Left::Nobody | Left::Device | Left::Player(_), None) => {}
        }
    }
}
