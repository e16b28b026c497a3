//! Following the game: attaching, resuming, and what the program does in it by itself.

use tilewire_protocol::{
    Attach, ClientMessage, Event, EventBody, GameCreated, GameId, OkBody, Phase, PlayCommand,
    Ready, Role, ServerMessage, Snapshot,
};

use super::report::{Report, State, Status};
use super::{Accept, App, Effect, Follow, Goal, Origin, Request};
use tilewire_client::{Arrival, GameView};

impl App {
    /// Follows a game from now on.
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
        self.ask_to_attach(request, effects);
    }

    /// Follows the game again, from where we stand.
    pub(super) fn attach(&mut self, effects: &mut Vec<Effect>) {
        if let Some(game) = self.game.clone()
            && self.attaching.is_none()
        {
            let request = self.session.attach(&game, None);
            self.ask_to_attach(request, effects);
        }
    }

    /// Follows the game again after a pause; commands wait for it.
    pub(super) fn attach_later(&mut self, now: i64, pause_ms: i64, effects: &mut Vec<Effect>) {
        if self.retry.is_some() {
            // A command that waits for its turn is not given up for this.
            return self.attach(effects);
        }
        if let Some(game) = self.game.clone()
            && self.attaching.is_none()
        {
            let request = self.session.attach(&game, None);
            self.attaching = Some(request.clone());
            let request = Request {
                message: ClientMessage::Attach(request),
                origin: Origin::Goal,
            };
            self.retry = Some((now.saturating_add(pause_ms), request));
        }
    }

    fn ask_to_attach(&mut self, request: Attach, effects: &mut Vec<Effect>) {
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

    /// The answer to an `attach`.
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
        if !is_first {
            return self.tell_resumed(Some(answer), effects);
        }
        self.announce(request.game.clone(), effects);
        let status = Status {
            game: Some(request.game.clone()),
            role: answer.role,
            seat: answer.seat,
            outcome: answer.outcome,
            head: answer.head,
            ..Status::of(State::Attached)
        };
        effects.push(Effect::Tell(Report::Status(Box::new(status))));
    }

    /// Tells that the game of the own offer exists, unless the server has told it.
    fn announce(&mut self, game: GameId, effects: &mut Vec<Effect>) {
        if let (Some(waiting), Some(seat), None) = (self.waiting.take(), self.seat, &self.announced)
        {
            let created = GameCreated {
                game: game.clone(),
                seek: waiting.seek.seek,
                seat,
            };
            let push = ServerMessage::GameCreated(created);
            effects.push(Effect::Tell(Report::Push(Box::new(push))));
        }
        self.announced = Some(game);
    }

    /// The server says that a game of ours exists.
    pub(super) fn game_created(&mut self, created: GameCreated, effects: &mut Vec<Effect>) {
        let is_ours = match (&self.waiting, &self.game) {
            (_, Some(game)) => *game == created.game,
            (Some(waiting), None) => waiting.seek.seek == created.seek,
            // In the lobby, nothing is ours before it is asked for.
            (None, None) if matches!(self.config.goal, Goal::Lobby(_)) => {
                self.has_command_in_flight()
            }
            // The answer to the seek itself has not come yet, or got lost.
            (None, None) => !matches!(
                self.config.goal,
                Goal::Resume(_) | Goal::Watch(..) | Goal::List | Goal::Identify | Goal::Rules(_)
            ),
        };
        if !is_ours || self.announced.as_ref() == Some(&created.game) {
            return;
        }
        let game = created.game.clone();
        self.announced = Some(game.clone());
        let push = ServerMessage::GameCreated(created);
        effects.push(Effect::Tell(Report::Push(Box::new(push))));
        self.follow(game, effects);
    }

    pub(super) fn tell_resumed(&mut self, answer: Option<&OkBody>, effects: &mut Vec<Effect>) {
        let status = Status {
            game: self.game.clone(),
            outcome: answer.and_then(|answer| answer.outcome),
            head: answer.and_then(|answer| answer.head),
            ..Status::of(State::Resumed)
        };
        effects.push(Effect::Tell(Report::Status(Box::new(status))));
    }

    /// Whether everything up to the head that `attach` announced has come.
    pub(super) fn has_all_of_the_game(&self) -> bool {
        let seq = self.view.as_ref().map(|view| view.seq);
        self.attaching.is_none() && seq.is_some_and(|seq| self.head.is_none_or(|head| seq >= head))
    }

    pub(super) fn event_came(&mut self, event: Event, effects: &mut Vec<Effect>) {
        if self.game.as_ref() != Some(&event.game) {
            return;
        }
        match self.session.event(&event) {
            Arrival::Apply => {}
            Arrival::Duplicate | Arrival::Unattached => return,
            Arrival::Gap { .. } => return self.attach(effects),
        }
        let seat = match &event.body {
            // Who watches a game of their own identity's is a player for the server, whatever the role says.
            EventBody::Created(_) => self.seat,
            _ => None,
        };
        GameView::fold(&mut self.view, &event, self.role, seat);
        if let Some(view) = &mut self.view {
            view.is_paused = false;
        }
        effects.push(Effect::Tell(Report::Push(Box::new(ServerMessage::Event(
            event,
        )))));
        self.act_alone();
    }

    pub(super) fn snapshot_came(&mut self, snapshot: Box<Snapshot>, effects: &mut Vec<Effect>) {
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
        effects.push(Effect::Tell(Report::Push(Box::new(
            ServerMessage::Snapshot(snapshot),
        ))));
        self.act_alone();
    }

    /// Does what needs no person: says `ready`, accepts plays when told to.
    fn act_alone(&mut self) {
        if !self.has_all_of_the_game() {
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
            self.alone(ClientMessage::Ready(Ready {
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
            self.alone(ClientMessage::Accept(PlayCommand {
                game,
                cmd_id,
                play_id,
            }));
        }
    }

    fn alone(&mut self, message: ClientMessage) {
        self.commands.push_back(Request {
            message,
            origin: Origin::Auto,
        });
    }

    fn has_request(&self, is_it: impl Fn(&ClientMessage) -> bool) -> bool {
        let unanswered = self.unanswered.values();
        let retry = self.retry.iter().map(|(_, request)| request);
        unanswered
            .chain(&self.commands)
            .chain(retry)
            .any(|request| is_it(&request.message))
    }

    /// Whether the hash the game was created with is that of our nonce: a program that was started again has another.
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
