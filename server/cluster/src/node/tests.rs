//! The steps of the node machine, one by one.

use super::*;
use crate::rendezvous;
use tilewire_store::Incarnation;

pub(super) const BOUNDS: Bounds = Bounds {
    renew_ms: Millis(500),
    lease_ms: Millis(2_500),
    claim_wait_ms: Millis(700),
    settle_ms: Millis(5_000),
    pause_ms: Millis(1_000),
    retry_ms: Millis(3_000),
    drain_ms: Millis(30_000),
    loads: 3,
    gives: 1,
};
/// The node of the tests.
pub(super) const ME: NodeId = NodeId(1);
/// The time of the database when the node has joined. The node's own clock shows 0 then.
pub(super) const START: i64 = 1_000_000;

fn identity() -> Identity {
    Identity {
        node: ME,
        release: release("1.1.0"),
        reads_form: 3,
    }
}

fn release(text: &str) -> Release {
    text.parse().unwrap()
}

/// The row of a node that is well.
pub(super) fn up(node: i32) -> NodeRow {
    NodeRow {
        node: NodeId(node),
        incarnation: Incarnation(i64::from(node) + 100),
        state: NodeState::Up,
        release: release("1.1.0"),
        reads_form: 3,
        seen: DatabaseTime(START),
        well_since: DatabaseTime(START - 60_000),
    }
}

pub(super) fn row(number: i16, owner: Option<i32>) -> PartRow {
    PartRow {
        part: part(number),
        owner: owner.map(NodeId),
        term: Term(7),
        orphaned_at: None,
    }
}

fn part(number: i16) -> Part {
    Part::numbered(number).unwrap()
}

pub(super) fn view(nodes: Vec<NodeRow>, parts: Vec<PartRow>) -> ClusterView {
    ClusterView {
        now: DatabaseTime(START),
        nodes,
        parts,
    }
}

/// A node with the only question that it puts first.
pub(super) fn joined() -> Node {
    let mut node = Node::new(identity(), BOUNDS, (Timestamp(0), LastRenewal::None));
    let renew = ClusterChange::Renew {
        is_draining: false,
        last: LastRenewal::None,
    };
    let effects = node.handle(Timestamp(0), Input::Tick);
    assert_eq!(effects, [Effect::Ask(renew)]);
    node
}

pub(super) fn answer(node: &mut Node, now: i64, done: ClusterDone) -> Vec<Effect> {
    node.handle(Timestamp(now), Input::Answered(Ok(done)))
}

/// A node that plays these parts beside others.
fn playing(nodes: Vec<NodeRow>, parts: &[i16]) -> Node {
    let mut node = joined();
    let rows = parts.iter().map(|number| row(*number, Some(1))).collect();
    let loads = answer(&mut node, 1, ClusterDone::Renewed(view(nodes, rows)));
    assert_eq!(loads.len(), parts.len(), "{loads:?}");
    for (place, number) in parts.iter().enumerate() {
        let effects = node.handle(Timestamp(2), Input::Loaded(part(*number), Term(7)));
        // It may begin to give the last one to another node.
        assert!(
            effects.is_empty() || place + 1 == parts.len(),
            "{effects:?}"
        );
    }
    node
}

fn renewals(effects: &[Effect]) -> Vec<LastRenewal> {
    let last = effects.iter().filter_map(|effect| match effect {
        Effect::Ask(ClusterChange::Renew { last, .. }) => Some(*last),
        _ => None,
    });
    last.collect()
}

