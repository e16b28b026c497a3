//! A server on PostgreSQL, and several of them: whole games, kills, servers that stand still, and lost connections.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::Value;
use tilewire_server::storage::Part;
use tilewire_services::nats::Nats;
use tilewire_services::postgres::Postgres;
use tilewire_tests::binaries::{self, workspace};
use tilewire_tests::cluster::Cluster;
use tilewire_tests::http::get;
use tilewire_tests::matches::{Match, Seen};
use tilewire_tests::server::Server;
use tilewire_tests::signals;

/// Real clients play a game to its end. The server is killed, and the database ends its connections: nothing is lost or
/// doubled. The operator's commands work beside the server, and the way back to SQLite too.
#[test]
fn a_game_on_postgres_survives_kills_and_lost_connections() {
    let Some(postgres) = Postgres::shared() else {
        return;
    };
    let database = postgres.database();
    let config = format!("[storage]\nurl = \"{}\"\n", database.url);
    let mut server = Server::prepared(&config);
    let refused = server.refuses_to_start();
    assert!(refused.contains("tilewire-server migrate"), "{refused}");
    server
        .operate(&["migrate"], "")
        .expect("it makes the tables");
    server.start_again();

    let mut game = Match::start(&server, 2, &["--clock", "sudden:25m"]);
    let mut seen = Seen {
        upheld: true,
        ..Seen::default()
    };
    for _ in 0..2 {
        game.turn(&mut seen);
        game.turn_through_a_crash(&mut server);
        postgres.sql(
            &database.name,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'tilewire' AND datname = current_database()",
        );
        game.turn(&mut seen);
    }
    server
        .operate(&["keys", "rotate"], "")
        .expect("it takes a new key");
    game.play_out(&mut seen);
    let sound = server.operate(&["check"], "").expect("everything is sound");
    assert!(sound.contains("1 finished games"), "{sound}");
    let file = server.data_dir().join("backup.sqlite");
    let path = file.to_str().expect("a path in UTF-8");
    server.operate(&["backup", path], "").expect("it is copied");
    assert!(server.stop(), "it ends well");

    server
        .operate_with("", &["restore", path])
        .expect("it is restored");
    let (is_sound, said) = server.check();
    assert!(is_sound && said.contains("1 finished games"), "{said}");
    game.check();
}

/// Longest time in which another server plays the games of one that has ended, ms: the lease of three seconds, and some for a
/// busy machine.
const TAKEOVER_MS: u128 = 12_000;

/// Waits until a client knows of time that was given back.
fn until_credited(game: &mut Match) {
    let person = &mut game.people[0];
    let is_credit = |event: &Value| event["kind"] == "clock_credited";
    while !person.fold.events.iter().any(is_credit) {
        person.pump();
    }
}

/// Starts a game on the server with the lobby, and plays some turns; returns the place of the server.
fn begin(cluster: &Cluster, seen: &mut Seen) -> (Match, usize) {
    let lobby = cluster.owner(Part::LOBBY);
    let mut game = Match::start(&cluster.servers[lobby], 2, &["--clock", "sudden:25m"]);
    let owner = cluster.owner(Cluster::part_of(&game.game));
    assert_eq!(owner, lobby, "a new game is on the server that makes it");
    for _ in 0..3 {
        game.turn(seen);
    }
    game.accept_all();
    (game, owner)
}

const NOTHING_SEEN: Seen = Seen {
    upheld: true,
    failed: false,
    hold: false,
    exchange: false,
    pass: false,
    blank: false,
};

/// A server is killed while a move is on its way. Another one gives the time back and plays the game on; nothing is lost or
/// doubled. Its other games, and the lobby, are with the others too.
#[test]
fn a_game_goes_on_when_its_server_is_killed() {
    let Some(mut cluster) = Cluster::start(3) else {
        return;
    };
    let mut seen = NOTHING_SEEN;
    let (mut game, owner) = begin(&cluster, &mut seen);
    let part = Cluster::part_of(&game.game);
    let mut next = owner;
    game.turn_while(|people| {
        cluster.redirect(people, None);
        cluster.servers[owner].kill();
        let since = clock();
        next = cluster.until_taken(part, owner);
        let took = since.elapsed().as_millis();
        assert!(took < TAKEOVER_MS, "{took} ms");
        cluster.redirect(people, Some(next));
    });
    until_credited(&mut game);
    let others: Vec<usize> = (0..3).filter(|server| *server != owner).collect();
    cluster.until_at_home(&others);
    let status = cluster.servers[next].operate(&["cluster", "status"], "");
    let status = status.expect("it says what there is");
    let fenced = format!("\n{:<4}  fenced ", owner + 1);
    assert!(status.contains(&fenced), "{status}");
    assert!(status.contains("without an owner: 0\n"), "{status}");
    // It comes back, and gets its share again. The game may move too: its players go with it.
    cluster.servers[owner].start_again();
    cluster.until_at_home(&[0, 1, 2]);
    cluster.redirect(&game.people, Some(cluster.owner(part)));
    game.play_out(&mut seen);
    let sound = cluster.servers[next].operate(&["check"], "");
    let sound = sound.expect("everything is sound");
    assert!(sound.contains("1 finished games"), "{sound}");
    game.check();
}

