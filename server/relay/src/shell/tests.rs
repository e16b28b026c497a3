//! A client of one node asks another one: its bytes arrive as they are, and bytes that cannot be read are refused as at one node.

use bytes::Bytes;
use futures::future::BoxFuture;
use tilewire_protocol::{CloseCode, ErrorBody, GameId, decode_client, decode_server};
use tilewire_rules::time::Timestamp;

use super::*;
use crate::asks::AskBounds;
use crate::asks::message::{HttpAnswer, HttpRequest};
use crate::bus::MemoryBus;
use crate::gateway::GatewayBounds;
use crate::link::LinkBounds;
use crate::message::Client;
use crate::owner::OwnerBounds;
use crate::{Effect, RemoteClient};
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_delivery::outbound::{Outbox, Peer, Sink, Waiting as Written};
use tilewire_delivery::session::{Ledger, Pass, Patience};
use tilewire_game as game;
use tilewire_store::{Part, Shard, Term};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

const BOUNDS: Bounds = Bounds {
    link: LinkBounds {
        beat_ms: Millis(1),
        silent_ms: Millis(60_000),
    },
    gateway: GatewayBounds {
        grace_ms: Millis(60_000),
        retry_ms: Millis(20),
        hold_ms: Millis(60_000),
        lagging_retry_ms: Millis(1_000),
        held_bytes: 1_000_000,
    },
    owner: OwnerBounds {
        channels: 100,
        age_max_ms: Millis(10_000),
    },
    asks: AskBounds::NONE,
};
const GATEWAY: NodeId = NodeId(1);
const OWNER: NodeId = NodeId(2);
/// Mistakes that a client may make.
const PATIENCE: u32 = 3;

/// Serves nobody: the gateway has no part.
#[derive(Debug)]
struct NoService;

impl RemoteService for NoService {
    fn begin(&self, _: Key, _: &Client, _: Arc<Waiting>) -> Box<dyn RemoteClient> {
        unreachable!("no other node asks the gateway")
    }
    fn left(&self, _: &Peer, _: &GameId) {}
    fn answer(&self, _: HttpRequest) -> BoxFuture<'static, HttpAnswer> {
        unreachable!("no other node asks the gateway")
    }
}

/// A client at a gateway, and the owner of its game.
struct Scene {
    gateway: Arc<Exchange>,
    link: Arc<ClientLink>,
    outbox: Arc<Outbox>,
    ledger: Arc<Ledger>,
    owner: Relay,
    now: Timestamp,
    _dir: tempfile::TempDir,
}

