//! Nodes of a cluster on a real PostgreSQL: the pure machine with the real statements.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use tilewire_rules::time::{Millis, Timestamp};

use crate::{Bounds, Effect, Identity, Input, Node, StopReason};
use tilewire_config::{DatabaseUrl, StorageConfig};
use tilewire_databases::postgres::migrate;
use tilewire_databases::postgres::{ClusterTables, Joined};
use tilewire_services::postgres::{Database, Postgres};
use tilewire_store::{
    ClusterChange, ClusterDone, ClusterError, DatabaseTime, Incarnation, LastRenewal, NodeId,
    NodeState, Part, PartRow, Term,
};

/// Looks at something that happens on its own, until a test fails.
const PATIENCE: u32 = 3_000;

/// A new database with tables, and the settings of a server on it.
struct Scene {
    postgres: &'static Postgres,
    database: Database,
    config: StorageConfig,
}

impl Scene {
    /// `None` if there is no PostgreSQL.
    fn new() -> Option<Self> {
        let postgres = Postgres::shared()?;
        let database = postgres.database();
        let config = StorageConfig {
            url: DatabaseUrl::from(database.url.as_str()),
            ..StorageConfig::default()
        };
        migrate(&config).unwrap();
        Some(Self {
            postgres,
            database,
            config,
        })
    }

    fn sql(&self, statements: &str) -> String {
        self.postgres.sql(&self.database.name, statements)
    }
}

/// Short times, so that a test waits for little; but a node on a busy machine keeps its lease.
const BOUNDS: Bounds = Bounds {
    renew_ms: Millis(150),
    lease_ms: Millis(20_000),
    claim_wait_ms: Millis(200),
    settle_ms: Millis(300),
    pause_ms: Millis(500),
    retry_ms: Millis(200),
    drain_ms: Millis(20_000),
    loads: 100,
    gives: 100,
};
const VERSION: (&str, i32, &[String]) = ("0.1.0", 3, &[]);

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
            node: Node::new(identity, BOUNDS, (Timestamp(0), LastRenewal::None)),
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
    // The first one stands still for longer than its lease. The others take its parts.
    let mut still = nodes.remove(0);
    scene.sql("UPDATE nodes SET well_since = well_since - interval '60 s'");
    scene.sql("UPDATE nodes SET seen = seen - interval '60 s' WHERE node = 1");
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

/// Two nodes, and the lobby as the part of which they have questions.
struct Pair {
    tables: ClusterTables,
    one: Joined,
    two: Joined,
}

impl Pair {
    fn new(scene: &Scene) -> Self {
        let tables = ClusterTables::open(&scene.config).unwrap();
        let join = |number| tables.join(NodeId(number), VERSION, 2_500).unwrap();
        let (one, two) = (join(1), join(2));
        Self { tables, one, two }
    }

    /// Takes the lobby if it has this term; returns the new term.
    fn take(&self, joined: &Joined, term: i64) -> Option<i64> {
        let change = ClusterChange::Take(vec![(Part::LOBBY, Term(term))]);
        let Ok(ClusterDone::Taken(rows)) = self.tables.change(joined, &change) else {
            panic!("{joined:?}");
        };
        rows.first().map(|row| row.term.0)
    }

    /// Gives the lobby away.
    fn give(&self, joined: &Joined, to: i32) -> Result<ClusterDone, ClusterError> {
        let change = ClusterChange::Give {
            part: Part::LOBBY,
            term: Term(1),
            to: NodeId(to),
            since: DatabaseTime(7),
        };
        self.tables.change(joined, &change)
    }

    fn settle(&self, joined: &Joined) -> Result<ClusterDone, ClusterError> {
        let change = ClusterChange::Settle(vec![(Part::LOBBY, Term(1))]);
        self.tables.change(joined, &change)
    }

    /// The first node judges the second one in this life.
    fn fence(&self, life: Incarnation) -> Result<ClusterDone, ClusterError> {
        let nodes = vec![(self.two.node, life)];
        let after = self.tables.view().unwrap().now;
        let change = ClusterChange::Fence { nodes, after };
        self.tables.change(&self.one, &change)
    }

