//! Answers over HTTP do not depend on hidden tiles of running games, and name no running game.
//!
//! Two servers have the same players, tokens and finished games, and running games that are twins: they differ in the tiles
//! that the requester may not see. Every GET operation of the API, every record and every page must have the same answer on
//! both.

mod own_data;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tilewire_conformance::pair::Pair;
use tilewire_conformance::secrecy::check_answer;
use tilewire_conformance::{Target, api, registered};
use tilewire_harness::http;
use tilewire_harness::server::Server;
use tilewire_harness::wire::{Wire, target};
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;

use super::stored::{Twins, store};

/// The budget of an address is no subject of this test, which asks much in a short time.
const SETTINGS: &str = "
[limits]
budget_per_second_per_address = 1000000
budget_burst_per_address = 1000000
";
/// Pairs of running games for each viewer; every second one is private.
const PAIRS: u64 = 4;
/// How long before the test the running games began, ms.
const AGE_MS: i64 = 600_000;

/// The path that tells a friend which public game a player plays.
const RELATIONS: &str = "/relations";
/// The path of everything about a player. It has the running games as the player's own seats see them.
const OWN_DATA: &str = "/account/export";

/// A registered player.
struct Player {
    handle: String,
    identity: String,
    token: String,
}

/// Two servers with the same people and finished games, and twins of running games.
struct House {
    servers: [Server; 2],
    targets: [Target; 2],
    /// The seats of the games that others watch, and then of the games in which the last one is the viewer.
    players: Vec<Player>,
    running: Vec<Twins>,
    /// A finished game that the API may show.
    finished: String,
    /// The connections of a spectator, and of a player, to the running games.
    attached: Vec<Wire>,
    /// The requesters: each a name, and a token if there is one.
    requesters: Vec<(&'static str, Option<String>)>,
}

/// A rated game of two new players that the first one resigns after a turn of each.
fn finished(at: &Target) -> (Pair, Vec<Player>) {
    let (mut pair, tokens) = registered::begun(at).unwrap();
    registered::turn_each(&mut pair).unwrap();
    pair.ok(0, "resign", json!({})).unwrap();
    let path = format!("/games/{}/result", pair.game);
    api::until(at, &path, &tokens[0], |_| true).unwrap();
    let players = pair.links.iter().zip(tokens).map(|(link, token)| Player {
        handle: link.welcome["name"].as_str().unwrap().to_owned(),
        identity: link.identity().to_owned(),
        token,
    });
    let players = players.collect();
    (pair, players)
}

/// Lets two players follow each other.
fn befriend(at: &Target, one: &Player, other: &Player) {
    for (player, other) in [(one, other), (other, one)] {
        let request = format!("PUT /following/{}", other.handle);
        api::ok(at, &request, Some(&player.token), &Value::Null).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::copy(&path, &copied).unwrap();
        }
    }
}

impl House {
    fn open() -> Self {
        let mut first = Server::start(SETTINGS);
        let at = target(&first.address);
        let (pair, mut players) = finished(&at);
        players.extend(finished(&at).1);
        befriend(&at, &players[2], &players[3]);
        let (eve, stranger) = Wire::guest(&first.address, "Eve");
        let (mut zoe, spectator) = Wire::guest(&first.address, "Zoe");
        let now = zoe.ok("time", json!({}))["server_time"].as_i64().unwrap();
        let began = Timestamp(now - AGE_MS);
        let game = pair.game.clone();
        drop((pair, zoe, eve));
        assert!(first.stop());
        let mut second = Server::prepared(SETTINGS);
        copy(&first.data_dir(), &second.data_dir());
        let mut running = Vec::new();
        for (name, seats, audience) in [
            ("watched", &players[..2], Audience::Spectator),
            ("played", &players[2..], Audience::Seat(Seat(1))),
        ] {
            let seats = [&seats[0], &seats[1]].map(|player| player.identity.as_str());
            let play = |seed| Twins::play(format!("{name}{seed}"), seats, began, audience, seed);
            running.extend((0..PAIRS).map(play));
        }
        for (server, number) in [(&mut first, 0), (&mut second, 1)] {
            store(&server.data_dir(), &running, number);
            server.start_again();
        }
        let opponent = players[3].token.clone();
        let mut house = Self {
            targets: [target(&first.address), target(&second.address)],
            servers: [first, second],
            requesters: vec![
                ("nobody", None),
                ("a stranger", Some(stranger)),
                ("a spectator", Some(spectator.clone())),
                ("the opponent", Some(opponent.clone())),
            ],
            players,
            running,
            finished: game,
            attached: Vec::new(),
        };
        house.attach(&spectator, &opponent);
        house
    }

