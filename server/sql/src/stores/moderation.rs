//! Moderation.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::audit::Entry;
use tilewire_people::moderation::Report;

use crate::access::Occasion;
use crate::changes::Change;
use crate::{Connection, SqlStorage, conduct, moderation};
use tilewire_store::{
    InForce, ModerationChange, ModerationError, ModerationStore, ReportPosition, StoreFuture,
    StoredConduct, StoredLine, StoredReport,
};

impl ModerationStore for SqlStorage {
    fn file(&self, report: Report) -> BoxFuture<'_, Result<u64, ModerationError>> {
        self.write_numbered(Change::Report(Box::new(report)))
            .boxed()
    }

    fn reports(&self, behind: ReportPosition, most: usize) -> StoreFuture<'_, Vec<StoredReport>> {
        self.access
            .read(move |connection| moderation::reports(connection, behind, most))
            .boxed()
    }

    fn report(&self, number: u64) -> StoreFuture<'_, Option<StoredReport>> {
        self.access
            .read(move |connection| moderation::report(connection, number))
            .boxed()
    }

    fn lines_around<'a>(
        &'a self,
        room: &'a str,
        line: u64,
        each: u64,
    ) -> StoreFuture<'a, Vec<StoredLine>> {
        let room = room.to_owned();
        self.access
            .read(move |connection| moderation::lines_around(connection, &room, line, each))
            .boxed()
    }

    fn in_force(&self) -> StoreFuture<'_, InForce> {
        self.access
            .read_on(Occasion::Start, moderation::in_force)
            .boxed()
    }

    fn conduct(&self, identities: Vec<String>) -> StoreFuture<'_, Vec<StoredConduct>> {
        self.access
            .read(move |connection| conduct::of_all(connection, &identities))
            .boxed()
    }

    fn mark_told(&self, entries: Vec<u64>) -> StoreFuture<'_, ()> {
        self.write(Change::Told(entries)).boxed()
    }

    fn entries<'a>(
        &'a self,
        target: Option<&'a str>,
        before: Option<u64>,
        most: usize,
    ) -> StoreFuture<'a, Vec<Entry>> {
        let target = target.map(str::to_owned);
        let read = move |connection: &Connection| {
            moderation::entries(connection, target.as_deref(), before, most)
        };
        self.access
            .poll(Occasion::Poll, Vec::is_empty, read)
            .boxed()
    }

    fn entry(&self, number: u64) -> StoreFuture<'_, Option<Entry>> {
        self.access
            .read(move |connection| moderation::one_entry(connection, number))
            .boxed()
    }

    fn moderate(&self, change: ModerationChange) -> BoxFuture<'_, Result<u64, ModerationError>> {
        self.write_numbered(Change::Moderation(Box::new(change)))
            .boxed()
    }
}
