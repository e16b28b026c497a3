//! The relay of one node: its links, its half as a gateway, and its half as an owner, as one state machine without I/O.
//!
//! A connection goes on through the relay while it follows a game whose part comes to this node: messages of a node to itself need
//! no bus.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::asks::message::{HttpAnswer, HttpRequest, Replied};
use super::asks::{AskBounds, Asking, Asks, NoAnswer};
use super::batch::{BATCH_MAX_BYTES, Batch, Messages, OVERHEAD_BYTES};
use super::games::AboutGames;
use super::gateway::{self, ClientRequest, Delivery, Gateway, GatewayBounds, Push, Subject};
use super::link::{Change, LinkBounds, Links};
use super::message::{Call, Channel, Client, End, Frame, Group, ToGateway, ToOwner};
use super::owner::{self, Key, Owner, OwnerBounds, Served};
use tilewire_delivery::outbound::Leaving;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{Incarnation, NodeId, Part};

/// The most bytes that a channel takes in a batch.
const CHANNEL_BYTES: usize = 20;

mod requests;
#[cfg(test)]
mod simulation;

/// The bounds of a relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Those of the links.
    pub link: LinkBounds,
    /// Those of the gateway.
    pub gateway: GatewayBounds,
    /// Those of the owner.
    pub owner: OwnerBounds,
    /// Those of the requests over HTTP.
    pub asks: AskBounds,
}

/// An input of a relay.
#[derive(Debug)]
pub enum Input {
    /// A client of this node has authenticated.
    Present(u64, Arc<Client>),
    /// A client of this node has asked for something that another node answers.
    ClientRequest(Box<ClientRequest>),
    /// A connection of this node has ended.
    Ended(u64, End),
    /// A game that a client of this node follows has left this node.
    Follow(u64, Arc<Client>, Box<Leaving>),
    /// The outbox of a spectator of this node has refused messages of a game.
    Behind(u64, GameId),
    /// A channel of another node's client has frames.
    Frames(Key, Vec<Frame>),
    /// Several channels of a gateway have the same frames.
    Shared(NodeId, Vec<Channel>, Vec<Frame>),
    /// The request with a relay id of a channel is not answered here.
    HandBack(Key, u64),
    /// The request with a relay id of a channel cannot be read.
    Unreadable(Key, u64),
    /// A game leaves this node: its stream on a channel goes on elsewhere.
    LetGo(Key, GameId),
    /// A push is to reach a player, wherever the player is connected.
    Call(Box<Call>),
    /// The owner of a part is to hear something about games.
    Games(AboutGames),
    /// The database has another owner for a part, and the other nodes shall look.
    Changed,
    /// A channel of another node's client shall end, with this code and reason.
    Close(Key, u16, String),
    /// A request over HTTP is to be passed on.
    Ask(Box<Asking>),
    /// This node has answered the request over HTTP that [`Effect::Answer`] gave this number.
    Answered(u64, Box<HttpAnswer>),
    /// The bus has brought a batch.
    Batch(Box<Batch>),
    /// The parts have other owners.
    Placed(Box<OwnerTable>),
    /// Time passed.
    Tick,
}

/// An effect of a relay on its own node.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Pass frames on to the client of a connection, all together.
    Deliver(u64, Vec<Delivery>),
    /// Tell the client of a connection something.
    Push(u64, Push),
    /// A channel of another node's client begins.
    Begin(Key, Client),
    /// The client of a channel counts as connected for the lobby.
    Present(Key),
    /// Serve a request of a channel.
    Serve(Key, Served),
    /// A channel has ended.
    End(Key, End),
    /// Tell a player something, wherever the player is connected, except for the connections to this node and those of the call.
    Call(NodeId, Call),
    /// Look at the database: an owner has changed.
    Look,
    /// A node says something about games.
    Games(NodeId, AboutGames),
    /// Report the games of this node anew: the node of the lobby does not know them.
    ReportAnew,
    /// A request over HTTP of this node has its answer, or gets none.
    Answered(u64, Box<Result<HttpAnswer, NoAnswer>>),
    /// Answer a request over HTTP of another node; [`Input::Answered`] takes the answer under this number.
    Answer(u64, Box<HttpRequest>),
}

/// A message within a node.
#[derive(Debug)]
enum Own {
    ToOwner(ToOwner),
    ToGateway(ToGateway),
}

/// The relay of one node.
#[derive(Debug)]
pub struct Relay {
    me: NodeId,
    links: Links,
    gateway: Gateway,
    owner: Owner,
    asks: Asks,
    outgoing: BTreeMap<NodeId, VecDeque<Outgoing>>,
    own: VecDeque<Own>,
}

