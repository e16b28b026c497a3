//! The contract of the outbox: letters, pushes and events for webhooks that wait, and how each is sent.
//!
//! The couriers read what is due and store what became of it. A row is stored in the transaction of its cause, or with the new place of
//! a reader of the journal.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::codes::MailCode;
use tilewire_rules::time::Timestamp;

use super::{
    AccountNews, Arrival, ChapterError, Cursor, Device, HookCount, HookFate, HookKey, HookPage,
    LetterPage, Mailbox, NewLetter, Placed, PushKey, PushSettlement, Settlement, StoreError,
    StoredCode, StoredHook, StoredLetter, StoredPush, TurnedPage,
};

/// Letters with mailboxes and codes, pushes with devices and keys, and events for webhooks.
pub trait OutboxStore: Send + Sync + Debug {
    /// Returns the first `limit` letters that are due at `now` and wait for no digest, in the order in which they are due.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn letters_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredLetter>, StoreError>>;

    /// Returns the first `limit` letters that wait for the digest of a player on a day.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn letters_of_digest<'a>(
        &'a self,
        identity: &'a str,
        day: i64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredLetter>, StoreError>>;

    /// Returns the number of letters in the outbox.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn letters_waiting(&self) -> BoxFuture<'_, Result<u64, StoreError>>;

    /// Stores that a letter is being sent. Returns whether the outbox still has it.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn begin_letter<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Stores the fate of a letter. A letter that was sent counts even if it is no longer in the outbox.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn settle_letter(
        &self,
        letter: StoredLetter,
        settlement: Settlement,
    ) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns the mailbox of a player.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn mailbox<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<Mailbox>, StoreError>>;

    /// Returns the mailbox with an address, by [`tilewire_people::letters::Address::key`].
    ///
    /// # Errors
    /// When the storage does not answer.
    fn mailbox_of<'a>(
        &'a self,
        address_key: &'a str,
    ) -> BoxFuture<'a, Result<Option<Mailbox>, StoreError>>;

    /// Stores a code together with the letter that carries it, if one does, and removes codes that expired before `now`.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn put_code(
        &self,
        code: StoredCode,
        letter: Option<NewLetter>,
        now: Timestamp,
    ) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns the code of a ticket, by the digest of the ticket.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn code<'a>(&'a self, ticket: &'a str)
    -> BoxFuture<'a, Result<Option<StoredCode>, StoreError>>;

    /// Replaces a code by its state after an attempt. Returns whether it was in the state `before`.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn replace_code(
        &self,
        ticket: String,
        before: MailCode,
        after: MailCode,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Says whether an invitation or another seek is open.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn is_seek_open<'a>(&'a self, seek: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Returns how far the journal is written into letters. A storage without letters begins at the end of the journal: what
    /// happened before is no news.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn letter_cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>>;

    /// Looks through at most `rows` stored rows of records behind `after`, and returns the games with records there that may
    /// be by correspondence.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn turned(&self, after: Arrival, rows: usize) -> BoxFuture<'_, Result<TurnedPage, StoreError>>;

    /// Stores letters of games with the new place in the journal.
    ///
    /// # Errors
    /// When the place has changed since, or the storage fails.
    fn write_letters(&self, page: LetterPage) -> BoxFuture<'_, Result<(), ChapterError>>;

    /// Returns the key that signs the links in letters: `fresh`, unless there is one already.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn letter_key(&self, fresh: [u8; 32]) -> BoxFuture<'_, Result<[u8; 32], StoreError>>;

    /// Stores a device of a player whose session has not ended. It replaces the one of the same session and every one with
    /// the same endpoint, of whatever player: a browser belongs to the player who asked last. A player has at most `most`.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn put_device(
        &self,
        device: Device,
        service: String,
        most: usize,
    ) -> BoxFuture<'_, Result<Placed, StoreError>>;

    /// Removes a device of a player with everything that waits for it. Returns whether there was one.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn remove_device<'a>(
        &'a self,
        identity: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Returns the devices of a player, the oldest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn devices<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Vec<Device>, StoreError>>;

    /// Returns the first `limit` pushes that are due at `now` to other push services than `without`, in the order in which
    /// they are due.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn pushes_due(
        &self,
        now: Timestamp,
        without: Vec<String>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredPush>, StoreError>>;

    /// Returns the number of pushes that wait, those for later included.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn pushes_waiting(&self) -> BoxFuture<'_, Result<u64, StoreError>>;

    /// Stores that a push is being sent. Returns whether it still waits.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn begin_push<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Stores the fate of a push.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn settle_push(
        &self,
        push: StoredPush,
        settlement: PushSettlement,
    ) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns the key pair with a name, or the newest one. An open storage always has one.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn push_key<'a>(
        &'a self,
        kid: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<PushKey>, StoreError>>;

    /// Begins with these webhooks: events of others go away. After a time without webhooks the place is the end of the journal:
    /// what happened before is no news. Without webhooks all goes away and nothing is noted.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn begin_hooks(&self, targets: Vec<String>) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns how far the journal is written into events.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn hook_cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>>;

    /// Looks through at most `rows` stored rows of records behind `after`, and returns the games with records there.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn changed_games(
        &self,
        after: Arrival,
        rows: usize,
    ) -> BoxFuture<'_, Result<TurnedPage, StoreError>>;

    /// Returns the first `limit` notes of accounts.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn account_news(&self, limit: usize) -> BoxFuture<'_, Result<Vec<AccountNews>, StoreError>>;

    /// Stores events with the new place in the journal. Returns how many events the bound has pushed out: they have failed.
    ///
    /// # Errors
    /// When the place has changed since, or the storage fails.
    fn write_hooks(&self, page: HookPage) -> BoxFuture<'_, Result<u64, ChapterError>>;

    /// Returns the first `limit` events of a webhook that are due at `now`, of each lane the first one that waits, in the order
    /// in which they are due.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn hooks_due<'a>(
        &'a self,
        target: &'a str,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredHook>, StoreError>>;

    /// Stores the fate of an event. An event that is no longer in the outbox stays away.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn settle_hook(&self, key: HookKey, fate: HookFate) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Removes events from before `before`, and of each webhook all failed ones but the newest `kept`; not too many at once.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn prune_hooks(&self, before: Timestamp, kept: u64) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Counts the events of each webhook that has some.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn hook_counts(&self, now: Timestamp) -> BoxFuture<'_, Result<Vec<HookCount>, StoreError>>;
}
