//! The tasks that the server with the lobby runs, in a simulation with several servers.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_cluster::LobbyWork;
use tilewire_results::chronicle;
use tilewire_results::chronicle::RatingCache;
use tilewire_server::app::App;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Report, Reports};
use crate::simulation::disk::Disk;
use crate::simulation::flaws::Flaw;
use crate::simulation::world::people::chronicle_of;

/// The wait after the disk did not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// The lobby, the chat and the chronicle of a server.
pub(super) struct Lobby {
    /// The server and its life.
    of: (usize, i64),
    disk: Arc<Disk>,
    app: Arc<App>,
    ratings: Arc<RatingCache>,
    reports: Reports,
    flaw: Option<Flaw>,
    current: Mutex<(TaskTracker, CancellationToken)>,
}

impl fmt::Debug for Lobby {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lobby").finish_non_exhaustive()
    }
}

impl Lobby {
    pub(super) fn new(
        of: (usize, i64),
        disk: &Arc<Disk>,
        (app, ratings): (&Arc<App>, Arc<RatingCache>),
        reports: Reports,
        flaw: Option<Flaw>,
    ) -> Self {
        Self {
            of,
            disk: Arc::clone(disk),
            app: Arc::clone(app),
            ratings,
            reports,
            flaw,
            current: Mutex::default(),
        }
    }

    fn current(&self) -> MutexGuard<'_, (TaskTracker, CancellationToken)> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, begins: bool) {
        let (at, life) = self.of;
        self.reports.tell(at, life, Report::Lobby(begins));
    }

    async fn begin(&self) -> bool {
        self.end().await;
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        *self.current() = (tracker.clone(), stop.clone());
        if self.ratings.fill(&*self.disk.stores()).await.is_err()
            || self.app.begin_lobby(&tracker, &stop).await.is_err()
        {
            return false;
        }
        let parts = chronicle_of(&self.disk, Arc::clone(&self.ratings), &self.app);
        tracker.spawn(chronicle::run(parts, stop));
        true
    }

    /// Ends the tasks and waits for them.
    async fn end(&self) {
        let (tracker, stop) = self.current().clone();
        stop.cancel();
        tracker.close();
        tracker.wait().await;
    }
}

impl LobbyWork for Lobby {
    fn start(&self) -> BoxFuture<'_, ()> {
        async {
            while !self.begin().await {
                self.end().await;
                tokio::time::sleep(AGAIN).await;
            }
            self.tell(true);
        }
        .boxed()
    }

    fn stop(&self) -> BoxFuture<'_, ()> {
        async {
            self.end().await;
            self.tell(false);
        }
        .boxed()
    }

    fn abort(&self) {
        if self.flaw != Some(Flaw::TwoLobbies) {
            self.current().1.cancel();
            self.tell(false);
        }
    }
}
