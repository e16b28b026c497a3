//! A game and its clients, as a state machine without I/O.
//!
//! [`Room::handle`] gets the time and one input, and returns effects that its shell carries out in order. A room holds
//! the rules' game, the attached connections, the open requests, and the append in flight.
//!
//! Invariants:
//! - no client learns of an event before the journal has it: events, snapshots and answers show the durable game only;
//! - at most one call of the journal is in flight; commands wait for it in a bounded queue;
//! - every request is answered exactly once.

mod attach;
mod attached;
mod bots;
mod commands;
mod deadlines;
mod delayed;
mod hints;
mod history;
mod inspect;
mod journal;
mod lag;
mod message;
mod pushes;
mod sleep;

pub use message::{Participant, RoomEffect, RoomInput};

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use tilewire_protocol::{ErrorBody, ErrorCode, GameRef, GameSummary, ServerMessage};
use tilewire_rules::event::Record;
use tilewire_rules::game::{Context, Game, WaitingTurn};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{Phase, ReplayError};
use tilewire_rules::time::{Millis, Seat, Timestamp, TurnNo};
use tilewire_rules::view::Audience;

use super::attach::Attach;
use super::bounds::GameBounds;
use super::hub::{HubInput, HubStart, Publication};
use super::position::Position;
use attached::Attached;
use bots::Bots;
use commands::Request;
use deadlines::Deadlines;
use delayed::Delayed;
use hints::Hints;
use history::History;
use inspect::Orders;
use journal::Writing;
use lag::LagQuotas;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::overload::Level;
use tilewire_store::RecordRow;
use tilewire_wire::snapshot;
use tilewire_wire::to_wire::GameFacts;

/// The parts of a room besides its log.
#[derive(Clone)]
pub struct RoomParts {
    /// Facts about the game that its events do not contain.
    pub facts: GameFacts,
    /// The code of a private game.
    pub code: Option<String>,
    /// The rule set of the game.
    pub rules: Arc<RuleSet>,
    /// The lexicon of the game.
    pub lexicon: Arc<dyn Lexicon>,
    /// The limits of the game.
    pub bounds: GameBounds,
}

/// A game and its clients, as a state machine without I/O.
pub struct Room<P> {
    parts: RoomParts,
    /// The durable game.
    game: Game,
    history: History,
    /// The game as spectators see it, if they see it delayed.
    delayed: Option<Delayed>,
    attached: Attached<P>,
    bots: Bots,
    hints: Hints,
    lag: LagQuotas,
    /// Commands that wait for the append in flight.
    queue: VecDeque<Request<P>>,
    /// Commands that the rules have but have not answered, and those of the append in flight.
    open: Vec<Request<P>>,
    writing: Writing<P>,
    /// The pending orders of operators.
    orders: Orders,
    /// The records of an append whose outcome is unknown.
    unconfirmed: Vec<Record>,
    /// Whether clients were told that the game waits for the storage.
    is_paused: bool,
    /// The waiting turn that the room announced to clients since the last event.
    told_waiting: Option<WaitingTurn>,
    /// The start of the outage or stall that has to be credited next.
    credit_from: Option<Timestamp>,
    started_at: Option<Timestamp>,
    /// The last turn whose player was called.
    called: TurnNo,
    /// Until when the room does nothing, because a deadline that is over waits for commands on their way.
    awaits_until: Option<Timestamp>,
    /// The lost time that the game knows of.
    lost_ms: Millis,
    /// The time of the last input other than a tick.
    busy_at: Timestamp,
    is_stopping: bool,
    /// Whether it stops because the game is loaded anew, here or by another node.
    is_moving: bool,
    /// The level of load shedding.
    level: Level,
}

impl<P: Participant> Room<P> {
    /// Returns the room of a game with this log; `rows` are the records as they are stored, if they are known.
    ///
    /// # Errors
    /// When the rules refuse the log.
    pub fn new(
        parts: RoomParts,
        records: Vec<Record>,
        rows: Vec<RecordRow>,
        now: Timestamp,
    ) -> Result<Self, ReplayError> {
        let started_at = history::first_turn_at(&records);
        let delayed = Delayed::of(&parts, &records, now)?;
        let capacity = parts.bounds.history_events;
        let (history, state) = History::replay(&parts.rules, records, rows, capacity)?;
        let game = Game::from_state(state);
        let seats = game.state().options().seats;
        let bots = Bots::of(game.state());
        let bot_seats = Seat::all(seats).filter(|seat| bots.has(*seat));
        Ok(Self {
            attached: Attached::new(seats, now, bot_seats),
            bots,
            hints: Hints::default(),
            lag: LagQuotas::full(seats, parts.bounds),
            started_at,
            called: game.state().last_turn(),
            parts,
            game,
            history,
            delayed,
            queue: VecDeque::new(),
            open: Vec::new(),
            writing: Writing::Idle,
            orders: Orders::default(),
            unconfirmed: Vec::new(),
            is_paused: false,
            told_waiting: None,
            credit_from: None,
            awaits_until: None,
            lost_ms: Millis::ZERO,
            busy_at: now,
            is_stopping: false,
            is_moving: false,
            level: Level::Normal,
        })
    }

