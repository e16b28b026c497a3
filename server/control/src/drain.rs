//! The lobby as an admin has closed it: no game begins, and games go on. A restart opens it again; of several servers, the next one
//! with the lobby reads from the audit that it is closed.

use std::sync::{PoisonError, RwLock};

use tilewire_people::moderation::operation;
use tilewire_protocol::{ErrorCode, ErrorDetail};
use tilewire_rules::time::Timestamp;

use tilewire_store::{ModerationStore, StoreError};
use tilewire_wire::Refusal;

/// A closed lobby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// When it was closed.
    pub since: Timestamp,
    /// The reason, which players read.
    pub reason: String,
}

/// Whether games may begin.
#[derive(Debug, Default)]
pub struct Drain(RwLock<Option<Closed>>);

impl Drain {
    /// The target of the entries of the audit.
    pub const TARGET: &'static str = "lobby";
    /// The operation that closes the lobby.
    pub const CLOSED: &'static str = "lobby_closed";
    /// The operation that opens it.
    pub const OPENED: &'static str = "lobby_opened";

    /// Reads from the audit whether the lobby is closed: another server may have closed it.
    ///
    /// # Errors
    /// When the storage does not answer; everything stays as it is.
    pub async fn reread(&self, store: &dyn ModerationStore) -> Result<(), StoreError> {
        let newest = store.entries(Some(Self::TARGET), None, 1).await?;
        let closed = newest.into_iter().next().and_then(|entry| {
            let (name, _) = operation(&entry.action.action)?;
            (name == Self::CLOSED).then(|| Closed {
                since: entry.at,
                reason: entry.action.reason.trim().to_owned(),
            })
        });
        self.set(closed);
        Ok(())
    }

    /// Returns since when the lobby is closed, and why; `None` if it is open.
    #[must_use]
    pub fn closed(&self) -> Option<Closed> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Closes the lobby, or opens it.
    pub fn set(&self, closed: Option<Closed>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = closed;
    }

    /// Refuses to begin a game while the lobby is closed.
    ///
    /// # Errors
    /// [`ErrorCode::LobbyClosed`] with the reason.
    pub fn check(&self) -> Result<(), Refusal> {
        let Some(closed) = self.closed() else {
            return Ok(());
        };
        let message = format!("no games begin now: {}", closed.reason);
        let mut refusal = Refusal::new(ErrorCode::LobbyClosed, message);
        *refusal.detail = ErrorDetail {
            reason: Some(closed.reason),
            ..ErrorDetail::default()
        };
        Err(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_lobby_says_why() {
        let drain = Drain::default();
        assert!(drain.check().is_ok());
        let closed = Closed {
            since: Timestamp(1),
            reason: "a new version".to_owned(),
        };
        drain.set(Some(closed));
        let refusal = drain.check().expect_err("closed");
        assert_eq!(refusal.code, ErrorCode::LobbyClosed);
        assert_eq!(refusal.detail.reason.as_deref(), Some("a new version"));
        drain.set(None);
        assert!(drain.check().is_ok());
    }
}
