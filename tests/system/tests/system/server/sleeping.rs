//! Games without connected clients: unloaded from memory, present in every list, loaded again for a client or a deadline,
//! and credited for the outages and stalls of their sleep.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilewire_base::clock::ServerClock;
use tilewire_config::{Config, StorageConfig};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Event, Player, PublicEvent, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Millis, Seat, Timestamp};
use tilewire_store::{Append, GameMeta, Rest};

const HOUR_MS: i64 = 3_600_000;
/// How long the server stands still; nothing is awaited by it.
const STALL: Duration = Duration::from_millis(1_500);
/// How exactly the test measures the time without a server.
const SLACK: Duration = Duration::from_millis(1_000);

/// Games sleep as soon as they may, and the server looks for them all the time.
const DROWSY: &str =
    "[timing]\nsleep_idle_ms = 20\nsleep_min_ms = 1000\nwake_ahead_ms = 100\nwake_poll_ms = 50\n";

fn by_correspondence() -> Value {
    options(&json!({ "kind": "per_move", "limit_ms": HOUR_MS }))
}

/// Waits until the server has no game in memory, and so many in the storage.
fn until_asleep(server: &Server, games: f64) {
    server.until_figure("tilewire_games", |count| count == 0.0);
    server.until_figure("tilewire_games_asleep", |count| count == games);
}

/// Waits until the storage knows that so much time was lost.
fn until_stamped(server: &Server, lost: Duration) {
    let config = Config {
        data_dir: server.data_dir(),
        ..Config::default()
    };
    let storage = tilewire_databases::open_for_operator(&config).expect("a server uses it");
    let stamped = || storage.liveness().expect("it is read").stamp;
    while stamped().is_none_or(|stamp| stamp.lost_ms.to_duration() < lost) {
        thread::yield_now();
    }
}

/// Returns how long something takes.
#[expect(
    clippy::disallowed_methods,
    reason = "the credit of real time is compared with real time"
)]
fn took(what: impl FnOnce()) -> Duration {
    let since = Instant::now();
    what();
    since.elapsed()
}

fn listed(wire: &mut Wire, scope: &str) -> Vec<Value> {
    let list = wire.ok("list_games", json!({ "scope": scope }));
    let games = list["games"].as_array().expect("a list").iter();
    games.map(|game| game["game"].clone()).collect()
}

#[test]
fn a_game_without_clients_is_unloaded_until_a_client_attaches() {
    let mut server = Server::start(DROWSY);
    let mut duel = Duel::start(&server, &by_correspondence());
    let before = listed(&mut duel.wires[0], "mine");
    assert_eq!(before, [json!(duel.game)]);
    duel.wires.clear();
    until_asleep(&server, 1.0);

    // Its players and other clients see it unchanged.
    let mut anna = Wire::connect(&server.address);
    let welcome = anna.ask(
        "auth",
        json!({ "token": duel.tokens[0], "client": "tests" }),
    );
    assert_eq!(welcome[2]["games"][0]["game"], *duel.game, "{welcome}");
    assert_eq!(welcome[2]["games"][0]["turn_no"], 1);
    let (mut eve, _) = Wire::guest(&server.address, "eve");
    assert_eq!(listed(&mut anna, "mine"), before);
    assert_eq!(listed(&mut eve, "live"), before);
    let lobby = eve.ok("lobby_subscribe", json!({}));
    assert_eq!(lobby["games"][0]["game"], *duel.game);
    assert!(listed(&mut eve, "mine").is_empty());
    assert_eq!(server.figure("tilewire_games"), 0.0, "lists wake nothing");

    // A command wakes it, although no client is attached.
    let passed = json!({ "game": duel.game, "cmd_id": "first", "turn_no": 1 });
    let first = anna.ok("pass", passed.clone());
    until_asleep(&server, 1.0);
    // The same again has the same answer, after it has slept and after the server has died.
    assert_eq!(anna.ok("pass", passed.clone())["seq"], first["seq"]);
    until_asleep(&server, 1.0);
    server.kill();
    server.start_again();
    until_asleep(&server, 1.0);
    let taken_up = server.log().contains("unfinished games are running again");
    assert!(!taken_up, "{}", server.log());
    let mut anna = Wire::known(&server.address, &duel.tokens[0]);
    assert_eq!(listed(&mut anna, "mine"), before);
    assert_eq!(anna.ok("pass", passed)["seq"], first["seq"]);

    // An attach also loads the game, gets every event, and keeps the game loaded.
    let mut ben = Wire::known(&server.address, &duel.tokens[1]);
    let attached = ben.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    assert_eq!(attached["role"], "player");
    let turn = |message: &Value| message[2]["kind"] == "turn_started" && message[2]["turn_no"] == 2;
    ben.pushed(turn);
    ben.ok(
        "pass",
        json!({ "game": duel.game, "cmd_id": "second", "turn_no": 2 }),
    );
    server.until_figure("tilewire_games_asleep", |count| count == 0.0);
    assert_eq!(server.figure("tilewire_games"), 1.0);
    ben.ok("resign", json!({ "game": duel.game, "cmd_id": "enough" }));
    assert_eq!(ben.event("ended")["winners"], json!([0]));
    assert!(listed(&mut anna, "mine").is_empty());
    assert!(server.stop());
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
}

