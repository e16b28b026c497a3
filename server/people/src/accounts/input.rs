//! The inputs of the account machine, and their effects.

use serde::{Deserialize, Serialize};
use tilewire_rules::time::{Millis, Timestamp};

use super::roles::{Actor, Role};
use crate::audit::Action;
use crate::codes::RecoveryCodes;
use crate::handles::{Handle, HandleKey};
use crate::invitations::InvitationsFrom;
use crate::letters::LetterChoices;
use crate::passwords::{PasswordHash, Verified};
use crate::pushes::PushChoices;

/// The data that a guest registers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRegistration {
    /// The handle.
    pub handle: Handle,
    /// Whether a program plays. An account is a bot from the beginning or never.
    pub is_bot: bool,
    /// The hash of the password.
    pub password: Option<PasswordHash>,
    /// The digests of the recovery codes that the player is shown.
    pub recovery: RecoveryCodes,
    /// The mail address, after the player has entered a code for it.
    pub mail: Option<String>,
}

/// Something that happens to an account. `by` names the session from which the player acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A guest registers. The account needs a password, a confirmed mail address, or both.
    Register {
        /// The data that the player registers with.
        new: NewRegistration,
        /// The account that the store knows under a handle with an equal key, if there is one.
        holder: Option<Holder>,
        /// The family of the guest's token, which ends: another person may know that token.
        guest: Option<String>,
        /// The session that begins.
        session: NewSession,
    },
    /// A player logs in. See [`super::log_in`].
    LogIn {
        /// The proof: a password or a mail code.
        proof: Proof,
        /// The session that begins.
        session: NewSession,
    },
    /// The operator issues a token to a player who has none: a session begins without a proof.
    OpenSession {
        /// The session that begins.
        session: NewSession,
    },
    /// A token of a session was used.
    Used {
        /// The session.
        by: String,
    },
    /// The player ends the session.
    LogOut {
        /// The session.
        by: String,
    },
    /// The player ends another session.
    RevokeSession {
        /// The session from which the player acts.
        by: String,
        /// The session that ends.
        family: String,
    },
    /// The player ends all other sessions.
    RevokeOtherSessions {
        /// The session that goes on.
        by: String,
    },
    /// The player changes the password. All sessions end, and one takes the place of that from which the player acts.
    ChangePassword {
        /// The session from which the player acts.
        by: String,
        /// The family of tokens of the session that takes its place.
        family: String,
        /// The proof: the current password or a mail code.
        proof: Proof,
        /// The hash of the new password.
        new: PasswordHash,
    },
    /// The player replaces the recovery codes.
    ReplaceRecoveryCodes {
        /// The session.
        by: String,
        /// The proof: the current password or a mail code.
        proof: Proof,
        /// The digests of the new codes.
        new: RecoveryCodes,
    },
    /// The player changes or removes the mail address.
    ChangeMail {
        /// The session.
        by: String,
        /// The proof: the current password, or a mail code sent to the current address.
        proof: Proof,
        /// The new address, after the player has entered a code for it.
        new: Option<String>,
    },
    /// The player changes the handle: at most once in [`crate::handles::CHANGE_EVERY`].
    ChangeHandle {
        /// The session.
        by: String,
        /// The new handle.
        handle: Handle,
        /// The account that the store knows under a handle with an equal key, if there is one.
        holder: Option<Holder>,
    },
    /// The player chooses the players that may invite. A user of an embedding site can choose too.
    TakeInvitations {
        /// The players.
        from: InvitationsFrom,
    },
    /// The player switches chat on or off. A user of an embedding site can do so too.
    SwitchChat {
        /// Whether chat is on from now on.
        is_on: bool,
    },
    /// The player chooses letters. A user of an embedding site can choose too.
    ChooseLetters {
        /// The letters.
        letters: LetterChoices,
    },
    /// The player chooses pushes.
    ChoosePushes {
        /// The pushes.
        pushes: PushChoices,
    },
    /// A player who cannot log in sets a new password. All sessions end. See [`super::recover`].
    Recover {
        /// The proof: a recovery code or a mail code.
        proof: Proof,
        /// The hash of the new password.
        new: PasswordHash,
        /// The session that begins.
        session: NewSession,
    },
    /// The operator or an admin gives the player a role.
    GrantRole {
        /// The person who acts.
        actor: Actor,
        /// The role.
        role: Role,
        /// The reason, for the audit.
        reason: String,
    },
    /// The operator or an admin takes a role away.
    RevokeRole {
        /// The person who acts.
        actor: Actor,
        /// The role.
        role: Role,
        /// The reason, for the audit.
        reason: String,
    },
    /// The operator, a moderator or an admin suspends the player. All sessions end.
    Suspend {
        /// The person who acts.
        actor: Actor,
        /// When the suspension ends; `None`: when somebody ends it.
        until: Option<Timestamp>,
        /// The reason, for the player and the audit.
        reason: String,
    },
    /// The operator, a moderator or an admin gives the player another handle.
    Rename {
        /// The person who acts.
        actor: Actor,
        /// The new handle.
        handle: Handle,
        /// The account that the store knows under a handle with an equal key, if there is one.
        holder: Option<Holder>,
        /// The reason, for the player and the audit.
        reason: String,
    },
    /// The operator, a moderator or an admin ends a suspension.
    Restore {
        /// The person who acts.
        actor: Actor,
        /// The reason, for the audit.
        reason: String,
    },
}

