//! Machines whose clocks are wrong.

use tilewire_conformance::position::number;
use tilewire_system::cluster::Plan;

use crate::clock;
use crate::scene::{Scene, side_by_side};

/// How much the times of a game may differ from the test's clock, ms: messages take their time on a busy machine.
const NEAR_MS: i64 = 2_000;

/// The clock of one server is five seconds fast, and that of another one five seconds slow. The game moves from each to each: no
/// clock of a player loses or gains the five seconds, and each outage is given back as long as it was.
#[test]
fn clocks_that_are_wrong_cost_no_time() {
    side_by_side(&[&|| plays_on(&["+5s", "-5s"]), &|| plays_on(&["-5s", "+5s"])]);
}

fn plays_on(clocks: &[&'static str]) {
    let plan = Plan {
        clocks: clocks.to_vec(),
        ..Plan::default()
    };
    let Some(mut scene) = Scene::begin(plan) else {
        return;
    };
    let (first, since) = (last_at(&scene), clock());
    let (owner, part) = (scene.owner, scene.part);
    let mut outage_ms = 0;
    scene.turn_through(|cluster| {
        let since = clock();
        cluster.servers[owner].kill();
        assert_ne!(cluster.until_taken(part, owner), owner);
        outage_ms = since.elapsed().as_millis();
    });
    scene.cluster.servers[owner].start_again();
    scene.cluster.until_at_home(&[0, 1, 2]);
    scene.turns(2);
    let took_ms = i64::try_from(since.elapsed().as_millis()).expect("some seconds");
    let differs_ms = (last_at(&scene) - first - took_ms).abs();
    assert!(differs_ms < NEAR_MS, "{differs_ms} ms");
    let compared = scene.finish();
    let outage_ms = i64::try_from(outage_ms).expect("some seconds");
    let credited = compared.stood_still_ms.iter().max().expect("a credit");
    let credited = i64::try_from(*credited).expect("some seconds");
    let differs_ms = (credited - outage_ms).abs();
    assert!(differs_ms < NEAR_MS, "{credited} of {outage_ms} ms");
}

/// The time of the last event.
fn last_at(scene: &Scene) -> i64 {
    let events = &scene.game.people[0].fold.events;
    let last = events.last().expect("the game has begun");
    i64::try_from(number(last, "at")).expect("a time")
}
