//! The vacations of players.

use tilewire_people::accounts::Refusal as AccountRefusal;
use tilewire_people::vacations::{Refusal, Vacations};
use tilewire_rules::time::Timestamp;

use super::{Failure, People};
use crate::identity::Bearer;
use tilewire_store::VacationChange;

/// How often a change is computed anew because the vacations have changed meanwhile.
const ATTEMPTS: usize = 8;

impl People {
    /// Returns the vacations of a player.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn vacations(&self, bearer: &Bearer) -> Result<Vacations, Failure> {
        self.vacations_of(&bearer.pass.identity).await
    }

    /// Returns the vacations of an identity.
    pub async fn vacations_of(&self, identity: &str) -> Result<Vacations, Failure> {
        Ok(self.parts.store.vacations(identity).await?)
    }

    /// Begins a vacation of this number of days, or makes the present one longer. The caller tells the games.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn take_vacation(&self, bearer: &Bearer, days: i64) -> Result<Vacations, Failure> {
        self.change_vacation(bearer, |own, now| own.take(now, days).map(drop))
            .await
    }

    /// Ends the vacation of a player. The caller tells the games.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn end_vacation(&self, bearer: &Bearer) -> Result<Vacations, Failure> {
        self.change_vacation(bearer, Vacations::end).await
    }

    /// Notes that all games of a player have these vacations, unless they have changed since.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub async fn vacation_applied(
        &self,
        identity: &str,
        vacations: &Vacations,
    ) -> Result<(), Failure> {
        let change = VacationChange {
            identity: identity.to_owned(),
            before: vacations.clone(),
            after: vacations.clone(),
            is_applied: true,
        };
        self.parts.store.change_vacations(change).await?;
        Ok(())
    }

    /// Returns the players whose games do not all have their vacations, at most `most`.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn vacations_to_apply(
        &self,
        most: usize,
    ) -> Result<Vec<(String, Vacations)>, Failure> {
        Ok(self.parts.store.vacations_to_apply(most).await?)
    }

    async fn change_vacation(
        &self,
        bearer: &Bearer,
        change: impl Fn(&mut Vacations, Timestamp) -> Result<(), Refusal>,
    ) -> Result<Vacations, Failure> {
        let account = self.account(bearer).await?;
        account.registration.ok_or(AccountRefusal::NotRegistered)?;
        for _ in 0..ATTEMPTS {
            let before = self.vacations(bearer).await?;
            let mut after = before.clone();
            change(&mut after, self.now())?;
            let stored = VacationChange {
                identity: account.identity.clone(),
                before,
                after: after.clone(),
                is_applied: false,
            };
            if self.parts.store.change_vacations(stored).await? {
                return Ok(after);
            }
        }
        Err(Failure::Busy)
    }
}
