//! The proof of an identity, and the reasons why a token proves none.

use tilewire_protocol::{CloseCode, ErrorBody, ErrorCode, ErrorDetail};
use tilewire_rules::time::Timestamp;

use tilewire_base::clock::time_text;
use tilewire_base::ids::is_of_site;

/// The reasons why a token is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// No key in use has signed it, or it is for another server.
    #[error("the token is not from this server")]
    Foreign,
    /// It has expired.
    #[error("the token has expired")]
    Expired,
    /// It is not valid yet.
    #[error("the token is not valid yet")]
    Early,
    /// The operator revoked it, or the key that signed it.
    #[error("the token has been revoked")]
    Revoked,
    /// The operator revoked the identity.
    #[error("the operator has revoked your access{}", because(reason.as_deref()))]
    Barred {
        /// The operator's reason, for the player.
        reason: Option<String>,
    },
    /// A moderator suspended the player.
    #[error("a moderator has suspended you{}: {reason}", ending(until.as_ref()))]
    Suspended {
        /// When the suspension ends, if it does by itself.
        until: Option<Timestamp>,
        /// The moderator's reason, for the player.
        reason: String,
    },
    /// The player asked to be erased, and that has taken effect.
    #[error("you asked to be erased, and your account no longer exists")]
    Erased,
}

/// Returns the end of a sentence that says until when something lasts.
fn ending(until: Option<&Timestamp>) -> String {
    until.map_or_else(String::new, |until| format!(" until {}", time_text(*until)))
}

/// Returns the end of a sentence that gives a reason, if there is one.
fn because(reason: Option<&str>) -> String {
    reason.map_or_else(String::new, |reason| format!(": {reason}"))
}

impl TokenError {
    /// Returns the error for a client that shows the token.
    #[must_use]
    pub fn for_client(&self) -> ErrorBody {
        let code = match self {
            Self::Barred { .. } | Self::Erased => ErrorCode::Revoked,
            Self::Suspended { until, reason } => {
                let detail = ErrorDetail {
                    until: until.map(|until| until.0),
                    reason: Some(reason.clone()),
                    ..ErrorDetail::default()
                };
                return ErrorBody::new(ErrorCode::Revoked, self.to_string()).with_detail(detail);
            }
            Self::Foreign | Self::Expired | Self::Early | Self::Revoked => ErrorCode::BadToken,
        };
        ErrorBody::new(code, self.to_string())
    }

    /// Returns the code for closing a connection with the token.
    #[must_use]
    pub const fn close_code(&self) -> CloseCode {
        match self {
            Self::Barred { .. } | Self::Suspended { .. } | Self::Erased => CloseCode::Revoked,
            Self::Foreign | Self::Expired | Self::Early | Self::Revoked => CloseCode::BadToken,
        }
    }
}

/// An identity that a token proved, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The identity.
    pub identity: String,
    /// The family; empty while no token has been issued.
    pub family: String,
    /// The server's key that signed; `None` if the site signed, or no token exists yet.
    pub kid: Option<String>,
    /// When the server's token expires.
    pub expires_at: Option<Timestamp>,
    /// The name that the site gives its user; only a token of the site has it.
    pub name: Option<String>,
    /// Whether the site gives its user a name, so that the user cannot choose one.
    pub is_named_by_site: bool,
    /// Whether the site switches chat off for its user.
    pub has_no_chat: bool,
}

impl Pass {
    /// Returns the pass of an identity that shows no token: a new guest, or a player to whom the operator gives one. A user
    /// of the site keeps the name.
    #[must_use]
    pub fn without_token(identity: String, family: String) -> Self {
        Self {
            is_named_by_site: is_of_site(&identity),
            identity,
            family,
            kid: None,
            expires_at: None,
            name: None,
            has_no_chat: false,
        }
    }
}
