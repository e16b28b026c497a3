//! Players' commands: their way to the rules, and the answers.

use tilewire_protocol::{ClientMessage, ErrorBody, ErrorCode, OkBody, ServerMessage};
use tilewire_rules::game::{Action, Answer, Command, Input, Transition};
use tilewire_rules::rejection::Rejection;
use tilewire_rules::time::{Millis, Seat, Seq, Timestamp};

use super::{Participant, Room, RoomEffect};
use tilewire_wire::{from_wire, rejection};

/// A request to answer, and when it came.
#[derive(Debug, Clone)]
pub(super) struct ReplyTo<P> {
    pub(super) peer: P,
    pub(super) request_id: u64,
    pub(super) received_at: Timestamp,
    pub(super) lag_ms: Millis,
}

/// A command that the rules can take.
#[derive(Debug, Clone)]
pub(super) struct Request<P> {
    pub(super) asked: ReplyTo<P>,
    seat: Seat,
    cmd_id: String,
    digest: u64,
    action: Action,
    /// Network delay that the clock gives back.
    credit: Millis,
}

impl<P: Participant> Request<P> {
    fn command(&self) -> Command {
        Command {
            seat: self.seat,
            cmd_id: self.cmd_id.clone(),
            digest: self.digest,
            received_at: self.asked.received_at,
            lag_ms: self.credit.0,
            action: self.action.clone(),
        }
    }

    fn is(&self, seat: Seat, cmd_id: &str) -> bool {
        self.seat == seat && self.cmd_id == cmd_id
    }

    fn is_asked_by(&self, peer: &P, request_id: u64) -> bool {
        self.asked.peer.id() == peer.id() && self.asked.request_id == request_id
    }
}

impl<P: Participant> Room<P> {
    /// Refuses a command or queues it.
    pub(super) fn command(
        &mut self,
        asked: ReplyTo<P>,
        message: &ClientMessage,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let refused = match self.request(&asked, message) {
            Ok(request) if self.repeat_answer(&request, out) => return,
            Ok(_) if self.is_stopping => self.leaving(),
            Ok(_) if self.is_paused => ErrorBody::new(
                ErrorCode::StoragePaused,
                "the game waits for the storage; nothing was changed",
            ),
            Ok(_) if self.queue.len() + self.open.len() >= self.parts.bounds.commands_waiting => {
                ErrorBody::new(ErrorCode::Busy, "the game is overloaded")
            }
            Ok(request) => return self.queue.push_back(request),
            Err(error) => error,
        };
        self.turn_away(out, asked.peer, asked.request_id, refused);
    }

    fn request(
        &self,
        asked: &ReplyTo<P>,
        message: &ClientMessage,
    ) -> Result<Request<P>, ErrorBody> {
        let Some(seat) = self.seat_of(asked.peer.identity()) else {
            return Err(ErrorBody::new(
                ErrorCode::NotAPlayer,
                "you have no seat in this game",
            ));
        };
        let Some((_, cmd_id)) = message.game_command() else {
            return Err(ErrorBody::new(
                ErrorCode::UnknownOp,
                "this is not a game command",
            ));
        };
        let action = from_wire::action(&self.parts.rules, message).map_err(ErrorBody::from)?;
        Ok(Request {
            asked: asked.clone(),
            seat,
            cmd_id: cmd_id.as_str().to_owned(),
            digest: message.fingerprint(),
            action,
            credit: Millis::ZERO,
        })
    }

    /// Hands a command to the rules.
    pub(super) fn carry_out(
        &mut self,
        now: Timestamp,
        mut request: Request<P>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        request.credit = self.lag.credit(request.seat, request.asked.lag_ms);
        let command = request.command();
        let asked = (request.asked.peer.clone(), request.asked.request_id);
        self.open.push(request);
        let transition = self
            .game
            .handle(&self.context(), now, Input::Command(command));
        self.begin(now, transition, Some(asked), out);
    }

    /// Hands an input to the rules that no request led to.
    pub(super) fn step(&mut self, now: Timestamp, input: Input, out: &mut Vec<RoomEffect<P>>) {
        let transition = self.game.handle(&self.context(), now, input);
        self.begin(now, transition, None, out);
    }

    pub(super) fn begin(
        &mut self,
        now: Timestamp,
        transition: Transition,
        asked: Option<(P, u64)>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        if transition.records.is_empty() {
            self.game = transition.next;
            self.answer(&transition.answers, asked, out);
        } else {
            self.write(now, transition, asked, out);
        }
    }

