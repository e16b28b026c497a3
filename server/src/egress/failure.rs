//! The steps of a request, and how one fails.

use axum::http::StatusCode;
use tilewire_rules::time::Millis;

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The name has an address.
    Resolve,
    /// The address may be reached.
    Address,
    /// The other side takes the connection.
    Connect,
    /// TLS with a certificate that fits.
    Tls,
    /// The other side reads the request and answers it.
    Answer,
    /// The answer says that the request was taken.
    Status,
}

impl Stage {
    /// The names of all, in order.
    pub(crate) const NAMES: [&'static str; 6] = [
        Self::Resolve.name(),
        Self::Address.name(),
        Self::Connect.name(),
        Self::Tls.name(),
        Self::Answer.name(),
        Self::Status.name(),
    ];

    /// Returns the name in metrics and messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Address => "address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Answer => "answer",
            Self::Status => "status",
        }
    }
}

/// The head of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: StatusCode,
    /// How long the other side wants to be left alone, if it says so in seconds. The other form, a date, is not read.
    pub(crate) retry_after_ms: Option<Millis>,
}

/// A request that was not taken. Before [`Stage::Answer`] the other side has seen nothing of it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", stage.name())]
pub(crate) struct Failure {
    /// The step that failed.
    pub(crate) stage: Stage,
    /// Why.
    pub(crate) reason: String,
    /// The answer, at [`Stage::Status`].
    pub(crate) answer: Option<Answer>,
}

impl Failure {
    /// Returns the failure of a step before there is an answer.
    pub(super) fn new(stage: Stage, reason: &impl ToString) -> Self {
        Self {
            stage,
            reason: reason.to_string(),
            answer: None,
        }
    }

    /// Returns the failure of a request whose answer refuses it.
    pub(super) fn refused(answer: Answer) -> Self {
        Self {
            answer: Some(answer),
            ..Self::new(Stage::Status, &answer.status.as_u16())
        }
    }

    /// Returns how long the other side wants to be left alone.
    pub(crate) fn retry_after_ms(&self) -> Option<Millis> {
        self.answer.and_then(|answer| answer.retry_after_ms)
    }
}
