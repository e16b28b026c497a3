//! The storage as a whole: all contracts together.

use futures::future::BoxFuture;

use super::{
    AccountStore, ChatStore, CredentialStore, EndingFeed, HookStore, Journal, LetterStore,
    LivenessStore, LobbyStore, ModerationStore, PersonalStore, Pruning, PushStore, RelationStore,
    ResultStore, StorageHealth,
};

/// Everything that a server stores.
pub trait Storage:
    Journal
    + LobbyStore
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
    + StorageHealth
{
    /// Finishes all calls in progress and closes the storage. Later calls fail as unavailable. When this returns, another
    /// server may open the storage.
    fn close(&self) -> BoxFuture<'_, ()>;
}
