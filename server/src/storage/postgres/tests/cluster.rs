//! Nodes of a cluster on a real PostgreSQL: the pure machine with the real statements.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use tilewire_rules::time::{Millis, Timestamp};

use super::{PATIENCE, Scene};
use crate::cluster::{Bounds, Effect, Identity, Input, Node, StopReason};
use crate::storage::postgres::{ClusterTables, Joined};
use crate::storage::{
    ClusterChange, ClusterDone, ClusterError, DatabaseTime, NodeId, NodeState, Part, Term,
};

/// Short times, so that a test waits for little.
const BOUNDS: Bounds = Bounds {
    renew_ms: Millis(150),
    lease_ms: Millis(1_500),
    claim_wait_ms: Millis(200),
    settle_ms: Millis(300),
    pause_ms: Millis(500),
    retry_ms: Millis(200),
    drain_ms: Millis(20_000),
    loads: 100,
    gives: 100,
};
const VERSION: (&str, i32) = ("0.1.0", 3);

/// A node with the shell of a test: games are loaded and paused at once.
struct Running {
    node: Node,
    joined: Joined,
    tables: ClusterTables,
    begun: Instant,
    served: BTreeSet<Part>,
    stopped: Option<StopReason>,
}

impl Running {
    #[expect(clippy::disallowed_methods, reason = "the database has a real clock")]
    fn join(scene: &Scene, number: i32) -> Self {
        let tables = ClusterTables::open(&scene.config).unwrap();
        let joined = tables
            .join(NodeId(number), VERSION, BOUNDS.lease_ms.0)
            .unwrap();
        let identity = Identity {
            node: NodeId(number),
            release: VERSION.0.parse().unwrap(),
            reads_form: VERSION.1,
        };
        Self {
            node: Node::new(identity, BOUNDS, Timestamp(0)),
            joined,
            tables,
            begun: Instant::now(),
            served: BTreeSet::new(),
            stopped: None,
        }
    }

    /// Tells the machine something, and all that follows from it.
    fn tell(&mut self, input: Input) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let now = Timestamp(Millis::of(self.begun.elapsed()).0);
            for effect in self.node.handle(now, input) {
                match effect {
                    Effect::Ask(change) => {
                        let answer = self.tables.change(&self.joined, &change);
                        inputs.insert(0, Input::Answered(answer));
                    }
                    Effect::Load { part, term, .. } => {
                        self.served.insert(part);
                        inputs.push(Input::Loaded(part, term));
                    }
                    Effect::Pause(part, term) => inputs.push(Input::Paused(part, term)),
                    Effect::Resume(..) => {}
                    Effect::Drop(part, _) => {
                        self.served.remove(&part);
                    }
                    Effect::CutOff => self.served.clear(),
                    Effect::Stop(reason) => {
                        self.served.clear();
                        self.stopped = Some(reason);
                    }
                }
            }
        }
    }
}

