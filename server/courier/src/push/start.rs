//! Starts the courier of pushes.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::context::PushContext;
use super::machine::Bounds;
use super::sender::PushSender;
use crate::contents::Contents;
use crate::outbox;
use tilewire_accounts::people::Blocks;
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::PushConfig;
use tilewire_delivery::outbound::Registry;
use tilewire_egress::{Caller, Reach, TrustFault};
use tilewire_store::Storage;
use tilewire_wire::catalogue::Catalogue;

/// The services that the courier of pushes uses.
#[derive(Debug)]
pub struct Parts {
    /// Everything that is stored.
    pub storage: Arc<dyn Storage>,
    /// The blocks between players.
    pub blocks: Arc<Blocks>,
    /// The connections.
    pub registry: Arc<Registry>,
    /// The rule sets.
    pub catalogue: Catalogue,
    /// Server time.
    pub clock: ServerClock,
}

/// Starts the task that sends pushes, until `stop`.
///
/// # Errors
/// When the settings name something that cannot be used.
pub fn start(
    config: &PushConfig,
    parts: Parts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), TrustFault> {
    let caller = caller(config)?;
    let contents = Contents {
        store: Arc::clone(&parts.storage) as _,
        journal: Arc::clone(&parts.storage) as _,
        catalogue: parts.catalogue,
        slow_work: SlowWork::OnThread,
    };
    let context = PushContext {
        store: Arc::clone(&parts.storage) as _,
        accounts: Arc::clone(&parts.storage) as _,
        blocks: parts.blocks,
        presence: parts.registry,
        contents,
        clock: parts.clock,
    };
    let sender = PushSender {
        context,
        caller,
        contact: config.contact.clone(),
    };
    tracker.spawn(outbox::run(sender, (bounds(config), 1), stop.clone()));
    Ok(())
}

/// Returns the problem of the files that the settings name; `None` without pushes too.
#[must_use]
pub fn problem(config: &PushConfig) -> Option<String> {
    let caller = config.is_on().then(|| caller(config))?;
    caller.err().map(|error| format!("push.ca_file: {error}"))
}

fn caller(config: &PushConfig) -> Result<Caller, TrustFault> {
    let reach = Reach {
        allowed: config.allow_private.0.clone(),
        any_port: config.allows_any_port(),
    };
    Caller::load(&config.ca_file, config.step_ms.to_duration(), reach)
}

fn bounds(config: &PushConfig) -> Bounds {
    Bounds {
        window: config.window,
        connections: config.connections,
        per_service: config.connections_per_service,
        per_day: config.per_day,
        retry_ms: config.retry_ms,
        retry_max_ms: config.retry_max_ms,
        give_up_ms: config.give_up_ms,
        refusals: config.refusals,
    }
}
