//! The lobby of a server among several, the chat, and the tasks that maintain stored data. They start when this server gets the
//! lobby, and end when another server gets it.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::background_tasks::{TaskServices, start};
use tilewire_base::metrics;
use tilewire_base::tasks::Tasks;
use tilewire_cluster::LobbyWork;
use tilewire_config::Config;

/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// The tasks that come with the lobby.
pub(super) struct LobbyTasks {
    config: Config,
    services: TaskServices,
    /// The tasks since this server has the lobby; those of a time before are ended first.
    current: Mutex<Tasks>,
}

impl LobbyTasks {
    pub(super) fn new(config: Config, services: TaskServices) -> Self {
        Self {
            config,
            services,
            current: Mutex::default(),
        }
    }

    async fn begin(&self) -> anyhow::Result<()> {
        self.end().await;
        let tasks = Tasks::default();
        // Before anything runs: whoever ends it must find all of it.
        *self.current() = tasks.clone();
        let TaskServices {
            storage,
            app,
            ratings,
            ..
        } = &self.services;
        // Another server may have changed all of it meanwhile.
        ratings.fill(&**storage).await?;
        app.reread(&**storage).await?;
        app.begin_lobby(&tasks.tracker, &tasks.stop).await?;
        start(&tasks, &self.config, &self.services).await
    }

    /// Ends the tasks and waits for them.
    async fn end(&self) {
        let tasks = self.current().clone();
        tasks.finish().await;
        metrics::lobby_left();
        if let Some(letters) = &self.services.notifiers.letters {
            letters.reach.note(None);
        }
    }

    fn current(&self) -> MutexGuard<'_, Tasks> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LobbyWork for LobbyTasks {
    fn start(&self) -> BoxFuture<'_, ()> {
        async {
            while let Err(error) = self.begin().await {
                tracing::warn!(%error, "the lobby cannot begin yet");
                self.end().await;
                tokio::time::sleep(RETRY).await;
            }
            tracing::info!("the lobby is here");
        }
        .boxed()
    }

    fn stop(&self) -> BoxFuture<'_, ()> {
        self.end().boxed()
    }

    fn abort(&self) {
        self.current().stop.cancel();
    }
}

impl fmt::Debug for LobbyTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LobbyTasks").finish_non_exhaustive()
    }
}