#[test]
fn a_node_takes_loads_and_settles_parts_without_an_owner() {
    let mut node = joined();
    let rows: Vec<PartRow> = (-1..9).map(|number| row(number, None)).collect();
    let done = ClusterDone::Renewed(view(vec![up(1)], rows));
    let first: Vec<(Part, Term)> = [-1, 0, 1].map(|number| (part(number), Term(7))).to_vec();
    let effects = answer(&mut node, 1, done);
    assert_eq!(effects, [Effect::Ask(ClusterChange::Take(first))]);
    let mut taken = row(0, Some(1));
    taken.term = Term(8);
    taken.orphaned_at = Some(DatabaseTime(START - 9));
    let effects = answer(&mut node, 2, ClusterDone::Taken(vec![taken]));
    let load = Effect::Load {
        part: part(0),
        term: Term(8),
        since: taken.orphaned_at,
    };
    // Another node took the other two; there is room for the next two.
    let next: Vec<(Part, Term)> = [2, 3].map(|number| (part(number), Term(7))).to_vec();
    assert_eq!(effects, [load, Effect::Ask(ClusterChange::Take(next))]);
    assert!(
        node.handle(Timestamp(3), Input::Loaded(part(0), Term(7)))
            .is_empty(),
        "an old report"
    );
    assert!(
        node.handle(Timestamp(3), Input::Loaded(part(0), Term(8)))
            .is_empty()
    );
    let effects = answer(&mut node, 4, ClusterDone::Taken(Vec::new()));
    let settle = ClusterChange::Settle(vec![(part(0), Term(8))]);
    assert_eq!(effects, [Effect::Ask(settle)]);
    assert_eq!(node.terms().collect::<Vec<_>>(), [(part(0), Term(8))]);
}

#[test]
fn a_node_without_answers_drops_its_games_and_says_so() {
    let mut node = playing(vec![up(1)], &[0, 1]);
    assert_eq!(
        renewals(&node.handle(Timestamp(500), Input::Tick)),
        [LastRenewal::At(DatabaseTime(START))]
    );
    assert!(node.handle(Timestamp(2_499), Input::Tick).is_empty());
    assert_eq!(node.handle(Timestamp(2_500), Input::Tick), [Effect::CutOff]);
    assert_eq!(node.terms().count(), 0);
    // The answer comes late. It was asked before the games were dropped, so the database does not know of that.
    let rows = || vec![row(0, Some(1)), row(1, Some(2))];
    let late = answer(
        &mut node,
        2_600,
        ClusterDone::Renewed(view(vec![up(1)], rows())),
    );
    assert!(late.is_empty(), "{late:?}");
    let effects = node.handle(Timestamp(2_700), Input::Tick);
    assert_eq!(
        renewals(&effects),
        [LastRenewal::LostSince(DatabaseTime(START))]
    );
    let mut back = rows();
    back[0].orphaned_at = Some(DatabaseTime(START));
    let effects = answer(
        &mut node,
        2_710,
        ClusterDone::Renewed(view(vec![up(1), up(2)], back)),
    );
    let load = Effect::Load {
        part: part(0),
        term: Term(7),
        since: Some(DatabaseTime(START)),
    };
    assert_eq!(effects, [load]);
}

/// The process was stopped and goes on: the first that it does is to drop its games, whatever comes first.
#[test]
fn a_node_that_wakes_drops_its_games_first() {
    for input in [
        Input::Hint,
        Input::Drain,
        Input::Loaded(part(0), Term(7)),
        Input::Answered(Ok(ClusterDone::Renewed(view(
            vec![up(1)],
            vec![row(0, Some(1))],
        )))),
    ] {
        let mut node = playing(vec![up(1)], &[0]);
        assert_eq!(node.handle(Timestamp(500), Input::Tick).len(), 1);
        let effects = node.handle(Timestamp(10_500), input.clone());
        assert_eq!(effects.first(), Some(&Effect::CutOff), "{input:?}");
        assert_eq!(node.terms().count(), 0, "{input:?}");
    }
}

#[test]
fn a_fenced_node_does_nothing_more() {
    let mut node = playing(vec![up(1)], &[0]);
    let asked = node.handle(Timestamp(500), Input::Tick);
    assert_eq!(asked.len(), 1);
    let fenced = Input::Answered(Err(ClusterError::Fenced));
    let effects = node.handle(Timestamp(501), fenced);
    assert_eq!(effects, [Effect::Stop(StopReason::Fenced)]);
    for input in [Input::Tick, Input::Hint, Input::Drain] {
        assert!(node.handle(Timestamp(9_000), input).is_empty());
    }
    assert_eq!(node.wakes_at(), Timestamp::MAX);
}

#[test]
fn hints_are_bounded() {
    let mut node = playing(vec![up(1)], &[0]);
    let mut asked = 0;
    for now in 2..=500 {
        let effects = node.handle(Timestamp(now), Input::Hint);
        if !renewals(&effects).is_empty() {
            asked += 1;
            let rows = vec![row(0, Some(1))];
            answer(
                &mut node,
                now,
                ClusterDone::Renewed(view(vec![up(1)], rows)),
            );
        }
    }
    assert_eq!(asked, 20);
}

