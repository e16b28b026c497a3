//! Moderation.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::audit::Entry;
use tilewire_people::moderation::Report;

use crate::access::Occasion;
use crate::changes::Change;
use crate::{Connection, SqlStorage, conduct, moderation};
use tilewire_store::{
    ModerationChange, ModerationError, ModerationStore, ReportPlace, Standing, StoreError,
    StoredConduct, StoredLine, StoredReport,
};

impl ModerationStore for SqlStorage {
    fn file(&self, report: Report) -> BoxFuture<'_, Result<u64, ModerationError>> {
        self.write_numbered(Change::Report(Box::new(report)))
            .boxed()
    }

    fn reports(
        &self,
        behind: ReportPlace,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredReport>, StoreError>> {
        self.access
            .read(move |connection| moderation::reports(connection, behind, most))
            .boxed()
    }

    fn report(&self, number: u64) -> BoxFuture<'_, Result<Option<StoredReport>, StoreError>> {
        self.access
            .read(move |connection| moderation::report(connection, number))
            .boxed()
    }

    fn lines_around<'a>(
        &'a self,
        room: &'a str,
        line: u64,
        each: u64,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        let room = room.to_owned();
        self.access
            .read(move |connection| moderation::lines_around(connection, &room, line, each))
            .boxed()
    }

    fn standing(&self) -> BoxFuture<'_, Result<Standing, StoreError>> {
        self.access
            .read_on(Occasion::Start, moderation::standing)
            .boxed()
    }

    fn conduct(
        &self,
        identities: Vec<String>,
    ) -> BoxFuture<'_, Result<Vec<StoredConduct>, StoreError>> {
        self.access
            .read(move |connection| conduct::of_all(connection, &identities))
            .boxed()
    }

    fn told(&self, entries: Vec<u64>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(Change::Told(entries)).boxed()
    }

    fn entries<'a>(
        &'a self,
        target: Option<&'a str>,
        before: Option<u64>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        let target = target.map(str::to_owned);
        let read = move |connection: &Connection| {
            moderation::entries(connection, target.as_deref(), before, most)
        };
        self.access
            .poll(Occasion::Poll, Vec::is_empty, read)
            .boxed()
    }

    fn entry(&self, number: u64) -> BoxFuture<'_, Result<Option<Entry>, StoreError>> {
        self.access
            .read(move |connection| moderation::one_entry(connection, number))
            .boxed()
    }

    fn moderate(&self, change: ModerationChange) -> BoxFuture<'_, Result<u64, ModerationError>> {
        self.write_numbered(Change::Moderation(Box::new(change)))
            .boxed()
    }
}
