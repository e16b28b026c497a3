//! Games with their actors, hubs, a real storage and real outboxes; only the sockets are missing.

use std::collections::VecDeque;
use std::sync::Arc;

use tilewire_protocol::{
    Codec, ErrorCode, EventBody, Play, Ready, ServerMessage, Snapshot, decode_server,
};
use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{ChallengeKind, FirstPlay, GameOptions};
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::{Directory, GameHandle, NewGame, NewPlayer};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_delivery::outbound::{Outbox, Peer, PeerId, Registry, Sink, Waiting};
use tilewire_delivery::session::Ledger;
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

use tilewire_protocol::ClientMessage;

/// A lexicon that fails when it is asked.
#[derive(Debug)]
struct Faulty;

impl Lexicon for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }
    fn hash(&self) -> &[u8; 32] {
        &[8; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, _word: &[Letter]) -> bool {
        panic!("this lexicon fails on purpose")
    }
}

/// A connection and the messages it receives.
struct Client {
    peer: Peer,
    outbox: Arc<Outbox>,
    read: VecDeque<(u64, ServerMessage)>,
}

impl Client {
    fn new(id: u64, identity: &str) -> Self {
        let outbox = Arc::new(Outbox::new(1 << 20, Sink::Stream));
        let ledger = Arc::new(Ledger::new(32, 32));
        let (identity, codec) = (identity.to_owned(), Codec::MsgPack);
        let peer = Peer::new(
            PeerId(id),
            (identity, None),
            codec,
            Arc::clone(&outbox),
            ledger,
        );
        Self {
            peer,
            outbox,
            read: VecDeque::new(),
        }
    }

    async fn next(&mut self) -> (u64, ServerMessage) {
        loop {
            if let Some(next) = self.read.pop_front() {
                return next;
            }
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
    }

    /// Reads until `wanted` picks a message.
    async fn until<T>(&mut self, wanted: impl Fn(u64, &ServerMessage) -> Option<T>) -> T {
        loop {
            let (id, message) = self.next().await;
            if let Some(found) = wanted(id, &message) {
                return found;
            }
        }
    }

    async fn answer(&mut self, request_id: u64) -> ServerMessage {
        self.until(|id, message| (id == request_id).then(|| message.clone()))
            .await
    }

    async fn attach(&mut self, game: &GameHandle) -> Snapshot {
        game.attach(self.peer.clone(), 1, None, None).unwrap();
        let answer = self.answer(1).await;
        assert!(matches!(answer, ServerMessage::Ok(_)), "{answer:?}");
        self.until(|_, message| match message {
            ServerMessage::Snapshot(snapshot) => Some(Snapshot::clone(snapshot)),
            _ => None,
        })
        .await
    }

    fn command(&self, game: &GameHandle, request_id: u64, command: ClientMessage) {
        let now = ServerClock::system().now();
        game.command(
            self.peer.clone(),
            request_id,
            now,
            Millis(0),
            Arc::new(command),
        )
        .unwrap();
    }
}

struct Server {
    directory: Directory,
    _dir: tempfile::TempDir,
}

impl Server {
    async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (config, clock) = (Config::default(), ServerClock::system());
        let journal = tilewire_databases::open(dir.path(), &config.storage, clock.now()).unwrap();
        let lexica = Lexica::of([Arc::new(Faulty) as Arc<dyn Lexicon>]);
        let directory = Directory::start(
            super::Services::of(journal, Catalogue::new(lexica), clock, Ids::system()),
            &config,
            None,
        );
        Self {
            directory: directory.await.unwrap(),
            _dir: dir,
        }
    }

    /// Makes a game of ada and bob in which ada plays first.
    async fn game(&self) -> GameHandle {
        let mut options = GameOptions::classic("faulty");
        options.first = FirstPlay::Seat(Seat(0));
        options.challenge.kind = ChallengeKind::Void;
        let game = NewGame {
            id: "g1".into(),
            options,
            players: ["ada", "bob"]
                .map(|name| NewPlayer {
                    identity: name.to_owned(),
                    name: name.to_owned(),
                    nonce_hash: None,
                    level: None,
                    kind: None,
                    rating: None,
                })
                .to_vec(),
            private_code: None,
            series: None,
            from: None,
        };
        self.directory.create(game).await.unwrap();
        self.directory.find(&"g1".into()).await.unwrap()
    }
}

fn ready() -> ClientMessage {
    ClientMessage::Ready(Ready {
        game: "g1".into(),
        cmd_id: "ready".into(),
        nonce: None,
    })
}

