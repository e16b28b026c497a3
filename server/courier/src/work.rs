//! The loop of a courier: the machine decides, its shell begins the work, and reports come back when a piece is done.

use std::time::Duration;

use tilewire_rules::time::Millis;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use tilewire_store::StoreError;

/// The longest sleep, so that the task sees a clock that was set.
const SLEEP_MOST: Duration = Duration::from_secs(1);
/// How often the storage is tended.
const TEND_EVERY: Duration = Duration::from_secs(60);
/// The time limit for sends that are in flight when the server stops.
const GOODBYE: Duration = Duration::from_secs(3);

/// A machine with the work that it has begun.
pub(super) trait Shell {
    /// The result of a piece of work.
    type Report: Send + 'static;

    /// Returns the work in progress.
    fn work(&mut self) -> &mut JoinSet<Self::Report>;
    /// Returns the time until the machine wants to be told that time has passed.
    fn wakes_in(&self) -> Millis;
    /// Tells the machine that time has passed.
    fn tick(&mut self);
    /// Tells the machine that nothing new begins.
    fn stop(&mut self);
    /// Begins to count what is stored, and to remove what is kept no longer.
    fn tend(&mut self);
    /// Tells the machine the result of a piece of work.
    fn report(&mut self, report: Self::Report);
}

/// Runs a courier until `stop`. Then sends that are in flight may finish.
pub(super) async fn run(mut shell: impl Shell, stop: CancellationToken) {
    let mut tending = tokio::time::interval(TEND_EVERY);
    loop {
        shell.tick();
        let sleep = shell.wakes_in().max(Millis(1));
        let sleep = sleep.to_duration().min(SLEEP_MOST);
        // Always in this order, so that the same seed of a simulation gives the same run.
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(done) = shell.work().join_next() => finish(&mut shell, done),
            _ = tending.tick() => shell.tend(),
            () = tokio::time::sleep(sleep) => {}
        }
    }
    shell.stop();
    let rest = async {
        while let Some(done) = shell.work().join_next().await {
            finish(&mut shell, done);
        }
    };
    tokio::time::timeout(GOODBYE, rest).await.ok();
}

fn finish<S: Shell>(shell: &mut S, done: Result<S::Report, JoinError>) {
    match done {
        Ok(report) => shell.report(report),
        // The server sends the item after a restart.
        Err(error) => {
            tracing::error!(%error, "a delivery task panicked; its item stays in the outbox");
        }
    }
}

/// Returns the storage's answer, or logs the error. `waiting` names the items that wait.
pub(super) fn known<T>(waiting: &'static str, answer: Result<T, StoreError>) -> Option<T> {
    answer
        .inspect_err(|error| tracing::warn!(%error, "{waiting} wait for the storage"))
        .ok()
}