    /// Lets a spectator and a player follow the games that each may see. All games go on.
    fn attach(&mut self, spectator: &str, opponent: &str) {
        for server in &self.servers {
            let mut watching = Wire::known(&server.address, spectator);
            let mut playing = Wire::known(&server.address, opponent);
            for twins in &self.running {
                let is_played = twins.game.starts_with("played");
                let wire = if is_played {
                    &mut playing
                } else {
                    &mut watching
                };
                let attach = json!({ "game": twins.game, "code": twins.code() });
                let role = wire.ok("attach", attach)["role"].clone();
                assert_eq!(role, if is_played { "player" } else { "spectator" });
                let is_it = |message: &Value| {
                    message[0] == "snapshot" && message[2]["game"] == twins.game.as_str()
                };
                let snapshot = wire.pushed(is_it);
                assert_ne!(snapshot[2]["phase"], "ended", "{snapshot}");
            }
            self.attached.extend([watching, playing]);
        }
    }

    /// The paths of an operation of the API, with queries.
    fn paths(&self, operation: &str) -> Vec<String> {
        let [one, other] = [&self.players[0].handle, &self.players[1].handle];
        let people = self.players.iter().map(|player| player.handle.as_str());
        let people: Vec<&str> = people.chain(["me"]).collect();
        let of_people = |path: &str| {
            let paths = people.iter().map(|name| path.replace("{}", name));
            paths.collect::<Vec<String>>()
        };
        let games = self.running.iter().map(|twins| &twins.game);
        let games = games.chain([&self.finished]);
        let board = "/leaderboards/classic/wordnik/standard?board=";
        match operation {
            "document" => vec!["/openapi.json".to_owned()],
            "me" => vec!["/me".to_owned()],
            "listSessions" => vec!["/sessions".to_owned()],
            "findPlayers" => [one, other]
                .map(|name| format!("/players?name={name}"))
                .to_vec(),
            "player" => of_people("/players/{}"),
            "relations" => vec![RELATIONS.to_owned()],
            "statistics" => of_people("/players/{}/statistics"),
            "ratings" => of_people("/players/{}/ratings?points=5"),
            "headToHead" => people
                .iter()
                .flat_map(|name| of_people(&format!("/players/{name}/versus/{{}}")))
                .collect(),
            "gameResult" => games.map(|game| format!("/games/{game}/result")).collect(),
            "leaderboard" => ["rating", "week", "month", "all"]
                .map(|span| format!("{board}{span}"))
                .to_vec(),
            "reports" => vec!["/moderation/reports?behind=o9&limit=5".to_owned()],
            "reportWithContext" => vec!["/moderation/reports/1".to_owned()],
            "moderationOf" => vec![format!("/moderation/players/{one}?before=9&limit=5")],
            "audit" => vec!["/moderation/audit?before=9&limit=5".to_owned()],
            "exportAccount" => vec![OWN_DATA.to_owned()],
            "vacation" => vec!["/account/vacation".to_owned()],
            "pushes" => vec!["/account/pushes".to_owned()],
            "export" => vec!["/export".to_owned(), "/export?before=1000000".to_owned()],
            "archive" => [
                String::new(),
                "?limit=200&before=1000000".to_owned(),
                format!("?player={one}&opponent={other}"),
                format!("?player={one}&result=lost&score_min=-999&score_max=999"),
                "?player=me&rule_set=classic&lexicon=wordnik&reason=resignation".to_owned(),
                "?rated=true&pool=classic/wordnik/standard&from=1&until=9000000000000".to_owned(),
            ]
            .map(|query| format!("/archive{query}"))
            .to_vec(),
            unknown => panic!("this test sends no request of {unknown}: add its paths here"),
        }
    }