/// The first two letters of a rack across the centre.
fn some_play(rack: &[String]) -> ClientMessage {
    let letters = rack.iter().filter(|face| *face != "?");
    ClientMessage::Play(Play {
        game: "g1".into(),
        cmd_id: "play".into(),
        turn_no: 1,
        start: "8H".to_owned(),
        tiles: letters.take(2).cloned().collect(),
    })
}

#[tokio::test]
async fn players_and_spectators_see_the_same_events() {
    let server = Server::start().await;
    let game = server.game().await;
    let mut news = server.directory.news();
    let (mut ada, mut bob) = (Client::new(1, "ada"), Client::new(2, "bob"));
    let mut eve = Client::new(3, "eve");
    assert_eq!(ada.attach(&game).await.seat, Some(0));
    assert_eq!(bob.attach(&game).await.seat, Some(1));
    assert_eq!(eve.attach(&game).await.seat, None);
    ada.command(&game, 2, ready());
    bob.command(&game, 2, ready());
    let mut seen = Vec::new();
    for client in [&mut ada, &mut bob, &mut eve] {
        let mut own = Vec::new();
        loop {
            let event = client
                .until(|_, message| match message {
                    ServerMessage::Event(event) => Some(event.clone()),
                    _ => None,
                })
                .await;
            own.push((event.seq, event.body.kind().to_owned()));
            if let EventBody::TilesDrawn(drawn) = &event.body {
                let sees = drawn.tiles.is_some();
                let owns = client.peer.id().0 == u64::from(drawn.seat) + 1;
                assert_eq!(sees, owns);
            }
            if matches!(event.body, EventBody::TurnStarted(_)) {
                break;
            }
        }
        seen.push(own);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
    let started = news.recv().await.unwrap();
    assert!(matches!(started, super::GameNews::Started(_)));
    assert_eq!(server.directory.live(&Registry::default()).await.len(), 1);
    server.directory.shutdown().await;
    assert!(game.is_gone());
}

#[tokio::test]
async fn a_panic_ends_one_actor_and_the_game_goes_on_with_the_next() {
    let server = Server::start().await;
    let game = server.game().await;
    let (mut ada, mut bob) = (Client::new(1, "ada"), Client::new(2, "bob"));
    let mut eve = Client::new(3, "eve");
    for client in [&mut ada, &mut bob, &mut eve] {
        client.attach(&game).await;
    }
    ada.command(&game, 2, ready());
    ada.answer(2).await;
    bob.command(&game, 2, ready());
    let rack = ada
        .until(|_, message| match message {
            ServerMessage::Event(event) => match &event.body {
                EventBody::TilesDrawn(drawn) => drawn.tiles.clone(),
                _ => None,
            },
            _ => None,
        })
        .await;
    bob.answer(2).await;
    // Plays are validated automatically here, so the lexicon is asked.
    ada.command(&game, 3, some_play(&rack));
    let ServerMessage::Error(error) = ada.answer(3).await else {
        panic!("the play cannot succeed");
    };
    assert_eq!(error.code, ErrorCode::Internal);
    for client in [&mut ada, &mut bob, &mut eve] {
        let is_detached = |_, message: &ServerMessage| {
            matches!(message, ServerMessage::Detached(_)).then_some(())
        };
        client.until(is_detached).await;
    }
    game.closed().await;
    let again = server.directory.find(&"g1".into()).await.unwrap();
    let snapshot = ada.attach(&again).await;
    assert_eq!(snapshot.seats[0].rack.as_ref(), Some(&rack));
    assert_eq!(snapshot.turn_no, 1);
    assert_eq!(server.directory.running(), 1);
}

#[tokio::test]
async fn a_connection_that_ended_before_it_was_attached_does_not_stay() {
    let server = Server::start().await;
    let game = server.game().await;
    let ada = Client::new(1, "ada");
    game.attach(ada.peer.clone(), 1, None, None).unwrap();
    ada.outbox.set_gone();
    game.gone(ada.peer.id());
    let mut bob = Client::new(2, "bob");
    let snapshot = bob.attach(&game).await;
    assert!(!snapshot.seats[0].connected);
}

/// Attach requests of spectators never fill the places that the mailbox reserves for commands.
#[tokio::test]
async fn attach_requests_use_at_most_half_of_the_mailbox() {
    let (game, _mailbox, _gone) = GameHandle::new(8);
    let peer = Client::new(1, "eve").peer;
    let attach = |id| game.attach(peer.clone(), id, None, None);
    let act = |id| game.command(peer.clone(), id, Timestamp(0), Millis(0), Arc::new(ready()));
    assert_eq!((0..8).filter(|id| attach(*id).is_ok()).count(), 4);
    assert_eq!((0..8).filter(|id| act(*id).is_ok()).count(), 4);
}
