//! Checks the acts of moderators, and returns their entries for the audit.

use tilewire_rules::time::Timestamp;

use super::{HIDDEN_MOST, Refusal};
use crate::accounts::{self, Actor, REASON_MAX_CHARS, Role};
use crate::audit::{Action, Entry};

/// The name of the action that undoes another. The number of the other action follows it.
const UNDONE: &str = "undone";
/// The action of hiding, before the room and the lines.
const HIDDEN: &str = "lines_hidden";
/// The action of an admin on the server or a game. The name of the operation follows it.
const OPERATION: &str = "operation";

/// A restriction of a player. It lasts until its end, or until it is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Restraint {
    /// The player cannot write in chat.
    Mute,
    /// The player cannot begin rated games.
    NoRated,
    /// The player cannot open or join public seeks.
    NoPublic,
    /// The player cannot log in.
    Suspend,
    /// The player waits before the next public game. The server orders it, not a moderator ([`crate::conduct`]).
    Wait,
}

impl Restraint {
    /// Every restriction.
    pub const ALL: [Self; 5] = [
        Self::Mute,
        Self::NoRated,
        Self::NoPublic,
        Self::Suspend,
        Self::Wait,
    ];

    /// Returns the name of the restriction, as it is stored and typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.kind().name()
    }

    /// Returns the restriction with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns the kind of the message about it.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Mute => Kind::Mute,
            Self::NoRated => Kind::NoRated,
            Self::NoPublic => Kind::NoPublic,
            Self::Suspend => Kind::Suspend,
            Self::Wait => Kind::Wait,
        }
    }

    /// Returns the action in the audit.
    pub(crate) const fn action(self) -> &'static str {
        match self {
            Self::Mute => "muted",
            Self::NoRated => "rated_games_forbidden",
            Self::NoPublic => "public_games_forbidden",
            Self::Suspend => "suspended",
            Self::Wait => "waiting_time",
        }
    }
}

/// The kind of an act, as the message to the target names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The player cannot write in chat.
    Mute,
    /// The player cannot begin rated games.
    NoRated,
    /// The player cannot open or join public seeks.
    NoPublic,
    /// The player cannot log in.
    Suspend,
    /// Lines of the player are hidden.
    HideLines,
    /// The player has another handle.
    Rename,
    /// Something of these was undone.
    Undo,
    /// The player waits before the next public game.
    Wait,
    /// The points of the player are gone, and so is a waiting time.
    Forgive,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Mute,
        Self::NoRated,
        Self::NoPublic,
        Self::Suspend,
        Self::HideLines,
        Self::Rename,
        Self::Undo,
        Self::Wait,
        Self::Forgive,
    ];

    /// Returns the name of the kind, as it is stored and typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mute => "mute",
            Self::NoRated => "no_rated",
            Self::NoPublic => "no_public",
            Self::Suspend => "suspend",
            Self::HideLines => "hide_lines",
            Self::Rename => "rename",
            Self::Undo => "undo",
            Self::Wait => "wait",
            Self::Forgive => "forgive",
        }
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// An effect on the target, besides the entry of the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Restrict the player until the end in the entry.
    Restrain(Restraint),
    /// Hide lines of the player.
    HideLines {
        /// The room.
        room: String,
        /// The numbers of the lines.
        lines: Vec<u64>,
    },
    /// Give the player another handle.
    Rename,
    /// Nothing: a report is closed.
    Close,
    /// End the effect of the act with this number.
    Undo(u64),
    /// Take away all points of the player, and end the waiting time.
    Forgive,
    /// Nothing here: an admin operates on the server or on a game. The name of the operation is a stable code; a colon and what
    /// it is about can follow.
    Operation(String),
}

