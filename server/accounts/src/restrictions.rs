//! All restrictions, in memory: games, lobby and chat must not wait for the storage.

use std::collections::{BTreeSet, HashMap};
use std::sync::{
    Mutex as StdMutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

use tilewire_people::moderation::Restraint;
use tilewire_rules::time::Timestamp;
use tokio::sync::{Mutex, MutexGuard as AsyncGuard, Notify};

use tilewire_delivery::session::TokenError;
use tilewire_store::erasure::REASON;
use tilewire_store::{InForce, ModerationStore, StoreError, StoredNotice, StoredRestriction};

/// Lines of a chat room that a moderator has hidden, or shown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinesHidden {
    /// The room.
    pub room: String,
    /// The numbers of the lines.
    pub lines: Vec<u64>,
    /// Whether they are hidden now.
    pub is_hidden: bool,
}

/// All restrictions, and the messages that players have not got yet.
#[derive(Debug, Default)]
pub struct Restrictions {
    known: RwLock<ActiveRestrictions>,
    /// Players who may do less than before; the lobby takes them every second and closes their seeks.
    restricted: StdMutex<BTreeSet<String>>,
    /// The lines that the chat has to hide or to show; the chat waits for `lines_changed`.
    lines: StdMutex<Vec<LinesHidden>>,
    lines_changed: Notify,
    /// Held while an act is stored, or the stored acts are read.
    changing: Mutex<()>,
}

#[derive(Debug, Default)]
struct ActiveRestrictions {
    restrictions: HashMap<String, Vec<StoredRestriction>>,
    notices: HashMap<String, Vec<StoredNotice>>,
}

impl Restrictions {
    /// Reads the stored restrictions.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn read(store: &dyn ModerationStore) -> Result<Self, StoreError> {
        let all = Self::default();
        // Everybody with a restriction counts as newly restricted. Their seeks may still be open: the server may have stopped
        // between the act and the lobby's next look.
        all.reread(store).await?;
        Ok(all)
    }

    /// Reads the stored restrictions again: another process may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn reread(&self, store: &dyn ModerationStore) -> Result<(), StoreError> {
        let _one_at_a_time = self.changing.lock().await;
        self.reread_now(store).await
    }

    /// Waits until no other act is stored.
    pub(crate) async fn begin(&self) -> AsyncGuard<'_, ()> {
        self.changing.lock().await
    }

    /// Reads the stored restrictions again, while the caller has the turn that [`Restrictions::begin`] gave.
    pub(crate) async fn reread_now(&self, store: &dyn ModerationStore) -> Result<(), StoreError> {
        let now = ActiveRestrictions::of(store.in_force().await?);
        let before = std::mem::replace(&mut *self.to_change(), now);
        let known = self.known();
        let changed = known
            .restrictions
            .iter()
            .filter(|(identity, own)| before.restrictions.get(*identity) != Some(*own));
        let changed: Vec<String> = changed.map(|(identity, _)| identity.clone()).collect();
        drop(known);
        self.restricted().extend(changed);
        Ok(())
    }

    /// Returns a restriction of a player that is in force.
    #[must_use]
    pub fn of(
        &self,
        identity: &str,
        restraint: Restraint,
        now: Timestamp,
    ) -> Option<StoredRestriction> {
        let known = self.known();
        let mut own = known.restrictions.get(identity)?.iter();
        let found = own.find(|restriction| {
            restriction.restraint == restraint && restriction.until.is_none_or(|until| now < until)
        });
        found.cloned()
    }

    /// Checks that a player is not suspended.
    ///
    /// # Errors
    /// The reason why the player's tokens are refused.
    pub fn check_suspension(&self, identity: &str, now: Timestamp) -> Result<(), TokenError> {
        let suspension = self.of(identity, Restraint::Suspend, now);
        suspension.map_or(Ok(()), |suspension| Err(refusal(suspension)))
    }

    /// Returns every restriction of a player; some can be over.
    #[must_use]
    pub fn all_of(&self, identity: &str) -> Vec<StoredRestriction> {
        let known = self.known();
        let own = known.restrictions.get(identity);
        own.cloned().unwrap_or_default()
    }

    /// Returns the identities that are suspended.
    #[must_use]
    pub fn suspended(&self, now: Timestamp) -> Vec<StoredRestriction> {
        let known = self.known();
        let all = known.restrictions.values().flatten();
        let suspended = all.filter(|restriction| {
            restriction.restraint == Restraint::Suspend
                && restriction.until.is_none_or(|until| now < until)
        });
        suspended.cloned().collect()
    }

    /// Returns the players with messages that wait for them, in the order of their identities.
    #[must_use]
    pub fn awaited(&self) -> Vec<String> {
        let mut all: Vec<String> = self.known().notices.keys().cloned().collect();
        all.sort_unstable();
        all
    }

    /// Says whether messages wait for a player.
    #[must_use]
    pub fn awaits(&self, identity: &str) -> bool {
        self.known().notices.contains_key(identity)
    }

    /// Takes the messages that wait for a player, the oldest first. The caller tells the player, and then the storage.
    #[must_use]
    pub fn take_notices(&self, identity: &str) -> Vec<StoredNotice> {
        let taken = self.to_change().notices.remove(identity);
        taken.unwrap_or_default()
    }

    /// Returns the players who may do less than at the last call.
    #[must_use]
    pub fn take_restricted(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.restricted())
    }

    /// Gives back players whom the lobby could not take out of their seeks.
    pub fn keep_restricted(&self, restricted: BTreeSet<String>) {
        self.restricted().extend(restricted);
    }

    /// Tells the chat of lines to hide or to show.
    pub(crate) fn change_lines(&self, lines: LinesHidden) {
        self.lines().push(lines);
        self.lines_changed.notify_one();
    }

    /// Waits for lines to hide or to show.
    pub async fn lines_changed(&self) {
        self.lines_changed.notified().await;
    }

    /// Returns the lines to hide or to show since the last call, in the order of the acts.
    #[must_use]
    pub fn take_lines(&self) -> Vec<LinesHidden> {
        std::mem::take(&mut self.lines())
    }

    fn known(&self) -> RwLockReadGuard<'_, ActiveRestrictions> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn to_change(&self) -> RwLockWriteGuard<'_, ActiveRestrictions> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn restricted(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.restricted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn lines(&self) -> MutexGuard<'_, Vec<LinesHidden>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the reason why tokens of a suspended player are refused.
pub(crate) fn refusal(suspension: StoredRestriction) -> TokenError {
    if suspension.reason == REASON {
        return TokenError::Erased;
    }
    TokenError::Suspended {
        until: suspension.until,
        reason: suspension.reason,
    }
}

impl ActiveRestrictions {
    fn of(in_force: InForce) -> Self {
        let mut known = Self::default();
        for restriction in in_force.restrictions {
            let own = known.restrictions.entry(restriction.identity.clone());
            own.or_default().push(restriction);
        }
        for notice in in_force.notices {
            let own = known.notices.entry(notice.identity.clone());
            own.or_default().push(notice);
        }
        known
    }
}