impl Scene {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (config, clock) = (Config::default(), ServerClock::system());
        let journal = tilewire_databases::open(dir.path(), &config.storage, clock.now()).unwrap();
        let owners = Arc::new(Owners::new(GATEWAY));
        let catalogue = Catalogue::new(Lexica::of([]));
        let services = game::Services {
            placement: Arc::<Owners>::clone(&owners),
            ..game::Services::of(journal, catalogue, clock.clone(), Ids::system())
        };
        let directory = Directory::start(services, &config, None).await.unwrap();
        let gateway = Exchange::new(Start {
            me: GATEWAY,
            incarnation: Incarnation(1),
            bounds: BOUNDS,
            bus: Box::new(MemoryBus::default().connect(GATEWAY, 1).0),
            owners,
            look: Box::new(|| {}),
            keys: Vec::new(),
            clock: clock.clone(),
            directory: Arc::new(directory),
            registry: Arc::default(),
            runtime: Handle::current(),
            remote_service: Box::new(NoService),
        });
        let pass = Pass::without_token("ada".to_owned(), String::new());
        let outbox = Arc::new(Outbox::new(1_000_000, Sink::Stream));
        let ledger = Arc::new(Ledger::new(9, 9));
        let link = ClientLink::new(
            Arc::clone(&gateway),
            PeerId(7),
            Client::new(&pass, None, Codec::MsgPack),
            (
                Arc::clone(&outbox),
                Arc::clone(&ledger),
                Arc::new(Patience::new(PATIENCE)),
            ),
        );
        link.begin();
        let mut scene = Self {
            gateway,
            link,
            outbox,
            ledger,
            owner: Relay::new(OWNER, Incarnation(2), BOUNDS),
            now: clock.now(),
            _dir: dir,
        };
        let part = Part::from(Shard::of(&GameId::from("g1")));
        let parts = [(part, (OWNER, Term(1))), (Part::LOBBY, (OWNER, Term(1)))];
        let placed = || Input::Placed(Box::new(parts.into_iter().collect()));
        drop(scene.owner.handle(scene.now, placed()));
        scene.gateway.input(placed());
        for _ in 0..4 {
            scene.exchange();
        }
        scene
    }

    /// Carries the batches of both nodes over, and returns what the owner serves.
    fn exchange(&mut self) -> Vec<(Key, u64, Bytes)> {
        self.now += Millis(2);
        let mut served = Vec::new();
        let batches = self.gateway.lock().relay.flush(self.now);
        for batch in batches {
            for effect in self.owner.handle(self.now, Input::Batch(Box::new(batch))) {
                if let Effect::Serve(key, request) = effect {
                    served.push((key, request.relay_id, request.message));
                }
            }
        }
        for batch in self.owner.flush(self.now) {
            self.gateway.input(Input::Batch(Box::new(batch)));
        }
        served
    }

    /// Sends a command of the client as its connection does, and returns what the owner serves.
    fn send(&mut self, frame: &[u8]) -> (Key, u64, Bytes) {
        let (id, request) = self.link.command(frame).expect("another node has the game");
        self.ledger.open(id, &request.content).unwrap();
        assert!(self.link.takes(id, &request, (self.now, Millis::ZERO)));
        let mut served = self.exchange();
        served.pop().expect("the owner serves the request")
    }

    /// Returns the refusal that the client reads.
    fn refusal(&self) -> (u64, ErrorBody) {
        let Some(Written::Frames(frames)) = self.outbox.try_take(1_000_000) else {
            panic!("nothing was written");
        };
        let frame = frames[0].contents().next().unwrap();
        match decode_server(Codec::MsgPack, frame).unwrap() {
            (id, ServerMessage::Error(body)) => (id, body),
            other => panic!("{other:?} is no refusal"),
        }
    }
}

/// Encodes a `pass` with id 7 and this turn number. Its fields have an unusual order and not their shortest form.
fn pass(turn_no: &[u8]) -> Vec<u8> {
    let fields = b"\xdc\x00\x03\xd9\x04pass\xcd\x00\x07\xde\x00\x04\xa1x\x91\xc3\xa4game\xd9\x02g1";
    [&fields[..], b"\xa6cmd_id\xa1c\xa7turn_no", turn_no].concat()
}

#[tokio::test]
async fn the_bytes_of_a_client_arrive_at_the_owner() {
    let mut scene = Scene::new().await;
    let frame = pass(b"\xcd\x00\x01");
    decode_client(Codec::MsgPack, &frame).expect("it is a valid request");
    let (_, _, arrived) = scene.send(&frame);
    assert_eq!(arrived, frame);
}

#[tokio::test]
async fn a_command_that_cannot_be_read_is_refused_as_at_one_node() {
    let hostile = [
        pass(b"\xa3one"),
        pass(b"\xc0"),
        pass(b""),
        [pass(b"\x01"), vec![0]].concat(),
    ];
    let mut scene = Scene::new().await;
    for frame in &hostile {
        let (key, relay_id, arrived) = scene.send(frame);
        assert_eq!(arrived, frame[..]);
        let expected = decode_client(Codec::MsgPack, &arrived).unwrap_err();
        let unreadable = Input::Unreadable(key, relay_id);
        assert_eq!(scene.owner.handle(scene.now, unreadable), []);
        scene.exchange();
        assert_eq!(scene.refusal(), (7, expected.to_body()), "{frame:x?}");
        assert!(!scene.ledger.is_open(7));
    }
    let Some(Written::Close(closing)) = scene.outbox.try_take(1_000) else {
        panic!("the client makes no more mistakes than allowed");
    };
    assert_eq!(closing.code, CloseCode::ProtocolError);
}
