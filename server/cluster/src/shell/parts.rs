//! The parts of a node at work: each has a task that loads it, lets it be played, and stops it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{LobbyWork, Reports};
use crate::Input;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_game::owners::Owners;
use tilewire_game::{Directory, OpenShard, StillTimes};
use tilewire_store::{AppendError, GameWriter, Part, Shard, Shards, Term, Terms};

/// The value for a part that is played.
const IS_PLAYED: i64 = i64::MAX;

/// The services that the tasks of parts use.
#[derive(Debug)]
pub(super) struct Tools {
    pub(super) directory: Arc<Directory>,
    pub(super) lobby: Arc<dyn LobbyWork>,
    pub(super) writer: Arc<dyn GameWriter>,
    pub(super) terms: Arc<Terms>,
    pub(super) still: Arc<StillTimes>,
    pub(super) owners: Arc<Owners>,
    pub(super) clock: ServerClock,
    pub(super) reports: Reports,
    /// Held while a part changes between its task and the machine, so that a part that is dropped is never opened.
    pub(super) turn: Mutex<()>,
}

/// A part that is to be loaded, and since when its games stand still by this node's clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToLoad {
    pub(super) part: Part,
    pub(super) term: Term,
    pub(super) since: Option<Timestamp>,
}

/// The parts of the node.
#[derive(Debug)]
pub(super) struct PartTasks {
    tools: Arc<Tools>,
    runtime: Handle,
    held: BTreeMap<Part, PartHandle>,
}

/// The machine's handle to the task of a part.
#[derive(Debug)]
struct PartHandle {
    alive: CancellationToken,
    wanted: watch::Sender<Wanted>,
    still_since: Arc<AtomicI64>,
}

/// The wanted state of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Play,
    Pause,
}

/// The games of some shards that are awake. All parts that are loaded together wait for one read.
type Awake = Shared<BoxFuture<'static, Arc<BTreeMap<Shard, Vec<GameId>>>>>;

impl PartTasks {
    pub(super) const fn new(tools: Arc<Tools>, runtime: Handle) -> Self {
        Self {
            tools,
            runtime,
            held: BTreeMap::new(),
        }
    }

    /// Begins to load parts.
    pub(super) fn load(&mut self, parts: &[ToLoad]) {
        let shards: Shards = parts.iter().filter_map(|load| load.part.shard()).collect();
        let awake = awake(Arc::clone(&self.tools), shards).boxed().shared();
        for load in parts {
            let (alive, still_since) = (
                CancellationToken::new(),
                Arc::new(AtomicI64::new(IS_PLAYED)),
            );
            let (wanted, to_do) = watch::channel(Wanted::Play);
            let task = PartTask {
                tools: Arc::clone(&self.tools),
                load: *load,
                alive: alive.clone(),
                still_since: Arc::clone(&still_since),
                wanted: to_do,
            };
            let ended = alive.clone();
            let working = task.work(awake.clone());
            self.runtime
                .spawn(async move { ended.run_until_cancelled(working).await });
            let held = PartHandle {
                alive,
                wanted,
                still_since,
            };
            if let Some(former) = self.held.insert(load.part, held) {
                former.alive.cancel();
            }
        }
    }

    pub(super) fn pause(&self, part: Part) {
        self.want(part, Wanted::Pause);
    }

    pub(super) fn resume(&self, part: Part) {
        self.want(part, Wanted::Play);
    }

    fn want(&self, part: Part, wanted: Wanted) {
        if let Some(held) = self.held.get(&part) {
            held.wanted.send_replace(wanted);
        }
    }

    /// Returns since when a part stands still, if it does, by this node's clock.
    pub(super) fn still_since(&self, part: Part) -> Option<Timestamp> {
        let since = self.held.get(&part)?.still_since.load(Ordering::Acquire);
        (since != IS_PLAYED).then_some(Timestamp(since))
    }

    /// Returns since when the first of all parts stands still, if one does.
    pub(super) fn first_still_since(&self) -> Option<Timestamp> {
        let parts = self.held.keys();
        parts.filter_map(|part| self.still_since(*part)).min()
    }

    /// Shows how many parts are held.
    pub(super) fn show(&self) {
        let has_lobby = self.held.contains_key(&Part::LOBBY);
        metrics::parts(self.held.len() - usize::from(has_lobby), has_lobby);
    }

    /// Forgets a part: another node has it.
    pub(super) fn forget(&mut self, part: Part) {
        let tools = Arc::clone(&self.tools);
        let _turn = tools.turn();
        if let Some(held) = self.held.remove(&part) {
            held.alive.cancel();
        }
        tools.owners.leave(part);
        tools.terms.disown(part);
        match part.shard() {
            Some(shard) => tools.directory.forget_shard(shard),
            None => tools.lobby.abort(),
        }
    }

    /// Forgets all parts.
    pub(super) fn forget_all(&mut self) {
        let parts: Vec<Part> = self.held.keys().copied().collect();
        for part in parts {
            self.forget(part);
        }
    }
}

