//! The simulated disk as several nodes share it: each has a way to it that can be cut, and each change of a game proves the
//! lease and the owner.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_cluster::{Answer, Answered, Ask};
use tilewire_protocol::GameId;
use tilewire_rules::time::Millis;
use tilewire_sql::changes::Change;
use tilewire_store::{
    AppendError, ClusterChange, ClusterDone, ClusterError, DatabaseTime, GameWriter, Give,
    Incarnation, MemoryNodes, NodeId, NodeRows, Part, Release, Shard, StoreError, StoreFuture,
    Term, Terms,
};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::disk::{Disk, State};
use super::flaws::Flaw;

/// Time after which a node gives up a request that does not arrive, or whose answer does not.
pub(super) const ANSWER: Duration = Duration::from_millis(1_000);
/// The longest time that a question about the cluster is on its way, ms.
const QUESTION_MS: i64 = 20;
/// Of so many changes that were on their way when their node was lost, one is late.
const LATE_AT_LOSS: u64 = 2;

/// The state of the connection between a node and the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Nothing.
    Open,
    /// Requests and answers do not arrive, and the node gives them up.
    Cut,
    /// The node stands still: it receives no answer, and abandons no request.
    Held,
    /// The node's process has ended.
    Dead,
}

/// The way of one life of a node to the disk.
#[derive(Debug)]
pub struct Link {
    /// The node.
    pub node: NodeId,
    /// Its life.
    pub life: Incarnation,
    /// The shards that it owns.
    pub terms: Arc<Terms>,
    /// The way, and since when it is cut.
    way: Mutex<(Way, Option<Instant>)>,
    /// Wakes those that wait in the order in which they came, which a watch channel does not.
    changed: Notify,
    handed_over: AtomicU64,
    /// The changes of logs that are handed over and not done.
    flying: Mutex<BTreeSet<u64>>,
    landed: Notify,
}

impl Link {
    /// Returns an open way.
    #[must_use]
    pub fn new(node: NodeId, life: Incarnation) -> Arc<Self> {
        Arc::new(Self {
            node,
            life,
            terms: Arc::default(),
            way: Mutex::new((Way::Open, None)),
            changed: Notify::new(),
            handed_over: AtomicU64::new(0),
            flying: Mutex::default(),
            landed: Notify::new(),
        })
    }

    /// Changes the way. A process that has ended stays so.
    pub fn set(&self, way: Way) {
        let mut now = self.lock_way();
        if now.0 != Way::Dead && now.0 != way {
            *now = (way, (way == Way::Cut).then(now_on_the_clock));
            self.changed.notify_waiters();
        }
    }

    fn lock_way(&self) -> MutexGuard<'_, (Way, Option<Instant>)> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether the way has been cut for longer than `ms`.
    #[must_use]
    pub fn is_cut_for_longer_than(&self, ms: i64) -> bool {
        let (_, cut_at) = *self.lock_way();
        cut_at.is_some_and(|at| now_on_the_clock() - at > Millis(ms).to_duration())
    }

    /// Returns the way.
    #[must_use]
    pub fn way(&self) -> Way {
        self.lock_way().0
    }

    /// Waits until a request or an answer arrives; `false` when the node gives it up. A dead or held node waits.
    async fn pass(&self) -> bool {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            match self.way() {
                Way::Open => return true,
                Way::Dead => std::future::pending().await,
                Way::Held => changed.await,
                Way::Cut => {
                    if tokio::time::timeout(ANSWER, changed).await.is_err() {
                        return false;
                    }
                }
            }
        }
    }

    const fn proof(&self, part: Part, term: Term) -> Proof {
        Proof {
            node: self.node,
            life: self.life,
            part,
            term,
        }
    }

    /// Counts a change of a log as handed over, until it is dropped.
    pub(super) fn hands_over(self: &Arc<Self>) -> Flying {
        let number = self.handed_over.fetch_add(1, Ordering::SeqCst);
        self.flying().insert(number);
        Flying {
            link: Arc::clone(self),
            number,
        }
    }

    fn flying(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.flying.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything is done that was handed over before.
    async fn lands(&self) {
        let before = self.handed_over.load(Ordering::SeqCst);
        loop {
            let landed = self.landed.notified();
            if self.flying().first().is_none_or(|first| *first >= before) {
                return;
            }
            landed.await;
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the disk is a shell, on the clock of the simulation"
)]
pub(super) fn now_on_the_clock() -> Instant {
    Instant::now()
}

/// A change of a log that is handed over.
pub(super) struct Flying {
    link: Arc<Link>,
    number: u64,
}

impl Drop for Flying {
    fn drop(&mut self) {
        self.link.flying().remove(&self.number);
        self.link.landed.notify_waiters();
    }
}

/// The proof of ownership that comes with a change of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The node that makes it.
    pub node: NodeId,
    /// Its incarnation.
    pub life: Incarnation,
    /// The part of the game.
    pub part: Part,
    /// The term in which the node owns it.
    pub term: Term,
}

