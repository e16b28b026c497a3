//! The bodies of requests and answers. The document of the API is generated from these types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tilewire_people::accounts::{Account, Origin, Role, Session};
use tilewire_people::conduct::Conduct;
use tilewire_people::handles;
use tilewire_people::invitations::InvitationsFrom;
use tilewire_people::moderation::Restraint;
use tilewire_people::relations::Relation;
use tilewire_people::vacations::Vacations;
use tilewire_protocol::ErrorCode;
use tilewire_rules::time::Timestamp;

use super::letters::{LettersBody, MailBody, MailProofBody};
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

/// New recovery codes.
#[derive(Serialize, JsonSchema)]
pub(super) struct NewRecoveryCodes {
    /// The player.
    pub(super) me: Me,
    /// The recovery codes. The server shows them this once and cannot show them again.
    pub(super) recovery_codes: Vec<String>,
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
    pub(super) from: Inviters,
}

/// Begins a vacation, or makes it longer.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TakeVacation {
    /// The days of 24 hours.
    #[schemars(range(min = 1, max = 30))]
    pub(super) days: i64,
}

/// The vacation of a player.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Vacation")]
pub(super) struct VacationBody {
    /// When the vacation ends, unix ms; absent: the player is on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
    /// The days that are left of 30 in any 365.
    #[schemars(range(min = 0, max = 30))]
    pub(super) days_left: i64,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
}

impl VacationBody {
    /// Returns the vacation at a time.
    pub(super) fn at(now: Timestamp, vacations: &Vacations) -> Self {
        Self {
            until: vacations.until(now).map(|until| until.0),
            days_left: vacations.left(now),
            server_time: now.0,
        }
    }
}

/// Asks to be erased.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AskErasure {
    /// The own handle, in any case, to confirm; of a guest, the display name.
    pub(super) handle: String,
}

/// The wish to be erased.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Erasure")]
pub(super) struct ErasureBody {
    /// When the player asked, unix ms.
    pub(super) asked_at: i64,
    /// When it takes effect, unix ms. Until then the player can take it back.
    pub(super) erased_at: i64,
}

impl From<Erasure> for ErasureBody {
    fn from(wish: Erasure) -> Self {
        Self {
            asked_at: wish.asked_at.0,
            erased_at: wish.due_at.0,
        }
    }
}

/// Switches the chat of this player on or off.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SwitchChat {
    /// Whether chat is on. While it is off, the player is in no room, and nobody can write to the player.
    pub(super) enabled: bool,
}

/// The players that may invite a player.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Inviters {
    /// All players.
    Anybody,
    /// The players that the player follows.
    Followed,
    /// Nobody.
    Nobody,
}

/// A session, with its token.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SignedIn")]
pub(super) struct SignedInBody {
    /// The player.
    pub(super) me: Me,
    /// The token. Keep it secret.
    pub(super) token: String,
    /// When the token expires, unix ms, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expires_at: Option<i64>,
    /// The recovery codes. The server shows them this once and cannot show them again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) recovery_codes: Vec<String>,
}

/// The player of the token.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Me {
    /// The identity.
    pub(super) identity: String,
    /// The handle; a guest has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) handle: Option<String>,
    /// The authority that vouches for the identity: `server` or `site`.
    pub(super) origin: String,
    /// When the identity was made, unix ms.
    pub(super) created_at: i64,
    /// When the player registered, unix ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) registered_at: Option<i64>,
    /// Whether a program plays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) bot: bool,
    /// The roles: `moderator`, `director`, `admin`.
    pub(super) roles: Vec<String>,
    /// The number of unused recovery codes.
    pub(super) recovery_codes_left: usize,
    /// The players whose invitations the player accepts.
    pub(super) invitations_from: Inviters,
    /// Whether the player has chat. A site can switch it off too; then `welcome` says so.
    pub(super) chat: bool,
    /// The mail address, if the account has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mail: Option<MailBody>,
    /// The letters that a registered player wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) letters: Option<LettersBody>,
    /// The points for games that the player left or held up; only `GET /me` has them, for a registered player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conduct: Option<ConductBody>,
    /// When everything about the player is erased, unix ms, if the player asked for it; only `GET /me` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) erased_at: Option<i64>,
}

/// The points for games that a player left or held up.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Conduct")]
pub(super) struct ConductBody {
    /// The points: 0 to 4. A player with 4 waits before the next public game.
    #[schemars(range(max = 4))]
    pub(super) points: u8,
    /// When the waiting time ends, unix ms; absent: the player does not wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting_until: Option<i64>,
}

