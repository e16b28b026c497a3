//! Servers that are killed, stand still or stop while games are played.

use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;
use tilewire_services::postgres::Postgres;
use tilewire_store::Part;
use tilewire_system::alerts::check_quiet;
use tilewire_system::cluster::{Cluster, Plan};

use crate::scene::Scene;
use crate::{NOTHING_SEEN, TAKEOVER_MS, clock, until_credited};

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
    check_quiet(&[&server]);
    let top = server.operate(&["top", "--once"], "").expect("a page");
    let disk = top.lines().find(|line| line.starts_with("disk"));
    assert!(disk.is_some_and(|line| line.ends_with("free -")), "{top}");

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
    until_credited(&mut game, 1);
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
    until_credited(&mut game, 1);
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
    until_credited(&mut game, 1);
    game.check();
}

/// Two players and a spectator are connected to servers that do not have their game. It moves to a third server, which is killed,
/// comes back, and stops: nobody has to connect again, and no command is refused. After that, the bus is away for a while.
#[test]
fn clients_of_any_server_play_a_game_of_any_server() {
    let Some(mut scene) = Scene::begin(Plan::default()) else {
        return;
    };
    let (owner, part) = (scene.owner, scene.part);
    assert_eq!(scene.cluster.owner(part), owner, "it is at home there");
    check_quiet(&scene.cluster.servers.iter().collect::<Vec<_>>());
    scene.turn_through(|cluster| cluster.servers[owner].kill());
    scene.cluster.servers[owner].start_again();
    scene.cluster.until_at_home(&[0, 1, 2]);
    assert_eq!(scene.cluster.owner(part), owner);
    scene.turns(2);
    let cluster = &mut scene.cluster;
    scene
        .game
        .turn_while(|_| assert!(cluster.servers[owner].stop(), "it ends well"));
    assert_ne!(scene.cluster.owner(part), owner);
    scene.until_resumed();
    for [connections, ..] in scene.game.interruptions() {
        assert_eq!(connections, 1, "nobody has connected again");
    }
    // A client in a chat room connects again when messages of the lobby's server are lost.
    scene.game.accept_all();
    let cluster = &mut scene.cluster;
    scene.game.turn_while(|_| cluster.restart_bus());
    scene.finish();
}

/// A server that stops sends its clients to the others first. They go on there with a game of another server, which does not stand
/// still.
#[test]
fn clients_leave_a_server_before_it_stops() {
    let Some(mut scene) = Scene::begin(Plan::default()) else {
        return;
    };
    let (gateway, other) = (scene.gateway, scene.owner);
    let at = |place: usize, scene: &Scene| scene.cluster.servers[place].address.clone();
    let (gone, next) = (at(gateway, &scene), at(other, &scene));
    let before = scene.game.interruptions();
    let cluster = &mut scene.cluster;
    let mut moved = Vec::new();
    scene.game.turn_while(|people| {
        assert!(cluster.servers[gateway].stop(), "it ends well");
        for person in people {
            moved.push(person.relay.target() == gone);
            if person.relay.target() == gone {
                // A load balancer would do it.
                person.relay.redirect(&next);
            }
        }
    });
    cluster.servers[gateway].until_logged("the clients move to other servers");
    scene.turns(2);
    let after = scene.game.interruptions();
    assert_eq!(moved.iter().filter(|moved| **moved).count(), 2);
    for ((before, after), moved) in before.iter().zip(after).zip(moved) {
        assert_eq!(after[0] > before[0], moved, "only these connect again");
        assert_eq!(after[1..], before[1..], "the game does not stand still");
    }
    scene.cluster.servers[gateway].start_again();
    scene.cluster.until_at_home(&[0, 1, 2]);
    scene.finish();
}
