//! Reports, restrictions, conduct and the audit in memory, beside the accounts of [`MemoryAccounts`].

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use tilewire_people::audit::{Action, Entry};
use tilewire_people::conduct::Conduct;
use tilewire_people::moderation::{Deed, REPORTS_MOST, REPORTS_PERIOD, Report, Restraint};
use tilewire_rules::time::Timestamp;

use super::memory_accounts::{MemoryAccounts, State, now};
use super::{
    AccountError, Chapter, ChapterError, ConductRow, MemoryResults, ModerationChange,
    ModerationError, ModerationStore, NewWait, ReportPlace, Standing, StoreError, StoredConduct,
    StoredLine, StoredNotice, StoredReport, StoredRestriction,
};

/// Reports by number, restrictions by player and kind, messages by the entry of the audit, and conduct by player.
#[derive(Debug, Default)]
pub(super) struct MemoryModeration {
    reports: BTreeMap<u64, StoredReport>,
    restrictions: BTreeMap<(String, Restraint), StoredRestriction>,
    notices: BTreeMap<u64, StoredNotice>,
    conduct: BTreeMap<String, StoredConduct>,
}

impl MemoryModeration {
    fn conduct(&self, identity: &str) -> StoredConduct {
        self.conduct.get(identity).copied().unwrap_or_default()
    }

    fn put_conduct(&mut self, identity: &str, conduct: Conduct) {
        let version = self.conduct(identity).version + 1;
        let stored = StoredConduct { version, conduct };
        self.conduct.insert(identity.to_owned(), stored);
    }

    fn file(&mut self, report: Report) -> Result<u64, ModerationError> {
        let since = report.at - REPORTS_PERIOD;
        let own = self.reports.values().map(|stored| &stored.report);
        let lately: Vec<_> = own
            .filter(|other| other.reporter == report.reporter && other.at > since)
            .map(|other| other.at)
            .collect();
        if lately.len() >= REPORTS_MOST {
            let first = lately[lately.len() - REPORTS_MOST];
            return Err(ModerationError::TooManyReports(first + REPORTS_PERIOD));
        }
        let number = self.reports.keys().next_back().map_or(1, |last| last + 1);
        let stored = StoredReport {
            number,
            closed: None,
            report,
        };
        self.reports.insert(number, stored);
        Ok(number)
    }

    /// Returns open or closed reports with a smaller number, the newest first.
    fn behind(&self, place: ReportPlace) -> impl Iterator<Item = &StoredReport> {
        let all = self.reports.range(..place.number).rev();
        let all = all.map(|(_, stored)| stored);
        all.filter(move |stored| stored.closed.is_some() == place.is_closed)
    }

    fn page(&self, place: ReportPlace, most: usize) -> Vec<StoredReport> {
        let open = self.behind(place).filter(|_| !place.is_closed);
        let closed = self.behind(place.of_closed());
        open.chain(closed).take(most).cloned().collect()
    }
}

impl State {
    fn moderate(&mut self, change: ModerationChange) -> Result<u64, ModerationError> {
        let target = change.action.target.clone();
        let changes = match &change.deed {
            Deed::Restrain(_) | Deed::Rename | Deed::Operation(_) => true,
            Deed::HideLines { room, lines } => {
                let mut lines = lines.iter();
                lines.any(|line| self.chat.shows(room, *line, &target))
            }
            Deed::Close => change.closes.is_some_and(|number| {
                let report = self.moderation.reports.get(&number);
                report.is_some_and(|report| report.closed.is_none())
            }),
            Deed::Undo(entry) => {
                let mut all = self.moderation.restrictions.values();
                all.any(|own| own.entry == *entry) || self.chat.has_hidden(*entry)
            }
            Deed::Forgive => {
                let key = (target.clone(), Restraint::Wait);
                let moderation = &self.moderation;
                moderation.restrictions.contains_key(&key)
                    || moderation.conduct(&target).conduct != Conduct::default()
            }
        };
        if !changes {
            return Err(ModerationError::NoChange);
        }
        if let Some(account) = change.account {
            self.apply(account).map_err(|error| match error {
                // The act of a moderator changes no address.
                AccountError::Stale | AccountError::MailTaken => ModerationError::Stale,
                AccountError::HandleTaken => ModerationError::HandleTaken,
                AccountError::Store(error) => error.into(),
            })?;
        }
        let number = self.enter(change.at, change.action, &change.deed);
        let report = change
            .closes
            .and_then(|report| self.moderation.reports.get_mut(&report));
        if let Some(report) = report {
            report.closed.get_or_insert(number);
        }
        Ok(number)
    }

