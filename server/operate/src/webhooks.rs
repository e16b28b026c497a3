//! Commands of the operator for webhooks: list them, test one, or retry failed events. A server may run meanwhile.

use std::fmt::Write;
use std::time::SystemTime;

use anyhow::{Context, bail};
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::Timestamp;

use crate::cli::WebhooksTask;
use tilewire_base::clock::{ServerClock, time_text};
use tilewire_base::ids::Ids;
use tilewire_config::target::{Scheme, Target};
use tilewire_config::{Config, WebhookTarget};
use tilewire_courier::webhooks::bodies::{TEST, TestEvent, envelope};
use tilewire_courier::webhooks::post::Receiver;
use tilewire_store::WebhookCount;

/// Does a task with webhooks; returns what there is to say.
///
/// # Errors
/// When there is no such webhook, the storage cannot be used, or the test fails.
pub fn webhooks(config: &Config, task: &WebhooksTask) -> anyhow::Result<String> {
    match task {
        WebhooksTask::List => list(config),
        WebhooksTask::Test { name } => test(config, target(config, name)?),
        WebhooksTask::Replay { name, since } => replay(config, target(config, name)?, *since),
    }
}

fn target<'a>(config: &'a Config, name: &str) -> anyhow::Result<&'a WebhookTarget> {
    let found = config.webhooks.target(name);
    found.with_context(|| format!("webhooks.targets has no webhook {}", quoted(name)))
}

fn list(config: &Config) -> anyhow::Result<String> {
    if config.webhooks.targets.is_empty() {
        return Ok("there are no webhooks: webhooks.targets is empty\n".to_owned());
    }
    let now = ServerClock::system().now();
    let counts = tilewire_databases::open_for_operator(config)?.webhook_counts(now)?;
    let mut text = String::new();
    for target in &config.webhooks.targets {
        let own = counts.iter().find(|count| count.target == target.name);
        let WebhookCount {
            waiting,
            failed,
            oldest,
            ..
        } = own.cloned().unwrap_or_default();
        write!(text, "{}  {waiting} waiting, {failed} failed", target.name)?;
        if let Some(oldest) = oldest {
            write!(text, ", the oldest since {}", time_text(oldest))?;
        }
        // The path can be a secret.
        let address = Target::read(&target.url, &Scheme::ALL);
        writeln!(text, "  {}", address?.origin())?;
    }
    Ok(text)
}

fn test(config: &Config, target: &WebhookTarget) -> anyhow::Result<String> {
    let receiver = Receiver::load(&config.webhooks, target)?;
    let now = ServerClock::system().now();
    // A test is another event each time.
    let id = format!("test-{}", Ids::system().token_family());
    let event = TestEvent {
        text: "This is a test of the operator.".to_owned(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let content = envelope(TEST, now, event);
    let posted = runtime.block_on(receiver.post(&id, now, content));
    posted.with_context(|| format!("{} did not take the event", target.name))?;
    Ok(format!("{} has taken the event {id}\n", target.name))
}

fn replay(config: &Config, target: &WebhookTarget, since: SystemTime) -> anyhow::Result<String> {
    let since = since.duration_since(SystemTime::UNIX_EPOCH);
    let since = i64::try_from(since.unwrap_or_default().as_millis());
    let Ok(since) = since else {
        bail!("--since is too late");
    };
    let now = ServerClock::system().now();
    let until = now + config.webhooks.give_up_ms;
    let mut storage = tilewire_databases::open_for_operator(config)?;
    let count = storage.replay_webhooks(&target.name, Timestamp(since), now, until)?;
    Ok(format!("{count} events wait for {} again\n", target.name))
}
