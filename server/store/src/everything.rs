//! The storage as a whole: all contracts together.

use futures::future::BoxFuture;

use super::{
    AccountStore, ChatStore, CredentialStore, EndingFeed, HookStore, IdentityStore, Journal,
    LetterStore, LivenessStore, LobbyStore, ModerationStore, PersonalStore, Pruning, PushStore,
    RelationStore, ResultStore, StorageHealth, VacationStore,
};

/// Everything that a server stores.
pub trait Storage:
    Journal
    + LobbyStore
    + IdentityStore
    + AccountStore
    + RelationStore
    + ChatStore
    + ModerationStore
    + ResultStore
    + LetterStore
    + HookStore
    + PushStore
    + EndingFeed
    + CredentialStore
    + LivenessStore
    + Pruning
    + PersonalStore
    + VacationStore
    + StorageHealth
{
    /// Finishes all calls in progress and closes the storage. Later calls fail as unavailable. When this returns, another
    /// server may open the storage.
    fn close(&self) -> BoxFuture<'_, ()>;
}
