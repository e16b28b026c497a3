//! The one form of errors: a stable code, words for people, and details for programs.

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use tilewire_people::accounts::Refusal as AccountRefusal;
use tilewire_people::moderation;
use tilewire_people::vacations;
use tilewire_protocol::{ErrorBody, ErrorCode, ErrorDetail};
use tilewire_rules::time::Millis;

use tilewire_accounts::people::Failure;

/// The time after which a client may ask a busy server again.
const BUSY_RETRY: Millis = Millis(1_000);

/// An error. The fields are those of the protocol's `error`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(super) struct ApiError {
    /// The error, for programs: a code of the protocol, or one of this API.
    pub(super) code: String,
    /// The error, for people.
    pub(super) message: String,
    /// Whether the same request, unchanged, may succeed later.
    pub(super) retryable: bool,
    /// Details that a client may need to react.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<Box<ErrorDetail>>,
}

/// An error with its HTTP status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) body: ApiError,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let body = ApiError {
            code: code.to_owned(),
            message: message.into(),
            retryable: false,
            detail: None,
        };
        Self { status, body }
    }

    /// The body has a wrong field, or is not JSON.
    pub(super) fn field(code: &str, field: &str, message: impl Into<String>) -> Self {
        let detail = ErrorDetail {
            field: Some(field.to_owned()).filter(|field| !field.is_empty()),
            ..ErrorDetail::default()
        };
        Self::new(StatusCode::BAD_REQUEST, code, message).with(detail)
    }

    /// Nothing is at the path, or not what the request names.
    pub(super) fn not_found(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// The request needs a token.
    pub(super) fn no_token() -> Self {
        let code = ErrorCode::NotAuthenticated.as_str();
        let message = "this needs `Authorization: Bearer` with a token";
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    fn with(mut self, detail: ErrorDetail) -> Self {
        self.body.detail = Some(Box::new(detail));
        self
    }

    /// The same request may succeed after a wait.
    fn later(self, wait: Millis) -> Self {
        let mut waiting = self.with(ErrorDetail {
            retry_after_ms: Some(wait.0),
            ..ErrorDetail::default()
        });
        waiting.body.retryable = true;
        waiting
    }

    /// The same request may succeed soon.
    pub(super) fn busy(self) -> Self {
        self.later(BUSY_RETRY)
    }

    /// Returns the time after which the client may ask again.
    pub(super) fn retry_after(&self) -> Option<Millis> {
        self.body.detail.as_ref()?.retry_after_ms.map(Millis)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Refused(refusal) => Self::from(refusal),
            Failure::Handle(error) => Self::field(error.code(), "handle", message),
            Failure::Password(error) => Self::field(error.code(), "password", message),
            Failure::Relation(refusal) => Self::new(StatusCode::CONFLICT, refusal.code(), message),
            Failure::Moderation(refusal) => Self::from(refusal),
            Failure::Vacation(refusal @ vacations::Refusal::BadDays) => {
                Self::field(refusal.code(), "days", message)
            }
            Failure::Vacation(refusal) => Self::new(StatusCode::CONFLICT, refusal.code(), message),
            Failure::Token(body) => Self::from(body),
            Failure::UnknownPlayer => Self::new(StatusCode::NOT_FOUND, "unknown_player", message),
            Failure::NotConfirmed => Self::field("not_confirmed", "handle", message),
            Failure::NoErasure => Self::new(StatusCode::NOT_FOUND, "no_erasure", message),
            Failure::TooManyRegistrations { wait_ms }
            | Failure::TooManyReports { wait_ms }
            | Failure::TooManyExports { wait_ms } => {
                let code = ErrorCode::RateLimited.as_str();
                Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).later(wait_ms)
            }
            Failure::TooManyCodes { wait_ms } => {
                let code = ErrorCode::RateLimited.as_str();
                Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).later(wait_ms)
            }
            Failure::MailOff => Self::new(StatusCode::NOT_FOUND, "mail_off", message),
            Failure::PushOff => Self::new(StatusCode::NOT_FOUND, "push_off", message),
            Failure::Endpoint(_) => Self::field("bad_endpoint", "endpoint", message),
            Failure::PushKeys => Self::field("bad_push_keys", "keys", message),
            Failure::PushKeyChanged => Self::new(StatusCode::CONFLICT, "push_key_changed", message),
            Failure::TooManyDevices { .. } => {
                Self::new(StatusCode::CONFLICT, "too_many_devices", message)
            }
            Failure::UnknownDevice => Self::new(StatusCode::NOT_FOUND, "unknown_device", message),
            Failure::Address(error) => Self::field(error.code(), "address", message),
            Failure::Code(error) => Self::new(StatusCode::FORBIDDEN, error.code(), message),
            Failure::Busy => {
                let code = ErrorCode::Busy.as_str();
                Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message).later(BUSY_RETRY)
            }
            Failure::Storage => {
                let code = ErrorCode::StoragePaused.as_str();
                Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message).later(BUSY_RETRY)
            }
        }
    }
}

