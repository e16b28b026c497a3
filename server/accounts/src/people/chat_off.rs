//! The players who have switched chat off, in memory: the chat must not wait for the storage.

use std::collections::{BTreeSet, HashSet};
use std::sync::{
    Mutex as StdMutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

use tilewire_people::accounts::{Account, Input, Refusal};
use tokio::sync::{Mutex, MutexGuard as AsyncGuard, Notify};

use super::{Failure, People};
use crate::identity::Bearer;
use tilewire_delivery::session::Pass;
use tilewire_store::{AccountStore, StoreError};

/// The players who have switched chat off.
#[derive(Debug, Default)]
pub struct ChatOff {
    known: RwLock<HashSet<String>>,
    /// Players who have just switched chat off; the chat closes their rooms.
    switched: StdMutex<BTreeSet<String>>,
    has_switched: Notify,
    /// Held while a switch is stored.
    changing: Mutex<()>,
}

impl ChatOff {
    /// Reads the stored switches.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn read(store: &dyn AccountStore) -> Result<Self, StoreError> {
        let known = store.without_chat().await?.into_iter().collect();
        Ok(Self {
            known: RwLock::new(known),
            ..Self::default()
        })
    }

    /// Reads the stored switches again: another server may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer; everything stays as it is.
    pub async fn reread(&self, store: &dyn AccountStore) -> Result<(), StoreError> {
        let _one_at_a_time = self.changing.lock().await;
        let known = store.without_chat().await?.into_iter().collect();
        *self.to_change() = known;
        Ok(())
    }

    /// Says whether a player has switched chat off.
    #[must_use]
    pub fn is_off(&self, identity: &str) -> bool {
        self.known().contains(identity)
    }

    /// Says whether the holder of a pass has no chat: the player or the embedding site has switched it off.
    pub fn is_off_for(&self, pass: &Pass) -> bool {
        pass.has_no_chat || self.is_off(&pass.identity)
    }

    /// Waits until no other switch is stored.
    pub(super) async fn begin(&self) -> AsyncGuard<'_, ()> {
        self.changing.lock().await
    }

    /// Notes that a player has switched chat on or off, and tells the chat if it is off now.
    pub(super) fn set(&self, identity: &str, is_on: bool) {
        if is_on {
            self.to_change().remove(identity);
            return;
        }
        if self.to_change().insert(identity.to_owned()) {
            self.switched().insert(identity.to_owned());
            self.has_switched.notify_one();
        }
    }

    /// Forgets a player who is erased.
    pub(super) fn forget(&self, identity: &str) {
        self.to_change().remove(identity);
    }

    /// Waits for a player who switches chat off.
    pub async fn switched_off(&self) {
        self.has_switched.notified().await;
    }

    /// Returns the players who have switched chat off since the last call.
    #[must_use]
    pub fn take_switched(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.switched())
    }

    fn known(&self) -> RwLockReadGuard<'_, HashSet<String>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn to_change(&self) -> RwLockWriteGuard<'_, HashSet<String>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn switched(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.switched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl People {
    /// Switches the chat of a registered player on or off. Chat is off before the switch is stored. If the
    /// storage outcome is unknown, chat stays off until the player repeats the request or the server starts again.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn switch_chat(&self, bearer: &Bearer, is_on: bool) -> Result<Account, Failure> {
        let own = self.account(bearer).await?;
        own.registration.as_ref().ok_or(Refusal::NotRegistered)?;
        let (identity, chat_off) = (own.identity.as_str(), &self.parts.chat_off);
        let _one_at_a_time = chat_off.begin().await;
        if !is_on {
            chat_off.set(identity, false);
        }
        let changed = self.change_of(bearer, Input::SwitchChat { is_on }).await?;
        chat_off.set(identity, is_on);
        Ok(changed.account)
    }

    /// Returns the players who have switched chat off.
    #[must_use]
    pub fn chat_off(&self) -> &ChatOff {
        &self.parts.chat_off
    }
}
