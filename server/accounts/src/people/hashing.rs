//! The threads that hash passwords: a few at once, off the runtime's threads, with a bounded queue for strangers and one for
//! everybody else. Strangers take all threads but one at most, so nobody else waits behind their queue.

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
    known: Slots,
    strangers: Slots,
    of_strangers: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    slow_work: SlowWork,
}

/// A client that wants a password hashed or compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    /// One that has proved something, or was here before.
    Known,
    /// Any other.
    Stranger,
}

/// A turn to hash. It ends with the work.
#[derive(Debug)]
pub(super) struct Turn {
    of_strangers: Option<OwnedSemaphorePermit>,
    permit: OwnedSemaphorePermit,
    slot: Slot,
    slow_work: SlowWork,
}

impl Hashing {
    pub(super) fn new(limits: &Limits, slow_work: SlowWork) -> Self {
        Self {
            known: Slots::of_passwords(limits),
            strangers: Slots::of_passwords(limits),
            of_strangers: Arc::new(Semaphore::new((limits.passwords_hashed - 1).max(1))),
            threads: Arc::new(Semaphore::new(limits.passwords_hashed)),
            slow_work,
        }
    }

    /// Waits for a turn of a client at this address.
    ///
    /// # Errors
    /// [`Failure::Busy`] when too many wait already, in all or from the address.
    pub(super) async fn turn(&self, from: ClientAddress, wants: Wants) -> Result<Turn, Failure> {
        let queue = match wants {
            Wants::Known => &self.known,
            Wants::Stranger => &self.strangers,
        };
        let slot = queue.try_take(Some(from)).ok_or(Failure::Busy)?;
        let acquire = async |semaphore: &Arc<Semaphore>| {
            let permit = Arc::clone(semaphore).acquire_owned().await;
            permit.map_err(|_| Failure::Busy)
        };
        let of_strangers = match wants {
            Wants::Known => None,
            Wants::Stranger => Some(acquire(&self.of_strangers).await?),
        };
        let permit = acquire(&self.threads).await?;
        Ok(Turn {
            of_strangers,
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
            drop((self.permit, self.of_strangers, self.slot));
            done
        });
        // The runtime is about to end.
        working.await.map_err(|_| Failure::Busy)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures::FutureExt;

    use super::*;

    fn at(host: u8) -> ClientAddress {
        ClientAddress::from(IpAddr::from([192, 0, 2, host]))
    }

    /// Strangers who take every place that they can get leave a thread for a known client at once.
    #[tokio::test]
    async fn strangers_leave_a_thread_for_known_clients() {
        let limits = Limits::default();
        let hashing = Arc::new(Hashing::new(&limits, SlowWork::InPlace));
        let turn = |host| {
            let hashing = Arc::clone(&hashing);
            tokio::spawn(async move { hashing.turn(at(host), Wants::Stranger).await })
        };
        // Turns are held by those who have them, and all others wait.
        let first = hashing.turn(at(1), Wants::Stranger).await.unwrap();
        let waiting: Vec<_> = (2..100).map(turn).collect();
        let is_full = || {
            let turn = hashing.turn(at(200), Wants::Stranger).now_or_never();
            matches!(turn, Some(Err(Failure::Busy)))
        };
        while !is_full() {
            tokio::task::yield_now().await;
        }
        let known = hashing.turn(at(1), Wants::Known).now_or_never();
        assert!(known.is_some_and(|turn| turn.is_ok()));
        drop((first, waiting));
    }
}
