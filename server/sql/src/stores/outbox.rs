//! The outbox: letters, pushes and events for webhooks.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::codes::MailCode;
use tilewire_rules::time::Timestamp;

use crate::access::Occasion;
use crate::changes::{Change, Done};
use crate::journal_reader::JournalReader;
use crate::letter_pages::{self, Games, LetterChange};
use crate::pushes::{self, PushChange};
use crate::webhooks::{self, WebhookChange};
use crate::{Connection, SqlStorage, letters, push_keys};
use tilewire_store::{
    AccountNews, AppendError, Arrival, ChangedGames, ChapterError, Cursor, Device, DeviceOutcome,
    LetterPage, Mailbox, NewLetter, OutboxStore, PushKey, PushSettlement, Settlement, StoreError,
    StoreFuture, StoredCode, StoredLetter, StoredPush, StoredWebhook, WebhookCount, WebhookFate,
    WebhookKey, WebhookPage,
};

impl SqlStorage {
    async fn write_outbox(&self, change: Change) -> Result<Done, StoreError> {
        let done = self.access.write(change).await;
        done.map_err(AppendError::into_store_error)
    }
}

impl OutboxStore for SqlStorage {
    fn letters_due(&self, now: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredLetter>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                letters::due(db, now, limit)
            })
            .boxed()
    }

    fn letters_of_digest<'a>(
        &'a self,
        identity: &'a str,
        day: i64,
        limit: usize,
    ) -> StoreFuture<'a, Vec<StoredLetter>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| letters::of_digest(db, &identity, day, limit))
            .boxed()
    }

    fn letters_waiting(&self) -> StoreFuture<'_, u64> {
        self.access
            .read_on(Occasion::Glance, letters::waiting)
            .boxed()
    }

    fn begin_letter<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        let begin = self.write_outbox(Change::Letter(LetterChange::Begin(key.to_owned())));
        async { Ok(begin.await? != Done::Unchanged) }.boxed()
    }

    fn settle_letter(&self, letter: StoredLetter, settlement: Settlement) -> StoreFuture<'_, ()> {
        let settle = self.write_outbox(Change::Letter(LetterChange::Settle(
            Box::new(letter),
            settlement,
        )));
        async { settle.await.map(drop) }.boxed()
    }

    fn mailbox<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<Mailbox>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| letters::mailbox(db, &identity))
            .boxed()
    }

    fn mailbox_of<'a>(&'a self, address_key: &'a str) -> StoreFuture<'a, Option<Mailbox>> {
        let key = address_key.to_owned();
        self.access
            .read(move |db| letters::mailbox_of(db, &key))
            .boxed()
    }

    fn put_code(
        &self,
        code: StoredCode,
        letter: Option<NewLetter>,
        now: Timestamp,
    ) -> StoreFuture<'_, ()> {
        let put = self.write_outbox(Change::Letter(LetterChange::Code(
            Box::new((code, letter)),
            now,
        )));
        async { put.await.map(drop) }.boxed()
    }

    fn code<'a>(&'a self, ticket: &'a str) -> StoreFuture<'a, Option<StoredCode>> {
        let ticket = ticket.to_owned();
        self.access
            .read(move |db| letter_pages::code(db, &ticket))
            .boxed()
    }

    fn replace_code(
        &self,
        ticket: String,
        before: MailCode,
        after: MailCode,
    ) -> StoreFuture<'_, bool> {
        let replace = self.write_outbox(Change::Letter(LetterChange::Replace {
            ticket,
            before,
            after,
        }));
        async { Ok(replace.await? != Done::Stale) }.boxed()
    }

    fn is_seek_open<'a>(&'a self, seek: &'a str) -> StoreFuture<'a, bool> {
        let seek = seek.to_owned();
        let read = move |db: &Connection| {
            let read = || {
                db.prepare_cached("SELECT EXISTS (SELECT 1 FROM seeks WHERE seek = ?1)")?
                    .query_row([&seek], |row| row.get(0))
            };
            read().map_err(StoreError::from)
        };
        self.access.read(read).boxed()
    }

    fn letter_cursor(&self) -> StoreFuture<'_, Cursor> {
        self.access
            .read_on(Occasion::Glance, |db| JournalReader::Letters.cursor(db))
            .boxed()
    }

    fn changed_correspondence_games(
        &self,
        after: Arrival,
        rows: usize,
    ) -> StoreFuture<'_, ChangedGames> {
        async move {
            let last = self.final_arrival().await?;
            let read = move |db: &Connection| {
                letter_pages::changed_games(db, (after, last), rows, Games::Correspondence)
            };
            let is_nothing = |page: &ChangedGames| page.until == after;
            self.access.poll(Occasion::Follow, is_nothing, read).await
        }
        .boxed()
    }

    fn write_letters(&self, page: LetterPage) -> BoxFuture<'_, Result<(), ChapterError>> {
        let write = self.write_outbox(Change::Letter(LetterChange::Page(Box::new(page))));
        async {
            match write.await? {
                Done::Stale => Err(ChapterError::Stale),
                _ => Ok(()),
            }
        }
        .boxed()
    }

    fn letter_key(&self, fresh: [u8; 32]) -> StoreFuture<'_, [u8; 32]> {
        async move {
            self.write_outbox(Change::Letter(LetterChange::Begun(fresh)))
                .await?;
            self.access
                .read_on(Occasion::Start, letter_pages::link_key)
                .await
        }
        .boxed()
    }

    fn put_device(
        &self,
        device: Device,
        service: String,
        most: usize,
    ) -> StoreFuture<'_, DeviceOutcome> {
        async move {
            let (identity, family) = (device.identity.clone(), device.family.clone());
            let change = PushChange::Put(Box::new(device), service, most);
            match self.write_outbox(Change::Push(change)).await? {
                Done::Stale => return Ok(DeviceOutcome::NoSession),
                Done::Unchanged => return Ok(DeviceOutcome::TooMany),
                _ => {}
            }
            let all = self.devices(&identity).await?;
            let own = all.into_iter().find(|device| device.family == family);
            // It can be gone again: the session has ended meanwhile.
            Ok(own.map_or(DeviceOutcome::NoSession, |device| {
                DeviceOutcome::Stored(device.id)
            }))
        }
        .boxed()
    }

    fn remove_device<'a>(&'a self, identity: &'a str, id: &'a str) -> StoreFuture<'a, bool> {
        let remove = self.write_outbox(Change::Push(PushChange::Remove {
            identity: identity.to_owned(),
            id: id.to_owned(),
        }));
        async { Ok(remove.await? != Done::Unchanged) }.boxed()
    }

    fn devices<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<Device>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| pushes::devices(db, &identity))
            .boxed()
    }

    fn pushes_due(
        &self,
        now: Timestamp,
        without: Vec<String>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredPush>> {
        self.access
            .read(move |db| pushes::due(db, now, &without, limit))
            .boxed()
    }

    fn pushes_waiting(&self) -> StoreFuture<'_, u64> {
        self.access.read(pushes::waiting).boxed()
    }

    fn begin_push<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        let begin = self.write_outbox(Change::Push(PushChange::Begin(key.to_owned())));
        async { Ok(begin.await? != Done::Unchanged) }.boxed()
    }

    fn settle_push(&self, push: StoredPush, settlement: PushSettlement) -> StoreFuture<'_, ()> {
        let settle =
            self.write_outbox(Change::Push(PushChange::Settle(Box::new(push), settlement)));
        async { settle.await.map(drop) }.boxed()
    }

    fn push_key<'a>(&'a self, kid: Option<&'a str>) -> StoreFuture<'a, Option<PushKey>> {
        let kid = kid.map(str::to_owned);
        self.access
            .read(move |db| push_keys::key(db, kid.as_deref()))
            .boxed()
    }

    fn begin_webhooks(&self, targets: Vec<String>) -> StoreFuture<'_, ()> {
        let begin = self.write_outbox(Change::Webhook(WebhookChange::Begin(targets)));
        async { begin.await.map(drop) }.boxed()
    }

    fn webhook_cursor(&self) -> StoreFuture<'_, Cursor> {
        self.access
            .read_on(Occasion::Glance, |db| JournalReader::Webhooks.cursor(db))
            .boxed()
    }

    fn changed_games(&self, after: Arrival, rows: usize) -> StoreFuture<'_, ChangedGames> {
        async move {
            let last = self.final_arrival().await?;
            let read = move |db: &Connection| {
                letter_pages::changed_games(db, (after, last), rows, Games::All)
            };
            let is_nothing = |page: &ChangedGames| page.until == after;
            self.access.poll(Occasion::Follow, is_nothing, read).await
        }
        .boxed()
    }

    fn account_news(&self, limit: usize) -> StoreFuture<'_, Vec<AccountNews>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                webhooks::news(db, limit)
            })
            .boxed()
    }

    fn write_webhooks(&self, page: WebhookPage) -> BoxFuture<'_, Result<u64, ChapterError>> {
        let write = self.write_outbox(Change::Webhook(WebhookChange::Page(Box::new(page))));
        async {
            match write.await? {
                Done::Numbered(pushed_out) => Ok(pushed_out),
                _ => Err(ChapterError::Stale),
            }
        }
        .boxed()
    }

    fn webhooks_due<'a>(
        &'a self,
        target: &'a str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'a, Vec<StoredWebhook>> {
        let target = target.to_owned();
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                webhooks::due(db, &target, now, limit)
            })
            .boxed()
    }

    fn settle_webhook(&self, key: WebhookKey, fate: WebhookFate) -> StoreFuture<'_, ()> {
        let settle = self.write_outbox(Change::Webhook(WebhookChange::Settle(key, fate)));
        async { settle.await.map(drop) }.boxed()
    }

    fn prune_webhooks(&self, before: Timestamp, kept: u64) -> StoreFuture<'_, ()> {
        let prune = self.write_outbox(Change::Webhook(WebhookChange::Prune(before, kept)));
        async { prune.await.map(drop) }.boxed()
    }

    fn webhook_counts(&self, now: Timestamp) -> StoreFuture<'_, Vec<WebhookCount>> {
        self.access
            .read_on(Occasion::Glance, move |db| webhooks::counts(db, now))
            .boxed()
    }
}
