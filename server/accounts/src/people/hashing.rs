//! The threads that hash passwords: a few at once, off the runtime's threads, with a bounded queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Failure;
use tilewire_base::address::ClientAddress;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::Limits;
use tilewire_delivery::shares::{Slot, Slots};

/// The turns to hash.
#[derive(Debug)]
pub(super) struct Hashing {
    queue: Slots,
    threads: Arc<Semaphore>,
    slow_work: SlowWork,
}

/// A turn to hash. It ends with the work.
#[derive(Debug)]
pub(super) struct Turn {
    permit: OwnedSemaphorePermit,
    slot: Slot,
    slow_work: SlowWork,
}

impl Hashing {
    pub(super) fn new(limits: &Limits, slow_work: SlowWork) -> Self {
        Self {
            queue: Slots::of_passwords(limits),
            threads: Arc::new(Semaphore::new(limits.passwords_hashed)),
            slow_work,
        }
    }

    /// Waits for a turn of a client at this address.
    ///
    /// # Errors
    /// [`Failure::Busy`] when too many wait already, in all or from the address.
    pub(super) async fn turn(&self, from: ClientAddress) -> Result<Turn, Failure> {
        let slot = self.queue.try_take(Some(from)).ok_or(Failure::Busy)?;
        let permit = Arc::clone(&self.threads).acquire_owned().await;
        let permit = permit.map_err(|_| Failure::Busy)?;
        Ok(Turn {
            permit,
            slot,
            slow_work: self.slow_work,
        })
    }
}

impl Turn {
    /// Does slow work on a thread of its own. The turn ends with the work, even if the waiting task has gone.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let working = self.slow_work.run(move || {
            let done = work();
            drop((self.permit, self.slot));
            done
        });
        // The runtime is about to end.
        working.await.map_err(|_| Failure::Busy)
    }
}
