//! The world of the simulation: nodes, the bus, faults, and time.

use std::collections::{BTreeMap, VecDeque};

use tilewire_protocol::GameId;
use tilewire_rules::stream::{Seed, Stream};
use tilewire_rules::time::{Millis, Timestamp};

use super::super::{
    Batch, Bounds, Channel, Effect, End, GatewayBounds, Input, Key, LinkBounds, NodeId,
    OwnerBounds, OwnerTable, Relay,
};
use super::Flaw;
use super::client::Player;
use super::games::{Database, Due, Memory, part_of};
use super::requests::Requests;
use crate::Sealer;
use crate::asks::{AskBounds, To};
use tilewire_store::{Incarnation, Part, Term};

const BOUNDS: Bounds = Bounds {
    link: LinkBounds {
        beat_ms: Millis(500),
        silent_ms: Millis(2_000),
    },
    gateway: GatewayBounds {
        grace_ms: Millis(250),
        retry_ms: Millis(100),
        hold_ms: Millis(10_000),
        lagging_retry_ms: Millis(1_000),
        held_bytes: 1_000_000,
    },
    owner: OwnerBounds {
        channels: 1_000,
        age_max_ms: Millis(10_000),
    },
    asks: AskBounds {
        open: 100,
        served: 4,
        reach_ms: Millis(1_000),
        answer_ms: Millis(8_000),
        retry_ms: Millis(100),
    },
};
const NODES: [NodeId; 3] = [NodeId(1), NodeId(2), NodeId(3)];
const STEP: Millis = Millis(20);
/// Steps with faults.
const STEPS: i64 = 1_500;
/// Steps without, after which everything is settled.
const QUIET: i64 = 1_000;

struct Server {
    relay: Relay,
    memory: Memory,
    players: BTreeMap<u64, Player>,
    /// Whether this node knows of the last change of owners.
    is_told: bool,
}

/// A batch that was sent, with its way.
type Said = ((NodeId, NodeId), bytes::Bytes);

/// Batches that are kept of each life.
const SAID_MOST: usize = 50;

