//! The followed game: attach, resume, and the commands the program sends without the player.

use tilewire_protocol::{
    Attach, ClientMessage, Event, EventBody, GameCreated, GameId, OkBody, Phase, PlayCommand,
    Ready, Role, ServerMessage, Snapshot,
};

use super::report::{Report, State, Status};
use super::{Accept, App, Effect, Follow, Goal, Origin, Request};
use tilewire_client::{Arrival, GameView};

impl App {
    /// Starts to follow a game.
    pub(super) fn follow(&mut self, game: GameId, effects: &mut Vec<Effect>) {
        if self.game.is_some() {
            return;
        }
        self.choices = None;
        let code = match &self.config.goal {
            Goal::Watch(_, code) => code.clone(),
            _ => None,
        };
        let request = match self.config.follow {
            Follow::FromStart => self.session.attach_from_start(&game, code),
            Follow::FromNow => self.session.attach(&game, code),
        };
        self.game = Some(game);
        self.leave_lobby(effects);
        self.send_attach(request, effects);
    }

    /// Follows the game again from the last event.
    pub(super) fn attach(&mut self, effects: &mut Vec<Effect>) {
        if let Some(game) = self.game.clone()
            && self.attaching.is_none()
        {
            let request = self.session.attach(&game, None);
            self.send_attach(request, effects);
        }
    }

    /// Follows the game again after a pause; commands wait until then.
    pub(super) fn attach_later(&mut self, now: i64, pause_ms: i64) {
        if let Some(game) = self.game.clone()
            && self.attaching.is_none()
        {
            let request = self.session.attach(&game, None);
            self.attaching = Some(request.clone());
            let request = Request {
                message: ClientMessage::Attach(request),
                origin: Origin::Goal,
            };
            self.retries.push((now.saturating_add(pause_ms), request));
        }
    }

    fn send_attach(&mut self, request: Attach, effects: &mut Vec<Effect>) {
        self.attaching = Some(request.clone());
        let message = ClientMessage::Attach(request);
        self.send(
            Request {
                message,
                origin: Origin::Goal,
            },
            effects,
        );
    }

    /// Handles the answer to an `attach`.
    pub(super) fn attached(
        &mut self,
        request: &Attach,
        answer: &OkBody,
        effects: &mut Vec<Effect>,
    ) {
        self.session.attached(request, answer);
        self.attaching = None;
        self.head = answer.head;
        let is_first = self.view.is_none();
        self.role = answer.role.unwrap_or(Role::Spectator);
        self.seat = answer.seat;
        if let Some(view) = &mut self.view {
            // The server says again whether a turn waits.
            view.waiting_until = None;
        }
        self.join_game_chat(effects);
        if !is_first {
            return self.report_resumed(Some(answer), effects);
        }
        self.announce(request.game.clone(), effects);
        let status = Status {
            game: Some(request.game.clone()),
            role: answer.role,
            seat: answer.seat,
            outcome: answer.outcome,
            head: answer.head,
            reason: self.seat_warning(),
            ..Status::of(State::Attached)
        };
        effects.push(Effect::Report(Report::Status(Box::new(status))));
    }

    /// Reports the game that the player's offer became, unless the server has already announced it.
    fn announce(&mut self, game: GameId, effects: &mut Vec<Effect>) {
        if let (Some(waiting), Some(seat), None) = (self.waiting.take(), self.seat, &self.announced)
        {
            let created = GameCreated {
                game: game.clone(),
                seek: waiting.seek.seek,
                seat,
            };
            let push = ServerMessage::GameCreated(created);
            effects.push(Effect::Report(Report::Push(Box::new(push))));
        }
        self.announced = Some(game);
    }

    /// Handles the announcement of a game.
    pub(super) fn game_created(&mut self, created: GameCreated, effects: &mut Vec<Effect>) {
        if self.is_rematch(&created) {
            return self.begin_rematch(created, effects);
        }
        let is_ours = match (&self.waiting, &self.game) {
            (_, Some(game)) => *game == created.game,
            (Some(waiting), None) => waiting.seek.seek == created.seek,
            // In the lobby, only a request that is in flight, or an invitation, can have created a game of this program.
            (None, None) if matches!(self.config.goal, Goal::Lobby(_)) => {
                self.has_command_in_flight() || self.has_invited(&created.seek)
            }
            // The answer to the seek has not arrived yet, or is lost.
            (None, None) => !matches!(
                self.config.goal,
                Goal::Resume(_)
                    | Goal::Watch(..)
                    | Goal::List
                    | Goal::ListFinished(_)
                    | Goal::Identify
                    | Goal::Rules(_)
                    | Goal::LookUp(_)
            ),
        };
        if !is_ours || self.announced.as_ref() == Some(&created.game) {
            return;
        }
        let game = created.game.clone();
        self.announced = Some(game.clone());
        let push = ServerMessage::GameCreated(created);
        effects.push(Effect::Report(Report::Push(Box::new(push))));
        self.follow(game, effects);
    }

