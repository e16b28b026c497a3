//! The task of an outbox: the machine decides, its shell begins the work, and reports come back when a piece is done.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::channel::{Channel, Effect, Entry, Input, Reason};
use super::machine::Outbox;
use tilewire_base::clock::ServerClock;
use tilewire_store::StoreError;

/// The longest sleep, so that the task sees a clock that was set.
const SLEEP_MOST: Duration = Duration::from_secs(1);
/// How often the storage is tended.
const TEND_EVERY: Duration = Duration::from_secs(60);
/// The time limit for sends that are in flight when the server stops.
const GOODBYE: Duration = Duration::from_secs(3);

/// The storage and the senders of a channel. Its queues have numbers: letters and pushes have one, webhooks one each.
pub(crate) trait Service: Send + Sync + 'static {
    /// The decisions.
    type Channel: Channel;
    /// An item as it is stored.
    type Stored: Clone + Send + 'static;
    /// The content that a look makes.
    type Content: Send + 'static;

    /// The name of the items that wait for the storage, in the log.
    const WAITING: &'static str;

    /// Returns server time.
    fn clock(&self) -> &ServerClock;
    /// Returns the machine's record of an item.
    fn entry(&self, stored: &Self::Stored) -> Entry<Self::Channel>;
    /// Returns items of a queue that are due.
    fn due(
        &self,
        queue: usize,
        now: Timestamp,
        most: usize,
        without: Vec<DestinationOf<Self>>,
    ) -> impl Future<Output = Result<Vec<Self::Stored>, StoreError>> + Send;
    /// Looks at an item. Also returns its content if it can be sent.
    fn look(&self, stored: Self::Stored) -> impl Future<Output = Looked<Self>> + Send;
    /// Counts a sending. `false`: the item is gone.
    fn begin(&self, key: &KeyOf<Self>) -> impl Future<Output = Result<bool, StoreError>> + Send;
    /// Sends an item, with the content that a look has made.
    fn send(
        &self,
        queue: usize,
        stored: Self::Stored,
        content: Option<Self::Content>,
    ) -> impl Future<Output = OutcomeOf<Self>> + Send;
    /// Stores the fate of an item.
    fn settle(
        &self,
        stored: Self::Stored,
        fate: <Self::Channel as Channel>::Fate,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Reports that an item is not sent.
    fn dropped(&self, kind: <Self::Channel as Channel>::Kind, reason: Reason);
    /// Counts what is stored, and removes what is kept no longer.
    fn tend(&self) -> impl Future<Output = ()> + Send;
}

type KeyOf<S> = <<S as Service>::Channel as Channel>::Key;
type DestinationOf<S> = <<S as Service>::Channel as Channel>::Destination;
type FactsOf<S> = <<S as Service>::Channel as Channel>::Facts;
type OutcomeOf<S> = <<S as Service>::Channel as Channel>::Outcome;
/// The facts about an item, and its content if it can be sent.
pub(crate) type Looked<S> = Result<(FactsOf<S>, Option<<S as Service>::Content>), StoreError>;

/// The result of a piece of work for a queue.
enum Report<S: Service> {
    Due(Result<Vec<S::Stored>, StoreError>),
    Looked(KeyOf<S>, Looked<S>),
    Begun(KeyOf<S>, Result<bool, StoreError>),
    Ended(KeyOf<S>, OutcomeOf<S>),
    Settled(KeyOf<S>, Result<(), StoreError>),
    Tended,
}

/// An item in work.
struct InWork<S: Service> {
    stored: S::Stored,
    content: Option<S::Content>,
}

/// A queue with its items in work.
struct Queue<S: Service> {
    machine: Outbox<S::Channel>,
    held: BTreeMap<KeyOf<S>, InWork<S>>,
}

struct Task<S: Service> {
    service: Arc<S>,
    queues: Vec<Queue<S>>,
    work: JoinSet<(usize, Report<S>)>,
}

/// Sends the items of so many queues until `stop`. Then sends that are in flight may finish.
pub(crate) async fn run<S: Service>(
    service: S,
    (bounds, queues): (S::Channel, usize),
    stop: CancellationToken,
) {
    let queue = |_| Queue {
        machine: Outbox::new(bounds.clone()),
        held: BTreeMap::new(),
    };
    let mut task = Task {
        service: Arc::new(service),
        queues: (0..queues).map(queue).collect(),
        work: JoinSet::new(),
    };
    let mut tending = tokio::time::interval(TEND_EVERY);
    loop {
        task.tell_all(&Input::Tick);
        let sleep = task.wakes_in().max(Millis(1));
        let sleep = sleep.to_duration().min(SLEEP_MOST);
        // Always in this order, so that the same seed of a simulation gives the same run.
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(done) = task.work.join_next() => task.finish(done),
            _ = tending.tick() => task.tend(),
            () = tokio::time::sleep(sleep) => {}
        }
    }
    task.tell_all(&Input::Stop);
    let rest = async {
        while let Some(done) = task.work.join_next().await {
            task.finish(done);
        }
    };
    tokio::time::timeout(GOODBYE, rest).await.ok();
}