    /// Every path of a GET operation that the server describes. Each parameter of a query must be in one of them.
    fn described(&self) -> Vec<String> {
        let document = api::ok(&self.targets[0], "GET /openapi.json", None, &Value::Null).unwrap();
        let mut all = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let Some(operation) = methods.get("get") else {
                continue;
            };
            let paths = self.paths(operation["operationId"].as_str().unwrap());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = format!("{}=", parameter["name"].as_str().unwrap());
                let is_sent = paths.iter().any(|path| path.contains(&name));
                assert!(parameter["in"] == "path" || is_sent, "{path}: {name}");
            }
            all.extend(paths);
        }
        all
    }

    /// Checks that the lists of a player name a running game only if it is public and a friend plays it.
    fn check_relations(&self, name: &str, answer: &Value) {
        let running = self.running.iter();
        let (public, private): (Vec<_>, Vec<_>) = running.partition(|twins| !twins.is_private);
        let of = |twins: &[&Twins]| twins.iter().map(|twins| twins.game.clone()).collect();
        let (public, private): (Vec<String>, Vec<String>) = (of(&public), of(&private));
        check_answer(answer, &private);
        if name != "the opponent" {
            return check_answer(answer, &public);
        }
        let friend = &answer["followed"][0];
        let game = friend["game"].as_str().expect("the friend plays");
        assert!(public.iter().any(|known| known == game), "{answer}");
        assert!(game.starts_with("played"), "{answer}");
    }

    /// The paths outside the API: records, pages, the state of the server.
    fn others(&self) -> Vec<String> {
        let games = self.running.iter().map(|twins| twins.game.as_str());
        let of_games = games
            .chain([self.finished.as_str()])
            .flat_map(|game| ["", ".jsonl", ".gcg"].map(|form| format!("/games/{game}{form}")));
        let pages = [
            "/",
            "/status",
            "/watch",
            "/archive",
            "/finished",
            "/friends",
            "/moderation",
        ];
        let pages = pages.into_iter().map(str::to_owned);
        let players = self.players.iter();
        let players = players.map(|player| format!("/players/{}", player.handle));
        of_games.chain(pages).chain(players).collect()
    }
}

/// An answer without the time at which it was given.
#[derive(Debug, PartialEq)]
struct TimelessAnswer {
    status: u16,
    head: Vec<String>,
    body: Vec<u8>,
}

impl TimelessAnswer {
    fn new(status: u16, head: &[String], body: &[u8]) -> Self {
        let head = head
            .iter()
            .filter(|line| !line.to_lowercase().starts_with("date:"));
        let mut body = body.to_vec();
        if let Ok(mut value) = serde_json::from_slice::<Value>(&body)
            && value.get("server_time").is_some()
        {
            value["server_time"] = json!(0);
            body = value.to_string().into_bytes();
        }
        Self {
            status,
            head: head.cloned().collect(),
            body,
        }
    }
}

/// Returns the answer of the API at `path`.
fn ask_api(at: &Target, path: &str, token: Option<&str>) -> TimelessAnswer {
    let answer = api::ask(at, &format!("GET {path}"), token, &Value::Null).unwrap();
    TimelessAnswer::new(answer.head.status, &answer.head.lines(), &answer.body)
}

/// Returns the answer at a path outside the API.
fn ask_plain(server: &Server, path: &str, token: Option<&str>) -> TimelessAnswer {
    let headers = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let headers = headers.unwrap_or_default();
    let answer = http::ask(&server.address, &format!("GET {path}"), &headers, "").unwrap();
    let head: Vec<String> = answer.head.lines().map(str::to_owned).collect();
    TimelessAnswer::new(answer.status, &head, answer.body.as_bytes())
}

#[test]
fn answers_over_http_do_not_depend_on_hidden_tiles() {
    let house = House::open();
    let changed: usize = house.running.iter().map(|twins| twins.changed).sum();
    assert!(changed / house.running.len() > 20, "{changed}");
    let running: Vec<String> = house
        .running
        .iter()
        .map(|twins| twins.game.clone())
        .collect();
    let (described, others) = (house.described(), house.others());
    let mut answered = 0;
    for (name, token) in &house.requesters {
        for path in &described {
            let ask = |at: &Target| ask_api(at, path, token.as_deref());
            let [one, other] = house.targets.each_ref().map(ask);
            if path == OWN_DATA {
                answered += usize::from(one.status == 200);
                house.check_own_data(name, &one, &other);
                continue;
            }
            assert!(one == other, "GET {path} of {name}: {one:?} {other:?}");
            let is_about_running = path.starts_with("/games/") && !path.contains(&house.finished);
            assert!(!is_about_running || one.status >= 400, "{path}: {one:?}");
            match serde_json::from_slice(&one.body) {
                Ok(answer) if path == RELATIONS => house.check_relations(name, &answer),
                Ok(answer) => check_answer(&answer, &running),
                Err(_) => check_names(&one, &running),
            }
            answered += usize::from(one.status == 200);
        }
        for path in &others {
            let ask = |server: &Server| ask_plain(server, path, token.as_deref());
            let [one, other] = house.servers.each_ref().map(ask);
            assert!(one == other, "GET {path} of {name}: {one:?} {other:?}");
            let is_running = running.iter().any(|game| path.contains(game.as_str()));
            let is_record = is_running && path.contains('.');
            assert!(!is_record || one.status >= 400, "{path}: {one:?}");
        }
    }
    // Most requests of three requesters with tokens are answered.
    assert!(answered > described.len() * 3 / 2, "{answered} answers");
}

