//! The requests of players about their follows and blocks.

use std::sync::Arc;

use tilewire_people::accounts::{Account, Refusal as AccountRefusal};
use tilewire_people::relations::{Act, Refusal, Relation};

use super::{Failure, People};
use crate::identity::Bearer;
use tilewire_delivery::outbound::Presence;
use tilewire_store::{RelationChange, RelationError, Relations};

/// A player whom another one invites to a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// The identity.
    pub identity: String,
    /// The handle.
    pub handle: String,
    /// Whether a program plays.
    pub is_bot: bool,
    /// Whether the player takes invitations from the sender. The sender must not learn of it.
    pub is_willing: bool,
}

impl People {
    /// Follows or blocks the player with a handle, or does so no longer. Both players are registered.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn relate(&self, bearer: &Bearer, act: Act, handle: &str) -> Result<(), Failure> {
        let own = self.account(bearer).await?;
        if own.registration.is_none() {
            return Err(AccountRefusal::NotRegistered.into());
        }
        let other = self.player(handle).await?.identity;
        if other == own.identity {
            return Err(Refusal::Yourself.into());
        }
        let change = RelationChange {
            identity: own.identity,
            other,
            act,
            at: self.now(),
        };
        let (store, blocks) = (&self.parts.relations, &self.parts.blocks);
        let (store, blocks) = (Arc::clone(store), Arc::clone(blocks));
        // In a task of its own: a client that goes away does not come between storage and memory.
        let related = tokio::spawn(async move { blocks.relate(&*store, change).await });
        let related = related.await.map_err(|error| {
            tracing::error!(%error, "a change of a relation panicked");
            Failure::Storage
        })?;
        Ok(related?)
    }

    /// Returns the players whom a player follows and blocks; a guest has none.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn relations(&self, bearer: &Bearer) -> Result<Relations, Failure> {
        let identity = bearer.pass.identity.as_str();
        Ok(self.parts.relations.relations(identity).await?)
    }

    /// Returns the relation of a player to another one.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn relation(&self, bearer: &Bearer, other: &Account) -> Result<Relation, Failure> {
        let identity = bearer.pass.identity.as_str();
        let relation = self.parts.relations.relation(identity, &other.identity);
        Ok(relation.await?)
    }

    /// Returns the identity of the player with a handle if both players are friends: they follow each other, and no block is
    /// between them. A friend without chat is left out.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn friend_to_write(
        &self,
        identity: &str,
        handle: &str,
    ) -> Result<Option<String>, Failure> {
        let Some(stored) = self.account_of(handle).await? else {
            return Ok(None);
        };
        let other = stored.account.identity;
        let relation = self.parts.relations.relation(identity, &other).await?;
        let is_open = relation.is_friend && !self.parts.chat_off.is_off(&other);
        Ok(is_open.then_some(other))
    }

    /// Returns the identity of the player with a handle, and the handle as the player writes it.
    ///
    /// # Errors
    /// [`Failure::UnknownPlayer`] when nobody has the handle; or the storage does not answer.
    pub async fn named(&self, handle: &str) -> Result<(String, String), Failure> {
        let account = self.player(handle).await?;
        let registration = account.registration.ok_or(Failure::UnknownPlayer)?;
        Ok((account.identity, registration.handle.to_string()))
    }

    /// Returns the player with a handle, for an invitation by another player. The work does not depend on the players'
    /// settings: the sender must not learn of them from the time of the answer.
    ///
    /// # Errors
    /// [`Failure::UnknownPlayer`] when nobody has the handle; or the storage does not answer.
    pub async fn invited(&self, handle: &str, sender: &str) -> Result<Invited, Failure> {
        let account = self.player(handle).await?;
        let registration = account.registration.ok_or(Failure::UnknownPlayer)?;
        let relations = &self.parts.relations;
        let relation = relations.relation(&account.identity, sender).await?;
        Ok(Invited {
            identity: account.identity,
            handle: registration.handle.to_string(),
            is_bot: registration.is_bot,
            is_willing: account.invitations_from.admits(relation),
        })
    }

    /// Says whether a player has a connection. Only friends may learn of it.
    #[must_use]
    pub fn is_online(&self, identity: &str) -> bool {
        self.parts.registry.is_online(identity)
    }
}

impl From<RelationError> for Failure {
    fn from(error: RelationError) -> Self {
        match error {
            RelationError::Refused(refusal) => refusal.into(),
            RelationError::Store(error) => error.into(),
        }
    }
}
