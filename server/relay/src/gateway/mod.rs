//! The gateway's half of the relay, as a state machine without I/O: the requests of clients that other nodes answer, and the games
//! that clients follow there.
//!
//! The gateway keeps every request until it is answered, and for each game the position of the client in its stream. When an
//! owner is lost, or the part has another one, the gateway opens channels anew, attaches the games from their positions, and
//! sends the unanswered requests again. The client sees a paused game at most.
//!
//! Invariants:
//! - every request of a client is answered once at most, and exactly once unless its connection ends;
//! - a client gets the events of a game in order and without gaps, or a snapshot in place of some;
//! - what an owner says about a game or a request counts only while the gateway takes it for their owner.

mod answers;
mod connection;
mod input;
mod pending;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewire_protocol::{CloseCode, ErrorCode};
use tilewire_rules::time::{Millis, Timestamp};

use super::groups::Groups;
use super::message::{Channel, Client, ToGateway, ToOwner};
use connection::Connection;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{NodeId, Part, Term};

pub use input::{ClientRequest, Delivery, Effect, GatewayBounds, Input, Push, Subject};

/// How often a gateway looks at what waits.
const TICK_MS: Millis = Millis(50);

/// The gateway's half of the relay.
#[derive(Debug)]
pub struct Gateway {
    me: NodeId,
    bounds: GatewayBounds,
    parts: OwnerTable,
    /// The nodes that can be reached.
    up: BTreeSet<NodeId>,
    connections: BTreeMap<u64, Connection>,
    /// The connections for which something is to be sent, as soon as that is possible.
    waiting: BTreeSet<u64>,
    /// The groups of channels that each node has named.
    groups: BTreeMap<NodeId, Groups>,
    /// Bytes of the unanswered requests.
    bytes: usize,
    /// Channels opened so far.
    generations: u64,
    tick_at: Option<Timestamp>,
}

/// The things of a machine that a connection uses.
struct Context<'a> {
    now: Timestamp,
    connection: u64,
    me: NodeId,
    bounds: &'a GatewayBounds,
    parts: &'a OwnerTable,
    up: &'a BTreeSet<NodeId>,
    bytes: &'a mut usize,
    generations: &'a mut u64,
    out: &'a mut Vec<Effect>,
}

impl Context<'_> {
    /// Returns the owner of a part and its term, if it can be reached now.
    fn reachable(&self, part: Part) -> Option<(NodeId, Term)> {
        let owner = self.parts.owner(part)?;
        self.up.contains(&owner.0).then_some(owner)
    }

    /// Returns when something is tried again that was refused now.
    fn next_try(&self) -> Timestamp {
        self.now + self.bounds.retry_ms
    }

    /// Returns when the stream of a game that a node has let go may be asked for. The next owner is asked at once. As long as
    /// none is known, there is a pause: the node may have lost the game without knowing that, and would load it in vain.
    fn after_let_go(&self, node: NodeId, part: Part) -> Timestamp {
        match self.parts.owner(part) {
            Some((owner, _)) if owner == node => self.next_try(),
            _ => Timestamp::MIN,
        }
    }

    fn send(&mut self, to: NodeId, message: ToOwner) {
        self.out.push(Effect::Send(to, message));
    }

    fn push(&mut self, push: Push) {
        self.out.push(Effect::Push(self.connection, push));
    }
}

impl Gateway {
    /// Returns a gateway without connections, which knows no owner.
    #[must_use]
    pub const fn new(me: NodeId, bounds: GatewayBounds) -> Self {
        Self {
            me,
            bounds,
            parts: OwnerTable::NONE,
            up: BTreeSet::new(),
            connections: BTreeMap::new(),
            waiting: BTreeSet::new(),
            groups: BTreeMap::new(),
            bytes: 0,
            generations: 0,
            tick_at: None,
        }
    }

