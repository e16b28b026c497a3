//! Runs the requests of each room in order, as a machine without I/O: one call per room is in flight, and rooms do not wait
//! for each other.
//!
//! A call reads the room, reads a friendship, appends lines, or delivers them. It ends with an [`Input`]; until then, the
//! requests of its room wait.

use std::collections::BTreeMap;

use tilewire_protocol::{
    ChatAnswer, ChatClosedReason, ChatHidden, ChatSay, ErrorCode, OkBody, RoomId, ServerMessage,
};
use tilewire_rules::time::{Millis, Timestamp};

use super::access::Admission;
use super::effect::{Effect, Input};
use super::line::{accepted, answer, closed, later, refusal, to_wire};
use super::machine::{Chat, ChatBounds};
use super::queue::{Postponed, Queue, Waiting};
use super::reading::readers_of;
use super::request::{Action, Facts, Request};
use super::room::RoomName;
use super::say::SayOutcome;
use tilewire_delivery::outbound::{Peer, PeerId};
use tilewire_store::{ChatChange, DirectPair, StoredLine};
use tilewire_wire::Refusal;

/// The time after which a client asks a room again whose queue is full.
const RETRY_AFTER: Millis = Millis(1_000);

/// The rooms, and the requests that wait for them.
#[derive(Debug)]
pub(super) struct Scheduler {
    pub(super) chat: Chat<Peer>,
    /// The rooms with a call in flight.
    pub(super) queues: BTreeMap<RoomId, Queue>,
    /// Requests that wait for the call of one room.
    room_waiting: usize,
}

/// The next step of a request.
enum Step {
    Answer(Box<Result<OkBody, Refusal>>),
    /// The answer waits for the append.
    Append(SayOutcome),
    Call(Effect),
}

impl Step {
    fn answer(answer: Result<OkBody, Refusal>) -> Self {
        Self::Answer(Box::new(answer))
    }
}

impl From<Result<Self, Refusal>> for Step {
    fn from(step: Result<Self, Refusal>) -> Self {
        step.unwrap_or_else(|refusal| Self::answer(Err(refusal)))
    }
}

impl Scheduler {
    pub(super) fn new(bounds: ChatBounds, room_waiting: usize) -> Self {
        Self {
            chat: Chat::new(bounds),
            queues: BTreeMap::new(),
            room_waiting,
        }
    }

