//! The task that measures the load and sets the level.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Machine, Overload, Pressure};
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;

/// The fill levels of the shared queues, percent.
#[derive(Debug, Clone, Copy)]
pub struct Fullness {
    /// Changes that wait for the disk.
    pub journal: u32,
    /// Requests that wait for the lobby.
    pub lobby: u32,
}

/// Measures until `stop`.
///
/// The lag is how much later this task runs than it asked to. It waits for the same threads as all others, so a game's
/// task is as late.
pub async fn watch(
    overload: Arc<Overload>,
    clock: ServerClock,
    fullness: impl Fn() -> Fullness,
    stop: CancellationToken,
) {
    let settings = &overload.settings;
    let mut machine = Machine::new(settings);
    let pause = settings.measure_every_ms.to_duration();
    // The first measurement counts for the time from here on.
    machine.take(clock.now(), Pressure::default());
    metrics::overload_level(machine.level().number());
    loop {
        let due = clock.now() + settings.measure_every_ms;
        let slept = stop.run_until_cancelled(tokio::time::sleep(pause)).await;
        if slept.is_none() {
            return;
        }
        let now = clock.now();
        let Fullness { journal, lobby } = fullness();
        let pressure = Pressure::of(settings, now - due, journal, lobby);
        metrics::pressure(pressure.lag, pressure.journal, pressure.lobby);
        let before = machine.level();
        let level = machine.take(now, pressure);
        if level != before {
            overload.set(level);
            metrics::overload_level(level.number());
            tracing::warn!(
                left_out = level.name(),
                before = before.name(),
                lag_ms = (now - due).0,
                journal_percent = journal,
                lobby_percent = lobby,
                "the level of load shedding has changed"
            );
        }
    }
}