/// A message that waits for the next batch.
#[derive(Debug)]
enum Outgoing {
    ToOwner(ToOwner),
    ToGateway(ToGateway),
}

impl Relay {
    /// Returns the relay of a node that begins an incarnation.
    #[must_use]
    pub fn new(me: NodeId, incarnation: Incarnation, bounds: Bounds) -> Self {
        let mut gateway = Gateway::new(me, bounds.gateway);
        let effects = gateway.handle(Timestamp::MIN, gateway::Input::Up(me));
        debug_assert!(effects.is_empty(), "nobody waits for the own node yet");
        Self {
            me,
            links: Links::new(me, incarnation, bounds.link),
            gateway,
            owner: Owner::new(me, bounds.owner),
            asks: Asks::new(me, bounds.asks),
            outgoing: BTreeMap::new(),
            own: VecDeque::new(),
        }
    }

    /// Handles one input and returns its effects on this node, in order. What the other nodes hear is in [`Relay::flush`].
    #[must_use]
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        let to_gateway = match input {
            Input::Present(connection, client) => Some(gateway::Input::Present(connection, client)),
            Input::ClientRequest(asked) => Some(gateway::Input::ClientRequest(asked)),
            Input::Ended(connection, end) => Some(gateway::Input::Ended(connection, end)),
            Input::Follow(connection, client, leaving) => {
                Some(gateway::Input::Follow(connection, client, leaving))
            }
            Input::Behind(connection, game) => Some(gateway::Input::Behind(connection, game)),
            input @ (Input::Frames(..)
            | Input::Shared(..)
            | Input::HandBack(..)
            | Input::Unreadable(..)
            | Input::LetGo(..)
            | Input::Call(_)
            | Input::Games(_)
            | Input::Changed
            | Input::Close(..)) => {
                self.say(input);
                None
            }
            Input::Ask(asking) => {
                self.asks(&mut out, |asks, reach| asks.ask(now, reach, *asking));
                None
            }
            Input::Answered(number, answer) => {
                self.asks(&mut out, |asks, _| asks.served(number, *answer));
                None
            }
            Input::Batch(batch) => {
                self.batch(now, *batch, &mut out);
                None
            }
            Input::Placed(parts) => Some(self.placed(now, parts, &mut out)),
            Input::Tick => {
                self.tick(now, &mut out);
                self.gateway
                    .next_deadline()
                    .filter(|at| *at <= now)
                    .map(|_| gateway::Input::Tick)
            }
        };
        if let Some(input) = to_gateway {
            self.gateway(now, input, &mut out);
        }
        self.hand_over(now, &mut out);
        out
    }

    /// Tells other nodes what this one has to say as an owner.
    fn say(&mut self, input: Input) {
        match input {
            Input::Frames(key, frames) => {
                self.tell(key.gateway, ToGateway::Frames(key.channel, frames));
            }
            Input::Shared(gateway, channels, frames) => {
                let message = self.owner.share(gateway, channels, frames);
                self.tell(gateway, message);
            }
            Input::HandBack(key, relay_id) => {
                self.tell(key.gateway, ToGateway::NotMine(key.channel, relay_id));
            }
            Input::Unreadable(key, relay_id) => {
                self.tell(key.gateway, ToGateway::Unreadable(key.channel, relay_id));
            }
            Input::LetGo(key, game) => self.tell(key.gateway, ToGateway::LetGo(key.channel, game)),
            Input::Call(call) => self.tell_owner(Part::LOBBY, ToOwner::Call(*call)),
            Input::Games(message) => self.tell_owner(message.part(), ToOwner::Games(message)),
            Input::Changed => self.let_look(),
            Input::Close(key, code, reason) => {
                self.tell(key.gateway, ToGateway::Close(key.channel, code, reason));
            }
            _ => {} // nothing to say
        }
    }

    /// Notes which nodes have the parts; returns what the gateway hears.
    fn placed(
        &mut self,
        now: Timestamp,
        parts: Box<OwnerTable>,
        out: &mut Vec<Effect>,
    ) -> gateway::Input {
        self.links.want(parts.nodes());
        let lobby = parts.owner(Part::LOBBY);
        if lobby != self.owner.parts().owner(Part::LOBBY) {
            out.push(Effect::ReportAnew);
        }
        self.owner.place(OwnerTable::clone(&parts));
        self.asks(out, |asks, reach| asks.advance(now, reach));
        gateway::Input::Placed(parts)
    }

    /// Returns the batches that are to be published now, in order.
    #[must_use]
    pub fn flush(&mut self, now: Timestamp) -> Vec<Batch> {
        let mut batches = Vec::new();
        for (to, mut waiting) in std::mem::take(&mut self.outgoing) {
            // Messages for an incarnation that is over are lost with it.
            while !waiting.is_empty() && self.links.is_up(to) {
                let messages = together(&mut waiting);
                let head = self.links.head(now, to);
                batches.push(Batch { head, messages });
            }
        }
        for to in self.links.beats(now) {
            let head = self.links.head(now, to);
            let messages = Messages::default();
            batches.push(Batch { head, messages });
        }
        batches
    }

    /// Returns when [`Input::Tick`] is due; the links need one now and then too.
    #[must_use]
    pub const fn next_deadline(&self) -> Option<Timestamp> {
        self.gateway.next_deadline()
    }

    /// Says whether requests of a connection with this subject have to take the way through the relay, also when this node has the
    /// part.
    #[must_use]
    pub fn concerns(&self, connection: u64, subject: &Subject) -> bool {
        self.gateway.concerns(connection, subject)
    }

    /// Returns the numbers of connections and channels.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.gateway.connections(), self.owner.channels())
    }

    /// Makes the other nodes look at the database.
    fn let_look(&mut self) {
        for node in self.links.up() {
            let waiting = self.outgoing.entry(node).or_default();
            waiting.push_back(Outgoing::ToOwner(ToOwner::Look));
        }
    }

    fn tick(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        for change in self.links.tick(now) {
            self.change(now, change, out);
        }
        self.asks(out, |asks, reach| asks.tick(now, reach));
    }

    fn batch(&mut self, now: Timestamp, batch: Batch, out: &mut Vec<Effect>) {
        let received = self.links.received(now, &batch.head);
        for change in received.changes {
            self.change(now, change, out);
        }
        if !received.counts {
            return;
        }
        let from = batch.head.from;
        for message in batch.messages.to_owner {
            self.at_owner(now, from, message, out);
        }
        for message in batch.messages.to_gateway {
            match message {
                ToGateway::Reply(reply) => {
                    self.asks(out, |asks, _| asks.replied(now, from, *reply));
                }
                message => self.gateway(now, gateway::Input::Received(from, message), out),
            }
        }
    }

    fn change(&mut self, now: Timestamp, change: Change, out: &mut Vec<Effect>) {
        let (input, lost) = match change {
            Change::Up(node) => (gateway::Input::Up(node), None),
            Change::Down(node) => (gateway::Input::Down(node), Some(node)),
            Change::Reset(node) => (gateway::Input::Reset(node), Some(node)),
        };
        if let Some(node) = lost {
            self.outgoing.remove(&node);
            let effects = self.owner.lose(node);
            self.of_owner(effects, out);
            self.asks(out, |asks, _| asks.lose(now, node));
        }
        let lobby = self.owner.parts().owner(Part::LOBBY);
        if let Change::Up(node) | Change::Reset(node) = change
            && lobby.is_some_and(|(lobby, _)| lobby == node)
        {
            out.push(Effect::ReportAnew);
        }
        self.asks(out, |asks, reach| asks.advance(now, reach));
        self.gateway(now, input, out);
    }

    fn gateway(&mut self, now: Timestamp, input: gateway::Input, out: &mut Vec<Effect>) {
        for effect in self.gateway.handle(now, input) {
            match effect {
                gateway::Effect::Send(to, message) if to == self.me => {
                    self.own.push_back(Own::ToOwner(message));
                }
                gateway::Effect::Send(to, message) => {
                    let waiting = self.outgoing.entry(to).or_default();
                    waiting.push_back(Outgoing::ToOwner(message));
                }
                gateway::Effect::Deliver(connection, frames) => {
                    out.push(Effect::Deliver(connection, frames));
                }
                gateway::Effect::Push(connection, push) => out.push(Effect::Push(connection, push)),
            }
        }
    }

    fn at_owner(&mut self, now: Timestamp, from: NodeId, message: ToOwner, out: &mut Vec<Effect>) {
        match message {
            ToOwner::Call(call) => out.push(Effect::Call(from, call)),
            ToOwner::Look => out.push(Effect::Look),
            ToOwner::Games(message) => out.push(Effect::Games(from, message)),
            ToOwner::Ask(ask) => {
                let is_mine = ask
                    .ownership
                    .is_none_or(|ownership| self.owner.owns(ownership));
                self.asks(out, |asks, _| asks.asked(from, *ask, is_mine));
            }
            message => {
                let effects = self.owner.received(now, from, message);
                self.of_owner(effects, out);
            }
        }
    }

    /// Sends a message to the owner of a part. It is lost if that cannot be reached now.
    fn tell_owner(&mut self, part: Part, message: ToOwner) {
        let owner = self.owner.parts().owner(part);
        if let Some((node, _)) = owner.filter(|(node, _)| self.links.is_up(*node)) {
            let waiting = self.outgoing.entry(node).or_default();
            waiting.push_back(Outgoing::ToOwner(message));
        }
    }

    fn of_owner(&mut self, effects: Vec<owner::Effect>, out: &mut Vec<Effect>) {
        for effect in effects {
            out.push(match effect {
                owner::Effect::Send(to, message) => {
                    self.tell(to, message);
                    continue;
                }
                owner::Effect::Begin(key, client) => Effect::Begin(key, client),
                owner::Effect::Present(key) => Effect::Present(key),
                owner::Effect::Serve(key, served) => Effect::Serve(key, served),
                owner::Effect::End(key, end) => Effect::End(key, end),
            });
        }
    }

    /// Sends a message to a gateway.
    fn tell(&mut self, to: NodeId, message: ToGateway) {
        if to == self.me {
            self.own.push_back(Own::ToGateway(message));
        } else {
            let waiting = self.outgoing.entry(to).or_default();
            waiting.push_back(Outgoing::ToGateway(message));
        }
    }

    /// Takes the messages of this node to itself.
    fn hand_over(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        while let Some(message) = self.own.pop_front() {
            match message {
                Own::ToOwner(message) => self.at_owner(now, self.me, message, out),
                Own::ToGateway(message) => {
                    self.gateway(now, gateway::Input::Received(self.me, message), out);
                }
            }
        }
    }
}