/// A server stands still for longer than its lease, with a move that it has not read yet. When it goes on, it stores nothing
/// and ends: the move was made on another server.
#[test]
fn a_server_that_stood_still_stores_nothing() {
    let Some(mut cluster) = Cluster::start(2) else {
        return;
    };
    let mut seen = NOTHING_SEEN;
    let (mut game, owner) = begin(&cluster, &mut seen);
    let part = Cluster::part_of(&game.game);
    cluster.servers[owner].suspend();
    game.turn_while(|people| {
        let next = cluster.until_taken(part, owner);
        cluster.redirect(people, Some(next));
    });
    until_credited(&mut game);
    let stored = "SELECT count(*), max(head) FROM records JOIN games USING (game)";
    let before = cluster.sql(stored);
    cluster.servers[owner].resume();
    assert_eq!(cluster.servers[owner].ended(), Some(1));
    cluster.servers[owner].until_logged("this server has lost its lease");
    assert_eq!(cluster.sql(stored), before, "nothing was stored");
    game.play_out(&mut seen);
    game.check();
}

/// A server is stopped in order: it gives everything to the other one before it ends, and nobody takes anything from it.
#[test]
fn a_server_that_stops_hands_everything_over() {
    let Some(mut cluster) = Cluster::start(2) else {
        return;
    };
    let mut seen = NOTHING_SEEN;
    let (mut game, owner) = begin(&cluster, &mut seen);
    let other = 1 - owner;
    assert!(cluster.servers[owner].stop(), "it ends well");
    cluster.servers[owner].until_logged("the other servers have everything");
    cluster.until_at_home(&[other]);
    let shards = cluster.servers[other].figure("tilewire_cluster_shards");
    let lobby = cluster.servers[other].figure("tilewire_cluster_lobby");
    assert!((shards, lobby) == (256.0, 1.0), "{shards} {lobby}");
    let late = "tilewire_cluster_cut_offs_total";
    assert!(cluster.servers[other].figure(late) == 0.0);
    cluster.redirect(&game.people, Some(other));
    game.turn(&mut seen);
    cluster.servers[owner].start_again();
    cluster.until_at_home(&[0, 1]);
    let part = Cluster::part_of(&game.game);
    assert_eq!(cluster.owner(part), owner, "it is at home there");
    cluster.redirect(&game.people, Some(owner));
    game.play_out(&mut seen);
    until_credited(&mut game);
    game.check();
}

/// Most games that are begun until one of them belongs to a certain server of three.
const DRAWS: usize = 60;

/// Two players and a spectator are connected to servers that do not have their game. It moves to a third server, which is killed,
/// comes back, and stops: nobody has to connect again, and no command is refused. After that, the bus is away for a while.
#[test]
fn clients_of_any_server_play_a_game_of_any_server() {
    let Some(mut cluster) = Cluster::relaying(3) else {
        return;
    };
    let all = [0, 1, 2];
    let lobby = cluster.owner(Part::LOBBY);
    let [other, away] = [1, 2].map(|place| (lobby + place) % 3);
    assert!(cluster.servers[away].stop(), "it ends well");
    cluster.until_at_home(&[lobby, other]);
    let begin = |cluster: &Cluster| {
        let servers = [lobby, other, other].map(|place| &cluster.servers[place]);
        Match::start_at(&servers, &["--clock", "sudden:25m"])
    };
    let mut games = (0..DRAWS).map(|_| begin(&cluster));
    let belongs = |game: &Match| Cluster::home(Cluster::part_of(&game.game), &all) == away;
    let mut game = games.find(belongs).expect("one in three does");
    drop(games);
    let part = Cluster::part_of(&game.game);
    let mut seen = NOTHING_SEEN;
    for _ in 0..3 {
        game.turn(&mut seen);
    }
    // It comes, and gets the game.
    cluster.servers[away].start_again();
    cluster.until_at_home(&all);
    assert_eq!(cluster.owner(part), away);
    for _ in 0..3 {
        game.turn(&mut seen);
    }
    game.accept_all();
    let before = game.interruptions();
    game.turn_while(|_| cluster.servers[away].kill());
    until_credited(&mut game);
    for ([_, before, _], [connections, paused, unpaused]) in before.iter().zip(game.interruptions())
    {
        assert_eq!(
            (connections, paused),
            (1, unpaused),
            "nobody has connected again"
        );
        assert!(paused > *before, "everybody sees the pause");
    }
    cluster.servers[away].start_again();
    cluster.until_at_home(&all);
    assert_eq!(cluster.owner(part), away);
    for _ in 0..2 {
        game.turn(&mut seen);
    }
    game.accept_all();
    game.turn_while(|_| assert!(cluster.servers[away].stop(), "it ends well"));
    assert_ne!(cluster.owner(part), away);
    for [connections, paused, unpaused] in game.interruptions() {
        assert_eq!(
            (connections, paused),
            (1, unpaused),
            "nobody has connected again"
        );
    }
    // A client in a chat room connects again when messages of the lobby's server are lost.
    game.accept_all();
    game.turn_while(|_| cluster.restart_bus());
    game.play_out(&mut seen);
    game.check();
}