/// The world.
pub(super) struct World {
    random: Stream,
    now: Timestamp,
    flaw: Option<Flaw>,
    database: Database,
    games: Vec<GameId>,
    servers: BTreeMap<NodeId, Server>,
    requests: Requests,
    bus: BTreeMap<(NodeId, NodeId), VecDeque<bytes::Bytes>>,
    sealer: Sealer,
    /// Batches of the present life of each node, the oldest first.
    said: BTreeMap<NodeId, VecDeque<Said>>,
    /// Batches of ended lives, which can come again.
    earlier: Vec<Said>,
    /// Batches that were lost, for the bug that hides them.
    lost: BTreeMap<(NodeId, NodeId), u64>,
    connections: u64,
    incarnations: i64,
    is_quiet: bool,
    problems: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64, flaw: Option<Flaw>) -> Self {
        let random = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("relay");
        let games: Vec<GameId> = (0..4).map(|number| GameId(format!("g{number}"))).collect();
        let mut world = Self {
            random,
            now: Timestamp(1_000_000),
            flaw,
            database: Database::default(),
            games,
            servers: BTreeMap::new(),
            requests: Requests::default(),
            bus: BTreeMap::new(),
            said: BTreeMap::new(),
            earlier: Vec::new(),
            sealer: Sealer::new("test", [&b"secret"[..]]),
            lost: BTreeMap::new(),
            connections: 0,
            incarnations: 0,
            is_quiet: false,
            problems: Vec::new(),
        };
        let parts: Vec<Part> = world.games.iter().map(part_of).collect();
        for (part, node) in parts
            .into_iter()
            .chain([Part::LOBBY])
            .zip(NODES.iter().cycle())
        {
            world.database.owners.insert(part, (*node, Term(1)));
        }
        for node in NODES {
            world.start(node);
        }
        world
    }

    fn chance(&mut self, permille: u32) -> bool {
        !self.is_quiet && self.random.uniform(1_000) < permille
    }

    /// Starts a node, or starts it again: everything that it had in memory is gone.
    fn start(&mut self, node: NodeId) {
        self.incarnations += 1;
        self.lost.retain(|(from, _), _| *from != node);
        let ended = self.said.remove(&node);
        self.earlier.extend(ended.into_iter().flatten());
        self.requests.restart(node);
        let server = Server {
            relay: Relay::new(node, Incarnation(self.incarnations), BOUNDS),
            memory: Memory::default(),
            players: BTreeMap::new(),
            is_told: false,
        };
        self.servers.insert(node, server);
    }

    pub(super) fn play(&mut self) {
        for _ in 0..STEPS {
            self.fail();
            self.step();
        }
        self.is_quiet = true;
        for _ in 0..QUIET {
            self.step();
        }
        self.audit();
    }

    pub(super) fn problems(self) -> Vec<String> {
        self.problems
    }

    fn fail(&mut self) {
        if self.chance(8) {
            let parts: Vec<Part> = self.database.owners.keys().copied().collect();
            let part = parts[self.random.uniform(5) as usize % parts.len()];
            let to = NODES[self.random.uniform(3) as usize];
            self.give(part, to);
        }
        if self.chance(1) {
            let node = NODES[self.random.uniform(3) as usize];
            let owned = self.database.owners.iter();
            let owned = owned.filter(|(_, (owner, _))| *owner == node);
            let owned: Vec<Part> = owned.map(|(part, _)| *part).collect();
            for part in owned {
                let to = NODES[self.random.uniform(3) as usize];
                self.give(part, to);
            }
            self.start(node);
        }
    }

    /// Gives a part to a node, perhaps the one that has it.
    fn give(&mut self, part: Part, to: NodeId) {
        let owner = self.database.owners.get_mut(&part).unwrap();
        let (from, term) = *owner;
        *owner = (to, term.next());
        if self.flaw != Some(Flaw::FencedServes) {
            self.servers.get_mut(&from).unwrap().memory.forget(part);
        }
        for server in self.servers.values_mut() {
            server.is_told = false;
        }
    }

    fn step(&mut self) {
        self.now += STEP;
        for node in NODES {
            self.hear_of_owners(node);
            self.receive(node);
            self.serve(node);
            self.players_act(node);
            self.requests_go_on(node);
            self.input(node, Input::Tick);
            self.publish(node);
        }
    }

    /// Tells a node of the owners, sometimes late.
    fn hear_of_owners(&mut self, node: NodeId) {
        let is_late = self.chance(900);
        let server = self.servers.get_mut(&node).unwrap();
        if server.is_told || is_late {
            return;
        }
        server.is_told = true;
        let mut owners = self.database.owners.clone();
        if self.flaw == Some(Flaw::TermIsHidden) {
            owners.values_mut().for_each(|(_, term)| *term = Term(1));
        }
        let parts = OwnerTable::from_iter(owners);
        self.input(node, Input::Placed(Box::new(parts)));
    }

    /// Delivers a batch of an ended life again.
    fn repeat(&mut self, node: NodeId) {
        let is_for = |((_, to), _): &&Said| *to == node;
        let count = self.earlier.iter().filter(is_for).count();
        if count == 0 || !self.chance(30) {
            return;
        }
        let chosen = self.random.uniform(u32::try_from(count).unwrap()) as usize;
        let chosen = self.earlier.iter().filter(is_for).nth(chosen);
        let batch = chosen.map(|(_, bytes)| Batch::decode(&self.sealer, bytes).unwrap());
        let batch = batch.unwrap();
        self.input(node, Input::Batch(Box::new(batch)));
    }

    fn receive(&mut self, node: NodeId) {
        self.repeat(node);
        for from in NODES {
            let way = (from, node);
            while self.chance(700) || self.is_quiet {
                let Some(bytes) = self.bus.entry(way).or_default().pop_front() else {
                    break;
                };
                if self.chance(15) {
                    *self.lost.entry(way).or_default() += 1;
                    continue;
                }
                let mut batch = Batch::decode(&self.sealer, &bytes).unwrap();
                if self.flaw == Some(Flaw::GapIsHidden) {
                    let hidden = self.lost.get(&way).copied().unwrap_or_default();
                    batch.head.number = batch.head.number.saturating_sub(hidden);
                }
                self.input(node, Input::Batch(Box::new(batch)));
            }
        }
    }

    /// Sends what the games of a node have to say.
    fn serve(&mut self, node: NodeId) {
        let now = self.now;
        let memory = &mut self.servers.get_mut(&node).unwrap().memory;
        let unreadable = memory.take_unreadable();
        let due: Vec<Due> = std::iter::from_fn(|| memory.take_due(now)).collect();
        for (key, relay_id) in unreadable {
            self.input(node, Input::Unreadable(key, relay_id));
        }
        // The same frames for several clients of a gateway travel once.
        let together = |one: &Due, other: &Due| {
            one.key.gateway == other.key.gateway && one.frames == other.frames
        };
        for same in due.chunk_by(together) {
            let (gateway, frames) = (same[0].key.gateway, same[0].frames.clone());
            let channels: Vec<Channel> = same.iter().map(|due| due.key.channel).collect();
            self.input(
                node,
                match &channels[..] {
                    [channel] => {
                        let channel = *channel;
                        Input::Frames(Key { gateway, channel }, frames)
                    }
                    _ => Input::Shared(gateway, channels, frames),
                },
            );
        }
    }

    fn players_act(&mut self, node: NodeId) {
        if self.chance(20) && self.servers[&node].players.len() < 5 {
            self.connections += 1;
            let player = Player::new(self.connections);
            let client = player.client();
            let server = self.servers.get_mut(&node).unwrap();
            server.players.insert(self.connections, player);
            self.input(node, Input::Present(self.connections, client));
        }
        let connections: Vec<u64> = self.servers[&node].players.keys().copied().collect();
        for connection in connections {
            let ends = self.chance(2);
            let asks = self.chance(100);
            let server = self.servers.get_mut(&node).unwrap();
            let player = server.players.get_mut(&connection).unwrap();
            if ends || player.is_closed {
                let mut player = server.players.remove(&connection).unwrap();
                self.problems.append(&mut player.problems);
                self.check_accepted(&player);
                self.input(node, Input::Ended(connection, End::Closed));
            } else if asks && let Some(asked) = player.ask(&mut self.random, self.now, &self.games)
            {
                self.input(node, Input::ClientRequest(Box::new(asked)));
            }
        }
    }

    /// Sends a request over HTTP, and answers one.
    fn requests_go_on(&mut self, node: NodeId) {
        if self.chance(50) {
            let games: Vec<Part> = self.games.iter().map(part_of).collect();
            let to = match self.random.uniform(6) as usize {
                0 => To::Node(NODES[self.random.uniform(3) as usize]),
                1 => To::Part(Part::LOBBY),
                game => To::Part(games[game % games.len()]),
            };
            let may_repeat = self.random.uniform(2) == 0;
            let mut asking = self.requests.ask(node, to, may_repeat);
            asking.may_repeat |= self.flaw == Some(Flaw::OrderIsRepeated);
            self.input(node, Input::Ask(Box::new(asking)));
        }
        if (self.chance(300) || self.is_quiet)
            && let Some((number, answer)) = self.requests.take_due(node)
        {
            self.input(node, Input::Answered(number, Box::new(answer)));
        }
    }

    fn input(&mut self, node: NodeId, input: Input) {
        let server = self.servers.get_mut(&node).unwrap();
        for effect in server.relay.handle(self.now, input) {
            match effect {
                Effect::Deliver(connection, frames) => {
                    if let Some(player) = server.players.get_mut(&connection) {
                        player.deliver(&frames);
                    }
                }
                Effect::Push(connection, push) => {
                    if let Some(player) = server.players.get_mut(&connection) {
                        player.pushed(push);
                    }
                }
                Effect::Begin(key, _) => {
                    if !server.memory.channels.insert(key) {
                        self.problems.push(format!("{key:?} begins twice"));
                    }
                }
                Effect::Present(key) | Effect::Serve(key, _)
                    if !server.memory.channels.contains(&key) =>
                {
                    self.problems.push(format!("{key:?} does not exist"));
                }
                Effect::Present(_) => {}
                Effect::Serve(key, served) => {
                    let delay = Millis(i64::from(self.random.uniform(60)));
                    let wants_snapshot = self.random.uniform(4) == 0;
                    let message = tilewire_protocol::decode_client(
                        tilewire_protocol::Codec::MsgPack,
                        &served.message,
                    );
                    let Ok((_, message)) = message else {
                        server.memory.cannot_read(key, served.relay_id);
                        continue;
                    };
                    let subject = super::super::Subject::of(&message).unwrap();
                    let owner = self.database.owners[&subject.part()].0;
                    // A node that was fenced stores nothing, and says nothing.
                    if owner == node || self.flaw == Some(Flaw::FencedServes) {
                        let request = (key, served);
                        let at = self.now + delay;
                        let database = &mut self.database;
                        server.memory.serve(database, request, at, wants_snapshot);
                    }
                }
                Effect::End(key, _) => server.memory.end(key),
                Effect::Answer(number, request) => {
                    self.requests.carry_out(node, number, &request);
                }
                Effect::Answered(number, answer) => self.requests.answered(number, *answer),
                Effect::Call(..) | Effect::Look | Effect::Games(..) | Effect::ReportAnew => {}
            }
        }
    }

    fn publish(&mut self, node: NodeId) {
        let now = self.now;
        for batch in self.servers.get_mut(&node).unwrap().relay.flush(now) {
            let bytes = batch.encode(&self.sealer);
            let way = (node, batch.head.to);
            let said = self.said.entry(node).or_default();
            let surplus = (said.len() + 1).saturating_sub(SAID_MOST);
            said.drain(..surplus);
            said.push_back((way, bytes.clone()));
            self.bus.entry(way).or_default().push_back(bytes);
        }
    }

    fn check_accepted(&mut self, player: &Player) {
        for (game, cmd_id) in &player.accepted {
            let log = &self.database.logs[game];
            if log.iter().filter(|stored| *stored == cmd_id).count() != 1 {
                self.problems.push(format!("{cmd_id} was accepted"));
            }
        }
    }

    /// Looks at everything after a quiet time.
    fn audit(&mut self) {
        for node in NODES {
            let server = self.servers.get_mut(&node).unwrap();
            for (connection, mut player) in std::mem::take(&mut server.players) {
                player.check_quiet(|game| self.database.head(game));
                self.problems.append(&mut player.problems);
                self.check_accepted(&player);
                self.input(node, Input::Ended(connection, End::Closed));
            }
        }
        for _ in 0..20 {
            self.step();
        }
        self.problems.append(&mut self.requests.audit());
        for (node, server) in &self.servers {
            let counts = server.relay.counts();
            if counts != (0, 0) || !server.memory.channels.is_empty() {
                self.problems.push(format!("{node:?} keeps {counts:?}"));
            }
            if server.relay.gateway.bytes() != 0 {
                self.problems.push(format!("{node:?} keeps bytes"));
            }
        }
    }
}
