//! The chat with its task and real outboxes, on a storage whose answers the test holds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::relations::Relation;
use tilewire_protocol::{
    ChatAnswer, ChatSay, CmdId, Codec, ErrorCode, GameId, ServerMessage, decode_server,
};
use tilewire_rules::time::Timestamp;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::Admission;
use super::request::Action;
use super::room::RoomName;
use super::task::{ChatHandle, Services};
use tilewire_base::clock::ServerClock;
use tilewire_config::Config;
use tilewire_delivery::outbound::{Outbox, Peer, PeerId, Registry, Sink, Waiting};
use tilewire_delivery::overload::Overload;
use tilewire_delivery::session::Ledger;
use tilewire_store::{
    ChatChange, ChatStore, DirectLine, RelationChange, RelationError, RelationStore, Relations,
    StoreError, StoreFuture, StoredLine,
};

/// A call of the storage that waits for the test.
#[derive(Debug)]
struct Held {
    /// For example `append lobby 1 2`.
    call: String,
    go: oneshot::Sender<bool>,
}

/// A storage that answers each call when the test lets it.
#[derive(Debug)]
struct HeldStore {
    lines: Mutex<Vec<StoredLine>>,
    held: mpsc::UnboundedSender<Held>,
}

impl HeldStore {
    /// Waits for the test, which lets the call succeed or fail.
    async fn hold(&self, call: String) -> Result<(), StoreError> {
        let (go, gone) = oneshot::channel();
        self.held.send(Held { call, go }).ok();
        match gone.await {
            Ok(true) => Ok(()),
            _ => Err(StoreError::Unavailable("the test says so".to_owned())),
        }
    }
}

impl ChatStore for HeldStore {
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        _most: usize,
    ) -> StoreFuture<'a, Vec<StoredLine>> {
        async move {
            self.hold(format!("read {room} {after}")).await?;
            let lines = self.lines.lock().unwrap();
            let own = lines.iter().filter(|line| line.room == room);
            Ok(own.filter(|line| line.line > after).cloned().collect())
        }
        .boxed()
    }

    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        _most: usize,
    ) -> StoreFuture<'a, Vec<DirectLine>> {
        async move {
            self.hold(format!("list {identity}")).await?;
            Ok(Vec::new())
        }
        .boxed()
    }

    fn say(&self, change: ChatChange) -> StoreFuture<'_, ()> {
        async move {
            let numbers = change.lines.iter().map(|line| line.line.to_string());
            let numbers: Vec<String> = numbers.collect();
            let call = format!("append {} {}", change.lines[0].room, numbers.join(" "));
            self.hold(call).await?;
            self.lines.lock().unwrap().extend(change.lines);
            Ok(())
        }
        .boxed()
    }
}

impl RelationStore for HeldStore {
    fn relations<'a>(&'a self, _identity: &'a str) -> StoreFuture<'a, Relations> {
        async { Ok(Relations::default()) }.boxed()
    }