/// Returns the parts that are paused.
fn paused(effects: &[Effect]) -> Vec<i16> {
    let paused = effects.iter().filter_map(|effect| match effect {
        Effect::Pause(part, _) => Some(part.number()),
        _ => None,
    });
    paused.collect()
}

#[test]
fn a_node_that_stops_gives_its_parts_away_in_order() {
    // A node that has just come gets parts of a node that stops at once.
    let fresh = NodeRow {
        well_since: DatabaseTime(START),
        ..up(2)
    };
    let mut node = playing(vec![up(1), fresh.clone()], &[-1, 0, 1]);
    let effects = node.handle(Timestamp(10), Input::Drain);
    let renew = ClusterChange::Renew {
        is_draining: true,
        last: LastRenewal::At(DatabaseTime(START)),
    };
    assert_eq!(
        effects,
        [Effect::Pause(part(-1), Term(7)), Effect::Ask(renew)]
    );
    let own = |number| row(number, Some(1));
    let rows = vec![own(-1), own(0), own(1)];
    let done = ClusterDone::Renewed(view(vec![up(1), fresh.clone()], rows));
    assert!(answer(&mut node, 12, done).is_empty(), "one at a time");
    let effects = node.handle(Timestamp(20), Input::Paused(part(-1), Term(7)));
    let give = ClusterChange::Give {
        part: part(-1),
        term: Term(7),
        to: NodeId(2),
        // The tables were read at 1.
        since: DatabaseTime(START + 9),
    };
    assert_eq!(effects, [Effect::Ask(give)]);
    let effects = answer(&mut node, 25, ClusterDone::Given(true));
    assert_eq!(
        effects,
        [Effect::Drop(part(-1), Term(7))],
        "the next one waits for this one"
    );
    assert_eq!(renewals(&node.handle(Timestamp(510), Input::Tick)).len(), 1);
    // The other node has loaded it.
    let moved = PartRow {
        owner: Some(NodeId(2)),
        term: Term(8),
        ..own(-1)
    };
    let rows = vec![moved, own(0), own(1)];
    let effects = answer(
        &mut node,
        512,
        ClusterDone::Renewed(view(vec![up(1), fresh], rows)),
    );
    assert_eq!(paused(&effects), [0]);
}

#[test]
fn a_node_without_another_one_pauses_all_and_leaves() {
    let other_of = |old: &str| NodeRow {
        release: release(old),
        ..up(2)
    };
    let draining = NodeRow {
        state: NodeState::Draining,
        ..up(2)
    };
    for nodes in [
        vec![up(1)],
        vec![up(1), other_of("1.0.9")],
        vec![up(1), draining],
    ] {
        let mut node = playing(nodes.clone(), &[0, 1]);
        let effects = node.handle(Timestamp(10), Input::Drain);
        assert_eq!(paused(&effects), [0, 1], "{nodes:?}");
        let rows = vec![row(0, Some(1)), row(1, Some(1))];
        let effects = answer(&mut node, 12, ClusterDone::Renewed(view(nodes, rows)));
        assert!(effects.is_empty(), "{effects:?}");
        assert!(
            node.handle(Timestamp(13), Input::Paused(part(0), Term(7)))
                .is_empty()
        );
        let effects = node.handle(Timestamp(14), Input::Paused(part(1), Term(7)));
        let [Effect::Ask(ClusterChange::Leave(since))] = effects[..] else {
            panic!("{effects:?}");
        };
        assert!((START..START + 10).contains(&since.0), "{since:?}");
        let effects = answer(&mut node, 15, ClusterDone::Left);
        assert_eq!(effects, [Effect::Stop(StopReason::Left)]);
    }
}

/// A part that belongs to another node that is up, and its number.
fn misplaced() -> i16 {
    let nodes = [ME, NodeId(2)];
    let is_elsewhere = |part: &Part| rendezvous::first(*part, nodes) == Some(NodeId(2));
    Part::all().find(is_elsewhere).unwrap().number()
}

