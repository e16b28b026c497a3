//! The storage contract for accounts on the simulated disk: the one in memory, made as slow and as unreliable as the rest.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::accounts::{Account, Effect, Holder, Origin};
use tilewire_people::handles::HandleKey;
use tilewire_people::relations::Relation;
use tilewire_rules::time::Timestamp;
use tilewire_store::{
    AccountChange, AccountError, AccountStore, ChatChange, ChatStore, DirectLine, IdentityRow,
    RelationChange, RelationError, RelationStore, Relations, StoreError, StoredAccount, StoredLine,
    StoredSession,
};

use super::disk::{Disk, State};
use super::disk_letters::LetterNews;
use super::flaws::Flaw;

/// Returns the answer of a storage in memory, which is there already.
pub(super) fn at_once<T>(answer: BoxFuture<'_, T>) -> T {
    answer.now_or_never().expect("it waits for nothing")
}

pub(super) fn on_purpose() -> StoreError {
    StoreError::Unavailable("on purpose".to_owned())
}

impl Disk {
    /// Stores an account that existed before.
    pub(super) fn found(&self, change: AccountChange) {
        let stored = self.lock().put_account(change);
        stored.expect("nothing is stored yet");
    }
}

impl State {
    pub(super) fn put_account(&mut self, mut change: AccountChange) -> Result<(), AccountError> {
        let forgets = self.flaw == Some(Flaw::SessionsOutliveTheirEnd);
        if forgets {
            self.keep_sessions(&mut change.account);
        }
        at_once(self.durable.accounts.apply(change.clone()))?;
        self.follow(&change, forgets);
        Ok(())
    }

    /// Stores what other stores have of a change of an account.
    pub(super) fn follow(&mut self, change: &AccountChange, forgets: bool) {
        self.follow_for_hooks(change);
        for letter in self.durable.letters.follow(change) {
            self.tell_letter(LetterNews::Written(Box::new(letter)));
        }
        for effect in &change.effects {
            match effect {
                Effect::RevokeFamilies(families) if !forgets => {
                    self.durable.revoked.extend(families.iter().cloned());
                }
                Effect::ClaimHandle(_) => self.name(change),
                _ => {}
            }
        }
    }

    /// Stores an identity. The name of a registered player stays the handle.
    pub(super) fn put_identity(&mut self, row: &IdentityRow) {
        let stored = at_once(self.durable.accounts.account(&row.identity));
        let account = stored.ok().flatten().map(|stored| stored.account);
        let handle = account.as_ref().and_then(own_handle);
        let name = handle.unwrap_or_else(|| row.name.clone());
        let rows = &mut self.durable.identities;
        let known = rows.entry(row.identity.clone()).or_insert(row.clone());
        known.name = name;
        known.seen_at = row.seen_at;
    }

    /// The handle becomes the display name of the identity.
    fn name(&mut self, change: &AccountChange) {
        let account = &change.account;
        let Some(name) = own_handle(account) else {
            return;
        };
        let row = IdentityRow {
            identity: account.identity.clone(),
            name: name.clone(),
            created_at: account.created_at,
            seen_at: change.at,
        };
        let rows = &mut self.durable.identities;
        rows.entry(row.identity.clone()).or_insert(row).name = name;
    }

    fn keep_sessions(&self, account: &mut Account) {
        let before = at_once(self.durable.accounts.account(&account.identity));
        let before = before.ok().flatten();
        for session in before
            .into_iter()
            .flat_map(|stored| stored.account.sessions)
        {
            if account.session(&session.family).is_none() {
                account.sessions.push(session);
            }
        }
    }
}

/// The handle of a player who registered here; `None` for guests and for users of a site.
fn own_handle(account: &Account) -> Option<String> {
    let is_own = account.origin == Origin::Server;
    let registration = account.registration.as_ref().filter(|_| is_own)?;
    Some(registration.handle.to_string())
}

impl AccountStore for Disk {
    fn account<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.account(identity)))
                .await?
        })
    }

    fn account_of<'a>(
        &'a self,
        handle: &'a HandleKey,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.account_of(handle)))
                .await?
        })
    }

    fn search<'a>(
        &'a self,
        start: &'a HandleKey,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Account>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.search(start, most)))
                .await?
        })
    }

    fn holders<'a>(&'a self, key: &'a HandleKey) -> BoxFuture<'a, Result<Vec<Holder>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.holders(key)))
                .await?
        })
    }

    fn without_chat(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        Box::pin(async { self.look(|durable| at_once(durable.accounts.without_chat())) })
    }

    fn session<'a>(
        &'a self,
        family: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredSession>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.session(family)))
                .await?
        })
    }

    fn session_used<'a>(
        &'a self,
        family: &'a str,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let used =
            move |state: &mut State| at_once(state.durable.accounts.session_used(family, at));
        Box::pin(self.change(fail, fail, used))
    }

    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>> {
        let fail = || Err(on_purpose().into());
        Box::pin(self.change(fail, fail, |state| state.put_account(change)))
    }
}

impl RelationStore for Disk {
    fn relations<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Relations, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.relations(identity)))
                .await?
        })
    }

    fn relation<'a>(
        &'a self,
        identity: &'a str,
        other: &'a str,
    ) -> BoxFuture<'a, Result<Relation, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.relation(identity, other)))
                .await?
        })
    }

    fn blocks(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        // A server that cannot read this does not start, so the disk never refuses it.
        Box::pin(async { self.look(|durable| at_once(durable.accounts.blocks())) })
    }

    fn follows(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        Box::pin(async { self.look(|durable| at_once(durable.accounts.follows())) })
    }

    fn relate(&self, change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>> {
        let fail = || Err(on_purpose().into());
        let related = |state: &mut State| at_once(state.durable.accounts.relate(change));
        Box::pin(self.change(fail, fail, related))
    }
}

impl ChatStore for Disk {
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.lines(room, after, most)))
                .await?
        })
    }

    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<DirectLine>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.direct_rooms(identity, most)))
                .await?
        })
    }

    fn say(&self, change: ChatChange) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let said = |state: &mut State| at_once(state.durable.accounts.say(change));
        Box::pin(self.change(fail, fail, said))
    }
}