    /// Stores the entry of an act, its effect and the message about it.
    fn enter(&mut self, at: Timestamp, action: Action, deed: &Deed) -> u64 {
        let entry = Entry::after(self.audit.last(), at, action);
        let (number, action) = (entry.number, entry.action.clone());
        let target = action.target;
        self.audit.push(entry);
        let moderation = &mut self.moderation;
        moderation
            .restrictions
            .retain(|_, own| own.until.is_none_or(|until| at < until));
        match deed {
            Deed::Restrain(restraint) => {
                let restriction = StoredRestriction {
                    identity: target.clone(),
                    restraint: *restraint,
                    entry: number,
                    reason: action.reason.clone(),
                    until: action.until,
                };
                let key = (target.clone(), *restraint);
                moderation.restrictions.insert(key, restriction);
            }
            Deed::HideLines { room, lines } => self.chat.hide(room, lines, &target, number),
            Deed::Undo(entry) => {
                moderation.restrictions.retain(|_, own| own.entry != *entry);
                self.chat.show(*entry);
            }
            Deed::Forgive => {
                let key = (target.clone(), Restraint::Wait);
                moderation.restrictions.remove(&key);
                moderation.put_conduct(&target, Conduct::default());
            }
            Deed::Rename | Deed::Close | Deed::Operation(_) => {}
        }
        if let Some(kind) = deed.kind() {
            let notice = StoredNotice {
                entry: number,
                identity: target,
                kind,
                reason: action.reason,
                until: action.until,
            };
            self.moderation.notices.insert(number, notice);
        }
        number
    }

    fn entries(&self, target: Option<&str>, before: Option<u64>, most: usize) -> Vec<Entry> {
        let all = self.audit.iter().rev();
        let fitting = all.filter(|entry| {
            before.is_none_or(|before| entry.number < before)
                && target.is_none_or(|target| entry.action.target == target)
        });
        fitting.take(most).cloned().collect()
    }
}

impl MemoryAccounts {
    /// Stores a chapter: results and ratings there, conduct and waiting times here.
    ///
    /// # Errors
    /// When the cursor or the conduct of a player has changed since; then nothing is stored.
    pub fn write_chapter(
        &self,
        results: &MemoryResults,
        mut chapter: Chapter,
    ) -> Result<(), ChapterError> {
        let (conduct, waits) = (
            std::mem::take(&mut chapter.conduct),
            std::mem::take(&mut chapter.waits),
        );
        let mut state = self.state();
        let is_current =
            |row: &ConductRow| state.moderation.conduct(&row.identity).version == row.expected;
        if !conduct.iter().all(is_current) {
            return Err(ChapterError::Stale);
        }
        results.put(chapter)?;
        for row in conduct {
            state.moderation.put_conduct(&row.identity, row.conduct);
        }
        for NewWait { at, action } in waits {
            state.enter(at, action, &Deed::Restrain(Restraint::Wait));
        }
        Ok(())
    }
}

impl ModerationStore for MemoryAccounts {
    fn file(&self, report: Report) -> BoxFuture<'_, Result<u64, ModerationError>> {
        now(self.state().moderation.file(report))
    }

    fn reports(
        &self,
        behind: ReportPlace,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredReport>, StoreError>> {
        now(Ok(self.state().moderation.page(behind, most)))
    }

    fn report(&self, number: u64) -> BoxFuture<'_, Result<Option<StoredReport>, StoreError>> {
        now(Ok(self.state().moderation.reports.get(&number).cloned()))
    }

    fn lines_around<'a>(
        &'a self,
        room: &'a str,
        line: u64,
        each: u64,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        now(Ok(self.state().chat.around(room, line, each)))
    }

    fn standing(&self) -> BoxFuture<'_, Result<Standing, StoreError>> {
        let state = self.state();
        let standing = Standing {
            restrictions: state.moderation.restrictions.values().cloned().collect(),
            notices: state.moderation.notices.values().cloned().collect(),
        };
        drop(state);
        now(Ok(standing))
    }

    fn conduct(
        &self,
        identities: Vec<String>,
    ) -> BoxFuture<'_, Result<Vec<StoredConduct>, StoreError>> {
        let state = self.state();
        let all = identities.iter();
        let all = all.map(|identity| state.moderation.conduct(identity));
        let all = all.collect();
        drop(state);
        now(Ok(all))
    }

    fn told(&self, entries: Vec<u64>) -> BoxFuture<'_, Result<(), StoreError>> {
        let mut state = self.state();
        for entry in entries {
            state.moderation.notices.remove(&entry);
        }
        drop(state);
        now(Ok(()))
    }

    fn entries<'a>(
        &'a self,
        target: Option<&'a str>,
        before: Option<u64>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        now(Ok(self.state().entries(target, before, most)))
    }

    fn entry(&self, number: u64) -> BoxFuture<'_, Result<Option<Entry>, StoreError>> {
        let state = self.state();
        let entry = state
            .audit
            .iter()
            .find(|entry| entry.number == number)
            .cloned();
        drop(state);
        now(Ok(entry))
    }

    fn moderate(&self, change: ModerationChange) -> BoxFuture<'_, Result<u64, ModerationError>> {
        now(self.state().moderate(change))
    }
}
