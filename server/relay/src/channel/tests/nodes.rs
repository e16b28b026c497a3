//! Three nodes of a test: a gateway with two players, the owner of their game, and its next owner.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures::future::select_all;
use tilewire_protocol::{
    Attach, ClientMessage, Codec, EventBody, GameId, Pass, Ready, ServerMessage, decode_client,
    decode_server, encode_client,
};
use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{ChallengeKind, FirstPlay, GameOptions};
use tilewire_rules::time::{Millis, Seat};

use super::super::{ChannelEnd, Waiting};
use crate::asks::AskBounds;
use crate::bus::{Bus, Inbox, MemoryBus, MemoryPort};
use crate::gateway::{ClientRequest, GatewayBounds, Subject};
use crate::link::LinkBounds;
use crate::message::Client;
use crate::owner::{Key, OwnerBounds, Served};
use crate::{Batch, Bounds, Effect, Input, Relay, Sealer};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::outbound::{Peer, PeerId};
use tilewire_delivery::session::{Ledger, Pass as Token};
use tilewire_game as game;
use tilewire_game::owner_table::OwnerTable;
use tilewire_game::{Directory, NewGame, NewPlayer};
use tilewire_store::{Incarnation, Journal, NodeId, Part, Shard, Term};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

const BOUNDS: Bounds = Bounds {
    link: LinkBounds {
        beat_ms: Millis(50),
        silent_ms: Millis(5_000),
    },
    gateway: GatewayBounds {
        grace_ms: Millis(250),
        retry_ms: Millis(20),
        hold_ms: Millis(20_000),
        lagging_retry_ms: Millis(1_000),
        held_bytes: 1_000_000,
    },
    owner: OwnerBounds {
        channels: 100,
        age_max_ms: Millis(10_000),
    },
    asks: AskBounds::NONE,
};
const GATEWAY: usize = 0;
const OWNER: usize = 1;
const NEXT: usize = 2;
/// A test that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A lexicon without words. Nobody plays one here.
#[derive(Debug)]
struct NoWords;

impl Lexicon for NoWords {
    fn name(&self) -> &'static str {
        "none"
    }
    fn hash(&self) -> &[u8; 32] {
        &[8; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, _word: &[Letter]) -> bool {
        false
    }
}

/// A channel at its owner.
struct Remote {
    end: Arc<ChannelEnd>,
    peer: Peer,
    ledger: Arc<Ledger>,
}

/// A node with its games.
struct Node {
    relay: Relay,
    port: MemoryPort,
    inbox: Inbox,
    waiting: Arc<Waiting>,
    remotes: BTreeMap<Key, Remote>,
    directory: Option<Directory>,
    peers: u64,
}

/// A player at the gateway.
struct Player {
    identity: &'static str,
    client: Arc<Client>,
    next_id: u64,
    seat: Option<u8>,
    /// The number of the last event.
    seq: u64,
    has_ended: bool,
}

/// The three nodes.
pub(super) struct Scene {
    clock: ServerClock,
    bus: MemoryBus,
    sealer: Sealer,
    nodes: [Node; 3],
    journal: Arc<dyn Journal>,
    players: Vec<Player>,
    _dir: tempfile::TempDir,
}

fn game() -> GameId {
    GameId("g1".to_owned())
}

/// Returns the number of an event.
pub(super) fn event_number(message: &ServerMessage) -> Option<u64> {
    match message {
        ServerMessage::Event(event) => Some(event.seq),
        _ => None,
    }
}

async fn directory(journal: &Arc<dyn Journal>, clock: &ServerClock) -> Directory {
    let lexica = Lexica::of([Arc::new(NoWords) as Arc<dyn Lexicon>]);
    let (journal, catalogue) = (Arc::clone(journal), Catalogue::new(lexica));
    let services = game::Services::of(journal, catalogue, clock.clone(), Ids::system());
    let config = Config::default();
    let started = Directory::start(services, &config, None);
    started.await.unwrap()
}

fn new_game() -> NewGame {
    let mut options = GameOptions::classic("none");
    options.first = FirstPlay::Seat(Seat(0));
    options.challenge.kind = ChallengeKind::Void;
    let player = |name: &str| NewPlayer {
        identity: name.to_owned(),
        name: name.to_owned(),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    };
    NewGame {
        id: game(),
        options,
        players: ["ada", "bob"].map(player).to_vec(),
        private_code: None,
        series: None,
        from: None,
    }
}