    /// Takes from the quotas the network delay that turns got back.
    pub(super) fn spend_lag(&mut self, answers: &[Answer]) {
        for answer in answers.iter().filter(|answer| answer.outcome.is_ok()) {
            // A repeated command waits behind the first one, which took effect.
            let mut open = self.open.iter();
            let first = open.find(|open| open.is(answer.seat, &answer.cmd_id));
            if let Some(request) = first.filter(|request| request.action.ends_turn()) {
                self.lag.turn_ended(request.seat, request.credit);
            }
        }
    }

    /// Sends answers of the rules to the open requests. `asked` is the request that led to them, if there is one.
    pub(super) fn answer(
        &mut self,
        answers: &[Answer],
        asked: Option<(P, u64)>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        // A command with a used id is refused to its sender alone. The first command with the id may still wait, or be
        // answered with it.
        let is_reused = |answer: &&Answer| answer.outcome == Err(Rejection::CommandIdReused);
        if let Some((peer, request_id)) = asked {
            for answer in answers.iter().filter(is_reused) {
                self.settle(answer, out, |open| open.is_asked_by(&peer, request_id));
            }
        }
        for answer in answers.iter().filter(|answer| !is_reused(answer)) {
            self.settle(answer, out, |_| true);
        }
    }

    fn settle(
        &mut self,
        answer: &Answer,
        out: &mut Vec<RoomEffect<P>>,
        is_meant: impl Fn(&Request<P>) -> bool,
    ) {
        let is_settled = |open: &Request<P>| open.is(answer.seat, &answer.cmd_id) && is_meant(open);
        while let Some(at) = self.open.iter().position(is_settled) {
            let request = self.open.remove(at);
            self.answers_hint(&request.action);
            out.push(self.reply(request.asked, &answer.outcome));
        }
    }

    /// A hint that was asked for again is told again.
    const fn answers_hint(&mut self, action: &Action) {
        if matches!(action, Action::Hint { .. }) {
            self.hints.tell_again();
        }
    }

    fn reply(&self, asked: ReplyTo<P>, outcome: &Result<Seq, Rejection>) -> RoomEffect<P> {
        let message = match outcome {
            Ok(seq) => {
                let game = self.parts.facts.game.clone();
                ServerMessage::Ok(Box::new(OkBody::accepted(game, seq.0)))
            }
            Err(refusal) => ServerMessage::Error(rejection::error(&self.parts.rules, refusal)),
        };
        RoomEffect::Reply {
            peer: asked.peer,
            request_id: asked.request_id,
            message,
            received_at: Some(asked.received_at),
        }
    }

    /// Repeats the answer to a command that has taken effect, in every state of the room; returns whether it has.
    fn repeat_answer(&mut self, request: &Request<P>, out: &mut Vec<RoomEffect<P>>) -> bool {
        let known = self.game.state().accepted(request.seat, &request.cmd_id);
        let first = known.filter(|(digest, _)| *digest == request.digest);
        if let Some((_, seq)) = first {
            self.answers_hint(&request.action);
            out.push(self.reply(request.asked.clone(), &Ok(seq)));
        }
        first.is_some()
    }

    /// Refuses the queued commands that have not taken effect; the rules do not know them.
    pub(super) fn refuse_queued(
        &mut self,
        code: ErrorCode,
        text: &str,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        for request in std::mem::take(&mut self.queue) {
            if self.repeat_answer(&request, out) {
                continue;
            }
            let error = ErrorBody::new(code, text);
            self.turn_away(out, request.asked.peer, request.asked.request_id, error);
        }
    }

    /// Refuses all open requests.
    pub(super) fn refuse_all(&mut self, code: ErrorCode, text: &str, out: &mut Vec<RoomEffect<P>>) {
        self.refuse_queued(code, text, out);
        for request in std::mem::take(&mut self.open) {
            let error = ErrorBody::new(code, text);
            self.turn_away(out, request.asked.peer, request.asked.request_id, error);
        }
    }

    /// Queues the unanswered commands again, in order and first: the game that had them is gone.
    pub(super) fn requeue_open(&mut self) {
        for request in self.open.drain(..).rev() {
            self.queue.push_front(request);
        }
        self.bots.forget();
    }
}
