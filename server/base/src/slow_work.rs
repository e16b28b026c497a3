//! Work that takes too long for the threads of the runtime.

use tilewire_people::passwords::Cost;
use tokio::task::JoinError;

/// Where slow work is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SlowWork {
    /// On a thread of its own.
    #[default]
    OnThread,
    /// In place and with the least work, so that a simulation is the same each time, and short.
    InPlace,
}

impl SlowWork {
    /// Returns the work of the hash of a password.
    #[must_use]
    pub const fn of_password(self) -> Cost {
        match self {
            Self::OnThread => Cost::Usual,
            Self::InPlace => Cost::Least,
        }
    }

    /// Does the work and returns its outcome.
    ///
    /// # Errors
    /// When the runtime ends before the work is done, or the work panics on its thread.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        match self {
            Self::OnThread => tokio::task::spawn_blocking(work).await,
            Self::InPlace => Ok(work()),
        }
    }
}