impl Scene {
    pub(super) async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (config, clock) = (Config::default(), ServerClock::system());
        let journal = tilewire_databases::open(dir.path(), &config.storage, clock.now()).unwrap();
        let journal: Arc<dyn Journal> = journal;
        let bus = MemoryBus::default();
        let node = |number: i32| {
            let (port, inbox) = bus.connect(NodeId(number), 1_000);
            Node {
                relay: Relay::new(NodeId(number), Incarnation(i64::from(number)), BOUNDS),
                port,
                inbox,
                waiting: Arc::default(),
                remotes: BTreeMap::new(),
                directory: None,
                peers: 0,
            }
        };
        let mut nodes = [1, 2, 3].map(node);
        let games = directory(&journal, &clock).await;
        games.create(new_game()).await.unwrap();
        nodes[OWNER].directory = Some(games);
        let player = |identity: &'static str| {
            let pass = Token::without_token(identity.to_owned(), String::new());
            Player {
                identity,
                client: Arc::new(Client::new(&pass, None, Codec::Json)),
                next_id: 0,
                seat: None,
                seq: 0,
                has_ended: false,
            }
        };
        let mut scene = Self {
            clock,
            bus,
            sealer: Sealer::new("test", [&b"secret"[..]]),
            nodes,
            journal,
            players: ["ada", "bob"].map(player).into(),
            _dir: dir,
        };
        scene.place(OWNER, 1).await;
        scene
    }

    /// Gives the game to a node.
    async fn place(&mut self, at: usize, term: i64) {
        let node = NodeId(i32::try_from(at).unwrap() + 1);
        let part = Part::from(Shard::of(&game()));
        let lobby = (Part::LOBBY, (NodeId(1), Term(1)));
        // The third node is one of those that own something from the start.
        let other = (Part::numbered(1).unwrap(), (NodeId(3), Term(1)));
        let owners = [(part, (node, Term(term))), lobby, other];
        for number in [GATEWAY, OWNER, NEXT] {
            let parts: OwnerTable = owners.into_iter().collect();
            self.input(number, Input::Placed(Box::new(parts))).await;
        }
    }

    /// Moves the game from its owner to the next one.
    async fn hand_over(&mut self) {
        let games = self.nodes[OWNER].directory.take().expect("it has the game");
        games.shutdown().await;
        self.nodes[NEXT].directory = Some(directory(&self.journal, &self.clock).await);
        self.place(NEXT, 2).await;
    }

    /// Plays the game: both players are ready, and pass whenever they are on turn. `moves` sees each message to a player, and says
    /// whether the game gets another owner now.
    pub(super) async fn play(&mut self, mut moves: impl FnMut(&MemoryBus, &ServerMessage) -> bool) {
        for player in 0..2 {
            let attach = Attach {
                game: game(),
                epoch: None,
                seq: Some(0),
                code: None,
            };
            self.ask(player, ClientMessage::Attach(attach)).await;
            let ready = Ready {
                game: game(),
                cmd_id: "ready".into(),
                nonce: None,
            };
            self.ask(player, ClientMessage::Ready(ready)).await;
        }
        let played = tokio::time::timeout(PATIENCE, async {
            while self.players.iter().any(|player| !player.has_ended) {
                for (player, message) in self.step().await {
                    let is_moved = moves(&self.bus, &message);
                    self.read(player, message).await;
                    if is_moved {
                        self.hand_over().await;
                    }
                }
            }
        });
        played.await.expect("the game ends");
    }

    pub(super) fn check_ended(&self) {
        let seqs: Vec<u64> = self.players.iter().map(|player| player.seq).collect();
        assert_eq!(seqs[0], seqs[1]);
        assert!(seqs[0] > 15, "{seqs:?}");
    }

    async fn ask(&mut self, player: usize, message: ClientMessage) {
        let asker = &mut self.players[player];
        asker.next_id += 1;
        let asked = ClientRequest {
            connection: player as u64,
            client: Arc::clone(&asker.client),
            request_id: asker.next_id,
            subject: Subject::of(&message).unwrap(),
            message: encode_client(Codec::MsgPack, asker.next_id, &message).into(),
            received_at: self.clock.now(),
            lag_ms: Millis::ZERO,
            is_attached: false,
        };
        let told = self
            .input(GATEWAY, Input::ClientRequest(Box::new(asked)))
            .await;
        assert!(told.is_empty(), "nothing is answered at once: {told:?}");
    }

    /// Reads a message to a player, and plays.
    async fn read(&mut self, player: usize, message: ServerMessage) {
        let reader = &mut self.players[player];
        let event = match message {
            ServerMessage::Event(event) => event,
            ServerMessage::Ok(ok) => {
                reader.seat = ok.seat.or(reader.seat);
                return;
            }
            ServerMessage::Snapshot(snapshot) => {
                panic!("{}: a snapshot of {}", reader.identity, snapshot.seq)
            }
            ServerMessage::Error(error) => panic!("{}: {error:?}", reader.identity),
            _ => return,
        };
        if event.seq <= reader.seq {
            return;
        }
        assert_eq!(event.seq, reader.seq + 1, "{} sees a gap", reader.identity);
        reader.seq = event.seq;
        match event.body {
            EventBody::TurnStarted(turn) if Some(turn.seat) == reader.seat => {
                let pass = Pass {
                    game: game(),
                    cmd_id: format!("pass-{}", turn.turn_no).as_str().into(),
                    turn_no: turn.turn_no,
                };
                self.ask(player, ClientMessage::Pass(pass)).await;
            }
            EventBody::Ended(_) => reader.has_ended = true,
            _ => {}
        }
    }

    /// Waits for something to happen on any node; returns the messages to players.
    async fn step(&mut self) -> Vec<(usize, ServerMessage)> {
        let events = self.nodes.iter_mut().enumerate().map(|(number, node)| {
            Box::pin(async move {
                tokio::select! {
                    batch = node.inbox.recv() => match batch {
                        Some(batch) => (number, Some(batch)),
                        None => pending().await,
                    },
                    () = node.waiting.changed() => (number, None),
                }
            })
        });
        let event = tokio::time::timeout(Duration::from_millis(10), select_all(events)).await;
        // The others stop waiting.
        let event = event.map(|(event, ..)| event);
        let mut told = Vec::new();
        match event {
            Ok((number, Some(bytes))) => {
                let batch = Batch::decode(&self.sealer, &bytes).unwrap();
                told.extend(self.input(number, Input::Batch(Box::new(batch))).await);
            }
            Ok((number, None)) => {
                for said in self.nodes[number].waiting.take() {
                    told.extend(self.input(number, said.into()).await);
                }
            }
            Err(_) => {
                for number in [GATEWAY, OWNER, NEXT] {
                    told.extend(self.input(number, Input::Tick).await);
                }
            }
        }
        told
    }

    /// Carries out what the relay of a node does; returns the messages to players.
    async fn input(&mut self, number: usize, input: Input) -> Vec<(usize, ServerMessage)> {
        let now = self.clock.now();
        let node = &mut self.nodes[number];
        let mut told = Vec::new();
        for effect in node.relay.handle(now, input) {
            match effect {
                Effect::Deliver(player, frames) => {
                    let player = usize::try_from(player).unwrap();
                    told.extend(frames.into_iter().map(|delivery| {
                        let (id, message) = decode_server(Codec::Json, &delivery.frame).unwrap();
                        assert_eq!(id, delivery.answers.map_or(0, |(id, _)| id));
                        (player, message)
                    }));
                }
                Effect::Push(..) => {}
                Effect::Begin(key, client) => node.begin(key, &client),
                Effect::Present(_) => {}
                Effect::Serve(key, served) => node.serve(key, served).await,
                Effect::End(key, _) => node.end(key).await,
                Effect::Call(..)
                | Effect::Look
                | Effect::Games(..)
                | Effect::ReportAnew
                | Effect::Answered(..)
                | Effect::Answer(..) => {}
            }
        }
        for batch in node.relay.flush(now) {
            let bytes = batch.encode(&self.sealer);
            node.port.publish(batch.head.to, bytes);
        }
        told
    }
}

