//! The tasks that look after stored data and players: results, letters, stamps, retention, backups, vacations and erasures. Of
//! several servers, the one with the lobby has them, except for vacations.

use std::sync::Arc;

use tilewire_rules::time::Timestamp;

use crate::app::App;
use crate::erasure_task::ErasureTask;
use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::{Letters, MailReach, Pushes};
use tilewire_api::vacation_notices;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_base::tasks::Tasks;
use tilewire_config::Config;
use tilewire_courier as courier;
use tilewire_operate::backups::Schedule;
use tilewire_operate::clock_check;
use tilewire_results::chronicle;
use tilewire_results::chronicle::{RatingCache, ScoreRules};
use tilewire_store::{Removed, Storage};

/// The services that the accounts use to reach a player elsewhere.
#[derive(Clone, Default)]
pub(super) struct Notifiers {
    /// `None` without a mail server.
    pub(super) letters: Option<Letters>,
    /// `None` if pushes are off.
    pub(super) pushes: Option<Pushes>,
}

/// The services that the background tasks maintain.
pub(super) struct TaskServices {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) app: Arc<App>,
    pub(super) ratings: Arc<RatingCache>,
    pub(super) notifiers: Notifiers,
    /// When the machine's clock last jumped: nothing is deleted soon after it.
    pub(super) jumped_at: Option<Timestamp>,
}

/// Starts all tasks of this module that only one server has.
pub(super) async fn start(
    tasks: &Tasks,
    config: &Config,
    services: &TaskServices,
) -> anyhow::Result<()> {
    follow_ends(tasks, services);
    send_news(tasks, config, services)?;
    send_webhooks(tasks, config, services).await?;
    stamp_regularly(tasks, config, services);
    keep_data_bounded(tasks, config, services);
    erase_players(tasks, services);
    Ok(())
}

/// Starts the tasks that write the results of finished games, and that read the stored ones for the boards.
fn follow_ends(tasks: &Tasks, services: &TaskServices) {
    let (storage, app) = (&services.storage, &services.app);
    let parts = chronicle::ChronicleServices {
        journal: Arc::clone(storage) as _,
        store: Arc::clone(storage) as _,
        catalogue: app.connection_services().catalogue.clone(),
        score_rules: ScoreRules::of(&app.connection_services().config.ratings),
        ratings: Arc::clone(&services.ratings),
        enforcement: app.connection_services().people.enforcement().clone(),
        clock: app.connection_services().clock.clone(),
        slow_work: SlowWork::OnThread,
    };
    tasks.spawn_until_stop(|stop| chronicle::run(parts, stop));
    let shared = app.connection_services();
    tasks.spawn_until_stop(|stop| async move {
        stop.run_until_cancelled(shared.history.read_all()).await;
    });
}

/// Returns the shared that the accounts use for letters, if there is a mail server, and for pushes, if they are on.
pub(super) async fn notifiers(
    config: &Config,
    storage: &Arc<dyn Storage>,
) -> anyhow::Result<Notifiers> {
    if !config.mail.is_on() && !config.push.is_on() {
        return Ok(Notifiers::default());
    }
    // This begins at the end of the journal: what happened before is no news.
    let key = storage.letter_key(Ids::system().secret()).await?;
    let letters = config.mail.is_on().then(|| Letters {
        store: Arc::clone(storage) as _,
        key: LinkKey::new(key),
        reach: MailReach::default(),
    });
    let pushes = config.push.is_on().then(|| Pushes {
        store: Arc::clone(storage) as _,
        devices: config.push.devices,
        any_port: config.push.allows_any_port(),
    });
    Ok(Notifiers { letters, pushes })
}

/// Starts the tasks that write letters and pushes, and send them.
fn send_news(tasks: &Tasks, config: &Config, services: &TaskServices) -> anyhow::Result<()> {
    let (storage, app) = (&services.storage, &services.app);
    let Notifiers { letters, pushes } = &services.notifiers;
    if letters.is_none() && pushes.is_none() {
        return Ok(());
    }
    let shared = app.connection_services();
    let (tracker, stop) = (&tasks.tracker, &tasks.stop);
    let read = courier::Read {
        store: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        catalogue: shared.catalogue.clone(),
        slow_work: SlowWork::OnThread,
    };
    courier::follow(config.mail.wait_ms, read, tracker, stop);
    if pushes.is_some() {
        let parts = courier::PushParts {
            storage: Arc::clone(storage),
            blocks: Arc::clone(shared.people.blocks()),
            registry: Arc::clone(&shared.registry),
            catalogue: shared.catalogue.clone(),
            clock: shared.clock.clone(),
        };
        courier::start_pushes(&config.push, parts, tracker, stop)?;
    }
    if let Some(letters) = letters {
        let parts = courier::Parts {
            store: Arc::clone(storage) as _,
            accounts: Arc::clone(storage) as _,
            journal: Arc::clone(storage) as _,
            blocks: Arc::clone(shared.people.blocks()),
            presence: Arc::clone(&shared.registry) as _,
            catalogue: shared.catalogue.clone(),
            clock: shared.clock.clone(),
            slow_work: SlowWork::OnThread,
            key: letters.key.clone(),
            reach: letters.reach.clone(),
        };
        courier::start(&config.mail, parts, tracker, stop)?;
    }
    Ok(())
}

