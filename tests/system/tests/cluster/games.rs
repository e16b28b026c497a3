//! New games of several servers, and the lists of all their games: real servers, a real PostgreSQL and a real NATS server.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilewire_conformance::link::Link;
use tilewire_harness::PATIENCE;
use tilewire_harness::duel::options;
use tilewire_harness::http::ask;
use tilewire_harness::server::Server;
use tilewire_harness::wire::{Wire, kid, target};
use tilewire_store::Part;
use tilewire_system::cluster::Cluster;

/// So many new games that each of three servers owns some: the chance that one owns none is 1 in 60,000.
const GAMES: usize = 30;
/// Most rematches until the servers of the games are as wanted.
const REMATCHES: usize = 40;

/// Two players, and the games that they have begun.
struct Players {
    wires: Vec<Wire>,
    commands: usize,
}

impl Players {
    /// Two guests, each at a server.
    fn at(servers: [&Server; 2]) -> Self {
        let guests = ["Anna", "Ben"].into_iter().zip(servers);
        let wires = guests.map(|(name, server)| Wire::guest(&server.address, name).0);
        Self {
            wires: wires.collect(),
            commands: 0,
        }
    }

    /// Begins a game; nobody is attached.
    fn begin(&mut self) -> String {
        self.commands += 1;
        let seek = json!({ "cmd_id": format!("seek-{}", self.commands), "options": clock() });
        let seek = self.wires[0].ok("seek", seek)["seek"]["seek"].clone();
        let join = json!({ "cmd_id": format!("join-{}", self.commands), "seek": seek });
        let joined = self.wires[1].ok("join_seek", join);
        joined["game"].as_str().expect("a game").to_owned()
    }

    /// The first player begins a game against a house bot, and passes the first turn; returns the game when the bot has moved.
    fn begin_with_bot(&mut self) -> String {
        self.commands += 1;
        let id = format!("bot-{}", self.commands);
        let seek = json!({ "cmd_id": id, "options": clock(), "bots": ["beginner"] });
        let wire = &mut self.wires[0];
        let game = wire.ok("seek", seek)["game"].clone();
        let game = game.as_str().expect("the bot comes at once").to_owned();
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
        let is_mine =
            |message: &Value| is_event(message, &game, "turn_started") && message[2]["seat"] == 0;
        wire.pushed(is_mine);
        wire.ok(
            "pass",
            json!({ "game": game, "cmd_id": "pass", "turn_no": 1 }),
        );
        wire.pushed(is_mine);
        game
    }

    /// Begins games against house bots until one is as wanted, and returns them.
    fn begin_with_bots_until(&mut self, is_wanted: impl Fn(&String) -> bool) -> BTreeSet<String> {
        let mut begun = BTreeSet::new();
        for _ in 0..GAMES {
            let game = self.begin_with_bot();
            let is_last = is_wanted(&game);
            begun.insert(game);
            if is_last {
                return begun;
            }
        }
        panic!("none is as wanted: {begun:?}");
    }

    /// Attaches both to a game and lets its first turn begin.
    fn get_ready(&mut self, game: &str) {
        for wire in &mut self.wires {
            wire.ok("attach", json!({ "game": game, "seq": 0 }));
            wire.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
        }
        for wire in &mut self.wires {
            wire.pushed(|message| is_event(message, game, "turn_started"));
        }
    }

    /// Each player completes a turn, the one at `first` before the other.
    fn turn_each(&mut self, first: usize, game: &str) {
        for (turn, seat) in [(1, first), (2, 1 - first)] {
            let pass = json!({ "game": game, "cmd_id": "pass", "turn_no": turn });
            self.wires[seat].ok("pass", pass);
        }
    }

    fn resign(&mut self, seat: usize, game: &str) {
        self.wires[seat].ok("resign", json!({ "game": game, "cmd_id": "resign" }));
        for wire in &mut self.wires {
            wire.pushed(|message| is_event(message, game, "ended"));
        }
    }

    /// Offers a rematch; returns the id of the next game.
    fn offer(&mut self, seat: usize, game: &str) -> String {
        let offer = json!({ "game": game, "cmd_id": format!("again-{game}") });
        let answer = self.wires[seat].ok("offer_rematch", offer);
        answer["game"].as_str().expect("the next game").to_owned()
    }
}

