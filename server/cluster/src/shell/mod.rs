//! The shell of a node: a future runs the machine, a keeper asks the database, and each part has a task.
//!
//! The machine and its questions have threads of their own, so no load of games delays the renewal of the lease. A simulation
//! runs the same future in its own time ([`Member::of`]).

mod giving;
mod hints;
mod parts;
mod questions;
mod reading;
mod serving;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, thread};

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;
use tokio::runtime::{self, Handle};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::timeout;

use self::giving::given;
pub use self::hints::Hints;
use self::parts::{PartTasks, ToLoad, Tools};
pub use self::questions::{Answer, Answered, Ask};
use self::reading::Reading;
pub use self::serving::{Callback, LobbyWork, Serving};
use super::Bounds;
use super::node::{Effect, Identity, Input, Node, StopReason};
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_config::ClusterConfig;
use tilewire_databases::postgres::OpenNode;
use tilewire_game::StillTimes;
use tilewire_game::owners::Owners;
use tilewire_store::{
    ClusterChange, ClusterDone, ClusterError, ClusterView, DatabaseTime, GameWriter, Give,
    Incarnation, LastRenewal, NodeId, Part, Term, Terms,
};

/// A message to the machine.
#[derive(Debug)]
enum Message {
    Input(Input),
    Serve(Box<Serving>),
}

/// Where the tasks of parts report to.
#[derive(Debug, Clone)]
pub(super) struct Reports(UnboundedSender<Message>);

impl Reports {
    /// Tells the machine something; says whether it is there.
    pub(super) fn tell(&self, input: Input) -> bool {
        self.0.send(Message::Input(input)).is_ok()
    }
}

/// This server among the others.
#[derive(Debug)]
pub struct Member {
    messages: UnboundedSender<Message>,
    node: NodeId,
    life: Incarnation,
    owners: Arc<Owners>,
    still: Arc<StillTimes>,
    stopped: watch::Receiver<Option<StopReason>>,
}

/// The result of joining the cluster.
#[derive(Debug)]
pub struct Joining {
    /// The node.
    pub node: NodeId,
    /// Its life.
    pub life: Incarnation,
    /// Writes the node's games.
    pub writer: Arc<dyn GameWriter>,
    /// The shards that it owns.
    pub terms: Arc<Terms>,
}

impl Member {
    /// Keeps the lease of a server that has joined. It owns nothing until [`Member::serve`].
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn begin(open: OpenNode, config: &ClusterConfig, clock: &ServerClock) -> io::Result<Self> {
        let joining = Joining {
            node: open.joined.node,
            life: open.joined.incarnation,
            writer: open.storage,
            terms: open.terms,
        };
        let asked = (open.tables, open.joined);
        let keeper = |answered| questions::start(asked, answered);
        let (member, machine) = Self::of(joining, config, clock, keeper)?;
        let own = runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        thread::Builder::new()
            .name("cluster-node".to_owned())
            .spawn(move || own.block_on(machine))?;
        tracing::info!(node = member.node.0, "this server has joined the others");
        Ok(member)
    }

    /// Returns a server that has joined, and the future that keeps its lease. The future must not wait for other work of the
    /// server. `keeper` gets what takes answers, and returns what puts questions.
    ///
    /// # Errors
    /// Those of `keeper`.
    pub fn of(
        joining: Joining,
        config: &ClusterConfig,
        clock: &ServerClock,
        keeper: impl FnOnce(Answered) -> io::Result<Ask>,
    ) -> io::Result<(Self, BoxFuture<'static, ()>)> {
        let Joining { node, life, .. } = joining;
        let (messages, inbox) = unbounded_channel();
        let (reports, owners) = (Reports(messages.clone()), Arc::new(Owners::new(node)));
        let (still, (stop, stopped)) = (Arc::<StillTimes>::default(), watch::channel(None));
        let answers = reports.clone();
        let ask = keeper(Box::new(move |answer| {
            answers.tell(Input::Answered(answer))
        }))?;
        let version = env!("CARGO_PKG_VERSION").parse();
        let shell = Shell {
            identity: Identity {
                node,
                release: version.unwrap_or_default(),
                reads_form: tilewire_databases::postgres::READS_FORM,
            },
            bounds: Bounds::from(config),
            clock: clock.clone(),
            inbox,
            reports,
            ask,
            owners: Arc::clone(&owners),
            still: Arc::clone(&still),
            writer: joining.writer,
            terms: joining.terms,
            runtime: Handle::current(),
            renewed_at: clock.now(),
            asked_at: clock.now(),
            read: None,
        };
        let member = Self {
            messages,
            node,
            life,
            owners,
            still,
            stopped,
        };
        let machine = async move {
            let reason = shell.run().await;
            stop.send_replace(reason);
        };
        Ok((member, machine.boxed()))
    }

    /// Returns the number of the node, and what tells this life of it from others.
    #[must_use]
    pub const fn identity(&self) -> (NodeId, Incarnation) {
        (self.node, self.life)
    }

    /// Returns the handle that makes the node read the tables.
    #[must_use]
    pub fn hints(&self) -> Hints {
        Hints(self.messages.clone())
    }

