//! The task of the relay: it reads the bus, passes on what the channels say, and publishes.

use std::sync::Arc;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::Exchange;
use crate::bus::Inbox;
use crate::{Batch, Input};
use tilewire_base::metrics;
use tilewire_game::Placement;

/// Interval at which links and waiting requests are looked at.
const TICK: Duration = Duration::from_millis(25);
/// Further batches that are read before anything is published.
const TOGETHER: usize = 63;
/// Shortest time between two lines of the log about batches that were refused.
const LOG_EVERY_MS: Millis = Millis(10_000);

impl Exchange {
    /// Relays until `stop`.
    pub async fn run(self: Arc<Self>, mut inbox: Inbox, stop: CancellationToken) {
        let mut changes = self.owners.changes();
        self.place();
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut refusals = Refusals::default();
        loop {
            tokio::select! {
                // In this order, the same seed of a simulation gives the same run. Ticks and changes are rare.
                biased;
                () = stop.cancelled() => return,
                _ = ticks.tick() => {
                    self.input(Input::Tick);
                    let (connections, channels) = self.lock().relay.counts();
                    metrics::relayed(connections, channels);
                }
                () = changed(&mut changes) => self.place(),
                batch = inbox.recv() => {
                    let Some(batch) = batch else {
                        tracing::error!("the connection to NATS has ended; this server relays nothing more");
                        return;
                    };
                    self.read(&batch, &mut refusals);
                    for _ in 0..TOGETHER {
                        let Ok(batch) = inbox.try_recv() else {
                            break;
                        };
                        self.read(&batch, &mut refusals);
                    }
                }
                () = self.waiting.changed() => {}
                () = self.work.notified() => {}
            }
            self.pass_on();
            self.publish();
            // Batches may come without end.
            tokio::task::yield_now().await;
        }
    }

    fn read(&self, batch: &Bytes, refusals: &mut Refusals) {
        let decoded = {
            let sealer = self.sealer.read().unwrap_or_else(PoisonError::into_inner);
            Batch::decode(&sealer, batch)
        };
        match decoded {
            Ok(decoded) => {
                metrics::batch_read(batch.len());
                self.input(Input::Batch(Box::new(decoded)));
            }
            Err(error) => {
                metrics::batch_refused();
                if refusals.may_log(self.clock.now()) {
                    tracing::warn!(%error, "a batch from the bus was refused");
                }
            }
        }
    }

    /// Passes on what the channels say.
    fn pass_on(&self) {
        for said in self.waiting.take() {
            self.input(said.into());
        }
    }

    /// Publishes what the other nodes are to hear.
    fn publish(&self) {
        let now = self.clock.now();
        let batches = self.lock().relay.flush(now);
        let sealer = self.sealer.read().unwrap_or_else(PoisonError::into_inner);
        for batch in batches {
            let bytes = batch.encode(&sealer);
            metrics::batch_sent(bytes.len());
            self.bus.publish(batch.head.to, bytes);
        }
    }
}

/// Waits until a part has another owner, as far as this node knows.
async fn changed(changes: &mut watch::Receiver<u64>) {
    if changes.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// When the log last told of a refused batch.
#[derive(Debug, Default)]
struct Refusals(Option<Timestamp>);

impl Refusals {
    fn may_log(&mut self, now: Timestamp) -> bool {
        let is_due = self.0.is_none_or(|last| now - last >= LOG_EVERY_MS);
        if is_due {
            self.0 = Some(now);
        }
        is_due
    }
}