impl Node {
    fn begin(&mut self, key: Key, client: &Client) {
        let (codec, waiting) = (client.codec(), Arc::clone(&self.waiting));
        let end = Arc::new(ChannelEnd::new(key, codec, waiting, 1 << 20));
        let ledger = Arc::new(Ledger::new(32, 32));
        self.peers += 1;
        let peer = Peer::remote(
            PeerId(self.peers),
            (client.identity.clone(), None),
            codec,
            Arc::<ChannelEnd>::clone(&end) as _,
            Arc::clone(&ledger),
        );
        let remote = Remote { end, peer, ledger };
        assert!(self.remotes.insert(key, remote).is_none(), "{key:?}");
    }

    async fn serve(&mut self, key: Key, served: Served) {
        let Remote { end, peer, ledger } = &self.remotes[&key];
        let (id, message) = decode_client(Codec::MsgPack, &served.message).unwrap();
        let relay_id = served.relay_id;
        end.open(relay_id, id);
        ledger.open_again(relay_id, &message);
        // A node without games has forgotten them.
        let Some(directory) = &self.directory else {
            return;
        };
        let game = directory.find(&game()).await.unwrap();
        let peer = peer.clone();
        match message {
            ClientMessage::Attach(attach) => {
                let from = ResumePoint::of(&attach);
                game.attach(peer, relay_id, from, attach.code).unwrap();
            }
            command => {
                let (at, lag_ms) = (served.received_at, served.lag_ms);
                let command = Arc::new(command);
                game.command(peer, relay_id, at, lag_ms, command).unwrap();
            }
        }
    }

    async fn end(&mut self, key: Key) {
        let remote = self.remotes.remove(&key).expect("it has begun");
        remote.end.end();
        if let Some(directory) = &self.directory {
            let game = directory.find(&game()).await.unwrap();
            game.gone(remote.peer.id());
        }
    }
}
