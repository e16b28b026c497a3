//! The ends of sessions.

use tilewire_people::accounts::{Input, Refusal};

use super::{Failure, People};
use crate::identity::Bearer;

impl People {
    /// Ends the session of the token.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn log_out(&self, bearer: &Bearer) -> Result<(), Failure> {
        let by = bearer.pass.family.clone();
        self.end(bearer, Input::LogOut { by }).await
    }

    /// Ends a session of the player.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn end_session(&self, bearer: &Bearer, family: &str) -> Result<(), Failure> {
        let by = bearer.pass.family.clone();
        let family = family.to_owned();
        self.end(bearer, Input::RevokeSession { by, family }).await
    }

    /// Ends all other sessions of the player.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn end_other_sessions(&self, bearer: &Bearer) -> Result<(), Failure> {
        let by = bearer.pass.family.clone();
        self.end(bearer, Input::RevokeOtherSessions { by }).await
    }

    async fn end(&self, bearer: &Bearer, input: Input) -> Result<(), Failure> {
        // A guest has no session; ending it would end the identity.
        if self.account(bearer).await?.registration.is_none() {
            return Err(Refusal::NotRegistered.into());
        }
        self.change_of(bearer, input).await?;
        Ok(())
    }
}