    /// Handles one input and returns the effects, in order.
    #[must_use]
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            Input::Present(connection, client) => self.present(now, connection, client, &mut out),
            Input::ClientRequest(asked) => self.asked(now, *asked, &mut out),
            Input::Follow(connection, client, leaving) => {
                let known = self.connections.entry(connection);
                known.or_insert_with(|| Connection::new(client));
                self.with(now, connection, &mut out, |connection, context| {
                    connection.follow(context, *leaving);
                    connection.advance(context);
                });
            }
            Input::Ended(connection, end) => {
                if let Some(ended) = self.connections.remove(&connection) {
                    self.waiting.remove(&connection);
                    self.bytes -= ended.bytes();
                    for (node, channel) in ended.channels(connection) {
                        out.push(Effect::Send(node, ToOwner::Close(channel, end)));
                    }
                }
            }
            Input::Behind(connection, game) => {
                self.with(now, connection, &mut out, |connection, context| {
                    connection.fall_behind(context, &game);
                });
            }
            Input::Received(node, message) => self.received(now, node, message, &mut out),
            Input::Placed(parts) => self.placed(now, *parts, &mut out),
            Input::Up(node) => {
                self.up.insert(node);
                self.advance_waiting(now, &mut out);
            }
            Input::Down(node) => {
                self.up.remove(&node);
                self.lose(now, node, &mut out);
            }
            Input::Reset(node) => self.lose(now, node, &mut out),
            Input::Tick => {
                self.tick_at = None;
                self.advance_waiting(now, &mut out);
            }
        }
        match self.waiting.is_empty() {
            true => self.tick_at = None,
            false => _ = self.tick_at.get_or_insert(now + TICK_MS),
        }
        out
    }

    /// Returns when [`Input::Tick`] is due.
    #[must_use]
    pub const fn next_deadline(&self) -> Option<Timestamp> {
        self.tick_at
    }

    /// Says whether the gateway follows a game, or answers a request about it, for a connection. Further requests about the
    /// game have to take the same way.
    #[must_use]
    pub fn concerns(&self, connection: u64, subject: &Subject) -> bool {
        let connection = self.connections.get(&connection);
        connection.is_some_and(|connection| connection.concerns(subject))
    }

    /// Returns the number of connections with a channel, a request or a game at another node.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Returns the bytes of the unanswered requests.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    fn present(
        &mut self,
        now: Timestamp,
        connection: u64,
        client: Arc<Client>,
        out: &mut Vec<Effect>,
    ) {
        let known = self.connections.entry(connection);
        known.or_insert_with(|| Connection::new(client)).present();
        self.with(now, connection, out, Connection::advance);
    }

    fn asked(&mut self, now: Timestamp, asked: ClientRequest, out: &mut Vec<Effect>) {
        let connection = asked.connection;
        if self.bytes + asked.message.len() > self.bounds.held_bytes {
            let text = "too many requests wait for other servers";
            let push = Push::Refuse(asked.request_id, ErrorCode::Busy, text);
            out.push(Effect::Push(connection, push));
            return;
        }
        let known = self.connections.entry(connection);
        known.or_insert_with(|| Connection::new(Arc::clone(&asked.client)));
        self.with(now, connection, out, |connection, context| {
            connection.ask(context, asked);
            connection.advance(context);
        });
    }

    fn received(
        &mut self,
        now: Timestamp,
        node: NodeId,
        message: ToGateway,
        out: &mut Vec<Effect>,
    ) {
        match message {
            ToGateway::Frames(channel, frames) => {
                self.at(now, (node, channel), out, |connection, context| {
                    connection.deliver(context, node, frames);
                });
            }
            ToGateway::Shared(group, frames) => {
                let groups = self.groups.entry(node).or_default();
                let channels = groups.members(group).unwrap_or_default();
                for channel in channels.iter() {
                    self.at(now, (node, *channel), out, |connection, context| {
                        connection.deliver(context, node, frames.clone());
                    });
                }
            }
            ToGateway::NotMine(channel, relay_id) => {
                self.at(now, (node, channel), out, |connection, context| {
                    connection.not_mine(context, node, relay_id);
                });
            }
            ToGateway::Unreadable(channel, relay_id) => {
                self.at(now, (node, channel), out, |connection, context| {
                    connection.cannot_be_read(context, node, relay_id);
                });
            }
            ToGateway::LetGo(channel, game) => {
                self.at(now, (node, channel), out, |connection, context| {
                    connection.let_go(context, node, &game);
                    connection.advance(context);
                });
            }
            ToGateway::Gone(channel) => {
                self.at(now, (node, channel), out, |connection, context| {
                    connection.lose(context, node, Pause::Retry);
                });
            }
            ToGateway::Close(channel, code, reason) => {
                self.at(now, (node, channel), out, |_, context| {
                    let code = CloseCode::from_u16(code).unwrap_or(CloseCode::GoingAway);
                    context.push(Push::Close(code, reason));
                });
            }
            // It is about no channel, and the relay takes it.
            ToGateway::Reply(_) => {}
        }
    }

    /// Does something with the connection of a channel, unless the channel is over.
    fn at(
        &mut self,
        now: Timestamp,
        (node, channel): (NodeId, Channel),
        out: &mut Vec<Effect>,
        act: impl FnOnce(&mut Connection, &mut Context<'_>),
    ) {
        self.with(now, channel.connection, out, |connection, context| {
            if connection.has(node, channel) {
                act(connection, context);
            }
        });
    }

    fn placed(&mut self, now: Timestamp, parts: OwnerTable, out: &mut Vec<Effect>) {
        let former = std::mem::replace(&mut self.parts, parts);
        if former == self.parts {
            return;
        }
        let connections: Vec<u64> = self.connections.keys().copied().collect();
        for connection in connections {
            self.with(now, connection, out, |connection, context| {
                connection.moved(context, &former);
                connection.advance(context);
            });
        }
    }

    /// Loses all channels of a node: messages in either direction were lost.
    fn lose(&mut self, now: Timestamp, node: NodeId, out: &mut Vec<Effect>) {
        self.groups.remove(&node);
        let concerned = self.connections.iter();
        let concerned = concerned.filter(|(_, connection)| connection.uses(node));
        let concerned: Vec<u64> = concerned.map(|(id, _)| *id).collect();
        for connection in concerned {
            self.with(now, connection, out, |connection, context| {
                connection.lose(context, node, Pause::None);
            });
        }
    }

    fn advance_waiting(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        for connection in self.waiting.clone() {
            self.with(now, connection, out, |connection, context| {
                connection.expire(context);
                connection.advance(context);
            });
        }
    }

    /// Does something with a connection, if it is known, and notes whether it waits for anything afterwards.
    fn with(
        &mut self,
        now: Timestamp,
        id: u64,
        out: &mut Vec<Effect>,
        act: impl FnOnce(&mut Connection, &mut Context<'_>),
    ) {
        let Some(connection) = self.connections.get_mut(&id) else {
            return;
        };
        let mut context = Context {
            now,
            connection: id,
            me: self.me,
            bounds: &self.bounds,
            parts: &self.parts,
            up: &self.up,
            bytes: &mut self.bytes,
            generations: &mut self.generations,
            out,
        };
        act(connection, &mut context);
        match connection.waits() {
            true => self.waiting.insert(id),
            false => self.waiting.remove(&id),
        };
    }
}

/// Whether a gateway waits before it tries again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    /// It does not: messages were lost, and the other node does not know.
    None,
    /// It does: the other node has refused.
    Retry,
}
