//! The export of everything about a player, and the wish to be erased.

use tilewire_people::handles::HandleKey;

use super::{Failure, People};
use crate::identity::Bearer;
use crate::restrictions::LinesHidden;
use std::sync::Arc;
use tilewire_base::address::ClientAddress;
use tilewire_store::{Erasure, ErasureChange, PersonalStore, Progress, StoreError};

/// Lines that are hidden from readers at once.
const LINES: usize = 500;

impl People {
    /// Counts an export to an address, and returns the storage that it comes from.
    ///
    /// # Errors
    /// [`Failure::TooManyExports`] when the address had too many.
    pub fn export(&self, from: ClientAddress) -> Result<Arc<dyn PersonalStore>, Failure> {
        self.limits.export(from)?;
        Ok(Arc::clone(&self.parts.personal))
    }

    /// Counts an export of finished games to an address.
    ///
    /// # Errors
    /// [`Failure::TooManyExports`] when the address had too many.
    pub fn count_export_of_games(&self, from: ClientAddress) -> Result<(), Failure> {
        self.limits.export_games(from)
    }

    /// Returns the wish of a player to be erased, if there is one.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn erasure(&self, bearer: &Bearer) -> Result<Option<Erasure>, Failure> {
        let identity = bearer.pass.identity.as_str();
        Ok(self.parts.personal.erasure(identity).await?)
    }

    /// Stores that a player wants to be erased, and returns the wish; one that waits stays as it is. `typed` is the handle, or
    /// the display name of a guest, to confirm.
    ///
    /// # Errors
    /// [`Failure::NotConfirmed`] when the name is another one.
    pub async fn ask_erasure(&self, bearer: &Bearer, typed: &str) -> Result<Erasure, Failure> {
        let account = self.account(bearer).await?;
        let identity = account.identity.as_str();
        let is_confirmed = match &account.registration {
            Some(registration) => HandleKey::of(typed.trim()).is_same(&registration.handle.key()),
            None => self.parts.accounts.known_name(identity).await? == typed.trim(),
        };
        if !is_confirmed {
            return Err(Failure::NotConfirmed);
        }
        let now = self.now();
        let wish = Erasure {
            identity: identity.to_owned(),
            asked_at: now,
            due_at: now + self.erased_after,
            has_begun: false,
        };
        let asked = ErasureChange::Ask {
            erasure: wish.clone(),
            secret: self.parts.ids.secret(),
        };
        self.parts.personal.erase(asked).await?;
        tracing::info!("a player asked to be erased");
        Ok(self.erasure(bearer).await?.unwrap_or(wish))
    }

    /// Takes the wish of a player to be erased back.
    ///
    /// # Errors
    /// [`Failure::NoErasure`] when there is none, or it has taken effect.
    pub async fn keep(&self, bearer: &Bearer) -> Result<(), Failure> {
        let change = ErasureChange::TakeBack(bearer.pass.identity.clone());
        match self.parts.personal.erase(change).await? {
            Progress::Unchanged => Err(Failure::NoErasure),
            Progress::More | Progress::Waiting | Progress::Finished => Ok(()),
        }
    }

    /// Shuts a player out whose wish takes effect, and takes the player out of what the server has in memory. Nothing happens
    /// a second time.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn shut_out(&self, wish: &Erasure) -> Result<(), StoreError> {
        let (parts, now) = (&self.parts, self.now());
        if !wish.has_begun {
            let begin = ErasureChange::Begin(wish.identity.clone(), now);
            parts.personal.erase(begin).await?;
        }
        parts.enforcement.reread(now).await?;
        parts.blocks.forget(&wish.identity);
        parts.chat_off.forget(&wish.identity);
        parts.accounts.forget_name(&wish.identity);
        Ok(())
    }

    /// Removes some more of a player who was shut out.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn erase_more(&self, identity: &str) -> Result<Progress, StoreError> {
        let personal = &self.parts.personal;
        // Readers first: a line that is gone from the storage cannot be found any more.
        for (room, line) in personal.lines_of(identity, LINES).await? {
            self.parts
                .enforcement
                .restrictions
                .change_lines(LinesHidden {
                    room,
                    lines: vec![line],
                    is_hidden: true,
                });
        }
        let step = ErasureChange::Step(identity.to_owned(), self.now());
        personal.erase(step).await
    }
}
