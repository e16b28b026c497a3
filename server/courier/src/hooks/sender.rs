//! Events in the outbox: reads, delivers and settles them.

use std::sync::Arc;

use tilewire_rules::time::{Millis, Timestamp};

use super::machine::{Bounds, Outcome};
use super::post::Receiver;
use crate::outbox::{Entry, Looked, Reason, Service, known};
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_config::{HookEvent, WebhooksConfig};
use tilewire_store::{HookFate, HookKey, OutboxStore, StoreError, StoredHook};

/// Delivers events.
#[derive(Debug)]
pub(super) struct HookSender {
    /// The outbox.
    pub(super) store: Arc<dyn OutboxStore>,
    /// The webhooks. Each has a queue of its number.
    pub(super) receivers: Vec<Receiver>,
    /// Server time.
    pub(super) clock: ServerClock,
    /// The bounds.
    pub(super) config: Arc<WebhooksConfig>,
}

impl Service for HookSender {
    type Channel = Bounds;
    type Stored = StoredHook;
    type Content = ();

    const WAITING: &'static str = "webhooks";

    fn clock(&self) -> &ServerClock {
        &self.clock
    }

    fn entry(&self, stored: &StoredHook) -> Entry<Bounds> {
        Entry {
            key: stored.key.clone(),
            destination: (),
            kind: (),
            at: Timestamp::MIN,
            until: stored.until,
            tries: stored.tries,
            unknown: 0,
        }
    }

    async fn due(
        &self,
        queue: usize,
        now: Timestamp,
        most: usize,
        _without: Vec<()>,
    ) -> Result<Vec<StoredHook>, StoreError> {
        match self.receivers.get(queue) {
            Some(receiver) => self.store.hooks_due(&receiver.name, now, most).await,
            None => Ok(Vec::new()),
        }
    }

    /// An event stays true.
    async fn look(&self, _stored: StoredHook) -> Looked<Self> {
        Ok(((), None))
    }

    /// An event is sent until it is delivered: nothing is counted.
    async fn begin(&self, _key: &HookKey) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn send(&self, queue: usize, stored: StoredHook, _content: Option<()>) -> Outcome {
        let Some(receiver) = self.receivers.get(queue) else {
            return Outcome::Failed(None);
        };
        reached(Point::BeforeHook);
        let (id, started) = (stored.key.id(), self.clock.now());
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
        let took = Millis(self.clock.now().since(started).max(0));
        metrics::hook_delivery(took.to_duration());
        outcome
    }

    async fn settle(&self, stored: StoredHook, fate: HookFate) -> Result<(), StoreError> {
        let key = stored.key;
        if let HookFate::Failed(_) = fate {
            metrics::hooks_failed("given_up", 1);
            tracing::warn!(
                hook = key.target,
                event = key.id(),
                "an event has failed; webhooks replay sends it again"
            );
        }
        self.store.settle_hook(key, fate).await
    }

    fn dropped(&self, (): (), _reason: Reason) {}

    async fn tend(&self) {
        let now = self.clock.now();
        let (kept_ms, kept) = (self.config.kept_ms, self.config.kept);
        known::<Self, _>(self.store.prune_hooks(now - kept_ms, kept).await);
        if let Some(counts) = known::<Self, _>(self.store.hook_counts(now).await) {
            let waiting = counts.iter().map(|count| count.waiting).sum();
            let failed = counts.iter().map(|count| count.failed).sum();
            let oldest = counts.iter().filter_map(|count| count.oldest).min();
            let age = oldest.map_or(Millis::ZERO, |oldest| now - oldest);
            metrics::hooks_stored(waiting, failed, age.to_duration());
        }
    }
}