    fn lobby(&self) -> PartRow {
        self.tables.view().unwrap().parts[0]
    }
}

/// The decisions are the database's: what has changed since the question is refused.
#[tokio::test]
async fn a_part_is_taken_and_given_only_as_it_is() {
    let Some(scene) = Scene::new() else { return };
    let pair = Pair::new(&scene);
    let (one, two) = (&pair.one, &pair.two);
    assert_eq!(pair.take(one, 1), None, "another term");
    assert_eq!(pair.take(one, 0), Some(1));
    assert_eq!(pair.take(two, 1), None, "its owner is up");
    assert!(pair.lobby().orphaned_at.is_some());
    assert_eq!(pair.settle(two), Ok(ClusterDone::Settled));
    assert!(pair.lobby().orphaned_at.is_some(), "not by another node");
    assert_eq!(pair.settle(one), Ok(ClusterDone::Settled));
    assert_eq!(pair.lobby().orphaned_at, None);
    let is_given = |is_given| Ok(ClusterDone::Given(is_given));
    assert_eq!(pair.give(one, 3), is_given(false), "there is no such node");
    assert_eq!(pair.give(two, 1), is_given(false), "it is not its own");
    assert_eq!(pair.give(one, 2), is_given(true));
    let row = pair.lobby();
    assert_eq!((row.owner, row.term), (Some(two.node), Term(2)));
    assert_eq!(row.orphaned_at, Some(DatabaseTime(7)));
    // A new life owns nothing, and the old one can do nothing.
    let again = pair.tables.join(two.node, VERSION, 2_500).unwrap();
    assert_eq!(pair.settle(two), Err(ClusterError::Fenced));
    let row = pair.lobby();
    assert_eq!((row.owner, row.term), (None, Term(3)));
    assert_eq!(pair.take(&again, 3), Some(4));
    let leave = ClusterChange::Leave(DatabaseTime(9));
    assert_eq!(pair.tables.change(&again, &leave), Ok(ClusterDone::Left));
    let row = pair.lobby();
    let first_loss = Some(DatabaseTime(7));
    assert_eq!((row.owner, row.orphaned_at), (None, first_loss));
}

/// A judge has to be well, and the other node gone, in the life that is judged.
#[tokio::test]
async fn a_node_is_fenced_only_by_one_that_is_well() {
    let Some(scene) = Scene::new() else { return };
    let pair = Pair::new(&scene);
    assert_eq!(pair.take(&pair.two, 0), Some(1));
    let life = pair.two.incarnation;
    let fenced = |nodes: &[NodeId]| Ok(ClusterDone::Fenced(nodes.to_vec()));
    let is_gone = "UPDATE nodes SET seen = seen - interval '9 s' WHERE node = 2";
    scene.sql(is_gone);
    assert_eq!(pair.fence(life), fenced(&[]), "the judge has just come");
    let is_well = "UPDATE nodes SET well_since = well_since - interval '9 s'";
    scene.sql(is_well);
    let renew = ClusterChange::Renew {
        is_draining: false,
        last: LastRenewal::None,
    };
    let renewed = pair.tables.change(&pair.one, &renew);
    assert!(matches!(renewed, Ok(ClusterDone::Renewed(_))));
    assert_eq!(
        pair.fence(life),
        fenced(&[]),
        "it has been away since it came"
    );
    scene.sql(is_well);
    assert_eq!(
        pair.fence(pair.one.incarnation),
        fenced(&[]),
        "another life"
    );
    assert_eq!(pair.settle(&pair.two), Ok(ClusterDone::Settled));
    assert_eq!(pair.fence(life), fenced(&[]), "it was seen meanwhile");
    scene.sql(is_gone);
    assert_eq!(pair.take(&pair.one, 1), None, "it is not fenced yet");
    assert_eq!(pair.fence(life), fenced(&[pair.two.node]));
    assert_eq!(pair.settle(&pair.two), Err(ClusterError::Fenced));
    assert_eq!(pair.take(&pair.one, 1), Some(2));
}
