//! Messages from the server.

use tilewire_protocol::{ClientMessage, ErrorBody, ErrorCode, OkBody, ServerMessage};

use super::report::{Report, State, Status};
use super::{App, Effect, OnRefusal, Origin, Request};
use crate::text::printable;

/// Pause before a request is sent again, ms, unless the server sets one; it doubles with each refusal.
const RETRY_MS: i64 = 1_000;
/// Longest such pause, ms.
const RETRY_MAX_MS: i64 = 10_000;

impl App {
    pub(super) fn received(
        &mut self,
        now: i64,
        id: u64,
        message: ServerMessage,
        effects: &mut Vec<Effect>,
    ) {
        match message {
            ServerMessage::Hello(hello) => self.greeted(now, hello, effects),
            ServerMessage::Welcome(welcome) => {
                if matches!(
                    self.unanswered.remove(&id),
                    Some(Request {
                        message: ClientMessage::Auth(_),
                        ..
                    })
                ) {
                    self.welcomed(now, welcome, effects);
                }
            }
            ServerMessage::Ok(body) => {
                if let Some(request) = self.unanswered.remove(&id) {
                    self.succeeded(now, &request, *body, effects);
                }
            }
            ServerMessage::Error(body) => match self.unanswered.remove(&id) {
                Some(request) => self.failed(now, request, body, effects),
                None => effects.push(Effect::Report(Report::Error(None, Box::new(body)))),
            },
            ServerMessage::Event(event) => self.event_received(event, effects),
            ServerMessage::Snapshot(snapshot) => self.snapshot_received(snapshot, effects),
            ServerMessage::GameCreated(created) => self.game_created(created, effects),
            ServerMessage::SeekChanged(_)
                if self.lobby().is_some() && !self.has_command_in_flight() =>
            {
                // The player changed an offer on another device.
            }
            ServerMessage::SeekChanged(changed) => self.offer_changed(changed.seek, effects),
            ServerMessage::Lobby(change) => self.lobby_changed(*change, effects),
            ServerMessage::Chat(said) => self.chat_received(&said, effects),
            push => self.pushed(now, push, effects),
        }
    }

    fn pushed(&mut self, now: i64, push: ServerMessage, effects: &mut Vec<Effect>) {
        match &push {
            ServerMessage::Lag(lag) => self.lag_ms = Some(lag.lag_ms),
            // This game is on the screen, or will be.
            ServerMessage::YourTurn(call) if self.game.as_ref() == Some(&call.game) => return,
            ServerMessage::Detached(detached)
                if self.game.as_ref() == Some(&detached.game) && detached.code.retryable() =>
            {
                self.attach_later(now, RETRY_MS);
            }
            ServerMessage::Detached(detached) if self.game.as_ref() == Some(&detached.game) => {
                let reason = format!(
                    "the server stopped sending the game: {}",
                    printable(&detached.message)
                );
                effects.push(Effect::Report(Report::Push(Box::new(push))));
                return self.end(1, &reason, effects);
            }
            ServerMessage::Rematch(changed) => self.rematch_changed(changed),
            ServerMessage::Invitation(told) => self.invitation_told(told),
            _ => self.apply_push(&push),
        }
        if !matches!(push, ServerMessage::Unknown { .. }) {
            effects.push(Effect::Report(Report::Push(Box::new(push))));
        }
    }

    /// Applies a push to the view.
    fn apply_push(&mut self, push: &ServerMessage) {
        let Some(view) = &mut self.view else { return };
        match push {
            ServerMessage::Presence(presence) if presence.game == view.game => {
                if let Some(seat) = view.seats.get_mut(usize::from(presence.seat)) {
                    seat.is_connected = Some(presence.connected);
                }
            }
            ServerMessage::Crowd(crowd) if crowd.game == view.game => {
                view.watching = crowd.watching
            }
            ServerMessage::TurnWaiting(waiting) if waiting.game == view.game => {
                view.turn_waits(waiting);
            }
            ServerMessage::Paused(game) if game.game == view.game => view.is_paused = true,
            ServerMessage::Unpaused(game) if game.game == view.game => view.is_paused = false,
            _ => {}
        }
    }

