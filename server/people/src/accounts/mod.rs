//! The account of one player as plain data, and the machine that changes it.
//!
//! [`Account::handle`] receives the time and an input, and returns effects or a refusal. It applies an input completely or
//! not at all. The caller stores the account and carries out the effects in one transaction, and answers after that.
//! Passwords are verified outside ([`crate::passwords::verify`]), because that takes long.

mod input;
mod limits;
mod machine;
mod roles;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Timestamp;

use crate::codes::RecoveryCodes;
use crate::handles::Handle;
use crate::invitations::InvitationsFrom;
use crate::letters::LetterChoices;
use crate::passwords::PasswordHash;
use crate::pushes::PushChoices;

pub use input::{Effect, Holder, Input, NewRegistration, NewSession, Notice, Proof, Refusal};
pub use limits::{SignInBounds, SignInLimits, TYPED_MAX_CHARS, Try};
pub use machine::{log_in, recover};
pub use roles::{Actor, Role};

/// The most sessions of an account. One more revokes the session that was not used for the longest time.
pub const SESSIONS_MAX: usize = 50;
/// The most characters of a session's label; the rest is cut off.
pub const LABEL_MAX_CHARS: usize = 60;
/// The most characters of a reason for an action of a moderator or an admin.
pub const REASON_MAX_CHARS: usize = 500;

/// Everything the server knows about one identity, apart from its games.
///
/// A guest has an account without a [`Registration`]. Registration keeps the identity, so games, seats and tokens stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The identity; never changes.
    pub identity: String,
    /// The authority that vouches for the identity.
    pub origin: Origin,
    /// When the identity was made.
    pub created_at: Timestamp,
    /// The registration; `None` for a guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Registration>,
    /// The sessions, oldest first: families of tokens.
    #[serde(default)]
    pub sessions: Vec<Session>,
    /// The roles.
    #[serde(default)]
    pub roles: BTreeSet<Role>,
    /// The suspension, if there is one. It can be over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspension: Option<Suspension>,
    /// The players whose invitations the player accepts.
    #[serde(default, skip_serializing_if = "InvitationsFrom::is_default")]
    pub invitations_from: InvitationsFrom,
    /// Whether the player has switched chat off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_no_chat: bool,
    /// The letters that the player wants.
    #[serde(default, skip_serializing_if = "LetterChoices::is_default")]
    pub letters: LetterChoices,
    /// The pushes that the player wants.
    #[serde(default, skip_serializing_if = "PushChoices::is_default")]
    pub pushes: PushChoices,
}

/// The authority that vouches for an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// This server.
    Server,
    /// The embedding site: it has the password and gives the name.
    Site,
}

/// The data that a registered player has and a guest does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// The unique name.
    pub handle: Handle,
    /// Whether a program plays: an external bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bot: bool,
    /// When the player registered.
    pub at: Timestamp,
    /// When the handle was changed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle_changed_at: Option<Timestamp>,
    /// Earlier handles, oldest first.
    #[serde(default)]
    pub former_handles: Vec<FormerHandle>,
    /// The hash of the password; `None` if the player logs in by mail or through the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<PasswordHash>,
    /// The unused recovery codes.
    #[serde(default)]
    pub recovery: RecoveryCodes,
    /// The confirmed mail address, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<String>,
}

/// A handle that the player gave up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerHandle {
    /// The handle.
    pub handle: Handle,
    /// Until when nobody else can take it.
    pub reserved_until: Timestamp,
}

/// A session: all tokens that were renewed, one from the other, since a login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The name of the family of tokens; part of every token.
    pub family: String,
    /// The program and the machine, for the player's list of sessions.
    pub label: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was used last, as exactly as the caller reports it.
    pub used_at: Timestamp,
}

/// A suspension: the player cannot log in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// When it began.
    pub at: Timestamp,
    /// When it ends; `None`: when a moderator ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// The reason, for the player.
    pub reason: String,
}

impl Account {
    /// Returns the account of a new guest.
    #[must_use]
    pub fn guest(identity: impl Into<String>, now: Timestamp) -> Self {
        Self {
            identity: identity.into(),
            origin: Origin::Server,
            created_at: now,
            registration: None,
            sessions: Vec::new(),
            roles: BTreeSet::new(),
            suspension: None,
            invitations_from: InvitationsFrom::default(),
            has_no_chat: false,
            letters: LetterChoices::default(),
            pushes: PushChoices::default(),
        }
    }

    /// Returns the account of a user of the embedding site, with a handle made from the user's name
    /// ([`Handle::from_site_name`]). The caller claims the handle.
    #[must_use]
    pub fn of_site(identity: impl Into<String>, handle: Handle, now: Timestamp) -> Self {
        Self {
            origin: Origin::Site,
            registration: Some(Registration {
                handle,
                is_bot: false,
                at: now,
                handle_changed_at: None,
                former_handles: Vec::new(),
                password: None,
                recovery: RecoveryCodes::default(),
                mail: None,
            }),
            ..Self::guest(identity, now)
        }
    }

    /// Returns whether the player is suspended at this time.
    #[must_use]
    pub fn is_suspended(&self, now: Timestamp) -> bool {
        let suspension = self.suspension.as_ref();
        suspension.is_some_and(|suspension| suspension.until.is_none_or(|until| now < until))
    }

    /// Returns the stored hash of the password, for [`crate::passwords::verify`].
    #[must_use]
    pub fn password(&self) -> Option<&PasswordHash> {
        self.registration.as_ref()?.password.as_ref()
    }

    /// Returns the highest role.
    #[must_use]
    pub fn highest_role(&self) -> Option<Role> {
        self.roles.last().copied()
    }

    /// Returns a session.
    #[must_use]
    pub fn session(&self, family: &str) -> Option<&Session> {
        self.sessions
            .iter()
            .find(|session| session.family == family)
    }
}

#[cfg(test)]
mod tests;
