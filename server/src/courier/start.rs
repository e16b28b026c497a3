//! Starts the follower of the journal and the courier of letters.

use std::sync::Arc;

use lettre::message::Mailbox;
use tilewire_rules::time::Millis;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::compose::domain_of;
use super::follow::{self, Follower};
use super::look::Desk;
use super::machine::Bounds;
use super::smtp::{MailFault, Post};
use super::task::{self, Office};
use crate::catalogue::Catalogue;
use crate::clock::ServerClock;
use crate::config::MailConfig;
use crate::links::LinkKey;
use crate::outbound::Registry;
use crate::people::Blocks;
use crate::slow_work::SlowWork;
use crate::storage::Storage;

/// What the courier uses.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Everything that is stored.
    pub(crate) storage: Arc<dyn Storage>,
    /// Who has blocked whom.
    pub(crate) blocks: Arc<Blocks>,
    /// The connections.
    pub(crate) registry: Arc<Registry>,
    /// The rule sets.
    pub(crate) catalogue: Catalogue,
    /// Server time.
    pub(crate) clock: ServerClock,
    /// Signs links.
    pub(crate) key: LinkKey,
}

/// Starts the task that writes letters and pushes about games, until `stop`.
pub(crate) fn follow(
    wait_ms: Millis,
    (storage, catalogue): (&Arc<dyn Storage>, &Catalogue),
    tracker: &TaskTracker,
    stop: &CancellationToken,
) {
    let follower = Follower {
        store: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        catalogue: catalogue.clone(),
        slow_work: SlowWork::OnThread,
        wait_ms,
    };
    tracker.spawn(follow::run(follower, stop.clone()));
}

/// Starts the task that sends letters, until `stop`.
///
/// # Errors
/// When the settings name something that cannot be used.
pub(crate) fn start(
    config: &MailConfig,
    parts: Parts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), MailFault> {
    let (from, post) = post(config)?;
    let desk = Desk {
        store: Arc::clone(&parts.storage) as _,
        accounts: Arc::clone(&parts.storage) as _,
        journal: Arc::clone(&parts.storage) as _,
        blocks: parts.blocks,
        presence: parts.registry,
        catalogue: parts.catalogue,
        clock: parts.clock,
        slow_work: SlowWork::OnThread,
        from,
        page: config.page().map(str::to_owned),
        key: parts.key,
    };
    let office = Office {
        desk: Arc::new(desk),
        post: Arc::new(post),
        bounds: bounds(config),
    };
    tracker.spawn(task::run(office, stop.clone()));
    Ok(())
}

/// Returns what is wrong with the files that the settings name; `None` without a mail server too.
#[must_use]
pub fn problem(config: &MailConfig) -> Option<String> {
    let post = config.is_on().then(|| post(config))?;
    post.err().map(|error| error.to_string())
}

/// Returns the sender and the mail server.
pub(super) fn post(config: &MailConfig) -> Result<(Mailbox, Post), MailFault> {
    let from: Mailbox = config.from.parse()?;
    let post = Post::load(config, domain_of(&from))?;
    Ok((from, post))
}

fn bounds(config: &MailConfig) -> Bounds {
    Bounds {
        window: config.window,
        connections: config.connections,
        per_day: config.per_day,
        retry_ms: config.retry_ms,
        retry_max_ms: config.retry_max_ms,
        give_up_ms: config.give_up_ms,
        refusals: config.refusals,
    }
}