/// Begins with the webhooks of the settings, and starts the tasks that write their events and deliver them.
async fn send_webhooks(
    tasks: &Tasks,
    config: &Config,
    services: &TaskServices,
) -> anyhow::Result<()> {
    let (storage, app) = (&services.storage, &services.app);
    let targets = config.webhooks.targets.iter();
    let names = targets.map(|target| target.name.clone()).collect();
    storage.begin_webhooks(names).await?;
    if config.webhooks.targets.is_empty() {
        return Ok(());
    }
    let shared = app.connection_services();
    let parts = courier::WebhookParts {
        store: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        catalogue: shared.catalogue.clone(),
        clock: shared.clock.clone(),
        slow_work: SlowWork::OnThread,
    };
    courier::start_webhooks(&config.webhooks, parts, &tasks.tracker, &tasks.stop)?;
    Ok(())
}

/// Starts the task that writes the liveness stamp.
fn stamp_regularly(tasks: &Tasks, config: &Config, services: &TaskServices) {
    let (stamped, app) = (Arc::clone(&services.storage), Arc::clone(&services.app));
    tasks.every(config.storage.stamp_every_ms.to_duration(), move || {
        let (storage, stamp) = (Arc::clone(&stamped), app.directory.stamp());
        if let Some(stamp) = stamp {
            app.directory.stamped(stamp);
        }
        async move {
            let Some(stamp) = stamp else {
                return; // the moment the last outage or stall began is still needed
            };
            if let Err(error) = storage.stamp(stamp).await {
                tracing::warn!(%error, "the liveness stamp could not be written");
            }
        }
    });
}

/// Starts the tasks that remove old data and make backups.
fn keep_data_bounded(tasks: &Tasks, config: &Config, services: &TaskServices) {
    let clock = services.app.connection_services().clock.clone();
    let schedule = Schedule::new(config, &clock);
    tasks.spawn_until_stop(|stop| schedule.run(stop));
    let (pruned, jumped_at) = (Arc::clone(&services.storage), services.jumped_at);
    let retention = config.retention.clone();
    tasks.every(retention.sweep_every_ms.to_duration(), move || {
        let (storage, now, retention) = (Arc::clone(&pruned), clock.now(), retention.clone());
        async move {
            if !clock_check::may_delete(now, jumped_at) {
                return;
            }
            match storage.prune(now, &retention).await {
                Ok(removed) if removed == Removed::default() => {}
                Ok(removed) => tracing::info!(
                    finished_games = removed.finished_games,
                    void_games = removed.void_games,
                    idle_guests = removed.idle_guests,
                    "old data was removed after its retention time"
                ),
                Err(error) => tracing::warn!(%error, "old data could not be removed"),
            }
        }
    });
}

/// Starts the task that tells games of vacations that they do not know yet. Each server tells its own games.
pub(super) fn tell_vacations(tasks: &Tasks, services: &TaskServices) {
    let shared = services.app.connection_services();
    let every = shared.config.timing.vacation_round_ms.to_duration();
    let journal = Arc::clone(&services.storage);
    tasks.every(every, move || {
        let (shared, journal) = (Arc::clone(&shared), Arc::clone(&journal));
        async move { vacation_notices::round(&shared.people, &shared.directory, &*journal).await }
    });
}

/// Starts the task that erases the players whose wish is due.
fn erase_players(tasks: &Tasks, services: &TaskServices) {
    let (storage, jumped_at) = (&services.storage, services.jumped_at);
    let shared = services.app.connection_services();
    let every = shared.config.retention.erase_every_ms.to_duration();
    let erasure = Arc::new(ErasureTask {
        store: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        ratings: Arc::clone(&services.ratings),
        services: shared,
    });
    tasks.every(every, move || {
        let erasure = Arc::clone(&erasure);
        async move {
            if clock_check::may_delete(erasure.services.clock.now(), jumped_at) {
                erasure.round().await;
            }
        }
    });
}
