//! The steps of a request, and how one fails.

use axum::http::StatusCode;
use tilewire_rules::time::Millis;

use tilewire_base::request_stage::Stage;

/// The head of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// How long the other side wants to be left alone, if it says so in seconds. The other form, a date, is not read.
    pub retry_after_ms: Option<Millis>,
}

/// A request that was not taken. Before [`Stage::Answer`] the other side has seen nothing of it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", stage.name())]
pub struct Failure {
    /// The step that failed.
    pub stage: Stage,
    /// Why.
    pub reason: String,
    /// The answer, at [`Stage::Status`].
    pub answer: Option<Answer>,
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
    pub fn retry_after_ms(&self) -> Option<Millis> {
        self.answer.and_then(|answer| answer.retry_after_ms)
    }
}
