//! The lobby as an admin has closed it: no game begins, and games go on. A restart opens it again.

use std::sync::{PoisonError, RwLock};

use tilewire_protocol::{ErrorCode, ErrorDetail};
use tilewire_rules::time::Timestamp;

use crate::wire::Refusal;

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
