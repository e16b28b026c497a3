//! Bodies of requests about accounts, and how the answers are filled.

use std::fmt::Display;

use schemars::JsonSchema;
use serde::Deserialize;
use tilewire_people::accounts::{Account, Origin, Role, Session};
use tilewire_people::conduct::Conduct;
use tilewire_people::handles;
use tilewire_people::invitations::InvitationsFrom;
use tilewire_people::moderation::Restraint;
use tilewire_people::relations::Relation;
use tilewire_people::vacations::Vacations;
use tilewire_protocol::{ErrorCode, http};
use tilewire_rules::time::Timestamp;

use super::letters::{MailProofBody, letters, mail};
use super::refusal::Refusal;
use tilewire_accounts::identity::Issued;
use tilewire_accounts::people::SignedIn;
use tilewire_store::{Erasure, StoredRestriction};

/// The fewest characters of a search.
const SEARCH_MIN_CHARS: usize = 2;

/// Registers the guest of the token.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Register {
    /// The handle: 3 to 20 letters and digits of one script, with single `_` and `-` between them.
    #[schemars(length(min = 3, max = 20))]
    pub(super) handle: String,
    /// The password: at least 10 characters, and not easy to guess. A player with a mail address can do without.
    #[serde(default)]
    #[schemars(length(min = 10, max = 128))]
    pub(super) password: Option<String>,
    /// A code to register, which proves a mail address.
    #[serde(default)]
    pub(super) mail: Option<MailProofBody>,
    /// Whether a program plays; its rated games are in pools of bots. An account is a bot from the beginning or never.
    #[serde(default)]
    pub(super) bot: bool,
    /// The program and the machine, for the list of sessions.
    #[serde(default)]
    pub(super) label: String,
}

/// Logs a player in.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LogIn {
    /// The handle, in any case.
    pub(super) handle: String,
    /// The password.
    pub(super) password: String,
    /// The program and the machine, for the list of sessions.
    #[serde(default)]
    pub(super) label: String,
}

/// Sets a new password with a recovery code.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Recover {
    /// The handle, in any case.
    pub(super) handle: String,
    /// One of the recovery codes. Case, blanks and hyphens do not count.
    pub(super) code: String,
    /// The new password.
    #[schemars(length(min = 10, max = 128))]
    pub(super) password: String,
    /// The program and the machine, for the list of sessions.
    #[serde(default)]
    pub(super) label: String,
}

/// Changes the password.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ChangePassword {
    /// The current password.
    pub(super) current: String,
    /// The new password.
    #[schemars(length(min = 10, max = 128))]
    pub(super) new: String,
}

/// Confirms a request with the password.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Confirm {
    /// The current password.
    pub(super) password: String,
}

/// Changes the handle: at most once in 30 days.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ChangeHandle {
    /// The new handle.
    #[schemars(length(min = 3, max = 20))]
    pub(super) handle: String,
}

/// Sets the players that may invite this player.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TakeInvitations {
    /// The players. Nobody is told.
    pub(super) from: http::Inviters,
}

/// Begins a vacation, or makes it longer.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TakeVacation {
    /// The days of 24 hours.
    #[schemars(range(min = 1, max = 30))]
    pub(super) days: i64,
}

/// Returns the vacation of a player at a time.
pub(super) fn vacation(now: Timestamp, vacations: &Vacations) -> http::Vacation {
    http::Vacation {
        until: vacations.until(now).map(|until| until.0),
        days_left: vacations.left(now),
        server_time: now.0,
    }
}

/// Asks to be erased.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AskErasure {
    /// The own handle, in any case, to confirm; of a guest, the display name.
    pub(super) handle: String,
}

/// Returns the wish to be erased.
pub(super) fn erasure(wish: &Erasure) -> http::Erasure {
    http::Erasure {
        asked_at: wish.asked_at.0,
        erased_at: wish.due_at.0,
    }
}

/// Switches the chat of this player on or off.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SwitchChat {
    /// Whether chat is on. While it is off, the player is in no room, and nobody can write to the player.
    pub(super) enabled: bool,
}

/// Returns the conduct of a player with these restrictions, which are in force.
pub(super) fn conduct(conduct: Conduct, restrictions: &[StoredRestriction]) -> http::Conduct {
    let mut waiting = restrictions.iter();
    let waiting = waiting.find(|restriction| restriction.restraint == Restraint::Wait);
    let until = waiting.and_then(|restriction| restriction.until);
    http::Conduct {
        points: conduct.points,
        waiting_until: until.map(|until| until.0),
    }
}

/// Which players.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayersQuery {
    /// The start of a handle, in any case, or what looks like it: 2 to 20 characters.
    #[schemars(length(min = 2, max = 20))]
    name: String,
}

