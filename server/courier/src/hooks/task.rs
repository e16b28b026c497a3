//! The task of deliveries: carries out what the machine decides.

use std::collections::HashMap;
use std::sync::Arc;

use tilewire_rules::time::{Millis, Timestamp};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::machine::{Bounds, Deliveries, Effect, Entry, Input, Outcome};
use super::post::Receiver;
use crate::work;
use crate::work::{Shell, known};
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_config::{HookEvent, WebhooksConfig};
use tilewire_store::{HookFate, HookKey, HookStore, StoreError, StoredHook};

/// The name of the items that wait for the storage, in the log.
const WAITING: &str = "webhooks";

/// The services that deliveries use.
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

/// The result of a piece of work.
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
    let task = Task {
        deliveries: Deliveries::new(bounds, office.receivers.len()),
        office,
        held: HashMap::new(),
        work: JoinSet::new(),
    };
    work::run(task, stop).await;
}

impl Shell for Task {
    type Report = Report;

    fn work(&mut self) -> &mut JoinSet<Report> {
        &mut self.work
    }

    fn wakes_in(&self) -> Millis {
        self.deliveries.wakes_at() - self.office.clock.now()
    }

    fn tick(&mut self) {
        self.handle(Input::Tick);
    }

    fn stop(&mut self) {
        self.handle(Input::Stop);
    }

    fn tend(&mut self) {
        let Office {
            store,
            clock,
            config,
            ..
        } = self.office.clone();
        self.work.spawn(async move {
            let now = clock.now();
            known(
                WAITING,
                store.prune_hooks(now - config.kept_ms, config.kept).await,
            );
            if let Some(counts) = known(WAITING, store.hook_counts(now).await) {
                let waiting = counts.iter().map(|count| count.waiting).sum();
                let failed = counts.iter().map(|count| count.failed).sum();
                let oldest = counts.iter().filter_map(|count| count.oldest).min();
                let age = oldest.map_or(Millis::ZERO, |oldest| now - oldest);
                metrics::hooks_stored(waiting, failed, age.to_duration());
            }
            Report::Tended
        });
    }

    fn report(&mut self, report: Report) {
        let input = match report {
            Report::Due(number, found) => {
                let found = known(WAITING, found).map(|hooks| self.hold(hooks));
                Input::Due(number, found)
            }
            Report::Ended(number, key, outcome) => Input::Ended(number, key, outcome),
            Report::Settled(number, key, settled) => {
                known(WAITING, settled);
                Input::Settled(number, key)
            }
            Report::Tended => return,
        };
        self.handle(input);
    }
}

impl Task {
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
                Err(failure) => {
                    let (hook, stage) = (&receiver.name, failure.stage);
                    metrics::hook_failure(stage);
                    tracing::warn!(
                        hook,
                        stage,
                        reason = failure.reason,
                        event = id,
                        "an event was not delivered"
                    );
                    Outcome::Failed(failure.retry_after_ms)
                }
            };
            let took = Millis(clock.now().since(started).max(0));
            metrics::hook_delivery(took.to_duration());
            Report::Ended(number, key, outcome)
        });
    }
}
