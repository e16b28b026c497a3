//! Results and ratings with real processes: the server is killed while the chronicle works, and every game counts once.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_config::StorageConfig;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_harness::{PATIENCE, binaries};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Player, PlayerKind, Record};
use tilewire_rules::game::{Action, Command as GameCommand, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};
use tilewire_store::{Append, GameMeta};

/// When the first stored game begins.
const START: Timestamp = Timestamp(1_790_000_000_000);
/// The time between two stored games.
const PAUSE_MS: i64 = 6 * 3_600_000;
/// Stored games: several chapters.
const GAMES: usize = 100;
const PLAYERS: usize = 6;

/// Returns the log of a rated game that the second player resigns after a turn of each.
fn log(number: usize, players: &[String; 2]) -> Vec<Record> {
    let lexicon = FstLexicon::builtin();
    let at = START.plus(i64::try_from(number).expect("few games") * PAUSE_MS);
    let created = Created {
        game: format!("stored{number}"),
        options: GameOptions {
            clock: ClockKind::SuddenDeath {
                initial_ms: 600_000,
            },
            rated: true,
            first: FirstPlay::Seat(Seat(0)),
            ..GameOptions::classic("wordnik")
        },
        players: players
            .iter()
            .map(|identity| Player {
                identity: identity.clone(),
                name: identity.clone(),
                nonce_hash: None,
                level: None,
                kind: Some(PlayerKind::Registered),
                rating: None,
            })
            .collect(),
        lexicon_hash: *lexicon.hash(),
        commitment: commitment(&[5; 32]),
        secret: [5; 32],
        series: None,
    };
    let (mut game, first) = Game::create(RuleSet::classic(), at, created).expect("valid");
    let mut records = vec![first];
    let ready = || Action::Ready { nonce: Vec::new() };
    let pass = |turn| Action::Pass {
        turn_no: TurnNo(turn),
    };
    let deeds = [
        (0, ready()),
        (1, ready()),
        (0, pass(1)),
        (1, pass(2)),
        (1, Action::Resign),
    ];
    for ((seat, action), step) in deeds.into_iter().zip(1_i64..) {
        let now = at.plus(step * 1_000);
        let command = GameCommand {
            seat: Seat(seat),
            cmd_id: format!("c{step}"),
            digest: 0,
            received_at: now,
            lag_ms: 0,
            action,
        };
        let done = game.handle(&Context::new(&*lexicon), now, Input::Command(command));
        records.extend(done.records);
        game = done.next;
    }
    records
}

/// Stores finished games without results, as an older server leaves them.
fn fill(dir: &Path) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let storage =
            tilewire_databases::open(dir, &StorageConfig::default(), Timestamp(1)).expect("open");
        for number in 0..GAMES {
            let first = number % PLAYERS;
            let second = (first + 1 + number / PLAYERS % (PLAYERS - 1)) % PLAYERS;
            let players = [first, second].map(|player| format!("player{player}"));
            let mut records = log(number, &players);
            let game = format!("stored{number}");
            let meta = GameMeta {
                game: game.as_str().into(),
                epoch: 1,
                rule_set: "classic".to_owned(),
                private_code: None,
                players: players.to_vec(),
                created_at: START,
            };
            let first = records.remove(0);
            storage.create(meta, first).await.expect("stored");
            let append = Append {
                game: game.as_str().into(),
                after: 1,
                records: records.into(),
                is_finished: true,
            };
            storage.append(append).await.expect("stored");
        }
        storage.close().await;
    });
}

fn get(server: &Server, path: &str, token: &str) -> Answer {
    let headers = format!("Authorization: Bearer {token}\r\n");
    ask(&server.address, &format!("GET /api/v1{path}"), &headers, "").expect("an answer")
}

#[track_caller]
fn ok(server: &Server, path: &str, token: &str) -> Value {
    let answer = get(server, path, token);
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    serde_json::from_str(&answer.body).expect("JSON")
}

#[track_caller]
fn refused(server: &Server, path: &str, token: &str) -> (u16, String) {
    let answer = get(server, path, token);
    let body: Value = serde_json::from_str(&answer.body).expect("JSON");
    (
        answer.status,
        body["code"].as_str().unwrap_or_default().to_owned(),
    )
}

