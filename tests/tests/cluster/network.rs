//! Servers that the network cuts off: from the database, from NATS, in one direction, from each other; and slow links.

use std::time::Duration;

use tilewire_tests::cluster::{Plan, To};
use tilewire_tests::links::{BOTH, Way};

use crate::scene::{Scene, side_by_side};

/// A delay that makes each link slow, in each direction.
const SLOW: Duration = Duration::from_millis(200);

fn linked() -> Plan {
    Plan {
        links: true,
        ..Plan::default()
    }
}

/// The database, and the server of a game, do not hear of each other, in both directions or in one. Another server plays the
/// game. The first one drops it, sends its own clients away, and stores nothing when the link is mended: it ends.
fn cut_from_the_database(ways: &[Way]) {
    let Some(mut scene) = Scene::begin(linked()) else {
        return;
    };
    let (owner, part) = (scene.owner, scene.part);
    scene.cluster.link(owner, To::Database).cut(ways);
    scene.turn_through(|cluster| {
        assert_ne!(cluster.until_taken(part, owner), owner);
        cluster.servers[owner].until_not_ready();
    });
    let stored = "SELECT count(*), max(head) FROM records JOIN games USING (game)";
    let before = scene.cluster.sql(stored);
    scene.cluster.link(owner, To::Database).cut(&[]);
    assert_eq!(scene.cluster.servers[owner].ended(), Some(1));
    scene.cluster.servers[owner].until_logged("this server has lost its lease");
    assert_eq!(scene.cluster.sql(stored), before, "nothing was stored");
    scene.cluster.servers[owner].start_again();
    scene.cluster.until_at_home(&[0, 1, 2]);
    let compared = scene.finish();
    assert!(!compared.stood_still_ms.is_empty());
}

#[test]
fn a_server_without_the_database_loses_its_games_to_the_others() {
    side_by_side(&[
        &|| cut_from_the_database(BOTH),
        // What it asks is lost.
        &|| cut_from_the_database(&[Way::ToService]),
        // The database stores what it is asked, and the server does not learn of it.
        &|| cut_from_the_database(&[Way::FromService]),
    ]);
}

/// NATS and the server of a game do not hear of each other. The server gives the game away, by the database, and gets it back
/// when the link is mended. Nobody has to connect again.
fn cut_from_nats(ways: &[Way]) {
    let Some(mut scene) = Scene::begin(linked()) else {
        return;
    };
    let (owner, part) = (scene.owner, scene.part);
    scene.cluster.link(owner, To::Bus).cut(ways);
    scene.turn_through(|cluster| {
        assert_ne!(cluster.until_taken(part, owner), owner);
        cluster.servers[owner].until_not_ready();
    });
    let fenced = "SELECT count(*) FROM nodes WHERE state = 'fenced'";
    assert_eq!(scene.cluster.sql(fenced), "0", "nobody is lost");
    scene.cluster.link(owner, To::Bus).cut(&[]);
    scene.cluster.until_at_home(&[0, 1, 2]);
    let compared = scene.finish();
    // The time in which nobody knew of it is given back too.
    let longest = compared.stood_still_ms.iter().max();
    assert!(longest.is_some_and(|ms| *ms >= 2_000), "{longest:?}");
}

/// The server of a player loses NATS. It has no use for its players: it sends them away, and they go on at another server.
fn a_front_without_nats() {
    let Some(mut scene) = Scene::begin(linked()) else {
        return;
    };
    let [front, other] = scene.fronts;
    let cluster = &scene.cluster;
    cluster.link(front, To::Bus).cut(BOTH);
    scene.game.turn_while(|people| {
        cluster.servers[front].until_not_ready();
        // A load balancer would do it.
        let moved = people.iter().filter(|person| {
            let address = &cluster.servers[front].address;
            person.relay.target() == *address
        });
        for person in moved {
            person.relay.redirect(&cluster.servers[other].address);
        }
    });
    cluster.link(front, To::Bus).cut(&[]);
    scene.cluster.until_at_home(&[0, 1, 2]);
    scene.finish();
}

#[test]
fn a_server_without_nats_gives_its_games_away() {
    side_by_side(&[
        &|| cut_from_nats(BOTH),
        &|| cut_from_nats(&[Way::ToService]),
        &|| cut_from_nats(&[Way::FromService]),
        &a_front_without_nats,
    ]);
}

/// Every link is slow. Nobody takes that for a loss, and nobody sees a pause.
#[test]
fn a_game_goes_on_over_slow_links() {
    let Some(mut scene) = Scene::begin(linked()) else {
        return;
    };
    let slow = |scene: &Scene, delay| {
        for server in 0..3 {
            for to in [To::Database, To::Bus] {
                scene.cluster.link(server, to).slow(delay);
            }
        }
    };
    let (before, owners) = (scene.game.interruptions(), "SELECT sum(term) FROM shards");
    let moved = scene.cluster.sql(owners);
    slow(&scene, SLOW);
    scene.turns(4);
    slow(&scene, Duration::ZERO);
    assert_eq!(scene.game.interruptions(), before, "nobody sees a pause");
    assert_eq!(scene.cluster.sql(owners), moved, "no part moves");
    for server in &scene.cluster.servers {
        assert!(server.figure("tilewire_cluster_cut_offs_total") == 0.0);
    }
    let compared = scene.finish();
    assert_eq!(compared.stood_still_ms, [0; 0]);
}