/// The disk's data about the nodes that share it.
#[derive(Debug)]
pub(super) struct SharedNodes {
    tables: MemoryNodes,
    /// The owner that has last got the log of each game.
    readers: BTreeMap<GameId, Proof>,
    /// Nodes that were fenced.
    fenced: Vec<NodeId>,
}

impl State {
    /// Says whether a change of a game may be stored.
    pub(super) fn proves(&self, proof: Option<Proof>) -> bool {
        let (Some(nodes), Some(proof)) = (&self.nodes, proof) else {
            return true;
        };
        let rows = &nodes.tables.rows;
        rows.prove(proof.node, &[proof.life]) && rows.own(proof.node, proof.part, proof.term)
    }

    /// Notes that the node of a change lives.
    pub(super) fn see(&mut self, proof: Option<Proof>) {
        let now = DatabaseTime(self.clock.now().0);
        if let (Some(nodes), Some(proof)) = (&mut self.nodes, proof) {
            nodes.tables.see(now, proof.node);
        }
    }

    /// Says whether an owner reads a game for the first time.
    pub(super) fn is_new_reader(&mut self, game: &GameId, proof: Option<Proof>) -> bool {
        let (Some(nodes), Some(proof)) = (&mut self.nodes, proof) else {
            return false;
        };
        nodes.readers.insert(game.clone(), proof) != Some(proof)
    }

    fn change_cluster(&mut self, link: &Link, change: &ClusterChange) -> Answer {
        let (now, flaw) = (DatabaseTime(self.clock.now().0), self.flaw);
        let Some(nodes) = &mut self.nodes else {
            return Err(ClusterError::NoAnswer);
        };
        let tables = &mut nodes.tables;
        if !tables.rows.prove(link.node, &[link.life]) {
            return Err(ClusterError::Fenced);
        }
        tables.see(now, link.node);
        let before = tables.rows.clone();
        let mut done = tables.change(now, &before, link.node, change);
        match &mut done {
            ClusterDone::Fenced(fenced) => nodes.fenced.extend(fenced.iter().copied()),
            ClusterDone::Renewed(_) if flaw == Some(Flaw::UnwellJudges) => {
                let was = before.nodes.get(&link.node).map(|row| row.well_since);
                let row = tables.rows.nodes.get_mut(&link.node);
                if let (Some(row), Some(was)) = (row, was) {
                    row.well_since = was;
                }
            }
            ClusterDone::Taken(rows) if flaw == Some(Flaw::CreditForgotten) => {
                for row in rows {
                    let owner = before.parts.get(&row.part).and_then(|row| row.owner);
                    let renewed = owner.and_then(|owner| tables.renewed(owner));
                    row.orphaned_at = Some(renewed.unwrap_or(now));
                    tables.rows.parts.insert(row.part, *row);
                }
            }
            _ => {}
        }
        Ok(done)
    }
}

impl Disk {
    /// Lets several nodes share the disk. Leases live for `lease_ms`.
    pub fn share(&self, lease_ms: i64) {
        self.lock().nodes = Some(SharedNodes {
            tables: MemoryNodes::new(Part::all(), lease_ms),
            readers: BTreeMap::new(),
            fenced: Vec::new(),
        });
    }

    /// Returns the node that uses this handle.
    pub(super) fn node(&self) -> Option<NodeId> {
        self.link.as_ref().map(|link| link.node)
    }

    /// Waits until a request of this node, or the answer to it, arrives; `false` when the node gives it up.
    pub(super) async fn reaches(&self) -> bool {
        match &self.link {
            None => true,
            Some(link) => link.pass().await,
        }
    }

    /// Says whether this node has its lease; a server that is alone always does.
    pub(super) fn has_lease(&self) -> bool {
        let state = self.lock();
        match (&self.link, &state.nodes) {
            (Some(link), Some(nodes)) => nodes.tables.rows.prove(link.node, &[link.life]),
            _ => true,
        }
    }

    /// Says whether this node loses track of a change that is on its way: the way was lost meanwhile.
    pub(super) fn loses_track(&self) -> bool {
        let is_lost = self
            .link
            .as_ref()
            .is_some_and(|link| link.way() != Way::Open);
        is_lost && self.lock().lateness.one_in(LATE_AT_LOSS)
    }

