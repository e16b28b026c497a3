//! The tasks of the process that serve all games, and the signals that end them.

use std::future::Future;
use std::process;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Exit code after a second signal to stop.
const EXIT_IMPATIENT: i32 = 130;

/// Tasks that end before the process does, or with the lobby of this server. Clones are the same tasks.
#[derive(Debug, Clone, Default)]
pub struct Tasks {
    /// Counts the tasks, so that the end of the process can wait for them.
    pub tracker: TaskTracker,
    /// Told when the process ends.
    pub stop: CancellationToken,
}

impl Tasks {
    /// Runs a task that ends when it is told to stop.
    pub fn spawn_until_stop<F: Future<Output = ()> + Send + 'static>(
        &self,
        task: impl FnOnce(CancellationToken) -> F,
    ) {
        self.tracker.spawn(task(self.stop.clone()));
    }

    /// Runs a task immediately, and then periodically until the end.
    pub fn every<F: Future<Output = ()> + Send + 'static>(
        &self,
        period: Duration,
        mut task: impl FnMut() -> F + Send + 'static,
    ) {
        let stop = self.stop.clone();
        self.tracker.spawn(async move {
            let mut ticks = tokio::time::interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = ticks.tick() => task().await,
                    () = stop.cancelled() => break,
                }
            }
        });
    }

    /// Ends the process at a second signal to stop.
    pub fn exit_on(&self, mut signals: Signals) {
        let stop = self.stop.clone();
        self.tracker.spawn(async move {
            tokio::select! {
                () = signals.next() => {
                    tracing::warn!("second signal to stop: the process ends now");
                    process::exit(EXIT_IMPATIENT);
                }
                () = stop.cancelled() => {}
            }
        });
    }

    /// Stops all tasks and waits for them.
    pub async fn finish(&self) {
        self.stop.cancel();
        self.tracker.close();
        self.tracker.wait().await;
    }
}

/// The signals to stop.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Listens for the signals from now on.
    ///
    /// # Errors
    ///
    /// The system does not let the process wait for signals.
    pub fn new() -> anyhow::Result<Self> {
        let of = |kind| signal(kind).context("cannot wait for signals");
        Ok(Self {
            terminate: of(SignalKind::terminate())?,
            interrupt: of(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
