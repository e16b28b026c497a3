//! Stops the server and starts it again; measures the time until it is ready and until all clients have resumed.

use std::time::Duration;

use anyhow::{Result, bail};

use super::Testbed;
use crate::host;

/// How long the clients may take to notice that the server stopped.
const NOTICE_WITHIN: Duration = Duration::from_secs(30);

/// How a server is shut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shutdown {
    /// Killed, as in a power cut.
    Killed,
    /// Stopped gracefully.
    Stopped,
}

/// The recovery times, from the start of the new process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recovery {
    /// Until the server was ready.
    pub(crate) ready: Duration,
    /// Until all clients with unfinished games were attached again; `None` if some clients were too late.
    pub(crate) all_back: Option<Duration>,
}

impl Testbed {
    /// Shuts the server down and starts it again; waits at most `within` for all clients to resume.
    ///
    /// # Errors
    /// If the server does not stop or start, or clients do not notice that it stopped.
    pub(crate) async fn outage(
        &mut self,
        what: &str,
        exit: Shutdown,
        within: Duration,
    ) -> Result<Recovery> {
        match exit {
            Shutdown::Killed => self.server.kill()?,
            Shutdown::Stopped => self.server.stop().await?,
        }
        // A client that has not noticed yet would count as resumed.
        let have_noticed = self.wait_until(what, NOTICE_WITHIN, |_| self.attached() == 0);
        if !have_noticed.await {
            let attached = self.attached();
            bail!("{attached} clients did not notice that the server stopped");
        }
        let began = host::now();
        let ready = self.start_again().await?;
        let are_back = self.wait_until(what, within, |_| self.interrupted() == 0);
        let all_back = are_back.await.then(|| began.elapsed());
        Ok(Recovery { ready, all_back })
    }

    /// Starts the server again; returns how long it took.
    async fn start_again(&mut self) -> Result<Duration> {
        self.restarts += 1;
        self.server.start(&self.cores.clients).await
    }

    /// An error message with the number of clients that have not resumed.
    pub(crate) fn missing(&self) -> String {
        let (interrupted, errors) = (self.interrupted(), self.shared.errors());
        format!("{interrupted} clients did not resume: {errors:?}")
    }

    fn attached(&self) -> u64 {
        self.shared.recorder.presence.attached() + self.fleet.attached()
    }

    fn interrupted(&self) -> u64 {
        self.shared.recorder.presence.interrupted() + self.fleet.interrupted()
    }
}