    /// Returns what this node can prove of a part.
    pub(super) fn proof(&self, part: Part) -> Option<Proof> {
        let link = self.link.as_ref()?;
        let term = link.terms.of(part)?;
        Some(link.proof(part, term))
    }

    /// Returns what a change proves.
    pub(super) fn proof_of(&self, change: &Change) -> Option<Proof> {
        let (part, term) = change.owned()?;
        self.link.as_ref().map(|link| link.proof(part, term))
    }

    /// Begins the life of a node; its parts of the life before have no owner from now on.
    pub fn join(&self, link: &Link) {
        let mut state = self.lock();
        let now = DatabaseTime(state.clock.now().0);
        if let Some(nodes) = &mut state.nodes {
            let version = (Release::default(), i32::MAX);
            nodes.tables.join(now, (link.node, link.life), version);
        }
    }

    /// Calls `at` with the tables of the nodes.
    pub fn look_at_nodes<T>(&self, at: impl FnOnce(&NodeRows) -> T) -> Option<T> {
        let state = self.lock();
        state.nodes.as_ref().map(|nodes| at(&nodes.tables.rows))
    }

    /// Takes the nodes that were fenced since the last call.
    pub fn take_fenced(&self) -> Vec<NodeId> {
        let mut state = self.lock();
        let nodes = state.nodes.as_mut();
        nodes.map_or_else(Vec::new, |nodes| std::mem::take(&mut nodes.fenced))
    }

    /// Returns what puts the questions of this node.
    pub fn keeper(self: &Arc<Self>) -> impl FnOnce(Answered) -> io::Result<Ask> + use<> {
        let disk = Arc::clone(self);
        move |answered| {
            let answered = Arc::new(Mutex::new(answered));
            Ok(Box::new(move |change| {
                let (disk, answered) = (Arc::clone(&disk), Arc::clone(&answered));
                tokio::spawn(async move {
                    let answer = disk.ask(&change).await;
                    let answered = answered.lock().unwrap_or_else(PoisonError::into_inner);
                    answered(answer);
                });
            }))
        }
    }

    async fn ask(&self, change: &ClusterChange) -> Answer {
        let Some(link) = &self.link else {
            return Err(ClusterError::NoAnswer);
        };
        if !link.pass().await {
            return Err(ClusterError::NoAnswer);
        }
        let on_its_way = self.lock().lateness.ms(0, QUESTION_MS);
        sleep(on_its_way).await;
        let answer = {
            let mut state = self.lock();
            state.commit_late();
            state.change_cluster(link, change)
        };
        self.changed.notify_one();
        match link.pass().await {
            true => answer,
            false => Err(ClusterError::NoAnswer),
        }
    }
}

async fn sleep(ms: i64) {
    tokio::time::sleep(Millis(ms).to_duration()).await;
}

impl GameWriter for Disk {
    fn flush(&self) -> BoxFuture<'_, Result<(), AppendError>> {
        async {
            let Some(link) = &self.link else {
                return Ok(());
            };
            link.lands().await;
            if !link.pass().await {
                return Err(AppendError::Unavailable("on purpose".to_owned()));
            }
            self.lock().settle_node(link.node);
            match self.has_lease() {
                true => Ok(()),
                false => Err(AppendError::Fenced),
            }
        }
        .boxed()
    }

    fn give(&self, give: Arc<Give>) -> BoxFuture<'_, Result<bool, AppendError>> {
        async move {
            let Some(link) = &self.link else {
                return Ok(false);
            };
            self.flush().await?;
            if !give.begin() {
                return Err(AppendError::Unavailable("it was called off".to_owned()));
            }
            let change = ClusterChange::Give {
                part: give.part,
                term: give.term,
                to: give.to,
                since: give.since,
            };
            let given = self.lock().change_cluster(link, &change);
            if !link.pass().await {
                return Err(AppendError::OutcomeUnknown("on purpose".to_owned()));
            }
            match given {
                Ok(ClusterDone::Given(is_given)) => Ok(is_given),
                Err(ClusterError::Fenced) => Err(AppendError::Fenced),
                _ => Err(AppendError::Unavailable("on purpose".to_owned())),
            }
        }
        .boxed()
    }

    fn still_times(&self) -> StoreFuture<'_, Vec<(Shard, Millis)>> {
        async {
            if !self.reaches().await {
                return Err(StoreError::Unavailable("on purpose".to_owned()));
            }
            let state = self.lock();
            let nodes = state.nodes.as_ref();
            let still = nodes.into_iter().flat_map(|nodes| nodes.tables.still_ms());
            let of_shard = |(part, ms): (&Part, &i64)| Some((part.shard()?, Millis(*ms)));
            Ok(still.filter_map(of_shard).collect())
        }
        .boxed()
    }
}