fn clock() -> Value {
    options(&json!({ "kind": "sudden_death", "initial_ms": 600_000 }))
}

fn is_event(message: &Value, game: &str, kind: &str) -> bool {
    message[0] == "event" && message[2]["game"] == game && message[2]["kind"] == kind
}

/// Says whether a push tells followers of the lobby of a game.
fn tells(message: &Value, change: &str, game: &str) -> bool {
    let body = &message[2];
    message[0] == "lobby" && body["change"] == change && body["game"]["game"] == game
}

fn owner(cluster: &Cluster, game: &str) -> usize {
    cluster.owner(Cluster::part_of(game))
}

/// Returns the games that a client has in its list.
fn listed(wire: &mut Wire, scope: &str) -> BTreeSet<String> {
    let games = wire.ok("list_games", json!({ "scope": scope }))["games"].clone();
    let games = games.as_array().expect("games").iter();
    games
        .filter_map(|game| game["game"].as_str().map(str::to_owned))
        .collect()
}

/// The pause between two questions: a client may not ask more often for long.
const ASK_EVERY: Duration = Duration::from_millis(100);

#[expect(clippy::disallowed_methods, reason = "real processes are awaited")]
fn until<T>(what: &str, mut found: impl FnMut() -> Result<T, String>) -> T {
    let since = Instant::now();
    loop {
        match found() {
            Ok(found) => return found,
            Err(so_far) => assert!(since.elapsed() < PATIENCE, "never: {what}: {so_far}"),
        }
        thread::sleep(ASK_EVERY);
    }
}

fn until_counted(server: &Server, figure: &str, expected: usize) {
    let expected = f64::from(u32::try_from(expected).expect("there are few"));
    server.until_figure(figure, |found| (found - expected).abs() < 0.5);
}

fn until_listed(wire: &mut Wire, scope: &str, expected: &BTreeSet<String>) {
    until("the list is as expected", || {
        let found = listed(wire, scope);
        match found == *expected {
            true => Ok(()),
            false => Err(format!("{scope}: {found:?}, not {expected:?}")),
        }
    });
}

/// Every server gets new games, and loads them before a client comes. Every list shows all of them, wherever its client is
/// connected, also when the games are on other servers.
#[test]
fn new_games_are_on_all_servers_and_in_all_lists() {
    let Some(mut cluster) = Cluster::relaying(3) else {
        return;
    };
    let lobby = cluster.owner(Part::LOBBY);
    let [other, third] = [1, 2].map(|place| (lobby + place) % 3);
    let servers = &cluster.servers;
    let mut players = Players::at([&servers[third], &servers[other]]);
    let games: BTreeSet<String> = (0..GAMES).map(|_| players.begin()).collect();
    let mut on = BTreeMap::<usize, Vec<&String>>::new();
    for game in &games {
        on.entry(owner(&cluster, game)).or_default().push(game);
    }
    assert_eq!(on.len(), 3, "each server has some: {on:?}");
    for (server, games) in &on {
        until_counted(&cluster.servers[*server], "tilewire_games", games.len());
    }
    let elsewhere = GAMES - on[&lobby].len();
    let figure = "tilewire_cluster_games_elsewhere";
    until_counted(&cluster.servers[lobby], figure, elsewhere);

    let mut followers: Vec<Wire> = (0..3)
        .map(|server| Wire::guest(&cluster.servers[server].address, "Zoe").0)
        .collect();
    for follower in &mut followers {
        follower.ok("lobby_subscribe", json!({}));
    }
    let mut begun = BTreeSet::new();
    for games in on.values() {
        for game in games.iter().take(2) {
            players.get_ready(game);
            begun.insert((*game).clone());
            for follower in &mut followers {
                follower.pushed(|message| tells(message, "game_started", game));
            }
        }
    }
    for follower in &mut followers {
        until_listed(follower, "live", &begun);
    }
    for wire in &mut players.wires {
        until_listed(wire, "mine", &games);
    }
    let ended = on[&other][0];
    players.resign(0, ended);
    begun.remove(ended);
    for follower in &mut followers {
        follower.pushed(|message| tells(message, "game_ended", ended));
        until_listed(follower, "live", &begun);
    }
    // A house bot plays on the server of its game.
    let is_elsewhere = |game: &String| owner(&cluster, game) != lobby;
    let with_bot = players.begin_with_bots_until(is_elsewhere);
    begun.extend(with_bot.iter().cloned());
    for follower in &mut followers {
        until_listed(follower, "live", &begun);
    }
    // The server with some of the games is killed. The others have them, and the lists stay the same.
    cluster.servers[other].kill();
    cluster.until_at_home(&[lobby, third]);
    let (mut zoe, _) = Wire::guest(&cluster.servers[third].address, "Zoe");
    until_listed(&mut zoe, "live", &begun);
    cluster.servers[other].start_again();
    cluster.until_at_home(&[0, 1, 2]);
    let (mut zoe, _) = Wire::guest(&cluster.servers[other].address, "Zoe");
    until_listed(&mut zoe, "live", &begun);
    // The lists leave out a game against a bot whose player has gone.
    drop(players);
    begun.retain(|game| !with_bot.contains(game));
    for server in &cluster.servers {
        let (mut zoe, _) = Wire::guest(&server.address, "Zoe");
        until_listed(&mut zoe, "live", &begun);
    }
}