    fn succeeded(
        &mut self,
        now: i64,
        request: &Request,
        answer: OkBody,
        effects: &mut Vec<Effect>,
    ) {
        self.refusals = 0;
        if let Some(server_time) = answer.server_time {
            self.offset_ms = Some(server_time.saturating_sub(now));
        }
        match request.origin {
            Origin::Line(line) => {
                let game = answer
                    .game
                    .clone()
                    .filter(|_| request.message.seek_command().is_some());
                let is_offer = matches!(
                    request.message,
                    ClientMessage::Seek(_)
                        | ClientMessage::QuickMatch(_)
                        | ClientMessage::JoinSeek(_)
                );
                let seek = answer.seek.clone().filter(|_| is_offer);
                let offers_rematch = matches!(request.message, ClientMessage::OfferRematch(_));
                if offers_rematch && self.game != answer.game {
                    self.rematch.clone_from(&answer.game);
                }
                effects.push(Effect::Report(Report::Ok(line, Box::new(answer))));
                if let ClientMessage::JoinSeek(joined) = &request.message {
                    self.withdraw_for(joined);
                }
                if let Some(seek) = seek {
                    self.offer_changed(seek, effects);
                }
                if let Some(game) = game.filter(|_| !offers_rematch) {
                    self.follow(game, effects);
                }
            }
            Origin::Goal => match &request.message {
                ClientMessage::Attach(attach) => self.attached(attach, &answer, effects),
                message => self.task_answered(message, answer, effects),
            },
            Origin::Auto if matches!(request.message, ClientMessage::LobbySubscribe(_)) => {
                self.lobby_followed(answer, effects);
            }
            Origin::Auto => {
                if let (ClientMessage::ChatJoin(join), Some(chat)) = (&request.message, answer.chat)
                {
                    self.chat_joined(join, *chat, effects);
                }
            }
            Origin::Tell(line, ref text) => {
                if let Some(room) = answer.chat.and_then(|chat| chat.room) {
                    let say = self.chat_say(room, text.clone());
                    self.queue_line(line, say);
                }
            }
            Origin::Shutdown => self.end(0, "quit", effects),
        }
    }

    fn failed(&mut self, now: i64, request: Request, error: ErrorBody, effects: &mut Vec<Effect>) {
        // The player decides whether to wait for an absent owner.
        let waits = error.retryable && error.code != ErrorCode::OwnerAway;
        let retries = self.config.on_refusal == OnRefusal::Retry;
        match request.origin {
            Origin::Line(_) | Origin::Tell(..) if waits && retries => {
                self.retry_later(now, request, &error);
            }
            Origin::Line(line) | Origin::Tell(line, _) => {
                effects.push(Effect::Report(Report::Error(Some(line), Box::new(error))))
            }
            Origin::Shutdown => self.end(0, "quit", effects),
            Origin::Goal | Origin::Auto if waits => self.retry_later(now, request, &error),
            // A server that cannot show the offer lets the player join it.
            Origin::Goal if error.code == ErrorCode::UnknownOp => match request.message {
                ClientMessage::FindSeek(find) => self.join(None, Some(find.code)),
                message => self.task_failed(&message, error, effects),
            },
            Origin::Goal => self.task_failed(&request.message, error, effects),
            // For example another device was faster, or the window closed; the events show it.
            Origin::Auto => {}
        }
    }

    /// Schedules a request to be sent again, after the server's pause or a growing one.
    fn retry_later(&mut self, now: i64, request: Request, error: &ErrorBody) {
        let asked = error
            .detail
            .as_ref()
            .and_then(|detail| detail.retry_after_ms);
        let grown = RETRY_MS << self.refusals.min(4);
        let pause_ms = asked.unwrap_or(grown).clamp(1, RETRY_MAX_MS);
        self.refusals = self.refusals.saturating_add(1);
        self.retries.push((now.saturating_add(pause_ms), request));
    }

    fn task_failed(
        &mut self,
        request: &ClientMessage,
        error: ErrorBody,
        effects: &mut Vec<Effect>,
    ) {
        let is_refused =
            matches!(request, ClientMessage::Auth(_)) && error.code == ErrorCode::BadToken;
        if is_refused && self.may_get_newer_token() {
            return;
        }
        let reason = match (request, error.code) {
            (ClientMessage::Auth(_), ErrorCode::BadToken) => self.bad_token_text(),
            _ => printable(&error.message),
        };
        effects.push(Effect::Report(Report::Error(None, Box::new(error))));
        let status = Status {
            reason: Some(reason),
            exit: Some(1),
            ..Status::of(State::Closed)
        };
        self.end_with(1, status, effects);
    }
}
