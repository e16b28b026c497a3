//! Changes that subscribers of the lobby get, read from their outboxes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use tilewire_protocol::{
    Codec, GameSummary, IdentityId, LobbyChangeKind, OkBody, Phase, Seek, decode_server,
};
use tilewire_rules::options::GameOptions;
use tilewire_rules::stream::{Seed, Stream};

use super::*;
use crate::tests::person;
use tilewire_delivery::outbound::{Outbox, Outgoing, Sink, Waiting};
use tilewire_delivery::session::Ledger;
use tilewire_wire::options;

/// Random walks, and steps in each.
const WALKS: u32 = 200;
const STEPS: u32 = 300;

/// The lobby as a client knows it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Lists {
    seeks: BTreeMap<SeekId, Seek>,
    games: BTreeMap<GameId, GameSummary>,
}

/// A connection, and the lists that it keeps.
struct Client {
    peer: Peer,
    outbox: Arc<Outbox>,
    lists: Lists,
    follows: bool,
    /// Number of pushes so far.
    pushes: usize,
}

fn seek(number: u32, version: i64) -> Seek {
    Seek {
        seek: SeekId(format!("s{number}")),
        owner: IdentityId("anna".to_owned()),
        options: options::to_wire(&GameOptions::classic("wordnik")),
        private: false,
        code: None,
        members: Vec::new(),
        created_at: version,
        criteria: None,
        range: None,
    }
}

fn game(number: u32) -> GameSummary {
    GameSummary {
        game: GameId(format!("g{number}")),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: Vec::new(),
        phase: Phase::Running,
        turn_no: 1,
        clocks: None,
        started_at: Some(1),
        watching: 0,
        private: false,
        ended_at: None,
    }
}

/// Returns a change of the lobby.
fn change(change: LobbyChangeKind, number: u32, version: i64) -> LobbyChange {
    let shown = matches!(change, SeekAdded | SeekChanged).then(|| seek(number, version));
    let removed = (change == SeekRemoved).then(|| seek(number, version).seek);
    let game = matches!(change, GameStarted | GameChanged | GameEnded).then(|| game(number));
    LobbyChange {
        change,
        seek: shown,
        seek_id: removed,
        game,
    }
}

impl Lists {
    /// Applies a change as a client does.
    fn take(&mut self, change: LobbyChange) {
        match (change.change, change.seek, change.seek_id, change.game) {
            (SeekAdded | SeekChanged, Some(seek), None, None) => {
                self.seeks.insert(seek.seek.clone(), seek);
            }
            (SeekRemoved, None, Some(seek), None) => {
                self.seeks.remove(&seek);
            }
            (GameStarted, None, None, Some(game)) => {
                self.games.insert(game.game.clone(), game);
            }
            (GameEnded, None, None, Some(game)) => {
                self.games.remove(&game.game);
            }
            other => panic!("{other:?}"),
        }
    }
}