/// Sends a request to the API; returns its body when it is answered as expected.
fn api(server: &Server, request: &str, token: &str, body: &Value) -> Result<Value, String> {
    let mut headers = format!("Authorization: Bearer {token}\r\n");
    let text = match body {
        Value::Null => String::new(),
        body => {
            headers.push_str("Content-Type: application/json\r\n");
            body.to_string()
        }
    };
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = format!("{method} /api/v1{path}");
    let answer = ask(&server.address, &request, &headers, &text).map_err(|error| error.to_string());
    let answer = answer?;
    match (200..300).contains(&answer.status) {
        true => Ok(serde_json::from_str(&answer.body).expect("JSON")),
        false => Err(format!("{request}: {answer:?}")),
    }
}

/// Two registered players at two servers play rated games until one of a third server has ended and its rematch, on another
/// server again, has begun. Each game counts, spectators learn of each rematch, and a player who looks elsewhere is notified.
#[test]
fn a_series_of_rated_games_goes_through_the_servers() {
    let Some(cluster) = Cluster::relaying(3) else {
        return;
    };
    let lobby = cluster.owner(Part::LOBBY);
    let [other, third] = [1, 2].map(|place| (lobby + place) % 3);
    let places = [other, third];
    let tokens: Vec<String> = ["anna", "ben"]
        .iter()
        .map(|name| {
            let server = &cluster.servers[lobby];
            let (_, guest) = Wire::guest(&server.address, name);
            let password = "seven crooked lanterns";
            let body = json!({ "handle": name, "password": password });
            let session = api(server, "POST /register", &guest, &body).expect("it registers");
            session["token"].as_str().expect("a token").to_owned()
        })
        .collect();
    let at = |seat: usize| Wire::known(&cluster.servers[places[seat]].address, &tokens[seat]);
    let mut players = Players {
        wires: vec![at(0), at(1)],
        commands: 0,
    };
    let mut options = clock();
    options["rated"] = json!(true);
    let seek = json!({ "cmd_id": "rated", "options": options });
    let seek = players.wires[0].ok("seek", seek)["seek"]["seek"].clone();
    let join = json!({ "cmd_id": "join", "seek": seek });
    let mut game = players.wires[1].ok("join_seek", join)["game"].clone();
    let (mut watcher, _) = Wire::guest(&cluster.servers[third].address, "Zoe");
    let mut elsewhere = Wire::known(&cluster.servers[lobby].address, &tokens[0]);
    for round in 0.. {
        assert!(round < REMATCHES, "all games are on few servers");
        let this = game.as_str().expect("a game").to_owned();
        let place = owner(&cluster, &this);
        players.get_ready(&this);
        watcher.ok("attach", json!({ "game": this }));
        if round == 0 {
            elsewhere.pushed(|message| message[0] == "your_turn" && message[2]["game"] == this);
        }
        players.turn_each(round % 2, &this);
        players.resign(round % 2, &this);
        let server = &cluster.servers[other];
        let request = format!("GET /games/{this}/result");
        let result = until("the game has a result", || {
            api(server, &request, &tokens[0], &Value::Null)
        });
        assert!(result["pool"].is_string(), "it is rated: {result}");
        let next = players.offer(0, &this);
        players.wires[1].pushed(|message| message[0] == "rematch" && message[2]["game"] == this);
        assert_eq!(players.offer(1, &this), next);
        for wire in players.wires.iter_mut().chain([&mut watcher]) {
            wire.pushed(|message| message[0] == "rematch" && message[2]["next"] == next.as_str());
        }
        let next_place = owner(&cluster, &next);
        game = json!(next);
        if place != lobby && next_place != lobby && next_place != place {
            players.get_ready(&next);
            return;
        }
    }
}