    /// Returns which node has which part.
    #[must_use]
    pub const fn owners(&self) -> &Arc<Owners> {
        &self.owners
    }

    /// Returns how long the games of each shard have stood still.
    #[must_use]
    pub const fn still_times(&self) -> &Arc<StillTimes> {
        &self.still
    }

    /// Takes parts from now on.
    pub fn serve(&self, serving: Serving) {
        // Without the machine, `stopped` says so.
        self.messages.send(Message::Serve(Box::new(serving))).ok();
    }

    /// Gives all parts to other nodes, and leaves.
    pub fn drain(&self) {
        self.messages.send(Message::Input(Input::Drain)).ok();
    }

    /// Waits until this node has left, or its lease was taken.
    pub async fn stopped(&self) -> StopReason {
        let mut stopped = self.stopped.clone();
        let reason = stopped.wait_for(Option::is_some).await;
        // A machine that has failed renews no lease.
        reason
            .ok()
            .and_then(|reason| *reason)
            .unwrap_or(StopReason::Fenced)
    }
}

/// The initial state of a node.
struct Started {
    serving: Serving,
    /// Whether it shall stop already.
    is_draining: bool,
    last: LastRenewal,
}

/// The state of the machine's task.
struct Shell {
    identity: Identity,
    bounds: Bounds,
    clock: ServerClock,
    inbox: UnboundedReceiver<Message>,
    reports: Reports,
    ask: Ask,
    owners: Arc<Owners>,
    still: Arc<StillTimes>,
    writer: Arc<dyn GameWriter>,
    terms: Arc<Terms>,
    runtime: Handle,
    /// When the lease was last renewed.
    renewed_at: Timestamp,
    /// When the last renewal was asked for.
    asked_at: Timestamp,
    read: Option<Reading>,
}

impl Shell {
    /// Runs until the node has stopped; returns `None` if the receiver has gone.
    async fn run(mut self) -> Option<StopReason> {
        let Started {
            serving,
            is_draining,
            last,
        } = match self.start_up().await {
            Ok(started) => started,
            Err(reason) => return reason,
        };
        let tools = Arc::new(Tools {
            directory: serving.directory,
            lobby: serving.lobby,
            writer: Arc::clone(&self.writer),
            terms: Arc::clone(&self.terms),
            still: Arc::clone(&self.still),
            owners: Arc::clone(&self.owners),
            clock: self.clock.clone(),
            reports: self.reports.clone(),
            turn: Mutex::default(),
        });
        let mut parts = PartTasks::new(Arc::clone(&tools), self.runtime.clone());
        let mut node = Node::new(self.identity, self.bounds, (self.clock.now(), last));
        let mut input = match is_draining {
            true => Input::Drain,
            false => Input::Tick,
        };
        loop {
            let is_settled = matches!(&input, Input::Answered(Ok(ClusterDone::Settled)));
            let has_moved = matches!(
                &input,
                Input::Answered(Ok(ClusterDone::Given(true)
                    | ClusterDone::Taken(_)
                    | ClusterDone::Left))
            );
            self.note(&input);
            let now = self.clock.now();
            let effects = node.handle(now, input);
            if effects.iter().any(is_renewal) {
                self.asked_at = now;
            }
            if has_moved {
                serving.on_change.0();
            }
            let view = node.view();
            if let Some(reason) = self.carry_out(effects, (&mut parts, view), &serving.on_cut_off) {
                return Some(reason);
            }
            if let Some(view) = view {
                self.owners.note(view);
            }
            if self.owners.set_apart(node.has_no_use()) {
                tracing::error!("this server has given everything away: clients shall leave it");
                serving.on_cut_off.0();
            }
            if is_settled {
                let tools = Arc::clone(&tools);
                self.runtime
                    .spawn(async move { tools.read_still_times().await });
            }
            input = self.next(&node).await?;
        }
    }

    /// Keeps the lease until the server can serve. Meanwhile others give it nothing, and do not wait for it to take parts.
    async fn start_up(&mut self) -> Result<Started, Option<StopReason>> {
        let (mut serving, mut is_draining, mut is_asked) = (None, false, false);
        let mut last = LastRenewal::None;
        let mut renew_at = self.clock.now();
        loop {
            let is_due = self.clock.now() >= renew_at;
            if !is_asked && is_due {
                (self.ask)(ClusterChange::Renew {
                    is_draining: true,
                    last,
                });
                (is_asked, renew_at) = (true, self.clock.now() + self.bounds.renew_ms);
            }
            // An answer to this question must not be taken for one to the machine's.
            if !is_asked && let Some(serving) = serving.take() {
                return Ok(Started {
                    serving,
                    is_draining,
                    last,
                });
            }
            let wait = self.clock.until(renew_at).max(Duration::from_millis(1));
            match timeout(wait, self.inbox.recv()).await {
                Ok(Some(Message::Serve(found))) => serving = Some(*found),
                Ok(Some(Message::Input(Input::Answered(answer)))) => {
                    is_asked = false;
                    match answer {
                        Err(ClusterError::Fenced) => return Err(Some(StopReason::Fenced)),
                        Ok(ClusterDone::Renewed(view)) => last = LastRenewal::At(view.now),
                        _ => {}
                    }
                }
                Ok(Some(Message::Input(Input::Drain))) => is_draining = true,
                Ok(Some(Message::Input(_))) | Err(_) => {}
                Ok(None) => return Err(None),
            }
        }
    }

