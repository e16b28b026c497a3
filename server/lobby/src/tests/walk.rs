//! Random walks: the indexes stay right, and a plan can be taken back.

use tilewire_rules::stream::Seed;
use tilewire_rules::time::Millis;

use super::{Action, Lobby, Person, Scene, SeekId, WHO, open, quick, usual};

/// The indexes find the same seeks as a search of all of them.
fn assert_found(lobby: &Lobby, before: &Lobby) {
    let seeks = |lobby: &Lobby| lobby.seeks().cloned().collect::<Vec<_>>();
    let all = seeks(lobby);
    assert_eq!(all, seeks(before));
    assert_eq!(all.len(), lobby.len(), "nothing is kept of what is gone");
    let ages = all
        .iter()
        .map(|open| (open.seek.created_at, &open.seek.seek));
    assert!(ages.is_sorted());
    for seats in 2..=4 {
        let options = usual(seats);
        let equal = all.iter().filter(|open| open.offers(&options));
        assert!(lobby.equal_to(&options).eq(equal), "{seats}");
    }
    for who in WHO {
        let is_member = |person: &Person| person.identity.0 == who;
        let own = all
            .iter()
            .filter(|open| open.seek.members.iter().any(is_member));
        assert_eq!(lobby.seeks_of(who), own.count(), "{who}");
    }
}

#[test]
fn a_plan_that_is_taken_back_leaves_no_trace() {
    for seed in 0..40_u32 {
        let name = format!("lobby {seed}");
        let mut rng = Seed::new(&[1; 32], &name, &[[]; 0]).stream("walk");
        let mut scene = Scene::new();
        for _ in 0..200 {
            let who = WHO[rng.uniform(4) as usize];
            scene.now += Millis(i64::from(rng.uniform(2)));
            let ids: Vec<SeekId> = scene
                .lobby
                .seeks()
                .map(|open| open.seek.seek.clone())
                .collect();
            let id = ids.get(rng.uniform(5) as usize).cloned();
            let action = match (rng.uniform(8), id) {
                (0 | 1, Some(id)) => Action::Join(id),
                (2, Some(id)) => Action::Leave(id),
                (3, Some(id)) => Action::Cancel(id),
                (4, Some(id)) => Action::Start(id),
                (5, _) => quick(2),
                _ => open(3),
            };
            let Ok(plan) = scene.plan(who, action) else {
                continue;
            };
            let before = Lobby::new(scene.lobby.seeks().cloned().collect());
            let former = scene.lobby.adopt(&plan);
            scene.lobby.take_back(former);
            assert_found(&scene.lobby, &before);
            scene.lobby.adopt(&plan);
            // Its game exists.
            if let Some(started) = &plan.start {
                scene.lobby.remove(&started.seek.seek);
            }
        }
    }
}
