//! A client hears the same about a game at every server, and nothing that it may not see: real servers, a real PostgreSQL and a
//! real NATS server.

use serde_json::{Value, json};
use tilewire_conformance::secrecy::check_secrecy;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_system::cluster::Cluster;

/// Exchanges before and behind the plays.
const EXCHANGES: usize = 3;
/// The delay for spectators, ms: longer than a takeover, so that the pause is over when they could be told of it.
const DELAY_MS: u64 = 10_000;
/// Most games that are begun until one of them is on another server than its players.
const DRAWS: usize = 60;
/// Fields of a snapshot that depend on its moment.
const OF_THE_MOMENT: [&str; 2] = ["at", "clocks"];

/// A client at one of the servers.
struct View {
    wire: Wire,
    seat: Option<u64>,
    events: Vec<Value>,
    snapshot: Value,
}

impl View {
    /// A player of the game, on one more connection.
    fn of_player(server: &Server, duel: &Duel, seat: u8) -> Self {
        let token = &duel.tokens[usize::from(seat)];
        let wire = Wire::known(&server.address, token);
        Self::begin(wire, Some(seat.into()), &duel.game)
    }

    fn of_spectator(server: &Server, duel: &Duel) -> Self {
        let wire = Wire::guest(&server.address, "Zoe").0;
        Self::begin(wire, None, &duel.game)
    }

    fn begin(mut wire: Wire, seat: Option<u64>, game: &str) -> Self {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        Self {
            wire,
            seat,
            events: Vec::new(),
            snapshot: Value::Null,
        }
    }

    /// Reads events up to one with this number.
    fn follow(&mut self, seq: u64) {
        let is_there = |events: &[Value]| {
            let last = events.last();
            last.is_some_and(|last| last["seq"].as_u64() >= Some(seq))
        };
        while !is_there(&self.events) {
            let event = self.wire.pushed(|message| message[0] == "event");
            self.events.push(event[2].clone());
        }
    }

    /// Takes a snapshot of the game as it is.
    fn look(&mut self, game: &str) {
        self.wire.ok("attach", json!({ "game": game }));
        let told = self.wire.pushed(|message| message[0] == "snapshot");
        self.snapshot = told[2].clone();
        let fields = self.snapshot.as_object_mut().expect("a map");
        fields.retain(|name, _| !OF_THE_MOMENT.contains(&name.as_str()));
    }

    fn check_secrecy(&self) {
        let events = self.events.iter().map(|event| json!(["event", 0, event]));
        let snapshot = json!(["snapshot", 0, self.snapshot]);
        let messages: Vec<Value> = [snapshot].into_iter().chain(events).collect();
        check_secrecy(&messages, self.seat);
    }
}

/// Reads until both players know everything; `scout` asks how much that is.
fn sync(duel: &mut Duel, scout: &mut Wire) {
    let attached = scout.ok("attach", json!({ "game": duel.game }));
    duel.sync(attached["head"].as_u64().expect("the last event"));
}

/// Each player exchanges hidden tiles, a play stands, and another one is challenged; then a snapshot is taken.
fn play(duel: &mut Duel, scout: &mut Wire, views: &mut [View]) {
    let exchange = |duel: &mut Duel, scout: &mut Wire| {
        let seat = duel.on_turn().expect("a turn");
        let body = json!({ "turn_no": duel.turn_no(), "tiles": duel.letters(seat, 2) });
        duel.ok(seat, "exchange", body);
        sync(duel, scout);
    };
    (0..EXCHANGES).for_each(|_| exchange(duel, scout));
    // Across the centre, and then down to the tile that lies there.
    for (start, below, judgement) in [("8G", None, "accept"), ("H6", Some("."), "challenge")] {
        let seat = duel.on_turn().expect("a turn");
        let mut tiles = duel.letters(seat, 2);
        tiles.extend(below.map(str::to_owned));
        let body = json!({ "turn_no": duel.turn_no(), "start": start, "tiles": tiles });
        let play = duel.ok(seat, "play", body);
        duel.sync(play);
        duel.ok(1 - seat, judgement, json!({ "play_id": play }));
        sync(duel, scout);
    }
    (0..EXCHANGES).for_each(|_| exchange(duel, scout));
    for view in views {
        view.look(&duel.game);
    }
}

#[test]
fn a_client_hears_the_same_at_every_server() {
    let Some(cluster) = Cluster::relaying(3) else {
        return;
    };
    let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
    let servers = &cluster.servers;
    let mut duel = Duel::start(&servers[0], &options(&clock));
    let kinds = [Some(0), Some(1), None];
    let mut views: Vec<View> = kinds
        .iter()
        .flat_map(|seat| servers.iter().map(move |server| (*seat, server)))
        .map(|(seat, server)| match seat {
            Some(seat) => View::of_player(server, &duel, seat),
            None => View::of_spectator(server, &duel),
        })
        .collect();
    let mut scout = Wire::guest(&servers[0].address, "Sam").0;
    play(&mut duel, &mut scout, &mut views);
    let last = duel.ok(0, "resign", json!({}));
    for view in &mut views {
        view.follow(last);
        view.check_secrecy();
    }
    for same in views.chunks(servers.len()) {
        let first = &same[0];
        assert!(first.events.len() > 2 * EXCHANGES, "{:?}", first.events);
        for other in same {
            assert_eq!(other.events, first.events, "seat {:?}", first.seat);
            assert_eq!(other.snapshot, first.snapshot, "seat {:?}", first.seat);
        }
    }
    let told = |view: usize| serde_json::to_string(&views[view].events).expect("JSON");
    assert_ne!(told(0), told(servers.len()), "each player has own tiles");
}

/// The server of a game is killed. Its players are told that the game pauses and goes on; spectators, who see it later, are told of neither.
#[test]
fn spectators_of_a_delayed_game_do_not_hear_that_its_server_is_lost() {
    let Some(mut cluster) = Cluster::relaying(3) else {
        return;
    };
    let mut options = options(&json!({ "kind": "sudden_death", "initial_ms": 600_000 }));
    options["spectators"] = json!({ "delay_ms": DELAY_MS });
    let owner = |duel: &Duel| cluster.owner(Cluster::part_of(&duel.game));
    let mut duels = (0..DRAWS).map(|_| Duel::start(&cluster.servers[0], &options));
    let mut duel = duels.find(|duel| owner(duel) != 0).expect("two in three");
    let (lost, third) = (owner(&duel), 3 - owner(&duel));
    let mut views = [0, third].map(|server| View::of_spectator(&cluster.servers[server], &duel));
    cluster.servers[lost].kill();
    for wire in &mut duel.wires {
        for told in ["paused", "unpaused"] {
            wire.pushed(|message| message[0] == told && message[2]["game"] == duel.game);
        }
    }
    let last = duel.ok(0, "resign", json!({}));
    for view in &mut views {
        view.follow(last);
        let heard = view.wire.take_pushed();
        let tells = |message: &Value| ["paused", "unpaused", "presence"].contains(&text(message));
        let told: Vec<_> = heard.iter().filter(|message| tells(message)).collect();
        assert!(told.is_empty(), "{told:?}");
    }
    assert_eq!(views[0].events, views[1].events);
}

/// Returns the op of a message.
fn text(message: &Value) -> &str {
    message[0].as_str().expect("an op")
}
