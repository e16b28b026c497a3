//! Errors of the storage contracts.

use futures::future::BoxFuture;

/// The answer of the storage. It is an error when the storage does not answer, or does not take a change. A change that has failed may
/// be stored all the same: a caller that needs to know reads it again.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Why an append is not known to be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The log does not end at [`super::Append::after`]; nothing was stored.
    #[error("the log ends at {head}")]
    Conflict {
        /// `seq` of the last stored record; 0 when there is no such game.
        head: u64,
    },
    /// The storage cannot take the change now; nothing was stored. The caller may retry.
    #[error("the storage cannot take it now: {0}")]
    Unavailable(String),
    /// The storage does not know whether it stored the change. The caller must not repeat it: it calls
    /// [`super::Journal::load`], whose answer is final.
    #[error("it is not known whether it was stored: {0}")]
    OutcomeUnknown(String),
    /// Another node owns the game; nothing was stored. The caller drops the game from memory, announces nothing and
    /// never retries. A database with one server never returns this.
    #[error("another node owns the game")]
    Fenced,
}

/// Why something was not read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The storage does not answer now. The caller may retry later.
    #[error("the storage does not answer now: {0}")]
    Unavailable(String),
    /// The stored data cannot be decoded. A retry does not help.
    #[error("what is stored cannot be understood: {0}")]
    Corrupt(String),
}

impl AppendError {
    /// Converts the error for callers that do not care whether the change was stored.
    #[must_use]
    pub fn into_store_error(self) -> StoreError {
        match self {
            Self::Unavailable(why) | Self::OutcomeUnknown(why) => StoreError::Unavailable(why),
            Self::Conflict { .. } | Self::Fenced => StoreError::Unavailable(self.to_string()),
        }
    }
}
