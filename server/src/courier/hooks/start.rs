//! Starts the tasks of webhooks.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::follow::{self, Follower};
use super::post::{HookFault, Receiver};
use super::task::{self, Office};
use crate::catalogue::Catalogue;
use crate::clock::ServerClock;
use crate::config::WebhooksConfig;
use crate::slow_work::SlowWork;
use crate::storage::Storage;

/// What webhooks use.
#[derive(Debug)]
pub(crate) struct HookParts {
    /// Everything that is stored.
    pub(crate) storage: Arc<dyn Storage>,
    /// The rule sets.
    pub(crate) catalogue: Catalogue,
    /// Server time.
    pub(crate) clock: ServerClock,
}

/// Returns what is wrong with the files that the settings name.
#[must_use]
pub fn hook_problem(config: &WebhooksConfig) -> Option<String> {
    receivers(config).err().map(|error| error.to_string())
}

/// Starts the tasks that write events and deliver them, until `stop`. The storage has begun with these webhooks.
///
/// # Errors
/// When the settings name something that cannot be used.
pub(crate) fn start_hooks(
    config: &WebhooksConfig,
    parts: HookParts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), HookFault> {
    let receivers = receivers(config)?;
    let config = Arc::new(config.clone());
    let follower = Follower {
        store: Arc::clone(&parts.storage) as _,
        journal: Arc::clone(&parts.storage) as _,
        catalogue: parts.catalogue,
        config: Arc::clone(&config),
        clock: parts.clock.clone(),
        slow_work: SlowWork::OnThread,
    };
    tracker.spawn(follow::run(follower, stop.clone()));
    let office = Office {
        store: parts.storage as _,
        receivers: receivers.into_iter().map(Arc::new).collect(),
        clock: parts.clock,
        config,
    };
    tracker.spawn(task::run(office, stop.clone()));
    Ok(())
}

fn receivers(config: &WebhooksConfig) -> Result<Vec<Receiver>, HookFault> {
    let targets = config.targets.iter();
    targets
        .map(|target| Receiver::load(config, target))
        .collect()
}
