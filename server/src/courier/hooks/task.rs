//! The task of deliveries: carries out what the machine decides.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tilewire_rules::time::{Millis, Timestamp};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::machine::{Bounds, Deliveries, Effect, Entry, Input, Outcome};
use super::post::Receiver;
use crate::clock::ServerClock;
use crate::config::{HookEvent, WebhooksConfig};
use crate::crash_points::{Point, reached};
use crate::metrics;
use crate::storage::{HookFate, HookKey, HookStore, StoreError, StoredHook};

/// The longest sleep, so that the task sees a clock that was set.
const SLEEP_MOST: Duration = Duration::from_secs(1);
/// How often the outbox is counted and pruned.
const TEND_EVERY: Duration = Duration::from_secs(60);
/// The time for events that are being sent when the server stops.
const GOODBYE: Duration = Duration::from_secs(3);

/// What deliveries use.
#[derive(Debug, Clone)]
pub(super) struct Office {
    /// The outbox.
    pub(super) store: Arc<dyn HookStore>,
    /// The webhooks, by number.
    pub(super) receivers: Vec<Arc<Receiver>>,
    /// Server time.
    pub(super) clock: ServerClock,
    /// The bounds.
    pub(super) config: Arc<WebhooksConfig>,
}

/// What a piece of work has found.
enum Report {
    Due(usize, Result<Vec<StoredHook>, StoreError>),
    Ended(usize, HookKey, Outcome),
    Settled(usize, HookKey, Result<(), StoreError>),
    Tended,
}

struct Task {
    office: Office,
    deliveries: Deliveries,
    held: HashMap<HookKey, StoredHook>,
    work: JoinSet<Report>,
}

/// Delivers events until `stop`.
pub(super) async fn run(office: Office, stop: CancellationToken) {
    let config = &office.config;
    let bounds = Bounds {
        window: config.window,
        connections: config.connections,
        retry_ms: config.retry_ms,
        retry_max_ms: config.retry_max_ms,
    };
    let mut task = Task {
        deliveries: Deliveries::new(bounds, office.receivers.len()),
        office,
        held: HashMap::new(),
        work: JoinSet::new(),
    };
    let mut tending = tokio::time::interval(TEND_EVERY);
    loop {
        task.handle(Input::Tick);
        let now = task.office.clock.now();
        let sleep = Millis(task.deliveries.wakes_at().since(now).max(1));
        let sleep = sleep.to_duration().min(SLEEP_MOST);
        tokio::select! {
            () = stop.cancelled() => break,
            _ = tending.tick() => task.tend(),
            Some(done) = task.work.join_next() => task.done(done),
            () = tokio::time::sleep(sleep) => {}
        }
    }
    // What is being sent may end; nothing new begins.
    task.handle(Input::Stop);
    let finish = async {
        while let Some(done) = task.work.join_next().await {
            task.done(done);
        }
    };
    tokio::time::timeout(GOODBYE, finish).await.ok();
}

impl Task {
    fn done(&mut self, done: Result<Report, tokio::task::JoinError>) {
        match done {
            Ok(report) => self.report(report),
            // The event stays in the outbox; after a restart it is sent.
            Err(error) => tracing::error!(%error, "a part of the courier has failed"),
        }
    }

    fn report(&mut self, report: Report) {
        let input = match report {
            Report::Due(number, found) => {
                let found = known(found).map(|hooks| self.hold(hooks));
                Input::Due(number, found)
            }
            Report::Ended(number, key, outcome) => Input::Ended(number, key, outcome),
            Report::Settled(number, key, settled) => {
                known(settled);
                Input::Settled(number, key)
            }
            Report::Tended => return,
        };
        self.handle(input);
    }

    /// Keeps events that are not in work yet; returns what the machine needs of all.
    fn hold(&mut self, hooks: Vec<StoredHook>) -> Vec<Entry> {
        let entry = |stored: StoredHook| {
            let entry = Entry {
                key: stored.key.clone(),
                until: stored.until,
                tries: stored.tries,
            };
            self.held.entry(stored.key.clone()).or_insert(stored);
            entry
        };
        hooks.into_iter().map(entry).collect()
    }