    pub(super) fn report_resumed(&mut self, answer: Option<&OkBody>, effects: &mut Vec<Effect>) {
        let status = Status {
            game: self.game.clone(),
            outcome: answer.and_then(|answer| answer.outcome),
            head: answer.and_then(|answer| answer.head),
            ..Status::of(State::Resumed)
        };
        effects.push(Effect::Report(Report::Status(Box::new(status))));
    }

    /// Whether all events up to the head that the answer to `attach` announced have arrived.
    pub(super) fn is_caught_up(&self) -> bool {
        let seq = self.view.as_ref().map(|view| view.seq);
        self.attaching.is_none() && seq.is_some_and(|seq| self.head.is_none_or(|head| seq >= head))
    }

    pub(super) fn event_received(&mut self, event: Event, effects: &mut Vec<Effect>) {
        if self.game.as_ref() != Some(&event.game) {
            return;
        }
        match self.session.event(&event) {
            Arrival::Apply => {}
            Arrival::Duplicate | Arrival::Unattached => return,
            Arrival::Gap { .. } => return self.attach(effects),
        }
        let seat = match &event.body {
            // The server attaches a watcher as a player if the watcher's identity has a seat in the game.
            EventBody::Created(_) => self.seat,
            _ => None,
        };
        GameView::fold(&mut self.view, &event, self.role, seat);
        if let Some(view) = &mut self.view {
            view.is_paused = false;
        }
        effects.push(Effect::Report(Report::Push(Box::new(
            ServerMessage::Event(event),
        ))));
        self.send_automatic();
    }

    pub(super) fn snapshot_received(&mut self, snapshot: Box<Snapshot>, effects: &mut Vec<Effect>) {
        if self.game.as_ref() != Some(&snapshot.game) {
            return;
        }
        self.session.snapshot(&snapshot);
        let mut view = GameView::from_snapshot(&snapshot);
        if let Some(known) = &self.view {
            view.watching = known.watching;
            view.keep_order_of(&known.rack);
        }
        self.view = Some(view);
        effects.push(Effect::Report(Report::Push(Box::new(
            ServerMessage::Snapshot(snapshot),
        ))));
        self.send_automatic();
    }

    /// Sends the commands that need no player: `ready`, and `accept` with `--auto-accept`.
    fn send_automatic(&mut self) {
        if !self.is_caught_up() {
            return;
        }
        let (Some(view), Some(seat)) = (&self.view, self.seat) else {
            return;
        };
        let game = view.game.clone();
        let is_ready = view
            .seats
            .get(usize::from(seat))
            .is_none_or(|seat| seat.is_ready);
        if view.phase == Phase::Waiting
            && !is_ready
            && !self.has_request(|message| matches!(message, ClientMessage::Ready(_)))
        {
            let cmd_id = self.session.next_cmd_id();
            let nonce = Some(self.nonce()).filter(|_| self.announced_own_nonce());
            self.queue_automatic(ClientMessage::Ready(Ready {
                game,
                cmd_id,
                nonce,
            }));
            return;
        }
        let play_id = view.window.as_ref().map(|window| window.play_id);
        if self.config.accept == Accept::Auto
            && view.may_answer()
            && let Some(play_id) = play_id
            && !self.has_request(
                |message| matches!(message, ClientMessage::Accept(body) if body.play_id == play_id),
            )
        {
            let cmd_id = self.session.next_cmd_id();
            self.queue_automatic(ClientMessage::Accept(PlayCommand {
                game,
                cmd_id,
                play_id,
            }));
        }
    }

    fn queue_automatic(&mut self, message: ClientMessage) {
        self.commands.push_back(Request {
            message,
            origin: Origin::Auto,
        });
    }

    pub(super) fn has_request(&self, is_it: impl Fn(&ClientMessage) -> bool) -> bool {
        let unanswered = self.unanswered.values();
        let retries = self.retries.iter().map(|(_, request)| request);
        unanswered
            .chain(&self.commands)
            .chain(retries)
            .any(|request| is_it(&request.message))
    }

    /// Whether the game was created with the hash of this program's nonce. A restarted program has another nonce.
    fn announced_own_nonce(&self) -> bool {
        let (Some(view), Some(seat)) = (&self.view, self.seat) else {
            return false;
        };
        let hash = self.nonce_hash();
        view.setup
            .nonce_hashes
            .iter()
            .any(|announced| announced.seat == seat && announced.hash == hash)
    }
}