/// A session that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The name of the family of tokens.
    pub family: String,
    /// The program and the machine, for the list of sessions.
    pub label: String,
}

/// The account that has a handle, or has it reserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The identity.
    pub identity: String,
    /// Until when the handle is reserved, if the player has given it up.
    pub reserved_until: Option<Timestamp>,
}

/// The proof that a player is the owner of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A password was entered, and [`crate::passwords::verify`] compared it with the stored hash.
    Password(Verified),
    /// [`crate::codes::MailCode::attempt`] accepted a code for this purpose.
    MailCode,
    /// A recovery code, as the player typed it. Only a recovery accepts it.
    RecoveryCode(String),
}

/// An effect of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Store that the account has a handle with this key. The store refuses a key that another account has, and then nothing
    /// of the input takes effect.
    ClaimHandle(HandleKey),
    /// Store that the account has given up the handle with this key, and that it is reserved until this time.
    ReserveHandle {
        /// The key.
        key: HandleKey,
        /// Until when nobody else can take it.
        until: Timestamp,
    },
    /// Issue a token of this family and send it to the player.
    IssueToken {
        /// The family.
        family: String,
    },
    /// Send the pushes of one session to another one, which takes its place.
    MovePushes {
        /// The family of the session that ends.
        from: String,
        /// The family of the session that begins.
        to: String,
    },
    /// Refuse the tokens of these families from now on, and close their connections.
    RevokeFamilies(Vec<String>),
    /// Tell the player. With a mail address, also by mail.
    Notify(Notice),
    /// Append an entry to the audit.
    Audit(Action),
}

/// A message to a player about the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The password was changed.
    PasswordChanged,
    /// The account was recovered; all other sessions have ended.
    Recovered {
        /// The unused recovery codes.
        codes_left: usize,
    },
    /// The recovery codes were replaced.
    RecoveryCodesReplaced,
    /// The mail address was changed. The message goes to both addresses.
    MailChanged {
        /// The address before.
        old: Option<String>,
        /// The address now.
        new: Option<String>,
    },
    /// The player got a role or lost it.
    RolesChanged,
    /// The account was suspended.
    Suspended {
        /// When the suspension ends, if it does by itself.
        until: Option<Timestamp>,
        /// The reason.
        reason: String,
    },
    /// The suspension was ended.
    Restored,
}

/// Why an input was refused. The account is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The proof is wrong, or there is no such account, or it cannot log in. One refusal for all, so that nobody learns
    /// whether an account exists.
    #[error("these credentials do not belong to an account that can log in")]
    BadCredentials,
    /// The player has proved to be the owner, and is suspended.
    #[error("your account is suspended: {reason}")]
    Suspended {
        /// When the suspension ends, if it does by itself.
        until: Option<Timestamp>,
        /// The reason.
        reason: String,
    },
    /// The account or the address has entered too many wrong passwords or codes.
    #[error("too many wrong tries; wait {} s", (.wait_ms.0 + 999) / 1_000)]
    TooManyTries {
        /// The time left to wait.
        wait_ms: Millis,
    },
    /// A player who is logged in gave a wrong proof for a change.
    #[error("the current password or the code is wrong")]
    WrongProof,
    /// The session has ended, or there is none of this name.
    #[error("this session has ended; log in again")]
    SessionEnded,
    /// The player has no such other session.
    #[error("there is no such session")]
    NoSuchSession,
    /// The player has registered already.
    #[error("you have registered already")]
    AlreadyRegistered,
    /// The player is a guest.
    #[error("guests cannot do this; register first")]
    NotRegistered,
    /// The embedding site has the password and gives the name.
    #[error("the site that you log in with keeps your name and password")]
    SiteAccount,
    /// The account would have neither a password nor a mail address.
    #[error("an account needs a password or a mail address")]
    NoCredential,
    /// Another account has the mail address. The player has proved to read its mail.
    #[error("another account has this mail address; log in with it")]
    MailTaken,
    /// Another account has the handle, has it reserved, or has one that looks like it.
    #[error("this handle is taken, or looks like one that is")]
    HandleTaken,
    /// The handle was changed too recently.
    #[error("a handle can change once in 30 days")]
    HandleChangedRecently {
        /// When it can change again.
        until: Timestamp,
    },
    /// The person who acts has no role that allows it, or the target has a higher one.
    #[error("you may not do this")]
    Forbidden,
    /// The reason is empty or too long.
    #[error("give a reason of 1 to {} characters", super::REASON_MAX_CHARS)]
    BadReason,
    /// The player has the role already, or does not have it; or is not suspended.
    #[error("this changes nothing")]
    NoChange,
}

impl Refusal {
    /// Returns the stable code of the refusal.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BadCredentials => "bad_credentials",
            Self::Suspended { .. } => "suspended",
            Self::TooManyTries { .. } => "too_many_tries",
            Self::WrongProof => "wrong_proof",
            Self::SessionEnded => "session_ended",
            Self::NoSuchSession => "no_such_session",
            Self::AlreadyRegistered => "already_registered",
            Self::NotRegistered => "not_registered",
            Self::SiteAccount => "site_account",
            Self::NoCredential => "no_credential",
            Self::MailTaken => "mail_taken",
            Self::HandleTaken => "handle_taken",
            Self::HandleChangedRecently { .. } => "handle_changed_recently",
            Self::Forbidden => "forbidden",
            Self::BadReason => "bad_reason",
            Self::NoChange => "no_change",
        }
    }
}
