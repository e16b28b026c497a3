//! The operations of admins on the server and on games: the permission, and the entry of the audit.

use tilewire_people::accounts::{Account, Actor, Refusal, Role};
use tilewire_people::moderation::{Deed, Order, Target};
use tilewire_rules::time::Timestamp;

use super::{Failure, People};
use crate::identity::Bearer;
use tilewire_store::ModerationChange;

/// An operation of an admin on the server or on a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The stable code of the operation, such as `tiles_shown`.
    pub name: &'static str,
    /// The game or the part of the server that it concerns.
    pub target: String,
    /// The admin's reason.
    pub reason: String,
    /// The object of the operation, unless the target names it.
    pub about: Option<String>,
    /// When the effect ends by itself, if it does.
    pub until: Option<Timestamp>,
}

impl People {
    /// Returns the player of a token as an admin.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] when the player is no admin.
    pub async fn admin(&self, bearer: &Bearer) -> Result<Actor, Failure> {
        let Account {
            identity, roles, ..
        } = self.account(bearer).await?;
        if !roles.contains(&Role::Admin) {
            return Err(Refusal::Forbidden.into());
        }
        Ok(Actor::Player { identity, roles })
    }

    /// Stores the entry of the audit of an operation, and returns its number. The caller carries the operation out after
    /// that: nothing is done without an entry.
    ///
    /// # Errors
    /// The reason why the actor may not do it, or that the storage does not take the entry.
    pub async fn enter(&self, actor: &Actor, operation: Operation) -> Result<u64, Failure> {
        let at = self.now();
        let name = match operation.about {
            Some(about) => format!("{}:{about}", operation.name),
            None => operation.name.to_owned(),
        };
        let order = Order {
            deed: Deed::Operation(name),
            reason: operation.reason,
            until: operation.until,
        };
        let target = Target {
            identity: operation.target,
            role: None,
        };
        let change = ModerationChange {
            at,
            action: order.check(at, actor, &target)?,
            deed: order.deed,
            account: None,
            closes: None,
        };
        Ok(self.parts.enforcement.store.moderate(change).await?)
    }
}
