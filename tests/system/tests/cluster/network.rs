//! Servers that the network cuts off: from the database, from NATS, in one direction, from each other; and slow links.

use std::time::Duration;

use tilewire_harness::fault_proxy::{BOTH, Way};
use tilewire_harness::matches::Person;
use tilewire_system::cluster::{Plan, To, Wiring};

use crate::scene::{Scene, side_by_side, until};

/// A delay that makes each link slow, in each direction.
const SLOW: Duration = Duration::from_millis(200);

fn over(wiring: Wiring) -> Plan {
    Plan {
        wiring,
        ..Plan::default()
    }
}

/// The link between the database and the owner of a game is cut, in both directions or in one. Another server plays the
/// game. The first owner drops it, closes its connections, and stores nothing when the link is mended: it ends.
fn cut_from_the_database(wiring: Wiring, ways: &[Way]) {
    let Some(mut scene) = Scene::begin(over(wiring)) else {
        return;
    };
    let (owner, part) = (scene.owner, scene.part);
    scene.cluster.cut(owner, To::Database, ways);
    scene.turn_through(|cluster| {
        assert_ne!(cluster.until_taken(part, owner), owner);
        cluster.servers[owner].until_not_ready();
    });
    let stored = "SELECT count(*), max(head) FROM records JOIN games USING (game)";
    let before = scene.cluster.sql(stored);
    scene.cluster.cut(owner, To::Database, &[]);
    assert_eq!(scene.cluster.servers[owner].ended(), Some(1));
    scene.cluster.servers[owner].until_logged("this server has lost its lease");
    assert_eq!(scene.cluster.sql(stored), before, "nothing was stored");
    scene.cluster.servers[owner].start_again();
    scene.cluster.until_at_home(&[0, 1, 2]);
    let compared = scene.finish();
    assert!(!compared.stood_still_ms.is_empty());
}

fn without_the_database(wiring: Wiring) {
    side_by_side(&[
        &|| cut_from_the_database(wiring, BOTH),
        // Its statements are lost.
        &|| cut_from_the_database(wiring, &[Way::ToService]),
        // The database executes the statements, but the server gets no answers.
        &|| cut_from_the_database(wiring, &[Way::FromService]),
    ]);
}

#[test]
fn a_server_without_the_database_loses_its_games_to_the_others() {
    without_the_database(Wiring::Links);
}

#[test]
#[ignore = "needs network namespaces; tests/run runs it where they are permitted"]
fn a_server_whose_packets_to_the_database_are_lost_loses_its_games_in_namespaces() {
    without_the_database(Wiring::Namespaces);
}

/// The link between NATS and the owner of a game is cut. The owner gives the game away, through the database, and gets it back
/// when the link is mended. No client has to connect again.
fn cut_from_nats(wiring: Wiring, ways: &[Way]) {
    let Some(mut scene) = Scene::begin(over(wiring)) else {
        return;
    };
    let (owner, part) = (scene.owner, scene.part);
    scene.cluster.cut(owner, To::Bus, ways);
    scene.turn_through(|cluster| {
        assert_ne!(cluster.until_taken(part, owner), owner);
        cluster.servers[owner].until_not_ready();
    });
    let fenced = "SELECT count(*) FROM nodes WHERE state = 'fenced'";
    assert_eq!(scene.cluster.sql(fenced), "0", "nobody is lost");
    scene.cluster.cut(owner, To::Bus, &[]);
    scene.cluster.until_at_home(&[0, 1, 2]);
    let compared = scene.finish();
    // The credit includes the time before any server noticed the fault.
    let longest = compared.stood_still_ms.iter().max();
    assert!(longest.is_some_and(|ms| *ms >= 2_000), "{longest:?}");
}

/// The server of a player loses NATS. It has no use for its players: it sends them away, and they go on at another server.
fn a_front_without_nats(wiring: Wiring) {
    let Some(mut scene) = Scene::begin(over(wiring)) else {
        return;
    };
    let (gateway, other) = (scene.gateway, scene.lobby);
    scene.cluster.cut(gateway, To::Bus, BOTH);
    let cluster = &scene.cluster;
    scene.game.turn_while(|people| {
        cluster.servers[gateway].until_not_ready();
        // A load balancer would do it.
        let moved = people.iter().filter(|person| {
            let address = &cluster.servers[gateway].address;
            person.relay.target() == *address
        });
        for person in moved {
            person.relay.redirect(&cluster.servers[other].address);
        }
    });
    scene.cluster.cut(gateway, To::Bus, &[]);
    scene.cluster.until_at_home(&[0, 1, 2]);
    scene.finish();
}

fn without_nats(wiring: Wiring) {
    side_by_side(&[
        &|| cut_from_nats(wiring, BOTH),
        &|| cut_from_nats(wiring, &[Way::ToService]),
        &|| cut_from_nats(wiring, &[Way::FromService]),
        &|| a_front_without_nats(wiring),
    ]);
}

#[test]
fn a_server_without_nats_gives_its_games_away() {
    without_nats(Wiring::Links);
}

#[test]
#[ignore = "needs network namespaces; tests/run runs it where they are permitted"]
fn a_server_whose_packets_to_nats_are_lost_gives_its_games_away_in_namespaces() {
    without_nats(Wiring::Namespaces);
}

/// Every link is slow. Nobody takes that for a loss: no part moves. A move that waits behind other changes of its server can take
/// longer than `storage_stall_ms`, which the players see as a pause.
#[test]
fn a_game_goes_on_over_slow_links() {
    let Some(mut scene) = Scene::begin(over(Wiring::Links)) else {
        return;
    };
    let slow = |scene: &Scene, delay| {
        for server in 0..3 {
            for to in [To::Database, To::Bus] {
                scene.cluster.link(server, to).slow(delay);
            }
        }
    };
    let owners = "SELECT sum(term) FROM shards";
    let moved = scene.cluster.sql(owners);
    slow(&scene, SLOW);
    scene.turns(4);
    slow(&scene, Duration::ZERO);
    for [connections, ..] in scene.game.interruptions() {
        assert_eq!(connections, 1, "nobody has connected again");
    }
    assert_eq!(scene.cluster.sql(owners), moved, "no part moves");
    for server in &scene.cluster.servers {
        assert!(server.figure("tilewire_cluster_cut_offs_total") == 0.0);
    }
    scene.finish();
}

/// The owner and the gateways of a game use two NATS servers, and the link between these is cut. The players see a
/// pause, and a move waits until the link is mended. No part moves, because the database hears every server.
#[test]
fn a_game_waits_while_its_server_and_its_players_do_not_hear_of_each_other() {
    let plan = Plan {
        two_buses: true,
        ..Plan::default()
    };
    let Some(mut scene) = Scene::begin(plan) else {
        return;
    };
    let moves = "SELECT sum(term) FROM shards";
    let (before, moved) = (scene.game.interruptions(), scene.cluster.sql(moves));
    let cluster = &scene.cluster;
    cluster.between_buses().cut(BOTH);
    scene.game.turn_while(|people| {
        let is_told = |(person, [_, before, _]): (&Person, &[usize; 3])| {
            let [_, paused, _] = person.interruptions();
            paused > *before
        };
        until("everybody sees the pause", || {
            people.iter().zip(&before).all(is_told)
        });
        cluster.between_buses().cut(&[]);
    });
    for [connections, paused, unpaused] in scene.game.interruptions() {
        assert_eq!((connections, paused), (1, unpaused), "one connection");
    }
    assert_eq!(scene.cluster.sql(moves), moved, "no part moves");
    scene.finish();
}
