//! Carries out the machine's effects on this node.

use std::collections::{BTreeSet, VecDeque};
use std::mem;
use std::sync::Arc;

use bytes::Bytes;
use tilewire_protocol::{
    CloseCode, Codec, Detached, ErrorBody, GameId, GameRef, ServerMessage, decode_client,
    decode_server, encode_server,
};
use tilewire_rules::time::Timestamp;

use super::client_link::ClientLink;
use super::{Exchange, State};
use crate::asks::message::HttpRequest;
use crate::gateway;
use crate::gateway::Push;
use crate::message::{Call, End};
use crate::{AboutGames, Effect, Input};
use tilewire_base::metrics;
use tilewire_delivery::outbound::{Delivery, Outbox, Outgoing, Peer, Priority};
use tilewire_delivery::session::UNREADABLE;
use tilewire_game::Location;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{NodeId, Part};

/// Connections that are written to before other tasks get their turn: some 0.3 ms.
const WRITES_AT_ONCE: usize = 64;

/// Writes what is queued for many connections.
async fn write(told: Vec<Arc<Outbox>>) {
    for outboxes in told.chunks(WRITES_AT_ONCE) {
        outboxes.iter().for_each(|outbox| outbox.flush());
        tokio::task::yield_now().await;
    }
}

/// The work that is done after the lock is released.
#[derive(Debug, Default)]
pub(super) struct After {
    /// Outboxes with queued frames.
    told: Vec<Arc<Outbox>>,
    /// Connections and games: the outbox of the connection has refused frames of the game.
    behind: BTreeSet<(u64, GameId)>,
    /// Players who get a message.
    called: Vec<(Peer, ServerMessage)>,
    /// Whether the database is to be looked at.
    must_look: bool,
    /// Messages of other nodes about games.
    about_games: Vec<(NodeId, AboutGames)>,
    /// Requests over HTTP of other nodes, with their numbers.
    asked: Vec<(u64, HttpRequest)>,
}

impl After {
    pub(super) fn carry_out(self, exchange: &Exchange) {
        if self.told.len() > WRITES_AT_ONCE {
            exchange.runtime.spawn(write(self.told));
        } else {
            self.told.iter().for_each(|outbox| outbox.flush());
        }
        for (peer, message) in self.called {
            peer.send(0, &message);
        }
        for (from, message) in self.about_games {
            exchange.hear_of_games(from, message);
        }
        if self.must_look {
            (exchange.look)();
        }
        for (number, request) in self.asked {
            exchange.answer(number, request);
        }
    }
}

impl Exchange {
    /// Hands an input to the machine and carries out its effects, and those of the inputs that they lead to.
    pub(super) fn handle(
        &self,
        state: &mut State,
        now: Timestamp,
        input: Input,
        after: &mut After,
    ) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            for effect in state.relay.handle(now, input) {
                self.carry_out(state, effect, &mut inputs, after);
            }
        }
    }

    fn carry_out(
        &self,
        state: &mut State,
        effect: Effect,
        inputs: &mut VecDeque<Input>,
        after: &mut After,
    ) {
        match effect {
            Effect::Deliver(connection, frames) => {
                if let Some(link) = state.client_links.get(&connection) {
                    for game in link.deliver(frames, &mut after.behind) {
                        inputs.push_back(Input::Behind(connection, game));
                    }
                    after.told.push(Arc::clone(&link.outbox));
                }
            }
            Effect::Push(connection, push) => {
                if let Some(link) = state.client_links.get(&connection) {
                    link.push(push);
                    after.told.push(Arc::clone(&link.outbox));
                }
            }
            Effect::Begin(key, client) => {
                let waiting = Arc::clone(&self.waiting);
                let served = self.remote_service.begin(key, &client, waiting);
                state.keys.insert(served.peer().id(), key);
                state.channels.insert(key, served);
            }
            Effect::Present(key) => {
                if let Some(served) = state.channels.get(&key) {
                    served.present();
                }
            }
            Effect::Serve(key, request) => {
                if let Some(served) = state.channels.get(&key) {
                    served.ask(request);
                }
            }
            Effect::End(key, end) => {
                if let Some(served) = state.channels.remove(&key) {
                    state.keys.remove(&served.peer().id());
                    served.end(end);
                }
            }
            Effect::Call(from, call) => self.call_player(state, from, &call, after),
            Effect::Look => after.must_look = true,
            Effect::Games(from, message) => after.about_games.push((from, message)),
            Effect::ReportAnew => self.reports_anew.set(),
            Effect::Answered(number, answer) => Self::answered(state, number, *answer),
            Effect::Answer(number, request) => after.asked.push((number, *request)),
        }
    }

    /// Takes the owners of the parts as this node knows them now.
    pub(super) fn place(&self) {
        let now = self.clock.now();
        let parts = self.owners.parts();
        let mut after = After::default();
        {
            let state = &mut *self.lock();
            let asked = self.leave_lobby(state, &parts);
            self.handle(state, now, Input::Placed(Box::new(parts)), &mut after);
            for asked in asked {
                self.handle(
                    state,
                    now,
                    Input::ClientRequest(Box::new(asked)),
                    &mut after,
                );
            }
        }
        after.carry_out(self);
        self.work.notify_one();
    }

    /// Forgets who is connected to other nodes, if another one has the lobby, and returns what its own clients had asked the lobby.
    fn leave_lobby(&self, state: &mut State, parts: &OwnerTable) -> Vec<gateway::ClientRequest> {
        match parts.owner(Part::LOBBY) {
            Some((node, _)) if node == self.me => state.had_lobby = true,
            // It was given away: what it was doing is done.
            Some(_) if mem::take(&mut state.had_lobby) => return self.forget_lobby(state),
            _ => {}
        }
        Vec::new()
    }

    fn forget_lobby(&self, state: &State) -> Vec<gateway::ClientRequest> {
        self.directory.forget_reported();
        for served in state.channels.values() {
            served.absent(End::Lost);
        }
        let links = state.client_links.values();
        links.flat_map(|link| link.leave_lobby()).collect()
    }

    /// Passes a call on to the connections of a player: for the node of the lobby, all of them are in the registry.
    fn call_player(&self, state: &State, from: NodeId, call: &Call, after: &mut After) {
        if self.directory.lobby_place() != Location::Mine {
            return;
        }
        let Ok((_, message)) = decode_server(Codec::MsgPack, &call.message.0) else {
            return;
        };
        for peer in self.registry.of(&call.identity) {
            let connection = self.connection_of(state, &peer);
            if connection.0 != from.0 && !call.except.contains(&connection) {
                after.called.push((peer, message.clone()));
            }
        }
    }

    /// Returns the number of the gateway of a client, and that of its connection there.
    pub(super) fn connection_of(&self, state: &State, peer: &Peer) -> (i32, u64) {
        match state.keys.get(&peer.id()) {
            Some(key) => (key.gateway.0, key.channel.connection),
            None => (self.me.0, peer.id().0),
        }
    }
}

