//! Why a request about an account failed.

use tilewire_people::accounts::Refusal;
use tilewire_people::codes::MailCodeError;
use tilewire_people::handles::HandleError;
use tilewire_people::letters::NoAddress;
use tilewire_people::moderation;
use tilewire_people::passwords::PasswordError;
use tilewire_people::relations;
use tilewire_people::vacations;
use tilewire_protocol::ErrorBody;
use tilewire_rules::time::Millis;

use tilewire_store::StoreError;

/// Why a request about an account failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The account refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The player may not follow or block the other one.
    #[error(transparent)]
    Relation(#[from] relations::Refusal),
    /// The vacation was not changed.
    #[error(transparent)]
    Vacation(#[from] vacations::Refusal),
    /// The report or the act of a moderator is refused.
    #[error(transparent)]
    Moderation(#[from] moderation::Refusal),
    /// The text cannot be a handle.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// The text cannot be a new password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The token is refused.
    #[error("{}", .0.message)]
    Token(ErrorBody),
    /// No player has this handle.
    #[error("no player has this handle")]
    UnknownPlayer,
    /// Too many registrations came from the address.
    #[error("too many players have registered from this address")]
    TooManyRegistrations {
        /// The time left to wait.
        wait_ms: Millis,
    },
    /// Too many reports of players came from the address.
    #[error("too many reports have come from this address")]
    TooManyReports {
        /// The time left to wait.
        wait_ms: Millis,
    },
    /// Too many codes were asked for, from the client's address or for the mail address.
    #[error("too many codes were asked for")]
    TooManyCodes {
        /// The time left to wait.
        wait_ms: Millis,
    },
    /// The server sends no letters.
    #[error("this server sends no mail")]
    MailOff,
    /// The server sends no pushes.
    #[error("this server sends no pushes")]
    PushOff,
    /// The address is none that pushes may go to.
    #[error("the endpoint {0}")]
    Endpoint(&'static str),
    /// The keys of the browser are none.
    #[error("these are not the keys of a push subscription")]
    PushKeys,
    /// The browser has subscribed with another key than the newest.
    #[error("the key has changed; ask for it again")]
    PushKeyChanged,
    /// The player has as many devices as allowed.
    #[error("you have {most} devices with pushes already; remove one first")]
    TooManyDevices {
        /// The most.
        most: usize,
    },
    /// The player has no such device.
    #[error("there is no such device")]
    UnknownDevice,
    /// The text is no mail address.
    #[error(transparent)]
    Address(#[from] NoAddress),
    /// The code is refused.
    #[error(transparent)]
    Code(#[from] MailCodeError),
    /// Too many exports went to the address.
    #[error("too many exports went to this address")]
    TooManyExports {
        /// The time left to wait.
        wait_ms: Millis,
    },
    /// The name that was typed to confirm is another one.
    #[error("to confirm, send your own handle; of a guest, the display name")]
    NotConfirmed,
    /// Nothing waits that could be taken back.
    #[error("no erasure waits that you could take back")]
    NoErasure,
    /// Too many passwords wait to be hashed, or the account changes all the time.
    #[error("the server is busy; try again")]
    Busy,
    /// The storage does not answer, or the outcome of the change is unknown.
    #[error("the storage does not answer")]
    Storage,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "an account could not be read or written");
        Self::Storage
    }
}
