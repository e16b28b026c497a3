//! The storage contract for moderation on the simulated disk: the one in memory, made as slow and as unreliable as the rest.

use futures::future::BoxFuture;
use tilewire_control::AddressBlocks;
use tilewire_people::audit::Entry;
use tilewire_people::moderation::Report;
use tilewire_store::{
    ModerationChange, ModerationError, ModerationStore, ReportPlace, Standing, StoreError,
    StoredConduct, StoredLine, StoredReport,
};

use super::disk::{Disk, State};
use super::disk_people::{at_once, on_purpose};

impl State {
    fn put_act(&mut self, change: &ModerationChange) -> Result<u64, ModerationError> {
        let (account, news) = (change.account.clone(), self.news_of(change));
        let number = at_once(self.durable.accounts.moderate(change.clone()))?;
        if let Some(news) = news {
            self.note_for_hooks(change, news);
        }
        if let Some(account) = account {
            self.follow(&account, false);
        }
        Ok(number)
    }
}

impl ModerationStore for Disk {
    fn file(&self, report: Report) -> BoxFuture<'_, Result<u64, ModerationError>> {
        let fail = || Err(on_purpose().into());
        let filed = |state: &mut State| at_once(state.durable.accounts.file(report));
        Box::pin(self.change(fail, fail, filed))
    }

    fn reports(
        &self,
        behind: ReportPlace,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredReport>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.reports(behind, most)))
                .await?
        })
    }

    fn report(&self, number: u64) -> BoxFuture<'_, Result<Option<StoredReport>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.report(number)))
                .await?
        })
    }

    fn lines_around<'a>(
        &'a self,
        room: &'a str,
        line: u64,
        each: u64,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.lines_around(room, line, each)))
                .await?
        })
    }

    fn standing(&self) -> BoxFuture<'_, Result<Standing, StoreError>> {
        // A server that cannot read this does not start, so the disk never refuses it.
        Box::pin(async { self.look(|durable| at_once(durable.accounts.standing())) })
    }

    fn conduct(
        &self,
        identities: Vec<String>,
    ) -> BoxFuture<'_, Result<Vec<StoredConduct>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.accounts.conduct(identities)))
                .await?
        })
    }

    fn told(&self, entries: Vec<u64>) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(on_purpose());
        let told = |state: &mut State| at_once(state.durable.accounts.told(entries));
        Box::pin(self.change(fail, fail, told))
    }

    fn entries<'a>(
        &'a self,
        target: Option<&'a str>,
        before: Option<u64>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        Box::pin(async move {
            // A server that cannot read these does not start, so the disk never refuses it.
            if target == Some(AddressBlocks::TARGET) {
                return self
                    .look(|durable| at_once(durable.accounts.entries(target, before, most)));
            }
            self.read(move |state| at_once(state.durable.accounts.entries(target, before, most)))
                .await?
        })
    }

    fn entry(&self, number: u64) -> BoxFuture<'_, Result<Option<Entry>, StoreError>> {
        Box::pin(async move {
            self.read(move |state| at_once(state.durable.accounts.entry(number)))
                .await?
        })
    }

    fn moderate(&self, change: ModerationChange) -> BoxFuture<'_, Result<u64, ModerationError>> {
        let fail = || Err(on_purpose().into());
        Box::pin(self.change(fail, fail, move |state| state.put_act(&change)))
    }
}