    /// Sets the level of load shedding.
    pub const fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Sets the lost time that the game knows of, before the input that tells it of its last part.
    pub const fn set_lost(&mut self, lost_ms: Millis) {
        self.lost_ms = lost_ms;
    }

    /// Handles one input and returns the effects, in order.
    #[must_use = "effects are the only way anything gets out of a room"]
    pub fn handle(&mut self, now: Timestamp, input: RoomInput<P>) -> Vec<RoomEffect<P>> {
        let mut out = Vec::new();
        let mut is_kept = false;
        self.publish_due(now, &mut out);
        let fires = match input {
            RoomInput::Tick => Deadlines::Fire,
            _ => {
                self.busy_at = now;
                Deadlines::Wait
            }
        };
        match input {
            RoomInput::Attach { attach, .. } if attach.peer.is_revoked() => {
                refuse_revoked(&mut out, attach.peer, attach.request_id);
            }
            RoomInput::Attach { attach, code } => {
                self.attach(now, attach, code.as_deref(), &mut out);
            }
            RoomInput::Detach { peer, request_id } => {
                self.leave(now, peer.id(), Some((peer, request_id)), &mut out);
            }
            RoomInput::Gone(peer) => self.leave(now, peer, None, &mut out),
            RoomInput::Command {
                peer,
                request_id,
                received_at,
                lag_ms,
                command,
            } => {
                let asked = commands::ReplyTo {
                    peer,
                    request_id,
                    received_at,
                    lag_ms,
                };
                self.command(asked, &command, &mut out);
            }
            RoomInput::BotReplied(reply) => self.bot_replied(reply),
            RoomInput::HintFound(found) => self.hints.found(found),
            RoomInput::Appended(outcome) => self.appended(now, &outcome, &mut out),
            RoomInput::Reloaded(stored) => self.reloaded(now, stored, &mut out),
            RoomInput::Rested(outcome) => is_kept = self.rested(now, &outcome, &mut out),
            RoomInput::Inspect(asker) => {
                let inspection = Box::new(self.inspection(now));
                out.push(RoomEffect::Inspected(asker, inspection));
            }
            RoomInput::Order { asker, seq, order } => self.orders.push(asker, seq, order),
            RoomInput::Rematch(changed) => {
                self.fan_out(now, ServerMessage::Rematch(changed), &mut out);
            }
            RoomInput::Tick => self.retry(now, &mut out),
            RoomInput::Resumed { stopped_at } => self.resumed(now, stopped_at),
            RoomInput::Stop => self.is_stopping = true,
            RoomInput::HandOver => (self.is_stopping, self.is_moving) = (true, true),
        }
        self.advance(now, fires, &mut out);
        if matches!(self.writing, Writing::Idle) {
            self.answer_operators(now, &mut out);
            self.ask_bots(&mut out);
        }
        self.push_hint(&mut out);
        self.push_waiting(now, &mut out);
        self.push_presence(now, &mut out);
        self.push_crowd(now, &mut out);
        self.let_go(now, &mut out);
        if is_kept {
            self.leave_asleep(now, &mut out);
        } else {
            self.fall_asleep(now, &mut out);
        }
        out
    }

    /// Makes the time since `stopped_at` due for a credit. Nothing that was due since then happens before the credit.
    fn resumed(&mut self, now: Timestamp, stopped_at: Timestamp) {
        self.attached.excuse(now, now - stopped_at);
        let earlier = self.credit_from.unwrap_or(stopped_at);
        self.credit_from = Some(stopped_at.min(earlier));
    }

    /// Says whether the room may still have to store the credit of an outage.
    #[must_use]
    pub const fn owes_credit(&self) -> bool {
        self.credit_from.is_some() || !matches!(self.writing, Writing::Idle)
    }

    /// Returns the game's summary for lists: of a delayed game, as spectators see it.
    #[must_use]
    pub fn summary(&self) -> GameSummary {
        let watching = self.attached.watching();
        match &self.delayed {
            Some(delayed) => delayed.summary(&self.parts.facts, watching),
            None => self.live_summary(),
        }
    }

    /// Returns the game's summary for its own players, if it differs.
    #[must_use]
    pub fn own_summary(&self) -> Option<GameSummary> {
        self.delayed.as_ref().map(|_| self.live_summary())
    }

    fn live_summary(&self) -> GameSummary {
        snapshot::summary(
            &self.parts.facts,
            self.game.state(),
            self.started_at,
            self.attached.watching(),
        )
    }

    /// Returns how far the players' connections know the game.
    #[must_use]
    pub const fn resume_point(&self) -> ResumePoint {
        ResumePoint {
            epoch: self.parts.facts.epoch,
            seq: self.history.head(),
        }
    }