/// Games with a running clock are unloaded too. The server stands still and is killed meanwhile: a woken game credits both,
/// and no more.
#[test]
fn a_live_game_is_credited_for_outages_and_stalls_of_its_sleep() {
    let settings = format!("{DROWSY}vanish_grace_ms = 20\n[storage]\nstamp_every_ms = 20\n");
    let mut server = Server::start(&settings);
    let timed = json!({ "kind": "sudden_death", "initial_ms": HOUR_MS });
    let mut timed = Duel::start(&server, &options(&timed));
    let mut untimed = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    timed.wires.clear();
    untimed.wires.clear();
    until_asleep(&server, 2.0);

    let mut lost = took(|| {
        server.suspend();
        thread::sleep(STALL);
        server.resume();
        server.until_logged("the server stood still");
    });
    until_stamped(&server, STALL);
    assert_eq!(server.figure("tilewire_games"), 0.0, "nothing was woken");
    lost += took(|| {
        server.kill();
        server.start_again();
    });
    until_asleep(&server, 2.0);
    let taken_up = server.log().contains("unfinished games are running again");
    assert!(!taken_up, "{}", server.log());
    let (mut eve, _) = Wire::guest(&server.address, "eve");
    assert_eq!(
        listed(&mut eve, "live"),
        [json!(timed.game), json!(untimed.game)]
    );

    for game in [&timed, &untimed] {
        let mut ben = Wire::known(&server.address, &game.tokens[1]);
        ben.ok("attach", json!({ "game": game.game, "seq": 0 }));
        let credit = ben.event("clock_credited");
        let at = |field: &str| credit[field].as_u64().expect("a time");
        let credited = Duration::from_millis(at("resumed_at") - at("stopped_at"));
        assert!(credited >= STALL, "{credit}");
        assert!(
            (lost..lost + SLACK).contains(&(credited + SLACK / 2)),
            "{credited:?} of about {lost:?}: {credit}"
        );
    }
    assert!(server.stop());
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
}