#[expect(clippy::disallowed_methods, reason = "a takeover has a bound")]
fn clock() -> Instant {
    Instant::now()
}

/// One command starts three servers, says where they are, and stops everything after Ctrl-C. A second run finds the data of
/// the first one.
#[test]
fn one_command_starts_three_servers_and_stops_them() {
    if Postgres::shared().is_none() || !Nats::is_installed() {
        return;
    }
    let mut kept = tempfile::Builder::new();
    // The user of PostgreSQL is another one.
    let kept = kept.permissions(fs::Permissions::from_mode(0o755));
    let kept = kept.tempdir().expect("a temporary directory");
    for changes in [257, 258] {
        let (mut up, said) = bring_up(kept.path());
        assert!(is_ready(&said), "{said:?}");
        let pages: Vec<&str> = said_as(&said, "page").collect();
        assert_eq!(pages.len(), 3, "{said:?}");
        for page in &pages {
            let address = page.trim_start_matches("http://").trim_end_matches('/');
            assert_eq!(get(address, "/").0, 200, "{page}");
        }
        let status = said_as(&said, "status").next().expect("a command");
        let status = Command::new("sh").args(["-c", status]).output();
        let status = String::from_utf8_lossy(&status.expect("it starts").stdout).into_owned();
        assert_eq!(status.matches("  up  ").count(), 3, "{status}");
        let so_far = status.split("changes of owners so far: ").nth(1);
        let so_far: u32 = so_far.expect("a line").trim().parse().expect("a number");
        assert!(so_far >= changes, "{status}");
        signals::send(up.id(), "-INT");
        assert!(up.wait().expect("it ends").success());
        let left = processes_of(kept.path());
        assert_eq!(left, Vec::<String>::new());
        let nats = said_as(&said, "nats").next().expect("an address");
        let nats = TcpStream::connect(nats.trim_start_matches("nats://"));
        assert!(nats.is_err(), "nats-server still runs");
    }
}

/// Runs `tests/cluster-up`; returns it with what it has said when it was ready, or until its end.
fn bring_up(kept: &Path) -> (Child, Vec<String>) {
    let programs = binaries::server().parent().expect("a directory");
    let mut up = Command::new(workspace().join("tests/cluster-up"))
        .arg("--programs")
        .arg(programs)
        .arg("--dir")
        .arg(kept)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(up.stdout.take().expect("a pipe")).lines();
    let lines = lines.map_while(Result::ok);
    let mut said: Vec<String> = Vec::new();
    for line in lines {
        said.push(line);
        if is_ready(&said) {
            break;
        }
    }
    (up, said)
}

fn is_ready(said: &[String]) -> bool {
    said.last().is_some_and(|line| line.starts_with("ready"))
}

/// Returns what was said under a name.
fn said_as<'a>(said: &'a [String], name: &str) -> impl Iterator<Item = &'a str> {
    let under = move |line: &'a String| line.trim_start().strip_prefix(name)?.strip_prefix(' ');
    said.iter().filter_map(under).map(str::trim)
}

/// Returns the command lines of the processes that use a directory.
fn processes_of(directory: &Path) -> Vec<String> {
    let directory = directory.to_str().expect("a path in UTF-8");
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(directory)).collect()
}