    /// Returns the code of a private game.
    #[must_use]
    pub const fn code(&self) -> Option<&String> {
        self.parts.code.as_ref()
    }

    /// Returns the durable game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the lexicon of the game.
    #[must_use]
    pub fn lexicon(&self) -> &Arc<dyn Lexicon> {
        &self.parts.lexicon
    }

    /// Returns the players' connections and the open requests, for a shell that has to end the room.
    #[must_use]
    pub fn stranded(&self) -> (Vec<P>, Vec<(P, u64)>) {
        let waiting = self.queue.iter().chain(&self.open);
        let unanswered = waiting
            .map(|request| (request.asked.peer.clone(), request.asked.request_id))
            .collect();
        (self.attached.players(), unanswered)
    }

    fn context(&self) -> Context<'_> {
        Context::new(&*self.parts.lexicon)
    }

    fn seat_of(&self, identity: &str) -> Option<Seat> {
        let players = &self.game.state().created().players;
        (0..)
            .zip(players)
            .find_map(|(seat, player)| (player.identity == identity).then_some(Seat(seat)))
    }

    fn snapshot(&self, now: Timestamp, audience: Audience) -> tilewire_protocol::Snapshot {
        self.position(now).seen_by(audience)
    }

    fn position(&self, now: Timestamp) -> Position {
        Position {
            facts: self.parts.facts.clone(),
            state: Arc::clone(self.game.shared_state()),
            waiting: self.game.waiting_turn(),
            connected: self.attached.connected(),
            watchers: Audience::Spectator,
            at: now,
        }
    }

    /// Says whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.state().phase() == Phase::Ended
    }

    /// Says whether the room ends because its game is loaded anew, here or by another node.
    #[must_use]
    pub const fn is_moving(&self) -> bool {
        self.is_moving
    }

    /// Returns when the room may leave memory: some time after its last input, if the game is over, no client is
    /// attached and no request is open.
    fn evict_at(&self) -> Option<Timestamp> {
        let is_deserted = self.attached.is_empty() && self.open.is_empty();
        (self.is_over() && is_deserted).then(|| self.busy_at + self.parts.bounds.finished_idle_ms)
    }

    fn let_go(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        let is_written = match &self.writing {
            // A room that leaves memory need not know whether its rest was stored.
            Writing::Idle | Writing::Waiting { .. } | Writing::Resting { .. } => true,
            Writing::Appending(_) => false,
            Writing::Reloading(reload) => reload.retry_at().is_some(),
        };
        let is_idle = matches!(self.writing, Writing::Idle)
            && self.queue.is_empty()
            && self.evict_at().is_some_and(|at| at <= now);
        if self.is_stopping && is_written {
            if matches!(self.writing, Writing::Reloading(_)) && !self.is_moving {
                // Nobody knows what became of these commands. Their senders ask again after they have reconnected.
                self.open.clear();
            }
            let ErrorBody { code, message, .. } = self.leaving();
            self.refuse_all(code, &message, out);
        }
        if is_idle || (self.is_stopping && is_written) {
            out.push(RoomEffect::Stop);
        }
    }

    /// Refuses a request, or gives it back if it is refused because another node gets the game.
    fn turn_away(&self, out: &mut Vec<RoomEffect<P>>, peer: P, request_id: u64, error: ErrorBody) {
        match (self.is_moving, error.code) {
            (true, ErrorCode::Busy) => out.push(RoomEffect::HandBack {
                peer,
                request_id,
                otherwise: error,
            }),
            _ => refuse(out, peer, request_id, error),
        }
    }

    /// The refusal of a request while the room is about to leave memory.
    fn leaving(&self) -> ErrorBody {
        let (code, text) = match self.is_moving {
            true => (ErrorCode::Busy, "another server gets the game; ask again"),
            false => (
                ErrorCode::ShuttingDown,
                "the server is stopping; ask again after you have reconnected",
            ),
        };
        ErrorBody::new(code, text)
    }

    fn game_ref(&self) -> GameRef {
        GameRef {
            game: self.parts.facts.game.clone(),
        }
    }
}

impl<P> std::fmt::Debug for Room<P> {
    /// Shows no state: it contains racks and the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room")
            .field("game", &self.parts.facts.game)
            .field("seq", &self.game.state().seq())
            .finish_non_exhaustive()
    }
}

fn reply<P>(out: &mut Vec<RoomEffect<P>>, peer: P, request_id: u64, message: ServerMessage) {
    out.push(RoomEffect::Reply {
        peer,
        request_id,
        message,
        received_at: None,
    });
}

fn refuse<P>(out: &mut Vec<RoomEffect<P>>, peer: P, request_id: u64, error: ErrorBody) {
    reply(out, peer, request_id, ServerMessage::Error(error));
}

fn refuse_revoked<P>(out: &mut Vec<RoomEffect<P>>, peer: P, request_id: u64) {
    let error = ErrorBody::new(ErrorCode::Revoked, ErrorCode::Revoked.meaning());
    refuse(out, peer, request_id, error);
}