/// The log of a game whose first turn began at `at`, with an hour for each move.
fn begun(game: &str, at: i64) -> Vec<Record> {
    let lexicon = FstLexicon::builtin();
    let secret = [5; 32];
    let created = Created {
        game: game.to_owned(),
        options: GameOptions {
            clock: ClockKind::PerMove {
                limit_ms: HOUR_MS,
                bank_ms: 0,
            },
            ..GameOptions::classic("wordnik")
        },
        players: ["ada", "bob"]
            .map(|name| Player {
                identity: name.to_owned(),
                name: name.to_owned(),
                nonce_hash: None,
                level: None,
                kind: None,
                rating: None,
            })
            .to_vec(),
        lexicon_hash: *lexicon.hash(),
        commitment: commitment(&secret),
        secret,
        series: None,
    };
    let (mut played, first) =
        Game::create(RuleSet::classic(), Timestamp(at), created).expect("it can be played");
    let mut log = vec![first];
    for seat in Seat::all(2) {
        let ready = Input::Command(Command {
            seat,
            cmd_id: "ready".to_owned(),
            digest: 0,
            received_at: Timestamp(at),
            lag_ms: 0,
            action: Action::Ready { nonce: Vec::new() },
        });
        let step = played.handle(&Context::new(&*lexicon), Timestamp(at), ready);
        log.extend(step.records);
        played = step.next;
    }
    log
}

/// The data of a server that unloaded these games and was killed.
async fn put_to_sleep(data: &Path, games: &[(String, i64)]) {
    let storage = tilewire_databases::open(data, &StorageConfig::default(), Timestamp(0))
        .expect("a new storage");
    for (game, at) in games {
        let mut log = begun(game, *at);
        let after = u64::try_from(log.len()).expect("few records");
        let meta = GameMeta {
            game: game.as_str().into(),
            epoch: 1,
            rule_set: "classic".to_owned(),
            private_code: None,
            players: vec!["ada".to_owned(), "bob".to_owned()],
            created_at: Timestamp(*at),
        };
        let first = log.remove(0);
        storage.create(meta, first).await.expect("it is stored");
        let append = Append {
            game: game.as_str().into(),
            after: 1,
            records: log.into(),
            is_finished: false,
        };
        storage.append(append).await.expect("it is stored");
        let rest = Rest {
            game: game.as_str().into(),
            after,
            wakes_at: Timestamp(at + HOUR_MS),
            line: b"{}".to_vec(),
            is_listed: false,
            lost_ms: Millis::ZERO,
        };
        storage.rest(rest).await.expect("it is stored");
    }
    storage.close().await;
}

fn wait<T>(what: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(what)
}

#[test]
fn a_deadline_loads_its_game_after_a_restart_and_is_exact() {
    let soon = ServerClock::system().now().0 - HOUR_MS + 2_000;
    // Deadlines of the hour in which no server ran, of soon, and of later.
    let games: Vec<(String, i64)> = (0..40)
        .map(|at| (format!("missed-{at}"), soon - HOUR_MS + at))
        .chain((0..20).map(|at| (format!("soon-{at}"), soon + at)))
        .chain((0..10).map(|at| (format!("later-{at}"), soon + HOUR_MS / 2)))
        .collect();
    let mut server = Server::start_with(DROWSY, |data| wait(put_to_sleep(data, &games)));
    server.until_figure("tilewire_games_ended_total{reason=\"time\"}", |count| {
        count == 60.0
    });
    assert!(
        !server.log().contains("unfinished games are running again"),
        "{}",
        server.log()
    );
    server.until_figure("tilewire_games_asleep", |count| count == 10.0);
    assert!(server.stop());
    let data = server.data_dir();
    let logs = wait(async {
        let storage = tilewire_databases::open(&data, &StorageConfig::default(), Timestamp(0))
            .expect("it is there");
        assert_eq!(storage.asleep().await, Ok(10));
        let mut logs = Vec::new();
        for (game, at) in &games {
            let stored = storage
                .load(&game.as_str().into())
                .await
                .expect("it is read");
            logs.push((*at, stored.expect("it is there")));
        }
        storage.close().await;
        logs
    });
    for (at, stored) in &logs[..60] {
        let last = stored.records.last().expect("a log");
        assert!(
            matches!(last.event, Event::Public(PublicEvent::Ended(_))),
            "{last:?}"
        );
        assert_eq!(last.at.0, at + HOUR_MS, "{}", stored.meta.game);
    }
    assert!(logs[60..].iter().all(|(_, stored)| !stored.is_finished));
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
    assert!(
        said.contains("60 finished games and 10 unfinished ones"),
        "{said}"
    );
}