/// A server is killed while games are created, then the one with the lobby. No game is lost, and none is there twice.
#[test]
fn no_new_game_is_lost_or_doubled_when_servers_are_killed() {
    let Some(mut cluster) = Cluster::relaying(3) else {
        return;
    };
    let lobby = cluster.owner(Part::LOBBY);
    let [other, away] = [1, 2].map(|place| (lobby + place) % 3);
    let servers = &cluster.servers;
    let mut players = Players::at([&servers[other], &servers[other]]);
    let mut games: BTreeSet<String> = (0..8).map(|_| players.begin()).collect();
    cluster.servers[away].kill();
    games.extend((0..16).map(|_| players.begin()));
    cluster.until_at_home(&[lobby, other]);
    games.extend((0..4).map(|_| players.begin()));
    cluster.servers[away].start_again();
    cluster.until_at_home(&[0, 1, 2]);
    games.extend((0..4).map(|_| players.begin()));
    cluster.servers[lobby].kill();
    games.extend((0..8).map(|_| players.begin()));
    assert_eq!(games.len(), 40);
    let stored = cluster.sql("SELECT game FROM games ORDER BY game");
    let stored: Vec<String> = stored.lines().map(str::to_owned).collect();
    assert_eq!(stored, games.iter().cloned().collect::<Vec<_>>());
    until_listed(&mut players.wires[1], "mine", &games);
    for game in &games {
        players.get_ready(game);
    }
    let (mut zoe, _) = Wire::guest(&cluster.servers[away].address, "Zoe");
    until_listed(&mut zoe, "live", &games);
}

/// The batches between servers are sealed with keys that follow from those of tokens: clients at two servers play on while a new
/// key comes and the old one goes.
#[test]
fn games_go_on_while_the_keys_of_tokens_change() {
    let Some(cluster) = Cluster::relaying(3) else {
        return;
    };
    let lobby = cluster.owner(Part::LOBBY);
    let [first, second] = [1, 2].map(|place| &cluster.servers[(lobby + place) % 3]);
    let plays = |players: &mut Players| {
        let game = players.begin();
        players.get_ready(&game);
        players.resign(0, &game);
    };
    let mut players = Players::at([first, second]);
    plays(&mut players);
    let (_zoe, zoes) = Wire::guest(&first.address, "Zoe");
    let kids = || {
        let listed = first.operate(&["keys", "list"], "").expect("keys");
        let kids = listed
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        kids.map(str::to_owned).collect::<Vec<_>>()
    };
    let [old] = &kids()[..] else {
        panic!("one key at first: {:?}", kids());
    };
    first.operate(&["keys", "rotate"], "").expect("a new key");
    plays(&mut players);
    until("every server signs with the new key", || {
        let signs = |wire: &mut Wire| {
            let renewed = wire.ok("renew", json!({}));
            kid(renewed["token"].as_str().expect("a token")) == *old
        };
        match players.wires.iter_mut().any(signs) {
            true => Err(format!("{old} signs")),
            false => Ok(()),
        }
    });
    first
        .operate(&["keys", "retire", old], "")
        .expect("it is old");
    for server in [first, second] {
        until(
            "no server takes a token of the old key",
            || match Link::known(&target(&server.address), &zoes) {
                Ok(_) => Err(format!("{old} verifies")),
                Err(_) => Ok(()),
            },
        );
    }
    plays(&mut players);
}