    /// The test lets the call succeed for friends, and fail for others.
    fn relation<'a>(&'a self, identity: &'a str, other: &'a str) -> StoreFuture<'a, Relation> {
        async move {
            let is_friend = self
                .hold(format!("relate {identity} {other}"))
                .await
                .is_ok();
            Ok(Relation {
                is_friend,
                ..Relation::default()
            })
        }
        .boxed()
    }

    fn blocks(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn follows(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn relate(&self, _change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>> {
        async { Ok(()) }.boxed()
    }
}

/// A connection and the messages that it receives.
struct Client {
    peer: Peer,
    outbox: Arc<Outbox>,
    read: VecDeque<(u64, ServerMessage)>,
}

impl Client {
    /// Returns the next message: `ok`, `ok 1` with the number of a line, `push lobby 1`, or the code of an error.
    async fn next(&mut self) -> String {
        while self.read.is_empty() {
            let Waiting::Frames(frames) = self.outbox.take(1 << 16).await else {
                panic!("the connection was closed");
            };
            for frame in frames {
                for message in frame.contents() {
                    let read = decode_server(self.peer.codec(), message).unwrap();
                    self.read.push_back(read);
                }
            }
        }
        let (_, message) = self.read.pop_front().unwrap();
        match message {
            ServerMessage::Ok(ok) => match ok.chat.as_deref() {
                Some(ChatAnswer {
                    line: Some(line), ..
                }) => format!("ok {line}"),
                Some(ChatAnswer {
                    lines: Some(lines), ..
                }) => format!("ok with {}", lines.len()),
                _ => "ok".to_owned(),
            },
            ServerMessage::Chat(said) => format!("push {} {}", said.room, said.line.line),
            ServerMessage::ChatClosed(closed) => format!("closed {}", closed.room),
            ServerMessage::Error(error) => {
                let waits = error
                    .detail
                    .is_some_and(|detail| detail.retry_after_ms.is_some());
                assert_eq!(waits, error.code == ErrorCode::Busy, "{:?}", error.code);
                format!("{:?}", error.code)
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The chat, two connections of two players, and the calls that wait.
struct Scene {
    chat: ChatHandle,
    clients: Vec<Client>,
    calls: mpsc::UnboundedReceiver<Held>,
    commands: u32,
    _stop: tokio_util::sync::DropGuard,
}

fn game() -> RoomName {
    RoomName::Players(GameId("g1".to_owned()))
}

impl Scene {
    fn new(mailbox: usize) -> Self {
        let mut config = Config::default();
        config.chat.mailbox = mailbox;
        config.chat.burst = 1_000;
        let (held, calls) = mpsc::unbounded_channel();
        let store = Arc::new(HeldStore {
            lines: Mutex::default(),
            held,
        });
        let registry = Arc::<Registry>::default();
        let client = |id: u64| {
            let outbox = Arc::new(Outbox::new(1 << 20, Sink::Stream));
            let ledger = Arc::new(Ledger::new(32, 32));
            let identity = (format!("person{id}"), None);
            let outbox_of = Arc::clone(&outbox);
            let peer = Peer::new(PeerId(id), identity, Codec::MsgPack, outbox_of, ledger);
            registry.insert(&peer, 1).unwrap();
            Client {
                peer,
                outbox,
                read: VecDeque::new(),
            }
        };
        let clients = (0..2).map(client).collect();
        let services = Services {
            clock: ServerClock::manual(Timestamp(1_800_000_000_000)),
            store: Arc::clone(&store) as _,
            relations: store,
            blocks: Arc::default(),
            chat_off: Arc::default(),
            restrictions: Arc::default(),
            registry,
            overload: Arc::new(Overload::new(&config.overload)),
            config: Arc::new(config),
        };
        let (chat, stop) = (ChatHandle::default(), CancellationToken::new());
        chat.begin(services, &TaskTracker::new(), &stop);
        Self {
            chat,
            clients,
            calls,
            commands: 0,
            _stop: stop.drop_guard(),
        }
    }

    /// Returns a scene whose connections are in these rooms.
    async fn with(mailbox: usize, rooms: &[RoomName]) -> Self {
        let mut scene = Self::new(mailbox);
        for room in rooms {
            for client in 0..2 {
                scene.join(client, room);
                if client == 0 {
                    scene
                        .call(&format!("read {} 0", room.id()))
                        .await
                        .go
                        .send(true)
                        .unwrap();
                }
                assert_eq!(scene.next(client).await, "ok with 0");
            }
        }
        scene
    }

    fn ask(&self, client: usize, action: Action) {
        let peer = self.clients[client].peer.clone();
        self.chat.request(peer, 1, action).unwrap();
    }

    fn join(&self, client: usize, room: &RoomName) {
        self.ask(client, Action::Join(Admission::of(room.clone()), 0));
    }

    fn say(&mut self, client: usize, room: &RoomName) {
        self.commands += 1;
        let say = ChatSay {
            room: room.id(),
            cmd_id: CmdId(format!("c{}", self.commands)),
            text: format!("text {}", self.commands),
        };
        self.ask(client, Action::Say(say));
    }

    async fn next(&mut self, client: usize) -> String {
        self.clients[client].next().await
    }

    /// Waits for the next call, which must be this one.
    async fn call(&mut self, expected: &str) -> Held {
        let held = self.calls.recv().await.unwrap();
        assert_eq!(held.call, expected);
        held
    }

    /// Lets the next call, which must be this one, succeed or fail.
    async fn end(&mut self, expected: &str, succeeds: bool) {
        self.call(expected).await.go.send(succeeds).unwrap();
    }

    /// Returns when the task has taken all requests.
    async fn taken(&mut self) {
        self.ask(
            1,
            Action::Leave(RoomName::Spectators(GameId("none".to_owned())).id()),
        );
        self.hears(1, &["NotInRoom"]).await;
    }

    /// The next messages of a connection must be these.
    async fn hears(&mut self, client: usize, expected: &[&str]) {
        for expected in expected {
            assert_eq!(self.next(client).await, *expected);
        }
    }
}

#[tokio::test]
async fn a_game_goes_on_while_a_line_of_the_lobby_is_being_stored() {
    let mut scene = Scene::with(64, &[RoomName::Lobby, game()]).await;
    scene.say(0, &RoomName::Lobby);
    let lobby = scene.call("append lobby 1").await;
    scene.say(0, &RoomName::Lobby);
    scene.say(1, &RoomName::Lobby);
    for line in 1..=3 {
        scene.say(1, &game());
        scene.end(&format!("append p-g1 {line}"), true).await;
        // The line of the lobby is told to nobody before it is stored.
        let push = format!("push p-g1 {line}");
        scene.hears(1, &[&format!("ok {line}"), &push]).await;
        scene.hears(0, &[&push]).await;
    }
    lobby.go.send(true).unwrap();
    scene.hears(0, &["ok 1", "push lobby 1"]).await;
    scene.hears(1, &["push lobby 1"]).await;
    // The lines that came meanwhile share the next append.
    scene.end("append lobby 2 3", true).await;
    scene
        .hears(0, &["ok 2", "push lobby 2", "push lobby 3"])
        .await;
    scene
        .hears(1, &["ok 3", "push lobby 2", "push lobby 3"])
        .await;
}

#[tokio::test]
async fn reading_a_room_delays_no_other() {
    let mut scene = Scene::with(64, &[game()]).await;
    scene.join(0, &RoomName::Lobby);
    let lobby = scene.call("read lobby 0").await;
    scene.ask(1, Action::FollowDirect);
    let list = scene.call("list person1").await;
    scene.say(0, &RoomName::Lobby);
    scene.ask(0, Action::Leave(RoomName::Lobby.id()));
    scene.say(0, &game());
    scene.end("append p-g1 1", true).await;
    scene.hears(0, &["ok 1", "push p-g1 1"]).await;
    scene.hears(1, &["push p-g1 1"]).await;
    list.go.send(true).unwrap();
    scene.hears(1, &["ok"]).await;
    lobby.go.send(true).unwrap();
    // The requests of the room are served in their order.
    scene.hears(0, &["ok with 0"]).await;
    scene.end("append lobby 1", true).await;
    let mut rest = vec![scene.next(0).await, scene.next(0).await];
    rest.sort();
    assert_eq!(rest, ["ok", "ok 1"]);
}

#[tokio::test]
async fn a_line_of_unknown_outcome_is_refused_and_read_again() {
    let mut scene = Scene::with(64, &[game()]).await;
    scene.say(0, &game());
    let append = scene.call("append p-g1 1").await;
    scene.say(1, &game());
    scene.taken().await;
    append.go.send(false).unwrap();
    scene.hears(0, &["StoragePaused"]).await;
    scene.end("read p-g1 0", false).await;
    scene.hears(1, &["StoragePaused"]).await;
    scene.say(1, &game());
    scene.end("read p-g1 0", true).await;
    scene.end("append p-g1 1", true).await;
    scene.hears(1, &["ok 1", "push p-g1 1"]).await;
    scene.hears(0, &["push p-g1 1"]).await;
}

#[tokio::test]
async fn a_room_holds_half_of_the_requests_that_may_wait() {
    let mut scene = Scene::with(8, &[RoomName::Lobby, game()]).await;
    scene.say(0, &RoomName::Lobby);
    let lobby = scene.call("append lobby 1").await;
    for _ in 0..5 {
        scene.say(0, &RoomName::Lobby);
    }
    scene.hears(0, &["Busy"]).await;
    // The others still have places: 5 of 8 are taken.
    scene.say(1, &game());
    scene.end("append p-g1 1", true).await;
    scene.hears(1, &["ok 1", "push p-g1 1"]).await;
    scene.hears(0, &["push p-g1 1"]).await;
    lobby.go.send(true).unwrap();
    scene.hears(0, &["ok 1", "push lobby 1"]).await;
    scene.end("append lobby 2 3 4 5", true).await;
    scene.hears(0, &["ok 2", "ok 3", "ok 4", "ok 5"]).await;
}

#[tokio::test]
async fn requests_without_an_answer_are_bounded() {
    let mut scene = Scene::with(8, &[game()]).await;
    assert_eq!(scene.chat.level().length, 0);
    for _ in 0..8 {
        scene.ask(1, Action::FollowDirect);
    }
    assert_eq!(scene.chat.level().percent(), 100);
    let peer = scene.clients[0].peer.clone();
    let refused = scene.chat.request(peer, 2, Action::FollowDirect);
    assert!(refused.is_err(), "no place is free");
    for _ in 0..8 {
        scene.end("list person1", true).await;
        scene.hears(1, &["ok"]).await;
    }
    scene.say(0, &game());
    scene.end("append p-g1 1", true).await;
    scene.hears(0, &["ok 1"]).await;
}

#[tokio::test]
async fn a_friendship_is_read_after_the_line_came() {
    let direct = RoomName::direct("person0", "person1");
    let mut scene = Scene::with(64, std::slice::from_ref(&direct)).await;
    let room = direct.id();
    scene.say(0, &direct);
    let first = scene.call("relate person0 person1").await;
    // This one came after the storage was asked.
    scene.say(1, &direct);
    scene.taken().await;
    first.go.send(true).unwrap();
    scene.end(&format!("append {room} 1"), true).await;
    let push = format!("push {room} 1");
    scene.hears(0, &["ok 1", &push]).await;
    scene.hears(1, &[&push]).await;
    scene.end("relate person0 person1", false).await;
    let closed = format!("closed {room}");
    scene.hears(0, &[&closed]).await;
    scene.hears(1, &[&closed, "NoSuchRoom"]).await;
    scene.say(0, &direct);
    scene.hears(0, &["NotInRoom"]).await;
}

#[tokio::test]
async fn a_connection_that_leaves_its_game_leaves_after_its_requests() {
    let mut scene = Scene::new(64);
    scene.join(0, &game());
    let read = scene.call("read p-g1 0").await;
    let peer = scene.clients[0].peer.clone();
    scene.chat.left(&peer, &GameId("g1".to_owned()));
    scene.taken().await;
    read.go.send(true).unwrap();
    scene.hears(0, &["ok with 0"]).await;
    scene.say(0, &game());
    scene.hears(0, &["NotInRoom"]).await;
}
