//! Accounts in memory: the smallest implementation of [`AccountStore`], for simulations.
//!
//! It passes the contract suite. It keeps no display names and no revoked families: both belong to other stores.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tilewire_people::accounts::{Account, Effect, Holder};
use tilewire_people::audit::Entry;
use tilewire_people::handles::HandleKey;
use tilewire_rules::time::Timestamp;

use super::memory_chat::MemoryChat;
use super::memory_moderation::MemoryModeration;
use super::memory_relations::MemoryRelations;
use super::{AccountChange, AccountError, AccountStore, StoreError, StoredAccount, StoredSession};

/// Accounts in memory.
#[derive(Debug, Default)]
pub struct MemoryAccounts {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) accounts: BTreeMap<String, StoredAccount>,
    handles: BTreeMap<HandleKey, Holder>,
    pub(super) audit: Vec<Entry>,
    pub(super) relations: MemoryRelations,
    pub(super) chat: MemoryChat,
    pub(super) moderation: MemoryModeration,
}

impl MemoryAccounts {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the audit, oldest entry first.
    #[must_use]
    pub fn audit(&self) -> Vec<Entry> {
        self.state().audit.clone()
    }
}

impl State {
    fn session(&self, family: &str) -> Option<StoredSession> {
        self.accounts.values().find_map(|stored| {
            let session = stored.account.session(family)?;
            Some(StoredSession {
                identity: stored.account.identity.clone(),
                used_at: session.used_at,
            })
        })
    }

    pub(super) fn apply(&mut self, change: AccountChange) -> Result<(), AccountError> {
        let identity = change.account.identity.clone();
        let stored = self.accounts.get(&identity);
        if stored.map_or(0, |stored| stored.version) != change.expected {
            return Err(AccountError::Stale);
        }
        let is_taken = |key: &HandleKey| {
            self.handles.iter().any(|(held, holder)| {
                let is_over = holder
                    .reserved_until
                    .is_some_and(|until| until <= change.at);
                held.clashes(key) && holder.identity != identity && !is_over
            })
        };
        if change.claims().any(is_taken) {
            return Err(AccountError::HandleTaken);
        }
        let mail = |account: &Account| {
            let mail = account.registration.as_ref()?.mail.as_ref()?;
            Some(mail.to_ascii_lowercase())
        };
        let wanted = mail(&change.account);
        let mut others = self.accounts.values().map(|stored| &stored.account);
        let is_other = |other: &Account| other.identity != identity && mail(other) == wanted;
        if wanted.is_some() && others.any(is_other) {
            return Err(AccountError::MailTaken);
        }
        for effect in &change.effects {
            self.carry_out(&identity, effect, change.at);
        }
        let stored = StoredAccount {
            version: change.expected + 1,
            account: change.account,
        };
        self.accounts.insert(identity, stored);
        Ok(())
    }

    fn carry_out(&mut self, identity: &str, effect: &Effect, at: Timestamp) {
        match effect {
            Effect::ClaimHandle(key) => {
                self.handles.retain(|held, _| !held.clashes(key));
                let holder = Holder {
                    identity: identity.to_owned(),
                    reserved_until: None,
                };
                self.handles.insert(key.clone(), holder);
            }
            Effect::ReserveHandle { key, until } => {
                if let Some(holder) = self.handles.get_mut(key) {
                    holder.reserved_until = Some(*until);
                }
            }
            Effect::Audit(action) => {
                let entry = Entry::after(self.audit.last(), at, action.clone());
                self.audit.push(entry);
            }
            Effect::IssueToken { .. } | Effect::RevokeFamilies(_) | Effect::Notify(_) => {}
        }
    }
}

/// An answer that is there already.
pub(super) fn now<'a, T: Send + 'a>(answer: T) -> BoxFuture<'a, T> {
    ready(answer).boxed()
}

impl AccountStore for MemoryAccounts {
    fn account<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>> {
        now(Ok(self.state().accounts.get(identity).cloned()))
    }

    fn account_of<'a>(
        &'a self,
        handle: &'a HandleKey,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>> {
        let state = self.state();
        let mut held = state.handles.iter();
        let found = held
            .find(|(key, holder)| key.folded == handle.folded && holder.reserved_until.is_none());
        let stored = found.and_then(|(_, holder)| state.accounts.get(&holder.identity));
        now(Ok(stored.cloned()))
    }

    fn search<'a>(
        &'a self,
        start: &'a HandleKey,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Account>, StoreError>> {
        let state = self.state();
        let held = state.handles.iter();
        let held = held.filter(|(_, holder)| holder.reserved_until.is_none());
        let mut found: Vec<(bool, &str, &str)> = held
            .filter(|(key, _)| key.begins_with(start) || key.looks_like(start))
            .map(|(key, holder)| match key.begins_with(start) {
                true => (false, key.folded.as_str(), holder.identity.as_str()),
                false => (true, key.skeleton.as_str(), holder.identity.as_str()),
            })
            .collect();
        found.sort_unstable();
        let accounts = found.into_iter().take(most).filter_map(|(_, _, identity)| {
            let stored = state.accounts.get(identity)?;
            Some(Account {
                sessions: Vec::new(),
                ..stored.account.clone()
            })
        });
        let accounts = accounts.collect();
        drop(state);
        now(Ok(accounts))
    }

    fn holders<'a>(&'a self, key: &'a HandleKey) -> BoxFuture<'a, Result<Vec<Holder>, StoreError>> {
        let state = self.state();
        let clashing = state.handles.iter().filter(|(held, _)| held.clashes(key));
        let holders: Vec<Holder> = clashing.map(|(_, holder)| holder.clone()).collect();
        drop(state);
        now(Ok(holders))
    }

    fn without_chat(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        let state = self.state();
        let silent = state.accounts.iter();
        let silent = silent.filter(|(_, stored)| stored.account.has_no_chat);
        let silent = silent.map(|(identity, _)| identity.clone()).collect();
        drop(state);
        now(Ok(silent))
    }

    fn session<'a>(
        &'a self,
        family: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredSession>, StoreError>> {
        now(Ok(self.state().session(family)))
    }

    fn session_used<'a>(
        &'a self,
        family: &'a str,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let mut state = self.state();
        let accounts = state.accounts.values_mut();
        let mut sessions = accounts.flat_map(|stored| stored.account.sessions.iter_mut());
        if let Some(session) = sessions.find(|session| session.family == family) {
            session.used_at = session.used_at.max(at);
        }
        drop(state);
        now(Ok(()))
    }

    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>> {
        now(self.state().apply(change))
    }
}