impl Deed {
    /// Returns the kind of the message to the target; `None` if it concerns only the report.
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Restrain(restraint) => Some(restraint.kind()),
            Self::HideLines { .. } => Some(Kind::HideLines),
            Self::Rename => Some(Kind::Rename),
            Self::Close | Self::Operation(_) => None,
            Self::Undo(_) => Some(Kind::Undo),
            Self::Forgive => Some(Kind::Forgive),
        }
    }

    /// Returns the action in the audit.
    fn action(&self) -> String {
        match self {
            Self::Restrain(restraint) => restraint.action().to_owned(),
            Self::HideLines { room, lines } => {
                let numbers: Vec<String> = lines.iter().map(u64::to_string).collect();
                format!("{HIDDEN}:{room}:{}", numbers.join(","))
            }
            Self::Rename => "renamed".to_owned(),
            Self::Close => "report_closed".to_owned(),
            Self::Undo(number) => format!("{UNDONE}:{number}"),
            Self::Forgive => "forgiven".to_owned(),
            Self::Operation(name) => format!("{OPERATION}:{name}"),
        }
    }

    /// Returns the roles that may do it.
    const fn roles(&self) -> &'static [Role] {
        match self {
            Self::Operation(_) => &[Role::Admin],
            _ => &[Role::Moderator, Role::Admin],
        }
    }
}

/// Says whether an entry of the audit is about an operation of an admin; its target is no identity then.
#[must_use]
pub fn is_operation(action: &str) -> bool {
    let rest = action.strip_prefix(OPERATION);
    rest.is_some_and(|rest| rest.starts_with(':'))
}

/// Returns the name of the operation of an entry of the audit, and what follows it.
#[must_use]
pub fn operation(action: &str) -> Option<(&str, Option<&str>)> {
    let rest = action.strip_prefix(OPERATION)?.strip_prefix(':')?;
    Some(match rest.split_once(':') {
        Some((name, about)) => (name, Some(about)),
        None => (rest, None),
    })
}

/// Returns the room and the lines that an entry of the audit hid.
#[must_use]
pub fn hidden_lines(action: &str) -> Option<(String, Vec<u64>)> {
    let rest = action.strip_prefix(HIDDEN)?.strip_prefix(':')?;
    let (room, numbers) = rest.rsplit_once(':')?;
    let lines: Result<Vec<u64>, _> = numbers.split(',').map(str::parse).collect();
    Some((room.to_owned(), lines.ok()?))
}

/// Returns the restriction that an entry of the audit began.
#[must_use]
pub fn restrained(action: &str) -> Option<Restraint> {
    let mut all = Restraint::ALL.into_iter();
    all.find(|restraint| restraint.action() == action)
}

/// The player whom an act concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The identity.
    pub identity: String,
    /// The highest role.
    pub role: Option<Role>,
}

/// An order of a moderator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The effect.
    pub deed: Deed,
    /// The reason, which the target reads.
    pub reason: String,
    /// When the effect ends; `None`: when somebody undoes it. Only a restriction or an operation ends.
    pub until: Option<Timestamp>,
}

impl Order {
    /// Returns the action for the audit, if the actor may do this to the target.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, now: Timestamp, actor: &Actor, target: &Target) -> Result<Action, Refusal> {
        let is_own =
            matches!(actor, Actor::Player { identity, .. } if *identity == target.identity);
        if is_own {
            return Err(accounts::Refusal::Forbidden.into());
        }
        actor.check(self.deed.roles(), target.role)?;
        let reason = self.reason.trim();
        if reason.is_empty() || reason.chars().count() > REASON_MAX_CHARS {
            return Err(accounts::Refusal::BadReason.into());
        }
        let ends = matches!(self.deed, Deed::Restrain(_) | Deed::Operation(_));
        if self.until.is_some_and(|until| until <= now || !ends) {
            return Err(Refusal::BadUntil);
        }
        if let Deed::HideLines { lines, .. } = &self.deed
            && !(1..=HIDDEN_MOST).contains(&lines.len())
        {
            return Err(Refusal::BadLines);
        }
        Ok(Action {
            actor: actor.name().to_owned(),
            action: self.deed.action(),
            target: target.identity.clone(),
            reason: reason.to_owned(),
            until: self.until,
        })
    }
}

/// Returns the deed that undoes an entry of the audit.
///
/// # Errors
/// [`Refusal::CannotUndo`] for an entry without an effect that lasts: a role, a new handle, a closed report, an undoing, forgiven points.
pub fn undo(entry: &Entry) -> Result<Deed, Refusal> {
    let action = entry.action.action.as_str();
    match restrained(action).is_some() || hidden_lines(action).is_some() {
        true => Ok(Deed::Undo(entry.number)),
        false => Err(Refusal::CannotUndo),
    }
}
