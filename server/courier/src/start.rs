//! Starts the follower of the journal and the courier of letters.

use std::sync::Arc;

use lettre::message::Mailbox;
use tilewire_rules::time::Millis;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::compose::domain_of;
use super::context::LetterContext;
use super::follow::{self, Follower};
use super::machine::Bounds;
use super::outbox;
use super::sender::LetterSender;
use super::smtp::{Carrier, MailFault, Post};
use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::{Blocks, MailReach};
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::MailConfig;
use tilewire_delivery::outbound::Presence;
use tilewire_store::{AccountStore, Journal, OutboxStore};
use tilewire_wire::catalogue::Catalogue;

/// The services that the courier uses.
#[derive(Debug)]
pub struct Parts {
    /// The outbox.
    pub store: Arc<dyn OutboxStore>,
    /// The accounts.
    pub accounts: Arc<dyn AccountStore>,
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The blocks between players.
    pub blocks: Arc<Blocks>,
    /// Tells whether a player is connected.
    pub presence: Arc<dyn Presence>,
    /// The rule sets.
    pub catalogue: Catalogue,
    /// Server time.
    pub clock: ServerClock,
    /// Where logs are folded and letters are made.
    pub slow_work: SlowWork,
    /// Signs links.
    pub key: LinkKey,
    /// Where the courier notes whether the mail server can be reached.
    pub reach: MailReach,
}

/// The services of the task that writes letters.
#[derive(Debug)]
pub struct Read {
    /// The outbox.
    pub store: Arc<dyn OutboxStore>,
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The rule sets.
    pub catalogue: Catalogue,
    /// Where logs are folded.
    pub slow_work: SlowWork,
}

/// Starts the task that writes letters and pushes about games, until `stop`. A letter waits for `wait_ms` after its cause.
pub fn follow(wait_ms: Millis, read: Read, tracker: &TaskTracker, stop: &CancellationToken) {
    let follower = Follower {
        store: read.store,
        journal: read.journal,
        catalogue: read.catalogue,
        slow_work: read.slow_work,
        wait_ms,
    };
    tracker.spawn(follow::run(follower, stop.clone()));
}

/// Starts the task that sends letters, until `stop`.
///
/// # Errors
/// When the settings name something that cannot be used.
pub fn start(
    config: &MailConfig,
    parts: Parts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), MailFault> {
    let (_, post) = post(config)?;
    send(config, Arc::new(post), parts, (tracker, stop))
}

/// Starts the tasks that write and send letters, with another way to a mail server than that of the settings.
///
/// # Errors
/// When the sender is no address.
pub fn start_with(
    config: &MailConfig,
    post: Arc<dyn Carrier>,
    parts: Parts,
    tracker: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), MailFault> {
    let read = Read {
        store: Arc::clone(&parts.store),
        journal: Arc::clone(&parts.journal),
        catalogue: parts.catalogue.clone(),
        slow_work: parts.slow_work,
    };
    follow(config.wait_ms, read, tracker, stop);
    send(config, post, parts, (tracker, stop))
}

fn send(
    config: &MailConfig,
    post: Arc<dyn Carrier>,
    parts: Parts,
    (tracker, stop): (&TaskTracker, &CancellationToken),
) -> Result<(), MailFault> {
    let from: Mailbox = config.from.parse()?;
    let context = LetterContext {
        store: parts.store,
        accounts: parts.accounts,
        journal: parts.journal,
        blocks: parts.blocks,
        presence: parts.presence,
        catalogue: parts.catalogue,
        clock: parts.clock,
        slow_work: parts.slow_work,
        from,
        page: config.page().map(str::to_owned),
        key: parts.key,
    };
    let sender = LetterSender {
        context,
        post,
        reach: parts.reach,
    };
    tracker.spawn(outbox::run(sender, (bounds(config), 1), stop.clone()));
    Ok(())
}

/// Returns the problem of the files that the settings name; `None` without a mail server too.
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
