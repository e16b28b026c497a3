//! Handles the frames that owners send to the clients of a gateway.

use std::mem;

use tilewire_protocol::{ErrorCode, GameId};

use super::Context;
use super::connection::{Connection, OWN_ID};
use super::input::{Delivery, Effect, Push, Subject};
use super::pending::{Followed, Pending, Source, Stage, Stream};
use crate::message::{Attached, Frame, FrameSummary, Outcome};
use tilewire_delivery::outbound::ResumePoint;
use tilewire_store::NodeId;

/// The frames of one message, as far as they were looked at.
struct Passed {
    connection: u64,
    frames: Vec<Delivery>,
}

impl Passed {
    /// Puts the frames so far before what follows.
    fn flush(&mut self, context: &mut Context<'_>) {
        if !self.frames.is_empty() {
            let frames = mem::take(&mut self.frames);
            context.out.push(Effect::Deliver(self.connection, frames));
        }
    }

    fn push(&mut self, context: &mut Context<'_>, push: Push) {
        self.flush(context);
        context.push(push);
    }
}

impl Connection {
    /// Passes on what counts of the frames that a node has sent.
    pub(super) fn deliver(&mut self, context: &mut Context<'_>, node: NodeId, frames: Vec<Frame>) {
        let mut passed = Passed {
            connection: context.connection,
            frames: Vec::with_capacity(frames.len()),
        };
        for Frame { summary, message } in frames {
            let mut delivery = Delivery {
                frame: message.0,
                answers: None,
                detaches: None,
                watches: None,
            };
            let counts = match summary {
                FrameSummary::Answer(relay_id, outcome) => {
                    let is_sent = |pending: &&mut Pending| pending.stage == Stage::Sent(node);
                    let Some(pending) = self.requests.get_mut(&relay_id).filter(is_sent) else {
                        continue;
                    };
                    if pending.stays_in_doubt(&outcome) {
                        pending.stage = Stage::Waiting {
                            not_before: context.next_try(),
                        };
                        continue;
                    }
                    let Some(pending) = self.take(context, relay_id) else {
                        continue;
                    };
                    let is_ok = !matches!(outcome, Outcome::Refused(_));
                    match pending.source {
                        Source::Gateway => {
                            self.attached_again(context, &mut passed, pending, outcome)
                        }
                        Source::Client(request_id) => {
                            delivery.answers = Some((request_id, is_ok));
                            passed.frames.push(delivery);
                            self.answered(context, &mut passed, node, pending, outcome);
                        }
                    }
                    continue;
                }
                FrameSummary::Event(game, seq) => self.event(node, &game, seq, &mut delivery),
                FrameSummary::Snapshot(game, epoch, seq) => {
                    let position = ResumePoint { epoch, seq };
                    self.snapshot(node, &game, position, &mut delivery)
                }
                FrameSummary::Paused(game) => self.set_paused(node, &game, true),
                FrameSummary::Unpaused(game) => self.set_paused(node, &game, false),
                FrameSummary::Detached(game) => self.detached(node, game, &mut delivery),
                FrameSummary::OfStream(game) => self.of_stream(node, &game, &mut delivery),
                FrameSummary::Other => true,
            };
            if counts {
                passed.frames.push(delivery);
            }
        }
        passed.flush(context);
        self.advance(context);
    }

    /// Ends a request that its owner cannot read.
    pub(super) fn cannot_be_read(
        &mut self,
        context: &mut Context<'_>,
        node: NodeId,
        relay_id: u64,
    ) {
        let pending = self.requests.get(&relay_id);
        if pending.is_none_or(|pending| pending.stage != Stage::Sent(node)) {
            return;
        }
        if let Some(pending) = self.take(context, relay_id) {
            let request_id = match pending.source {
                Source::Client(request_id) => request_id,
                Source::Gateway => OWN_ID,
            };
            context.push(Push::Unreadable(request_id, pending.message));
        }
    }

    /// Returns a game whose stream comes from this node.
    fn stream_of(&mut self, node: NodeId, game: &GameId) -> Option<&mut Followed> {
        let followed = self.games.get_mut(game)?;
        (followed.stream == Stream::From(node)).then_some(followed)
    }

