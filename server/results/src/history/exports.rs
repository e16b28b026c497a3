//! Places of exports. An export takes long to send, and needs the storage and a processor for a small part of that time only.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use tilewire_base::address::ClientAddress;
use tilewire_config::{Limits, Timing};
use tilewire_delivery::shares::{Slot, Slots};

/// The exports of all clients.
#[derive(Debug)]
pub(super) struct Exports {
    sent: Slots,
    workers: Arc<Semaphore>,
    stall: Duration,
}

/// The place of an export. It counts as sent until it is dropped, and as work from [`ExportPlace::work`] to
/// [`ExportPlace::rest`].
#[derive(Debug)]
pub struct ExportPlace {
    _sent: Slot,
    workers: Arc<Semaphore>,
    working: Option<OwnedSemaphorePermit>,
    stall: Duration,
}

impl Exports {
    pub(super) fn new(limits: &Limits, timing: &Timing) -> Self {
        Self {
            sent: Slots::of_exports(limits),
            workers: Arc::new(Semaphore::new(limits.exports_written)),
            stall: timing.export_stall_ms.to_duration(),
        }
    }

    pub(super) fn begin(&self, from: ClientAddress) -> Option<ExportPlace> {
        Some(ExportPlace {
            _sent: self.sent.try_take(Some(from))?,
            workers: Arc::clone(&self.workers),
            working: None,
            stall: self.stall,
        })
    }
}

impl ExportPlace {
    /// Waits for the turn to work. Exports get it in the order in which they ask.
    pub async fn work(&mut self) {
        if self.working.is_none() {
            // Nobody closes the semaphore.
            self.working = Arc::clone(&self.workers).acquire_owned().await.ok();
        }
    }

    /// Ends the work, because the client has to read first.
    pub fn rest(&mut self) {
        self.working = None;
    }

    /// Returns the time that a client may take for a piece.
    #[must_use]
    pub const fn stall(&self) -> Duration {
        self.stall
    }
}
