//! Handles and display names: a registered player is shown by the handle, and no guest may look like one.

use tilewire_people::accounts::{Account, Effect, Holder};
use tilewire_people::handles::{Handle, HandleKey, is_official};
use tilewire_rules::time::Timestamp;

use tilewire_store::{AccountChange, AccountError, AccountStore, StoreError};

/// Suffixes that are tried for the handle of a site's user before it is made from the identity.
const SUFFIXES: u32 = 20;
/// Characters of the identity in such a handle.
const IDENTITY_CHARS: usize = 10;

/// The right of an identity to a display name that it has or wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameRight {
    /// No handle looks like it.
    Free,
    /// It is the identity's own handle.
    Own,
    /// It is the handle of another player or a name of the server, or looks like one.
    Imitation,
}

/// Returns the right of `identity` to `name`. Blanks are ignored: a handle has none.
pub(super) async fn right(
    store: &dyn AccountStore,
    identity: &str,
    name: &str,
    now: Timestamp,
) -> Result<NameRight, StoreError> {
    let bare: String = name.split_whitespace().collect();
    let holders = store.holders(&HandleKey::of(&bare)).await?;
    let is_own = |holder: &Holder| holder.identity == identity && holder.reserved_until.is_none();
    let is_other = |holder: &Holder| {
        holder.identity != identity && holder.reserved_until.is_none_or(|until| now < until)
    };
    Ok(if holders.iter().any(is_own) {
        NameRight::Own
    } else if holders.iter().any(is_other) || is_official(name) {
        NameRight::Imitation
    } else {
        NameRight::Free
    })
}

/// Gives a user of the embedding site an account with a handle made from its name, unless there is one.
pub(super) async fn ensure_of_site(
    store: &dyn AccountStore,
    identity: &str,
    name: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    if store.account(identity).await?.is_some() {
        return Ok(());
    }
    let from_name = (0..SUFFIXES).filter_map(|attempt| Handle::from_site_name(name, attempt));
    for handle in from_name.chain(of_identity(identity)) {
        let key = handle.key();
        let change = AccountChange {
            expected: 0,
            account: Account::of_site(identity, handle, now),
            effects: vec![Effect::ClaimHandle(key)],
            at: now,
        };
        match store.apply(change).await {
            Err(AccountError::HandleTaken) => {}
            // Another connection of the user was faster.
            Ok(()) | Err(AccountError::Stale) => return Ok(()),
            // A user of the site has no mail address here.
            Err(AccountError::MailTaken) => break,
            Err(AccountError::Store(error)) => return Err(error),
        }
    }
    tracing::warn!(identity, "a user of the site gets no handle: all are taken");
    Ok(())
}

/// Returns a handle made from the identity of a site's user.
fn of_identity(identity: &str) -> Option<Handle> {
    let own = identity.split_once('-').map_or(identity, |(_, own)| own);
    let start: String = own.chars().take(IDENTITY_CHARS).collect();
    Handle::parse(&format!("user-{start}")).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use tilewire_config::StorageConfig;
    use tilewire_store::Storage;

    const NOW: Timestamp = Timestamp(1_000);

    fn open(dir: &tempfile::TempDir) -> Arc<dyn Storage> {
        tilewire_databases::open(dir.path(), &StorageConfig::default(), NOW).unwrap()
    }

    async fn handle_of(store: &dyn AccountStore, identity: &str, name: &str) -> String {
        ensure_of_site(store, identity, name, NOW).await.unwrap();
        let stored = store.account(identity).await.unwrap().unwrap();
        stored.account.registration.unwrap().handle.to_string()
    }

    #[tokio::test]
    async fn users_of_a_site_get_handles_from_their_names() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir);
        for (identity, name, expected) in [
            ("site-a", "Anna B.", "Anna-B"),
            ("site-b", "anna b", "anna-b-2"),
            ("site-a", "Another name", "Anna-B"),
            ("site-abcdefghijkl", "...", "user-abcdefghij"),
        ] {
            assert_eq!(handle_of(&*store, identity, name).await, expected, "{name}");
        }
    }

    #[tokio::test]
    async fn a_name_that_looks_like_a_handle_is_its_owners() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir);
        handle_of(&*store, "site-paul", "paul").await;
        for (identity, name, expected) in [
            ("site-paul", "paul", NameRight::Own),
            ("guest", "paul", NameRight::Imitation),
            ("guest", "P a u L", NameRight::Imitation),
            ("guest", "pau1", NameRight::Imitation),
            ("guest", "paula", NameRight::Free),
            ("guest", "Club bot", NameRight::Imitation),
            ("guest", "SYSTEM", NameRight::Imitation),
        ] {
            let found = right(&*store, identity, name, NOW).await.unwrap();
            assert_eq!(found, expected, "{name}");
        }
    }
}
