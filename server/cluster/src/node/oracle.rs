//! The first decision of a node for random tables, beside that of a slow oracle.

use std::collections::BTreeSet;

use tilewire_rules::stream::{Seed, Stream};

use super::tests::{BOUNDS, ME, START, answer, joined, row, up, view};
use super::*;
use crate::rendezvous;

/// The oracle's order of nodes: the first one, the first of the rest, and so on.
fn order(part: Part, mut nodes: BTreeSet<NodeId>) -> Vec<NodeId> {
    let mut order = Vec::new();
    while let Some(first) = rendezvous::first(part, nodes.iter().copied()) {
        nodes.remove(&first);
        order.push(first);
    }
    order
}

/// Returns the expected effects of a node for random tables.
fn expected(view: &ClusterView) -> Vec<Effect> {
    let age = |at: DatabaseTime| view.now.0 - at.0;
    let is_seen = |row: &NodeRow| age(row.seen) < 2_500 && age(row.seen) > -2_500;
    let mine: Vec<&PartRow> = view
        .parts
        .iter()
        .filter(|row| row.owner == Some(ME))
        .collect();
    let load = |row: &&PartRow| Effect::Load {
        part: row.part,
        term: row.term,
        since: row.orphaned_at,
    };
    let mut effects: Vec<Effect> = mine.iter().take(BOUNDS.loads).map(load).collect();
    let mut gone = Vec::new();
    let mut live = BTreeSet::new();
    let mut fenced = BTreeSet::new();
    let mut is_well = false;
    for row in &view.nodes {
        match row.state {
            NodeState::Fenced => {
                fenced.insert(row.node);
            }
            _ if row.node == ME => is_well = age(row.well_since) >= 2_500,
            _ if !is_seen(row) => gone.push((row.node, row.incarnation)),
            _ => {}
        }
        if row.state == NodeState::Up && is_seen(row) {
            live.insert(row.node);
        }
    }
    if is_well && !gone.is_empty() {
        let fence = ClusterChange::Fence {
            nodes: gone,
            after: view.now,
        };
        effects.push(Effect::Ask(fence));
        return effects;
    }
    let known: BTreeSet<NodeId> = view.nodes.iter().map(|row| row.node).collect();
    let is_free = |owner: Option<NodeId>| {
        owner.is_none_or(|owner| fenced.contains(&owner) || !known.contains(&owner))
    };
    let mut take = Vec::new();
    for row in &view.parts {
        let is_first = order(row.part, live.clone()).first() == Some(&ME);
        if is_free(row.owner) && is_first && take.len() + mine.len() < BOUNDS.loads {
            take.push((row.part, row.term));
        }
    }
    if !take.is_empty() {
        effects.push(Effect::Ask(ClusterChange::Take(take)));
    }
    effects
}

fn random_view(random: &mut Stream) -> ClusterView {
    let mut below = |most: u32| random.next_u32() % most;
    let times = [0, 1, 400, 2_499, 2_500, 2_501, 60_000, -1, -2_499, -2_500];
    let mut nodes = Vec::new();
    for node in 1..=i32::try_from(1 + below(4)).unwrap() {
        let state = [
            NodeState::Up,
            NodeState::Up,
            NodeState::Draining,
            NodeState::Fenced,
        ];
        let mut any = |times: &[i64]| DatabaseTime(START - times[below(8) as usize % times.len()]);
        let (seen, well_since) = (any(&times), any(&times));
        let fresh = NodeRow {
            seen,
            well_since,
            ..up(node)
        };
        nodes.push(match NodeId(node) == ME {
            true => NodeRow {
                seen: DatabaseTime(START),
                ..fresh
            },
            false => NodeRow {
                state: state[below(4) as usize],
                ..fresh
            },
        });
    }
    let parts = (-1..6).map(|number| PartRow {
        orphaned_at: (below(2) == 0).then_some(DatabaseTime(START - 5)),
        term: Term(i64::from(below(9))),
        ..row(
            number,
            (below(3) != 0).then(|| i32::try_from(1 + below(5)).unwrap()),
        )
    });
    let parts = parts.collect();
    view(nodes, parts)
}

#[test]
fn the_first_decision_is_that_of_the_oracle() {
    let mut random = Seed::new(&[0; 32], "tables", &[[]; 0]).stream("cluster");
    let (mut fences, mut takes) = (0, 0);
    for _ in 0..5_000 {
        let view = random_view(&mut random);
        let expected = expected(&view);
        let effects = answer(&mut joined(), 1, ClusterDone::Renewed(view.clone()));
        assert_eq!(effects, expected, "{view:#?}");
        match effects.last() {
            Some(Effect::Ask(ClusterChange::Fence { .. })) => fences += 1,
            Some(Effect::Ask(ClusterChange::Take(_))) => takes += 1,
            _ => {}
        }
    }
    assert!(fences > 500 && takes > 500, "{fences} {takes}");
}