impl Client {
    fn new(id: u64) -> Self {
        let outbox = Arc::new(Outbox::new(1 << 20, Sink::Stream));
        let ledger = Arc::new(Ledger::new(32, 32));
        let codec = if id.is_multiple_of(2) {
            Codec::Json
        } else {
            Codec::MsgPack
        };
        let identity = format!("person{id}");
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
            lists: Lists::default(),
            follows: false,
            pushes: 0,
        }
    }

    fn subscribe(&mut self, feed: &mut Feed, lobby: &Lists) {
        assert!(feed.subscribe(&self.peer, usize::MAX));
        self.follows = true;
        let ok = ServerMessage::Ok(Box::new(OkBody {
            seeks: Some(lobby.seeks.values().cloned().collect()),
            games: Some(lobby.games.values().cloned().collect()),
            ..OkBody::default()
        }));
        self.peer.queue(1, &ok);
    }

    fn unsubscribe(&mut self, feed: &mut Feed) {
        feed.unsubscribe(self.peer.id());
        self.read();
        self.follows = false;
        self.lists = Lists::default();
    }

    fn read(&mut self) {
        while let Some(Waiting::Frames(frames)) = self.outbox.try_take(1 << 20) {
            for frame in frames.iter().flat_map(Outgoing::contents) {
                match decode_server(self.peer.codec(), frame).unwrap().1 {
                    ServerMessage::Ok(ok) => {
                        let (seeks, games) = (ok.seeks.unwrap(), ok.games.unwrap());
                        let seeks = seeks.into_iter();
                        let games = games.into_iter();
                        self.lists = Lists {
                            seeks: seeks.map(|seek| (seek.seek.clone(), seek)).collect(),
                            games: games.map(|game| (game.game.clone(), game)).collect(),
                        };
                    }
                    ServerMessage::Lobby(change) => {
                        assert!(self.follows, "told after it left");
                        self.pushes += 1;
                        self.lists.take(*change);
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

fn tell(dispatches: Vec<Dispatch<Subscriber>>) {
    for telling in dispatches {
        assert_eq!(telling.send(), None);
    }
}

fn fan_out(feed: &mut Feed) {
    while feed.has_changes() {
        tell(feed.dispatches(&Blocks::default()));
    }
}

/// A change for two identities goes to these two, and only if it shows or hides a seek for them.
#[test]
fn a_block_hides_a_seek_from_one_subscriber() {
    let (mut feed, blocks) = (Feed::default(), Blocks::default());
    let mut clients = [1, 2, 3].map(Client::new);
    for client in &mut clients {
        client.subscribe(&mut feed, &Lists::default());
    }
    let mut of_first = change(SeekAdded, 1, 1);
    let mut seek = of_first.seek.take().expect("a seek");
    seek.members.push(person("person1"));
    let changed = LobbyChange {
        change: SeekChanged,
        seek: Some(seek.clone()),
        ..change(SeekAdded, 1, 1)
    };
    of_first.seek = Some(seek);
    let pair = || ["person1", "person2"].map(str::to_owned);
    let mut seen = |feed: &mut Feed| {
        tell(feed.dispatches(&blocks));
        clients.each_mut().map(|client| {
            client.read();
            (client.lists.seeks.len(), client.pushes)
        })
    };
    feed.announce(of_first);
    assert_eq!(seen(&mut feed), [(1, 1), (1, 1), (1, 1)]);
    blocks.insert("person2", "person1");
    feed.announce_between(pair(), Vec::new(), changed.clone());
    assert_eq!(seen(&mut feed), [(1, 1), (0, 2), (1, 1)]);
    feed.announce(changed.clone());
    feed.announce(change(SeekAdded, 2, 1));
    assert_eq!(seen(&mut feed), [(2, 3), (1, 3), (2, 3)]);
    blocks.remove("person2", "person1");
    feed.announce_between(pair(), Vec::new(), changed);
    assert_eq!(seen(&mut feed), [(2, 3), (2, 4), (2, 3)]);
}

/// The subscriber that a seek excludes gets the changes of other seeks alone, and shares frames again afterwards.
#[test]
fn an_excluded_subscriber_hears_nothing_of_a_seek() {
    let (mut feed, blocks) = (Feed::default(), Blocks::default());
    let mut clients = [1, 2].map(Client::new);
    for client in &mut clients {
        client.subscribe(&mut feed, &Lists::default());
    }
    let excluded = || vec![IdentityId("person2".to_owned())];
    let mut seen = |feed: &mut Feed| {
        tell(feed.dispatches(&blocks));
        clients.each_mut().map(|client| {
            client.read();
            (client.lists.seeks.len(), client.pushes)
        })
    };
    feed.announce_except(excluded(), change(SeekAdded, 1, 1));
    feed.announce(change(SeekAdded, 2, 1));
    assert_eq!(seen(&mut feed), [(2, 2), (1, 1)]);
    feed.announce_except(excluded(), change(SeekChanged, 1, 2));
    assert_eq!(seen(&mut feed), [(2, 3), (1, 1)]);
    feed.announce(change(SeekRemoved, 1, 2));
    feed.announce(change(SeekRemoved, 2, 1));
    assert_eq!(seen(&mut feed), [(0, 5), (0, 2)]);
    feed.announce(change(SeekAdded, 3, 1));
    assert_eq!(seen(&mut feed), [(1, 6), (1, 3)]);
}

#[test]
fn waiting_changes_of_one_seek_are_sent_as_one() {
    let told = |changes: &[LobbyChangeKind]| {
        let (mut feed, mut client) = (Feed::default(), Client::new(1));
        client.subscribe(&mut feed, &Lists::default());
        for (kind, version) in changes.iter().zip(1..) {
            feed.announce(change(*kind, 1, version));
        }
        let news: Vec<_> = feed.take();
        let of = |message: &ServerMessage| match message {
            ServerMessage::Lobby(change) => {
                let version = change.seek.as_ref().map(|seek| seek.created_at);
                (change.change, version)
            }
            other => panic!("{other:?}"),
        };
        news.iter()
            .map(|taken| of(taken.message.message()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&[SeekAdded, SeekChanged]), [(SeekAdded, Some(2))]);
    assert_eq!(told(&[SeekChanged, SeekChanged]), [(SeekChanged, Some(2))]);
    assert_eq!(told(&[SeekChanged, SeekRemoved]), [(SeekRemoved, None)]);
    assert_eq!(told(&[SeekAdded, SeekChanged, SeekRemoved]), []);
    assert_eq!(told(&[GameStarted, GameEnded]), []);
    assert_eq!(told(&[GameStarted, GameChanged]), [(GameStarted, None)]);
    assert_eq!(told(&[GameChanged, GameChanged]), [(GameChanged, None)]);
    assert_eq!(told(&[GameChanged, GameEnded]), [(GameEnded, None)]);
    // A seek that reconciliation brings back is sent.
    let back = [SeekAdded, SeekRemoved, SeekAdded];
    assert_eq!(told(&back), [(SeekAdded, Some(3))]);
    assert_eq!(told(&[SeekRemoved, SeekAdded]), [(SeekAdded, Some(2))]);
}

#[test]
fn all_subscribers_get_the_same_bytes() {
    let mut feed = Feed::default();
    let mut clients: Vec<_> = (1..=6).map(Client::new).collect();
    for client in &mut clients {
        client.subscribe(&mut feed, &Lists::default());
    }
    feed.announce(change(SeekAdded, 1, 1));
    let dispatches = feed.dispatches(&Blocks::default());
    let group = |at: usize| dispatches[at].framed.as_ref().unwrap();
    for at in 2..6 {
        assert!(Arc::ptr_eq(group(at), group(at % 2)), "{at}");
    }
    assert!(!Arc::ptr_eq(group(0), group(1)), "in another codec");
}

#[test]
fn many_changes_are_sent_in_parts() {
    let (mut feed, mut client) = (Feed::default(), Client::new(1));
    client.subscribe(&mut feed, &Lists::default());
    for number in 0..300 {
        feed.announce(change(SeekAdded, number, 1));
    }
    let mut parts = Vec::new();
    while feed.has_changes() {
        tell(feed.dispatches(&Blocks::default()));
        client.read();
        parts.push(client.pushes);
    }
    assert_eq!(parts, [128, 256, 300]);
    assert!(feed.last.is_empty(), "nothing is kept of what was told");
}

#[test]
fn a_subscriber_gets_nothing_after_it_left_or_before_its_lists() {
    let (mut feed, mut client) = (Feed::default(), Client::new(1));
    client.subscribe(&mut feed, &Lists::default());
    feed.announce(change(SeekAdded, 1, 1));
    let on_the_way = feed.dispatches(&Blocks::default());
    // It subscribes again, and its new lists do not have the seek.
    client.subscribe(&mut feed, &Lists::default());
    tell(on_the_way);
    client.read();
    assert_eq!(client.lists, Lists::default());
    feed.announce(change(SeekAdded, 2, 1));
    let on_the_way = feed.dispatches(&Blocks::default());
    client.unsubscribe(&mut feed);
    tell(on_the_way);
    client.read();
    assert_eq!(client.pushes, 0);
    assert!(!feed.has(client.peer.id()));
    feed.announce(change(SeekAdded, 3, 1));
    assert!(!feed.has_changes(), "there are no subscribers");
}

#[test]
fn the_number_of_subscribers_is_limited() {
    let (mut feed, peers) = (Feed::default(), [1, 2, 3].map(Client::new));
    let mut follow = |at: usize| feed.subscribe(&peers[at].peer, 2);
    assert!(follow(0) && follow(1) && !follow(2));
    assert!(follow(1), "it has its place already");
    feed.retain(|peer| peer.id() != PeerId(1));
    assert!(feed.subscribe(&peers[2].peer, 2));
    feed.dismiss(CloseCode::GoingAway, "gone");
    let closed = peers[2].outbox.try_take(1);
    assert!(matches!(closed, Some(Waiting::Close(_))), "{closed:?}");
    assert!(!feed.has(PeerId(3)));
}

/// A random lobby; its subscribers join, leave and subscribe again between fan-outs.
struct Walk {
    rng: Stream,
    feed: Feed,
    lobby: Lists,
    clients: Vec<Client>,
    on_the_way: Vec<Dispatch<Subscriber>>,
    made: u32,
}

#[test]
fn after_a_random_walk_every_subscriber_has_the_current_lobby() {
    for seed in 0..WALKS {
        let name = format!("feed {seed}");
        let mut walk = Walk {
            rng: Seed::new(&[1; 32], &name, &[[]; 0]).stream("walk"),
            feed: Feed::default(),
            lobby: Lists::default(),
            clients: (1..=4).map(Client::new).collect(),
            on_the_way: Vec::new(),
            made: 0,
        };
        for _ in 0..STEPS {
            walk.step();
        }
        tell(std::mem::take(&mut walk.on_the_way));
        fan_out(&mut walk.feed);
        for client in &mut walk.clients {
            client.read();
            if client.follows {
                assert_eq!(client.lists, walk.lobby, "seed {seed}");
            }
        }
    }
}

impl Walk {
    fn step(&mut self) {
        let at = usize::try_from(self.rng.uniform(4)).unwrap();
        match self.rng.uniform(24) {
            0..=7 => self.seek(),
            8..=12 => self.game(),
            13..=16 => self.tell(),
            17 | 18 => self.clients[at].subscribe(&mut self.feed, &self.lobby),
            19 if self.clients[at].follows => self.clients[at].unsubscribe(&mut self.feed),
            _ => self.clients[at].read(),
        }
    }

    /// Sends to some of the subscribers, or begins a fan-out.
    fn tell(&mut self) {
        if self.on_the_way.is_empty() {
            self.on_the_way = self.feed.dispatches(&Blocks::default());
        }
        let some = self.on_the_way.len().min(2);
        tell(self.on_the_way.drain(..some).collect());
    }

    fn seek(&mut self) {
        let number = self.number();
        let id = seek(number, 0).seek;
        let news = match self.lobby.seeks.entry(id) {
            Entry::Vacant(_) => change(SeekAdded, number, 1),
            Entry::Occupied(old) if self.rng.uniform(2) == 0 => {
                change(SeekChanged, number, old.get().created_at + 1)
            }
            Entry::Occupied(_) => change(SeekRemoved, number, 0),
        };
        self.happens(news);
    }

    fn game(&mut self) {
        let number = self.number();
        let is_played = self.lobby.games.contains_key(&game(number).game);
        let kind = if is_played { GameEnded } else { GameStarted };
        self.happens(change(kind, number, 0));
    }

    /// Returns a new number, or one of the last few.
    fn number(&mut self) -> u32 {
        if self.rng.uniform(2) == 0 {
            self.made += 1;
            return self.made;
        }
        self.made.saturating_sub(self.rng.uniform(6))
    }

    fn happens(&mut self, news: LobbyChange) {
        self.lobby.take(news.clone());
        self.feed.announce(news);
    }
}