/// Asks for the result of a game until there is one.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn result(server: &Server, game: &str, token: &str) -> Value {
    let since = std::time::Instant::now();
    loop {
        let answer = get(server, &format!("/games/{game}/result"), token);
        if answer.status == 200 {
            return serde_json::from_str(&answer.body).expect("JSON");
        }
        assert!(since.elapsed() < PATIENCE, "{answer:?}: {}", server.log());
        std::thread::yield_now();
    }
}

fn check(server: &Server) -> String {
    server.operate(&["ratings", "check"], "").expect("sound")
}

#[test]
fn every_game_is_rated_once_wherever_the_chronicle_dies() {
    for point in [
        "before_chapter:1",
        "before_chapter:3",
        "before_commit:2",
        "after_commit:2",
        "before_outcome:3",
    ] {
        // A first process has the address that both others keep.
        let mut server = Server::start("[storage]\nstamp_every_ms = 60000\n");
        let (_guest, token) = Wire::guest(&server.address, "reader");
        assert!(server.stop());
        fill(&server.data_dir());
        server.start_dying(point);
        server.wait_for_death();
        result(&server, &format!("stored{}", GAMES - 1), &token);
        let sound = format!("{PLAYERS} ratings from {GAMES} rated games of {GAMES} are sound\n");
        assert_eq!(check(&server), sound, "{point}");
        let (mut seen, mut before) = (0, String::new());
        loop {
            let page = ok(&server, &format!("/archive?limit=30{before}"), &token);
            seen += page["games"].as_array().expect("games").len();
            let Some(next) = page["next"].as_str() else {
                break;
            };
            before = format!("&before={next}");
        }
        assert_eq!(seen, GAMES, "{point}");
        assert!(server.stop());
    }
}

#[test]
fn a_game_ends_the_server_is_killed_and_the_result_is_there_once() {
    let mut server = Server::start("");
    let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
    let mut duel = Duel::start(&server, &options(&clock));
    duel.ok(1, "resign", json!({}));
    server.kill();
    server.start_again();
    let (game, tokens) = (duel.game.clone(), duel.tokens.clone());
    let found = result(&server, &game, &tokens[0]);
    assert_eq!(found["reason"], "resignation", "{found}");
    assert_eq!(found["decision"]["code"], "last_player");
    assert!(
        found["decision"]["words"]
            .as_str()
            .is_some_and(|words| words.contains("resigned"))
    );
    let ranks = found["seats"].as_array().expect("seats").iter();
    let ranks: Vec<i64> = ranks.filter_map(|seat| seat["rank"].as_i64()).collect();
    assert_eq!(ranks, [1, 2]);
    server.kill();
    server.start_again();
    for (token, outcome, won) in [(&tokens[0], "won", 1), (&tokens[1], "lost", 0)] {
        let page = ok(
            &server,
            &format!("/archive?player=me&result={outcome}"),
            token,
        );
        assert_eq!(page["games"].as_array().map(Vec::len), Some(1), "{page}");
        assert_eq!(page["games"][0]["game"], game.as_str());
        let figures = ok(&server, "/players/me/statistics", token);
        let all = &figures["people"]["all"];
        assert_eq!(
            (&all["games"], &all["two_seats"]["won"]),
            (&json!(1), &json!(won))
        );
        assert_eq!(
            (&all["counted"], &all["left"]),
            (&json!(0), &json!(1 - won))
        );
        assert_eq!(
            ok(&server, "/players/me/ratings", token)["ratings"],
            json!([])
        );
    }
    assert_eq!(
        check(&server),
        "0 ratings from 0 rated games of 1 are sound\n"
    );
}

/// Sends a request with a body that succeeds; returns its body.
#[track_caller]
fn post(server: &Server, path: &str, token: &str, body: &Value) -> Value {
    let headers = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n");
    let request = format!("POST /api/v1{path}");
    let answer = ask(&server.address, &request, &headers, &body.to_string()).expect("an answer");
    assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    serde_json::from_str(&answer.body).expect("JSON")
}

/// A rated game that the second player resigned.
struct Rated {
    game: String,
    /// The offer with which it began.
    seek: Value,
    wires: [Wire; 2],
}