#[test]
fn games_that_do_not_come_to_rest_are_kept_for_now() {
    let number = misplaced();
    let mut node = playing(vec![up(1), up(2)], &[number]);
    assert_eq!(node.held[&part(number)].stage, Stage::Pausing(Timestamp(2)));
    let renew = |node: &mut Node, now: i64| {
        let asked = node.handle(Timestamp(now), Input::Tick);
        let fresh = ClusterView {
            now: DatabaseTime(START + now),
            ..view(vec![up(1), up(2)], vec![row(number, Some(1))])
        };
        let fresh = ClusterView {
            nodes: vec![up(1), up(2)]
                .into_iter()
                .map(|row| NodeRow {
                    seen: fresh.now,
                    ..row
                })
                .collect(),
            ..fresh
        };
        (asked, answer(node, now, ClusterDone::Renewed(fresh)))
    };
    renew(&mut node, 500);
    let (effects, _) = renew(&mut node, 1_002);
    assert_eq!(effects[0], Effect::Resume(part(number), Term(7)));
    for now in [1_600, 2_200, 2_800, 3_400, 4_001] {
        let (before, after) = renew(&mut node, now);
        assert_eq!((paused(&before), paused(&after)), (vec![], vec![]), "{now}");
    }
    assert_eq!(node.wakes_at(), Timestamp(4_002));
    assert_eq!(
        paused(&node.handle(Timestamp(4_002), Input::Tick)),
        [number]
    );
    // The other node has gone meanwhile, which only the database knows.
    let effects = node.handle(Timestamp(4_003), Input::Paused(part(number), Term(7)));
    assert!(
        matches!(effects[..], [Effect::Ask(ClusterChange::Give { .. })]),
        "{effects:?}"
    );
    let effects = answer(&mut node, 4_005, ClusterDone::Given(false));
    assert_eq!(effects, [Effect::Resume(part(number), Term(7))]);
}

/// The bus does not reach the node: it gives its parts to one that is up, from the loss on, and takes none. Without such a node it
/// keeps and takes what there is.
#[test]
fn a_node_without_the_bus_gives_its_parts_away() {
    let draining = NodeRow {
        state: NodeState::Draining,
        ..up(2)
    };
    let rows = || vec![row(0, Some(1)), row(1, None)];
    for (other, is_there) in [(up(2), true), (draining, false)] {
        let mut node = playing(vec![up(1)], &[0]);
        let now = BOUNDS.lease_ms.0 - 100;
        let effects = node.handle(Timestamp(now), Input::Apart(true));
        let renew = ClusterChange::Renew {
            is_draining: true,
            last: LastRenewal::At(DatabaseTime(START)),
        };
        assert_eq!(effects, [Effect::Ask(renew)]);
        let own = NodeRow {
            state: NodeState::Draining,
            ..up(1)
        };
        let read = ClusterDone::Renewed(view(vec![own.clone(), other.clone()], rows()));
        let effects = answer(&mut node, now, read);
        if !is_there {
            let take = ClusterChange::Take(vec![(part(1), Term(7))]);
            assert_eq!(effects, [Effect::Ask(take)]);
            assert!(!node.has_no_use());
            continue;
        }
        assert_eq!(effects, [Effect::Pause(part(0), Term(7))]);
        let effects = node.handle(Timestamp(now + 5), Input::Paused(part(0), Term(7)));
        let give = ClusterChange::Give {
            part: part(0),
            term: Term(7),
            to: NodeId(2),
            // It was lost for a time to live when that was noticed.
            since: DatabaseTime(START - BOUNDS.lease_ms.0),
        };
        assert_eq!(effects, [Effect::Ask(give)]);
        answer(&mut node, now + 6, ClusterDone::Given(true));
        assert!(!node.has_no_use(), "the part is on its way");
        let asked = node.handle(Timestamp(now + 600), Input::Tick);
        assert_eq!(renewals(&asked).len(), 1);
        let moved = PartRow {
            owner: Some(NodeId(2)),
            term: Term(8),
            ..row(0, None)
        };
        let nodes = vec![own, other];
        let read = ClusterDone::Renewed(view(nodes, vec![moved, row(1, Some(2))]));
        answer(&mut node, now + 601, read);
        assert!(node.has_no_use());
        let asked = node.handle(Timestamp(now + 700), Input::Apart(false));
        assert_eq!(renewals(&asked).len(), 1);
        assert!(!node.has_no_use());
    }
}