    /// Takes an event, and returns what follows from it.
    pub(super) fn handle(&mut self, now: Timestamp, input: Input, facts: Facts<'_>) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            Input::Asked(requests) => {
                let mut rooms = Vec::new();
                for request in requests {
                    let room = self.take(request, facts, &mut out);
                    rooms.extend(room.inspect(|room| self.advance(now, room, facts, &mut out)));
                }
                for room in rooms {
                    self.settle(&room, &mut out);
                }
            }
            Input::Read { name, after, lines } => {
                let room = name.id();
                let delivers = self.read(&name, after, lines, facts, &mut out);
                if !delivers {
                    self.go_on(now, &room, facts, &mut out);
                }
            }
            Input::Related {
                room,
                pair,
                relation,
            } => {
                self.related(&room, &pair, &relation, facts, &mut out);
                self.go_on(now, &room, facts, &mut out);
            }
            Input::Appended { room, appended } => {
                let delivers = self.appended(&room, &appended, facts, &mut out);
                if !delivers {
                    self.go_on(now, &room, facts, &mut out);
                }
            }
            Input::Delivered { room, missed } => {
                self.delivered(&room, missed, &mut out);
                self.go_on(now, &room, facts, &mut out);
            }
            Input::Hidden {
                room,
                lines,
                is_hidden,
            } => {
                let postponed = Postponed::Hide { lines, is_hidden };
                self.postpone(&room, postponed, &mut out);
            }
            Input::SwitchedOff(identity) => {
                for (room, peer) in self.chat.quit(&identity) {
                    let push = closed(&room, ChatClosedReason::ChatOff);
                    self.postpone(&room, Postponed::Tell(peer, Box::new(push)), &mut out);
                }
            }
            Input::Gone(ended) => {
                self.chat.tidy(now);
                for id in ended {
                    self.chat.gone(id);
                }
            }
        }
        out
    }

    /// Takes a request. Returns its room if it waits in the queue of one.
    fn take(
        &mut self,
        request: Request,
        facts: Facts<'_>,
        out: &mut Vec<Effect>,
    ) -> Option<RoomId> {
        let id = request.peer.id();
        let room = match &request.action {
            Action::Join(admission, _) => admission.room.id(),
            Action::Say(say) => say.room.clone(),
            Action::Leave(room) => room.clone(),
            Action::LeaveGame(game) => {
                for name in [RoomName::Players, RoomName::Spectators] {
                    self.leave_with_game(id, &name(game.clone()).id());
                }
                return None;
            }
            Action::FollowDirect => {
                out.push(self.follow_direct(request, facts));
                return None;
            }
        };
        let queue = self.queues.entry(room.clone()).or_default();
        if queue.waiting.len() >= self.room_waiting {
            let text = "too many requests wait for this room";
            let refused = later(ErrorCode::Busy, text, RETRY_AFTER);
            out.push(Effect::answer(request, Err(refused)));
            return None;
        }
        queue.waiting.push_back(Waiting::Asked(request));
        Some(room)
    }

    fn leave_with_game(&mut self, id: PeerId, room: &RoomId) {
        match self.queues.get_mut(room) {
            Some(queue) if queue.has(id) => queue.leave_later(id),
            _ => drop(self.chat.leave(id, room)),
        }
    }

    fn follow_direct(&mut self, request: Request, facts: Facts<'_>) -> Effect {
        let peer = &request.peer;
        let checked = match peer.is_revoked() {
            true => Err(refusal(ErrorCode::Revoked)),
            false => facts.check_on(peer),
        };
        match checked {
            Ok(()) => {
                self.chat
                    .follow_direct(peer.id(), peer.identity(), peer.clone());
                Effect::ListDirect(request)
            }
            Err(refusal) => Effect::answer(request, Err(refusal)),
        }
    }

    /// Serves the requests of a room until one needs a call.
    fn advance(&mut self, now: Timestamp, room: &RoomId, facts: Facts<'_>, out: &mut Vec<Effect>) {
        while let Some((first, is_checked)) = self.queues.get_mut(room).and_then(Queue::pop) {
            let request = match first {
                Waiting::Asked(request) => request,
                Waiting::Left(id) => {
                    self.chat.leave(id, room);
                    continue;
                }
            };
            let step = self.step(now, &request, is_checked, facts);
            let Some(queue) = self.queues.get_mut(room) else {
                return;
            };
            match step {
                Step::Answer(answer) => out.push(Effect::Answer(request, answer)),
                // The lines of the append are all that there are to wait for.
                Step::Append(SayOutcome::Again(line)) if queue.lines.is_empty() => {
                    out.push(Effect::answer(request, Ok(accepted(room, line))));
                }
                Step::Append(SayOutcome::Again(line)) => queue.said.push((request, line)),
                Step::Append(SayOutcome::New(line)) => {
                    queue.said.push((request, line.line));
                    queue.lines.push(line);
                }
                Step::Call(call) => {
                    queue.waiting.push_front(Waiting::Asked(request));
                    // The append comes first: its lines came first.
                    if queue.lines.is_empty() {
                        queue.checking = queue.waiting.len();
                        queue.is_busy = true;
                        out.push(call);
                    }
                    return;
                }
            }
        }
    }

    /// Begins the append of the room's new lines, or drops its queue if there is nothing to wait for.
    fn settle(&mut self, room: &RoomId, out: &mut Vec<Effect>) {
        let Some(queue) = self.queues.get_mut(room) else {
            return;
        };
        if queue.is_busy {
            return;
        }
        if queue.lines.is_empty() {
            debug_assert!(queue.waiting.is_empty(), "nothing keeps a request waiting");
            self.queues.remove(room);
            return self.chat.forget_if_empty(room);
        }
        queue.is_busy = true;
        // The waiting requests are checked again: the append takes its time.
        queue.checked = 0;
        let lines = queue.lines.clone();
        let pair = self.chat.name(room).and_then(RoomName::pair).cloned();
        let pairs = pair.map(|pair| DirectPair {
            room: room.0.clone(),
            pair,
        });
        let pairs = pairs.into_iter().collect();
        let (room, change) = (room.clone(), ChatChange { pairs, lines });
        out.push(Effect::Append { room, change });
    }

    /// The call of a room has ended: goes on with what waits.
    fn go_on(&mut self, now: Timestamp, room: &RoomId, facts: Facts<'_>, out: &mut Vec<Effect>) {
        let Some(queue) = self.queues.get_mut(room) else {
            return;
        };
        queue.is_busy = false;
        for postponed in std::mem::take(&mut queue.postponed) {
            self.carry_out(room, postponed, out);
        }
        self.advance(now, room, facts, out);
        self.settle(room, out);
    }

    fn step(
        &mut self,
        now: Timestamp,
        request: &Request,
        is_checked: bool,
        facts: Facts<'_>,
    ) -> Step {
        let peer = &request.peer;
        if peer.is_revoked() {
            return Step::answer(Err(refusal(ErrorCode::Revoked)));
        }
        match &request.action {
            Action::Join(admission, after) => self.join(peer, admission, *after, facts).into(),
            Action::Say(say) => self.say(now, peer, say, is_checked, facts).into(),
            Action::Leave(room) => Step::answer(match self.chat.leave(peer.id(), room) {
                Some(_) => Ok(OkBody::default()),
                None => Err(refusal(ErrorCode::NotInRoom)),
            }),
            // These wait for no room.
            Action::FollowDirect | Action::LeaveGame(_) => {
                Step::answer(Err(refusal(ErrorCode::NotInRoom)))
            }
        }
    }

    fn join(
        &mut self,
        peer: &Peer,
        admission: &Admission,
        after: u64,
        facts: Facts<'_>,
    ) -> Result<Step, Refusal> {
        facts.check_on(peer)?;
        if let Some(read) = self.missing(&admission.room) {
            return Ok(Step::Call(read));
        }
        let room = admission.room.id();
        let member = admission.member(peer);
        let can_say = member.can_say;
        self.chat.join(peer.id(), &room, member)?;
        let may_read = |line: &StoredLine| readers_of(line, facts.blocks)(peer.identity());
        let lines = self.chat.lines(&room, after, &may_read);
        Ok(Step::answer(Ok(answer(ChatAnswer {
            room: Some(room),
            lines: Some(lines.iter().map(to_wire).collect()),
            can_say,
            ..ChatAnswer::default()
        }))))
    }

    fn say(
        &mut self,
        now: Timestamp,
        peer: &Peer,
        say: &ChatSay,
        is_checked: bool,
        facts: Facts<'_>,
    ) -> Result<Step, Refusal> {
        facts.check_say(now, peer)?;
        let name = self.chat.name(&say.room);
        let name = name.ok_or_else(|| refusal(ErrorCode::NotInRoom))?;
        if let Some(read) = self.missing(name) {
            return Ok(Step::Call(read));
        }
        match name.pair() {
            Some(pair) if !is_checked => Ok(Step::Call(Effect::Relate {
                room: say.room.clone(),
                pair: pair.clone(),
            })),
            _ => self.chat.say(now, peer.id(), say).map(Step::Append),
        }
    }

    /// Returns the call that reads what is missing of a room.
    fn missing(&self, name: &RoomName) -> Option<Effect> {
        let after = self.chat.unread_after(&name.id())?;
        let name = name.clone();
        Some(Effect::Read { name, after })
    }

    /// Carries out work on a room when no call of it is in flight.
    fn postpone(&mut self, room: &RoomId, postponed: Postponed, out: &mut Vec<Effect>) {
        match self.queues.get_mut(room) {
            Some(queue) => queue.postponed.push(postponed),
            None => self.carry_out(room, postponed, out),
        }
    }

    fn carry_out(&mut self, room: &RoomId, postponed: Postponed, out: &mut Vec<Effect>) {
        let (lines, is_hidden) = match postponed {
            Postponed::Hide { lines, is_hidden } => (lines, is_hidden),
            Postponed::Tell(peer, push) => return out.push(Effect::Tell(peer, *push)),
        };
        self.chat.hide(room, &lines, is_hidden);
        // Lines that are shown again come with the next join.
        if !is_hidden {
            return;
        }
        let room_id = room.clone();
        let push = ServerMessage::ChatHidden(ChatHidden {
            room: room_id,
            lines,
        });
        let readers = self.chat.readers_of(room).into_iter();
        out.extend(readers.map(|(_, peer)| Effect::Tell(peer, push.clone())));
    }
}