    fn handle(&mut self, input: Input) {
        let now = self.office.clock.now();
        for effect in self.deliveries.handle(now, input) {
            self.carry_out(now, effect);
        }
        // The machine has let go of some.
        let deliveries = &self.deliveries;
        self.held.retain(|key, _| deliveries.holds(key));
    }

    fn carry_out(&mut self, now: Timestamp, effect: Effect) {
        let store = Arc::clone(&self.office.store);
        match effect {
            Effect::Read(number, most) => {
                let Some(receiver) = self.office.receivers.get(number).map(Arc::clone) else {
                    return;
                };
                self.work.spawn(async move {
                    Report::Due(number, store.hooks_due(&receiver.name, now, most).await)
                });
            }
            Effect::Send(number, key) => self.send(number, key),
            Effect::Settle(number, key, fate) => {
                if let HookFate::Failed(_) = fate {
                    metrics::hooks_failed("given_up", 1);
                    tracing::warn!(
                        hook = key.target,
                        event = key.id(),
                        "an event has failed; webhooks replay sends it again"
                    );
                }
                self.work.spawn(async move {
                    let settled = store.settle_hook(key.clone(), fate).await;
                    Report::Settled(number, key, settled)
                });
            }
        }
    }

    fn send(&mut self, number: usize, key: HookKey) {
        let held = self.held.get(&key).cloned();
        let receiver = self.office.receivers.get(number).map(Arc::clone);
        let (Some(stored), Some(receiver)) = (held, receiver) else {
            // It was read, so there is one. Without it the event is due again.
            self.work
                .spawn(async move { Report::Ended(number, key, Outcome::Failed(None)) });
            return;
        };
        let clock = self.office.clock.clone();
        self.work.spawn(async move {
            reached(Point::BeforeHook);
            let (id, started) = (key.id(), clock.now());
            let outcome = match receiver.post(&id, started, stored.content).await {
                Ok(()) => {
                    reached(Point::AfterHook);
                    // A kind of another version of the server has no counter.
                    if let Ok(kind) = stored.kind.parse::<HookEvent>() {
                        metrics::hook_delivered(kind.name());
                    }
                    Outcome::Delivered
                }
                Err(fault) => {
                    let (hook, stage) = (&receiver.name, fault.stage.name());
                    metrics::hook_failure(stage);
                    tracing::warn!(
                        hook,
                        stage,
                        reason = fault.reason,
                        event = id,
                        "an event was not delivered"
                    );
                    Outcome::Failed(fault.retry_after_ms)
                }
            };
            let took = Millis(clock.now().since(started).max(0));
            metrics::hook_delivery(took.to_duration());
            Report::Ended(number, key, outcome)
        });
    }

    /// Counts the events, and removes those that are kept no longer.
    fn tend(&mut self) {
        let Office {
            store,
            clock,
            config,
            ..
        } = self.office.clone();
        self.work.spawn(async move {
            let now = clock.now();
            known(store.prune_hooks(now - config.kept_ms, config.kept).await);
            if let Some(counts) = known(store.hook_counts(now).await) {
                let waiting = counts.iter().map(|count| count.waiting).sum();
                let failed = counts.iter().map(|count| count.failed).sum();
                let oldest = counts.iter().filter_map(|count| count.oldest).min();
                let age = oldest.map_or(Millis::ZERO, |oldest| now - oldest);
                metrics::hooks_stored(waiting, failed, age.to_duration());
            }
            Report::Tended
        });
    }
}

/// Returns what the storage has answered, if it has.
fn known<T>(answer: Result<T, StoreError>) -> Option<T> {
    answer
        .inspect_err(|error| tracing::warn!(%error, "webhooks wait for the storage"))
        .ok()
}