impl ClientLink {
    /// Queues frames. Returns the games of the frames that the outbox of a spectator has refused, and adds these games to
    /// `behind`. No more frames of these games are queued.
    fn deliver(
        &self,
        frames: Vec<gateway::Delivery>,
        behind: &mut BTreeSet<(u64, GameId)>,
    ) -> Vec<GameId> {
        let mut refused = Vec::new();
        for delivery in frames {
            if let Some((request_id, is_ok)) = delivery.answers
                && !self.ledger.answered(request_id, is_ok)
            {
                continue;
            }
            if let Some(game) = &delivery.detaches {
                self.ledger.detached(game);
            }
            let watched = delivery.watches.map(|game| (self.connection, game));
            let priority = match (delivery.answers, &watched) {
                (Some(_), _) => Priority::Reply,
                (None, Some(watched)) if behind.contains(watched) => continue,
                (None, Some(_)) => Priority::Spectator,
                (None, None) => Priority::Player,
            };
            let queued = self.outbox.queue(priority, delivery.frame.into());
            if queued == Delivery::Lagging
                && let Some(watched) = watched
            {
                refused.push(watched.1.clone());
                behind.insert(watched);
            }
        }
        refused
    }

    /// Queues what the gateway says by itself.
    fn push(&self, push: Push) {
        let (request_id, message) = match push {
            Push::Paused(game) => (0, ServerMessage::Paused(GameRef { game })),
            Push::Unpaused(game) => (0, ServerMessage::Unpaused(GameRef { game })),
            Push::Detached(game, code, text) => {
                self.ledger.detached(&game);
                let message = text.to_owned();
                let detached = Detached {
                    game,
                    code,
                    message,
                };
                (0, ServerMessage::Detached(detached))
            }
            Push::Refuse(request_id, code, text) => {
                if !self.ledger.answered(request_id, false) {
                    return;
                }
                metrics::command_refused(code);
                (request_id, ServerMessage::Error(ErrorBody::new(code, text)))
            }
            Push::Unreadable(request_id, request) => {
                return self.refuse_unreadable(request_id, &request);
            }
            Push::Close(code, reason) => return self.outbox.close(code, &reason),
        };
        self.queue(request_id, &message);
    }

    /// Refuses a request that its owner cannot read, as the connection refuses those that it reads itself.
    fn refuse_unreadable(&self, request_id: u64, request: &[u8]) {
        let Err(error) = decode_client(Codec::MsgPack, request) else {
            // The owner has another version of the protocol.
            let reason = "another server cannot read a request";
            return self.outbox.close(CloseCode::GoingAway, reason);
        };
        if !self.ledger.answered(request_id, false) {
            return;
        }
        metrics::message_refused(error.code);
        self.queue(request_id, &ServerMessage::Error(error.to_body()));
        if self.patience.is_over() {
            self.outbox.close(CloseCode::ProtocolError, UNREADABLE);
        }
    }

    fn queue(&self, request_id: u64, message: &ServerMessage) {
        let priority = match request_id {
            0 => Priority::Player,
            _ => Priority::Reply,
        };
        let frame = Bytes::from(encode_server(self.codec(), request_id, message));
        self.outbox.queue(priority, Outgoing::Message(frame));
    }
}