impl From<AccountRefusal> for Refusal {
    fn from(refusal: AccountRefusal) -> Self {
        let status = match &refusal {
            AccountRefusal::BadCredentials
            | AccountRefusal::WrongProof
            | AccountRefusal::NotRegistered
            | AccountRefusal::SiteAccount
            | AccountRefusal::Suspended { .. }
            | AccountRefusal::Forbidden => StatusCode::FORBIDDEN,
            AccountRefusal::TooManyTries { .. } => StatusCode::TOO_MANY_REQUESTS,
            AccountRefusal::SessionEnded => StatusCode::UNAUTHORIZED,
            AccountRefusal::NoSuchSession => StatusCode::NOT_FOUND,
            AccountRefusal::AlreadyRegistered
            | AccountRefusal::MailTaken
            | AccountRefusal::HandleTaken
            | AccountRefusal::HandleChangedRecently { .. }
            | AccountRefusal::NoChange => StatusCode::CONFLICT,
            AccountRefusal::NoCredential | AccountRefusal::BadReason => StatusCode::BAD_REQUEST,
        };
        let refused = Self::new(status, refusal.code(), refusal.to_string());
        match refusal {
            AccountRefusal::TooManyTries { wait_ms } => refused.later(wait_ms),
            AccountRefusal::HandleChangedRecently { until } => refused.with(ErrorDetail {
                until: Some(until.0),
                ..ErrorDetail::default()
            }),
            AccountRefusal::Suspended { until, reason } => refused.with(ErrorDetail {
                until: until.map(|until| until.0),
                reason: Some(reason),
                ..ErrorDetail::default()
            }),
            AccountRefusal::HandleTaken => refused.with(ErrorDetail {
                field: Some("handle".to_owned()),
                ..ErrorDetail::default()
            }),
            AccountRefusal::BadCredentials
            | AccountRefusal::WrongProof
            | AccountRefusal::SessionEnded
            | AccountRefusal::NoSuchSession
            | AccountRefusal::AlreadyRegistered
            | AccountRefusal::NotRegistered
            | AccountRefusal::SiteAccount
            | AccountRefusal::NoCredential
            | AccountRefusal::MailTaken
            | AccountRefusal::Forbidden
            | AccountRefusal::BadReason
            | AccountRefusal::NoChange => refused,
        }
    }
}

impl From<moderation::Refusal> for Refusal {
    fn from(refusal: moderation::Refusal) -> Self {
        use moderation::Refusal as Why;
        let (code, message) = (refusal.code(), refusal.to_string());
        match refusal {
            Why::Account(refusal) => refusal.into(),
            Why::BadWords => Self::field(code, "words", message),
            Why::BadUntil => Self::field(code, "until", message),
            Why::BadLines => Self::field(code, "lines", message),
            Why::TooManyReports { until } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).with(ErrorDetail {
                    until: Some(until.0),
                    ..ErrorDetail::default()
                })
            }
            Why::UnknownLine | Why::UnknownReport | Why::UnknownAct => {
                Self::new(StatusCode::NOT_FOUND, code, message)
            }
            Why::Yourself | Why::CannotUndo | Why::NoChange => {
                Self::new(StatusCode::CONFLICT, code, message)
            }
        }
    }
}

/// The error of a token.
impl From<ErrorBody> for Refusal {
    fn from(error: ErrorBody) -> Self {
        let status = match error.code {
            ErrorCode::Revoked => StatusCode::FORBIDDEN,
            ErrorCode::BadToken => StatusCode::UNAUTHORIZED,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        let mut refused = Self::new(status, error.code.as_str(), error.message);
        refused.body.detail = error.detail;
        match error.retryable {
            true => refused.later(BUSY_RETRY),
            false => refused,
        }
    }
}
