//! Injected faults and their schedule.

use std::time::Duration;

use anyhow::Result;
use tokio::time::{Instant, sleep, sleep_until};

use crate::host;
use crate::profile;
use crate::stats::median;
use crate::testbed::{Shutdown, Testbed};

/// Time for all clients to reconnect after the server is ready again.
const BACK_WITHIN: Duration = Duration::from_secs(30);

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The server is killed and started again.
    Kill,
    /// The server is stopped gracefully and started again.
    Restart,
    /// The server process is stopped (SIGSTOP) for a while.
    Hold,
    /// All clients lose their connections at once.
    Storm,
}

/// The faults of a run, each with its own interval.
#[derive(Debug)]
pub(super) struct Faults {
    plan: Vec<Planned>,
    hold: Duration,
    done: u64,
    kills: u64,
    ready_ms: Vec<f64>,
    recovery_ms: Vec<f64>,
}

#[derive(Debug)]
struct Planned {
    fault: Fault,
    every: Duration,
    at: Instant,
}

impl Faults {
    /// The faults of a profile; the first of each kind occurs after one interval.
    pub(super) fn new(decoded: &profile::Faults) -> Self {
        let kinds = [
            (Fault::Kill, decoded.kill_every_s),
            (Fault::Restart, decoded.restart_every_s),
            (Fault::Hold, decoded.hold_every_s),
            (Fault::Storm, decoded.storm_every_s),
        ];
        let now = host::now();
        let plan = kinds.into_iter().filter(|(_, every)| *every > 0.0);
        let plan = plan.map(|(fault, every)| {
            let every = Duration::from_secs_f64(every);
            let at = now + every;
            Planned { fault, every, at }
        });
        Self {
            plan: plan.collect(),
            hold: Duration::from_secs_f64(decoded.hold_s),
            done: 0,
            kills: 0,
            ready_ms: Vec::new(),
            recovery_ms: Vec::new(),
        }
    }

    /// Whether any fault affects the server process.
    pub(super) fn are_any(&self) -> bool {
        let mut plan = self.plan.iter();
        plan.any(|planned| planned.fault != Fault::Storm)
    }

    /// Waits for the next fault.
    pub(super) async fn next(&self) -> Fault {
        let next = self.plan.iter().min_by_key(|planned| planned.at);
        match next {
            Some(planned) => {
                sleep_until(planned.at).await;
                planned.fault
            }
            None => std::future::pending().await,
        }
    }

    /// Injects a fault and schedules the next one of its kind.
    ///
    /// # Errors
    /// When the server does not come up again.
    pub(super) async fn commit(&mut self, fault: Fault, testbed: &mut Testbed) -> Result<()> {
        for planned in self.plan.iter_mut().filter(|p| p.fault == fault) {
            planned.at = host::now() + planned.every;
        }
        self.done += 1;
        let exit = match fault {
            Fault::Kill => {
                self.kills += 1;
                Shutdown::Killed
            }
            Fault::Restart => Shutdown::Stopped,
            Fault::Hold => {
                testbed.server.hold()?;
                sleep(self.hold).await;
                return testbed.server.go_on();
            }
            Fault::Storm => {
                testbed.shared.storm();
                return Ok(());
            }
        };
        let recovery = testbed.outage("coming back", exit, BACK_WITHIN).await?;
        self.ready_ms.push(ms(recovery.ready));
        match recovery.all_back {
            Some(all_back) => self.recovery_ms.push(ms(all_back)),
            None => {
                let within = BACK_WITHIN.as_secs();
                let missing = testbed.missing();
                let failure = format!("{within} s after an outage, {missing}");
                testbed.result.failures.push(failure);
            }
        }
        Ok(())
    }

    /// The number of injected faults.
    pub(super) const fn done(&self) -> u64 {
        self.done
    }

    /// The number of kills.
    pub(super) const fn kills(&self) -> u64 {
        self.kills
    }

    /// Median time from the start of the process until it was ready.
    pub(super) fn ready_ms(&self) -> Option<f64> {
        median(&self.ready_ms)
    }

    /// Median time from the start of the process until all clients with unfinished games were attached again.
    pub(super) fn recovery_ms(&self) -> Option<f64> {
        median(&self.recovery_ms)
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
