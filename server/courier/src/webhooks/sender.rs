//! Events in the outbox: reads, delivers and settles them.

use std::sync::Arc;

use tilewire_rules::time::{Millis, Timestamp};

use super::machine::{Bounds, Outcome};
use super::post::Receiver;
use crate::outbox::{Entry, Looked, Reason, Service, known};
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_config::{WebhookEvent, WebhooksConfig};
use tilewire_store::{OutboxStore, StoreError, StoredWebhook, WebhookFate, WebhookKey};

/// Delivers events.
#[derive(Debug)]
pub(super) struct WebhookSender {
    /// The outbox.
    pub(super) store: Arc<dyn OutboxStore>,
    /// The webhooks. Each has a queue of its number.
    pub(super) receivers: Vec<Receiver>,
    /// Server time.
    pub(super) clock: ServerClock,
    /// The bounds.
    pub(super) config: Arc<WebhooksConfig>,
}

impl Service for WebhookSender {
    type Channel = Bounds;
    type Stored = StoredWebhook;
    type Content = ();

    const WAITING: &'static str = "webhooks";

    fn clock(&self) -> &ServerClock {
        &self.clock
    }

    fn entry(&self, stored: &StoredWebhook) -> Entry<Bounds> {
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
    ) -> Result<Vec<StoredWebhook>, StoreError> {
        match self.receivers.get(queue) {
            Some(receiver) => self.store.webhooks_due(&receiver.name, now, most).await,
            None => Ok(Vec::new()),
        }
    }

    /// An event stays true.
    async fn look(&self, _stored: StoredWebhook) -> Looked<Self> {
        Ok(((), None))
    }

    /// An event is sent until it is delivered: nothing is counted.
    async fn begin(&self, _key: &WebhookKey) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn send(&self, queue: usize, stored: StoredWebhook, _content: Option<()>) -> Outcome {
        let Some(receiver) = self.receivers.get(queue) else {
            return Outcome::Failed(None);
        };
        reached(Point::BeforeWebhook);
        let (id, started) = (stored.key.id(), self.clock.now());
        let outcome = match receiver.post(&id, started, stored.content).await {
            Ok(()) => {
                reached(Point::AfterWebhook);
                // A kind of another version of the server has no counter.
                if let Ok(kind) = stored.kind.parse::<WebhookEvent>() {
                    metrics::webhook_delivered(kind.name());
                }
                Outcome::Delivered
            }
            Err(failure) => {
                let (webhook, stage) = (&receiver.name, failure.stage);
                metrics::webhook_failure(stage);
                tracing::warn!(
                    webhook,
                    stage,
                    reason = failure.reason,
                    event = id,
                    "an event was not delivered"
                );
                Outcome::Failed(failure.retry_after_ms)
            }
        };
        let took = Millis(self.clock.now().since(started).max(0));
        metrics::webhook_delivery(took.to_duration());
        outcome
    }

    async fn settle(&self, stored: StoredWebhook, fate: WebhookFate) -> Result<(), StoreError> {
        let key = stored.key;
        if let WebhookFate::Failed(_) = fate {
            metrics::webhooks_failed("given_up", 1);
            tracing::warn!(
                webhook = key.target,
                event = key.id(),
                "an event has failed; webhooks replay sends it again"
            );
        }
        self.store.settle_webhook(key, fate).await
    }

    fn dropped(&self, (): (), _reason: Reason) {}

    async fn tend(&self) {
        let now = self.clock.now();
        let (kept_ms, kept) = (self.config.kept_ms, self.config.kept);
        known::<Self, _>(self.store.prune_webhooks(now - kept_ms, kept).await);
        if let Some(counts) = known::<Self, _>(self.store.webhook_counts(now).await) {
            let waiting = counts.iter().map(|count| count.waiting).sum();
            let failed = counts.iter().map(|count| count.failed).sum();
            let oldest = counts.iter().filter_map(|count| count.oldest).min();
            let age = oldest.map_or(Millis::ZERO, |oldest| now - oldest);
            metrics::webhooks_stored(waiting, failed, age.to_duration());
        }
    }
}