impl ConductBody {
    /// Returns the conduct of a player with these restrictions, which are in force.
    pub(super) fn of(conduct: Conduct, restrictions: &[StoredRestriction]) -> Self {
        let mut waiting = restrictions.iter();
        let waiting = waiting.find(|restriction| restriction.restraint == Restraint::Wait);
        let until = waiting.and_then(|restriction| restriction.until);
        Self {
            points: conduct.points,
            waiting_until: until.map(|until| until.0),
        }
    }
}

/// A registered player.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Player {
    /// The identity, as in games.
    pub(super) identity: String,
    /// The handle.
    pub(super) handle: String,
    /// When the player registered, unix ms.
    pub(super) registered_at: i64,
    /// Whether a program plays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) bot: bool,
    /// The roles.
    pub(super) roles: Vec<String>,
    /// The relation of the token's player to this one. A search does not include it.
    #[serde(flatten)]
    pub(super) seen: SeenRelation,
}

/// The relation of the token's player to another one.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct SeenRelation {
    /// Whether the player of the token follows this one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) followed: bool,
    /// Whether both follow each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) friend: bool,
    /// Whether the player of the token blocks this one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) blocked: bool,
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

/// The players that a search finds: those whose handle begins with the text, then those whose handle looks like it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Players {
    /// The players, at most 20.
    pub(super) players: Vec<Player>,
}

/// The sessions of a player, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Sessions {
    /// The sessions.
    pub(super) sessions: Vec<SessionLine>,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
}

/// A session: the tokens that were renewed, one from the other, since a login.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Session")]
pub(super) struct SessionLine {
    /// The id.
    pub(super) id: String,
    /// The program and the machine, as the program named them.
    pub(super) label: String,
    /// When it began, unix ms.
    pub(super) created_at: i64,
    /// When it was used last, unix ms, within an hour.
    pub(super) used_at: i64,
    /// Whether it is the session of the request.
    pub(super) current: bool,
}

impl From<&Account> for Me {
    fn from(account: &Account) -> Self {
        let registration = account.registration.as_ref();
        Self {
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
            recovery_codes_left: registration
                .map_or(0, |registration| registration.recovery.left()),
            invitations_from: account.invitations_from.into(),
            chat: !account.has_no_chat,
            mail: MailBody::of(account),
            letters: LettersBody::of(account),
            conduct: None,
            erased_at: None,
        }
    }
}

impl From<InvitationsFrom> for Inviters {
    fn from(from: InvitationsFrom) -> Self {
        match from {
            InvitationsFrom::Anybody => Self::Anybody,
            InvitationsFrom::Followed => Self::Followed,
            InvitationsFrom::Nobody => Self::Nobody,
        }
    }
}

impl From<Inviters> for InvitationsFrom {
    fn from(inviters: Inviters) -> Self {
        match inviters {
            Inviters::Anybody => Self::Anybody,
            Inviters::Followed => Self::Followed,
            Inviters::Nobody => Self::Nobody,
        }
    }
}

impl Player {
    /// Returns the player of an account; `None` for a guest.
    pub(super) fn of(account: &Account) -> Option<Self> {
        let registration = account.registration.as_ref()?;
        Some(Self {
            identity: account.identity.clone(),
            handle: registration.handle.to_string(),
            registered_at: registration.at.0,
            bot: registration.is_bot,
            roles: roles(account),
            seen: SeenRelation::default(),
        })
    }

    /// Returns the player as another one sees it.
    pub(super) fn seen_by(self, relation: Relation) -> Self {
        let seen = SeenRelation {
            followed: relation.is_followed,
            friend: relation.is_friend,
            blocked: relation.is_blocked,
        };
        Self { seen, ..self }
    }
}

impl Sessions {
    /// Returns the sessions of an account; `current` is that of the request.
    pub(super) fn of(account: &Account, current: &str, now: Timestamp) -> Self {
        let line = |session: &Session| SessionLine {
            id: session.family.clone(),
            label: session.label.clone(),
            created_at: session.created_at.0,
            used_at: session.used_at.0,
            current: session.family == current,
        };
        Self {
            sessions: account.sessions.iter().map(line).collect(),
            server_time: now.0,
        }
    }
}

impl From<SignedIn> for SignedInBody {
    fn from(signed_in: SignedIn) -> Self {
        let Issued { token, expires_at } = signed_in.issued;
        Self {
            me: Me::from(&signed_in.account),
            token,
            expires_at: expires_at.map(|at| at.0),
            recovery_codes: signed_in.recovery_codes,
        }
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