/// Sends a request of an operator; returns the answer without times: the servers did not start at the same moment.
fn ask_operator(server: &Server, request: &str, body: &Value) -> Value {
    let token = fs::read_to_string(server.data_dir().join("admin-token")).unwrap();
    let (method, path) = request.split_once(' ').unwrap();
    let (mut kind, mut sent) = ("", String::new());
    if !body.is_null() {
        (kind, sent) = ("Content-Type: application/json\r\n", body.to_string());
    }
    let headers = format!("Authorization: Bearer {}\r\n{kind}", token.trim());
    let request = format!("{method} /admin/v1{path}");
    let answer = http::ask(&server.admin, &request, &headers, &sent).unwrap();
    assert_eq!(answer.status, 200, "{request}: {answer:?}");
    let mut answer = serde_json::from_str(&answer.body).unwrap();
    without_times(&mut answer);
    answer
}

fn without_times(value: &mut Value) {
    const FIRST: i64 = 1_000_000_000_000;
    match value {
        Value::Array(values) => values.iter_mut().for_each(without_times),
        Value::Object(fields) => fields.values_mut().for_each(without_times),
        Value::Number(number) if number.as_i64().is_some_and(|number| number >= FIRST) => {
            *value = json!("a time");
        }
        _ => {}
    }
}

/// An operator sees hidden tiles only with a reason, which the audit keeps.
#[test]
fn answers_to_operators_do_not_depend_on_hidden_tiles() {
    let house = House::open();
    let ask = |request: &str, body: &Value| {
        let servers = house.servers.each_ref();
        servers.map(|server| ask_operator(server, request, body))
    };
    let player = &house.players[0].handle;
    let games = house.running.iter().map(|twins| twins.game.as_str());
    let lists = ["/games".to_owned(), format!("/games?player={player}")];
    let each = games.clone().map(|game| format!("/games/{game}"));
    for path in lists.into_iter().chain(each) {
        let [one, other] = ask(&format!("GET {path}"), &Value::Null);
        assert_eq!(one, other, "{path}");
    }
    let reason = json!({ "reason": "a report" });
    for game in games {
        let [one, other] = ask(&format!("POST /games/{game}/tiles"), &reason);
        assert_eq!(one["tiles"], true, "{one}");
        assert_ne!(one["snapshot"], other["snapshot"], "{game}");
    }
}

/// Checks that a ZIP file has no record of a running game: the names in it are not compressed.
fn check_names<G: AsRef<str>>(told: &TimelessAnswer, running: &[G]) {
    let text = String::from_utf8_lossy(&told.body);
    let shown = running
        .iter()
        .map(AsRef::as_ref)
        .find(|game| text.contains(*game));
    assert!(shown.is_none(), "{shown:?} is in the export");
}

/// When a game ends its tiles are shown, and the twins differ: the comparison sees hidden tiles where there are any.
#[test]
fn twins_differ_over_http_when_they_have_ended() {
    let house = House::open();
    let game = &house.running[0].game;
    let token = &house.players[0].token;
    let told = [0, 1].map(|number| {
        let (server, at) = (&house.servers[number], &house.targets[number]);
        let mut wire = Wire::known(&server.address, token);
        wire.ok("resign", json!({ "game": game, "cmd_id": "resign" }));
        let path = format!("/games/{game}/result");
        api::until(at, &path, token, |_| true).unwrap();
        let page = api::get(at, "/archive?player=me&reason=resignation", token).unwrap();
        assert_eq!(page["games"][0]["game"], game.as_str(), "{page}");
        ask_plain(server, &format!("/games/{game}.jsonl"), None)
    });
    assert_eq!(told[0].status, 200, "{:?}", told[0]);
    assert!(told[0].body != told[1].body);
    // Not only because of the times.
    let tiles = told.map(|told| drawn(&told.body));
    assert!(tiles[0] != tiles[1] && !tiles[0].is_empty());
}

/// The tiles that were drawn, by the record of a game.
fn drawn(record: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let lines = text.lines().map(serde_json::from_str::<Value>);
    let lines: Vec<Value> = lines.map(Result::unwrap).collect();
    let drawn = lines
        .iter()
        .map(|line| &line["event"]["tiles_drawn"]["tiles"]);
    drawn.filter(|tiles| tiles.is_array()).cloned().collect()
}