impl Tools {
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads how long the games of all shards have stood still.
    pub(super) async fn read_still_times(&self) {
        match self.writer.still_times().await {
            Ok(times) => {
                for (shard, still_ms) in times {
                    self.still.note(shard, still_ms);
                }
            }
            Err(error) => tracing::warn!(%error, "the lost times of the shards could not be read"),
        }
    }
}

/// Waits until nothing of these shards is in memory or on its way to the database, and reads which of their games are awake.
async fn awake(tools: Arc<Tools>, shards: Shards) -> Arc<BTreeMap<Shard, Vec<GameId>>> {
    const AGAIN_MS: Millis = Millis(100);
    for shard in shards.iter() {
        tools.directory.shard_emptied(shard).await;
    }
    // A server that has lost its lease stores nothing more either.
    while let Err(AppendError::Unavailable(_) | AppendError::OutcomeUnknown(_)) =
        tools.writer.flush().await
    {
        tokio::time::sleep(AGAIN_MS.to_duration()).await;
    }
    tools.read_still_times().await;
    Arc::new(tools.directory.awake_in(shards).await)
}

/// The task of a part.
struct PartTask {
    tools: Arc<Tools>,
    load: ToLoad,
    alive: CancellationToken,
    still_since: Arc<AtomicI64>,
    wanted: watch::Receiver<Wanted>,
}

impl PartTask {
    /// Loads the part, and follows what is wanted of it. It ends when the part is forgotten.
    async fn work(mut self, awake: Awake) {
        let ToLoad { part, term, since } = self.load;
        match part.shard() {
            Some(shard) => {
                let awake = awake.await;
                let games = awake.get(&shard).cloned().unwrap_or_default();
                if let Some(since) = since {
                    // The database counts it when the part is settled.
                    let still_ms = self.tools.still.of(shard) + (self.tools.clock.now() - since);
                    self.tools.still.note(shard, still_ms);
                }
                self.play(shard, games, since).await;
            }
            None => {
                if !self.own() {
                    return;
                }
                self.tools.lobby.start().await;
            }
        }
        self.serve();
        self.credited().await;
        if let Some(since) = since {
            metrics::part_stood_still(self.tools.clock.now() - since);
        }
        self.tools.reports.tell(Input::Loaded(part, term));
        while self.next(Wanted::Pause).await {
            let still_since = self.tools.clock.now();
            self.still_since.store(still_since.0, Ordering::Release);
            self.pause().await;
            self.tools.reports.tell(Input::Paused(part, term));
            if !self.next(Wanted::Play).await {
                return;
            }
            self.go_on(still_since).await;
            self.still_since.store(IS_PLAYED, Ordering::Release);
        }
    }

    /// Waits until something is wanted; `false` when the part is forgotten.
    async fn next(&mut self, wanted: Wanted) -> bool {
        self.wanted.wait_for(|now| *now == wanted).await.is_ok()
    }

    /// Lets the games of a shard be played.
    async fn play(&self, shard: Shard, games: Vec<GameId>, since: Option<Timestamp>) {
        let tools = &self.tools;
        let Some(open) = self.open(shard) else {
            return;
        };
        tools.directory.take_up(open, games, since).await;
    }

    /// Opens the gate of the shard, unless the part is forgotten.
    fn open(&self, shard: Shard) -> Option<OpenShard> {
        let _turn = self.tools.turn();
        if self.alive.is_cancelled() {
            return None;
        }
        self.tools.terms.own(self.load.part, self.load.term);
        Some(self.tools.directory.open_shard(shard))
    }

    /// Lets the lobby create games, unless it is forgotten; says whether it does.
    fn own(&self) -> bool {
        let _turn = self.tools.turn();
        let is_alive = !self.alive.is_cancelled();
        if is_alive {
            self.tools.terms.own(self.load.part, self.load.term);
        }
        is_alive
    }

    /// Answers for the part, unless it is forgotten.
    fn serve(&self) {
        let _turn = self.tools.turn();
        if !self.alive.is_cancelled() {
            self.tools.owners.serve(self.load.part, self.load.term);
        }
    }

    async fn credited(&self) {
        if let Some(shard) = self.load.part.shard() {
            self.tools.directory.shard_credited(shard).await;
        }
    }

    async fn pause(&self) {
        let (tools, part) = (&self.tools, self.load.part);
        tools.owners.leave(part);
        match part.shard() {
            Some(shard) => {
                tools.directory.hand_over_shard(shard);
                tools.directory.shard_emptied(shard).await;
            }
            None => {
                tools.lobby.stop().await;
                // Waits for the writes that were in flight when the lobby stopped.
                tools.writer.flush().await.ok();
            }
        }
    }

    /// The part stays here after all.
    async fn go_on(&self, still_since: Timestamp) {
        let tools = &self.tools;
        match self.load.part.shard() {
            Some(shard) => {
                let awake = tools
                    .directory
                    .awake_in([shard].into_iter().collect())
                    .await;
                let games = awake.into_values().flatten().collect();
                self.play(shard, games, Some(still_since)).await;
            }
            None => tools.lobby.start().await,
        }
        self.serve();
        self.credited().await;
    }
}
