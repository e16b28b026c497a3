//! The relay at work: a lock around the machine, and one task.
//!
//! Each caller hands its input to the machine and carries out the effects, under the lock: a connection that asks never waits
//! for a task, and everything for a client comes in order. Nothing under the lock waits; sockets are written to after it. The task
//! reads the bus and publishes, so that one batch carries what many connections and games have said.

mod asks;
mod client_link;
mod effects;
mod games;
mod handle;
mod remote;
mod task;
#[cfg(test)]
mod tests;

pub use client_link::ClientLink;
pub use handle::RelayHandle;
pub use remote::{RemoteClient, RemoteService};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use tilewire_protocol::{Codec, ServerMessage, encode_server};
use tilewire_rules::time::Millis;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use self::asks::WaitingAsks;
use self::effects::After;
use self::games::Anew;
use super::bus::Bus;
use super::channel::Waiting;
use super::gateway::Subject;
use super::message::{Call, Payload};
use super::owner::Key;
use super::{Bounds, Input, Relay, Sealer};
use tilewire_base::clock::ServerClock;
use tilewire_delivery::outbound::{OtherNodes, PeerId, Registry};
use tilewire_game::owners::Owners;
use tilewire_game::{Directory, Location};
use tilewire_store::{Incarnation, NodeId, TokenKey};

/// The parameters of a relay.
pub struct Start {
    /// This node.
    pub me: NodeId,
    /// Its incarnation.
    pub incarnation: Incarnation,
    /// The bounds of the machine.
    pub bounds: Bounds,
    /// The bus.
    pub bus: Box<dyn Bus>,
    /// Which node has which part.
    pub owners: Arc<Owners>,
    /// Reads from the database which node has which part.
    pub look: Box<dyn Fn() + Send + Sync>,
    /// The keys of tokens, the newest first.
    pub keys: Vec<TokenKey>,
    /// The clock.
    pub clock: ServerClock,
    /// The games of this node.
    pub directory: Arc<Directory>,
    /// The connections of this node.
    pub registry: Arc<Registry>,
    /// Where tasks run.
    pub runtime: Handle,
    /// Serves the clients of other nodes.
    pub remote_service: Box<dyn RemoteService>,
}

/// The relay of this node.
pub struct Exchange {
    me: NodeId,
    state: Mutex<State>,
    /// Something is to be published.
    work: Notify,
    /// Whether the games of this node are to be reported anew.
    reports_anew: Anew,
    /// The output of the channels of other nodes' clients.
    waiting: Arc<Waiting>,
    bus: Box<dyn Bus>,
    sealer: RwLock<Sealer>,
    owners: Arc<Owners>,
    look: Box<dyn Fn() + Send + Sync>,
    clock: ServerClock,
    directory: Arc<Directory>,
    registry: Arc<Registry>,
    runtime: Handle,
    remote_service: Box<dyn RemoteService>,
    /// The longest wait for the answer to a request over HTTP.
    answer_ms: Millis,
    /// This relay, for the tasks that answer such requests.
    own: Weak<Self>,
}

/// The state behind the lock.
#[derive(Debug)]
struct State {
    relay: Relay,
    /// The clients of this node, by the numbers of their connections.
    client_links: BTreeMap<u64, Arc<ClientLink>>,
    /// The clients of other nodes, and those of this node that go on through the relay.
    channels: BTreeMap<Key, Box<dyn RemoteClient>>,
    keys: BTreeMap<PeerId, Key>,
    /// The requests over HTTP of this node.
    asked: WaitingAsks,
    /// Whether this node had the lobby at the last change of an owner.
    had_lobby: bool,
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("me", &self.me).finish()
    }
}

impl Exchange {
    /// Returns a relay that nobody uses yet; [`Exchange::run`] is its task.
    #[must_use]
    pub fn new(start: Start) -> Arc<Self> {
        let state = State {
            relay: Relay::new(start.me, start.incarnation, start.bounds),
            client_links: BTreeMap::new(),
            channels: BTreeMap::new(),
            keys: BTreeMap::new(),
            asked: WaitingAsks::default(),
            had_lobby: false,
        };
        let answer_ms = start.bounds.asks.answer_ms;
        Arc::new_cyclic(|own| Self {
            me: start.me,
            state: Mutex::new(state),
            work: Notify::new(),
            reports_anew: Anew::default(),
            waiting: Arc::default(),
            bus: start.bus,
            sealer: RwLock::new(sealer(&start.keys)),
            owners: start.owners,
            look: start.look,
            clock: start.clock,
            directory: start.directory,
            registry: start.registry,
            runtime: start.runtime,
            remote_service: start.remote_service,
            answer_ms,
            own: Weak::clone(own),
        })
    }

    /// Takes other keys: the batches of nodes that do not have them yet still count while one key is the same.
    pub fn reseal(&self, keys: &[TokenKey]) {
        let mut current = self.sealer.write().unwrap_or_else(PoisonError::into_inner);
        *current = sealer(keys);
    }

    /// Tells the other nodes that a part has another owner.
    pub fn changed(&self) {
        self.input(Input::Changed);
    }

    /// Says whether this node answers for what a request is about.
    fn is_here(&self, subject: &Subject) -> bool {
        let directory = &self.directory;
        let place = subject
            .game()
            .map_or_else(|| directory.lobby_place(), |game| directory.place(game));
        place == Location::Mine
    }

    /// Says whether requests with a subject have to take the way through the relay, although this node answers for it.
    fn concerns(&self, connection: u64, subject: &Subject) -> bool {
        self.lock().relay.concerns(connection, subject)
    }

    /// Hands an input to the machine and carries out the effects.
    fn input(&self, input: Input) {
        let now = self.clock.now();
        let mut after = After::default();
        self.handle(&mut self.lock(), now, input, &mut after);
        after.carry_out(self);
        self.work.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OtherNodes for Exchange {
    fn call(&self, identity: &str, except: &[PeerId], message: &ServerMessage) {
        if self.directory.lobby_place() == Location::Mine {
            // Every connection is in the registry of this node.
            return;
        }
        let call = {
            let state = self.lock();
            let keys = except.iter().filter_map(|peer| state.keys.get(peer));
            Call {
                identity: identity.to_owned(),
                except: keys
                    .map(|key| (key.gateway.0, key.channel.connection))
                    .collect(),
                message: Payload(encode_server(Codec::MsgPack, 0, message).into()),
            }
        };
        self.input(Input::Call(Box::new(call)));
    }
}

/// Returns the sealer of a cluster. The oldest key seals: every node has it, also one that has not read the newest one yet.
fn sealer(keys: &[TokenKey]) -> Sealer {
    Sealer::new("nodes", keys.iter().rev().map(|key| &key.secret[..]))
}