/// Lets the first player offer a rated game, and the second one join it, and resign after a turn of each.
fn play_rated(server: &Server, tokens: &[String; 2], name: &str) -> Rated {
    let mut wanted = options(&json!({ "kind": "sudden_death", "initial_ms": 1_500_000 }));
    wanted["rated"] = json!(true);
    let mut wires = tokens
        .each_ref()
        .map(|token| Wire::known(&server.address, token));
    let opened = wires[0].ok("seek", json!({ "cmd_id": name, "options": wanted }));
    let seek = &opened["seek"];
    let joined = wires[1].ok("join_seek", json!({ "cmd_id": name, "seek": seek["seek"] }));
    let game = joined["game"].as_str().expect("a game").to_owned();
    for wire in &mut wires {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
    }
    wires[1].event("turn_started");
    for (turn, wire) in (1..).zip(&mut wires) {
        wire.ok(
            "pass",
            json!({ "game": game, "cmd_id": "pass", "turn_no": turn }),
        );
    }
    wires[1].ok("resign", json!({ "game": game, "cmd_id": "resign" }));
    let seek = seek.clone();
    Rated { game, seek, wires }
}

/// Ratings follow from games, are kept through a crash, and stand beside the name in the next offer.
#[test]
fn a_rated_game_changes_the_ratings_of_its_players() {
    let mut server = Server::start("");
    let tokens = ["anna", "ben"].map(|handle| {
        let (_guest, token) = Wire::guest(&server.address, handle);
        let body = json!({ "handle": handle, "password": "seven crooked lanterns" });
        let session = post(&server, "/register", &token, &body);
        session["token"].as_str().expect("a token").to_owned()
    });
    let Rated { game, seek, .. } = play_rated(&server, &tokens, "first");
    assert_eq!(seek["members"][0]["rating"]["value"], 1500, "{seek}");
    server.kill();
    server.start_again();
    let found = result(&server, &game, &tokens[1]);
    assert_eq!(found["pool"], "classic/wordnik/standard", "{found}");
    let change =
        |before: i64, after: i64| json!({ "before": before, "after": after, "deviation": 290 });
    assert_eq!(found["seats"][0]["rating"], change(1500, 1662), "{found}");
    assert_eq!(found["seats"][1]["rating"], change(1500, 1338), "{found}");

    let Rated {
        game: second,
        seek,
        mut wires,
    } = play_rated(&server, &tokens, "second");
    assert_eq!(seek["members"][0]["rating"]["value"], 1662, "{seek}");
    let found = result(&server, &second, &tokens[0]);
    let risen = found["seats"][0]["rating"]["after"]
        .as_i64()
        .expect("a rating");
    assert!(risen > 1662, "{found}");
    let told = wires[0].pushed(|message| message[0] == "rating");
    assert_eq!(told[2]["game"], second.as_str(), "{told}");
    assert_eq!(
        (&told[2]["before"], &told[2]["after"]["value"]),
        (&json!(1662), &json!(risen))
    );
    let told = wires[1].pushed(|message| message[0] == "rating");
    assert_eq!(told[2]["before"], 1338, "{told}");
    let ratings = ok(&server, "/players/ANNA/ratings?points=1", &tokens[1]);
    let rating = &ratings["ratings"][0];
    assert_eq!(
        (&rating["games"], &rating["rating"]),
        (&json!(2), &json!(risen))
    );
    assert_eq!(
        rating["curve"].as_array().map(Vec::len),
        Some(1),
        "{rating}"
    );
    let versus = ok(&server, "/players/ben/versus/anna", &tokens[0]);
    assert_eq!(versus["all"], json!({ "won": 0, "lost": 2, "shared": 0 }));
    assert_eq!(
        check(&server),
        "2 ratings from 2 rated games of 2 are sound\n"
    );

    let home = TempDir::new().expect("a directory");
    let shown = tilewire(&server, &home, &["find", "AN"]);
    assert!(
        shown.contains("classic/wordnik/standard") && shown.contains('*'),
        "{shown}"
    );
    let (_wire, third) = Wire::guest(&server.address, "guest");
    let body = json!({ "handle": "annabel", "password": "seven crooked lanterns" });
    post(&server, "/register", &third, &body);
    let shown = tilewire(&server, &home, &["find", "an"]);
    assert!(shown.starts_with("anna\nannabel\n2 players"), "{shown}");
    let shown = tilewire(&server, &home, &["find", "Anna"]);
    assert!(shown.starts_with("Username  anna\n"), "{shown}");
}