impl PlayersQuery {
    /// Returns the start of the handle.
    pub(super) fn checked(&self) -> Result<&str, Refusal> {
        let name = self.name.trim();
        if (SEARCH_MIN_CHARS..=handles::MAX_CHARS).contains(&name.chars().count()) {
            return Ok(name);
        }
        let message = format!(
            "a search takes {SEARCH_MIN_CHARS} to {} characters",
            handles::MAX_CHARS
        );
        Err(Refusal::field(
            ErrorCode::BadField.as_str(),
            "name",
            message,
        ))
    }
}

/// Returns the account as its player sees it.
pub(super) fn me(account: &Account) -> http::Me {
    let registration = account.registration.as_ref();
    http::Me {
        identity: account.identity.clone(),
        handle: registration.map(|registration| registration.handle.to_string()),
        origin: match account.origin {
            Origin::Server => "server",
            Origin::Site => "site",
        }
        .to_owned(),
        created_at: account.created_at.0,
        registered_at: registration.map(|registration| registration.at.0),
        bot: registration.is_some_and(|registration| registration.is_bot),
        roles: roles(account),
        recovery_codes_left: registration.map_or(0, |registration| registration.recovery.left()),
        invitations_from: inviters(account.invitations_from),
        chat: !account.has_no_chat,
        mail: mail(account),
        letters: letters(account),
        conduct: None,
        erased_at: None,
    }
}

const fn inviters(from: InvitationsFrom) -> http::Inviters {
    match from {
        InvitationsFrom::Anybody => http::Inviters::Anybody,
        InvitationsFrom::Followed => http::Inviters::Followed,
        InvitationsFrom::Nobody => http::Inviters::Nobody,
    }
}

impl TakeInvitations {
    /// Returns the players that may invite.
    pub(super) fn checked(&self) -> Result<InvitationsFrom, Refusal> {
        match self.from {
            http::Inviters::Anybody => Ok(InvitationsFrom::Anybody),
            http::Inviters::Followed => Ok(InvitationsFrom::Followed),
            http::Inviters::Nobody => Ok(InvitationsFrom::Nobody),
            http::Inviters::Unknown => Err(unknown_value("from", http::Inviters::ALL)),
        }
    }
}

/// Returns the player of an account; `None` for a guest.
pub(super) fn player(account: &Account) -> Option<http::Player> {
    let registration = account.registration.as_ref()?;
    Some(http::Player {
        identity: account.identity.clone(),
        handle: registration.handle.to_string(),
        registered_at: registration.at.0,
        bot: registration.is_bot,
        roles: roles(account),
        seen: http::SeenRelation::default(),
    })
}

/// Returns a relation as the player sees it.
pub(super) const fn seen(relation: Relation) -> http::SeenRelation {
    http::SeenRelation {
        followed: relation.is_followed,
        friend: relation.is_friend,
        blocked: relation.is_blocked,
    }
}

/// Returns the sessions of an account; `current` is that of the request.
pub(super) fn sessions(account: &Account, current: &str, now: Timestamp) -> http::Sessions {
    let line = |session: &Session| http::Session {
        id: session.family.clone(),
        label: session.label.clone(),
        created_at: session.created_at.0,
        used_at: session.used_at.0,
        current: session.family == current,
    };
    http::Sessions {
        sessions: account.sessions.iter().map(line).collect(),
        server_time: now.0,
    }
}

/// Returns a session with its token.
pub(super) fn signed_in(signed_in: SignedIn) -> http::SignedIn {
    let Issued { token, expires_at } = signed_in.issued;
    http::SignedIn {
        me: me(&signed_in.account),
        token,
        expires_at: expires_at.map(|at| at.0),
        recovery_codes: signed_in.recovery_codes,
    }
}

/// Returns the session after a change of the password.
pub(super) fn password_changed(signed_in: SignedIn) -> http::PasswordChanged {
    let Issued { token, expires_at } = signed_in.issued;
    http::PasswordChanged {
        me: me(&signed_in.account),
        token,
        expires_at: expires_at.map(|at| at.0),
    }
}

pub(super) fn roles(account: &Account) -> Vec<String> {
    account
        .roles
        .iter()
        .copied()
        .map(Role::name)
        .map(str::to_owned)
        .collect()
}

/// Returns the refusal of a value that a field does not have.
pub(super) fn unknown_value(field: &'static str, values: &[impl Display]) -> Refusal {
    let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    let message = format!("`{field}` is one of {}", values.join(", "));
    Refusal::field(ErrorCode::BadField.as_str(), field, message)
}
