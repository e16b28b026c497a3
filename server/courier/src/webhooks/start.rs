//! Starts the tasks of webhooks.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::follow::{self, Follower};
use super::machine::Bounds;
use super::post::{Endpoint, Receiver, WebhookFault};
use super::sender::WebhookSender;
use crate::outbox;
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::WebhooksConfig;
use tilewire_store::{Journal, OutboxStore};
use tilewire_wire::catalogue::Catalogue;

/// The services that webhooks use.
#[derive(Debug)]
pub struct WebhookParts {
    /// The outbox. It has begun with these webhooks.
    pub store: Arc<dyn OutboxStore>,
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The rule sets.
    pub catalogue: Catalogue,
    /// Server time.
    pub clock: ServerClock,
    /// Where logs are folded.
    pub slow_work: SlowWork,
}

/// Returns the problem of the files that the settings name.
#[must_use]
pub fn webhook_problem(config: &WebhooksConfig) -> Option<String> {
    receivers(config).err().map(|error| error.to_string())
}

/// Starts the tasks that write events and deliver them, until `stop`.
///
/// # Errors
/// When the settings name something that cannot be used.
pub fn start_webhooks(
    config: &WebhooksConfig,
    parts: WebhookParts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), WebhookFault> {
    spawn(config, receivers(config)?, parts, (tracker, stop));
    Ok(())
}

/// Starts the tasks that write events and deliver them, with other endpoints than those of the settings: one for each webhook, with
/// its secrets in lines as in a file.
///
/// # Errors
/// When some are no secrets.
pub fn start_webhooks_with(
    config: &WebhooksConfig,
    endpoints: Vec<(String, Arc<dyn Endpoint>)>,
    parts: WebhookParts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), WebhookFault> {
    let targets = config.targets.iter().zip(endpoints);
    let receivers =
        targets.map(|(target, (secrets, endpoint))| Receiver::with(target, &secrets, endpoint));
    let receivers = receivers.collect::<Result<_, _>>()?;
    spawn(config, receivers, parts, (tracker, stop));
    Ok(())
}

fn spawn(
    config: &WebhooksConfig,
    receivers: Vec<Receiver>,
    parts: WebhookParts,
    (tracker, stop): (&TaskTracker, &CancellationToken),
) {
    let config = Arc::new(config.clone());
    let follower = Follower {
        store: Arc::clone(&parts.store),
        journal: parts.journal,
        catalogue: parts.catalogue,
        config: Arc::clone(&config),
        clock: parts.clock.clone(),
        slow_work: parts.slow_work,
    };
    tracker.spawn(follow::run(follower, stop.clone()));
    let bounds = Bounds {
        window: config.window,
        connections: config.connections,
        retry_ms: config.retry_ms,
        retry_max_ms: config.retry_max_ms,
    };
    let queues = receivers.len();
    let sender = WebhookSender {
        store: parts.store,
        receivers,
        clock: parts.clock,
        config,
    };
    tracker.spawn(outbox::run(sender, (bounds, queues), stop.clone()));
}

fn receivers(config: &WebhooksConfig) -> Result<Vec<Receiver>, WebhookFault> {
    let targets = config.targets.iter();
    targets
        .map(|target| Receiver::load(config, target))
        .collect()
}
