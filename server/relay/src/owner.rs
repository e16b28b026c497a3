//! The owner's half of the relay, as a state machine without I/O: the channels of clients that are connected to other nodes.

use std::collections::BTreeMap;

use bytes::Bytes;
use tilewire_rules::time::{Millis, Timestamp};

use super::groups::Groups;
use super::message::{Channel, Client, End, Frame, Ownership, Request, ToGateway, ToOwner};
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::NodeId;

#[cfg(test)]
mod tests;

/// The bounds of an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerBounds {
    /// Channels of all gateways.
    pub channels: usize,
    /// The greatest age of a request that counts; an older one counts as if it had this age.
    pub age_max_ms: Millis,
}

/// Names a channel at its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The gateway.
    pub gateway: NodeId,
    /// The channel of the gateway.
    pub channel: Channel,
}

/// A request to serve.
#[derive(Debug, PartialEq, Eq)]
pub struct Served {
    /// The relay id under which the gateway gets the answer.
    pub relay_id: u64,
    /// When the gateway has read the request, by the clock of this node.
    pub received_at: Timestamp,
    /// The network delay of the client.
    pub lag_ms: Millis,
    /// Whether the client is attached to the game that a request about chat names.
    pub is_attached: bool,
    /// The message in MessagePack.
    pub message: Bytes,
}

/// An effect of an owner.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a message to a gateway.
    Send(NodeId, ToGateway),
    /// A channel of a client begins.
    Begin(Key, Client),
    /// The client of a channel counts as connected for the lobby.
    Present(Key),
    /// Serve a request of a channel.
    Serve(Key, Served),
    /// A channel has ended.
    End(Key, End),
}

/// The owner's half of the relay.
#[derive(Debug)]
pub struct Owner {
    me: NodeId,
    bounds: OwnerBounds,
    parts: OwnerTable,
    /// The channel of each connection of each gateway.
    channels: BTreeMap<(NodeId, u64), u64>,
    /// The groups that each gateway knows.
    groups: BTreeMap<NodeId, Groups>,
    next_group: u64,
}

impl Owner {
    /// Returns an owner without channels and parts.
    #[must_use]
    pub const fn new(me: NodeId, bounds: OwnerBounds) -> Self {
        Self {
            me,
            bounds,
            parts: OwnerTable::NONE,
            channels: BTreeMap::new(),
            groups: BTreeMap::new(),
            next_group: 0,
        }
    }

    /// Returns the number of channels.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels.len()
    }

    /// Says whether a channel is open.
    #[must_use]
    pub fn has(&self, key: Key) -> bool {
        let Channel {
            connection,
            generation,
        } = key.channel;
        self.channels.get(&(key.gateway, connection)) == Some(&generation)
    }

    /// Returns the parts and their owners.
    #[must_use]
    pub const fn parts(&self) -> &OwnerTable {
        &self.parts
    }

    /// Takes the parts and their owners.
    pub fn place(&mut self, parts: OwnerTable) {
        self.parts = parts;
    }

    /// Returns the message with the same frames for several channels of a gateway.
    #[must_use]
    pub fn share(
        &mut self,
        gateway: NodeId,
        channels: Vec<Channel>,
        frames: Vec<Frame>,
    ) -> ToGateway {
        let groups = self.groups.entry(gateway).or_default();
        let group = groups.name(&mut self.next_group, channels);
        ToGateway::Shared(group, frames)
    }

    /// Ends all channels of a gateway: it is lost, or some of its messages are.
    #[must_use]
    pub fn lose(&mut self, gateway: NodeId) -> Vec<Effect> {
        self.groups.remove(&gateway);
        let of_gateway = (gateway, u64::MIN)..=(gateway, u64::MAX);
        let ended = self.channels.extract_if(of_gateway, |_, _| true);
        let ended = ended.map(|((gateway, connection), generation)| {
            let channel = Channel {
                connection,
                generation,
            };
            Effect::End(Key { gateway, channel }, End::Lost)
        });
        ended.collect()
    }

    /// Handles a message of a gateway and returns the effects, in order.
    #[must_use]
    pub fn received(&mut self, now: Timestamp, gateway: NodeId, message: ToOwner) -> Vec<Effect> {
        match message {
            ToOwner::Open(channel, client) => self.open(Key { gateway, channel }, client),
            ToOwner::Present(channel) => {
                let key = Key { gateway, channel };
                self.with(key, |_| Effect::Present(key))
            }
            ToOwner::Request(request) => {
                let channel = request.channel;
                self.with(Key { gateway, channel }, |owner| {
                    owner.request(now, gateway, request)
                })
            }
            // They are about no channel, and the relay takes them.
            ToOwner::Call(_) | ToOwner::Look | ToOwner::Games(_) | ToOwner::Ask(_) => Vec::new(),
            ToOwner::Close(channel, end) => {
                let key = Key { gateway, channel };
                if !self.has(key) {
                    return Vec::new();
                }
                self.channels.remove(&(gateway, channel.connection));
                vec![Effect::End(key, end)]
            }
        }
    }

    fn open(&mut self, key: Key, client: Client) -> Vec<Effect> {
        let Channel {
            connection,
            generation,
        } = key.channel;
        let place = (key.gateway, connection);
        let mut effects = Vec::new();
        match self.channels.get(&place) {
            Some(&former) if former >= generation => return effects,
            Some(&former) => {
                let channel = Channel {
                    connection,
                    generation: former,
                };
                let former = Key { channel, ..key };
                effects.push(Effect::End(former, End::Lost));
            }
            None if self.channels.len() >= self.bounds.channels => {
                return vec![Effect::Send(key.gateway, ToGateway::Gone(key.channel))];
            }
            None => {}
        }
        self.channels.insert(place, generation);
        effects.push(Effect::Begin(key, client));
        effects
    }

    /// Does something with a channel, or tells the gateway that it is not here.
    fn with(&self, key: Key, act: impl FnOnce(&Self) -> Effect) -> Vec<Effect> {
        let effect = match self.has(key) {
            true => act(self),
            false => Effect::Send(key.gateway, ToGateway::Gone(key.channel)),
        };
        vec![effect]
    }

    fn request(&self, now: Timestamp, gateway: NodeId, request: Request) -> Effect {
        let Request {
            channel,
            relay_id,
            ownership,
            age_ms,
            lag_ms,
            is_attached,
            message,
        } = request;
        if !self.owns(ownership) {
            return Effect::Send(gateway, ToGateway::NotMine(channel, relay_id));
        }
        let age_ms = Millis(age_ms).clamp(Millis::ZERO, self.bounds.age_max_ms);
        let served = Served {
            relay_id,
            received_at: Timestamp(now.0 - age_ms.0),
            lag_ms: Millis(lag_ms).max(Millis::ZERO),
            is_attached,
            message: message.0,
        };
        Effect::Serve(Key { gateway, channel }, served)
    }

    /// Says whether this node has a part, and knows at least as much about its owners as the gateway does.
    #[must_use]
    pub fn owns(&self, ownership: Ownership) -> bool {
        let owner = self.parts.owner(ownership.part);
        owner.is_some_and(|(node, term)| node == self.me && term >= ownership.term)
    }
}