    fn event(&mut self, node: NodeId, game: &GameId, seq: u64, delivery: &mut Delivery) -> bool {
        let Some(followed) = self.stream_of(node, game) else {
            return false;
        };
        if let Some(position) = &mut followed.position {
            position.seq = seq;
        }
        delivery.watches = watched(followed, game);
        true
    }

    /// Notes something of the stream of a game; says whether the client gets that stream.
    fn of_stream(&mut self, node: NodeId, game: &GameId, delivery: &mut Delivery) -> bool {
        let followed = self.stream_of(node, game);
        delivery.watches = followed
            .as_deref()
            .and_then(|followed| watched(followed, game));
        followed.is_some()
    }

    fn snapshot(
        &mut self,
        node: NodeId,
        game: &GameId,
        position: ResumePoint,
        delivery: &mut Delivery,
    ) -> bool {
        let Some(followed) = self.stream_of(node, game) else {
            return false;
        };
        followed.position = Some(position);
        delivery.watches = watched(followed, game);
        true
    }

    /// Notes whether a game takes commands; says whether the client does not know it.
    fn set_paused(&mut self, node: NodeId, game: &GameId, is_paused: bool) -> bool {
        let followed = self.stream_of(node, game);
        followed
            .is_some_and(|followed| mem::replace(&mut followed.is_paused, is_paused) != is_paused)
    }

    fn detached(&mut self, node: NodeId, game: GameId, delivery: &mut Delivery) -> bool {
        if self.stream_of(node, &game).is_none() {
            return false;
        }
        self.games.remove(&game);
        delivery.detaches = Some(game);
        true
    }

    /// Notes what the answer to a request of the client means.
    fn answered(
        &mut self,
        context: &mut Context<'_>,
        passed: &mut Passed,
        node: NodeId,
        pending: Pending,
        outcome: Outcome,
    ) {
        match (pending.subject, outcome) {
            (_, Outcome::Refused(_)) => {}
            (Subject::Attach(game, from, code), Outcome::Attached(attached)) => {
                let mut followed = Followed::new(&game, code, Stream::From(node));
                followed.is_spectator = attached.is_spectator;
                followed.is_delayed = attached.is_delayed;
                followed.position = position_after(from, attached);
                let former = self.games.insert(game.clone(), followed);
                if former.is_some_and(|former| former.is_paused) {
                    passed.push(context, Push::Unpaused(game));
                }
            }
            (Subject::Detach(game), _) => _ = self.games.remove(&game),
            (Subject::Subscribe, _) => self.is_subscribed = true,
            (Subject::Unsubscribe, _) => self.is_subscribed = false,
            (Subject::Join, _) => self.has_joined = true,
            (Subject::Attach(..) | Subject::Command(_) | Subject::Lobby, _) => {}
        }
    }

    /// Takes the answer to an attach of the gateway. The client does not see it.
    fn attached_again(
        &mut self,
        context: &mut Context<'_>,
        passed: &mut Passed,
        pending: Pending,
        outcome: Outcome,
    ) {
        let (Subject::Attach(game, from, _), Stage::Sent(node)) = (pending.subject, pending.stage)
        else {
            return;
        };
        let Some(followed) = self.games.get_mut(&game) else {
            return;
        };
        match outcome {
            Outcome::Attached(attached) => {
                followed.stream = Stream::From(node);
                followed.is_spectator = attached.is_spectator;
                followed.is_delayed = attached.is_delayed;
                followed.position = position_after(from, attached);
                if mem::take(&mut followed.is_paused) {
                    passed.push(context, Push::Unpaused(game));
                }
            }
            Outcome::Refused(code) => {
                let code = ErrorCode::from_wire(&code);
                if code.retryable() {
                    followed.attach_at = context.next_try();
                } else {
                    passed.flush(context);
                    self.give_up(context, &game, code);
                }
            }
            Outcome::Done => {}
        }
    }
}

/// Returns the game if the client is a spectator of it.
fn watched(followed: &Followed, game: &GameId) -> Option<GameId> {
    followed.is_spectator.then(|| game.clone())
}

/// Returns the position of a client that asked for the events behind `from`, before the first of them has come.
fn position_after(from: Option<ResumePoint>, attached: Attached) -> Option<ResumePoint> {
    let from = from.filter(|_| !attached.with_snapshot)?;
    Some(ResumePoint {
        epoch: attached.epoch,
        seq: from.seq,
    })
}