#[test]
fn a_private_game_is_shown_to_its_players_only() {
    let server = Server::start("");
    let asked = options(&json!({ "kind": "untimed" }));
    let (mut owner, first) = Wire::guest(&server.address, "anna");
    let (mut other, second) = Wire::guest(&server.address, "ben");
    let (_reader, third) = Wire::guest(&server.address, "cleo");
    let invitation = json!({ "cmd_id": "s1", "options": asked, "private": true });
    let code = owner.ok("seek", invitation)["seek"]["code"].clone();
    let join = json!({ "cmd_id": "j1", "code": code });
    let joined = other.ok("join_seek", join);
    let game = joined["game"].as_str().expect("a game").to_owned();
    owner.ok("attach", json!({ "game": game, "seq": 0 }));
    owner.ok("abort", json!({ "game": game, "cmd_id": "r1" }));
    let found = result(&server, &game, &first);
    assert_eq!(found["private"], true);
    result(&server, &game, &second);
    let path = format!("/games/{game}/result");
    assert_eq!(
        refused(&server, &path, &third),
        (404, "unknown_game".to_owned())
    );
    let identity = found["seats"][0]["identity"].as_str().expect("an identity");
    for (path, token, count) in [
        ("/archive".to_owned(), &third, 0),
        (format!("/archive?player={identity}"), &third, 0),
        ("/archive".to_owned(), &second, 1),
    ] {
        let page = ok(&server, &path, token);
        assert_eq!(
            page["games"].as_array().map(Vec::len),
            Some(count),
            "{path}"
        );
    }
}

#[test]
fn wrong_requests_are_refused_with_codes() {
    let server = Server::start("");
    let (_guest, token) = Wire::guest(&server.address, "anna");
    for (path, status, code) in [
        ("/archive?limit=0", 400, "bad_field"),
        ("/archive?limit=201", 400, "bad_field"),
        ("/archive?result=won", 400, "bad_field"),
        ("/archive?opponent=ben", 400, "bad_field"),
        ("/archive?reason=boredom", 400, "bad_field"),
        ("/archive?before=-1", 400, "bad_field"),
        ("/archive?colour=red", 400, "bad_field"),
        ("/players/nobody/statistics", 404, "unknown_player"),
        ("/players/me/versus/nobody", 404, "unknown_player"),
        ("/players/me/ratings?points=1001", 400, "bad_field"),
        ("/leaderboards/classic/rapid", 400, "bad_field"),
        ("/leaderboards/a/b/rapid?board=day", 400, "bad_field"),
        ("/games/none/result", 404, "unknown_game"),
    ] {
        assert_eq!(
            refused(&server, path, &token),
            (status, code.to_owned()),
            "{path}"
        );
    }
    let stranger = ask(&server.address, "GET /api/v1/archive", "", "").expect("an answer");
    assert_eq!(stranger.status, 401);
    let board = ok(
        &server,
        "/leaderboards/classic%2Fwordnik%2Frapid?board=week",
        &token,
    );
    assert_eq!(
        (&board["pool"], &board["lines"]),
        (&json!("classic/wordnik/rapid"), &json!([]))
    );
}

/// Runs `tilewire ARGS`; returns its output.
fn tilewire(server: &Server, home: &TempDir, args: &[&str]) -> String {
    let output = Command::new(binaries::client())
        .args(args)
        .args(["--server", &server.url(), "--data-dir"])
        .arg(home.path())
        .output()
        .expect("the client runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_client_shows_finished_games_on_80_columns() {
    let mut server = Server::prepared("");
    fill(&server.data_dir());
    server.start_again();
    let (_guest, token) = Wire::guest(&server.address, "reader");
    result(&server, &format!("stored{}", GAMES - 1), &token);
    let home = TempDir::new().expect("a directory");
    for args in [
        &["archive", "--why", "--player", "player0"][..],
        &["stats"],
        &["leaderboard", "classic/wordnik/rapid", "--board", "all"],
    ] {
        let text = tilewire(&server, &home, args);
        assert!(
            !text.is_empty() && text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        let mut json = args.to_vec();
        json.push("--json");
        let object: Value = serde_json::from_str(&tilewire(&server, &home, &json)).expect("JSON");
        assert!(object["type"].is_string(), "{object}");
    }
    let games = tilewire(
        &server,
        &home,
        &["archive", "--player", "player0", "--limit", "200", "--json"],
    );
    let games: Value = serde_json::from_str(&games).expect("JSON");
    let games = games["games"].as_array().expect("games").clone();
    assert!(games.len() > GAMES / PLAYERS, "{}", games.len());
    assert!(
        games
            .iter()
            .all(|game| game["pool"] == "classic/wordnik/rapid")
    );
}