/// Wakes all nodes until the numbers of the parts that they serve are as expected.
async fn until_served(nodes: &mut [Running], is_expected: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut counts = Vec::new();
    for _ in 0..PATIENCE {
        for node in &mut *nodes {
            node.tell(Input::Tick);
        }
        counts = nodes.iter().map(|node| node.served.len()).collect();
        if is_expected(&counts) {
            return counts;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the parts are never where they belong: {counts:?}");
}

#[tokio::test]
async fn nodes_share_take_over_and_hand_over() {
    let Some(scene) = Scene::new() else { return };
    let all = Part::all().count();
    let mut nodes: Vec<Running> = vec![Running::join(&scene, 1)];
    until_served(&mut nodes, |counts| counts == [all]).await;
    // Two more come, and get their shares without another word.
    nodes.extend([2, 3].map(|number| Running::join(&scene, number)));
    let is_fair = |counts: &[usize]| counts.iter().all(|count| (60..110).contains(count));
    let shares = until_served(&mut nodes, |counts| {
        is_fair(counts) && counts.iter().sum::<usize>() == all
    });
    let shares = shares.await;
    // The first one stands still. The others take its parts.
    let mut still = nodes.remove(0);
    until_served(&mut nodes, |counts| counts.iter().sum::<usize>() == all).await;
    let view = still.tables.view().unwrap();
    assert_eq!(view.nodes[0].state, NodeState::Fenced);
    assert!(view.parts.iter().all(|row| row.owner != Some(NodeId(1))));
    let fenced = still
        .tables
        .change(&still.joined, &ClusterChange::Settle(Vec::new()));
    assert_eq!(fenced, Err(ClusterError::Fenced));
    still.tell(Input::Tick);
    assert!(still.served.is_empty(), "it has dropped its games");
    for _ in 0..PATIENCE {
        still.tell(Input::Tick);
        if still.stopped.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(still.stopped, Some(StopReason::Fenced));
    // It comes back under its number, and gets the same parts.
    nodes.insert(0, Running::join(&scene, 1));
    until_served(&mut nodes, |counts| counts == shares).await;
    // The second one stops in order.
    nodes[1].tell(Input::Drain);
    until_served(&mut nodes, |counts| {
        counts[1] == 0 && counts[0] + counts[2] == all
    })
    .await;
    for _ in 0..PATIENCE {
        if nodes[1].stopped == Some(StopReason::Left) {
            return;
        }
        nodes[1].tell(Input::Tick);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the node has not left");
}

/// The decisions are the database's: what has changed since the question is refused.
#[tokio::test]
async fn statements_look_again() {
    let Some(scene) = Scene::new() else { return };
    let tables = ClusterTables::open(&scene.config).unwrap();
    let join = |number| tables.join(NodeId(number), VERSION, 2_500).unwrap();
    let (one, two) = (join(1), join(2));
    let part = Part::LOBBY;
    let take = |joined: &Joined, term| {
        let change = ClusterChange::Take(vec![(part, Term(term))]);
        let Ok(ClusterDone::Taken(rows)) = tables.change(joined, &change) else {
            panic!("{joined:?}");
        };
        rows.first().map(|row| row.term)
    };
    assert_eq!(take(&one, 1), None, "another term");
    assert_eq!(take(&one, 0), Some(Term(1)));
    assert_eq!(take(&two, 1), None, "its owner is up");
    let give = |to, since| ClusterChange::Give {
        part,
        term: Term(1),
        to: NodeId(to),
        since: DatabaseTime(since),
    };
    let settle = ClusterChange::Settle(vec![(part, Term(1))]);
    assert_eq!(tables.change(&one, &settle), Ok(ClusterDone::Settled));
    assert_eq!(
        tables.change(&one, &give(3, 7)),
        Ok(ClusterDone::Given(false))
    );
    assert_eq!(
        tables.change(&two, &give(1, 7)),
        Ok(ClusterDone::Given(false))
    );
    assert_eq!(
        tables.change(&one, &give(2, 7)),
        Ok(ClusterDone::Given(true))
    );
    let row = tables.view().unwrap().parts[0];
    assert_eq!((row.owner, row.term), (Some(NodeId(2)), Term(2)));
    assert_eq!(row.orphaned_at, Some(DatabaseTime(7)));
    // A judge has to be well, and the other one gone, in the life that is judged.
    let fence = |joined: &Joined, incarnation| {
        let change = ClusterChange::Fence {
            nodes: vec![(NodeId(2), incarnation)],
            after: tables.view().unwrap().now,
        };
        tables.change(joined, &change)
    };
    let nobody = Ok(ClusterDone::Fenced(Vec::new()));
    scene.sql("UPDATE nodes SET seen = seen - interval '9 s' WHERE node = 2");
    assert_eq!(
        fence(&one, two.incarnation),
        nobody,
        "the judge is not well for long enough"
    );
    scene.sql("UPDATE nodes SET well_since = well_since - interval '9 s'");
    assert_eq!(fence(&one, one.incarnation), nobody, "another life");
    assert_eq!(
        fence(&one, two.incarnation),
        Ok(ClusterDone::Fenced(vec![NodeId(2)]))
    );
    assert_eq!(tables.change(&two, &settle), Err(ClusterError::Fenced));
    assert_eq!(take(&one, 2), Some(Term(3)));
    let again = join(1);
    assert_eq!(tables.change(&one, &settle), Err(ClusterError::Fenced));
    assert_eq!(
        tables.view().unwrap().parts[0].owner,
        None,
        "a new life owns nothing"
    );
    assert_eq!(take(&again, 4), Some(Term(5)));
    let leave = ClusterChange::Leave(DatabaseTime(9));
    assert_eq!(tables.change(&again, &leave), Ok(ClusterDone::Left));
    let row = tables.view().unwrap().parts[0];
    assert_eq!(
        (row.owner, row.orphaned_at),
        (None, Some(DatabaseTime(7))),
        "the first loss counts"
    );
}