    /// Waits for the next input; `None` when there is none any more.
    async fn next(&mut self, node: &Node) -> Option<Input> {
        let wait = self.clock.until(node.wakes_at());
        match timeout(wait, self.inbox.recv()).await {
            Ok(Some(Message::Input(input))) => Some(input),
            Ok(Some(Message::Serve(_))) | Err(_) => Some(Input::Tick),
            Ok(None) => None,
        }
    }

    /// Notes what the answers say about time.
    fn note(&mut self, input: &Input) {
        let Input::Answered(Ok(ClusterDone::Renewed(ClusterView { now: at, .. }))) = input else {
            return;
        };
        let now = self.clock.now();
        if now - self.renewed_at >= self.bounds.lease_ms / 2 {
            let late_ms = (now - self.renewed_at).0;
            metrics::renewed_late();
            tracing::warn!(late_ms, "the lease of this server was renewed late");
        }
        self.renewed_at = now;
        self.read = Some(Reading {
            at: *at,
            asked_at: self.asked_at,
            answered_at: now,
        });
    }

    /// Carries effects out; returns why the node has ended, if it has.
    fn carry_out(
        &self,
        effects: Vec<Effect>,
        (parts, view): (&mut PartTasks, Option<&ClusterView>),
        on_cut_off: &Callback,
    ) -> Option<StopReason> {
        let mut loads = Vec::new();
        for effect in effects {
            match effect {
                Effect::Ask(change) => self.ask(change, parts),
                Effect::Load { part, term, since } => loads.push(ToLoad {
                    part,
                    term,
                    since: since.map(|since| self.here(since)),
                }),
                Effect::Pause(part, _) => parts.pause(part),
                Effect::Resume(part, _) => {
                    tracing::info!(
                        part = part.number(),
                        "a part stays here: it could not be given away"
                    );
                    parts.resume(part);
                }
                Effect::Drop(part, term) => self.forget(parts, (part, term), view),
                Effect::CutOff => {
                    metrics::cut_off();
                    tracing::error!(
                        "the database does not answer: this server has dropped its games until it does"
                    );
                    self.owners.cut_off();
                    parts.forget_all();
                    on_cut_off.0();
                }
                Effect::Stop(reason) => {
                    parts.forget_all();
                    metrics::parts(0, false);
                    return Some(reason);
                }
            }
        }
        if !loads.is_empty() {
            metrics::parts_taken(loads.len());
            tracing::info!(parts = loads.len(), "this server has got parts");
            parts.load(&loads);
        }
        parts.show();
        None
    }

    fn forget(
        &self,
        parts: &mut PartTasks,
        (part, term): (Part, Term),
        view: Option<&ClusterView>,
    ) {
        parts.forget(part);
        let mut rows = view.into_iter().flat_map(|view| &view.parts);
        let owner = rows.find(|row| row.part == part).and_then(|row| row.owner);
        let owner = owner.map(|NodeId(owner)| owner);
        metrics::part_left();
        tracing::info!(
            part = part.number(),
            term = term.0,
            owner,
            "a part has gone to another server"
        );
    }

    /// Puts a question. A part that stands still for longer than the machine knows gets all of the time back.
    fn ask(&self, change: ClusterChange, parts: &PartTasks) {
        match change {
            ClusterChange::Give {
                part,
                term,
                to,
                since,
            } => {
                let since = self.earlier(since, parts.still_since(part));
                let lease_ms = self.bounds.lease_ms.0;
                self.give(Arc::new(Give::new((part, term), to, since, lease_ms)));
            }
            ClusterChange::Leave(since) => {
                let since = self.earlier(since, parts.first_still_since());
                (self.ask)(ClusterChange::Leave(since));
            }
            change => (self.ask)(change),
        }
    }

    /// Gives a part away, through the connection that writes the games.
    fn give(&self, give: Arc<Give>) {
        let (writer, reports) = (Arc::clone(&self.writer), self.reports.clone());
        let patience = self.bounds.renew_ms;
        self.runtime.spawn(async move {
            let answer = given(&*writer, give, patience).await;
            reports.tell(Input::Answered(answer));
        });
    }

    /// Returns a moment of the database on this node's clock.
    fn here(&self, at: DatabaseTime) -> Timestamp {
        let now = self.clock.now();
        self.read.map_or(now, |read| read.here(at)).min(now)
    }

    /// Returns the earlier one of a moment of the database and one on this node's clock.
    fn earlier(&self, at: DatabaseTime, other: Option<Timestamp>) -> DatabaseTime {
        let there = |other: Timestamp| Some(self.read?.there(other));
        other.and_then(there).map_or(at, |other| at.min(other))
    }
}

fn is_renewal(effect: &Effect) -> bool {
    matches!(effect, Effect::Ask(ClusterChange::Renew { .. }))
}