/// Returns the most bytes that frames take in a batch.
fn size_of(frames: &[Frame]) -> usize {
    let sizes = frames
        .iter()
        .map(|frame| frame.message.0.len() + OVERHEAD_BYTES);
    sizes.sum()
}

/// Takes as many messages as fit into a batch; at least one.
fn together(waiting: &mut VecDeque<Outgoing>) -> Messages {
    let mut messages = Messages::default();
    let mut bytes = OVERHEAD_BYTES;
    while let Some(next) = waiting.front() {
        let size = next.size();
        let is_first = messages == Messages::default();
        if !is_first && bytes + size > BATCH_MAX_BYTES {
            break;
        }
        bytes += size;
        match waiting.pop_front() {
            Some(Outgoing::ToOwner(message)) => messages.to_owner.push(message),
            Some(Outgoing::ToGateway(message)) => messages.to_gateway.push(message),
            None => break,
        }
    }
    messages
}

impl Outgoing {
    /// Returns the most bytes that the message takes in a batch.
    fn size(&self) -> usize {
        let payload = match self {
            Self::ToOwner(ToOwner::Request(request)) => request.message.0.len(),
            Self::ToOwner(ToOwner::Open(_, client)) => client.size(),
            Self::ToOwner(ToOwner::Call(call)) => {
                // Each number takes nine bytes at most.
                call.identity.len() + call.message.0.len() + call.except.len() * 20
            }
            Self::ToOwner(ToOwner::Games(message)) => message.size(),
            Self::ToOwner(ToOwner::Ask(ask)) => ask.request.size(),
            Self::ToOwner(ToOwner::Present(_) | ToOwner::Close(..) | ToOwner::Look) => 0,
            Self::ToGateway(ToGateway::Frames(_, frames)) => size_of(frames),
            Self::ToGateway(ToGateway::Shared(group, frames)) => {
                let channels = match group {
                    Group::New(_, channels) => channels.len(),
                    Group::Known(_) => 0,
                };
                size_of(frames) + channels * CHANNEL_BYTES
            }
            Self::ToGateway(ToGateway::Reply(reply)) => match &reply.result {
                Replied::Done(answer) => answer.size(),
                Replied::NotMine | Replied::Busy => 0,
            },
            Self::ToGateway(ToGateway::Close(_, _, reason)) => reason.len(),
            Self::ToGateway(ToGateway::LetGo(_, game)) => game.0.len(),
            Self::ToGateway(
                ToGateway::NotMine(..) | ToGateway::Unreadable(..) | ToGateway::Gone(_),
            ) => 0,
        };
        payload + OVERHEAD_BYTES
    }
}
