//! The server goes away and comes back: how long until it is ready, and until everybody follows again what they followed.

use std::time::Duration;

use anyhow::{Result, bail};

use super::Testbed;
use crate::host;

/// How long clients may take to notice that the server is gone.
const NOTICE_WITHIN: Duration = Duration::from_secs(30);

/// How a server goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shutdown {
    /// In the middle of everything, as in a power cut.
    Killed,
    /// In good order.
    Stopped,
}

/// How long it took to be as before, from the start of the new process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recovery {
    /// Until it said it was ready.
    pub(crate) ready: Duration,
    /// Until whoever had followed an unfinished game was let in again; `None` if somebody was not, in the time allowed.
    pub(crate) everybody: Option<Duration>,
}

impl Testbed {
    /// Lets the server go and starts it again; waits at most `within` for everybody to be back.
    ///
    /// # Errors
    /// When it does not go or come as it should, or clients do not notice that it is gone.
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
        // Whoever has not noticed yet would count as being back.
        let have_noticed = self.wait_until(what, NOTICE_WITHIN, |_| self.attached() == 0);
        if !have_noticed.await {
            let attached = self.attached();
            bail!("{attached} clients do not notice that the server is gone");
        }
        let began = host::now();
        let ready = self.start_again().await?;
        let are_back = self.wait_until(what, within, |_| self.interrupted() == 0);
        let everybody = are_back.await.then(|| began.elapsed());
        Ok(Recovery { ready, everybody })
    }

    /// Starts the server again; returns how long it took.
    async fn start_again(&mut self) -> Result<Duration> {
        self.restarts += 1;
        self.server.start(&self.cores.clients).await
    }

    /// How many are not back, for an error message.
    pub(crate) fn missing(&self) -> String {
        let (interrupted, errors) = (self.interrupted(), self.shared.errors());
        format!("{interrupted} clients did not come back: {errors:?}")
    }

    fn attached(&self) -> u64 {
        self.shared.recorder.presence.attached() + self.fleet.attached()
    }

    fn interrupted(&self) -> u64 {
        self.shared.recorder.presence.interrupted() + self.fleet.interrupted()
    }
}
