//! Roles: moderators and admins act on the accounts of others, and nobody acts on the account of a higher role.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Timestamp;

use super::{Account, Effect, Holder, Notice, REASON_MAX_CHARS, Refusal, Suspension};
use crate::audit::Action;
use crate::handles::Handle;

/// The name of the operator in the audit.
const OPERATOR: &str = "operator";

/// A role, in the order of power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Handles reports, hides lines, mutes and suspends.
    Moderator,
    /// Directs tournaments.
    Director,
    /// Does everything that a moderator does, and makes moderators, directors and admins.
    Admin,
}

impl Role {
    /// Returns the name of the role, as it is stored and typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moderator => "moderator",
            Self::Director => "director",
            Self::Admin => "admin",
        }
    }
}

/// The person who acts on an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The operator, by a command on the machine. It may do everything; it makes the first admin.
    Operator,
    /// A player with these roles.
    Player {
        /// The identity.
        identity: String,
        /// The roles.
        roles: BTreeSet<Role>,
    },
}

impl Actor {
    /// Checks that the actor has one of `needed` and no lower role than the target: nobody acts on a higher role.
    pub(crate) fn check(&self, needed: &[Role], target: Option<Role>) -> Result<(), Refusal> {
        let Self::Player { roles, .. } = self else {
            return Ok(());
        };
        let may = needed.iter().any(|role| roles.contains(role));
        if may && roles.last().copied() >= target {
            Ok(())
        } else {
            Err(Refusal::Forbidden)
        }
    }

    /// Returns the name of the actor in the audit.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Operator => OPERATOR,
            Self::Player { identity, .. } => identity,
        }
    }
}

type Done = Result<Vec<Effect>, Refusal>;

impl Account {
    pub(super) fn grant_role(&mut self, actor: &Actor, role: Role, reason: &str) -> Done {
        actor.check(&[Role::Admin], self.highest_role())?;
        if self.registration.is_none() {
            return Err(Refusal::NotRegistered);
        }
        let audit = self.audited(actor, "role_granted", reason, Some(role), None)?;
        if !self.roles.insert(role) {
            return Err(Refusal::NoChange);
        }
        Ok(vec![audit, Effect::Notify(Notice::RolesChanged)])
    }

    pub(super) fn revoke_role(&mut self, actor: &Actor, role: Role, reason: &str) -> Done {
        actor.check(&[Role::Admin], self.highest_role())?;
        let audit = self.audited(actor, "role_revoked", reason, Some(role), None)?;
        if !self.roles.remove(&role) {
            return Err(Refusal::NoChange);
        }
        Ok(vec![audit, Effect::Notify(Notice::RolesChanged)])
    }

    pub(super) fn suspend(
        &mut self,
        now: Timestamp,
        actor: &Actor,
        until: Option<Timestamp>,
        reason: &str,
    ) -> Done {
        actor.check(&[Role::Moderator, Role::Admin], self.highest_role())?;
        let audit = self.audited(actor, "suspended", reason, None, until)?;
        if until.is_some_and(|until| until <= now) {
            return Err(Refusal::NoChange);
        }
        let reason = reason.trim().to_owned();
        self.suspension = Some(Suspension {
            at: now,
            until,
            reason: reason.clone(),
        });
        let mut effects = vec![audit, Effect::Notify(Notice::Suspended { until, reason })];
        effects.extend(self.end_sessions(|_| true));
        Ok(effects)
    }

    pub(super) fn restore(&mut self, now: Timestamp, actor: &Actor, reason: &str) -> Done {
        actor.check(&[Role::Moderator, Role::Admin], self.highest_role())?;
        let audit = self.audited(actor, "restored", reason, None, None)?;
        if !self.is_suspended(now) {
            return Err(Refusal::NoChange);
        }
        self.suspension = None;
        Ok(vec![audit, Effect::Notify(Notice::Restored)])
    }

    /// Gives the player another handle. The old one stays reserved, and the player cannot change the handle again for a while.
    pub(super) fn rename(
        &mut self,
        now: Timestamp,
        actor: &Actor,
        handle: Handle,
        holder: Option<&Holder>,
        reason: &str,
    ) -> Done {
        actor.check(&[Role::Moderator, Role::Admin], self.highest_role())?;
        let audit = self.audited(actor, "renamed", reason, None, None)?;
        let mut effects = self.take_handle(now, handle, holder)?;
        effects.push(audit);
        Ok(effects)
    }

    /// Returns the entry for the audit.
    fn audited(
        &self,
        actor: &Actor,
        action: &str,
        reason: &str,
        role: Option<Role>,
        until: Option<Timestamp>,
    ) -> Result<Effect, Refusal> {
        let reason = reason.trim();
        if reason.is_empty() || reason.chars().count() > REASON_MAX_CHARS {
            return Err(Refusal::BadReason);
        }
        let action = match role {
            Some(role) => format!("{action}:{}", role.name()),
            None => action.to_owned(),
        };
        Ok(Effect::Audit(Action {
            actor: actor.name().to_owned(),
            action,
            target: self.identity.clone(),
            reason: reason.to_owned(),
            until,
        }))
    }
}
