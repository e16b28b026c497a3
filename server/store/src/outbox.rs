//! The contract of the outbox: letters, pushes and events for webhooks that wait, and how each is sent.
//!
//! The couriers read what is due and store what became of it. A row is stored in the transaction of its cause, or with the new place of
//! a reader of the journal.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::codes::MailCode;
use tilewire_rules::time::Timestamp;

use super::{
    AccountNews, Arrival, ChangedGames, ChapterError, Cursor, Device, DeviceOutcome, LetterPage,
    Mailbox, NewLetter, PushKey, PushSettlement, Settlement, StoreFuture, StoredCode, StoredLetter,
    StoredPush, StoredWebhook, WebhookCount, WebhookFate, WebhookKey, WebhookPage,
};

/// Letters with mailboxes and codes, pushes with devices and keys, and events for webhooks.
pub trait OutboxStore: Send + Sync + Debug {
    /// Returns the first `limit` letters that are due at `now` and wait for no digest, in the order in which they are due.
    fn letters_due(&self, now: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredLetter>>;

    /// Returns the first `limit` letters that wait for the digest of a player on a day.
    fn letters_of_digest<'a>(
        &'a self,
        identity: &'a str,
        day: i64,
        limit: usize,
    ) -> StoreFuture<'a, Vec<StoredLetter>>;

    /// Returns the number of letters in the outbox.
    fn letters_waiting(&self) -> StoreFuture<'_, u64>;

    /// Stores that a letter is being sent. Returns whether the outbox still has it.
    fn begin_letter<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool>;

    /// Stores the fate of a letter. A letter that was sent counts even if it is no longer in the outbox.
    fn settle_letter(&self, letter: StoredLetter, settlement: Settlement) -> StoreFuture<'_, ()>;

    /// Returns the mailbox of a player.
    fn mailbox<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<Mailbox>>;

    /// Returns the mailbox with an address, by [`tilewire_people::letters::Address::key`].
    fn mailbox_of<'a>(&'a self, address_key: &'a str) -> StoreFuture<'a, Option<Mailbox>>;

    /// Stores a code together with the letter that carries it, if one does, and removes codes that expired before `now`.
    fn put_code(
        &self,
        code: StoredCode,
        letter: Option<NewLetter>,
        now: Timestamp,
    ) -> StoreFuture<'_, ()>;

    /// Returns the code of a ticket, by the digest of the ticket.
    fn code<'a>(&'a self, ticket: &'a str) -> StoreFuture<'a, Option<StoredCode>>;

    /// Replaces a code by its state after an attempt. Returns whether it was in the state `before`.
    fn replace_code(
        &self,
        ticket: String,
        before: MailCode,
        after: MailCode,
    ) -> StoreFuture<'_, bool>;

    /// Says whether an invitation or another seek is open.
    fn is_seek_open<'a>(&'a self, seek: &'a str) -> StoreFuture<'a, bool>;

    /// Returns how far the journal is written into letters. A storage without letters begins at the end of the journal: what
    /// happened before is no news.
    fn letter_cursor(&self) -> StoreFuture<'_, Cursor>;

    /// Looks through at most `rows` stored rows of records behind `after`, and returns the games with records there that may
    /// be by correspondence.
    fn changed_correspondence_games(
        &self,
        after: Arrival,
        rows: usize,
    ) -> StoreFuture<'_, ChangedGames>;

    /// Stores letters of games with the new place in the journal.
    ///
    /// # Errors
    /// When the place has changed since, or the storage fails.
    fn write_letters(&self, page: LetterPage) -> BoxFuture<'_, Result<(), ChapterError>>;

    /// Returns the key that signs the links in letters: `fresh`, unless there is one already.
    fn letter_key(&self, fresh: [u8; 32]) -> StoreFuture<'_, [u8; 32]>;

    /// Stores a device of a player whose session has not ended. It replaces the one of the same session and every one with
    /// the same endpoint, of whatever player: a browser belongs to the player who asked last. A player has at most `most`.
    fn put_device(
        &self,
        device: Device,
        service: String,
        most: usize,
    ) -> StoreFuture<'_, DeviceOutcome>;

    /// Removes a device of a player with everything that waits for it. Returns whether there was one.
    fn remove_device<'a>(&'a self, identity: &'a str, id: &'a str) -> StoreFuture<'a, bool>;

    /// Returns the devices of a player, the oldest first.
    fn devices<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<Device>>;

    /// Returns the first `limit` pushes that are due at `now` to other push services than `without`, in the order in which
    /// they are due.
    fn pushes_due(
        &self,
        now: Timestamp,
        without: Vec<String>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredPush>>;

    /// Returns the number of pushes that wait, those for later included.
    fn pushes_waiting(&self) -> StoreFuture<'_, u64>;

    /// Stores that a push is being sent. Returns whether it still waits.
    fn begin_push<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool>;

    /// Stores the fate of a push.
    fn settle_push(&self, push: StoredPush, settlement: PushSettlement) -> StoreFuture<'_, ()>;

    /// Returns the key pair with a name, or the newest one. An open storage always has one.
    fn push_key<'a>(&'a self, kid: Option<&'a str>) -> StoreFuture<'a, Option<PushKey>>;

    /// Begins with these webhooks: events of others go away. After a time without webhooks the place is the end of the journal:
    /// what happened before is no news. Without webhooks all goes away and nothing is noted.
    fn begin_webhooks(&self, targets: Vec<String>) -> StoreFuture<'_, ()>;

    /// Returns how far the journal is written into events.
    fn webhook_cursor(&self) -> StoreFuture<'_, Cursor>;

    /// Looks through at most `rows` stored rows of records behind `after`, and returns the games with records there.
    fn changed_games(&self, after: Arrival, rows: usize) -> StoreFuture<'_, ChangedGames>;

    /// Returns the first `limit` notes of accounts.
    fn account_news(&self, limit: usize) -> StoreFuture<'_, Vec<AccountNews>>;

    /// Stores events with the new place in the journal. Returns how many events the bound has pushed out: they have failed.
    ///
    /// # Errors
    /// When the place has changed since, or the storage fails.
    fn write_webhooks(&self, page: WebhookPage) -> BoxFuture<'_, Result<u64, ChapterError>>;

    /// Returns the first `limit` events of a webhook that are due at `now`, of each lane the first one that waits, in the order
    /// in which they are due.
    fn webhooks_due<'a>(
        &'a self,
        target: &'a str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'a, Vec<StoredWebhook>>;

    /// Stores the fate of an event. An event that is no longer in the outbox stays away.
    fn settle_webhook(&self, key: WebhookKey, fate: WebhookFate) -> StoreFuture<'_, ()>;

    /// Removes events from before `before`, and of each webhook all failed ones but the newest `kept`; not too many at once.
    fn prune_webhooks(&self, before: Timestamp, kept: u64) -> StoreFuture<'_, ()>;

    /// Counts the events of each webhook that has some.
    fn webhook_counts(&self, now: Timestamp) -> StoreFuture<'_, Vec<WebhookCount>>;
}
