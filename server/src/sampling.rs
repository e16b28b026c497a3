//! Samples metrics every second that no code reports when they change.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use tilewire_base::metrics;
use tilewire_base::slow_work::SlowWork;
use tilewire_delivery::outbound::Presence;
use tilewire_store::{Storage, StorageSizes};

/// The time between two readings.
pub(crate) const EVERY: Duration = Duration::from_secs(1);

/// Reads the queues, the number of players and the sizes of the storage.
pub(crate) async fn sample(app: Arc<App>, storage: Arc<dyn Storage>) {
    let services = app.connection_services();
    metrics::players_online(services.registry.online());
    metrics::queue("storage", storage.level());
    metrics::queue("lobby", app.lobby.level());
    metrics::queue("chat", services.chat.level());
    // A disk that hangs stops this task, and no other.
    let sizes = SlowWork::OnThread.run(move || storage.sizes()).await;
    // A database on another machine has no size here: an alert about its disk would be wrong.
    if let Ok(sizes) = sizes
        && sizes != StorageSizes::default()
    {
        metrics::storage_bytes(sizes.database, sizes.log, sizes.free);
    }
}
