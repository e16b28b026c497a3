//! The tasks that look after stored data and players: results, letters, stamps, retention, backups, vacations and erasures.

use std::sync::Arc;

use tilewire_rules::time::Timestamp;

use crate::app::App;
use crate::backups::Schedule;
use crate::chronicle::{self, RatingCache, ScoreRules};
use crate::clock::ServerClock;
use crate::config::Config;
use crate::erasing::Erasing;
use crate::ids::Ids;
use crate::links::LinkKey;
use crate::people::Letters;
use crate::slow_work::SlowWork;
use crate::storage::{Removed, Storage};
use crate::tasks::Tasks;
use crate::{clock_check, courier, vacationing};

/// Starts the tasks that write the results of finished games, and that read the stored ones for the boards.
pub(super) fn follow_ends(
    tasks: &Tasks,
    storage: &Arc<dyn Storage>,
    app: &Arc<App>,
    ratings: Arc<RatingCache>,
) {
    let parts = chronicle::Parts {
        feed: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        store: Arc::clone(storage) as _,
        catalogue: app.connection_services().catalogue.clone(),
        score_rules: ScoreRules::of(&app.connection_services().config.ratings),
        ratings,
        moderated: app.connection_services().people.moderated().clone(),
        clock: app.connection_services().clock.clone(),
        slow_work: SlowWork::OnThread,
    };
    tasks.spawn_until_stop(|stop| chronicle::run(parts, stop));
    let services = app.connection_services();
    tasks.spawn_until_stop(|stop| async move {
        stop.run_until_cancelled(services.history.read_all()).await;
    });
}

/// Returns what the accounts need for letters, if there is a mail server.
pub(super) async fn letters(
    config: &Config,
    storage: &Arc<dyn Storage>,
) -> anyhow::Result<Option<Letters>> {
    if !config.mail.is_on() {
        return Ok(None);
    }
    let key = storage.letter_key(Ids::system().secret()).await?;
    Ok(Some(Letters {
        store: Arc::clone(storage) as _,
        key: LinkKey::new(key),
    }))
}

/// Starts the tasks that write letters and send them.
pub(super) fn send_letters(
    tasks: &Tasks,
    config: &Config,
    storage: &Arc<dyn Storage>,
    app: &App,
    letters: Letters,
) -> anyhow::Result<()> {
    let services = app.connection_services();
    let parts = courier::Parts {
        store: Arc::clone(storage) as _,
        accounts: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        blocks: Arc::clone(services.people.blocks()),
        presence: Arc::clone(&services.registry) as _,
        catalogue: services.catalogue.clone(),
        clock: services.clock.clone(),
        slow_work: SlowWork::OnThread,
        key: letters.key,
    };
    courier::start(&config.mail, parts, &tasks.tracker, &tasks.stop)?;
    Ok(())
}

/// Starts the task that writes the liveness stamp.
pub(super) fn stamp_regularly(
    tasks: &Tasks,
    config: &Config,
    storage: &Arc<dyn Storage>,
    app: &Arc<App>,
) {
    let (stamped, app) = (Arc::clone(storage), Arc::clone(app));
    tasks.every(config.storage.stamp_every_ms.to_duration(), move || {
        let (storage, stamp) = (Arc::clone(&stamped), app.directory.stamp());
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
pub(super) fn tend_data(
    tasks: &Tasks,
    config: &Config,
    clock: &ServerClock,
    storage: &Arc<dyn Storage>,
    jumped_at: Option<Timestamp>,
) {
    let schedule = Schedule::new(config, clock);
    tasks.spawn_until_stop(|stop| schedule.run(stop));
    let (pruned, clock) = (Arc::clone(storage), clock.clone());
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

/// Starts the tasks that tell games of vacations and erase players.
pub(super) fn tend_players(
    tasks: &Tasks,
    app: &App,
    storage: &Arc<dyn Storage>,
    ratings: Arc<RatingCache>,
    jumped_at: Option<Timestamp>,
) {
    tell_vacations(tasks, app, storage);
    erase_players(tasks, app, storage, ratings, jumped_at);
}

/// Starts the task that tells games of vacations that they do not know yet.
fn tell_vacations(tasks: &Tasks, app: &App, storage: &Arc<dyn Storage>) {
    let services = app.connection_services();
    let every = services.config.timing.vacation_round_ms.to_duration();
    let journal = Arc::clone(storage);
    tasks.every(every, move || {
        let (services, journal) = (Arc::clone(&services), Arc::clone(&journal));
        async move { vacationing::round(&services.people, &services.directory, &*journal).await }
    });
}

/// Starts the task that erases the players whose wish is due.
fn erase_players(
    tasks: &Tasks,
    app: &App,
    storage: &Arc<dyn Storage>,
    ratings: Arc<RatingCache>,
    jumped_at: Option<Timestamp>,
) {
    let services = app.connection_services();
    let every = services.config.retention.erase_every_ms.to_duration();
    let erasing = Arc::new(Erasing {
        store: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        ratings,
        services,
    });
    tasks.every(every, move || {
        let erasing = Arc::clone(&erasing);
        async move {
            if clock_check::may_delete(erasing.services.clock.now(), jumped_at) {
                erasing.round().await;
            }
        }
    });
}