impl<S: Service> Task<S> {
    /// Returns the time until a machine wants to be told that time has passed.
    fn wakes_in(&self) -> Millis {
        let wakes = self.queues.iter().map(|queue| queue.machine.wakes_at());
        wakes.min().unwrap_or(Timestamp::MAX) - self.service.clock().now()
    }

    fn tell_all(&mut self, input: &Input<S::Channel>) {
        for number in 0..self.queues.len() {
            self.tell(number, input.clone());
        }
    }

    fn tend(&mut self) {
        let service = Arc::clone(&self.service);
        self.work.spawn(async move {
            service.tend().await;
            (0, Report::Tended)
        });
    }

    fn finish(&mut self, done: Result<(usize, Report<S>), JoinError>) {
        let (number, report) = match done {
            Ok(done) => done,
            Err(error) => {
                // The server sends the item after a restart.
                tracing::error!(%error, "a delivery task panicked; its item stays in the outbox");
                return;
            }
        };
        let Some(queue) = self.queues.get_mut(number) else {
            return;
        };
        let input = match report {
            Report::Due(found) => {
                Input::Due(known::<S, _>(found).map(|found| queue.hold(&*self.service, found)))
            }
            Report::Looked(key, looked) => {
                let looked = known::<S, _>(looked).map(|(look, content)| {
                    if let Some(held) = queue.held.get_mut(&key) {
                        held.content = content;
                    }
                    look
                });
                Input::Looked(key, looked)
            }
            Report::Begun(key, begun) => Input::Begun(key, known::<S, _>(begun).unwrap_or(false)),
            Report::Ended(key, outcome) => Input::Ended(key, outcome),
            Report::Settled(key, settled) => {
                known::<S, _>(settled);
                Input::Settled(key)
            }
            Report::Tended => return,
        };
        self.tell(number, input);
    }

    fn tell(&mut self, number: usize, input: Input<S::Channel>) {
        let Some(queue) = self.queues.get_mut(number) else {
            return;
        };
        let now = self.service.clock().now();
        for effect in queue.machine.handle(now, input) {
            let service = Arc::clone(&self.service);
            if let Some(work) = queue.begin(service, number, now, effect) {
                self.work.spawn(async move { (number, work.await) });
            }
        }
        // The machine has let go of some.
        let Queue { machine, held } = queue;
        held.retain(|key, _| machine.holds(key));
    }
}

impl<S: Service> Queue<S> {
    /// Keeps items that are not in work yet; returns the machine's record of each.
    fn hold(&mut self, service: &S, found: Vec<S::Stored>) -> Vec<Entry<S::Channel>> {
        let entry = |stored: S::Stored| {
            let entry = service.entry(&stored);
            let content = None;
            let held = InWork { stored, content };
            self.held.entry(entry.key.clone()).or_insert(held);
            entry
        };
        found.into_iter().map(entry).collect()
    }

    /// Begins to carry out an effect.
    fn begin(
        &mut self,
        service: Arc<S>,
        number: usize,
        now: Timestamp,
        effect: Effect<S::Channel>,
    ) -> Option<BoxFuture<'static, Report<S>>> {
        let stored = |key: &KeyOf<S>| self.held.get(key).map(|held| held.stored.clone());
        let work = match effect {
            Effect::Read { most, without } => {
                let due = async move { service.due(number, now, most, without).await };
                due.map(Report::Due).boxed()
            }
            Effect::Look(key) => {
                let stored = stored(&key)?;
                async move { Report::Looked(key, service.look(stored).await) }.boxed()
            }
            Effect::Begin(key) => {
                let begin = async move {
                    let begun = service.begin(&key).await;
                    Report::Begun(key, begun)
                };
                begin.boxed()
            }
            Effect::Send(key) => {
                let held = self.held.get_mut(&key)?;
                let (stored, content) = (held.stored.clone(), held.content.take());
                let send = async move { service.send(number, stored, content).await };
                send.map(|outcome| Report::Ended(key, outcome)).boxed()
            }
            Effect::Settle(key, fate) => {
                let stored = stored(&key)?;
                let settle = async move { service.settle(stored, fate).await };
                settle.map(|settled| Report::Settled(key, settled)).boxed()
            }
            Effect::Drop(kind, reason) => {
                service.dropped(kind, reason);
                return None;
            }
        };
        Some(work)
    }
}

/// Returns the storage's answer, or logs the error.
pub(crate) fn known<S: Service, T>(answer: Result<T, StoreError>) -> Option<T> {
    let waiting = S::WAITING;
    answer
        .inspect_err(|error| tracing::warn!(%error, "{waiting} wait for the storage"))
        .ok()
}
