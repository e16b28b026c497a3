//! When the server makes backups, and the task that does it.

use std::path::Path;
use std::thread;

use anyhow::Context;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{folder, name};
use tilewire_base::background;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_config::{BackupConfig, Config};
use tilewire_sql::archive::Pace;

/// The longest wait after a backup that failed.
const RETRY_MAX: Millis = Millis(3_600_000);

/// The backups of a server.
#[derive(Debug, Clone)]
pub struct Schedule {
    config: Config,
    clock: ServerClock,
}

impl Schedule {
    /// Returns the schedule of the settings.
    #[must_use]
    pub fn new(config: &Config, clock: &ServerClock) -> Self {
        Self {
            config: config.clone(),
            clock: clock.clone(),
        }
    }

    /// Makes backups until the server stops; returns at once if the settings want none. A backup in progress at the stop is
    /// left, and removed before the next one.
    pub async fn run(self, stop: CancellationToken) {
        if self.config.backup.is_on() {
            stop.run_until_cancelled(self.repeat()).await;
        }
    }

    async fn repeat(self) {
        let mut wait = wait(self.clock.now(), self.newest(), self.config.backup.every_ms);
        loop {
            tokio::time::sleep(wait.to_duration()).await;
            wait = match self.back_up().await {
                Ok(at) => {
                    metrics::backup_ended(true);
                    metrics::newest_backup(at);
                    self.config.backup.every_ms
                }
                Err(error) => {
                    metrics::backup_ended(false);
                    let error = format!("{error:#}");
                    tracing::error!(error, "the backup failed; the backups before it are kept");
                    self.config.backup.every_ms.min(RETRY_MAX)
                }
            };
        }
    }

    /// Returns the time of the newest backup, if there is one.
    fn newest(&self) -> Option<Timestamp> {
        let found = folder::backups(&self.config.backup.directory).ok()?;
        let newest = found.last()?.at;
        metrics::newest_backup(newest);
        Some(newest)
    }

    /// Makes a backup on a thread of its own, which a stop of the server does not wait for. Returns its time.
    async fn back_up(&self) -> anyhow::Result<Timestamp> {
        let (done, outcome) = oneshot::channel();
        let (work, at) = (self.clone(), self.clock.now());
        thread::Builder::new()
            .name("backup".to_owned())
            .spawn(move || {
                background::stand_back();
                done.send(work.back_up_now(at)).ok(); // the server may have stopped
            })
            .context("cannot start a thread")?;
        outcome.await.context("the thread has failed")??;
        Ok(at)
    }

    fn back_up_now(&self, at: Timestamp) -> anyhow::Result<()> {
        let directory = &self.config.backup.directory;
        folder::remove_incomplete(directory).with_context(|| place(directory))?;
        let file = directory.join(name::of(at));
        tilewire_databases::open_own_archive(&self.config)?.copy_to(&file, Pace::Half)?;
        tracing::info!(file = %file.display(), "the backup is complete");
        if let Err(error) = folder::keep_newest(directory, self.config.backup.keep) {
            let directory = place(directory);
            tracing::warn!(%error, directory, "old backups could not be removed");
        }
        Ok(())
    }
}

/// Returns the problem of the backup directory, if the settings name one and there is a problem.
#[must_use]
pub fn problem(config: &BackupConfig) -> Option<String> {
    let is_named = config.has_directory();
    let error = is_named.then(|| folder::backups(&config.directory).err())??;
    let place = place(&config.directory);
    Some(format!("backup.directory: {place}: {error}"))
}

fn place(directory: &Path) -> String {
    directory.display().to_string()
}

/// Returns the time until the next backup is due. A newest backup of the future, after the clock was set back, counts as one of
/// now.
fn wait(now: Timestamp, newest: Option<Timestamp>, every: Millis) -> Millis {
    let Some(newest) = newest else {
        return Millis::ZERO;
    };
    (newest + every - now).clamp(Millis::ZERO, every)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_due_when_the_newest_is_old_enough() {
        let now = Timestamp(10_000);
        for (newest, expected) in [
            (None, 0),
            (Some(10_000), 1_000),
            (Some(9_400), 400),
            (Some(9_000), 0),
            (Some(5), 0),
            (Some(99_000), 1_000),
        ] {
            let found = wait(now, newest.map(Timestamp), Millis(1_000));
            assert_eq!(found, Millis(expected), "{newest:?}");
        }
    }
}
